// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules from call frame information. Expressions are compared with the few shapes that
 * linkers, GCC and OpenSSL write (DWARF 5, section 2.5); none is ever evaluated.
 */
#include <dwarf.h>
#include <string.h>
#include "unwind/rule.h"

const char *const unwind_none_text[UNWIND_NONE_NR] = {
	[UNWIND_NONE_GAP] = "code without an entry",
	[UNWIND_NONE_DAMAGED] = "damaged entry",
	[UNWIND_NONE_CFA_EXPR] = "CFA by an unknown expression",
	[UNWIND_NONE_CFA_REG] = "CFA on an unknown register",
	[UNWIND_NONE_RSP] = "rsp has a rule of its own",
	[UNWIND_NONE_RA] = "return address elsewhere",
	[UNWIND_NONE_OFFSET] = "offset beyond 32 bits",
	[UNWIND_NONE_RULES] = "too many rules",
};

/* Offset of the interrupted rsp from the signal frame's own: rt_sigframe, kernel's ABI. */
#define SIGFRAME_RSP	160

/* `DW_OP_bregN offset` at the beginning of an expression; false: it is another one. */
static bool match_breg(const uint8_t **p, const uint8_t *end, unsigned int reg, int64_t *offset)
{
	if (*p == end || **p != DW_OP_breg0 + reg)
		return false;
	++*p;
	return cfi_sleb(p, end, offset);
}

/*
 * A PLT entry pushes its number with the instruction before its last jump, so that linkers
 * write: rsp + 8 + ((rip & 15) >= N) * 8.
 */
static bool match_plt(const uint8_t *p, const uint8_t *end, int64_t *threshold)
{
	int64_t sp, ip;

	if (!match_breg(&p, end, DWARF_RSP, &sp) || sp != 8 ||
	    !match_breg(&p, end, DWARF_RA, &ip) || ip)
		return false;
	if (end - p != 7 || p[0] != DW_OP_lit15 || p[1] != DW_OP_and || p[2] < DW_OP_lit0 ||
	    p[2] > DW_OP_lit15 || p[3] != DW_OP_ge || p[4] != DW_OP_lit3 || p[5] != DW_OP_shl ||
	    p[6] != DW_OP_plus)
		return false;
	*threshold = p[2] - DW_OP_lit0;
	return true;
}

/* *(reg + offset), and what is added to it. */
static bool match_deref(const uint8_t *p, const uint8_t *end, unsigned int reg, int64_t *offset,
			uint64_t *add)
{
	*add = 0;
	if (!match_breg(&p, end, reg, offset) || p == end || *p++ != DW_OP_deref)
		return false;
	if (p == end)
		return true;
	if (*p++ != DW_OP_plus_uconst || !cfi_uleb(&p, end, add))
		return false;
	return p == end && *add <= UINT8_MAX;
}

/* *(rsp + register * 8 + offset), and what is added to it. */
static bool match_indexed(const uint8_t *p, const uint8_t *end, unsigned int *reg,
			  int64_t *offset, uint64_t *add)
{
	int64_t zero;

	*add = 0;
	if (!match_breg(&p, end, DWARF_RSP, offset) || p == end || *p < DW_OP_breg0 ||
	    *p >= DW_OP_breg16)
		return false;
	*reg = *p - DW_OP_breg0;
	if (!match_breg(&p, end, *reg, &zero) || zero || end - p < 4 || p[0] != DW_OP_lit8 ||
	    p[1] != DW_OP_mul || p[2] != DW_OP_plus || p[3] != DW_OP_deref)
		return false;
	p += 4;
	if (p == end)
		return true;
	if (*p++ != DW_OP_plus_uconst || !cfi_uleb(&p, end, add))
		return false;
	return p == end && *add <= UINT8_MAX;
}

static bool cfa_by_expression(struct flame_unwind_rule *rule, const struct cfi_row *row,
			      bool signal, int64_t *offset)
{
	const uint8_t *p = row->cfa_expr, *end = p + row->cfa_expr_len;
	unsigned int reg;
	uint64_t add;

	if (match_plt(p, end, offset)) {
		rule->cfa = FLAME_CFA_PLT;
		return true;
	}
	if (match_indexed(p, end, &reg, offset, &add)) {
		rule->cfa = FLAME_CFA_SP_REG_DEREF;
		rule->cfa_reg = (uint8_t)reg;
		rule->cfa_add = (uint8_t)add;
		return true;
	}
	if (match_deref(p, end, DWARF_RSP, offset, &add))
		rule->cfa = signal && *offset == SIGFRAME_RSP && !add ? FLAME_CFA_SIGNAL :
									FLAME_CFA_SP_DEREF;
	else if (match_deref(p, end, DWARF_RBP, offset, &add))
		rule->cfa = FLAME_CFA_BP_DEREF;
	else
		return false;
	rule->cfa_add = (uint8_t)add;
	return true;
}

static bool set_cfa(struct flame_unwind_rule *rule, const struct cfi_row *row, bool signal,
		    enum unwind_none *why)
{
	int64_t offset = row->cfa_offset;

