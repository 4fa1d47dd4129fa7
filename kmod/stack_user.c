// SPDX-License-Identifier: GPL-2.0-only
/*
 * The frame-pointer walk of user stacks. Hard interrupt context: see stack_user.h for
 * what it must never do. One user-access section a walk, so that no function may be
 * called between its begin and its end.
 */
#ifdef __KERNEL__
#include <linux/uaccess.h>
#define read_user(value, type, addr, fault) \
	unsafe_get_user(value, (const type __user *)(unsigned long)(addr), fault)
#else
#include "user_memory.h"	/* tests: a simulated address space */
#endif
#include "stack_user.h"

/*
 * Where the return address of the innermost function lies, by the code at its
 * instruction pointer, as an offset from the stack pointer in words; -1: the frame
 * is set up, its return address is at fp + 1 word.
 *
 * Encodings: Intel SDM vol. 2 (ENDBR64/ENDBR32, PUSH r, MOV r,r/m, RET). The frame's
 * set-up is that of the System V ABI, AMD64 supplement, figure 3.3.
 */
static __always_inline int return_slot(u64 code, bool is_32bit)
{
	switch (code & 0xff) {
	case 0x55:				/* push %rbp */
	case 0xc3:				/* ret */
	case 0xc2:				/* ret imm16 */
		return 0;
	case 0xf3:
		if ((code & 0xffffff00) == 0xfa1e0f00 ||
		    (code & 0xffffff00) == 0xfb1e0f00)	/* endbr64, endbr32 */
			return 0;
		fallthrough;
	case 0xf2:
		return (code & 0xff00) == 0xc300 ? 0 : -1;	/* rep ret, bnd ret */
	case 0x48:				/* mov %rsp,%rbp in both encodings */
		code &= 0xffff00;
		return !is_32bit && (code == 0xe58900 || code == 0xec8b00) ? 1 : -1;
	case 0x89:				/* mov %esp,%ebp */
		return is_32bit && (code & 0xff00) == 0xe500 ? 1 : -1;
	case 0x8b:
		return is_32bit && (code & 0xff00) == 0xec00 ? 1 : -1;
	default:
		return -1;
	}
}

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

/* Eight bytes of code as a number; 0, which begins no function, when they cannot be read. */
static __always_inline u64 read_code(u64 addr)
{
	u64 code;

	read_user(code, u64, addr, fault);
	return code;
fault:
	return 0;
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
		slot = return_slot(read_code(regs->ip), is_32bit);
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
