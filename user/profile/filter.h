/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of a profile that meets conditions. Knows no file format and never prints.
 */
#ifndef FLAME_FILTER_H
#define FLAME_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "profile/profile.h"

/* @first to @last, both included. */
struct filter_range {
	uint32_t first, last;
};

/**
 * struct filter - all of these must hold; what is NULL, 0 or empty always does
 * @from_ns: earliest time
 * @to_ns: earliest time that is too late, UINT64_MAX: none is
 * @comms: one of these shell patterns matches the thread's name
 * @pids: the process is one of these, or the thread
 * @cpus: the CPU is in one of these
 * @frame: whether a stack with these frames is wanted
 */
struct filter {
	uint64_t from_ns, to_ns;
	const char *const *comms;
	size_t nr_comms;
	const struct filter_range *pids;
	size_t nr_pids;
	const struct filter_range *cpus;
	size_t nr_cpus;
	/* Gets names with their annotation; a stack is wanted if one of its frames is. */
	bool (*frame)(void *arg, const char *name);
	void *arg;
};

/* Whether @f asks for what only samples say: time, process or CPU. */
bool filter_needs_samples(const struct filter *f);

/*
 * A new profile with the samples of @p that meet @f, or where it holds none with its
 * sums; then nothing may be asked for that only samples say.
 */
struct profile *profile_filter(const struct profile *p, const struct filter *f);

#endif /* FLAME_FILTER_H */
