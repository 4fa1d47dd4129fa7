/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions inlined at a place that `perf script` printed, from the DWARF of the
 * object it lies in: read in this process, each place once.
 */
#ifndef FLAME_PERF_INLINE_H
#define FLAME_PERF_INLINE_H

#include <stdbool.h>
#include <stddef.h>
#include "input/perf_line.h"

struct perf_inline;

/* @context: names get the file and line of the place: `f:file.c:10`. */
struct perf_inline *perf_inline_new(bool context);
void perf_inline_free(struct perf_inline *p);

/*
 * Finds the functions at symbol + offset in f->dso. False: nothing is known, the frame is
 * to be taken as it was printed.
 */
bool perf_inline_find(struct perf_inline *p, const struct perf_frame *f);

/* What was found, innermost first; false: no more. The last is the function itself. */
bool perf_inline_name(const struct perf_inline *p, size_t i, struct text *name, bool *outer);

#endif /* FLAME_PERF_INLINE_H */
