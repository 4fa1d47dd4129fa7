// SPDX-License-Identifier: GPL-2.0-only
/*
 * speedscope's own format (src/lib/file-format-spec.ts in github.com/jlfwong/speedscope):
 * sampled and evented profiles. Several profiles are threads of one: each stands below
 * its name, unless flame wrote them, whose stacks begin with the thread anyway.
 */
#include <stdlib.h>
#include <string.h>
#include "input/json.h"
#include "util/mem.h"

struct unit {
	const char *name, *ours;
	double factor;		/* what is written is this many of ours */
};

static const struct unit units[] = {
	{ "none", "samples", 1 }, { "nanoseconds", "ns", 1 }, { "microseconds", "ns", 1e3 },
	{ "milliseconds", "ns", 1e6 }, { "seconds", "ns", 1e9 }, { "bytes", "bytes", 1 },
};

bool json_is_speedscope(const json_t *root)
{
	const char *schema = json_string_value(json_object_get(root, "$schema"));

	if (schema && strstr(schema, "speedscope"))
		return true;
	return json_is_array(json_object_get(json_object_get(root, "shared"), "frames")) &&
	       json_is_array(json_object_get(root, "profiles"));
}

static const struct unit *find_unit(const char *name, bool exact)
{
	static const struct unit micro = { "microseconds", "µs", 1 };

	for (size_t i = 0; name && i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].name, name))
			return exact && !strcmp(name, micro.name) ? &micro : &units[i];
	return &units[0];
}

static bool add_frame(struct json_reader *r, const json_t *frames, json_int_t index)
{
	const json_t *frame;

	if (index < 0 || (unsigned long long)index >= json_array_size(frames))
		return json_wrong(r, "sample %llu: a frame that is not in shared.frames",
				  (unsigned long long)r->nr_samples + 1);
	frame = json_array_get(frames, (size_t)index);
	return json_add_name(r, json_string_value(json_object_get(frame, "name")), !r->frames.nr,
			     json_string_value(json_object_get(frame, "file")));
}

/* -1: none, which is in no table. */
static json_int_t index_of(const json_t *value)
{
	return json_is_integer(value) ? json_integer_value(value) : -1;
}

/* What a profile's stacks begin with. */
static bool add_root(struct json_reader *r, const char *root)
{
	return !root || json_add_name(r, root, true, NULL);
}

static bool read_sampled(struct json_reader *r, const json_t *frames, const json_t *profile,
			 const char *root, uint32_t event, double factor)
{
	const json_t *samples = json_object_get(profile, "samples");
	const json_t *weights = json_object_get(profile, "weights");

	if (!json_is_array(samples) || json_array_size(samples) != json_array_size(weights))
		return json_wrong(r, "a sampled profile whose samples and weights are not as many");
	for (size_t i = 0; i < json_array_size(samples); i++) {
		const json_t *sample = json_array_get(samples, i);
		uint64_t weight;

		if (!json_as_weight(r, json_array_get(weights, i), factor, &weight) ||
		    !add_root(r, root))
			return false;
		for (size_t k = 0; k < json_array_size(sample); k++)
			if (!add_frame(r, frames, index_of(json_array_get(sample, k))))
				return false;
		if (!json_add_root_first(r, event, weight))
			return false;
	}
	return true;
}

/* The frames that are open, root first, as indices into shared.frames. */
struct open {
	json_int_t *frame;
	size_t nr, cap;
	double at;
};

/* The time since the last event goes to what is open. */
static bool pass_time(struct json_reader *r, struct open *open, const json_t *frames,
		      const char *root, uint32_t event, double factor, double at)
{
	json_t *delta = json_real(at - open->at);
	uint64_t weight = 0;
	bool ok = json_as_weight(r, delta, factor, &weight);

	json_decref(delta);
	open->at = at;
	if (!ok || !weight || !open->nr)
		return ok;
	if (!add_root(r, root))
		return false;
	for (size_t i = 0; i < open->nr; i++)
		if (!add_frame(r, frames, open->frame[i]))
			return false;
	return json_add_root_first(r, event, weight);
}

static bool take_event(struct json_reader *r, struct open *open, const json_t *e, size_t index)
{
	const char *type = json_string_value(json_object_get(e, "type"));
	const json_t *frame = json_object_get(e, "frame");

	if (type && *type == 'O') {
		if (open->nr == FRAMES_MAX)
			return json_wrong(r, "event %zu: more than %d open frames", index, FRAMES_MAX);
		open->frame = array_grow(open->frame, &open->cap, open->nr + 1, sizeof(*open->frame));
		open->frame[open->nr++] = index_of(frame);
		return true;
	}
	if (!type || *type != 'C' || !open->nr ||
	    open->frame[open->nr - 1] != index_of(frame))
		return json_wrong(r, "event %zu closes a frame that is not the innermost open one",
				  index);
	open->nr--;
	return true;
}

static bool read_evented(struct json_reader *r, const json_t *frames, const json_t *profile,
			 const char *root, uint32_t event, double factor)
{
	const json_t *events = json_object_get(profile, "events");
	struct open open = { .at = json_as_number(json_object_get(profile, "startValue"), 0) };
	bool ok = true;

	for (size_t i = 0; ok && i < json_array_size(events); i++) {
		const json_t *e = json_array_get(events, i);
		double at = json_as_number(json_object_get(e, "at"), open.at);

		if (at < open.at)
			ok = json_wrong(r, "event %zu is earlier than the one before it", i);
		else
			ok = pass_time(r, &open, frames, root, event, factor, at) &&
			     take_event(r, &open, e, i);
	}
	if (ok && open.nr)
		ok = json_wrong(r, "%zu frames are still open at the end of a profile", open.nr);
	free(open.frame);
	return ok;
}

static bool is_flames(const json_t *root)
{
	const char *exporter = json_string_value(json_object_get(root, "exporter"));

	return exporter && !strncmp(exporter, "flame@", 6);
}

bool json_read_speedscope(struct json_reader *r, const json_t *root)
{
	const json_t *frames = json_object_get(json_object_get(root, "shared"), "frames");
	const json_t *profiles = json_object_get(root, "profiles");
	bool named = json_array_size(profiles) > 1 && !is_flames(root);

	if (!json_is_array(frames) || !json_is_array(profiles))
		return json_wrong(r, "a speedscope file without shared.frames or profiles");
	for (size_t i = 0; i < json_array_size(profiles); i++) {
		const json_t *profile = json_array_get(profiles, i);
		const char *type = json_string_value(json_object_get(profile, "type"));
		const char *name = json_string_value(json_object_get(profile, "name"));
		const struct unit *unit = find_unit(json_string_value(json_object_get(profile, "unit")),
						    is_flames(root));
		uint32_t event;

		event = profile_event(r->in->profile, "", unit->ours);
		if (type && !strcmp(type, "evented") ?
		    !read_evented(r, frames, profile, named ? name : NULL, event, unit->factor) :
		    !read_sampled(r, frames, profile, named ? name : NULL, event, unit->factor))
			return false;
	}
	return true;
}
