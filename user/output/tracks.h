/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The samples of a profile thread by thread, in time: what viewers with a time line
 * show. A profile that holds sums only has one track for each event, on which its stacks
 * follow each other.
 */
#ifndef FLAME_TRACKS_H
#define FLAME_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "profile/profile.h"

/**
 * struct track - samples of one event and one thread; idle tasks, all of which have the
 *		  ids 0, are one for each CPU
 * @pid: process, 0 without threads
 * @tid: thread, 0 without threads
 * @cpu: of an idle task, else 0
 * @event: event index
 * @comm: string id of the thread's last name, PROFILE_NO_STRING without threads
 * @first: index of the first sample, for tracks_sample()
 * @nr: number of samples
 * @total: sum of their values
 */
struct track {
	uint32_t pid;
	uint32_t tid;
	uint32_t cpu;
	uint32_t event;
	uint32_t comm;
	size_t first;
	size_t nr;
	uint64_t total;
};

struct tracks {
	struct track *track;
	size_t nr, cap;
	bool timed;			/* by thread and in time; else made of sums */
	const struct profile *p;
	size_t *order;			/* of the profile's samples, if timed */
	struct profile_sample *sums;	/* else */
	size_t nr_samples, cap_sums;
};

/* @event: that one; TRACKS_ALL: each. Sorted by pid, tid, event. */
#define TRACKS_ALL	UINT32_MAX
void tracks_of_profile(struct tracks *t, const struct profile *p, uint32_t event);
void tracks_free(struct tracks *t);

static inline const struct profile_sample *tracks_sample(const struct tracks *t, size_t i)
{
	return t->timed ? profile_sample_at(t->p, t->order[i]) : &t->sums[i];
}

#endif /* FLAME_TRACKS_H */
