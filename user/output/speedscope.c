// SPDX-License-Identifier: GPL-2.0-only
/*
 * speedscope's own format (src/lib/file-format-spec.ts of jlfwong/speedscope): frames
 * once, then a "sampled" profile for each thread and event, whose weights follow each
 * other on its axis.
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
	uint32_t *path;		/* labels of one stack, leaf first */
	size_t cap_path;
};

/* The units it knows; all others are "none". */
static const char *unit_name(const char *unit)
{
	static const char *const units[][2] = {
		{ "ns", "nanoseconds" }, { "nanoseconds", "nanoseconds" },
		{ "µs", "microseconds" }, { "us", "microseconds" },
		{ "microseconds", "microseconds" }, { "ms", "milliseconds" },
		{ "milliseconds", "milliseconds" }, { "s", "seconds" }, { "seconds", "seconds" },
		{ "bytes", "bytes" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i][0], unit))
			return units[i][1];
	return "none";
}

static void put_frames(struct writer *w)
{
	struct json *j = &w->json;

	json_key(j, "shared");
	json_open(j, '{');
	json_key(j, "frames");
	json_open(j, '[');
	for (uint32_t i = 0; i < w->labels.nr; i++) {
		const struct profile_frame *f = profile_frame_at(w->p, w->labels.frame[i]);

		json_newline(j);
		json_open(j, '{');
		json_key_string(j, "name", w->labels.text[i]);
		if (f->object != PROFILE_NO_STRING)
			json_key_string(j, "file", profile_text(w->p, f->object));
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

static void put_stack(struct writer *w, uint32_t stack)
{
	struct json *j = &w->json;
	size_t nr = 0;

	for (uint32_t s = stack; s != PROFILE_ROOT_STACK; s = profile_stack_parent(w->p, s)) {
		w->path = array_grow(w->path, &w->cap_path, nr + 1, sizeof(*w->path));
		w->path[nr++] = w->labels.of[profile_stack_frame(w->p, s)];
	}
	json_open(j, '[');
	while (nr--)
		json_u64(j, w->path[nr]);
	json_close(j, ']');
}

/* "redis-server 812/815: timer", as far as these are known and tell tracks apart. */
static char *track_name(const struct writer *w, const struct tracks *t, const struct track *track)
{
	const char *event = profile_event_name(w->p, track->event);
	bool events = profile_nr_events(w->p) > 1;

	if (!t->timed)
		return xstrdup(*event ? event : profile_event_unit(w->p, track->event));
	return xasprintf("%s %u/%u%s%s", profile_text(w->p, track->comm), track->pid, track->tid,
			 events ? ": " : "", events ? event : "");
}

static void put_track(struct writer *w, const struct tracks *t, const struct track *track)
{
	struct json *j = &w->json;
	char *name = track_name(w, t, track);

	json_newline(j);
	json_open(j, '{');
	json_key_string(j, "type", "sampled");
	json_key_string(j, "name", name);
	json_key_string(j, "unit", unit_name(profile_event_unit(w->p, track->event)));
	json_key_u64(j, "startValue", 0);
	json_key_u64(j, "endValue", track->total);
	json_key(j, "samples");
	json_open(j, '[');
	for (size_t i = 0; i < track->nr; i++)
		put_stack(w, tracks_sample(t, track->first + i)->stack);
	json_close(j, ']');
	json_key(j, "weights");
	json_open(j, '[');
	for (size_t i = 0; i < track->nr; i++)
		json_u64(j, tracks_sample(t, track->first + i)->value);
	json_close(j, ']');
	json_close(j, '}');
	free(name);
}

static bool write_speedscope(FILE *fp, const struct profile *p, const struct export_options *o)
{
	struct writer w = { .json.fp = fp, .p = p };
	struct json *j = &w.json;
	struct tracks t;

	labels_of_profile(&w.labels, p, o->annotate);
	tracks_of_profile(&t, p, o->event);
	json_open(j, '{');
	json_key_string(j, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_key_string(j, "exporter", "flame@" FLAME_VERSION);
	json_key_string(j, "name", "flame");
	json_key_u64(j, "activeProfileIndex", 0);
	put_frames(&w);
	json_key(j, "profiles");
	json_open(j, '[');
	for (size_t i = 0; i < t.nr; i++)
		put_track(&w, &t, &t.track[i]);
	json_close(j, ']');
	json_close(j, '}');
	putc('\n', fp);
	tracks_free(&t);
	labels_free(&w.labels);
	free(w.path);
	return true;
}

const struct export_format export_speedscope = {
	.name = "speedscope",
	.samples = true,
	.several = true,
	.rounds = true,
	.max = EXPORT_MAX_DOUBLE,
	.write = write_speedscope,
};
