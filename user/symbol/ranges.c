// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sorted address ranges. Ranges may nest and overlap, as symbols do.
 */
#include <stdlib.h>
#include <string.h>
#include "symbol/ranges.h"
#include "util/mem.h"

void ranges_add(struct ranges *r, uint64_t start, uint64_t end, const char *name,
		unsigned int rank)
{
	r->at = array_grow(r->at, &r->cap, r->nr + 1, sizeof(*r->at));
	r->at[r->nr++] = (struct range){ .start = start, .end = end, .name = name, .rank = rank };
}

static int compare(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	/* The same symbol from two tables, or equal aliases: the same choice always. */
	return x->name && y->name ? strcmp(x->name, y->name) : 0;
}

void ranges_sort(struct ranges *r)
{
	uint64_t max_end = 0;
	size_t kept = 0;

	if (!r->nr)
		return;
	qsort(r->at, r->nr, sizeof(*r->at), compare);
	for (size_t i = 0; i < r->nr; i++) {
		if (kept && r->at[kept - 1].start == r->at[i].start)
			continue;
		r->at[kept++] = r->at[i];
	}
	r->nr = kept;
	for (size_t i = 0; i < r->nr; i++) {
		if (r->at[i].end > max_end)
			max_end = r->at[i].end;
		r->at[i].max_end = max_end;
	}
}

/* Index of the first range that starts after @address. */
static size_t upper_bound(const struct ranges *r, uint64_t address)
{
	size_t lo = 0, hi = r->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->at[mid].start <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct range *ranges_find(const struct ranges *r, uint64_t address)
{
	for (size_t i = upper_bound(r, address); i-- > 0;) {
		if (address < r->at[i].end)
			return &r->at[i];
		if (address >= r->at[i].max_end)
			break;
	}
	return NULL;
}

const struct range *ranges_after(const struct ranges *r, uint64_t address)
{
	size_t i = upper_bound(r, address);

	return i < r->nr ? &r->at[i] : NULL;
}

void ranges_free(struct ranges *r)
{
	free(r->at);
	*r = (struct ranges){ 0 };
}
