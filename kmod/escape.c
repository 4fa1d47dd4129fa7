// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes names fit for folded lines. Pure, shared with user-space tests.
 */
#include "escape.h"

/* Bytes of the valid UTF-8 character at @s (RFC 3629: no overlong, no surrogate), or 0. */
static u32 utf8_length(const u8 *s, u32 len)
{
	u32 n, i;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	if (n > len)
		return 0;
	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	}
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	/* C1 control characters are as unfit as C0 ones. */
	if (n == 2 && s[0] == 0xc2 && s[1] < 0xa0)
		return 0;
	return n;
}

u32 flame_escape(char *to, u32 size, const char *from, u32 len, bool blanks)
{
	static const char hex[] = "0123456789abcdef";
	const u8 *s = (const u8 *)from;
	u32 at = 0, i = 0;

	while (i < len) {
		u32 n = utf8_length(s + i, len - i);
		bool fit = n && (n > 1 || (s[i] > ' ' && s[i] != 0x7f && s[i] != ';' &&
					   s[i] != '\\') || (s[i] == ' ' && !blanks));

		if (at + (fit ? n : 4) >= size)
			break;
		if (fit) {
			memcpy(to + at, s + i, n);
			at += n;
			i += n;
		} else {
			to[at++] = '\\';
			to[at++] = 'x';
			to[at++] = hex[s[i] >> 4];
			to[at++] = hex[s[i] & 15];
			i++;
		}
	}
	to[at] = '\0';
	return at;
}
