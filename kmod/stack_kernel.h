/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel half of a stack. Any context.
 */
#ifndef FLAME_STACK_KERNEL_H
#define FLAME_STACK_KERNEL_H

#include <linux/ptrace.h>
#include <linux/types.h>

/**
 * flame_stack_kernel_regs() - the interrupted kernel stack, innermost first
 * @regs: kernel-mode registers of the interrupted code on this CPU
 * @ips: receives regs->ip, then return addresses
 * @room: how many fit; at least 1
 * @cut: set when there were more
 *
 * Hard interrupt context. Returns the number of addresses written.
 */
u32 flame_stack_kernel_regs(struct pt_regs *regs, u64 *ips, u32 room, bool *cut);

#endif /* FLAME_STACK_KERNEL_H */
