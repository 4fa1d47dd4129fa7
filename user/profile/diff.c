// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two profiles as one of two events.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "profile/diff.h"
#include "profile/merge.h"
#include "util/mem.h"

uint64_t diff_scale(uint64_t count, uint64_t from, uint64_t to)
{
	if (!from || !to || from == to)
		return count;
	/* @count is a part of @from, so the quotient fits. */
	return (uint64_t)((unsigned __int128)count * to / from);
}

size_t diff_strip_hex(char *out, const char *text, size_t len)
{
	static const char instead[] = "0x...";
	size_t n = 0;

	for (size_t i = 0; i < len;) {
		size_t end = i + 2;

		if (text[i] == '0' && end < len && text[i + 1] == 'x')
			while (end < len && isxdigit((unsigned char)text[end]))
				end++;
		if (end == i + 2) {
			out[n++] = text[i++];
			continue;
		}
		for (const char *c = instead; *c; c++)
			out[n++] = *c;
		i = end;
	}
	return n;
}

/* Objects and offsets are left out: what is drawn and printed is the name. */
static struct profile_frame change(void *arg, struct profile *to, const struct profile *from,
				   struct profile_frame frame)
{
	const struct diff_options *o = arg;
	const char *name = profile_text(from, frame.name);
	size_t len = strlen(name);
	char *stripped;

	frame.object = PROFILE_NO_STRING;
	frame.offset = PROFILE_NO_OFFSET;
	if (!o->strip_hex || !strstr(name, "0x")) {
		frame.name = profile_string(to, name, len);
		return frame;
	}
	stripped = xcalloc(2, len);
	frame.name = profile_string(to, stripped, diff_strip_hex(stripped, name, len));
	free(stripped);
	return frame;
}

/*
 * Adds @from's event as event @to_event, its total scaled to @total if that is not 0. What
 * equal stacks add up to is scaled, as difffolded.pl does it, not each of them.
 */
static void add_event(struct profile *to, uint32_t to_event, const struct profile *from,
		      uint32_t event, uint64_t total, const struct diff_options *options)
{
	struct diff_options o = *options;
	struct stack_map *m = stack_map_new(to, from, change, &o);
	uint32_t nr = profile_nr_stacks(from);
	uint64_t *sums = NULL;
	size_t cap = 0;

	for (uint32_t s = 0; s < nr; s++) {
		uint64_t self = profile_self(from, s, event);
		size_t old = cap;
		uint32_t at;

		if (!self)
			continue;
		at = stack_map_get(m, s);
		sums = array_grow(sums, &cap, (size_t)at + 1, sizeof(*sums));
		memset(sums + old, 0, (cap - old) * sizeof(*sums));
		sums[at] += self;
	}
	for (uint32_t s = 0; s < cap; s++) {
		uint64_t value = sums[s] ? diff_scale(sums[s], profile_total(from, event), total) : 0;

		/* The sum of parts of a total that fits, fits. */
		if (value)
			profile_add(to, s, to_event, value);
	}
	free(sums);
	stack_map_free(m);
}

struct profile *profile_diff(const struct profile *before, uint32_t before_event,
			     const struct profile *after, uint32_t after_event,
			     const struct diff_options *options)
{
	struct profile *p = profile_new();
	const char *unit = profile_event_unit(after, after_event);

	profile_event(p, profile_event_name(after, after_event), unit);
	profile_event(p, "before", unit);
	add_event(p, 0, after, after_event, 0, options);
	add_event(p, 1, before, before_event,
		  options->normalize ? profile_total(after, after_event) : 0, options);
	return p;
}
