// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table walk of user stacks. Hard interrupt context: see stack_table.h for what it
 * must never do.
 *
 * The unwinding rules are those of DWARF call frame information (DWARF 5, section 6.4)
 * and of the System V ABI for AMD64, compiled into tables by the tool; the layout of a
 * signal frame is struct rt_sigframe of the kernel's ABI (arch/x86: the ucontext is what
 * the stack pointer points to in the restorer).
 */
#include "prologue.h"
#include "stack_table.h"
#include "user_read.h"

#define DWARF_RBX	3
#define DWARF_RBP	6
#define DWARF_RSP	7

/* Offsets in struct ucontext, as the signal frame holds it on x86-64. */
#define UC_R8		40
#define UC_RBP		120
#define UC_RBX		128
#define UC_RSP		160
#define UC_RIP		168

/* Nested signals are few; on alternate stacks the stack pointer need not rise. */
#define SIGNALS_MAX	8

/**
 * struct frame - where the walk is
 * @ip: of this frame
 * @sp: of this frame
 * @bp: of this frame
 * @bx_at: address at which the frame's rbx was saved; 0: nobody has saved it yet
 * @bp_known: @bp is what the frame's code has in rbp
 * @bx_known: what @bx_at says is true
 * @exact: @ip is where the frame was interrupted, not a return address
 * @kernel_regs: all registers are known, in walk->regs
 * @signal_regs: address of the ucontext that holds all registers, or 0
 */
struct frame {
	u64 ip, sp, bp;
	u64 bx_at;
	u64 signal_regs;
	bool bp_known, bx_known, exact, kernel_regs;
};

/* A register of the frame by its DWARF number; false when it is not known. */
static bool get_reg(const struct flame_table_walk *walk, const struct frame *f, u32 reg, u64 *value)
{
	/* DWARF: rax rdx rcx rbx rsi rdi rbp rsp r8…r15; ucontext: r8…r15 rdi rsi rbp … */
	static const u8 uc_offset[16] = {
		144, 136, 152, UC_RBX, 112, 104, UC_RBP, UC_RSP,
		UC_R8, 48, 56, 64, 72, 80, 88, 96,
	};

	if (reg == DWARF_RSP) {
		*value = f->sp;
		return true;
	}
	if (reg == DWARF_RBP && f->bp_known) {
		*value = f->bp;
		return true;
	}
	if (reg == DWARF_RBX && f->bx_known) {
		*value = walk->regs[DWARF_RBX];
		return !f->bx_at || flame_read_word(value, f->bx_at, walk->limit);
	}
	if (reg >= 16)
		return false;
	if (f->kernel_regs) {
		*value = walk->regs[reg];
		return true;
	}
	return f->signal_regs &&
	       flame_read_word(value, f->signal_regs + uc_offset[reg], walk->limit);
}

/* Goes on from a signal frame to what it interrupted. */
static enum flame_walk step_signal(const struct flame_table_walk *walk, struct frame *f)
{
	u64 uc = f->sp;

	if (!flame_read_word(&f->ip, uc + UC_RIP, walk->limit) ||
	    !flame_read_word(&f->sp, uc + UC_RSP, walk->limit) ||
	    !flame_read_word(&f->bp, uc + UC_RBP, walk->limit))
		return FLAME_WALK_FAULT;
	f->bp_known = true;
	f->bx_known = true;
	f->bx_at = uc + UC_RBX;
	f->exact = true;
	f->kernel_regs = false;
	f->signal_regs = uc;
	return FLAME_WALK_ON;
}

