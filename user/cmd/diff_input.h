/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two inputs of a difference: read, judged whether they can be compared, and joined.
 * What `flame diff` and `flame svg --diff` have in common.
 */
#ifndef FLAME_DIFF_INPUT_H
#define FLAME_DIFF_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include "input/input.h"
#include "profile/diff.h"
#include "profile/profile.h"

/**
 * struct diff_input - what to compare and how
 * @before: path of the profile before, "-" for stdin
 * @after: path of the one after
 * @event: name of the event in both, NULL: the first one
 * @force: compare though events or units are different
 * @how: see profile_diff()
 * @input: how to read both; the event is taken from above
 */
struct diff_input {
	const char *before;
	const char *after;
	const char *event;
	bool force;
	struct diff_options how;
	struct input_options input;
};

/*
 * Reads both and joins them: see profile_diff(). An empty input is a profile of nothing.
 * NULL after saying what is wrong. Warns of what makes the comparison doubtful.
 */
struct profile *diff_input_read(const struct diff_input *in);

/* Warns when totals are more than 2 % apart and are not normalized. */
void diff_input_judge_totals(const struct diff_input *in, uint64_t before, uint64_t after);

#endif /* FLAME_DIFF_INPUT_H */
