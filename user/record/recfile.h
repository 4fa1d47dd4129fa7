/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file a recording goes to. It is written under its final name, block by block, so
 * that it is there and readable even when the recorder is killed; what had the name
 * before becomes NAME.old.
 */
#ifndef FLAME_RECFILE_H
#define FLAME_RECFILE_H

#include <stdbool.h>

struct recfile {
	char *path;
	char *old;		/* where the older file went; NULL: there was none */
	int fd;
	bool is_stdout;
};

/* @path "-": stdout. False after saying why. */
bool recfile_open(struct recfile *f, const char *path);

/* Done with it. @keep false: the new file goes and the older one comes back. */
void recfile_close(struct recfile *f, bool keep);

/* PATH with a number: prof.flame, 3 is prof.3.flame. Free it. */
char *recfile_numbered(const char *path, unsigned int nr);

#endif /* FLAME_RECFILE_H */
