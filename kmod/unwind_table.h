/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unwind tables (include/flame_unwind.h) in use: checking one as a whole, and finding
 * the rule for an address. Shared with user space; no kernel service but port.h.
 */
#ifndef FLAME_UNWIND_TABLE_H
#define FLAME_UNWIND_TABLE_H

#include "port.h"
#include "../include/flame_unwind.h"

/**
 * flame_unwind_check() - may this table be used?
 * @table: 8-byte aligned; trusted in nothing
 * @bytes: how many there are
 *
 * After it said yes flame_unwind_find() stays within the table for any address. Returns
 * NULL, or what is wrong with the table, in a few words. Any context; linear.
 */
const char *flame_unwind_check(const void *table, u64 bytes);

static __always_inline const u32 *flame_unwind_pages(const struct flame_unwind_head *head)
{
	return (const u32 *)(head + 1);
}

static __always_inline const struct flame_unwind_row *
flame_unwind_rows(const struct flame_unwind_head *head)
{
	return (const struct flame_unwind_row *)(flame_unwind_pages(head) + head->nr_pages + 1);
}

static __always_inline const struct flame_unwind_rule *
flame_unwind_rules(const struct flame_unwind_head *head)
{
	return (const struct flame_unwind_rule *)(flame_unwind_rows(head) + head->nr_rows);
}

/**
 * flame_unwind_find() - the rule that holds at a file offset
 * @head: a table that was checked
 * @offset: any
 *
 * At most 16 steps. Returns NULL when the table says nothing about @offset.
 */
static __always_inline const struct flame_unwind_rule *
flame_unwind_find(const struct flame_unwind_head *head, u64 offset)
{
	const struct flame_unwind_row *rows = flame_unwind_rows(head);
	u64 page = (offset - head->base) / FLAME_UNWIND_PAGE;
	u16 low = offset % FLAME_UNWIND_PAGE;
	u32 first, end;

	if (offset < head->base || page >= head->nr_pages)
		return NULL;
	first = flame_unwind_pages(head)[page];
	end = flame_unwind_pages(head)[page + 1];
	/* The last row in [first, end) whose address is not above. */
	while (first < end) {
		u32 middle = first + (end - first) / 2;

		if (rows[middle].low <= low)
			first = middle + 1;
		else
			end = middle;
	}
	if (first == flame_unwind_pages(head)[page])
		return NULL;
	return &flame_unwind_rules(head)[rows[first - 1].rule];
}

#endif /* FLAME_UNWIND_TABLE_H */
