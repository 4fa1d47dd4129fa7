// SPDX-License-Identifier: GPL-2.0-only
/*
 * pprof's profile.proto, gzipped. A message that is written in pieces is the same as one
 * written whole, so each element is packed by itself as a Profile that holds just it: no
 * tree of the whole is ever in memory. Functions are labels, locations are frames.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "output/export.h"
#include "output/labels.h"
#include "profile.pb-c.h"
#include "util/mem.h"

#define OUT_BYTES	65536

struct writer {
	FILE *fp;
	const struct profile *p;
	const struct export_options *o;
	struct labels labels;
	z_stream z;
	unsigned char out[OUT_BYTES];
	uint8_t *packed;
	size_t cap_packed;
	int64_t nr_strings;
	int64_t *objects;	/* by string id: index in the string table, 0: none yet */
	uint64_t *limits;	/* by string id: behind the highest offset seen */
	uint32_t nr_objects;	/* string ids below this occur as objects */
};

static void deflate_all(struct writer *w, uint8_t *bytes, size_t len, int flush)
{
	w->z.next_in = bytes;
	w->z.avail_in = (uInt)len;
	do {
		w->z.next_out = w->out;
		w->z.avail_out = sizeof(w->out);
		deflate(&w->z, flush);
		fwrite(w->out, 1, sizeof(w->out) - w->z.avail_out, w->fp);
	} while (!w->z.avail_out);
}

static void put(struct writer *w, const Pprof__Profile *piece)
{
	size_t len = pprof__profile__get_packed_size(piece);

	w->packed = array_grow(w->packed, &w->cap_packed, len, 1);
	pprof__profile__pack(piece, w->packed);
	deflate_all(w, w->packed, len, Z_NO_FLUSH);
}

/* Returns its index in the string table. */
static int64_t put_text(struct writer *w, const char *text)
{
	/* Packing does not write to it. */
	ProtobufCBinaryData string = { strlen(text), (uint8_t *)text };
	Pprof__Profile piece = PPROF__PROFILE__INIT;

	piece.n_string_table = 1;
	piece.string_table = &string;
	put(w, &piece);
	return w->nr_strings++;
}

static bool wanted(const struct writer *w, uint32_t event)
{
	return w->o->event == EXPORT_ALL_EVENTS || w->o->event == event;
}

/* pprof's own units where it has one for ours. */
static const char *unit_name(const char *unit)
{
	static const char *const units[][2] = {
		{ "samples", "count" }, { "ns", "nanoseconds" }, { "µs", "microseconds" },
		{ "us", "microseconds" }, { "ms", "milliseconds" }, { "s", "seconds" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i][0], unit))
			return units[i][1];
	return unit;
}

static void put_event(struct writer *w, uint32_t event)
{
	const char *name = profile_event_name(w->p, event), *unit = profile_event_unit(w->p, event);
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT, *types = &type;
	Pprof__Profile piece = PPROF__PROFILE__INIT;

	type.type = put_text(w, *name ? name : unit);
	type.unit = put_text(w, unit_name(unit));
	piece.n_sample_type = 1;
	piece.sample_type = &types;
	put(w, &piece);
}

static void put_comment(struct writer *w, const char *name, const char *value)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	int64_t string;
	char *text;

	if (!*value)
		return;
	text = xasprintf("%s: %s", name, value);
	string = put_text(w, text);
	piece.n_comment = 1;
	piece.comment = &string;
	put(w, &piece);
	free(text);
}

static void put_head(struct writer *w)
{
	const struct profile_meta *meta = profile_meta((struct profile *)w->p);
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT;
	Pprof__Profile piece = PPROF__PROFILE__INIT;

	put_text(w, "");
	for (uint32_t e = 0; e < profile_nr_events(w->p); e++)
		if (wanted(w, e))
			put_event(w, e);
	if (meta->duration_ns <= INT64_MAX)
		piece.duration_nanos = (int64_t)meta->duration_ns;
	if (meta->frequency) {
		type.type = put_text(w, "cpu");
		type.unit = put_text(w, "nanoseconds");
		piece.period_type = &type;
		piece.period = 1000000000 / meta->frequency;
	}
	put(w, &piece);
	put_comment(w, "host", meta->host);
	put_comment(w, "kernel", meta->kernel);
}

