// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of `go tool pprof -raw` (and of pprof's String()): samples as location numbers,
 * then the locations. Samples are held as numbers until the names come.
 */
#include <stdlib.h>
#include <string.h>
#include "input/frames.h"
#include "input/input.h"
#include "input/lines.h"
#include "input/perf_line.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/text.h"

#define WHAT		"a line of pprof -raw"
#define TYPES_MAX	16

enum section { HEAD, TYPES, SAMPLES, LOCATIONS, MAPPINGS };

struct sample {
	size_t first, nr;		/* in number[] */
	uint64_t value[TYPES_MAX];
};

/* A location's frames, innermost first, in path[]. */
struct location {
	uint64_t number;
	size_t first, nr;
};

struct raw {
	struct lines lines;
	struct frames frames;
	enum section section;
	uint32_t event[TYPES_MAX];
	size_t nr_types;
	struct sample *sample;
	size_t nr_samples, cap_samples;
	uint64_t *number;
	size_t nr_numbers, cap_numbers;
	struct location *location;	/* functions without a number belong to the last */
	size_t nr_locations, cap_locations;
	uint32_t *path;
	size_t nr_path, cap_path;
};

static struct text take_word(const char **s, size_t *len)
{
	struct text w;

	*s = trim(*s, len);
	w.s = *s;
	w.len = 0;
	while (w.len < *len && !is_blank((*s)[w.len]))
		w.len++;
	*s += w.len;
	*len -= w.len;
	return w;
}

/* `samples/count cpu/nanoseconds`, the default one in `[dflt]`. */
static bool take_types(struct input *in, const char *s, size_t len)
{
	struct raw *r = in->state;
	struct text type[TYPES_MAX];
	size_t nr = 0, chosen = 0;

	while (nr < TYPES_MAX) {
		struct text w = take_word(&s, &len);

		if (!w.len)
			break;
		if (!nr || !in->options->count)
			chosen = nr;
		type[nr++] = w;
	}
	for (size_t i = 0; i < nr; i++) {
		size_t n = i ? i - (i <= chosen) : chosen;
		const char *slash = memchr(type[n].s, '/', type[n].len);
		size_t name = slash ? (size_t)(slash - type[n].s) : type[n].len;
		char *event = xstrndup(type[n].s, name);
		char *unit = slash ? xstrndup(slash + 1, type[n].len - name - 1) : xstrdup("count");

		r->event[n] = profile_event(in->profile, event, !strcmp(unit, "count") ? "samples" :
					    !strcmp(unit, "nanoseconds") ? "ns" : unit);
		free(event);
		free(unit);
	}
	r->nr_types = nr;
	r->section = SAMPLES;
	return true;
}

/* `  1   10000000: 1 2 3` */
static bool take_sample(struct input *in, const char *s, size_t len)
{
	struct raw *r = in->state;
	struct sample sample = { .first = r->nr_numbers };
	const char *whole = s;
	size_t whole_len = len;

	for (size_t i = 0; i < r->nr_types; i++) {
		struct text w = take_word(&s, &len);

		if (i + 1 == r->nr_types && w.len && w.s[w.len - 1] == ':')
			w.len--;
		if (!text_u64(w.s, w.len, UINT64_MAX, &sample.value[i]))
			return lines_bad(&r->lines, in, whole, whole_len, WHAT);
	}
	for (;;) {
		struct text w = take_word(&s, &len);

		if (!w.len)
			break;
		r->number = array_grow(r->number, &r->cap_numbers, r->nr_numbers + 1,
				       sizeof(*r->number));
		if (!text_u64(w.s, w.len, UINT64_MAX, &r->number[r->nr_numbers]) ||
		    sample.nr == FRAMES_MAX)
			return lines_bad(&r->lines, in, whole, whole_len, WHAT);
		r->nr_numbers++;
		sample.nr++;
	}
	r->sample = array_grow(r->sample, &r->cap_samples, r->nr_samples + 1, sizeof(*r->sample));
	r->sample[r->nr_samples++] = sample;
	return true;
}

/* `name file:line:column s=start`: the name may hold blanks, the rest does not. */
static size_t function_length(const char *s, size_t len)
{
	size_t end = len;

	for (int words = 0; words < 2 && end; words++) {
		size_t at = end;

		while (at && !is_blank(s[at - 1]))
			at--;
		if (!at || !(starts_with(s + at, end - at, "s=") || memchr(s + at, ':', end - at)) ||
		    (memmem(s + at, end - at, "::", 2) && !memchr(s + at, '/', end - at)))
			break;
		for (end = at; end && is_blank(s[end - 1]); end--)
			;
	}
	return end;
}

static bool add_function(struct input *in, const char *s, size_t len)
{
	struct raw *r = in->state;
	size_t n;

	s = trim(s, &len);
	n = function_length(s, len);
	r->frames.nr = 0;
	frames_add_shown(&r->frames, s, n ? n : len, false, FRAME_USER, NULL, 0);
	/* What stood there before is inlined into this one. */
	if (r->location[r->nr_locations - 1].nr) {
		struct profile_frame inner = *profile_frame_at(in->profile, r->path[r->nr_path - 1]);

		inner.kind = FRAME_INLINED;
		r->path[r->nr_path - 1] = profile_frame(in->profile, &inner);
	}
	r->path = array_grow(r->path, &r->cap_path, r->nr_path + 1, sizeof(*r->path));
	r->path[r->nr_path++] = r->frames.frame[0];
	r->location[r->nr_locations - 1].nr++;
	return true;
}

