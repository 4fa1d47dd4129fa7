// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text that `perf script` prints, for the many tools that read it: a header line for
 * each sample, its frames leaf first, a blank line. Where the profile holds sums only, a
 * sample for each stack whose period is the sum.
 */
#include <inttypes.h>
#include <stdlib.h>
#include "output/export.h"
#include "profile/merge.h"
#include "util/mem.h"

static const char *dso(const struct profile *p, const struct profile_frame *f)
{
	if (f->kind == FRAME_KERNEL)
		return "[kernel.kallsyms]";
	if (f->kind == FRAME_INLINED)
		return "inlined";
	if (f->object != PROFILE_NO_STRING)
		return profile_text(p, f->object);
	return f->kind == FRAME_JIT ? "/tmp/perf-0.map" : "[unknown]";
}

/*
 * "+0x0" is what readers take off a name, whatever it ends in. Kernel frames get an
 * address of the kernel's half, which is how some readers know them.
 */
static void put_frame(FILE *fp, const struct profile *p, const struct profile_frame *f)
{
	uint64_t address = f->offset != PROFILE_NO_OFFSET ? f->offset :
			   f->kind == FRAME_KERNEL ? 0xffffffff81000000 : 0;

	fprintf(fp, "\t%16" PRIx64 " %s+0x0 (%s)\n", address, profile_text(p, f->name),
		dso(p, f));
}

/* The thread's name stands in the header, so its frame is not repeated below. */
static void put_sample(FILE *fp, const struct profile *p, const struct profile_sample *s)
{
	const char *event = profile_event_name(p, s->event), *comm = profile_text(p, s->comm);
	uint32_t at, root = PROFILE_ROOT_STACK;

	for (at = s->stack; at != PROFILE_ROOT_STACK; at = profile_stack_parent(p, at))
		root = at;
	if (root != PROFILE_ROOT_STACK &&
	    profile_frame_at(p, profile_stack_frame(p, root))->kind == FRAME_COMM)
		comm = profile_text(p, profile_frame_at(p, profile_stack_frame(p, root))->name);
	else
		root = PROFILE_ROOT_STACK;
	fprintf(fp, "%s %u/%u [%03u] %" PRIu64 ".%06u: %" PRIu64 " %s:\n", *comm ? comm : "-",
		s->pid, s->tid, s->cpu, s->time / 1000000000,
		(unsigned int)(s->time % 1000000000 / 1000), s->value,
		*event ? event : profile_event_unit(p, s->event));
	for (at = s->stack; at != root && at != PROFILE_ROOT_STACK;
	     at = profile_stack_parent(p, at))
		put_frame(fp, p, profile_frame_at(p, profile_stack_frame(p, at)));
	putc('\n', fp);
}

static int compare_times(const void *a, const void *b, void *profile)
{
	const size_t i = *(const size_t *)a, k = *(const size_t *)b;
	uint64_t x = profile_sample_at(profile, i)->time, y = profile_sample_at(profile, k)->time;

	if (x != y)
		return x < y ? -1 : 1;
	return i < k ? -1 : i > k;
}

/* perf script's samples are in time, whichever CPU they come from. */
static void put_in_time(FILE *fp, const struct profile *p, const struct export_options *o)
{
	size_t nr = profile_nr_samples(p);
	size_t *order = xcalloc(nr, sizeof(*order));

	for (size_t i = 0; i < nr; i++)
		order[i] = i;
	qsort_r(order, nr, sizeof(*order), compare_times, (void *)p);
	for (size_t i = 0; i < nr; i++) {
		const struct profile_sample *s = profile_sample_at(p, order[i]);

		if (o->event == EXPORT_ALL_EVENTS || o->event == s->event)
			put_sample(fp, p, s);
	}
	free(order);
}

static bool write_perf(FILE *fp, const struct profile *p, const struct export_options *o)
{
	uint32_t nr = profile_nr_stacks(p), nr_events = profile_nr_events(p);

	if (profile_has_places(p)) {
		put_in_time(fp, p, o);
		return true;
	}
	for (uint32_t e = 0; e < nr_events; e++) {
		if (o->event != EXPORT_ALL_EVENTS && o->event != e)
			continue;
		for (uint32_t s = 0; s < nr; s++) {
			struct profile_sample sum = {
				.value = profile_self(p, s, e), .stack = s, .event = e,
			};

			if (sum.value)
				put_sample(fp, p, &sum);
		}
	}
	return true;
}

const struct export_format export_perf = {
	.name = "perf",
	.samples = true,
	.several = true,
	.max = UINT64_MAX,
	.write = write_perf,
};
