// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file a recording goes to: mode 0600, the invoking user's, never through a symbolic
 * link.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "record/recfile.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/owner.h"

static bool open_stdout(struct recfile *f)
{
	if (isatty(STDOUT_FILENO)) {
		msg_error("a recording is binary, not for a terminal; give -o FILE or -f");
		return false;
	}
	f->fd = STDOUT_FILENO;
	f->is_stdout = true;
	f->path = xstrdup("stdout");
	return true;
}

bool recfile_open(struct recfile *f, const char *path)
{
	struct stat st;

	*f = (struct recfile){ .fd = -1 };
	if (!strcmp(path, "-"))
		return open_stdout(f);
	if (!lstat(path, &st)) {
		if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode)) {
			msg_error("%s: is no file; a recording needs one of its own", path);
			return false;
		}
		f->old = xasprintf("%s.old", path);
		if (rename(path, f->old)) {
			msg_error("%s: cannot become %s: %s", path, f->old, strerror(errno));
			free(f->old);
			f->old = NULL;
			return false;
		}
	}
	f->path = xstrdup(path);
	f->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (f->fd >= 0 && owner_take(f->fd))
		return true;
	msg_error("%s: %s", path, strerror(errno));
	recfile_close(f, false);
	return false;
}

void recfile_close(struct recfile *f, bool keep)
{
	if (f->fd >= 0 && !f->is_stdout)
		close(f->fd);
	if (!keep && !f->is_stdout && f->path) {
		if (f->fd >= 0)
			unlink(f->path);
		if (f->old && rename(f->old, f->path))
			msg_warn("%s: stays where it is: %s", f->old, strerror(errno));
	}
	free(f->old);
	free(f->path);
	*f = (struct recfile){ .fd = -1 };
}

char *recfile_numbered(const char *path, unsigned int nr)
{
	const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');

	if (!dot || dot == path || (slash && dot < slash + 2))
		return xasprintf("%s.%u", path, nr);
	return xasprintf("%.*s.%u%s", (int)(dot - path), path, nr, dot);
}