/* A mapping for each object, its id the object's string id; its place is not known. */
static void put_objects(struct writer *w)
{
	uint32_t nr = profile_nr_frames(w->p);

	for (uint32_t i = 0; i < nr; i++)
		if (profile_frame_at(w->p, i)->object >= w->nr_objects)
			w->nr_objects = profile_frame_at(w->p, i)->object + 1;
	w->objects = xcalloc(w->nr_objects, sizeof(*w->objects));
	w->limits = xcalloc(w->nr_objects, sizeof(*w->limits));
	for (uint32_t i = 0; i < nr; i++) {
		const struct profile_frame *f = profile_frame_at(w->p, i);

		if (f->offset < UINT64_MAX - 1 && f->offset >= w->limits[f->object])
			w->limits[f->object] = f->offset + 1;
		if (f->object != PROFILE_NO_STRING && !w->objects[f->object])
			w->objects[f->object] = put_text(w, profile_text(w->p, f->object));
	}
	for (uint32_t i = 0; i < w->nr_objects; i++) {
		Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings = &mapping;
		Pprof__Profile piece = PPROF__PROFILE__INIT;

		if (!w->objects[i])
			continue;
		mapping.id = i;
		mapping.memory_limit = w->limits[i];
		mapping.filename = w->objects[i];
		mapping.has_functions = 1;	/* or pprof would look for names itself */
		piece.n_mapping = 1;
		piece.mapping = &mappings;
		put(w, &piece);
	}
}

static void put_functions(struct writer *w)
{
	for (uint32_t i = 0; i < w->labels.nr; i++) {
		const struct profile_frame *f = profile_frame_at(w->p, w->labels.frame[i]);
		Pprof__Function function = PPROF__FUNCTION__INIT, *functions = &function;
		Pprof__Profile piece = PPROF__PROFILE__INIT;

		function.id = i + 1;
		function.name = put_text(w, w->labels.text[i]);
		function.system_name = function.name;
		function.filename = w->objects[f->object];
		piece.n_function = 1;
		piece.function = &functions;
		put(w, &piece);
	}
}

static void put_locations(struct writer *w)
{
	uint32_t nr = profile_nr_frames(w->p);

	for (uint32_t i = 0; i < nr; i++) {
		const struct profile_frame *f = profile_frame_at(w->p, i);
		Pprof__Location location = PPROF__LOCATION__INIT, *locations = &location;
		Pprof__Line line = PPROF__LINE__INIT, *lines = &line;
		Pprof__Profile piece = PPROF__PROFILE__INIT;

		line.function_id = w->labels.of[i] + 1;
		location.id = i + 1;
		location.mapping_id = f->object;
		location.address = f->offset == PROFILE_NO_OFFSET ? 0 : f->offset;
		location.n_line = 1;
		location.line = &lines;
		piece.n_location = 1;
		piece.location = &locations;
		put(w, &piece);
	}
}

static void put_samples(struct writer *w)
{
	uint32_t nr = profile_nr_stacks(w->p), nr_events = profile_nr_events(w->p);
	int64_t *values = xcalloc(nr_events, sizeof(*values));
	uint64_t *path = NULL;
	size_t cap = 0;

	for (uint32_t s = 0; s < nr; s++) {
		Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples = &sample;
		Pprof__Profile piece = PPROF__PROFILE__INIT;
		bool any = false;

		for (uint32_t e = 0; e < nr_events; e++) {
			if (!wanted(w, e))
				continue;
			values[sample.n_value++] = (int64_t)profile_self(w->p, s, e);
			any |= profile_self(w->p, s, e) != 0;
		}
		if (!any)
			continue;
		for (uint32_t at = s; at != PROFILE_ROOT_STACK;
		     at = profile_stack_parent(w->p, at)) {
			path = array_grow(path, &cap, sample.n_location_id + 1, sizeof(*path));
			path[sample.n_location_id++] = profile_stack_frame(w->p, at) + 1;
		}
		sample.value = values;
		sample.location_id = path;
		piece.n_sample = 1;
		piece.sample = &samples;
		put(w, &piece);
	}
	free(values);
	free(path);
}

static bool write_pprof(FILE *fp, const struct profile *p, const struct export_options *o)
{
	struct writer *w = xcalloc(1, sizeof(*w));

	w->fp = fp;
	w->p = p;
	w->o = o;
	/* 16 + 15: a gzip header, without a time; it fails only without memory. */
	if (deflateInit2(&w->z, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY) == Z_OK) {
		labels_of_profile(&w->labels, p, o->annotate);
		put_head(w);
		put_objects(w);
		put_functions(w);
		put_locations(w);
		put_samples(w);
		deflate_all(w, w->packed, 0, Z_FINISH);
		deflateEnd(&w->z);
		labels_free(&w->labels);
	}
	free(w->packed);
	free(w->objects);
	free(w->limits);
	free(w);
	return true;
}

const struct export_format export_pprof = {
	.name = "pprof",
	.binary = true,
	.several = true,
	.max = INT64_MAX,
	.write = write_pprof,
};
