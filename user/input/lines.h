/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text in lines: what the readers of line formats have in common. Cuts pieces of any
 * size into lines, numbers them, and keeps account of those that could not be read.
 * Holds one unfinished line, never the input.
 */
#ifndef FLAME_LINES_H
#define FLAME_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "input/input.h"

/* Zeroed is ready for use. */
struct lines {
	char *part;		/* an unfinished line */
	size_t len, cap;
	uint64_t number;	/* of the line being taken, from 1 */
	uint64_t bad;
	bool begun;
};

/* Takes one line without its CR and newline; false after saying what is wrong. */
typedef bool (*line_taker)(struct input *in, const char *s, size_t len);

/* A byte-order mark at the input's start is skipped. */
bool lines_feed(struct lines *l, struct input *in, line_taker take, const char *data, size_t len);

/* At the input's end: takes a last line that has no newline. */
bool lines_finish(struct lines *l, struct input *in, line_taker take);

/*
 * Counts a line that is not @what; the first three are shown. False, after saying so,
 * when options->strict makes it an error.
 */
bool lines_bad(struct lines *l, const struct input *in, const char *s, size_t len,
	       const char *what);

/* At the end: how many lines were left out, if more than were shown. */
void lines_sum(const struct lines *l, const struct input *in, const char *what);

void lines_free(struct lines *l);

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* @s without blanks at both ends. */
static inline const char *trim(const char *s, size_t *len)
{
	while (*len && is_blank(s[*len - 1]))
		(*len)--;
	while (*len && is_blank(*s)) {
		s++;
		(*len)--;
	}
	return s;
}

static inline bool starts_with(const char *s, size_t len, const char *prefix)
{
	size_t n = __builtin_strlen(prefix);

	return len >= n && !__builtin_memcmp(s, prefix, n);
}

static inline bool ends_with(const char *s, size_t len, const char *suffix)
{
	size_t n = __builtin_strlen(suffix);

	return len >= n && !__builtin_memcmp(s + len - n, suffix, n);
}

/* Gives each of the first lines of @head to @visit until that returns false. */
void lines_of_head(const char *head, size_t len, bool whole,
		   bool (*visit)(void *arg, const char *s, size_t len), void *arg);

#endif /* FLAME_LINES_H */
