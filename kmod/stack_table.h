/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks a user stack by unwind tables, and by frame pointers through code that has none.
 * Runs in hard interrupt context with page faults off, like stack_user.h's walk; the same
 * code runs in user-space tests.
 */
#ifndef FLAME_STACK_TABLE_H
#define FLAME_STACK_TABLE_H

#include "stack_user.h"
#include "unwind_table.h"

/**
 * struct flame_code - a piece of an address space that holds code
 * @start: first address
 * @end: first address after it
 * @offset: file offset of @start
 * @table: what unwinds it, checked; NULL: nothing does, frame pointers are tried
 */
struct flame_code {
	u64 start;
	u64 end;
	u64 offset;
	const struct flame_unwind_head *table;
};

/**
 * typedef flame_find_code_fn - what code an address lies in
 * Fills in @code and returns true, or returns false: in none that is known. Called in
 * the context of the walk.
 */
typedef bool (*flame_find_code_fn)(void *space, u64 addr, struct flame_code *code);

/**
 * struct flame_rule_cache - rules of addresses walked through lately
 *
 * A small direct-mapped cache, one per CPU: most frames of a sample were in the one
 * before. @gen tells one state of an address space from all others.
 */
#define FLAME_RULE_CACHE	512

struct flame_rule_cache {
	struct {
		u64 addr;
		u64 gen;
		struct flame_unwind_rule rule;
	} slot[FLAME_RULE_CACHE];
};

/**
 * struct flame_table_walk - a walk in the making
 * @space: handed to @find
 * @find: what code an address lies in
 * @gen: of the address space, never 0
 * @cache: of this CPU
 * @regs: the sixteen general registers in DWARF order, at kernel entry
 * @limit: first address that is not the task's to read
 * @fp_fallback: try frame pointers where no table is
 */
struct flame_table_walk {
	void *space;
	flame_find_code_fn find;
	u64 gen;
	struct flame_rule_cache *cache;
	u64 regs[16];
	u64 limit;
	bool fp_fallback;
};

/**
 * flame_stack_tables() - the user half of a stack, innermost frame first
 * @walk: as above
 * @ip: where the task is
 * @ips: receives @ip, then return addresses. What a signal interrupted is raised by 1, so
 *	 that of all but the first 1 can be taken off to get into the right instruction.
 * @room: how many fit; at least 1
 * @how: receives how the walk ended: FLAME_WALK_NO_INFO where neither a table nor a frame
 *	 pointer led on
 *
 * 64-bit code only. Each step but a signal frame must raise the stack pointer, so the
 * walk ends whatever the memory holds. Returns the number of addresses written.
 */
u32 flame_stack_tables(struct flame_table_walk *walk, u64 ip, u64 *ips, u32 room,
		       enum flame_walk *how);

#endif /* FLAME_STACK_TABLE_H */
