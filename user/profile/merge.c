// SPDX-License-Identifier: GPL-2.0-only
/*
 * One profile put into another. Costs a look-up per distinct frame and stack that is
 * asked for, not per sample.
 */
#include <stdlib.h>
#include <string.h>
#include "profile/merge.h"
#include "util/mem.h"

struct stack_map {
	struct profile *to;
	const struct profile *from;
	frame_change change;
	void *arg;
	uint32_t *frames;	/* by frame id, UINT32_MAX: not asked for yet */
	uint32_t *stacks;	/* by stack id, PROFILE_NO_STACK: not asked for yet */
	uint32_t *path;		/* those on the way to the root, while one is looked up */
	size_t cap_path;
};

struct stack_map *stack_map_new(struct profile *to, const struct profile *from,
				frame_change change, void *arg)
{
	struct stack_map *m = xcalloc(1, sizeof(*m));
	size_t nr_frames = profile_nr_frames(from), nr_stacks = profile_nr_stacks(from);

	*m = (struct stack_map){ .to = to, .from = from, .change = change, .arg = arg };
	m->frames = xcalloc(nr_frames, sizeof(*m->frames));
	memset(m->frames, 0xff, nr_frames * sizeof(*m->frames));
	m->stacks = xcalloc(nr_stacks, sizeof(*m->stacks));
	memset(m->stacks, 0xff, nr_stacks * sizeof(*m->stacks));
	m->stacks[PROFILE_ROOT_STACK] = PROFILE_ROOT_STACK;
	return m;
}

void stack_map_free(struct stack_map *m)
{
	if (!m)
		return;
	free(m->frames);
	free(m->stacks);
	free(m->path);
	free(m);
}

uint32_t profile_copy_string(struct profile *to, const struct profile *from, uint32_t string)
{
	const char *text = profile_text(from, string);

	return profile_string(to, text, strlen(text));
}

static uint32_t map_frame(struct stack_map *m, uint32_t id)
{
	struct profile_frame frame;

	if (m->frames[id] != UINT32_MAX)
		return m->frames[id];
	frame = *profile_frame_at(m->from, id);
	if (m->change) {
		frame = m->change(m->arg, m->to, m->from, frame);
	} else {
		frame.name = profile_copy_string(m->to, m->from, frame.name);
		frame.object = profile_copy_string(m->to, m->from, frame.object);
	}
	m->frames[id] = profile_frame(m->to, &frame);
	return m->frames[id];
}

uint32_t stack_map_get(struct stack_map *m, uint32_t stack)
{
	size_t nr = 0;
	uint32_t at;

	for (at = stack; m->stacks[at] == PROFILE_NO_STACK;
	     at = profile_stack_parent(m->from, at)) {
		m->path = array_grow(m->path, &m->cap_path, nr + 1, sizeof(*m->path));
		m->path[nr++] = at;
	}
	at = m->stacks[at];
	while (nr--) {
		uint32_t s = m->path[nr];

		at = profile_push(m->to, at, map_frame(m, profile_stack_frame(m->from, s)));
		m->stacks[s] = at;
	}
	return at;
}

bool profile_has_places(const struct profile *p)
{
	size_t nr = profile_nr_samples(p);

	for (size_t i = 0; i < nr; i++) {
		const struct profile_sample *s = profile_sample_at(p, i);

		if (s->time || s->cpu || s->pid || s->tid || s->comm != PROFILE_NO_STRING)
			return true;
	}
	return false;
}

static bool merge_samples(struct profile *to, const struct profile *from, struct stack_map *m,
			  const uint32_t *events)
{
	size_t nr = profile_nr_samples(from);

	for (size_t i = 0; i < nr; i++) {
		struct profile_sample s = *profile_sample_at(from, i);

		s.stack = stack_map_get(m, s.stack);
		s.event = events[s.event];
		s.comm = profile_copy_string(to, from, s.comm);
		if (!profile_add_sample(to, &s))
			return false;
	}
	return true;
}

static bool merge_sums(struct profile *to, const struct profile *from, struct stack_map *m,
		       const uint32_t *events)
{
	uint32_t nr_events = profile_nr_events(from), nr = profile_nr_stacks(from);

	for (uint32_t s = 0; s < nr; s++) {
		for (uint32_t e = 0; e < nr_events; e++) {
			uint64_t self = profile_self(from, s, e);

			if (self && !profile_add(to, stack_map_get(m, s), events[e], self))
				return false;
		}
	}
	return true;
}

/* What both say stays, sums are added. */
static void merge_meta(struct profile_meta *to, const struct profile_meta *from, bool first)
{
	if (first) {
		*to = *from;
		return;
	}
	to->duration_ns += from->duration_ns;
	to->lost += from->lost;
	to->missed += from->missed;
	if (to->frequency != from->frequency)
		to->frequency = 0;
	if (strcmp(to->host, from->host))
		to->host[0] = '\0';
	if (strcmp(to->kernel, from->kernel))
		to->kernel[0] = '\0';
}

bool profile_merge(struct profile *to, const struct profile *from, bool samples)
{
	struct stack_map *m = stack_map_new(to, from, NULL, NULL);
	uint32_t nr_events = profile_nr_events(from);
	uint32_t *events = xcalloc(nr_events, sizeof(*events));
	bool ok;

	/* meta must be read before: it says by its events whether the target is fresh. */
	merge_meta(profile_meta(to), profile_meta((struct profile *)from), !profile_nr_events(to));
	for (uint32_t e = 0; e < nr_events; e++)
		events[e] = profile_event(to, profile_event_name(from, e),
					  profile_event_unit(from, e));
	ok = samples ? merge_samples(to, from, m, events) : merge_sums(to, from, m, events);
	free(events);
	stack_map_free(m);
	return ok;
}
