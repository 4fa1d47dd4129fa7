/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compiles an object's call frame information into an unwind table
 * (include/flame_unwind.h).
 */
#ifndef FLAME_UNWIND_COMPILE_H
#define FLAME_UNWIND_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "flame_unwind.h"
#include "unwind/image.h"
#include "unwind/rule.h"

/**
 * struct unwind_stats - what a table was made of
 * @entries: functions, or parts of such, that are described
 * @damaged: entries that could not be read
 * @rows: of the table, by enum flame_unwind_cfa of their rule
 * @none_bytes: code bytes without a rule, by enum unwind_none
 * @code_bytes: of the executable segments, from the first to the last described
 */
struct unwind_stats {
	uint64_t entries;
	uint64_t damaged;
	uint64_t rows[FLAME_CFA_NR];
	uint64_t none_bytes[UNWIND_NONE_NR];
	uint64_t code_bytes;
};

/**
 * struct unwind_table - a compiled table
 * @head: its first byte, @head->bytes in all; free with unwind_table_free()
 */
struct unwind_table {
	struct flame_unwind_head *head;
	struct unwind_stats stats;
};

/*
 * Makes the table of @im. NULL, or why there is none, in a few words that continue a
 * sentence about the object.
 */
const char *unwind_compile(struct unwind_table *table, const struct image *im);
void unwind_table_free(struct unwind_table *table);

#endif /* FLAME_UNWIND_COMPILE_H */
