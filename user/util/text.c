// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text as pure functions. Byte strings may hold anything; nothing here allocates.
 */
#include <string.h>
#include <wchar.h>
#include "util/text.h"

size_t utf8_decode(const char *s, size_t len, uint32_t *cp)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t n;
	uint32_t c, min;

	if (!len)
		return 0;
	if (p[0] < 0x80) {
		*cp = p[0];
		return 1;
	}
	if (p[0] >= 0xc2 && p[0] <= 0xdf) {
		n = 2;
		c = p[0] & 0x1f;
		min = 0x80;
	} else if ((p[0] & 0xf0) == 0xe0) {
		n = 3;
		c = p[0] & 0x0f;
		min = 0x800;
	} else if (p[0] >= 0xf0 && p[0] <= 0xf4) {
		n = 4;
		c = p[0] & 0x07;
		min = 0x10000;
	} else {
		return 0;
	}
	if (len < n)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < min || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*cp = c;
	return n;
}

/* May @cp stand in a name? Noncharacters end in FFFE or FFFF or lie in FDD0..FDEF. */
static bool is_plain(uint32_t cp)
{
	return cp >= 0x20 && cp != ';' && !(cp >= 0x7f && cp <= 0x9f) &&
	       (cp & 0xfffe) != 0xfffe && !(cp >= 0xfdd0 && cp <= 0xfdef);
}

#define EACH_BYTE(b)	((b) * 0x0101010101010101ull)

/* Whether eight bytes are all printable ASCII and none is ';'. */
static bool is_clean_word(const char *in)
{
	uint64_t word, semicolon, del;

	memcpy(&word, in, sizeof(word));
	/* x - 1 borrows into the top bit of a byte that is 0 (and of some above it). */
	semicolon = word ^ EACH_BYTE(';');
	del = word ^ EACH_BYTE(0x7f);
	return !((word | ((word - EACH_BYTE(0x20)) & ~word) |
		  ((semicolon - EACH_BYTE(1)) & ~semicolon) | ((del - EACH_BYTE(1)) & ~del)) &
		 EACH_BYTE(0x80));
}

bool text_is_clean(const char *in, size_t len)
{
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t cp;

		n = sizeof(uint64_t);
		if (len - i >= n && is_clean_word(in + i))
			continue;
		n = 1;
		if (in[i] >= 0x20 && in[i] < 0x7f && in[i] != ';')
			continue;
		n = utf8_decode(in + i, len - i, &cp);
		if (!n || !is_plain(cp))
			return false;
	}
	return true;
}

size_t text_escape(char *out, const char *in, size_t len, unsigned int flags)
{
	static const char hex[] = "0123456789abcdef";
	char *o = out;
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		uint32_t cp = 0;
		bool plain;

		n = utf8_decode(in + i, len - i, &cp);
		plain = n && is_plain(cp) && !(cp == ' ' && (flags & TEXT_BLANKS)) &&
			!(cp == '\\' && (flags & TEXT_BACKSLASH));
		if (!n)
			n = 1;
		for (size_t k = i; k < i + n; k++) {
			unsigned char c = (unsigned char)in[k];

			if (plain) {
				*o++ = (char)c;
				continue;
			}
			*o++ = '\\';
			*o++ = 'x';
			*o++ = hex[c >> 4];
			*o++ = hex[c & 15];
		}
	}
	*o = '\0';
	return (size_t)(o - out);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

size_t text_unescape(char *s, size_t len)
{
	size_t o = 0;

	for (size_t i = 0; i < len; o++) {
		if (len - i >= 4 && s[i] == '\\' && s[i + 1] == 'x' &&
		    hex_digit(s[i + 2]) >= 0 && hex_digit(s[i + 3]) >= 0) {
			s[o] = (char)(hex_digit(s[i + 2]) << 4 | hex_digit(s[i + 3]));
			i += 4;
		} else {
			s[o] = s[i++];
		}
	}
	return o;
}

bool text_u64(const char *s, size_t len, uint64_t max, uint64_t *value)
{
	uint64_t v = 0;

	if (!len)
		return false;
	for (size_t i = 0; i < len; i++) {
		unsigned int digit = (unsigned int)(unsigned char)s[i] - '0';

		if (digit > 9 || v > (UINT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	if (v > max)
		return false;
	*value = v;
	return true;
}

bool text_number(const char *s, uint64_t min, uint64_t max, uint64_t *value)
{
	uint64_t v;

	if (!text_u64(s, strlen(s), max, &v) || v < min)
		return false;
	*value = v;
	return true;
}

size_t text_columns(const char *s)
{
	size_t len = strlen(s), columns = 0, n;

	for (size_t i = 0; i < len; i += n) {
		uint32_t cp = '?';
		int w;

		n = utf8_decode(s + i, len - i, &cp);
		if (!n)
			n = 1;
		w = wcwidth((wchar_t)cp);
		columns += w >= 0 ? (size_t)w : 1;
	}
	return columns;
}

unsigned int text_distance(const char *a, const char *b)
{
	unsigned int row[32];
	size_t na = strlen(a), nb = strlen(b);

	if (na > 31 || nb > 31)
		return 99;
	for (size_t j = 0; j <= nb; j++)
		row[j] = (unsigned int)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned int diagonal = row[0];

		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= nb; j++) {
			unsigned int best = diagonal + (a[i - 1] != b[j - 1]);

			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			diagonal = row[j];
			row[j] = best;
		}
	}
	return row[nb];
}
