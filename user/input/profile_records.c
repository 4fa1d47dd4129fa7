// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of a whole profile, read. Every id and length is checked.
 */
#include <stdlib.h>
#include "input/profile_records.h"
#include "util/mem.h"

static const char too_short[] = "is too short";

static const char *add_event(struct profile_records *r, struct profile *p,
			     const struct profile_rec_event *rec)
{
	const size_t fixed = offsetof(struct profile_rec_event, bytes);
	char *name, *unit;

	if (rec->hdr.size < fixed || (uint64_t)rec->name_len + rec->unit_len > rec->hdr.size - fixed)
		return too_short;
	name = xstrndup(rec->bytes, rec->name_len);
	unit = xstrndup(rec->bytes + rec->name_len, rec->unit_len);
	r->events = array_grow(r->events, &r->cap_events, r->nr_events + 1, sizeof(*r->events));
	r->events[r->nr_events++] = profile_event(p, name, unit);
	free(name);
	free(unit);
	return NULL;
}

static const char *add_frame(struct profile_records *r, struct profile *p,
			     const struct profile_rec_frame *rec)
{
	const size_t fixed = offsetof(struct profile_rec_frame, bytes);
	struct profile_frame frame;

	if (rec->hdr.size < fixed ||
	    (uint64_t)rec->name_len + rec->object_len > rec->hdr.size - fixed)
		return too_short;
	if (rec->kind > FRAME_SPECIAL)
		return "has an impossible kind";
	frame.offset = rec->offset;
	frame.kind = (enum frame_kind)rec->kind;
	frame.name = profile_name(p, rec->bytes, rec->name_len);
	frame.object = profile_name(p, rec->bytes + rec->name_len, rec->object_len);
	r->frames = array_grow(r->frames, &r->cap_frames, r->nr_frames + 1, sizeof(*r->frames));
	r->frames[r->nr_frames++] = profile_frame(p, &frame);
	return NULL;
}

/* False when there is no such stack; 0 is the empty one. */
static bool find_stack(const struct profile_records *r, uint32_t id, uint32_t *stack)
{
	if (id > r->nr_stacks)
		return false;
	*stack = id ? r->stacks[id - 1] : PROFILE_ROOT_STACK;
	return true;
}

static const char *add_stack(struct profile_records *r, struct profile *p,
			     const struct profile_rec_stack *rec)
{
	uint32_t parent;

	if (rec->hdr.size < sizeof(*rec))
		return too_short;
	if (!find_stack(r, rec->parent, &parent))
		return "refers to a stack that is not there";
	if (!rec->frame || rec->frame > r->nr_frames)
		return "refers to a frame that is not there";
	r->stacks = array_grow(r->stacks, &r->cap_stacks, r->nr_stacks + 1, sizeof(*r->stacks));
	r->stacks[r->nr_stacks++] = profile_push(p, parent, r->frames[rec->frame - 1]);
	return NULL;
}

static const char *add_value(struct profile_records *r, struct profile *p, uint32_t stack_id,
			     uint32_t event_id, struct profile_sample *sample, bool sum)
{
	if (!find_stack(r, stack_id, &sample->stack))
		return "refers to a stack that is not there";
	if (event_id >= r->nr_events)
		return "refers to an event that is not there";
	sample->event = r->events[event_id];
	r->nr_values++;
	if (sum ? profile_add(p, sample->stack, sample->event, sample->value) :
		  profile_add_sample(p, sample))
		return NULL;
	return "adds up with those before to more than 2^64 - 1";
}

static const char *add_sample(struct profile_records *r, struct profile *p,
			      const struct profile_rec_sample *rec)
{
	struct profile_sample sample;

	if (rec->hdr.size < sizeof(*rec))
		return too_short;
	if (rec->comm > r->nr_frames)
		return "refers to a frame that is not there";
	sample = (struct profile_sample){
		.time = rec->time, .value = rec->value, .cpu = rec->cpu, .pid = rec->pid,
		.tid = rec->tid,
	};
	if (rec->comm)
		sample.comm = profile_frame_at(p, r->frames[rec->comm - 1])->name;
	return add_value(r, p, rec->stack, rec->event, &sample, false);
}

static const char *add_sum(struct profile_records *r, struct profile *p,
			   const struct profile_rec_sum *rec)
{
	struct profile_sample sample;

	if (rec->hdr.size < sizeof(*rec))
		return too_short;
	sample = (struct profile_sample){ .value = rec->value };
	return add_value(r, p, rec->stack, rec->event, &sample, true);
}

const char *profile_records_add(struct profile_records *r, struct profile *p,
				const struct flame_rec *rec)
{
	switch (rec->type) {
	case PROFILE_REC_EVENT:
		return add_event(r, p, (const void *)rec);
	case PROFILE_REC_FRAME:
		return add_frame(r, p, (const void *)rec);
	case PROFILE_REC_STACK:
		return add_stack(r, p, (const void *)rec);
	case PROFILE_REC_SUM:
		return add_sum(r, p, (const void *)rec);
	case PROFILE_REC_SAMPLE:
		return add_sample(r, p, (const void *)rec);
	default:
		return NULL;
	}
}

void profile_records_free(struct profile_records *r)
{
	free(r->events);
	free(r->frames);
	free(r->stacks);
}
