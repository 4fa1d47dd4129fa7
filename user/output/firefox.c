// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Firefox Profiler's processed profile, version 48 (its viewer upgrades older versions;
 * docs-developer/CHANGELOG-formats.md and src/types/profile.js of firefox-devtools/profiler
 * describe it). Each thread and event has tables of its own, columns of equal length; a
 * sample's weight is its value.
 */
#include <stdlib.h>
#include <string.h>
#include "flame.h"
#include "output/export.h"
#include "output/json.h"
#include "output/labels.h"
#include "output/tracks.h"
#include "util/mem.h"

#define FIREFOX_VERSION		48	/* of the processed format */
#define GECKO_VERSION		24	/* of the format it is made from in Firefox */
#define RESOURCE_LIBRARY	1

enum { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL, CATEGORY_JIT };

/* Ids of a thread's tables, dense in the order of first use; 0 is "not used". */
struct dense {
	uint32_t *at;		/* by id of the profile: index + 1 */
	uint32_t *id;		/* by index */
	uint32_t nr;
};

struct writer {
	struct json json;
	const struct profile *p;
	struct labels labels;
	struct dense stacks;	/* of the thread in hand, by stack id */
	struct dense names;	/* labels: functions, frames and strings alike */
	struct dense objects;	/* by string id: libraries, of all threads */
	uint32_t *path;
	size_t cap_path;
};

static void dense_init(struct dense *d, size_t nr_ids)
{
	d->at = xcalloc(nr_ids, sizeof(*d->at));
	d->id = xcalloc(nr_ids, sizeof(*d->id));
	d->nr = 0;
}

static void dense_free(struct dense *d)
{
	free(d->at);
	free(d->id);
}

/* Forgets all, at the cost of what was used. */
static void dense_reset(struct dense *d)
{
	while (d->nr)
		d->at[d->id[--d->nr]] = 0;
}

static uint32_t dense_get(struct dense *d, uint32_t id)
{
	if (!d->at[id]) {
		d->id[d->nr] = id;
		d->at[id] = ++d->nr;
	}
	return d->at[id] - 1;
}

static const struct profile_frame *frame_of_label(const struct writer *w, uint32_t label)
{
	return profile_frame_at(w->p, w->labels.frame[label]);
}

static int category(enum frame_kind kind)
{
	switch (kind) {
	case FRAME_KERNEL:
		return CATEGORY_KERNEL;
	case FRAME_JIT:
		return CATEGORY_JIT;
	case FRAME_USER:
	case FRAME_INLINED:
		return CATEGORY_USER;
	default:
		return CATEGORY_OTHER;
	}
}

static uint32_t label_of_stack(const struct writer *w, uint32_t stack)
{
	return w->labels.of[profile_stack_frame(w->p, stack)];
}

/* Gives all stacks of the track and those below them their places, parents first. */
static void number_stacks(struct writer *w, const struct tracks *t, const struct track *track)
{
	dense_reset(&w->stacks);
	dense_reset(&w->names);
	for (size_t i = 0; i < track->nr; i++) {
		size_t nr = 0;

		for (uint32_t s = tracks_sample(t, track->first + i)->stack;
		     s != PROFILE_ROOT_STACK && !w->stacks.at[s]; s = profile_stack_parent(w->p, s)) {
			w->path = array_grow(w->path, &w->cap_path, nr + 1, sizeof(*w->path));
			w->path[nr++] = s;
		}
		while (nr--) {
			dense_get(&w->stacks, w->path[nr]);
			dense_get(&w->names, label_of_stack(w, w->path[nr]));
		}
	}
}

/* A column of @nr equal values. */
static void put_same(struct writer *w, const char *key, size_t nr, const char *value)
{
	json_key(&w->json, key);
	json_open(&w->json, '[');
	for (size_t i = 0; i < nr; i++)
		fprintf(w->json.fp, "%s%s", i ? "," : "", value);
	json_close(&w->json, ']');
}

