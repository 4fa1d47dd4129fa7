/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The short way for the most common difference, that of two files of plain folded text:
 * lines are compared as lines, no frame is looked at. What it writes is what the long
 * way would; what it is not sure of it leaves to that.
 */
#ifndef FLAME_DIFF_LINES_H
#define FLAME_DIFF_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct diff_lines;

/*
 * Reads both files. NULL, without a word, if one is not plain: not a file, too large to
 * hold, compressed, not just printable ASCII lines of the form STACK COUNT, or empty.
 */
struct diff_lines *diff_lines_read(const char *before, const char *after);
void diff_lines_free(struct diff_lines *d);

uint64_t diff_lines_before(const struct diff_lines *d);	/* total */
uint64_t diff_lines_after(const struct diff_lines *d);

/* Writes lines STACK BEFORE AFTER; with @normalize counts before are scaled. */
void diff_lines_write(FILE *fp, const struct diff_lines *d, bool normalize);

#endif /* FLAME_DIFF_LINES_H */
