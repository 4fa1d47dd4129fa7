// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folds direct recursion. Works on distinct stacks, a parent before its children; single
 * samples are not carried over.
 */
#include <stdlib.h>
#include "profile/merge.h"
#include "profile/recursion.h"
#include "util/mem.h"

/* By what folded text shows of them. */
static bool same_function(const struct profile_frame *a, const struct profile_frame *b)
{
	return a->name == b->name && frame_annotation(a->kind) == frame_annotation(b->kind);
}

struct profile *profile_fold_recursion(struct profile *p)
{
	uint32_t nr = profile_nr_stacks(p), nr_events = profile_nr_events(p);
	struct profile *q = profile_new();
	uint32_t *into = xcalloc(nr, sizeof(*into));

	*profile_meta(q) = *profile_meta(p);
	for (uint32_t e = 0; e < nr_events; e++)
		profile_event(q, profile_event_name(p, e), profile_event_unit(p, e));
	for (uint32_t s = 0; s < nr; s++) {
		uint32_t parent = s ? profile_stack_parent(p, s) : PROFILE_ROOT_STACK;

		if (s) {
			struct profile_frame f = *profile_frame_at(p, profile_stack_frame(p, s));

			into[s] = into[parent];
			if (parent == PROFILE_ROOT_STACK ||
			    !same_function(&f, profile_frame_at(p, profile_stack_frame(p, parent)))) {
				f.name = profile_copy_string(q, p, f.name);
				f.object = profile_copy_string(q, p, f.object);
				into[s] = profile_push(q, into[parent], profile_frame(q, &f));
			}
		}
		for (uint32_t e = 0; e < nr_events; e++)
			profile_add(q, into[s], e, profile_self(p, s, e));
	}
	free(into);
	profile_free(p);
	return q;
}
