// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -m32 -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls */
/*
 * A 32-bit program: main() calls outer32() calls inner32(), where the time goes.
 *
 * usage: b32 SECONDS
 */
#include <stdio.h>
#include "spin.h"

static WORKER void inner32(unsigned long turns)
{
	FRAME();
	spin(turns);
}

static WORKER void outer32(uint64_t end)
{
	FRAME();
	while (now(CLOCK_MONOTONIC) < end)
		inner32(50000);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: b32 SECONDS\n", stderr);
		return 2;
	}
	outer32(deadline(argv[1]));
	return 0;
}
