// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chrome's trace event format (JSON object form): frames as begin and end events of their
 * thread, for Perfetto, about:tracing and speedscope. A sample stands for the time its
 * value says, or for one period; neighbours that begin alike share frames. Without times
 * the stacks follow each other, one microsecond for each unit of their value.
 */
#include <stdlib.h>
#include <string.h>
#include "flame.h"
#include "output/export.h"
#include "output/json.h"
#include "output/labels.h"
#include "output/tracks.h"
#include "util/mem.h"

struct writer {
	struct json json;
	const struct profile *p;
	struct labels labels;
	uint32_t *frames;	/* of the sample in hand, root first: labels */
	size_t cap_frames;
	uint32_t *open;		/* begun and not ended, root first */
	size_t nr_open, cap_open;
	uint32_t pid, tid;
};

/* Nanoseconds that one of @unit is; 0: no unit of time. */
static uint64_t unit_ns(const char *unit)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 }, { "nanoseconds", 1 }, { "µs", 1000 }, { "us", 1000 },
		{ "microseconds", 1000 }, { "ms", 1000000 }, { "milliseconds", 1000000 },
		{ "s", 1000000000 }, { "seconds", 1000000000 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].name, unit))
			return units[i].ns;
	return 0;
}

/* @ns as the format wants it: microseconds. */
static void put_event(struct writer *w, const char *phase, uint64_t ns, const char *name)
{
	struct json *j = &w->json;

	json_newline(j);
	json_open(j, '{');
	json_key_string(j, "ph", phase);
	json_key_u64(j, "pid", w->pid);
	json_key_u64(j, "tid", w->tid);
	json_key(j, "ts");
	json_decimal(j, ns, 3);
	json_key_string(j, "name", name);
	json_close(j, '}');
}

static void end_frames(struct writer *w, size_t keep, uint64_t ns)
{
	while (w->nr_open > keep)
		put_event(w, "E", ns, w->labels.text[w->open[--w->nr_open]]);
}

static void begin_frames(struct writer *w, size_t nr, uint64_t ns)
{
	while (w->nr_open < nr) {
		w->open = array_grow(w->open, &w->cap_open, w->nr_open + 1, sizeof(*w->open));
		w->open[w->nr_open] = w->frames[w->nr_open];
		put_event(w, "B", ns, w->labels.text[w->open[w->nr_open++]]);
	}
}

static size_t load_frames(struct writer *w, uint32_t stack)
{
	size_t nr = 0;

	for (uint32_t s = stack; s != PROFILE_ROOT_STACK; s = profile_stack_parent(w->p, s)) {
		w->frames = array_grow(w->frames, &w->cap_frames, nr + 1, sizeof(*w->frames));
		w->frames[nr++] = w->labels.of[profile_stack_frame(w->p, s)];
	}
	for (size_t i = 0; i < nr / 2; i++) {
		uint32_t frame = w->frames[i];

		w->frames[i] = w->frames[nr - 1 - i];
		w->frames[nr - 1 - i] = frame;
	}
	return nr;
}

/* How long a sample lasts: its value if that is a time, one period, or until the next. */
static uint64_t length_of(const struct tracks *t, const struct track *track, size_t i)
{
	const struct profile_sample *s = tracks_sample(t, track->first + i), *next;
	uint64_t ns = unit_ns(profile_event_unit(t->p, track->event));
	uint32_t frequency = profile_meta((struct profile *)t->p)->frequency;

	if (!t->timed)
		return s->value * (ns ? ns : 1000);
	if (ns)
		return s->value * ns;
	if (frequency)
		return 1000000000 / frequency;
	if (i + 1 == track->nr)
		return 1000;
	next = tracks_sample(t, track->first + i + 1);
	return next->time - s->time;
}

static void put_track(struct writer *w, const struct tracks *t, const struct track *track)
{
	uint64_t end = 0;

	for (size_t i = 0; i < track->nr; i++) {
		const struct profile_sample *s = tracks_sample(t, track->first + i);
		uint64_t length = length_of(t, track, i);
		uint64_t begin = t->timed ? s->time : end;
		size_t nr = load_frames(w, s->stack), same = 0;

		/* A late tick leaves a gap of less than half a period: no end for that. */
		if (begin > end + length / 2) {
			end_frames(w, 0, end);
			end = begin;
		}
		while (same < nr && same < w->nr_open && w->frames[same] == w->open[same])
			same++;
		end_frames(w, same, end);
		begin_frames(w, nr, end);
		if (begin + length > end)
			end = begin + length;
	}
	end_frames(w, 0, end);
}

/* A metadata event: what the process or thread is called. */
static void put_name(struct writer *w, const char *what, const char *name)
{
	struct json *j = &w->json;

	json_newline(j);
	json_open(j, '{');
	json_key_string(j, "ph", "M");
	json_key_u64(j, "pid", w->pid);
	json_key_u64(j, "tid", w->tid);
	json_key_string(j, "name", what);
	json_key(j, "args");
	json_open(j, '{');
	json_key_string(j, "name", name);
	json_close(j, '}');
	json_close(j, '}');
}

static bool write_chrome(FILE *fp, const struct profile *p, const struct export_options *o)
{
	struct writer w = { .json.fp = fp, .p = p };
	struct tracks t;

	labels_of_profile(&w.labels, p, o->annotate);
	tracks_of_profile(&t, p, o->event);
	json_open(&w.json, '{');
	json_key_string(&w.json, "displayTimeUnit", "ns");
	json_key(&w.json, "otherData");
	json_open(&w.json, '{');
	json_key_string(&w.json, "flame", FLAME_VERSION);
	json_close(&w.json, '}');
	json_key(&w.json, "traceEvents");
	json_open(&w.json, '[');
	for (size_t i = 0; i < t.nr; i++) {
		const struct track *track = &t.track[i];
		const char *comm = profile_text(p, track->comm);

		w.pid = track->pid;
		w.tid = track->tid ? track->tid : track->cpu;
		if (t.timed && w.pid == w.tid)
			put_name(&w, "process_name", comm);
		if (t.timed)
			put_name(&w, "thread_name", comm);
		put_track(&w, &t, track);
	}
	json_close(&w.json, ']');
	json_close(&w.json, '}');
	putc('\n', fp);
	tracks_free(&t);
	labels_free(&w.labels);
	free(w.frames);
	free(w.open);
	return true;
}

const struct export_format export_chrome = {
	.name = "chrome",
	.samples = true,
	.rounds = true,
	.max = EXPORT_MAX_DOUBLE / 1000,
	.write = write_chrome,
};
