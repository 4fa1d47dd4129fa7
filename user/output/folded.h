/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes folded text (docs/format-folded.md): sorted bytewise, equal stacks summed, the
 * same bytes for the same content.
 */
#ifndef FLAME_OUTPUT_FOLDED_H
#define FLAME_OUTPUT_FOLDED_H

#include <stdbool.h>
#include <stdio.h>
#include "profile/profile.h"

/**
 * struct folded_options - which kinds of frame carry their suffix
 * @kernel: _[k]
 * @jit: _[j]
 * @other: _[i], _[w]
 */
struct folded_options {
	bool kernel;
	bool jit;
	bool other;
};

/* Write errors are left in @fp for its owner to find. */
void folded_write(FILE *fp, const struct profile *p, uint32_t event,
		  const struct folded_options *options);

/* The same with two counts a line, of event @before and of event @after. */
void folded_write_diff(FILE *fp, const struct profile *p, uint32_t before, uint32_t after,
		       const struct folded_options *options);

#endif /* FLAME_OUTPUT_FOLDED_H */
