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

/*
 * The walk proper, for one word size. Written as a macro's worth of code in an
 * always-inline function so that the user-access section holds no call.
 */
#define WALK(name, word, is_32bit)						\
static notrace u32 name(const struct flame_user_regs *regs, u64 limit,		\
			u64 *ips, u32 room, enum flame_walk *how)		\
{										\
	u64 fp = regs->fp, low = regs->sp, code;				\
	word ret, next;								\
	u32 n = 1;								\
	int slot = -1;								\
										\
	ips[0] = regs->ip;							\
	limit -= 2 * sizeof(u64);						\
	*how = FLAME_WALK_FAULT;						\
	if (!user_access_begin((void __user *)0, limit))			\
		return n;							\
	if (regs->ip < limit) {							\
		read_user(code, u64, regs->ip, no_code);			\
		slot = return_slot(code, is_32bit);				\
	}									\
	if (slot >= 0 && low < limit) {						\
		read_user(ret, word, low + slot * sizeof(word), end);		\
		if (ret && n >= room) {						\
			*how = FLAME_WALK_CUT;					\
			goto end;						\
		}								\
		if (ret)							\
			ips[n++] = ret;						\
	}									\
no_code:									\
	while (true) {								\
		if (!fp) {							\
			*how = FLAME_WALK_WHOLE;				\
			break;							\
		}								\
		if (fp < low || fp >= limit || fp % sizeof(word)) {		\
			*how = FLAME_WALK_BROKEN;				\
			break;							\
		}								\
		read_user(ret, word, fp + sizeof(word), end);			\
		if (!ret) {							\
			*how = FLAME_WALK_WHOLE;				\
			break;							\
		}								\
		if (n >= room) {						\
			*how = FLAME_WALK_CUT;					\
			break;							\
		}								\
		ips[n++] = ret;							\
		read_user(next, word, fp, end);					\
		low = fp + 2 * sizeof(word);					\
		fp = next;							\
	}									\
end:										\
	user_access_end();							\
	return n;								\
}

WALK(walk_64, u64, false)
WALK(walk_32, u32, true)

notrace u32 flame_stack_user(const struct flame_user_regs *regs, u64 limit, u64 *ips, u32 room,
			     enum flame_walk *how)
{
	if (unlikely(regs->is_32bit))
		return walk_32(regs, limit, ips, room, how);
	return walk_64(regs, limit, ips, room, how);
}
