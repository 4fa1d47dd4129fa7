// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls */
/*
 * Makes many distinct stacks: each level of a walk LEVELS deep goes through
 * left() or right(), one for each bit of a counter run through out of order, so
 * that 2^LEVELS different stacks meet in bottom(), where nearly all time is spent.
 *
 * usage: stacks LEVELS SECONDS
 */
#include <stdio.h>
#include "spin.h"

static void walk(unsigned int path, unsigned int levels);

static WORKER void bottom(void)
{
	FRAME();
	spin(600);
}

static WORKER void left(unsigned int path, unsigned int levels)
{
	FRAME();
	walk(path >> 1, levels - 1);
	__asm__ volatile("" : : : "memory");
}

static WORKER void right(unsigned int path, unsigned int levels)
{
	FRAME();
	walk(path >> 1, levels - 1);
	__asm__ volatile("" : : : "memory");
}

static inline __attribute__((always_inline)) void walk(unsigned int path, unsigned int levels)
{
	if (!levels)
		bottom();
	else if (path & 1)
		right(path, levels);
	else
		left(path, levels);
}

int main(int argc, char **argv)
{
	unsigned int path = 0, levels, i;
	uint64_t end;

	if (argc != 3) {
		fputs("usage: stacks LEVELS SECONDS\n", stderr);
		return 2;
	}
	levels = strtoul(argv[1], NULL, 10);
	end = deadline(argv[2]);
	while (now(CLOCK_MONOTONIC) < end) {
		/* An odd step visits every residue of a power of two. */
		for (i = 0; i < 100; i++, path += 40503)
			walk(path, levels);
	}
	return 0;
}
