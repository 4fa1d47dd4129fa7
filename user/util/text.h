/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text as pure functions: UTF-8, escaping, numbers, display columns, edit distance.
 * Nothing here allocates or prints.
 */
#ifndef FLAME_TEXT_H
#define FLAME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Length of the UTF-8 sequence at @s (of @len bytes), with its code point in *@cp; 0 if
 * it is not valid UTF-8 (overlong, surrogate, above U+10FFFF, cut short).
 */
size_t utf8_decode(const char *s, size_t len, uint32_t *cp);

/*
 * Writes @in so that it is valid UTF-8 without ';', control characters (C0, DEL, C1),
 * and noncharacters: each offending byte becomes \xNN. @out needs text_escape_size(@len)
 * bytes. Returns the length written, without the final NUL. TEXT_BACKSLASH: '\' too, so
 * that different bytes stay different; TEXT_BLANKS: ' ' too.
 */
enum text_flags { TEXT_BACKSLASH = 1 << 0, TEXT_BLANKS = 1 << 1 };
size_t text_escape(char *out, const char *in, size_t len, unsigned int flags);
#define text_escape_size(len)	((len) * 4 + 1)
/* Whether text_escape() without flags would change nothing. */
bool text_is_clean(const char *in, size_t len);

/* Undoes \xNN in place; returns the new length. Anything else stays as it is. */
size_t text_unescape(char *s, size_t len);

/* A decimal number of @len digits, nothing else. False also when above @max. */
bool text_u64(const char *s, size_t len, uint64_t max, uint64_t *value);

/* The same for a whole string. */
bool text_number(const char *s, uint64_t min, uint64_t max, uint64_t *value);

/* Display columns of @s on a terminal. */
size_t text_columns(const char *s);

/* Levenshtein distance, for "did you mean"; strings over 31 bytes are far from all. */
unsigned int text_distance(const char *a, const char *b);

#endif /* FLAME_TEXT_H */
