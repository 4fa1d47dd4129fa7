/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Named address ranges, sorted, for look-up by address: the symbols of an object, and
 * the function bounds its unwind table gives.
 */
#ifndef FLAME_RANGES_H
#define FLAME_RANGES_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct range - [start, end)
 * @name: mangled name; NULL for bounds without one. Not owned.
 * @rank: of two ranges with one start, the lower is kept
 */
struct range {
	uint64_t start;
	uint64_t end;
	uint64_t max_end;	/* set by ranges_sort(): of this one and all before it */
	const char *name;
	unsigned int rank;
};

struct ranges {
	struct range *at;
	size_t nr, cap;
};

void ranges_add(struct ranges *r, uint64_t start, uint64_t end, const char *name,
		unsigned int rank);

/* Sorts and drops all but the best of those with equal start. */
void ranges_sort(struct ranges *r);

/* The innermost range that holds @address, or NULL. After ranges_sort(). */
const struct range *ranges_find(const struct ranges *r, uint64_t address);

/* The first range that starts after @address, or NULL. */
const struct range *ranges_after(const struct ranges *r, uint64_t address);

void ranges_free(struct ranges *r);

#endif /* FLAME_RANGES_H */
