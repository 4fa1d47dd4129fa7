/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line of folded text taken apart: what the reader and `flame symbolize` (which
 * passes lines through) have in common.
 */
#ifndef FLAME_FOLDED_H
#define FLAME_FOLDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum folded_line { FOLDED_NOTHING, FOLDED_STACK, FOLDED_BAD };

/**
 * struct folded_parts - where things stand in a line
 * @stack_len: bytes of the stack text, from the line's start
 * @count_at: where the count's text begins
 * @rounded: the count had a fraction
 */
struct folded_parts {
	size_t stack_len;
	size_t count_at;
	uint64_t count;
	bool rounded;
};

/* @s: a line without its newline. Blank lines and comments are FOLDED_NOTHING. */
enum folded_line folded_parse(const char *s, size_t len, struct folded_parts *parts);

#endif /* FLAME_FOLDED_H */
