/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers that look random and are the same in every run: what a test found, it
 * finds again.
 */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdint.h>

/* SplitMix64 (Steele, Lea, Flood 2014): the next number of the sequence @state is at. */
static inline uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* One of 0 to @n - 1. */
static inline uint64_t below(uint64_t *state, uint64_t n)
{
	return next_random(state) % n;
}

#endif /* TEST_RANDOM_H */
