// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks an unwind table as a whole before any of it is used. Pure; any context.
 */
#include "unwind_table.h"

static const char *check_pages(const struct flame_unwind_head *head)
{
	const u32 *pages = flame_unwind_pages(head);
	const struct flame_unwind_row *rows = flame_unwind_rows(head);
	u32 p, i;

	if (pages[0] || pages[head->nr_pages] != head->nr_rows)
		return "its pages do not cover its rows";
	for (p = 0; p < head->nr_pages; p++) {
		if (pages[p] > pages[p + 1] || pages[p + 1] > head->nr_rows)
			return "its pages overlap";
		for (i = pages[p] + 1; i < pages[p + 1]; i++) {
			if (rows[i - 1].low >= rows[i].low)
				return "its rows are not sorted";
		}
	}
	for (i = 0; i < head->nr_rows; i++) {
		if (rows[i].rule >= head->nr_rules)
			return "a row has a rule out of range";
	}
	return NULL;
}

static const char *check_rules(const struct flame_unwind_head *head)
{
	const struct flame_unwind_rule *rules = flame_unwind_rules(head);
	u32 i;

	for (i = 0; i < head->nr_rules; i++) {
		if (rules[i].cfa >= FLAME_CFA_NR || rules[i].bp >= FLAME_BP_NR ||
		    rules[i].bx >= FLAME_BP_NR || rules[i].ra >= FLAME_RA_NR ||
		    rules[i].cfa_reg >= FLAME_UNWIND_REGS)
			return "a rule is of no known kind";
	}
	return NULL;
}

const char *flame_unwind_check(const void *table, u64 bytes)
{
	const struct flame_unwind_head *head = table;
	const char *wrong;

	if (bytes < sizeof(*head) || bytes > FLAME_UNWIND_BYTES_MAX)
		return "its size is impossible";
	if (head->magic != FLAME_UNWIND_MAGIC || head->version != FLAME_UNWIND_VERSION)
		return "it is no unwind table of this version";
	if (head->bytes != bytes || head->reserved)
		return "its head does not fit its size";
	if (!head->nr_pages || !head->nr_rules || head->nr_rules > 65535 ||
	    head->base % FLAME_UNWIND_PAGE ||
	    head->base > ~0ULL - (u64)head->nr_pages * FLAME_UNWIND_PAGE)
		return "its head holds impossible numbers";
	/* Counts are 32 bits wide, so that these sums cannot wrap in 64. */
	if (sizeof(*head) + ((u64)head->nr_pages + 1) * sizeof(u32) +
	    (u64)head->nr_rows * sizeof(struct flame_unwind_row) +
	    (u64)head->nr_rules * sizeof(struct flame_unwind_rule) != bytes)
		return "its parts do not add up to its size";
	wrong = check_pages(head);
	return wrong ? wrong : check_rules(head);
}
