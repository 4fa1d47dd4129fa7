// SPDX-License-Identifier: GPL-2.0-only
/*
 * SipHash-2-4, after the paper's section 2: two rounds for each word of eight bytes, four
 * at the end; the last word holds the rest and the length.
 */
#include "util/siphash.h"

struct state {
	uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t v, unsigned int by)
{
	return v << by | v >> (64 - by);
}

static void rounds(struct state *s, unsigned int nr)
{
	while (nr--) {
		s->v0 += s->v1;
		s->v2 += s->v3;
		s->v1 = rotate(s->v1, 13) ^ s->v0;
		s->v3 = rotate(s->v3, 16) ^ s->v2;
		s->v0 = rotate(s->v0, 32);
		s->v2 += s->v1;
		s->v0 += s->v3;
		s->v1 = rotate(s->v1, 17) ^ s->v2;
		s->v3 = rotate(s->v3, 21) ^ s->v0;
		s->v2 = rotate(s->v2, 32);
	}
}

/* Up to eight bytes, least significant first. */
static uint64_t word(const unsigned char *bytes, size_t len)
{
	uint64_t w = 0;

	for (size_t i = 0; i < len; i++)
		w |= (uint64_t)bytes[i] << (8 * i);
	return w;
}

static void take(struct state *s, uint64_t w)
{
	s->v3 ^= w;
	rounds(s, 2);
	s->v0 ^= w;
}

uint64_t siphash(const struct siphash_key *key, const void *bytes, size_t len)
{
	struct state s = {
		key->k0 ^ 0x736f6d6570736575, key->k1 ^ 0x646f72616e646f6d,
		key->k0 ^ 0x6c7967656e657261, key->k1 ^ 0x7465646279746573,
	};
	const unsigned char *at = bytes;
	size_t left = len;

	for (; left >= 8; left -= 8, at += 8)
		take(&s, word(at, 8));
	take(&s, word(at, left) | (uint64_t)(len & 0xff) << 56);
	s.v2 ^= 0xff;
	rounds(&s, 4);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
