/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a command's result goes: stdout, or a file that is written beside its final
 * name and renamed when whole, so that a failure never leaves half a file behind.
 */
#ifndef FLAME_OUTFILE_H
#define FLAME_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

enum outfile_flags {
	OUTFILE_BINARY	= 1 << 0,	/* refused when it would go to a terminal */
	OUTFILE_PRIVATE	= 1 << 1,	/* mode 0600 and owned by the invoking user (SUDO_UID) */
};

struct outfile {
	FILE *fp;		/* write here */
	char *path;		/* final name; NULL: stdout */
	char *temp;		/* the name it has until then */
};

/* @path NULL or "-": stdout. Returns false after saying why. */
bool outfile_open(struct outfile *out, const char *path, unsigned int flags);

/*
 * Flushes, checks every earlier write, renames. Returns the command's exit status:
 * EXIT_DONE or, after saying why (a closed pipe is silent), EXIT_FAILED.
 */
int outfile_commit(struct outfile *out);

/* Takes back what was written (a file; stdout cannot be). Nothing after a commit. */
void outfile_abort(struct outfile *out);

#endif /* FLAME_OUTFILE_H */
