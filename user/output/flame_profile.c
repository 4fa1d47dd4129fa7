// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile as a .flame file. Samples where there are any, else sums.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "flame.h"
#include "input/profile_records.h"
#include "output/flame_profile.h"
#include "output/flame_writer.h"
#include "profile/merge.h"
#include "util/mem.h"

struct writer {
	struct flame_writer *file;
	const struct profile *p;
	uint32_t *comms;	/* frame that stands for a thread's name, by string id */
	size_t nr_comms, cap_comms;
	uint32_t nr_frames;
};

static bool put_begin(struct writer *w)
{
	const struct profile_meta *meta = profile_meta((struct profile *)w->p);
	char *text = xasprintf("flame: " FLAME_VERSION "\n"
			       "%s%s%s%s%s%s"
			       "stored: frames with their names and objects, stacks, %s\n",
			       *meta->host ? "host: " : "", meta->host, *meta->host ? "\n" : "",
			       *meta->kernel ? "kernel: " : "", meta->kernel,
			       *meta->kernel ? "\n" : "",
			       profile_nr_samples(w->p) ? "samples" : "their sums");
	char *stats = xasprintf("lost: %" PRIu64 "\nmissed: %" PRIu64 "\nduration_ns: %" PRIu64 "\n"
				"frequency: %" PRIu32 "\n", meta->lost, meta->missed,
				meta->duration_ns, meta->frequency);
	bool ok = flame_writer_begin(w->file, text, strlen(text)) &&
		  flame_writer_add_text(w->file, FLAME_REC_STATS, 0, stats, strlen(stats));

	free(text);
	free(stats);
	return ok;
}

static bool put_event(struct writer *w, uint32_t event)
{
	const char *name = profile_event_name(w->p, event), *unit = profile_event_unit(w->p, event);
	struct profile_rec_event rec = { .hdr.type = PROFILE_REC_EVENT };
	char *bytes;
	bool ok;

	rec.name_len = (uint32_t)strnlen(name, PROFILE_REC_TEXT_MAX);
	rec.unit_len = (uint32_t)strnlen(unit, PROFILE_REC_TEXT_MAX);
	bytes = xasprintf("%.*s%.*s", (int)rec.name_len, name, (int)rec.unit_len, unit);
	ok = flame_writer_add_bytes(w->file, &rec.hdr, offsetof(struct profile_rec_event, bytes),
				    bytes, strlen(bytes));
	free(bytes);
	return ok;
}

static bool put_frame(struct writer *w, const struct profile_frame *f)
{
	const char *name = profile_text(w->p, f->name), *object = profile_text(w->p, f->object);
	struct profile_rec_frame rec = {
		.hdr.type = PROFILE_REC_FRAME, .offset = f->offset, .kind = (uint32_t)f->kind,
	};
	char *bytes;
	bool ok;

	rec.name_len = (uint32_t)strnlen(name, PROFILE_REC_TEXT_MAX);
	rec.object_len = (uint32_t)strnlen(object, PROFILE_REC_TEXT_MAX);
	bytes = xasprintf("%.*s%.*s", (int)rec.name_len, name, (int)rec.object_len, object);
	ok = flame_writer_add_bytes(w->file, &rec.hdr, offsetof(struct profile_rec_frame, bytes),
				    bytes, strlen(bytes));
	free(bytes);
	w->nr_frames++;
	return ok;
}

static bool put_stacks(struct writer *w)
{
	uint32_t nr_frames = profile_nr_frames(w->p), nr = profile_nr_stacks(w->p);

	for (uint32_t i = 0; i < nr_frames; i++)
		if (!put_frame(w, profile_frame_at(w->p, i)))
			return false;
	for (uint32_t s = 1; s < nr; s++) {
		struct profile_rec_stack rec = {
			.hdr = { .type = PROFILE_REC_STACK, .size = sizeof(rec) },
			.parent = profile_stack_parent(w->p, s),
			.frame = profile_stack_frame(w->p, s) + 1,
		};

		if (!flame_writer_add(w->file, &rec.hdr))
			return false;
	}
	return true;
}

/* The frame that stands for a thread's name, written at its first use; 0 for none. */
static bool find_comm(struct writer *w, uint32_t string, uint32_t *comm)
{
	size_t old = w->cap_comms;
	struct profile_frame frame = {
		.name = string, .offset = PROFILE_NO_OFFSET, .kind = FRAME_COMM,
	};

	*comm = 0;
	if (string == PROFILE_NO_STRING)
		return true;
	w->comms = array_grow(w->comms, &w->cap_comms, (size_t)string + 1, sizeof(*w->comms));
	memset(w->comms + old, 0, (w->cap_comms - old) * sizeof(*w->comms));
	if (!w->comms[string]) {
		if (!put_frame(w, &frame))
			return false;
		w->comms[string] = w->nr_frames;
	}
	*comm = w->comms[string];
	return true;
}

static bool put_sample(struct writer *w, const struct profile_sample *s)
{
	struct profile_rec_sample rec = {
		.hdr = { .type = PROFILE_REC_SAMPLE, .size = sizeof(rec) },
		.time = s->time, .value = s->value, .stack = s->stack, .event = s->event,
		.cpu = s->cpu, .pid = s->pid, .tid = s->tid,
	};

	return find_comm(w, s->comm, &rec.comm) && flame_writer_add(w->file, &rec.hdr);
}

static bool put_sums(struct writer *w, uint32_t event)
{
	uint32_t nr = profile_nr_stacks(w->p);

	for (uint32_t s = 0; s < nr; s++) {
		struct profile_rec_sum rec = {
			.hdr = { .type = PROFILE_REC_SUM, .size = sizeof(rec) },
			.value = profile_self(w->p, s, event), .stack = s, .event = event,
		};

		if (rec.value && !flame_writer_add(w->file, &rec.hdr))
			return false;
	}
	return true;
}

static bool put_all(struct writer *w)
{
	uint32_t nr_events = profile_nr_events(w->p);
	bool samples = profile_has_places(w->p);

	if (!put_begin(w))
		return false;
	for (uint32_t e = 0; e < nr_events; e++)
		if (!put_event(w, e))
			return false;
	if (!put_stacks(w))
		return false;
	for (uint32_t e = 0; e < nr_events && !samples; e++)
		if (!put_sums(w, e))
			return false;
	for (size_t i = 0; i < profile_nr_samples(w->p) && samples; i++)
		if (!put_sample(w, profile_sample_at(w->p, i)))
			return false;
	return flame_writer_end(w->file);
}

bool flame_profile_write(int fd, const char *name, const struct profile *p)
{
	struct writer w = { .file = flame_writer_new(fd, name), .p = p };
	bool ok = put_all(&w);

	flame_writer_free(w.file);
	free(w.comms);
	return ok;
}
