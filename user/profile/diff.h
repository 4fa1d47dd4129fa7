/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two profiles as one of two events: event 0 is what is after, event 1, named "before",
 * what was before. This is what pictures and reports of a difference take.
 */
#ifndef FLAME_DIFF_H
#define FLAME_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "profile/profile.h"

/**
 * struct diff_options - what makes two profiles comparable
 * @normalize: counts before are scaled by total after / total before and cut to whole
 *	       numbers, unless one of the totals is 0
 * @strip_hex: in names, each 0x and its hex digits become 0x...: places that differ
 *	       from run to run are one
 */
struct diff_options {
	bool normalize;
	bool strip_hex;
};

/* The events of @before and @after to compare, by index; both stay as they are. */
struct profile *profile_diff(const struct profile *before, uint32_t before_event,
			     const struct profile *after, uint32_t after_event,
			     const struct diff_options *options);

/* @count, a part of the total @from, as a part of @to, cut; @count if either is 0. */
uint64_t diff_scale(uint64_t count, uint64_t from, uint64_t to);

/*
 * Writes @text (@len bytes) with each 0x and its hex digits as 0x... to @out, which has
 * room for 2 * @len; returns the length. difffolded.pl's -s.
 */
size_t diff_strip_hex(char *out, const char *text, size_t len);

#endif /* FLAME_DIFF_H */
