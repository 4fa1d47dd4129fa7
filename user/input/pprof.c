// SPDX-License-Identifier: GPL-2.0-only
/*
 * pprof's profile.proto (gzipped or not). Samples stand before the names they refer to, so
 * the message is held whole; of its elements one is unpacked at a time. Every sample type
 * becomes an event, the default one the first.
 */
#include <stdlib.h>
#include <string.h>
#include "input/frames.h"
#include "input/held.h"
#include "input/input.h"
#include "profile.pb-c.h"
#include "util/mem.h"
#include "util/msg.h"

#define TYPES_MAX	64

struct span {
	const uint8_t *bytes;
	size_t len;
};

/* A location's functions, innermost first: indices into functions[]. */
struct location {
	uint64_t id, address, mapping;
	size_t first, nr;
};

struct named {
	uint64_t id;
	int64_t name, file;
};

struct pprof {
	struct held held;
	struct frames frames;
	struct span *string;
	size_t nr_strings, cap_strings;
	struct named *function, *mapping;
	size_t nr_functions, cap_functions, nr_mappings, cap_mappings;
	struct location *location;
	size_t nr_locations, cap_locations;
	uint64_t *line;			/* function ids of all locations */
	size_t nr_lines, cap_lines;
	struct { int64_t type, unit; uint32_t event; } type[TYPES_MAX];
	size_t nr_types, chosen;
	int64_t default_type;
	uint64_t nr_samples;
};

/* The fields of the outermost message; of submessages protobuf-c takes care. */
enum { SAMPLE_TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING, DURATION = 10, DEFAULT = 14 };

