// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples thread by thread. One sort; the samples themselves are not copied.
 */
#include <stdlib.h>
#include <string.h>
#include "output/tracks.h"
#include "profile/merge.h"
#include "util/mem.h"

static uint32_t idle_cpu(const struct profile_sample *s)
{
	return s->pid || s->tid ? 0 : s->cpu;
}

static int compare(const void *a, const void *b, void *profile)
{
	const size_t i = *(const size_t *)a, k = *(const size_t *)b;
	const struct profile_sample *x = profile_sample_at(profile, i);
	const struct profile_sample *y = profile_sample_at(profile, k);

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (idle_cpu(x) != idle_cpu(y))
		return idle_cpu(x) < idle_cpu(y) ? -1 : 1;
	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return i < k ? -1 : i > k;
}

static void sort_samples(struct tracks *t, uint32_t event)
{
	size_t nr = profile_nr_samples(t->p);

	t->order = xcalloc(nr, sizeof(*t->order));
	for (size_t i = 0; i < nr; i++)
		if (event == TRACKS_ALL || profile_sample_at(t->p, i)->event == event)
			t->order[t->nr_samples++] = i;
	qsort_r(t->order, t->nr_samples, sizeof(*t->order), compare, (void *)t->p);
}

static void take_sums(struct tracks *t, uint32_t event)
{
	uint32_t nr_events = profile_nr_events(t->p), nr = profile_nr_stacks(t->p);

	for (uint32_t e = 0; e < nr_events; e++) {
		if (event != TRACKS_ALL && e != event)
			continue;
		for (uint32_t s = 0; s < nr; s++) {
			uint64_t self = profile_self(t->p, s, e);

			if (!self)
				continue;
			t->sums = array_grow(t->sums, &t->cap_sums, t->nr_samples + 1,
					     sizeof(*t->sums));
			t->sums[t->nr_samples++] = (struct profile_sample){
				.value = self, .stack = s, .event = e,
			};
		}
	}
}

void tracks_of_profile(struct tracks *t, const struct profile *p, uint32_t event)
{
	*t = (struct tracks){ .p = p, .timed = profile_has_places(p) };
	if (t->timed)
		sort_samples(t, event);
	else
		take_sums(t, event);
	for (size_t i = 0; i < t->nr_samples; i++) {
		const struct profile_sample *s = tracks_sample(t, i);
		struct track *at = t->nr ? &t->track[t->nr - 1] : NULL;

		if (!at || at->pid != s->pid || at->tid != s->tid || at->event != s->event ||
		    at->cpu != idle_cpu(s)) {
			t->track = array_grow(t->track, &t->cap, t->nr + 1, sizeof(*t->track));
			at = &t->track[t->nr++];
			*at = (struct track){ .pid = s->pid, .tid = s->tid, .cpu = idle_cpu(s),
					      .event = s->event, .first = i };
		}
		at->comm = s->comm;
		at->nr++;
		at->total += s->value;
	}
}

void tracks_free(struct tracks *t)
{
	free(t->track);
	free(t->order);
	free(t->sums);
}
