// SPDX-License-Identifier: GPL-2.0-only
/*
 * The part of a profile that meets conditions. Each frame and stack is judged once.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include "profile/filter.h"
#include "profile/merge.h"
#include "util/mem.h"

bool filter_needs_samples(const struct filter *f)
{
	return f->from_ns || f->to_ns != UINT64_MAX || f->nr_pids || f->nr_cpus;
}

static bool in_ranges(const struct filter_range *ranges, size_t nr, uint32_t value)
{
	for (size_t i = 0; i < nr; i++)
		if (value >= ranges[i].first && value <= ranges[i].last)
			return true;
	return !nr;
}

static bool comm_matches(const struct filter *f, const char *comm)
{
	for (size_t i = 0; i < f->nr_comms; i++)
		if (!fnmatch(f->comms[i], comm, 0))
			return true;
	return !f->nr_comms;
}

/* What is known of stacks, by id. */
struct judged {
	bool *frame;		/* a frame of it is wanted */
	uint32_t *root;		/* frame at its root */
};

static void judge_stacks(struct judged *j, const struct profile *p, const struct filter *f)
{
	uint32_t nr_frames = profile_nr_frames(p), nr = profile_nr_stacks(p);
	bool *wanted = xcalloc(nr_frames, sizeof(*wanted));

	j->frame = xcalloc(nr, sizeof(*j->frame));
	j->root = xcalloc(nr, sizeof(*j->root));
	for (uint32_t i = 0; i < nr_frames && f->frame; i++) {
		const struct profile_frame *frame = profile_frame_at(p, i);
		char *name = xasprintf("%s%s", profile_text(p, frame->name),
				       frame_annotation(frame->kind));

		wanted[i] = f->frame(f->arg, name);
		free(name);
	}
	/* Parents come before their children. */
	j->frame[PROFILE_ROOT_STACK] = !f->frame;
	for (uint32_t s = 1; s < nr; s++) {
		uint32_t parent = profile_stack_parent(p, s), frame = profile_stack_frame(p, s);

		j->frame[s] = j->frame[parent] || wanted[frame];
		j->root[s] = parent == PROFILE_ROOT_STACK ? frame : j->root[parent];
	}
	free(wanted);
}

/* The name of the thread that sums belong to is their root frame, if that is a thread's. */
static const char *comm_of_stack(const struct profile *p, const struct judged *j, uint32_t stack)
{
	const struct profile_frame *root;

	if (stack == PROFILE_ROOT_STACK)
		return "";
	root = profile_frame_at(p, j->root[stack]);
	return root->kind == FRAME_COMM ? profile_text(p, root->name) : "";
}

static bool sample_matches(const struct profile *p, const struct filter *f, const struct judged *j,
			   const struct profile_sample *s)
{
	const char *comm = s->comm ? profile_text(p, s->comm) : comm_of_stack(p, j, s->stack);

	return s->time >= f->from_ns && s->time < f->to_ns && j->frame[s->stack] &&
	       in_ranges(f->cpus, f->nr_cpus, s->cpu) &&
	       (in_ranges(f->pids, f->nr_pids, s->pid) ||
		in_ranges(f->pids, f->nr_pids, s->tid)) &&
	       comm_matches(f, comm);
}

static void filter_samples(struct profile *to, const struct profile *p, const struct filter *f,
			   const struct judged *j, struct stack_map *m)
{
	size_t nr = profile_nr_samples(p);

	profile_keep_samples(to);
	for (size_t i = 0; i < nr; i++) {
		struct profile_sample s = *profile_sample_at(p, i);

		if (!sample_matches(p, f, j, &s))
			continue;
		s.stack = stack_map_get(m, s.stack);
		s.comm = profile_copy_string(to, p, s.comm);
		profile_add_sample(to, &s);
	}
}

static void filter_sums(struct profile *to, const struct profile *p, const struct filter *f,
			const struct judged *j, struct stack_map *m)
{
	uint32_t nr = profile_nr_stacks(p), nr_events = profile_nr_events(p);

	for (uint32_t s = 0; s < nr; s++) {
		if (!j->frame[s] || !comm_matches(f, comm_of_stack(p, j, s)))
			continue;
		for (uint32_t e = 0; e < nr_events; e++)
			if (profile_self(p, s, e))
				profile_add(to, stack_map_get(m, s), e, profile_self(p, s, e));
	}
}

/* What is left of the duration, where it is known. */
static uint64_t duration(const struct filter *f, uint64_t whole)
{
	uint64_t end = f->to_ns < whole ? f->to_ns : whole;

	return end > f->from_ns ? end - f->from_ns : 0;
}

struct profile *profile_filter(const struct profile *p, const struct filter *f)
{
	struct profile *to = profile_new();
	struct stack_map *m = stack_map_new(to, p, NULL, NULL);
	struct judged j;

	*profile_meta(to) = *profile_meta((struct profile *)p);
	profile_meta(to)->duration_ns = duration(f, profile_meta(to)->duration_ns);
	for (uint32_t e = 0; e < profile_nr_events(p); e++)
		profile_event(to, profile_event_name(p, e), profile_event_unit(p, e));
	judge_stacks(&j, p, f);
	if (profile_has_places(p))
		filter_samples(to, p, f, &j, m);
	else
		filter_sums(to, p, f, &j, m);
	free(j.frame);
	free(j.root);
	stack_map_free(m);
	return to;
}