static bool varint(struct span *in, uint64_t *value)
{
	*value = 0;
	for (unsigned int shift = 0; shift < 64 && in->len; shift += 7) {
		uint8_t byte = *in->bytes++;

		in->len--;
		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* The next field: its number; of a varint the value, else the bytes. 0: damaged. */
static uint32_t next_field(struct span *in, uint64_t *value, struct span *bytes)
{
	uint64_t tag, skip = 0;

	*bytes = (struct span){ 0 };
	*value = 0;
	if (!varint(in, &tag) || tag >> 3 == 0 || tag >> 3 > INT32_MAX)
		return 0;
	switch (tag & 7) {
	case 0:
		return varint(in, value) ? (uint32_t)(tag >> 3) : 0;
	case 1:
		skip = 8;
		break;
	case 2:
		if (!varint(in, &skip))
			return 0;
		break;
	case 5:
		skip = 4;
		break;
	default:
		return 0;
	}
	if (skip > in->len)
		return 0;
	*bytes = (struct span){ in->bytes, (size_t)skip };
	in->bytes += skip;
	in->len -= (size_t)skip;
	return (uint32_t)(tag >> 3);
}

static bool damaged(const struct input *in, const struct span *at, const char *what)
{
	const struct pprof *r = in->state;

	msg_error("%s: damaged at offset %zu: %s", in->name,
		  (size_t)(at->bytes - (const uint8_t *)r->held.bytes), what);
	return false;
}

static struct span string_at(const struct pprof *r, int64_t index)
{
	if (index < 0 || (uint64_t)index >= r->nr_strings)
		return (struct span){ 0 };
	return r->string[index];
}

static bool take_type(struct pprof *r, const struct span *bytes)
{
	Pprof__ValueType *t = pprof__value_type__unpack(NULL, bytes->len, bytes->bytes);

	if (!t || r->nr_types == TYPES_MAX) {
		if (t)
			pprof__value_type__free_unpacked(t, NULL);
		return false;
	}
	r->type[r->nr_types].type = t->type;
	r->type[r->nr_types++].unit = t->unit;
	pprof__value_type__free_unpacked(t, NULL);
	return true;
}

static bool take_function(struct pprof *r, const struct span *bytes)
{
	Pprof__Function *f = pprof__function__unpack(NULL, bytes->len, bytes->bytes);

	if (!f)
		return false;
	r->function = array_grow(r->function, &r->cap_functions, r->nr_functions + 1,
				 sizeof(*r->function));
	r->function[r->nr_functions++] = (struct named){ f->id, f->name, f->filename };
	pprof__function__free_unpacked(f, NULL);
	return true;
}

static bool take_mapping(struct pprof *r, const struct span *bytes)
{
	Pprof__Mapping *m = pprof__mapping__unpack(NULL, bytes->len, bytes->bytes);

	if (!m)
		return false;
	r->mapping = array_grow(r->mapping, &r->cap_mappings, r->nr_mappings + 1,
				sizeof(*r->mapping));
	r->mapping[r->nr_mappings++] = (struct named){ m->id, m->filename, 0 };
	pprof__mapping__free_unpacked(m, NULL);
	return true;
}

static bool take_location(struct pprof *r, const struct span *bytes)
{
	Pprof__Location *l = pprof__location__unpack(NULL, bytes->len, bytes->bytes);

	if (!l)
		return false;
	r->location = array_grow(r->location, &r->cap_locations, r->nr_locations + 1,
				 sizeof(*r->location));
	r->location[r->nr_locations++] = (struct location){
		.id = l->id, .address = l->address, .mapping = l->mapping_id,
		.first = r->nr_lines, .nr = l->n_line,
	};
	r->line = array_grow(r->line, &r->cap_lines, r->nr_lines + l->n_line, sizeof(*r->line));
	for (size_t i = 0; i < l->n_line; i++)
		r->line[r->nr_lines++] = l->line[i]->function_id;
	pprof__location__free_unpacked(l, NULL);
	return true;
}

static bool take_table(struct input *in, uint32_t field, uint64_t value, const struct span *bytes)
{
	struct pprof *r = in->state;

	switch (field) {
	case SAMPLE_TYPE:
		return take_type(r, bytes);
	case MAPPING:
		return take_mapping(r, bytes);
	case LOCATION:
		return take_location(r, bytes);
	case FUNCTION:
		return take_function(r, bytes);
	case STRING:
		r->string = array_grow(r->string, &r->cap_strings, r->nr_strings + 1,
				       sizeof(*r->string));
		r->string[r->nr_strings++] = *bytes;
		return true;
	case DURATION:
		profile_meta(in->profile)->duration_ns = value;
		return true;
	case DEFAULT:
		r->default_type = (int64_t)value;
		return true;
	default:
		return true;
	}
}

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int compare_location(const void *a, const void *b)
{
	const struct location *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static const struct named *find_named(const struct named *table, size_t nr, uint64_t id)
{
	const struct named key = { .id = id };

	return nr ? bsearch(&key, table, nr, sizeof(*table), compare_named) : NULL;
}

static bool is_text(const struct pprof *r, int64_t string, const char *text)
{
	struct span s = string_at(r, string);

	return s.len == strlen(text) && !memcmp(s.bytes ? (const char *)s.bytes : "", text, s.len);
}

/* The type that is asked for, or is the profile's default, or stands last, as pprof has it. */
static bool choose_type(struct input *in)
{
	struct pprof *r = in->state;

	r->chosen = r->nr_types - 1;
	for (size_t i = r->nr_types; i-- > 0;) {
		if (in->options->event && strcmp(in->options->event, "all") != 0) {
			if (is_text(r, r->type[i].type, in->options->event)) {
				r->chosen = i;
				return true;
			}
		} else if (in->options->count) {
			if (is_text(r, r->type[i].unit, "count"))
				r->chosen = i;
		} else if (r->default_type && r->type[i].type == r->default_type) {
			r->chosen = i;
		}
	}
	if (!in->options->event || !strcmp(in->options->event, "all"))
		return true;
	msg_error("%s: no sample type %s", in->name, in->options->event);
	return false;
}

static void make_events(struct input *in)
{
	struct pprof *r = in->state;

	for (size_t n = 0; n < r->nr_types; n++) {
		size_t i = n ? n - (n <= r->chosen) : r->chosen;
		struct span type = string_at(r, r->type[i].type);
		struct span unit = string_at(r, r->type[i].unit);
		char *name = xstrndup(type.bytes ? (const char *)type.bytes : "", type.len);
		char *of = xstrndup(unit.bytes ? (const char *)unit.bytes : "", unit.len);

		r->type[i].event = profile_event(in->profile, name,
						 !strcmp(of, "count") ? "samples" :
						 !strcmp(of, "nanoseconds") ? "ns" : of);
		free(name);
		free(of);
	}
}

static bool add_function(struct pprof *r, const struct location *l, size_t i, bool root)
{
	const struct named *f = find_named(r->function, r->nr_functions, r->line[l->first + i]);
	const struct named *m = find_named(r->mapping, r->nr_mappings, l->mapping);
	struct span name = f ? string_at(r, f->name) : (struct span){ 0 };
	struct span object = m ? string_at(r, m->name) : (struct span){ 0 };

	if (!name.len)
		name = (struct span){ (const uint8_t *)"[unknown]", 9 };
	return frames_add_shown(&r->frames, (const char *)name.bytes, name.len, root,
				i + 1 < l->nr ? FRAME_INLINED : FRAME_USER,
				(const char *)object.bytes, object.len);
}

/* A location without a function: [libfoo.so]+0x12, as pprof itself cannot name it. */
static bool add_unnamed(struct pprof *r, const struct location *l)
{
	const struct named *m = find_named(r->mapping, r->nr_mappings, l->mapping);
	struct span object = m ? string_at(r, m->name) : (struct span){ 0 };
	const char *path = object.bytes ? (const char *)object.bytes : "";
	const char *slash = object.len ? memrchr(path, '/', object.len) : NULL;
	char *name;
	bool ok;

	if (object.len)
		name = xasprintf("[%.*s]", (int)(object.len - (slash ? (size_t)(slash + 1 - path) : 0)),
				 slash ? slash + 1 : path);
	else
		name = xasprintf("0x%llx", (unsigned long long)l->address);
	ok = frames_add(&r->frames, name, strlen(name), FRAME_USER, path, object.len);
	free(name);
	return ok;
}

static const char *add_frames(struct pprof *r, const Pprof__Sample *s)
{
	r->frames.nr = 0;
	for (size_t i = 0; i < s->n_location_id; i++) {
		const struct location key = { .id = s->location_id[i] };
		const struct location *l = r->nr_locations ?
			bsearch(&key, r->location, r->nr_locations, sizeof(key), compare_location) :
			NULL;

		if (!l)
			return "a sample refers to a location that is not there";
		if (!l->nr && !add_unnamed(r, l))
			return "a sample has too many frames";
		for (size_t k = 0; k < l->nr; k++)
			if (!add_function(r, l, k, i + 1 == s->n_location_id && k + 1 == l->nr))
				return "a sample has too many frames";
	}
	if (!r->frames.nr)
		frames_add(&r->frames, "[no stack]", 10, FRAME_SPECIAL, NULL, 0);
	return NULL;
}

static bool take_sample(struct input *in, const struct span *bytes)
{
	struct pprof *r = in->state;
	Pprof__Sample *s = pprof__sample__unpack(NULL, bytes->len, bytes->bytes);
	const char *wrong = s ? NULL : "a sample cannot be unpacked";
	bool ok = true;
	uint32_t stack;

	if (s && s->n_value != r->nr_types)
		wrong = "a sample has not one value for each sample type";
	if (!wrong)
		wrong = add_frames(r, s);
	for (size_t i = 0; !wrong && i < s->n_value; i++)
		if (s->value[i] < 0)
			wrong = "a negative value: a difference of profiles; export both and use flame diff";
	if (!wrong) {
		stack = frames_push_leaf_first(&r->frames, PROFILE_ROOT_STACK, 0, r->frames.nr);
		for (size_t i = 0; ok && i < s->n_value; i++)
			ok = input_add(in, stack, r->type[i].event, (uint64_t)s->value[i], 0);
	}
	if (s)
		pprof__sample__free_unpacked(s, NULL);
	r->nr_samples++;
	return wrong ? damaged(in, bytes, wrong) : ok;
}

static void sort_tables(struct pprof *r)
{
	if (r->nr_functions)
		qsort(r->function, r->nr_functions, sizeof(*r->function), compare_named);
	if (r->nr_mappings)
		qsort(r->mapping, r->nr_mappings, sizeof(*r->mapping), compare_named);
	if (r->nr_locations)
		qsort(r->location, r->nr_locations, sizeof(*r->location), compare_location);
}

static bool pprof_finish(struct input *in)
{
	struct pprof *r = in->state;

	for (int pass = 0; pass < 2; pass++) {
		struct span left = { (const uint8_t *)r->held.bytes, r->held.len }, bytes;

		while (left.len) {
			const struct span at = left;
			uint64_t value;
			uint32_t field = next_field(&left, &value, &bytes);

			if (!field)
				return damaged(in, &at, "not a field of a pprof profile");
			if (pass ? field == SAMPLE && !take_sample(in, &bytes) : false)
				return false;
			if (!pass && !take_table(in, field, value, &bytes))
				return damaged(in, &at, "an element of the profile cannot be unpacked");
		}
		if (pass)
			break;
		if (!r->nr_types) {
			msg_error("%s: no sample type: not a pprof profile", in->name);
			return false;
		}
		if (!choose_type(in))
			return false;
		make_events(in);
		sort_tables(r);
	}
	if (r->nr_samples)
		return true;
	msg_error("%s: no sample: nothing to read", in->name);
	return false;
}

/* Whether a field of this number has the wire type it has in profile.proto. */
static bool is_of_profile(uint32_t field, const struct span *bytes)
{
	switch (field) {
	case SAMPLE_TYPE:
	case SAMPLE:
	case MAPPING:
	case LOCATION:
	case FUNCTION:
	case 11:	/* period_type */
		/* A message: empty, or its first field is a varint or packed. */
		return bytes->bytes && (!bytes->len || (bytes->bytes[0] >> 3 >= 1 &&
							bytes->bytes[0] >> 3 <= 10 &&
							!(bytes->bytes[0] & 5)));
	case STRING:
		return bytes->bytes;
	case 13:	/* comment, packed or not */
		return true;
	default:
		return field >= 7 && field <= 15 && !bytes->bytes;
	}
}

/* Text can be read as fields (a line that begins "java;" is a comment of 97 bytes). */
static bool is_plain_text(const char *head, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)head[i] < '\t')
			return false;
	return true;
}

static int pprof_probe(const char *head, size_t len, bool whole)
{
	struct span left = { (const uint8_t *)head, len }, bytes;
	unsigned int fields = 0;
	uint64_t value;

	/* Every sample type begins with a tag of 8. */
	if (is_plain_text(head, len))
		return 0;
	while (left.len && fields < 16) {
		uint32_t field = next_field(&left, &value, &bytes);

		/* The head may end within a field. */
		if (!field)
			break;
		if (!is_of_profile(field, &bytes))
			return 0;
		fields++;
	}
	return fields >= 4 || (fields && whole && !left.len) ? 75 : 0;
}

static bool pprof_begin(struct input *in)
{
	struct pprof *r = xcalloc(1, sizeof(*r));

	r->frames.p = in->profile;
	in->state = r;
	if (in->options->keep_samples)
		profile_keep_samples(in->profile);
	return true;
}

static bool pprof_feed(struct input *in, const char *data, size_t len)
{
	struct pprof *r = in->state;

	return held_add(&r->held, in, data, len);
}

static void pprof_end(struct input *in)
{
	struct pprof *r = in->state;

	if (!r)
		return;
	held_free(&r->held);
	frames_free(&r->frames);
	free(r->string);
	free(r->function);
	free(r->mapping);
	free(r->location);
	free(r->line);
	free(r);
	in->state = NULL;
}

const struct input_format input_pprof = {
	.name = "pprof", .probe = pprof_probe, .begin = pprof_begin, .feed = pprof_feed,
	.finish = pprof_finish, .end = pprof_end,
};