/* `  1: 0x42ef04 M=1 name file:1:0 s=1`; what is inlined there follows without number. */
static bool take_location(struct input *in, const char *s, size_t len)
{
	struct raw *r = in->state;
	const char *rest = s;
	size_t rest_len = len;
	struct text w = take_word(&rest, &rest_len), address;
	uint64_t number;

	if (!w.len)
		return true;
	if (w.s[w.len - 1] != ':' || !text_u64(w.s, w.len - 1, UINT64_MAX, &number))
		return r->nr_locations ? add_function(in, s, len) :
					 lines_bad(&r->lines, in, s, len, WHAT);
	r->location = array_grow(r->location, &r->cap_locations, r->nr_locations + 1,
				 sizeof(*r->location));
	r->location[r->nr_locations++] = (struct location){ number, r->nr_path, 0 };
	address = take_word(&rest, &rest_len);
	rest = trim(rest, &rest_len);
	if (starts_with(rest, rest_len, "M="))
		take_word(&rest, &rest_len);
	rest = trim(rest, &rest_len);
	if (!rest_len)
		return add_function(in, address.s, address.len);
	return add_function(in, rest, rest_len);
}

static int compare_locations(const void *a, const void *b)
{
	const struct location *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static bool take_line(struct input *in, const char *s, size_t len)
{
	struct raw *r = in->state;
	size_t text = len;
	const char *t = trim(s, &text);

	if (text == 8 && !memcmp(t, "Samples:", 8)) {
		r->section = TYPES;
		return true;
	}
	if (text == 9 && !memcmp(t, "Locations", 9)) {
		r->section = LOCATIONS;
		return true;
	}
	if (text == 8 && !memcmp(t, "Mappings", 8)) {
		r->section = MAPPINGS;
		return true;
	}
	switch (r->section) {
	case TYPES:
		return take_types(in, s, len);
	case SAMPLES:
		/* Labels of a sample stand below it: `bytes:[8]`. */
		if (!text || memchr(t, '[', text))
			return true;
		return take_sample(in, s, len);
	case LOCATIONS:
		return take_location(in, s, len);
	default:
		return true;
	}
}

static uint32_t push_sample(struct raw *r, const struct sample *s, struct profile *p)
{
	uint32_t stack = PROFILE_ROOT_STACK;

	for (size_t i = s->nr; i-- > 0;) {
		const struct location key = { .number = r->number[s->first + i] };
		const struct location *l = r->nr_locations ?
			bsearch(&key, r->location, r->nr_locations, sizeof(key),
				compare_locations) : NULL;

		if (!l)
			return PROFILE_NO_STACK;
		for (size_t k = l->nr; k-- > 0;)
			stack = profile_push(p, stack, r->path[l->first + k]);
	}
	return stack;
}

static bool raw_finish(struct input *in)
{
	struct raw *r = in->state;

	if (!lines_finish(&r->lines, in, take_line))
		return false;
	lines_sum(&r->lines, in, WHAT);
	if (r->nr_locations)
		qsort(r->location, r->nr_locations, sizeof(*r->location), compare_locations);
	for (size_t i = 0; i < r->nr_samples; i++) {
		uint32_t stack = push_sample(r, &r->sample[i], in->profile);

		if (stack == PROFILE_NO_STACK) {
			msg_error("%s: sample %zu refers to a location that is not there: cut short?",
				  in->name, i + 1);
			return false;
		}
		for (size_t k = 0; k < r->nr_types; k++)
			if (!input_add(in, stack, r->event[k], r->sample[i].value[k], 0))
				return false;
	}
	if (r->nr_samples)
		return true;
	msg_error("%s: no sample in %llu lines: nothing to read", in->name,
		  (unsigned long long)r->lines.number);
	return false;
}

struct probe {
	bool period, samples;
};

static bool probe_line(void *arg, const char *s, size_t len)
{
	struct probe *p = arg;

	p->period |= starts_with(s, len, "PeriodType: ");
	p->samples |= p->period && len == 8 && starts_with(s, len, "Samples:");
	return !p->samples;
}

static int raw_probe(const char *head, size_t len, bool whole)
{
	struct probe p = { 0 };

	lines_of_head(head, len, whole, probe_line, &p);
	return p.samples ? 90 : 0;
}

static bool raw_begin(struct input *in)
{
	struct raw *r = xcalloc(1, sizeof(*r));

	r->frames.p = in->profile;
	in->state = r;
	if (in->options->keep_samples)
		profile_keep_samples(in->profile);
	return true;
}

static bool raw_feed(struct input *in, const char *data, size_t len)
{
	struct raw *r = in->state;

	return lines_feed(&r->lines, in, take_line, data, len);
}

static void raw_end(struct input *in)
{
	struct raw *r = in->state;

	if (!r)
		return;
	lines_free(&r->lines);
	frames_free(&r->frames);
	free(r->sample);
	free(r->number);
	free(r->location);
	free(r->path);
	free(r);
	in->state = NULL;
}

const struct input_format input_pprof_raw = {
	.name = "pprof-raw", .probe = raw_probe, .begin = raw_begin, .feed = raw_feed,
	.finish = raw_finish, .end = raw_end,
};