/* A column of the numbers from 0. */
static void put_count(struct writer *w, const char *key, size_t nr)
{
	json_key(&w->json, key);
	json_open(&w->json, '[');
	for (size_t i = 0; i < nr; i++)
		json_u64(&w->json, i);
	json_close(&w->json, ']');
}

static void put_samples(struct writer *w, const struct tracks *t, const struct track *track)
{
	struct json *j = &w->json;

	json_key(j, "samples");
	json_open(j, '{');
	json_key(j, "stack");
	json_open(j, '[');
	for (size_t i = 0; i < track->nr; i++) {
		uint32_t stack = tracks_sample(t, track->first + i)->stack;

		if (stack == PROFILE_ROOT_STACK)
			json_put_null(j);
		else
			json_u64(j, w->stacks.at[stack] - 1);
	}
	json_close(j, ']');
	json_key(j, "time");
	json_open(j, '[');
	for (size_t i = 0; i < track->nr; i++)
		json_decimal(j, t->timed ? tracks_sample(t, track->first + i)->time : i * 1000000, 6);
	json_close(j, ']');
	json_key(j, "weight");
	json_open(j, '[');
	for (size_t i = 0; i < track->nr; i++)
		json_u64(j, tracks_sample(t, track->first + i)->value);
	json_close(j, ']');
	json_key_string(j, "weightType",
			strcmp(profile_event_unit(w->p, track->event), "bytes") ? "samples" : "bytes");
	json_key_u64(j, "length", track->nr);
	json_close(j, '}');
}

static void put_stack_table(struct writer *w)
{
	struct json *j = &w->json;

	json_key(j, "stackTable");
	json_open(j, '{');
	json_key(j, "frame");
	json_open(j, '[');
	for (uint32_t i = 0; i < w->stacks.nr; i++)
		json_u64(j, w->names.at[label_of_stack(w, w->stacks.id[i])] - 1);
	json_close(j, ']');
	json_key(j, "prefix");
	json_open(j, '[');
	for (uint32_t i = 0; i < w->stacks.nr; i++) {
		uint32_t parent = profile_stack_parent(w->p, w->stacks.id[i]);

		if (parent == PROFILE_ROOT_STACK)
			json_put_null(j);
		else
			json_u64(j, w->stacks.at[parent] - 1);
	}
	json_close(j, ']');
	json_key(j, "category");
	json_open(j, '[');
	for (uint32_t i = 0; i < w->stacks.nr; i++)
		json_u64(j, (uint64_t)category(frame_of_label(w, label_of_stack(w, w->stacks.id[i]))->kind));
	json_close(j, ']');
	put_same(w, "subcategory", w->stacks.nr, "0");
	json_key_u64(j, "length", w->stacks.nr);
	json_close(j, '}');
}

/* One frame and one function for each label. */
static void put_frame_tables(struct writer *w)
{
	struct json *j = &w->json;
	uint32_t nr = w->names.nr;

	json_key(j, "frameTable");
	json_open(j, '{');
	put_same(w, "address", nr, "-1");
	put_same(w, "inlineDepth", nr, "0");
	json_key(j, "category");
	json_open(j, '[');
	for (uint32_t i = 0; i < nr; i++)
		json_u64(j, (uint64_t)category(frame_of_label(w, w->names.id[i])->kind));
	json_close(j, ']');
	put_same(w, "subcategory", nr, "0");
	put_count(w, "func", nr);
	put_same(w, "nativeSymbol", nr, "null");
	put_same(w, "innerWindowID", nr, "0");
	put_same(w, "implementation", nr, "null");
	put_same(w, "line", nr, "null");
	put_same(w, "column", nr, "null");
	json_key_u64(j, "length", nr);
	json_close(j, '}');
	json_key(j, "funcTable");
	json_open(j, '{');
	put_same(w, "isJS", nr, "false");
	put_same(w, "relevantForJS", nr, "false");
	put_count(w, "name", nr);
	json_key(j, "resource");
	json_open(j, '[');
	for (uint32_t i = 0; i < nr; i++) {
		uint32_t object = frame_of_label(w, w->names.id[i])->object;

		if (object == PROFILE_NO_STRING)
			fprintf(j->fp, "%s-1", i ? "," : "");
		else
			json_u64(j, w->objects.at[object] - 1);
		j->comma = true;
	}
	json_close(j, ']');
	put_same(w, "fileName", nr, "null");
	put_same(w, "lineNumber", nr, "null");
	put_same(w, "columnNumber", nr, "null");
	json_key_u64(j, "length", nr);
	json_close(j, '}');
}

