// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame doctor`: what on this machine stands in the way, and the remedy. Looks only;
 * loads and changes nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "cmd/cmd.h"
#include "flame.h"
#include "flame_abi.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/outfile.h"
#include "util/system.h"
#include "util/term.h"

#define CAP_SYS_ADMIN_BIT	21
#define CAP_PERFMON_BIT		38
#define EFI_SECURE_BOOT \
	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

static const char help[] =
	"usage: flame doctor [options]\n"
	"\n"
	"Says what on this machine stands in the way of sampling: a line for each finding\n"
	"and one for its remedy. Status 0 if nothing does, else 1.\n"
	"\n"
	"  -o, --output FILE   write there instead of stdout\n"
	"      --color WHEN    auto, always, never\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n";

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ 0 }
};

enum verdict { GOOD, NOTE, BAD };

struct doctor {
	FILE *fp;
	bool color;
	unsigned int bad;
	bool module_loaded;
	bool can_load;		/* nothing found so far that forbids loading a module */
	struct utsname uts;
};

/* @remedy: what to do about it, NULL with GOOD. */
__attribute__((format(printf, 4, 5)))
static void finding(struct doctor *d, enum verdict verdict, const char *remedy,
		    const char *fmt, ...)
{
	static const char *const words[] = { "ok  ", "note", "BAD " };
	static const char *const colors[] = { "\033[32m", "\033[33m", "\033[31m" };
	va_list ap;

	fprintf(d->fp, "%s%s%s  ", d->color ? colors[verdict] : "", words[verdict],
		d->color ? "\033[0m" : "");
	va_start(ap, fmt);
	vfprintf(d->fp, fmt, ap);
	va_end(ap);
	fputc('\n', d->fp);
	if (remedy)
		fprintf(d->fp, "      %s\n", remedy);
	d->bad += verdict == BAD;
}

static uint64_t effective_capabilities(void)
{
	FILE *fp = fopen("/proc/self/status", "re");
	static const char key[] = "CapEff:";
	uint64_t caps = 0;
	char line[256];

	if (!fp)
		return 0;
	while (fgets(line, sizeof(line), fp))
		if (!strncmp(line, key, strlen(key)))
			caps = strtoull(line + strlen(key), NULL, 16);
	fclose(fp);
	return caps;
}

static void check_rights(struct doctor *d)
{
	uint64_t caps = effective_capabilities();

	if (geteuid()) {
		finding(d, BAD, "run as root: sudo flame ...",
			"rights: not root; control files and /dev/flame are root's alone");
	} else if (!(caps & 1ull << CAP_SYS_ADMIN_BIT) && !(caps & 1ull << CAP_PERFMON_BIT)) {
		finding(d, BAD, "leave the container, or give it CAP_PERFMON",
			"rights: root, but without CAP_PERFMON and CAP_SYS_ADMIN");
	} else {
		finding(d, GOOD, NULL, "rights: root");
	}
}

static bool in_file(const char *path, const char *word)
{
	FILE *fp = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	if (!fp)
		return false;
	while (!found && getline(&line, &size, fp) > 0)
		found = !strncmp(line, word, strlen(word));
	free(line);
	fclose(fp);
	return found;
}

static void check_module_support(struct doctor *d)
{
	char line[16];

	d->module_loaded = in_file("/proc/modules", "flame ");
	d->can_load = false;
	if (!system_has_modules()) {
		finding(d, BAD,
			"use a kernel with CONFIG_MODULES (any distribution's), or a virtual machine",
			"kernel: %s cannot load modules", d->uts.release);
	} else if (system_read_line("/proc/sys/kernel/modules_disabled", line, sizeof(line)) &&
		   !strcmp(line, "1") && !d->module_loaded) {
		finding(d, BAD, "reboot and load the module before kernel.modules_disabled is set",
			"kernel: loading modules was switched off (kernel.modules_disabled = 1)");
	} else {
		finding(d, GOOD, NULL, "kernel: %s can load modules", d->uts.release);
		d->can_load = true;
	}
}

/* "Y" or "1" in a module parameter's file. */
static bool is_set(const char *path)
{
	char line[16];

	return system_read_line(path, line, sizeof(line)) && (*line == 'Y' || *line == '1');
}

/* The EFI variable: four bytes of attributes, then 1 if Secure Boot is on. */
static bool secure_boot(void)
{
	unsigned char bytes[5];
	int fd = open(EFI_SECURE_BOOT, O_RDONLY | O_CLOEXEC);
	bool on;

	if (fd < 0)
		return false;
	on = read(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes) && bytes[4] == 1;
	close(fd);
	return on;
}

static void check_lockdown(struct doctor *d)
{
	const char *sign =
		"sign the module with a key enrolled by 'mokutil --import', or switch Secure Boot off";
	const char *level = system_lockdown();

	if (!strcmp(level, "confidentiality"))
		finding(d, BAD, "boot with lockdown=integrity or none",
			"lockdown: confidentiality; no kernel stack may be read");
	else if (!strcmp(level, "integrity"))
		finding(d, NOTE, sign,
			"lockdown: integrity; only signed modules load and debugfs is shut (the tool uses /dev/flame)");
	else if (is_set("/sys/module/module/parameters/sig_enforce"))
		finding(d, d->module_loaded ? NOTE : BAD, sign,
			"signatures: this kernel loads signed modules only");
	else if (secure_boot())
		finding(d, NOTE, sign, "Secure Boot is on; the module may have to be signed");
	else
		finding(d, GOOD, NULL, "lockdown: none%s", *level ? "" : " (not in this kernel)");
}

