/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Unwind tables: what the tool compiles from an object's .eh_frame or .debug_frame and
 * hands to the module, which walks user stacks with them in the interrupt.
 *
 * A table is one block of bytes: struct flame_unwind_head, the pages, the rows, the
 * rules. For each code address it says in constant time and a short binary search how to
 * find the caller. Addresses are file offsets of the object's executable segments (what
 * flame_user_frame.offset holds), so that a mapping's page offset is all that is needed
 * to get there from a program counter.
 *
 * Page p covers file offsets [base + p * 64 KiB, base + (p + 1) * 64 KiB). Its rows are
 * rows[page[p]] to rows[page[p + 1] - 1], sorted by their low 16 bits; a row holds from
 * its address to the next row's, across pages: each page that has code begins with a row
 * at 0 that repeats what holds there.
 */
#ifndef FLAME_UNWIND_H
#define FLAME_UNWIND_H

#include <linux/types.h>

#define FLAME_UNWIND_MAGIC	0x55574c46	/* "FLWU" */
#define FLAME_UNWIND_VERSION	1
#define FLAME_UNWIND_PAGE	65536		/* bytes of code a page covers */
#define FLAME_UNWIND_BYTES_MAX	(64 * 1024 * 1024)
#define FLAME_UNWIND_REGS	17	/* DWARF registers 0 to 15 and the return address */

struct flame_unwind_row {
	__u16 low;		/* of the file offset */
	__u16 rule;		/* index into the rules */
};

/* Where the canonical frame address (CFA: the caller's stack pointer) is. */
enum flame_unwind_cfa {
	FLAME_CFA_NONE,		/* no unwind information here: the walk ends, not whole */
	FLAME_CFA_END,		/* outermost frame: the return address is undefined */
	FLAME_CFA_SP,		/* rsp + cfa_offset */
	FLAME_CFA_BP,		/* rbp + cfa_offset */
	FLAME_CFA_REG,		/* cfa_reg + cfa_offset: innermost frame, but for rbx: any */
	FLAME_CFA_BP_DEREF,	/* *(rbp + cfa_offset) + cfa_add: a realigned stack */
	FLAME_CFA_PLT,		/* rsp + 8 + ((rip & 15) >= cfa_offset ? 8 : 0) */
	FLAME_CFA_SP_DEREF,	/* *(rsp + cfa_offset) + cfa_add: OpenSSL's assembly */
	FLAME_CFA_SP_REG_DEREF,	/* *(rsp + cfa_reg * 8 + cfa_offset) + cfa_add: innermost frame */
	FLAME_CFA_SIGNAL,	/* a signal frame: the registers are in its ucontext */
	FLAME_CFA_FP,		/* frame pointers are all there is: as if there were no table */
	FLAME_CFA_NR,
};

/*
 * Where the caller's rbp is, and where its rbx (by bx and bx_offset). Of rbx a walker
 * needs to keep only where it was saved last: the one rule that asks for it in the
 * middle of a stack is that of the dynamic linker's _dl_runtime_resolve, which keeps the
 * frame's address in rbx while it binds a function.
 */
enum flame_unwind_bp {
	FLAME_BP_SAME,		/* unchanged */
	FLAME_BP_AT_CFA,	/* *(CFA + bp_offset) */
	FLAME_BP_AT_BP,		/* *(rbp + bp_offset) */
	FLAME_BP_LOST,		/* not to be known: usable no more */
	FLAME_BP_NR,
};

/* Where the return address is. */
enum flame_unwind_ra {
	FLAME_RA_AT_CFA,	/* *(CFA - 8): always so, but for the next two */
	FLAME_RA_IN_REG,	/* in register cfa_reg (vfork's stub): innermost frame only */
	FLAME_RA_AT_CFA_16,	/* *(CFA - 16) */
	FLAME_RA_NR,
};

struct flame_unwind_rule {
	__u8 cfa;		/* enum flame_unwind_cfa */
	__u8 bp;		/* enum flame_unwind_bp */
	__u8 ra;		/* enum flame_unwind_ra */
	__u8 cfa_reg;		/* DWARF register number, 0 to 15 */
	__u8 bx;		/* enum flame_unwind_bp, of rbx */
	__u8 cfa_add;		/* of those that dereference, else 0 */
	__s16 bx_offset;
	__s32 cfa_offset;
	__s32 bp_offset;
};

/**
 * struct flame_unwind_head - how a table begins
 * @magic: FLAME_UNWIND_MAGIC
 * @version: FLAME_UNWIND_VERSION
 * @bytes: of the whole table
 * @base: file offset that page 0 begins at; a multiple of 64 KiB
 * @nr_pages: at least 1; (nr_pages + 1) __u32 follow the head
 * @nr_rows: struct flame_unwind_row after the pages
 * @nr_rules: struct flame_unwind_rule after the rows, 4-byte aligned; 1 to 65535
 * @reserved: 0
 */
struct flame_unwind_head {
	__u32 magic;
	__u32 version;
	__u32 bytes;
	__u32 nr_pages;
	__u32 nr_rows;
	__u32 nr_rules;
	__u64 base;
	__u64 reserved;
};

#endif /* FLAME_UNWIND_H */
