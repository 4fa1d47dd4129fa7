/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Any bytes to the reader of one format: it says what is wrong or makes a profile whose
 * stacks add up to its totals. The first byte picks options, the rest is the input.
 */
#ifndef FUZZ_INPUT_TARGET_H
#define FUZZ_INPUT_TARGET_H

#include "fuzz.h"
#include "input/input.h"
#include "util/msg.h"

static void check_profile(const struct profile *p)
{
	for (uint32_t e = 0; e < profile_nr_events(p); e++) {
		uint64_t sum = 0;

		for (uint32_t s = 0; s < profile_nr_stacks(p); s++)
			sum += profile_self(p, s, e);
		check(sum == profile_total(p, e));
	}
	for (uint32_t s = 1; s < profile_nr_stacks(p); s++) {
		check(profile_stack_parent(p, s) < s);
		check(profile_stack_frame(p, s) < profile_nr_frames(p));
	}
}

/* @from: name of a format; NULL: it is recognised. */
static int fuzz_input(const char *from, const uint8_t *data, size_t size)
{
	const char *const skip_after[] = { "main" };
	struct input_options options = { .from = from };
	struct profile *p;

	if (!size)
		return 0;
	if (!msg_stream)
		msg_stream = fopen("/dev/null", "w");
	options.keep_samples = data[0] & 1;
	options.event = data[0] & 2 ? "all" : NULL;
	options.addrs = data[0] & 4;
	options.srcline = options.two_columns = data[0] & 8;
	options.pid = options.tid = data[0] & 16;
	options.count = data[0] & 32;
	options.strict = data[0] & 64;
	options.skip_after = skip_after;
	options.nr_skip_after = data[0] >> 7;
	p = input_read_memory("input", (const char *)data + 1, size - 1, &options);
	if (p)
		check_profile(p);
	profile_free(p);
	return 0;
}

#endif /* FUZZ_INPUT_TARGET_H */
