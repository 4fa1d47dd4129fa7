// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a command's result goes. Guarantees that a name given with -o holds either what
 * it held before or the whole new content.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmd/cmd.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/outfile.h"
#include "util/owner.h"

/* The unfinished file, for the end that no one planned: exit() and signals. */
static char live_temp[4096];

static void remove_temp(void)
{
	if (live_temp[0])
		unlink(live_temp);
	live_temp[0] = '\0';
}

static void on_signal(int sig)
{
	remove_temp();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void watch_temp(const char *temp)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	static bool watching;

	if (strlen(temp) < sizeof(live_temp))
		strcpy(live_temp, temp);
	if (watching)
		return;
	watching = true;
	atexit(remove_temp);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction old;

		if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
			signal(signals[i], on_signal);
	}
}

static bool open_stdout(struct outfile *out, unsigned int flags)
{
	if ((flags & OUTFILE_BINARY) && isatty(STDOUT_FILENO)) {
		msg_error("this is binary, not for a terminal; give -o FILE or redirect it");
		return false;
	}
	out->fp = stdout;
	return true;
}

/* A device, pipe or socket is written as it is: there is nothing to rename. */
static bool open_special(struct outfile *out, const char *path, unsigned int flags)
{
	out->fp = fopen(path, "we");
	if (!out->fp) {
		msg_error("%s: %s", path, strerror(errno));
		return false;
	}
	if ((flags & OUTFILE_BINARY) && isatty(fileno(out->fp))) {
		msg_error("%s: this is binary, not for a terminal", path);
		fclose(out->fp);
		return false;
	}
	out->path = xstrdup(path);
	return true;
}

bool outfile_open(struct outfile *out, const char *path, unsigned int flags)
{
	mode_t mode = flags & OUTFILE_PRIVATE ? 0600 : 0666;
	struct stat st;
	char *real;
	int fd;

	*out = (struct outfile){ 0 };
	if (!path || !strcmp(path, "-"))
		return open_stdout(out, flags);
	if (!stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return open_special(out, path, flags);
	/* A public result follows the user's own symbolic link, a recording does not. */
	real = flags & OUTFILE_PRIVATE ? NULL : realpath(path, NULL);
	out->path = real ? real : xstrdup(path);
	out->temp = xasprintf("%s.tmp%d", out->path, (int)getpid());
	fd = open(out->temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd >= 0 && (flags & OUTFILE_PRIVATE) && !owner_take(fd)) {
		close(fd);
		unlink(out->temp);
		fd = -1;
	}
	out->fp = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!out->fp) {
		msg_error("%s: %s", out->temp, strerror(errno));
		if (fd >= 0)
			close(fd);
		free(out->path);
		free(out->temp);
		*out = (struct outfile){ 0 };
		return false;
	}
	watch_temp(out->temp);
	return true;
}

static void forget(struct outfile *out)
{
	if (out->temp)
		live_temp[0] = '\0';
	free(out->path);
	free(out->temp);
	*out = (struct outfile){ 0 };
}

void outfile_abort(struct outfile *out)
{
	if (!out->fp)
		return;
	if (out->fp != stdout)
		fclose(out->fp);
	if (out->temp)
		unlink(out->temp);
	forget(out);
}

int outfile_commit(struct outfile *out)
{
	const char *name = out->path ? out->path : "stdout";
	bool bad;
	int err;

	errno = 0;
	bad = fflush(out->fp) || ferror(out->fp);
	err = errno;
	if (!bad && out->temp && rename(out->temp, out->path)) {
		bad = true;
		err = errno;
	}
	if (!bad) {
		if (out->fp != stdout && fclose(out->fp)) {
			msg_error("%s: %s", name, strerror(errno));
			forget(out);
			return EXIT_FAILED;
		}
		forget(out);
		return EXIT_DONE;
	}
	if (err != EPIPE)
		msg_error("%s: %s%s", name, err ? strerror(err) : "write error",
			  out->temp ? "; nothing was left behind" : "");
	outfile_abort(out);
	return EXIT_FAILED;
}
