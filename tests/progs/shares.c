// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls */
/*
 * Spends 70 : 20 : 10 of its instructions in seventy(), twenty() and ten(), in
 * pieces of changing length so that no sampling period can fall into step.
 *
 * usage: shares SECONDS
 */
#include <stdio.h>
#include "spin.h"

static WORKER void seventy(unsigned long n)
{
	FRAME();
	spin(70 * n);
}

static WORKER void twenty(unsigned long n)
{
	FRAME();
	spin(20 * n);
}

static WORKER void ten(unsigned long n)
{
	FRAME();
	spin(10 * n);
}

int main(int argc, char **argv)
{
	uint64_t end, seed = 1;
	int i;

	if (argc != 2) {
		fputs("usage: shares SECONDS\n", stderr);
		return 2;
	}
	end = deadline(argv[1]);
	while (now(CLOCK_MONOTONIC) < end) {
		for (i = 0; i < 20; i++) {
			unsigned long n = 100 + next_random(&seed) % 400;

			seventy(n);
			twenty(n);
			ten(n);
		}
	}
	return 0;
}
