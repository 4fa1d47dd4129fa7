// SPDX-License-Identifier: GPL-2.0-only
/*
 * The profile that a picture of a difference is drawn from.
 */
#include <stdlib.h>
#include <string.h>
#include "output/svg_diff.h"
#include "profile/merge.h"
#include "util/mem.h"

/*
 * Which stacks have samples after, themselves or above them. Frames that differ in places
 * only are one box, so @p must know frames by name and kind alone, as profile_diff() and
 * folded text give them.
 */
static bool *alive_stacks(const struct profile *p, uint32_t after)
{
	uint32_t nr = profile_nr_stacks(p);
	bool *alive = xcalloc(nr, sizeof(*alive));

	for (uint32_t s = nr; s-- > 1;) {
		if (profile_self(p, s, after))
			alive[s] = true;
		if (alive[s])
			alive[profile_stack_parent(p, s)] = true;
	}
	return alive;
}

uint64_t svg_diff_vanished(const struct profile *p, uint32_t after, uint32_t before)
{
	bool *alive = alive_stacks(p, after);
	uint64_t sum = 0;

	for (uint32_t s = 1; s < profile_nr_stacks(p); s++)
		if (!alive[s])
			sum += profile_self(p, s, before);
	free(alive);
	return sum;
}

static uint64_t width_of(enum svg_widths widths, uint64_t after, uint64_t before)
{
	switch (widths) {
	case WIDTHS_BEFORE:
		return before;
	case WIDTHS_BOTH:
		return after > before ? after - before : before - after;
	default:
		return after;
	}
}

/* Pushes @stack of @p with the mark at its root. */
static uint32_t push_vanished(struct profile *to, const struct profile *p, uint32_t stack,
			      uint32_t **path, size_t *cap)
{
	struct profile_frame frame = {
		.name = profile_string(to, SVG_VANISHED, strlen(SVG_VANISHED)),
		.offset = PROFILE_NO_OFFSET, .kind = FRAME_SPECIAL,
	};
	uint32_t at = profile_push(to, PROFILE_ROOT_STACK, profile_frame(to, &frame));
	size_t nr = 0;

	for (uint32_t s = stack; s != PROFILE_ROOT_STACK; s = profile_stack_parent(p, s)) {
		*path = array_grow(*path, cap, nr + 1, sizeof(**path));
		(*path)[nr++] = profile_stack_frame(p, s);
	}
	while (nr--) {
		frame = *profile_frame_at(p, (*path)[nr]);
		frame.name = profile_copy_string(to, p, frame.name);
		frame.object = profile_copy_string(to, p, frame.object);
		at = profile_push(to, at, profile_frame(to, &frame));
	}
	return at;
}

struct profile *svg_diff_view(const struct profile *p, uint32_t after, uint32_t before,
			      enum svg_widths widths, bool elided)
{
	struct profile *to = profile_new();
	struct stack_map *m = stack_map_new(to, p, NULL, NULL);
	bool *alive = elided ? alive_stacks(p, after) : NULL;
	uint32_t nr = profile_nr_stacks(p), *path = NULL;
	size_t cap = 0;

	profile_event(to, profile_event_name(p, after), profile_event_unit(p, after));
	profile_event(to, "before", profile_event_unit(p, after));
	profile_event(to, "width", profile_event_unit(p, after));
	for (uint32_t s = 0; s < nr; s++) {
		uint64_t then = profile_self(p, s, before), now = profile_self(p, s, after);
		uint32_t at;

		if (!then && !now)
			continue;
		at = stack_map_get(m, s);
		profile_add(to, at, VIEW_AFTER, now);
		profile_add(to, at, VIEW_BEFORE, then);
		if (!elided || alive[s]) {
			profile_add(to, at, VIEW_WIDTH, width_of(widths, now, then));
			continue;
		}
		at = push_vanished(to, p, s, &path, &cap);
		profile_add(to, at, VIEW_WIDTH, then);
	}
	free(path);
	free(alive);
	stack_map_free(m);
	return to;
}