/* Every thread knows all libraries; their names stand behind those of its functions. */
static void put_strings(struct writer *w)
{
	struct json *j = &w->json;
	uint32_t nr = w->objects.nr;

	json_key(j, "resourceTable");
	json_open(j, '{');
	put_count(w, "lib", nr);
	json_key(j, "name");
	json_open(j, '[');
	for (uint32_t i = 0; i < nr; i++)
		json_u64(j, w->names.nr + i);
	json_close(j, ']');
	put_same(w, "host", nr, "null");
	json_key(j, "type");
	json_open(j, '[');
	for (uint32_t i = 0; i < nr; i++)
		json_u64(j, RESOURCE_LIBRARY);
	json_close(j, ']');
	json_key_u64(j, "length", nr);
	json_close(j, '}');
	json_key(j, "stringArray");
	json_open(j, '[');
	for (uint32_t i = 0; i < w->names.nr; i++)
		json_put_string(j, w->labels.text[w->names.id[i]]);
	for (uint32_t i = 0; i < nr; i++)
		json_put_string(j, profile_text(w->p, w->objects.id[i]));
	json_close(j, ']');
}

static void put_empty_tables(struct writer *w)
{
	static const char tables[] =
		"\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],"
		"\"length\":0},"
		"\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],"
		"\"category\":[],\"length\":0},"
		"\"pausedRanges\":[]";

	fprintf(w->json.fp, "%s%s", w->json.comma ? "," : "", tables);
	w->json.comma = true;
}

static void put_number_string(struct json *j, const char *key, uint32_t number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	json_key_string(j, key, text);
}

static void put_thread(struct writer *w, const struct tracks *t, const struct track *track)
{
	const char *event = profile_event_name(w->p, track->event);
	const char *comm = profile_text(w->p, track->comm);
	struct json *j = &w->json;
	char *name;

	if (profile_nr_events(w->p) > 1 && *comm)
		name = xasprintf("%s: %s", comm, event);
	else
		name = xstrdup(*comm ? comm : *event ? event : "all");
	number_stacks(w, t, track);
	json_newline(j);
	json_open(j, '{');
	json_key_string(j, "processType", "default");
	json_key_u64(j, "processStartupTime", 0);
	json_key(j, "processShutdownTime");
	json_put_null(j);
	json_key_u64(j, "registerTime", 0);
	json_key(j, "unregisterTime");
	json_put_null(j);
	json_key_string(j, "name", name);
	json_key_string(j, "processName", name);
	json_key(j, "isMainThread");
	json_bool(j, track->pid == track->tid);
	put_number_string(j, "pid", track->pid);
	put_number_string(j, "tid", track->tid ? track->tid : track->cpu);
	put_samples(w, t, track);
	put_stack_table(w);
	put_frame_tables(w);
	put_strings(w);
	put_empty_tables(w);
	json_close(j, '}');
	free(name);
}

static void put_category(struct json *j, const char *name, const char *color)
{
	json_open(j, '{');
	json_key_string(j, "name", name);
	json_key_string(j, "color", color);
	json_key(j, "subcategories");
	json_open(j, '[');
	json_put_string(j, "Other");
	json_close(j, ']');
	json_close(j, '}');
}

