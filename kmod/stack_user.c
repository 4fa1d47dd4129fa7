// SPDX-License-Identifier: GPL-2.0-only
/*
 * The frame-pointer walk of user stacks. Hard interrupt context: see stack_user.h for
 * what it must never do. One user-access section a walk, so that no function may be
 * called between its begin and its end.
 */
#include "prologue.h"
#include "stack_user.h"
#include "user_read.h"

/* A word of the stack; false when it cannot be read just now. */
static __always_inline bool read_word(u64 *value, u64 addr, bool is_32bit)
{
	u32 half;

	if (is_32bit) {
		read_user(half, u32, addr, fault);
		*value = half;
	} else {
		read_user(*value, u64, addr, fault);
	}
	return true;
fault:
	return false;
}

/*
 * The walk proper, compiled once for each word size: @is_32bit is a constant. All it
 * calls is inlined, so that the user-access section holds no call.
 */
static __always_inline u32 walk(const struct flame_user_regs *regs, u64 limit, u64 *ips, u32 room,
				enum flame_walk *how, bool is_32bit)
{
	const u32 word = is_32bit ? sizeof(u32) : sizeof(u64);
	u64 fp = regs->fp, low = regs->sp, ret;
	u32 n = 1;
	int slot = -1;

	ips[0] = regs->ip;
	*how = FLAME_WALK_FAULT;
	/* What begins below the lowered limit ends below the limit: no read is longer. */
	limit -= 2 * sizeof(u64);
	if (!user_access_begin((void __user *)0, limit))
		return n;
	if (regs->ip < limit)
		slot = flame_return_slot(flame_read_code(regs->ip), is_32bit);
	if (slot >= 0 && low < limit) {
		if (!read_word(&ret, low + slot * word, is_32bit))
			goto end;
		if (ret && n >= room) {
			*how = FLAME_WALK_CUT;
			goto end;
		}
		if (ret)
			ips[n++] = ret;
	}
	while (fp) {
		if (fp < low || fp >= limit || fp % word) {
			*how = FLAME_WALK_BROKEN;
			goto end;
		}
		if (!read_word(&ret, fp + word, is_32bit))
			goto end;
		if (!ret)
			break;
		if (n >= room) {
			*how = FLAME_WALK_CUT;
			goto end;
		}
		ips[n++] = ret;
		low = fp + 2 * word;
		if (!read_word(&fp, fp, is_32bit))
			goto end;
	}
	*how = FLAME_WALK_WHOLE;
end:
	user_access_end();
	return n;
}

notrace u32 flame_stack_user(const struct flame_user_regs *regs, u64 limit, u64 *ips, u32 room,
			     enum flame_walk *how)
{
	if (unlikely(regs->is_32bit))
		return walk(regs, limit, ips, room, how, true);
	return walk(regs, limit, ips, room, how, false);
}
