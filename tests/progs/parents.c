// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -fcf-protection=none */
/*
 * Two callers of one tiny leaf: of the calls of leaf(), 70 % come from
 * often(), 30 % from seldom(). The leaf has a frame of its own and so few
 * instructions that a good part of the samples falls before its frame pointer is
 * set or after it was put back, where [rbp + 8] is the caller's caller.
 *
 * usage: parents SECONDS
 */
#include <stdio.h>
#include "spin.h"

static volatile unsigned long sink;

static WORKER void leaf(unsigned long x)
{
	FRAME();
	sink = x * 31 + (x >> 3);
}

static WORKER void often(unsigned long n)
{
	FRAME();
	while (n--)
		leaf(n);
}

static WORKER void seldom(unsigned long n)
{
	FRAME();
	while (n--)
		leaf(n);
}

int main(int argc, char **argv)
{
	uint64_t end, seed = 7;
	int i;

	if (argc != 2) {
		fputs("usage: parents SECONDS\n", stderr);
		return 2;
	}
	end = deadline(argv[1]);
	while (now(CLOCK_MONOTONIC) < end) {
		for (i = 0; i < 20; i++) {
			unsigned long n = 20 + next_random(&seed) % 80;

			often(7 * n);
			seldom(3 * n);
		}
	}
	return 0;
}