/* The CFA by a rule; FLAME_WALK_ON when it was found. */
static __always_inline enum flame_walk find_cfa(const struct flame_table_walk *walk,
						const struct frame *f,
						const struct flame_unwind_rule *rule, u64 *cfa)
{
	switch (rule->cfa) {
	case FLAME_CFA_SP:
		*cfa = f->sp + rule->cfa_offset;
		return FLAME_WALK_ON;
	case FLAME_CFA_BP:
		*cfa = f->bp + rule->cfa_offset;
		return f->bp_known ? FLAME_WALK_ON : FLAME_WALK_NO_INFO;
	case FLAME_CFA_PLT:
		*cfa = f->sp + 8 + ((f->ip & 15) >= (u32)rule->cfa_offset ? 8 : 0);
		return FLAME_WALK_ON;
	case FLAME_CFA_REG:
		if (!get_reg(walk, f, rule->cfa_reg, cfa))
			return FLAME_WALK_NO_INFO;
		*cfa += rule->cfa_offset;
		return FLAME_WALK_ON;
	case FLAME_CFA_BP_DEREF:
		if (!f->bp_known)
			return FLAME_WALK_NO_INFO;
		if (!flame_read_word(cfa, f->bp + rule->cfa_offset, walk->limit))
			return FLAME_WALK_FAULT;
		*cfa += rule->cfa_add;
		return FLAME_WALK_ON;
	case FLAME_CFA_SP_REG_DEREF:
		if (!get_reg(walk, f, rule->cfa_reg, cfa))
			return FLAME_WALK_NO_INFO;
		if (!flame_read_word(cfa, f->sp + *cfa * 8 + rule->cfa_offset, walk->limit))
			return FLAME_WALK_FAULT;
		*cfa += rule->cfa_add;
		return FLAME_WALK_ON;
	case FLAME_CFA_SP_DEREF:
		if (!flame_read_word(cfa, f->sp + rule->cfa_offset, walk->limit))
			return FLAME_WALK_FAULT;
		*cfa += rule->cfa_add;
		return FLAME_WALK_ON;
	case FLAME_CFA_END:
		return FLAME_WALK_WHOLE;
	default:
		return FLAME_WALK_NO_INFO;
	}
}

/* The caller's rbp by a rule. False: memory that cannot be read just now. */
static __always_inline bool find_bp(const struct flame_table_walk *walk, struct frame *f,
				    const struct flame_unwind_rule *rule, u64 cfa)
{
	switch (rule->bp) {
	case FLAME_BP_SAME:
		return true;
	case FLAME_BP_AT_CFA:
		f->bp_known = true;
		return flame_read_word(&f->bp, cfa + rule->bp_offset, walk->limit);
	case FLAME_BP_AT_BP:
		/* Without the frame's own rbp there is nowhere to look. */
		return !f->bp_known ||
		       flame_read_word(&f->bp, f->bp + rule->bp_offset, walk->limit);
	default:
		f->bp_known = false;
		return true;
	}
}

/* Where the caller's rbx is by a rule, before @f's rbp becomes the caller's. */
static __always_inline void find_bx(struct frame *f, const struct flame_unwind_rule *rule,
				    u64 cfa)
{
	switch (rule->bx) {
	case FLAME_BP_SAME:
		break;
	case FLAME_BP_AT_CFA:
		f->bx_at = cfa + rule->bx_offset;
		f->bx_known = true;
		break;
	case FLAME_BP_AT_BP:
		f->bx_at = f->bp + rule->bx_offset;
		f->bx_known = f->bp_known;
		break;
	default:
		f->bx_known = false;
	}
}

/* From a frame to its caller by a rule. */
static __always_inline enum flame_walk step_rule(const struct flame_table_walk *walk,
						 struct frame *f,
						 const struct flame_unwind_rule *rule)
{
	enum flame_walk end;
	u64 cfa, ip;

	end = find_cfa(walk, f, rule, &cfa);
	if (end != FLAME_WALK_ON)
		return end;
	if (rule->ra == FLAME_RA_IN_REG) {
		if (!get_reg(walk, f, rule->cfa_reg, &ip))
			return FLAME_WALK_NO_INFO;
		/* Nothing was pushed: the stack pointer may stay where it is. */
		if (cfa < f->sp)
			return FLAME_WALK_BROKEN;
	} else {
		if (cfa <= f->sp)
			return FLAME_WALK_BROKEN;
		if (!flame_read_word(&ip, cfa - (rule->ra == FLAME_RA_AT_CFA_16 ? 16 : 8),
				     walk->limit))
			return FLAME_WALK_FAULT;
	}
	find_bx(f, rule, cfa);
	if (!find_bp(walk, f, rule, cfa))
		return FLAME_WALK_FAULT;
	f->ip = ip;
	f->sp = cfa;
	f->exact = false;
	f->kernel_regs = false;
	f->signal_regs = 0;
	return FLAME_WALK_ON;
}

