/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes JSON as it comes, so that a file of millions of samples needs no tree of them in
 * memory. It sees to commas and escapes; that brackets match is the caller's part.
 */
#ifndef FLAME_JSON_H
#define FLAME_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct json - a JSON text being written
 * @fp: where to
 * @comma: the next value is not the first of its array or object
 * @line: the next value begins a line
 */
struct json {
	FILE *fp;
	bool comma;
	bool line;
};

/* @bracket: '[' or '{'; in json_close() ']' or '}'. */
void json_open(struct json *j, char bracket);
void json_close(struct json *j, char bracket);

/* The name of the value that follows, ASCII without need of escapes. */
void json_key(struct json *j, const char *key);

/* @text: UTF-8. '<' is escaped too, so that the text can stand in HTML. */
void json_put_string(struct json *j, const char *text);
void json_u64(struct json *j, uint64_t v);
void json_bool(struct json *j, bool v);
void json_put_null(struct json *j);
/* @v / 10^@digits as a decimal number, exactly; at most 9 digits. */
void json_decimal(struct json *j, uint64_t v, unsigned int digits);

/* The next value begins a line, for who reads the text. */
void json_newline(struct json *j);

/* Key and value at once. */
void json_key_string(struct json *j, const char *key, const char *text);
void json_key_u64(struct json *j, const char *key, uint64_t v);

#endif /* FLAME_JSON_H */
