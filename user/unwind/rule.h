/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what call frame information says of a range of addresses to a rule of an unwind
 * table. Pure.
 */
#ifndef FLAME_UNWIND_RULE_H
#define FLAME_UNWIND_RULE_H

#include <stdbool.h>
#include "flame_unwind.h"
#include "unwind/cfi.h"

/* Why a rule is FLAME_CFA_NONE. */
enum unwind_none {
	UNWIND_NONE_GAP,	/* code without an entry */
	UNWIND_NONE_DAMAGED,	/* the entry's program cannot be executed */
	UNWIND_NONE_CFA_EXPR,	/* CFA by an expression of no known shape */
	UNWIND_NONE_CFA_REG,	/* CFA on a register that is none of the 16 */
	UNWIND_NONE_RSP,	/* a rule of its own for rsp */
	UNWIND_NONE_RA,		/* the return address is somewhere else */
	UNWIND_NONE_OFFSET,	/* an offset beyond 32 bits */
	UNWIND_NONE_RULES,	/* more than 65535 different rules */
	UNWIND_NONE_NR,
};

/* A few words for each. */
extern const char *const unwind_none_text[UNWIND_NONE_NR];

/*
 * Makes the rule for @row. @signal: the entry's augmentation has an S. False: it has to be
 * FLAME_CFA_NONE, *@why says for what reason; @rule is that then.
 */
bool unwind_rule(struct flame_unwind_rule *rule, const struct cfi_row *row, bool signal,
		 enum unwind_none *why);

#endif /* FLAME_UNWIND_RULE_H */