/*
 * Where the return address of an interrupted function is whose frame is not set up yet,
 * or not any more: words above the stack pointer, or -1.
 */
static int unset_frame(const struct flame_table_walk *walk, const struct frame *f)
{
	u64 code;

	if (!f->exact || f->ip >= walk->limit - sizeof(u64) ||
	    !flame_user_begin(f->ip, sizeof(u64)))
		return -1;
	code = flame_read_code(f->ip);
	user_access_end();
	return flame_return_slot(code, false);
}

/* From a frame without a table to its caller by its frame pointer. */
static enum flame_walk step_fp(const struct flame_table_walk *walk, struct frame *f)
{
	int slot = unset_frame(walk, f);
	u64 fp = f->bp;

	if (!walk->fp_fallback || !f->bp_known)
		return FLAME_WALK_NO_INFO;
	if (slot >= 0) {	/* rbp is the caller's already, or still */
		if (!flame_read_word(&f->ip, f->sp + slot * sizeof(u64), walk->limit))
			return FLAME_WALK_FAULT;
		f->sp += (slot + 1) * sizeof(u64);
		f->exact = false;
		f->kernel_regs = false;
		f->signal_regs = 0;
		return FLAME_WALK_ON;
	}
	if (!fp)
		return FLAME_WALK_WHOLE;
	if (fp < f->sp || fp % sizeof(u64) || fp >= walk->limit)
		return FLAME_WALK_NO_INFO;
	if (!flame_read_word(&f->ip, fp + 8, walk->limit) ||
	    !flame_read_word(&f->bp, fp, walk->limit))
		return FLAME_WALK_FAULT;
	f->sp = fp + 16;
	f->bx_known = false;
	f->exact = false;
	f->kernel_regs = false;
	f->signal_regs = 0;
	return FLAME_WALK_ON;
}

/* The rule at an address, through the cache. False: no table there. */
static __always_inline bool find_rule(struct flame_table_walk *walk, u64 addr,
				      struct flame_unwind_rule *rule)
{
	u32 at = (addr ^ addr >> 9 ^ walk->gen) % FLAME_RULE_CACHE;
	const struct flame_unwind_rule *found = NULL;
	struct flame_code code;

	if (likely(walk->cache->slot[at].addr == addr && walk->cache->slot[at].gen == walk->gen)) {
		*rule = walk->cache->slot[at].rule;
		return true;
	}
	if (!walk->find(walk->space, addr, &code) || !code.table)
		return false;
	found = flame_unwind_find(code.table, addr - code.start + code.offset);
	if (!found)
		return false;
	*rule = *found;
	walk->cache->slot[at].addr = addr;
	walk->cache->slot[at].gen = walk->gen;
	walk->cache->slot[at].rule = *found;
	return true;
}

notrace u32 flame_stack_tables(struct flame_table_walk *walk, u64 ip, u64 *ips, u32 room,
			       enum flame_walk *how)
{
	struct frame f = {
		.ip = ip,
		.sp = walk->regs[DWARF_RSP],
		.bp = walk->regs[DWARF_RBP],
		.bp_known = true,
		.bx_known = true,
		.exact = true,
		.kernel_regs = true,
	};
	struct flame_unwind_rule rule;
	enum flame_walk next;
	u32 n = 0, signals = 0;

	while (true) {
		if (n == room) {
			next = FLAME_WALK_CUT;
			break;
		}
		/* What a signal interrupted is no return address: see flame_stack_tables(). */
		ips[n] = f.ip + (f.exact && n);
		n++;
		/* A return address may be behind the end of the function that called. */
		if (!find_rule(walk, f.ip - !f.exact, &rule) || rule.cfa == FLAME_CFA_FP)
			next = step_fp(walk, &f);
		else if (rule.cfa == FLAME_CFA_SIGNAL)
			next = ++signals > SIGNALS_MAX ? FLAME_WALK_BROKEN : step_signal(walk, &f);
		else
			next = step_rule(walk, &f, &rule);
		if (next == FLAME_WALK_ON && !f.ip)
			next = FLAME_WALK_WHOLE;
		if (next != FLAME_WALK_ON)
			break;
	}
	*how = next;
	return n;
}
