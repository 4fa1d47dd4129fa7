// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffered writing of XML. Everything that comes from outside (names, titles, options)
 * passes svg_text() or svg_json_string(), the only two places that decide what a reader
 * of XML may see. Nothing here interprets what it writes.
 */
#include <stdarg.h>
#include <string.h>
#include "output/svg_buf.h"
#include "util/text.h"

void svg_buf_flush(struct svg_buf *b)
{
	if (b->len)
		fwrite(b->data, 1, b->len, b->fp);
	b->len = 0;
}

void svg_put_long(struct svg_buf *b, const char *bytes, size_t len)
{
	while (len > sizeof(b->data) - b->len) {
		size_t part = sizeof(b->data) - b->len;

		memcpy(b->data + b->len, bytes, part);
		b->len += part;
		bytes += part;
		len -= part;
		svg_buf_flush(b);
	}
	memcpy(b->data + b->len, bytes, len);
	b->len += len;
}

void svg_printf(struct svg_buf *b, const char *fmt, ...)
{
	char text[512];
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (len > 0)
		svg_put(b, text, (size_t)len < sizeof(text) ? (size_t)len : sizeof(text) - 1);
}

size_t svg_char(const char *s, uint32_t *c)
{
	size_t len;

	*c = (unsigned char)*s;
	if (*c < 0x80)
		return 1;
	len = utf8_decode(s, strnlen(s, 4), c);
	if (len)
		return len;
	*c = (unsigned char)*s;
	return 1;
}

size_t svg_utf8_count(const char *text)
{
	size_t count = 0;

	while (*text) {
		uint32_t c;

		text += svg_char(text, &c);
		count++;
	}
	return count;
}

/*
 * XML 1.0 section 2.2 forbids most of these. DEL and the C1 controls are legal but mute,
 * and overrides of the writing direction would turn round the numbers behind a name.
 */
static bool is_unwanted(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c & 0xfffe) == 0xfffe ||
	       (c >= 0xfdd0 && c <= 0xfdef) || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/* Bytes that svg_textn() cannot copy as they are; most of all text is none. */
static bool is_special(unsigned char c)
{
	static const bool special[256] = {
		[0 ... 0x1f] = true, ['&'] = true, ['<'] = true, ['>'] = true, ['"'] = true,
		['\''] = true, [0x7f ... 0xff] = true,
	};

	return special[c];
}

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	case '\t':
	case '\n':
	case '\r':
		return " ";
	default:
		return NULL;
	}
}

static void put_hex(struct svg_buf *b, const char *prefix, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		svg_printf(b, "%s%02x", prefix, (unsigned char)bytes[i]);
}

void svg_textn(struct svg_buf *b, const char *text, size_t size)
{
	const char *end = text + size;

	while (text < end) {
		const char *start = text;
		const char *instead;
		uint32_t c;
		size_t len;

		while (text < end && !is_special((unsigned char)*text))
			text++;
		svg_put(b, start, (size_t)(text - start));
		if (text == end)
			break;
		instead = entity(*text);
		if (instead) {
			svg_puts(b, instead);
			text++;
			continue;
		}
		len = utf8_decode(text, (size_t)(end - text), &c);
		if (len && !is_unwanted(c)) {
			if (b->ascii)
				svg_printf(b, "&#x%x;", c);
			else
				svg_put(b, text, len);
		} else {
			len = len ? len : 1;
			put_hex(b, "\\x", text, len);
		}
		text += len;
	}
}

void svg_text(struct svg_buf *b, const char *text)
{
	svg_textn(b, text, strlen(text));
}

void svg_json_string(struct svg_buf *b, const char *text)
{
	svg_puts(b, "&quot;");
	while (*text) {
		uint32_t c;
		size_t len = utf8_decode(text, strnlen(text, 4), &c);
		bool bad = !len || is_unwanted(c);

		len = len ? len : 1;
		if (bad && !entity(*text)) {
			put_hex(b, "\\\\x", text, len);
		} else {
			if (*text == '"' || *text == '\\')
				svg_put(b, "\\", 1);
			svg_textn(b, text, len);
		}
		text += len;
	}
	svg_puts(b, "&quot;");
}

void svg_u64(struct svg_buf *b, uint64_t v)
{
	char digits[20];
	size_t i = sizeof(digits);

	do {
		digits[--i] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	svg_put(b, digits + i, sizeof(digits) - i);
}

void svg_u64_commas(struct svg_buf *b, uint64_t v)
{
	char digits[27];
	size_t i = sizeof(digits);
	unsigned int n = 0;

	do {
		if (n && n % 3 == 0)
			digits[--i] = ',';
		digits[--i] = (char)('0' + v % 10);
		v /= 10;
		n++;
	} while (v);
	svg_put(b, digits + i, sizeof(digits) - i);
}

void svg_tenths(struct svg_buf *b, uint64_t tenths)
{
	char decimal[2] = { '.', (char)('0' + tenths % 10) };

	svg_u64(b, tenths / 10);
	svg_put(b, decimal, sizeof(decimal));
}

/*
 * printf() rounds the exact binary value; multiplying by 100 first may round to the
 * other side of a tie, so near one printf() itself has the say.
 */
void svg_fixed2(struct svg_buf *b, double v)
{
	double scaled = v * 100;
	uint64_t whole;
	double rest;
	char decimals[3] = ".";

	if (!(v >= 0 && scaled < 1e15)) {
		svg_printf(b, "%.2f", v);
		return;
	}
	whole = (uint64_t)scaled;
	rest = scaled - (double)whole;
	if (rest > 0.499 && rest < 0.501) {
		svg_printf(b, "%.2f", v);
		return;
	}
	whole += rest > 0.5;
	decimals[1] = (char)('0' + whole / 10 % 10);
	decimals[2] = (char)('0' + whole % 10);
	svg_u64(b, whole / 100);
	svg_put(b, decimals, sizeof(decimals));
}