	if (row->cfa_expr || !row->cfa_known) {
		*why = UNWIND_NONE_CFA_EXPR;
		if (!row->cfa_known || !cfa_by_expression(rule, row, signal, &offset))
			return false;
	} else if (row->cfa_reg == DWARF_RSP) {
		rule->cfa = FLAME_CFA_SP;
	} else if (row->cfa_reg == DWARF_RBP) {
		rule->cfa = FLAME_CFA_BP;
	} else if (row->cfa_reg < DWARF_RA) {
		rule->cfa = FLAME_CFA_REG;
		rule->cfa_reg = (uint8_t)row->cfa_reg;
	} else {
		*why = UNWIND_NONE_CFA_REG;
		return false;
	}
	*why = UNWIND_NONE_OFFSET;
	rule->cfa_offset = (int32_t)offset;
	return offset == rule->cfa_offset;
}

/* Where a register was saved, by an expression: `rbp + n`, or `rsp + n` where the CFA is at rsp too. */
static enum flame_unwind_bp saved_by_expression(const struct cfi_place *place,
						const struct cfi_row *row, int64_t *offset)
{
	const uint8_t *p = place->expr, *end = p + place->expr_len;

	if (match_breg(&p, end, DWARF_RBP, offset) && p == end)
		return FLAME_BP_AT_BP;
	p = place->expr;
	if (row->cfa_expr || row->cfa_reg != DWARF_RSP ||
	    !match_breg(&p, end, DWARF_RSP, offset) || p != end)
		return FLAME_BP_LOST;
	*offset = (int64_t)((uint64_t)*offset - (uint64_t)row->cfa_offset);
	return FLAME_BP_AT_CFA;
}

/* Where a register was saved, as an offset from CFA or rbp; else it is lost. */
static enum flame_unwind_bp saved_at(const struct cfi_place *place, const struct cfi_row *row,
				     int64_t *offset)
{
	*offset = 0;
	switch (place->how) {
	case CFI_UNSPECIFIED:
	case CFI_SAME:
		return FLAME_BP_SAME;
	case CFI_OFFSET:
		*offset = place->value;
		return FLAME_BP_AT_CFA;
	case CFI_EXPRESSION:
		return saved_by_expression(place, row, offset);
	default:
		return FLAME_BP_LOST;
	}
}

static void set_saved(struct flame_unwind_rule *rule, const struct cfi_row *row)
{
	int64_t offset;

	rule->bp = saved_at(&row->regs[CFI_RBP], row, &offset);
	rule->bp_offset = (int32_t)offset;
	if (offset != rule->bp_offset)
		rule->bp = FLAME_BP_LOST;
	if (rule->bp == FLAME_BP_LOST)
		rule->bp_offset = 0;
	rule->bx = saved_at(&row->regs[CFI_RBX], row, &offset);
	rule->bx_offset = (int16_t)offset;
	if (offset != rule->bx_offset)
		rule->bx = FLAME_BP_LOST;
	if (rule->bx == FLAME_BP_LOST)
		rule->bx_offset = 0;
}

static bool set_ra(struct flame_unwind_rule *rule, const struct cfi_place *ra)
{
	if (ra->how == CFI_OFFSET && ra->value == -8) {
		rule->ra = FLAME_RA_AT_CFA;
	} else if (ra->how == CFI_OFFSET && ra->value == -16) {
		rule->ra = FLAME_RA_AT_CFA_16;
	} else if (ra->how == CFI_REGISTER && ra->value < DWARF_RA &&
		   rule->cfa != FLAME_CFA_REG && rule->cfa != FLAME_CFA_SP_REG_DEREF) {
		rule->ra = FLAME_RA_IN_REG;
		rule->cfa_reg = (uint8_t)ra->value;
	} else {
		return false;
	}
	return true;
}

/* Is rsp the CFA, as it is where nothing is said? */
static bool rsp_is_cfa(const struct cfi_place *rsp)
{
	return rsp->how == CFI_UNSPECIFIED || (rsp->how == CFI_VAL_OFFSET && !rsp->value);
}

bool unwind_rule(struct flame_unwind_rule *rule, const struct cfi_row *row, bool signal,
		 enum unwind_none *why)
{
	*rule = (struct flame_unwind_rule){ .cfa = FLAME_CFA_END };
	if (row->regs[CFI_RA].how == CFI_UNDEFINED)
		return true;
	if (!set_cfa(rule, row, signal, why))
		goto none;
	if (rule->cfa == FLAME_CFA_SIGNAL) {
		*rule = (struct flame_unwind_rule){ .cfa = FLAME_CFA_SIGNAL };
		return true;
	}
	*why = UNWIND_NONE_RSP;
	if (!rsp_is_cfa(&row->regs[CFI_RSP]))
		goto none;
	*why = UNWIND_NONE_RA;
	if (!set_ra(rule, &row->regs[CFI_RA]))
		goto none;
	set_saved(rule, row);
	return true;
none:
	*rule = (struct flame_unwind_rule){ .cfa = FLAME_CFA_NONE };
	return false;
}
