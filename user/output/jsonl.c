// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON lines, for jq and the like: an object for each sample in the order of the input,
 * or for each stack and event where there are sums only. The format is flame's own
 * (docs/formats.md).
 */
#include <stdlib.h>
#include "output/export.h"
#include "output/json.h"
#include "profile/merge.h"
#include "util/mem.h"

struct writer {
	struct json json;
	const struct profile *p;
	uint32_t *path;		/* frames of one stack, leaf first */
	size_t cap_path;
};

static const char *kind_name(enum frame_kind kind)
{
	static const char *const names[] = {
		[FRAME_USER] = "user", [FRAME_COMM] = "comm", [FRAME_KERNEL] = "kernel",
		[FRAME_INLINED] = "inlined", [FRAME_JIT] = "jit", [FRAME_WAKER] = "waker",
		[FRAME_SPECIAL] = "special",
	};

	return names[kind];
}

static void put_frame(struct writer *w, const struct profile_frame *f)
{
	struct json *j = &w->json;

	json_open(j, '{');
	json_key_string(j, "name", profile_text(w->p, f->name));
	json_key_string(j, "kind", kind_name(f->kind));
	if (f->object != PROFILE_NO_STRING)
		json_key_string(j, "object", profile_text(w->p, f->object));
	if (f->offset != PROFILE_NO_OFFSET)
		json_key_u64(j, "offset", f->offset);
	json_close(j, '}');
}

static void put_line(struct writer *w, const struct profile_sample *s, bool placed)
{
	struct json *j = &w->json;
	size_t nr = 0;

	j->comma = false;
	json_open(j, '{');
	json_key_string(j, "event", profile_event_name(w->p, s->event));
	json_key_string(j, "unit", profile_event_unit(w->p, s->event));
	json_key_u64(j, "value", s->value);
	if (placed) {
		json_key_u64(j, "time_ns", s->time);
		json_key_u64(j, "cpu", s->cpu);
		json_key_u64(j, "pid", s->pid);
		json_key_u64(j, "tid", s->tid);
		json_key_string(j, "comm", profile_text(w->p, s->comm));
	}
	for (uint32_t at = s->stack; at != PROFILE_ROOT_STACK;
	     at = profile_stack_parent(w->p, at)) {
		w->path = array_grow(w->path, &w->cap_path, nr + 1, sizeof(*w->path));
		w->path[nr++] = profile_stack_frame(w->p, at);
	}
	json_key(j, "stack");
	json_open(j, '[');
	while (nr--)
		put_frame(w, profile_frame_at(w->p, w->path[nr]));
	json_close(j, ']');
	json_close(j, '}');
	putc_unlocked('\n', j->fp);
}

static bool wanted(const struct export_options *o, uint32_t event)
{
	return o->event == EXPORT_ALL_EVENTS || o->event == event;
}

static void put_sums(struct writer *w, const struct export_options *o)
{
	uint32_t nr = profile_nr_stacks(w->p), nr_events = profile_nr_events(w->p);

	for (uint32_t e = 0; e < nr_events; e++) {
		for (uint32_t s = 0; s < nr && wanted(o, e); s++) {
			struct profile_sample sum = {
				.value = profile_self(w->p, s, e), .stack = s, .event = e,
			};

			if (sum.value)
				put_line(w, &sum, false);
		}
	}
}

static bool write_jsonl(FILE *fp, const struct profile *p, const struct export_options *o)
{
	struct writer w = { .json.fp = fp, .p = p };
	size_t nr = profile_nr_samples(p);

	if (!profile_has_places(p)) {
		put_sums(&w, o);
	} else {
		for (size_t i = 0; i < nr; i++)
			if (wanted(o, profile_sample_at(p, i)->event))
				put_line(&w, profile_sample_at(p, i), true);
	}
	free(w.path);
	return true;
}

const struct export_format export_jsonl = {
	.name = "jsonl",
	.samples = true,
	.several = true,
	.max = UINT64_MAX,
	.write = write_jsonl,
};
