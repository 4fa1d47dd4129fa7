/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Buffered writing of XML: plain pieces, numbers, and text that is made harmless on its
 * way. It knows nothing of profiles and never fails: write errors stay in the FILE for
 * whoever closes it.
 */
#ifndef FLAME_SVG_BUF_H
#define FLAME_SVG_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SVG_BUF_SIZE	65536

/**
 * struct svg_buf - what is to be written
 * @fp: where to
 * @ascii: characters outside ASCII become references, so that the XML may declare any
 *	   encoding that holds ASCII
 */
struct svg_buf {
	FILE *fp;
	bool ascii;
	size_t len;
	char data[SVG_BUF_SIZE];
};

void svg_buf_flush(struct svg_buf *b);
/* The way of svg_put() for what does not fit. */
void svg_put_long(struct svg_buf *b, const char *bytes, size_t len);

/* Inline, as most pieces are a few bytes of known length. */
static inline void svg_put(struct svg_buf *b, const char *bytes, size_t len)
{
	if (len > sizeof(b->data) - b->len) {
		svg_put_long(b, bytes, len);
		return;
	}
	memcpy(b->data + b->len, bytes, len);
	b->len += len;
}

static inline void svg_puts(struct svg_buf *b, const char *text)
{
	svg_put(b, text, strlen(text));
}

/* For what is short and rare: at most 500 bytes. Never with text from outside. */
__attribute__((format(printf, 2, 3)))
void svg_printf(struct svg_buf *b, const char *fmt, ...);

/*
 * Text from outside, for element content and for attributes in double quotes alike:
 * & < > " ' become entities; control characters, overrides of the writing direction,
 * noncharacters and bytes that are not UTF-8 (surrogates included) become a visible
 * \xNN; tab and line ends become a blank.
 */
void svg_text(struct svg_buf *b, const char *text);
/* The same for the first @len bytes. */
void svg_textn(struct svg_buf *b, const char *text, size_t len);

/*
 * Text from outside as a JSON string inside an attribute in double quotes: escaped
 * twice. The quotes of the string are written too.
 */
void svg_json_string(struct svg_buf *b, const char *text);

/* Decimal digits. */
void svg_u64(struct svg_buf *b, uint64_t v);
/* Decimal digits in groups of three: 1,234,567. */
void svg_u64_commas(struct svg_buf *b, uint64_t v);
/* @tenths / 10 with one decimal. */
void svg_tenths(struct svg_buf *b, uint64_t tenths);
/* Exactly printf's %.2f. */
void svg_fixed2(struct svg_buf *b, double v);

/*
 * The character at @s, which must not be its end; a byte that is not UTF-8 is one of its
 * own. Returns its length in bytes.
 */
size_t svg_char(const char *s, uint32_t *c);
/* Characters in @text, a byte that is not UTF-8 counting as one. */
size_t svg_utf8_count(const char *text);

#endif /* FLAME_SVG_BUF_H */
