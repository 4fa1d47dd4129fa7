// SPDX-License-Identifier: GPL-2.0-only
/* Any name: what comes out fits, can be had back, and a smaller room cuts it cleanly. */
/* sources: kmod/escape.c */
#include "escape.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u32 room = 4 * (u32)size + 1, len, cut, i = 0, n = 0;
	char *out = malloc(room), *small;
	unsigned int byte;

	len = flame_escape(out, room, (const char *)data, (u32)size, size & 1);
	check(len < room && strlen(out) == len);
	while (i < len) {
		if (out[i] == '\\') {
			check(sscanf(out + i, "\\x%2x", &byte) == 1);
			i += 4;
		} else {
			byte = (u8)out[i++];
			check(byte >= ' ' && byte != 0x7f && byte != ';');
		}
		check(n < size && data[n++] == byte);
	}
	check(n == size);
	if (size) {
		small = malloc(size);
		cut = flame_escape(small, (u32)size, (const char *)data, (u32)size, size & 1);
		check(cut < size && !memcmp(small, out, cut));
		free(small);
	}
	free(out);
	return 0;
}
