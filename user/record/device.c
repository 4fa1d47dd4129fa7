// SPDX-License-Identifier: GPL-2.0-only
/*
 * The real /dev/flame. Two open files: the attached one, which owns the session, and one
 * for reading control files while the stream runs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "flame.h"
#include "flame_abi.h"
#include "record/device.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/system.h"

struct real_device {
	struct device pub;
	int control;
};

static struct real_device *real(struct device *d)
{
	return (struct real_device *)d;
}

static int write_command(int fd, const char *text)
{
	size_t len = strlen(text);
	ssize_t n;

	do
		n = write(fd, text, len);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EIO;
}

static int real_command(struct device *d, const char *text)
{
	return write_command(d->fd, text);
}

static char *read_control(int fd, const char *name)
{
	char *command = xasprintf("get %s\n", name), *text = NULL;
	size_t have = 0, cap = 0;
	int err = write_command(fd, command);

	free(command);
	if (err)
		return NULL;
	for (;;) {
		ssize_t n;

		text = array_grow(text, &cap, have + 4096, 1);
		n = read(fd, text + have, 4095);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			free(text);
			return NULL;
		}
		if (!n)
			break;
		have += (size_t)n;
	}
	text[have] = '\0';
	return text;
}

static char *real_get(struct device *d, const char *name)
{
	return read_control(real(d)->control, name);
}

static ssize_t real_read(struct device *d, void *buf, size_t size)
{
	return read(d->fd, buf, size);
}

static int real_object_fd(struct device *d, uint32_t id)
{
	int fd = ioctl(d->fd, FLAME_IOC_OBJECT_FD, &id);

	return fd < 0 ? -errno : fd;
}

static void real_close(struct device *d)
{
	close(d->fd);
	close(real(d)->control);
	free(d);
}

static const struct device_ops real_ops = {
	.command = real_command,
	.get = real_get,
	.read = real_read,
	.object_fd = real_object_fd,
	.close = real_close,
};

static void say_no_device(int err)
{
	switch (err) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		if (!system_has_modules())
			msg_error("this kernel cannot load modules; 'flame doctor' says more");
		else
			msg_error(DEVICE_PATH " is not there: the module is not loaded; 'modprobe flame' or 'insmod flame.ko', and 'flame doctor' says what stands in the way");
		break;
	case EACCES:
	case EPERM:
		if (system_locked_down())
			msg_error(DEVICE_PATH ": the kernel is locked down (%s); boot without lockdown to sample kernel stacks",
				  system_lockdown());
		else if (geteuid())
			msg_error(DEVICE_PATH ": %s; run as root (sudo flame record ...)",
				  strerror(err));
		else
			msg_error(DEVICE_PATH ": %s; CAP_PERFMON or CAP_SYS_ADMIN is needed outside any container",
				  strerror(err));
		break;
	default:
		msg_error(DEVICE_PATH ": %s", strerror(err));
	}
}

/* `get version` prints "flame X.Y.Z abi N". */
static bool check_abi(int control)
{
	char *version = read_control(control, "version"), *end;
	const char *abi = version ? strstr(version, " abi ") : NULL;
	bool ok = false;

	if (!abi) {
		msg_error(DEVICE_PATH ": does not tell its version; is it another module's device?");
	} else if (strtol(abi + 5, &end, 10) != FLAME_ABI_VERSION) {
		version[strcspn(version, "\n")] = '\0';
		msg_error("the module is %s, this program is flame %s abi %d: build and load the module of the same release",
			  version, FLAME_VERSION, FLAME_ABI_VERSION);
	} else {
		ok = true;
	}
	free(version);
	return ok;
}

struct device *device_open(void)
{
	int control = open(DEVICE_PATH, O_RDWR | O_CLOEXEC), stream, err;
	struct real_device *d;

	if (control < 0) {
		say_no_device(errno);
		return NULL;
	}
	if (!check_abi(control)) {
		close(control);
		return NULL;
	}
	stream = open(DEVICE_PATH, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	err = stream < 0 ? -errno : write_command(stream, "attach\n");
	if (err) {
		say_no_device(-err);
		if (stream >= 0)
			close(stream);
		close(control);
		return NULL;
	}
	d = xcalloc(1, sizeof(*d));
	d->pub.ops = &real_ops;
	d->pub.fd = stream;
	d->pub.takes_tables = true;
	d->control = control;
	return &d->pub;
}

char *device_last_error(struct device *d)
{
	char *log = d->ops->get(d, "error_log"), *line, *text;
	size_t len;

	if (!log)
		return xstrdup("");
	len = strlen(log);
	while (len && log[len - 1] == '\n')
		log[--len] = '\0';
	line = strrchr(log, '\n');
	line = line ? line + 1 : log;
	/* "[    1.234567] what: why" */
	text = *line == '[' ? strchr(line, ']') : NULL;
	text = xstrdup(text ? text + 1 + strspn(text + 1, " ") : line);
	free(log);
	return text;
}
