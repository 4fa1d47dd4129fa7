// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes JSON as it comes. Write errors stay in the stream for its owner to find.
 */
#include <string.h>
#include "output/json.h"

static void value_begins(struct json *j)
{
	if (j->comma)
		putc_unlocked(',', j->fp);
	if (j->line)
		putc_unlocked('\n', j->fp);
	j->comma = true;
	j->line = false;
}

void json_open(struct json *j, char bracket)
{
	value_begins(j);
	putc_unlocked(bracket, j->fp);
	j->comma = false;
}

void json_close(struct json *j, char bracket)
{
	putc_unlocked(bracket, j->fp);
	j->comma = true;
}

void json_key(struct json *j, const char *key)
{
	value_begins(j);
	putc_unlocked('"', j->fp);
	fputs_unlocked(key, j->fp);
	fputs_unlocked("\":", j->fp);
	j->comma = false;
}

void json_put_string(struct json *j, const char *text)
{
	value_begins(j);
	putc_unlocked('"', j->fp);
	while (*text) {
		size_t plain = strcspn(text, "\"\\<\x01\x02\x03\x04\x05\x06\x07\b\t\n\v\f\r\x0e\x0f"
					     "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c"
					     "\x1d\x1e\x1f");

		fwrite_unlocked(text, 1, plain, j->fp);
		text += plain;
		if (*text == '"' || *text == '\\')
			fprintf(j->fp, "\\%c", *text++);
		else if (*text)
			fprintf(j->fp, "\\u%04x", (unsigned char)*text++);
	}
	putc_unlocked('"', j->fp);
}

static void put_digits(struct json *j, uint64_t v, unsigned int least)
{
	char text[24], *end = text + sizeof(text), *at = end;

	while (v || (unsigned int)(end - at) < least) {
		*--at = (char)('0' + v % 10);
		v /= 10;
	}
	fwrite_unlocked(at, 1, (size_t)(end - at), j->fp);
}

void json_u64(struct json *j, uint64_t v)
{
	value_begins(j);
	put_digits(j, v, 1);
}

void json_bool(struct json *j, bool v)
{
	value_begins(j);
	fputs_unlocked(v ? "true" : "false", j->fp);
}

void json_put_null(struct json *j)
{
	value_begins(j);
	fputs_unlocked("null", j->fp);
}

void json_decimal(struct json *j, uint64_t v, unsigned int digits)
{
	static const uint64_t units[] = {
		1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000,
	};

	json_u64(j, v / units[digits]);
	v %= units[digits];
	if (!v)
		return;
	while (!(v % 10)) {
		v /= 10;
		digits--;
	}
	putc_unlocked('.', j->fp);
	put_digits(j, v, digits);
}

void json_newline(struct json *j)
{
	j->line = true;
}

void json_key_string(struct json *j, const char *key, const char *text)
{
	json_key(j, key);
	json_put_string(j, text);
}

void json_key_u64(struct json *j, const char *key, uint64_t v)
{
	json_key(j, key);
	json_u64(j, v);
}
