// SPDX-License-Identifier: GPL-2.0-only
/*
 * The two inputs of a difference. Says what speaks against a comparison; compares
 * nothing itself.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "cmd/diff_input.h"
#include "cmd/inputs.h"
#include "util/msg.h"

/* What differs by no more than this needs no word. */
#define PER_CENT	2

static bool apart(uint64_t a, uint64_t b)
{
	uint64_t more = a > b ? a : b, less = a > b ? b : a;

	return (unsigned __int128)(more - less) * 100 > (unsigned __int128)more * PER_CENT;
}

void diff_input_judge_totals(const struct diff_input *in, uint64_t before, uint64_t after)
{
	if (!before || !after) {
		msg_warn("%s has no samples: all of the other one has %s",
			 before ? in->after : in->before, before ? "vanished" : "come new");
		return;
	}
	if (!in->how.normalize && apart(before, after))
		msg_warn("totals differ: %llu before, %llu after; -n scales the counts before to the total after",
			 (unsigned long long)before, (unsigned long long)after);
}

static void judge_meta(const struct diff_input *in, struct profile *before, struct profile *after)
{
	const struct profile_meta *b = profile_meta(before), *a = profile_meta(after);

	if (in->how.normalize)
		return;
	if (b->frequency && a->frequency && apart(b->frequency, a->frequency))
		msg_warn("sampling rates differ: %u Hz before, %u Hz after; -n makes up for it",
			 b->frequency, a->frequency);
	if (b->duration_ns && a->duration_ns && apart(b->duration_ns, a->duration_ns))
		msg_warn("durations differ: %.1f s before, %.1f s after; -n makes up for it",
			 (double)b->duration_ns / 1e9, (double)a->duration_ns / 1e9);
}

/* NULL after saying why it cannot be read. */
static struct profile *read_one(const struct diff_input *in, const char *path)
{
	struct input_options options = in->input;
	const char *name = path;
	struct profile *p = NULL;
	int fd = input_open(&name);
	ssize_t n;
	char head;

	options.event = in->event;
	if (fd < 0)
		return NULL;
	do {
		n = read(fd, &head, 1);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		msg_error("%s: %s", name, strerror(errno));
	else if (n)
		p = input_read_fd(fd, name, &head, 1, &options);
	else
		p = profile_new();
	close(fd);
	return p;
}

/* The event of @name, or the first. An empty profile has whatever is asked for. */
static bool find_event(struct profile *p, const char *path, const char *name, uint32_t *event)
{
	uint32_t nr = profile_nr_events(p);

	*event = 0;
	if (!nr) {
		profile_event(p, name ? name : "", "samples");
		return true;
	}
	if (!name)
		return true;
	for (uint32_t i = 0; i < nr; i++) {
		if (inputs_event_is(p, i, name)) {
			*event = i;
			return true;
		}
	}
	for (uint32_t i = 0; i < nr; i++)
		msg_error("%s: no event '%s'; it has '%s' (%s)", path, name,
			  profile_event_name(p, i), profile_event_unit(p, i));
	return false;
}

/* Folded text names no event and its counts no unit: it can be compared with all. */
static bool comparable(const struct diff_input *in, const struct profile *before, uint32_t b,
		       const struct profile *after, uint32_t a)
{
	const char *b_name = profile_event_name(before, b), *b_unit = profile_event_unit(before, b);
	const char *a_name = profile_event_name(after, a), *a_unit = profile_event_unit(after, a);

	if (!*b_name || !*a_name)
		return true;
	if (!strcmp(b_name, a_name) && !strcmp(b_unit, a_unit))
		return true;
	if (in->force) {
		msg_warn("compared all the same: '%s' (%s) before, '%s' (%s) after", b_name, b_unit,
			 a_name, a_unit);
		return true;
	}
	msg_error("%s counts '%s' (%s), %s '%s' (%s): not to be compared; pick one with --event, or --force",
		  in->before, b_name, b_unit, in->after, a_name, a_unit);
	return false;
}

struct profile *diff_input_read(const struct diff_input *in)
{
	struct profile *before = read_one(in, in->before), *after = NULL, *p = NULL;
	uint32_t a, b;

	if (before)
		after = read_one(in, in->after);
	if (after && find_event(before, in->before, in->event, &b) &&
	    find_event(after, in->after, in->event, &a) && comparable(in, before, b, after, a)) {
		diff_input_judge_totals(in, profile_total(before, b), profile_total(after, a));
		judge_meta(in, before, after);
		p = profile_diff(before, b, after, a, &in->how);
	}
	profile_free(before);
	profile_free(after);
	return p;
}