static void put_meta(struct writer *w)
{
	const struct profile_meta *meta = profile_meta((struct profile *)w->p);
	struct json *j = &w->json;

	json_key(j, "meta");
	json_open(j, '{');
	json_key_u64(j, "version", GECKO_VERSION);
	json_key_u64(j, "preprocessedProfileVersion", FIREFOX_VERSION);
	json_key(j, "interval");
	json_decimal(j, meta->frequency ? 1000000000 / meta->frequency : 1000000, 6);
	json_key_u64(j, "startTime", 0);
	json_key_u64(j, "processType", 0);
	json_key_u64(j, "stackwalk", 1);
	json_key(j, "debug");
	json_bool(j, false);
	json_key_string(j, "product", "flame");
	json_key_string(j, "importedFrom", "flame " FLAME_VERSION);
	if (*meta->kernel)
		json_key_string(j, "oscpu", meta->kernel);
	json_key(j, "symbolicated");
	json_bool(j, true);
	json_key(j, "categories");
	json_open(j, '[');
	/* In the order of the CATEGORY_ numbers; the viewer wants a grey one. */
	put_category(j, "Other", "grey");
	put_category(j, "User", "yellow");
	put_category(j, "Kernel", "orange");
	put_category(j, "JIT", "green");
	json_close(j, ']');
	json_key(j, "markerSchema");
	json_open(j, '[');
	json_close(j, ']');
	json_close(j, '}');
}

static void put_libs(struct writer *w)
{
	struct json *j = &w->json;

	json_key(j, "libs");
	json_open(j, '[');
	for (uint32_t i = 0; i < w->objects.nr; i++) {
		const char *path = profile_text(w->p, w->objects.id[i]);
		const char *slash = strrchr(path, '/');
		const char *name = slash && slash[1] ? slash + 1 : path;

		json_open(j, '{');
		json_key_string(j, "arch", "");
		json_key_string(j, "name", name);
		json_key_string(j, "path", path);
		json_key_string(j, "debugName", name);
		json_key_string(j, "debugPath", path);
		json_key_string(j, "breakpadId", "");
		json_key(j, "codeId");
		json_put_null(j);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static bool write_firefox(FILE *fp, const struct profile *p, const struct export_options *o)
{
	struct writer w = { .json.fp = fp, .p = p };
	struct json *j = &w.json;
	uint32_t nr_strings = 1;
	struct tracks t;

	labels_of_profile(&w.labels, p, o->annotate);
	tracks_of_profile(&t, p, o->event);
	for (uint32_t i = 0; i < w.labels.nr; i++)
		if (frame_of_label(&w, i)->object >= nr_strings)
			nr_strings = frame_of_label(&w, i)->object + 1;
	dense_init(&w.objects, nr_strings);
	dense_init(&w.stacks, profile_nr_stacks(p));
	dense_init(&w.names, w.labels.nr);
	for (uint32_t i = 0; i < w.labels.nr; i++)
		if (frame_of_label(&w, i)->object != PROFILE_NO_STRING)
			dense_get(&w.objects, frame_of_label(&w, i)->object);
	json_open(j, '{');
	put_meta(&w);
	put_libs(&w);
	json_key(j, "pages");
	json_open(j, '[');
	json_close(j, ']');
	json_key(j, "threads");
	json_open(j, '[');
	for (size_t i = 0; i < t.nr; i++)
		put_thread(&w, &t, &t.track[i]);
	json_close(j, ']');
	json_close(j, '}');
	putc('\n', fp);
	dense_free(&w.objects);
	dense_free(&w.stacks);
	dense_free(&w.names);
	tracks_free(&t);
	labels_free(&w.labels);
	free(w.path);
	return true;
}

const struct export_format export_firefox = {
	.name = "firefox",
	.samples = true,
	.several = true,
	.rounds = true,
	.max = EXPORT_MAX_DOUBLE,
	.write = write_firefox,
};