static void check_headers(struct doctor *d)
{
	char *path = xasprintf("/lib/modules/%s/build", d->uts.release);
	char *module = xasprintf("/lib/modules/%s", d->uts.release);
	char *remedy = xasprintf("apt install linux-headers-%s (or your distribution's package)",
				 d->uts.release);

	if (!access(path, F_OK))
		finding(d, GOOD, NULL, "headers: %s", path);
	else if (d->module_loaded || !d->can_load)
		finding(d, NOTE, remedy, "headers: none for this kernel; the module cannot be built here");
	else
		finding(d, BAD, remedy, "headers: none for this kernel (%s); the module cannot be built here",
			access(module, F_OK) ? "nor any module" : path);
	free(remedy);
	free(module);
	free(path);
}

static void check_module(struct doctor *d)
{
	if (d->module_loaded)
		finding(d, GOOD, NULL, "module: loaded");
	else if (!d->can_load)
		finding(d, BAD, "see above", "module: not loaded, and cannot be here");
	else
		finding(d, BAD, "modprobe flame, or 'make module' and insmod flame.ko; 'dmesg' says why if it is refused",
			"module: not loaded");
}

/* Reads what `get version` answers. */
static bool device_version(int fd, char *buf, size_t size)
{
	ssize_t n;

	if (write(fd, "get version\n", 12) != 12)
		return false;
	n = read(fd, buf, size - 1);
	if (n <= 0)
		return false;
	buf[n] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return true;
}

static void check_device(struct doctor *d)
{
	char version[128];
	const char *abi;
	int fd;

	if (!d->module_loaded)
		return;
	fd = open("/dev/flame", O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		finding(d, BAD, errno == ENOENT ? "is devtmpfs mounted on /dev? udevadm trigger makes missing nodes" :
						  "run as root outside any container",
			"device: /dev/flame: %s", strerror(errno));
		return;
	}
	if (!device_version(fd, version, sizeof(version))) {
		finding(d, BAD, "reload the module: rmmod flame, modprobe flame",
			"device: /dev/flame does not answer");
	} else {
		abi = strstr(version, " abi ");
		if (!abi || strtol(abi + 5, NULL, 10) != FLAME_ABI_VERSION)
			finding(d, BAD, "build and load the module of the same release",
				"device: the module is '%s', this program flame %s abi %d", version,
				FLAME_VERSION, FLAME_ABI_VERSION);
		else
			finding(d, GOOD, NULL, "device: /dev/flame, %s", version);
	}
	close(fd);
}

static void check_debugfs(struct doctor *d)
{
	if (!in_file("/proc/filesystems", "nodev\tdebugfs"))
		finding(d, NOTE, "use the tool: it needs /dev/flame only",
			"debugfs: not in this kernel; there are no control files");
	else if (access("/sys/kernel/debug/.", F_OK) || !in_file("/proc/mounts", "debugfs "))
		finding(d, NOTE, "mount -t debugfs none /sys/kernel/debug",
			"debugfs: not mounted; there are no control files");
	else if (d->module_loaded && access("/sys/kernel/debug/flame/README", R_OK))
		finding(d, NOTE, "use the tool: it needs /dev/flame only",
			"debugfs: /sys/kernel/debug/flame: %s", strerror(errno));
	else
		finding(d, GOOD, NULL, "debugfs: mounted");
}

static int examine(struct doctor *d)
{
	if (uname(&d->uts))
		memset(&d->uts, 0, sizeof(d->uts));
	check_rights(d);
	check_module_support(d);
	check_lockdown(d);
	check_headers(d);
	check_module(d);
	check_device(d);
	check_debugfs(d);
	if (!d->bad)
		fputs("Nothing stands in the way.\n", d->fp);
	return d->bad ? EXIT_FAILED : EXIT_DONE;
}

int cmd_doctor(int argc, char **argv)
{
	struct cmd cmd = { .name = "doctor", .help = help };
	struct doctor d = { 0 };
	struct outfile out;
	int opt, status;

	while ((opt = getopt_long(argc, argv, CMD_COMMON_SHORT, long_options, NULL)) != -1) {
		status = cmd_common_option(&cmd, opt, argv);
		if (status != CMD_GO_ON)
			return status;
	}
	if (optind < argc)
		return cmd_usage(&cmd, "takes no INPUT, not '%s'", argv[optind]);
	if (!outfile_open(&out, cmd.output, 0))
		return EXIT_FAILED;
	d.fp = out.fp;
	d.color = term_color(out.fp);
	status = examine(&d);
	return outfile_commit(&out) == EXIT_DONE ? status : EXIT_FAILED;
}
