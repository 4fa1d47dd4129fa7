// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls */
/*
 * Deep user stacks. All work is done at the bottom of DEPTH calls of deeper()
 * under main(), or, with "ramp", in equal parts at each depth from 1 to DEPTH.
 *
 * usage: depth DEPTH SECONDS		for a time
 *	  depth DEPTH -n TURNS [ramp]	a fixed number of turns: fixed work
 */
#include <stdio.h>
#include <string.h>
#include "spin.h"

#define TURN 2000	/* turns of spin() between two looks at the clock */

static WORKER void work(unsigned long turns, uint64_t end)
{
	FRAME();
	if (!end) {
		spin(turns);
		return;
	}
	while (now(CLOCK_MONOTONIC) < end)
		spin(TURN);
}

static WORKER void deeper(unsigned int depth, unsigned long turns, uint64_t end, int ramp)
{
	FRAME();
	if (ramp)
		work(turns, 0);
	if (depth > 1)
		deeper(depth - 1, turns, end, ramp);
	else if (!ramp)
		work(turns, end);
	__asm__ volatile("" : : : "memory");	/* not a tail call */
}

int main(int argc, char **argv)
{
	unsigned int depth;
	unsigned long turns, done;

	if (argc < 3 || (strcmp(argv[2], "-n") == 0 && argc < 4)) {
		fputs("usage: depth DEPTH SECONDS | depth DEPTH -n TURNS [ramp]\n", stderr);
		return 2;
	}
	depth = strtoul(argv[1], NULL, 10);
	if (strcmp(argv[2], "-n") != 0) {
		deeper(depth, 0, deadline(argv[2]), 0);
		return 0;
	}
	turns = strtoul(argv[3], NULL, 10);
	/* In pieces of 100,000: each goes down and up again. */
	for (done = 0; done < turns; done += 100000)
		deeper(depth, argc > 4 ? 100000 / depth : 100000, 0, argc > 4);
	return 0;
}
