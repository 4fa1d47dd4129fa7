// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls */
/*
 * Works 400 us of CPU time every 10 ms and sleeps the rest. Prints the CPU time
 * that the kernel says it has had while it did so, in ns: what a sampler should
 * find is that times its frequency.
 *
 * usage: burst SECONDS
 */
#include <stdio.h>
#include "spin.h"

static WORKER void work(uint64_t ns)
{
	uint64_t end = now(CLOCK_THREAD_CPUTIME_ID) + ns;

	FRAME();
	while (now(CLOCK_THREAD_CPUTIME_ID) < end)
		spin(500);
}

int main(int argc, char **argv)
{
	struct timespec next;
	uint64_t end, before;

	if (argc != 2) {
		fputs("usage: burst SECONDS\n", stderr);
		return 2;
	}
	end = deadline(argv[1]);
	before = now(CLOCK_THREAD_CPUTIME_ID);
	clock_gettime(CLOCK_MONOTONIC, &next);
	while (now(CLOCK_MONOTONIC) < end) {
		work(400000);
		next.tv_nsec += 10000000;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	printf("%llu\n", (unsigned long long)(now(CLOCK_THREAD_CPUTIME_ID) - before));
	return 0;
}
