/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks a user stack by frame pointers. Runs in hard interrupt context with page
 * faults off: never sleeps, faults, locks or allocates, and takes a bounded number
 * of steps whatever the memory holds. The same code runs in user-space tests.
 */
#ifndef FLAME_STACK_USER_H
#define FLAME_STACK_USER_H

#include "port.h"
#include "raw.h"

/**
 * struct flame_user_regs - where a user-mode task is
 * @ip: instruction pointer
 * @sp: stack pointer
 * @fp: frame pointer (rbp)
 * @is_32bit: i386 code: frames of 4-byte words
 */
struct flame_user_regs {
	u64 ip;
	u64 sp;
	u64 fp;
	bool is_32bit;
};

/**
 * flame_stack_user() - the user half of a stack, innermost frame first
 * @regs: registers at the entry to the kernel
 * @limit: first address that is not the task's to read (below TASK_SIZE)
 * @ips: receives the addresses; the first is @regs->ip, the others return addresses
 * @room: how many fit; at least 1
 * @how: receives how the walk ended
 *
 * A sample that lands on a function's first instructions, or on its `ret`, finds the
 * caller by the code bytes there: its return address is not at fp + 8 yet, or not any
 * more. Returns the number of addresses written.
 */
u32 flame_stack_user(const struct flame_user_regs *regs, u64 limit, u64 *ips, u32 room,
		     enum flame_walk *how);

#endif /* FLAME_STACK_USER_H */
