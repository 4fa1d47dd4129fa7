// SPDX-License-Identifier: GPL-2.0-only
/* The input as a ring's content and head: the reader believes no record that is not whole. */
#include "ring.h"
#include "fuzz.h"

#define SIZE	256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct flame_ring ring;
	u8 *bytes = malloc(2 * SIZE);
	u64 pos, head, last;
	const void *rec;

	if (size >= 2 + SIZE) {
		memcpy(bytes, data + 2, SIZE);
		memcpy(bytes + SIZE, bytes, SIZE);
		flame_ring_init(&ring, bytes, SIZE);
		ring.tail = 8 * data[0];
		ring.head = ring.tail + 8 * data[1];
		head = flame_ring_head(&ring);
		for (pos = ring.tail; (rec = flame_ring_peek(&ring, pos, head)); pos += *(u32 *)rec) {
			last = pos + *(u32 *)rec;
			check(last > pos && last <= head && last % 8 == 0);
			check((const u8 *)rec + *(u32 *)rec <= bytes + 2 * SIZE);
		}
	}
	free(bytes);
	return 0;
}
