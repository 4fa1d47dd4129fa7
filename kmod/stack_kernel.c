// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walks kernel stacks with the kernel's own unwinder (ORC, or frame pointers where the
 * kernel was built so). Hard interrupt context: never sleeps, faults or allocates; the
 * unwinder checks every stack address itself.
 */
#include <linux/sched.h>
#include <asm/unwind.h>
#include "stack_kernel.h"

notrace u32 flame_stack_kernel_regs(struct pt_regs *regs, u64 *ips, u32 room, bool *cut)
{
	struct unwind_state state;
	unsigned long addr;
	u32 n = 0;

	*cut = false;
	/* unwind_start() skips the frame that @regs stand for. */
	ips[n++] = regs->ip;
	for (unwind_start(&state, current, regs, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		addr = unwind_get_return_address(&state);
		if (!addr)
			break;
		if (n == room) {
			*cut = true;
			break;
		}
		ips[n++] = addr;
	}
	return n;
}
