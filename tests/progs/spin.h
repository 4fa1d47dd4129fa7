/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the test programs share: work that costs the same number of instructions
 * a turn wherever it stands, clocks, and a generator of numbers that keeps loops
 * from running in step with a timer. Everything is inlined into its user, so that
 * a sample in the work is a sample of the function that asked for it.
 */
#ifndef TESTS_SPIN_H
#define TESTS_SPIN_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* A function that the compiler must leave whole, apart and called as written. */
#define WORKER __attribute__((noipa, noinline))

/*
 * Gives the function it stands in a frame of its own: gcc leaves the frame out of
 * one that never touches the stack, -fno-omit-frame-pointer or not.
 */
#define FRAME() __asm__ volatile("" : : "r"(__builtin_frame_address(0)))

/* @turns turns of a loop that no compiler may shorten. */
static inline __attribute__((always_inline)) void spin(unsigned long turns)
{
	while (turns--)
		__asm__ volatile("" : : : "memory");
}

/* The next of a fixed row of numbers, 0 to 65535 (Knuth's MMIX constants). */
static inline unsigned int next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 48;
}

/* ns of @clock. */
static inline uint64_t now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* CLOCK_MONOTONIC when @seconds (may be a fraction) have passed, ns. */
static inline uint64_t deadline(const char *seconds)
{
	return now(CLOCK_MONOTONIC) + (uint64_t)(atof(seconds) * 1e9);
}

#endif /* TESTS_SPIN_H */
