// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a recording came to. Every loss is named with its cause and its remedy.
 */
#include <stdio.h>
#include <stdlib.h>
#include "record/summary.h"
#include "util/msg.h"

static unsigned long long llu(uint64_t v)
{
	return v;
}

/* "buffer_size_kb (now 1024)": the value makes the hint concrete. */
static void warn_lost(const struct session *s)
{
	char *size = s->device->ops->get(s->device, "buffer_size_kb");
	unsigned long kb = size ? strtoul(size, NULL, 10) : 0;

	if (kb)
		msg_warn("%llu samples lost because a CPU's ring was full: raise buffer_size_kb (now %lu), as in: echo %lu > /sys/kernel/debug/flame/buffer_size_kb",
			 llu(s->counts.lost), kb, kb * 4);
	else
		msg_warn("%llu samples lost because a CPU's ring was full: raise buffer_size_kb",
			 llu(s->counts.lost));
	free(size);
}

static void warn_counts(const struct session *s)
{
	const struct session_counts *c = &s->counts;

	if (c->lost)
		warn_lost(s);
	if (c->stream_lost)
		msg_warn("%llu samples did not reach this program in time (the module's `folded` has them): lower the frequency (-F) or filter (-p, -C)",
			 llu(c->stream_lost));
	if (c->missed)
		msg_warn("%llu ticks came too late to be taken (%.1f %%): interrupts were off for long, or the frequency (-F) is too high for this machine",
			 llu(c->missed), 100.0 * (double)c->missed /
			 (double)(c->missed + c->ticks));
	if (c->throttled)
		msg_warn("%llu ticks were given up to stay within max_overhead: raise it, or lower the frequency (-F)",
			 llu(c->throttled));
	if (c->truncated)
		msg_warn("%llu stacks were cut: raise --max-depth", llu(c->truncated));
	if (c->user_failed)
		msg_info("%llu user stacks could not be read at the time (memory not present, or exec)",
			 llu(c->user_failed));
}

void summary_print(const struct session *s, const char *path, uint64_t size)
{
	double seconds = (double)(s->ended_ns - s->started_ns) / 1e9;

	if (path)
		msg_info("%llu samples in %.1f s, %llu bytes in %s",
			 llu(records_nr_samples(s->records)), seconds, llu(size), path);
	else
		msg_info("%llu samples in %.1f s", llu(records_nr_samples(s->records)), seconds);
	warn_counts(s);
}

void summary_nothing(const struct session *s, const struct record_options *o, bool pids_gone,
		     bool command_ended)
{
	const struct session_counts *c = &s->counts;
	uint64_t gone = c->lost + c->missed + c->throttled + c->stream_lost;

	if (gone) {
		msg_error("nothing recorded: all samples were lost");
		warn_counts(s);
	} else if (pids_gone) {
		msg_error("nothing recorded: what -p or -t named has ended");
	} else if (command_ended && !o->all) {
		msg_error("nothing recorded: the command ran for less than a tick or slept all the time; raise the frequency (-F), or try '-e offcpu' for the time it waits");
	} else if (*o->pids || *o->tids || o->command) {
		msg_error("nothing recorded: what is sampled never ran on a CPU; if it sleeps, try '-e offcpu' for the time it waits");
	} else if (c->filtered) {
		msg_error("nothing recorded: the filter matched nothing (%llu samples were left out by it)",
			  llu(c->filtered));
	} else if (c->idle && !o->idle) {
		msg_error("nothing recorded: the CPUs were idle; -I records idle time too");
	} else {
		msg_error("nothing recorded: no tick came (%llu ticks); see 'flame doctor'",
			  llu(c->ticks));
	}
}
