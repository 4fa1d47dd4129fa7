/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads call frame information: .eh_frame (LSB 5.0 Core, "Exception Frames") and
 * .debug_frame (DWARF 5, section 6.4), and executes its programs for the few registers
 * that tables know: CFA, rbx, rbp, rsp and the return address of x86-64. Every read is
 * bounded; work and memory are linear in the section's size.
 */
#ifndef FLAME_UNWIND_CFI_H
#define FLAME_UNWIND_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* DWARF numbers of x86-64 registers (System V ABI, AMD64 supplement, figure 3.36). */
enum { DWARF_RBX = 3, DWARF_RBP = 6, DWARF_RSP = 7, DWARF_RA = 16 };

/* The registers that are followed, as indices. */
enum { CFI_RBX, CFI_RBP, CFI_RSP, CFI_RA, CFI_REGS };

enum cfi_how {
	CFI_UNSPECIFIED,	/* nothing was said */
	CFI_SAME,		/* unchanged */
	CFI_UNDEFINED,
	CFI_OFFSET,		/* *(CFA + value) */
	CFI_VAL_OFFSET,		/* CFA + value */
	CFI_REGISTER,		/* in register `value` */
	CFI_EXPRESSION,		/* *(expression) */
	CFI_VAL_EXPRESSION,	/* expression */
};

/* @value: as enum cfi_how says; of expressions, the bytes in @expr count instead. */
struct cfi_place {
	enum cfi_how how;
	uint32_t expr_len;
	const uint8_t *expr;
	int64_t value;
};

/**
 * struct cfi_row - what holds for a range of addresses
 * @cfa_expr: CFA by expression, NULL: register @cfa_reg plus @cfa_offset
 * @cfa_known: false until a program said anything
 */
struct cfi_row {
	bool cfa_known;
	uint32_t cfa_reg;
	int64_t cfa_offset;
	const uint8_t *cfa_expr;
	uint32_t cfa_expr_len;
	struct cfi_place regs[CFI_REGS];
};

struct cfi_cie {
	uint64_t offset;	/* in the section */
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding;	/* of addresses: DW_EH_PE_* */
	bool usable;
	bool augmented;		/* FDEs hold augmentation data */
	bool signal;		/* augmentation S: frames interrupted by a signal */
	bool ra_is_rip;		/* the return address column is 16 */
	struct cfi_row initial;
};

struct cfi_fde {
	uint64_t start, end;	/* addresses */
	const uint8_t *program;
	uint32_t program_len;
	uint32_t cie;		/* index */
};

struct cfi {
	const uint8_t *bytes;
	size_t size;
	uint64_t address;	/* where @bytes are loaded */
	bool is_eh;
	struct cfi_cie *cies;
	size_t nr_cies, cap_cies;
	struct cfi_fde *fdes;
	size_t nr_fdes, cap_fdes;
	uint64_t damaged;	/* entries that could not be read */
};

/* Splits a section into its entries. @bytes must stay as long as @c is used. */
void cfi_read(struct cfi *c, const uint8_t *bytes, size_t size, uint64_t address, bool is_eh);
void cfi_free(struct cfi *c);

/*
 * Called for each range of addresses that a program tells apart, in rising order and
 * without gaps; two neighbours may say the same.
 */
typedef void (*cfi_row_fn)(void *ctx, uint64_t start, uint64_t end, const struct cfi_row *row);

/*
 * Executes an entry's program. False: it is damaged; the rows up to there were given, the
 * rest of its range was not.
 */
bool cfi_execute(const struct cfi *c, const struct cfi_fde *fde, cfi_row_fn fn, void *ctx);

/* Reads a LEB128 number; false at the end of the bytes or beyond 64 bits. */
bool cfi_uleb(const uint8_t **p, const uint8_t *end, uint64_t *value);
bool cfi_sleb(const uint8_t **p, const uint8_t *end, int64_t *value);

#endif /* FLAME_UNWIND_CFI_H */
