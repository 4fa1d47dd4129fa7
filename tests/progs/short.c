// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls */
/*
 * Lives for 20 ms of CPU time once it is in main(), all of it in brief(), and dies.
 *
 * usage: short [MILLISECONDS]
 */
#include "spin.h"

static WORKER void brief(uint64_t ns)
{
	uint64_t end = now(CLOCK_PROCESS_CPUTIME_ID) + ns;

	FRAME();
	while (now(CLOCK_PROCESS_CPUTIME_ID) < end)
		spin(200000);	/* few looks at the clock: libc's code hides brief() */
}

int main(int argc, char **argv)
{
	brief((argc > 1 ? strtoul(argv[1], NULL, 10) : 20) * 1000000);
	return 0;
}
