// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile in memory. Ids are dense and never freed singly, tables are open-addressed
 * hashes of ids, text lies in chunks so that pointers to it stay valid.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "profile/profile.h"
#include "util/mem.h"
#include "util/text.h"

#define TEXT_CHUNK	65536

/* A hash of ids + 1 (0: free). The owner compares and hashes what the ids stand for. */
struct id_table {
	uint32_t *slots;
	size_t mask;
	size_t used;
};

struct string {
	const char *text;
	uint32_t len;
	uint32_t hash;
};

struct stack {
	uint32_t parent;
	uint32_t frame;
};

struct event {
	uint32_t name;
	uint32_t unit;
	uint64_t total;
	uint64_t *self;		/* by stack id */
	size_t cap;
};

struct text_chunk {
	struct text_chunk *next;
	char bytes[];
};

struct profile {
	struct text_chunk *chunks;
	char *room;
	size_t room_left;

	struct string *strings;
	size_t nr_strings, cap_strings;
	struct id_table string_ids;

	struct profile_frame *frames;
	size_t nr_frames, cap_frames;
	struct id_table frame_ids;

	struct stack *stacks;
	size_t nr_stacks, cap_stacks;
	struct id_table stack_ids;

	struct event *events;
	size_t nr_events, cap_events;

	struct profile_sample *samples;
	size_t nr_samples, cap_samples;
	bool keep_samples;

	struct profile_meta meta;
};

static void table_insert(struct id_table *t, uint64_t hash, uint32_t id)
{
	size_t i = hash & t->mask;

	while (t->slots[i])
		i = (i + 1) & t->mask;
	t->slots[i] = id + 1;
	t->used++;
}

/* Whether the caller must insert all ids anew, because the table was made larger. */
static bool table_grew(struct id_table *t)
{
	size_t size = t->slots ? (t->mask + 1) * 2 : 1024;

	if (t->slots && t->used * 2 <= t->mask)
		return false;
	free(t->slots);
	t->slots = xcalloc(size, sizeof(*t->slots));
	t->mask = size - 1;
	t->used = 0;
	return true;
}

static const char *keep_text(struct profile *p, const char *bytes, size_t len)
{
	char *text;

	if (len + 1 > p->room_left) {
		size_t size = len + 1 > TEXT_CHUNK ? len + 1 : TEXT_CHUNK;
		struct text_chunk *chunk = xcalloc(1, sizeof(*chunk) + size);

		chunk->next = p->chunks;
		p->chunks = chunk;
		p->room = chunk->bytes;
		p->room_left = size;
	}
	text = p->room;
	memcpy(text, bytes, len);
	text[len] = '\0';
	p->room += len + 1;
	p->room_left -= len + 1;
	return text;
}

struct profile *profile_new(void)
{
	struct profile *p = xcalloc(1, sizeof(*p));

	profile_string(p, "", 0);
	p->stacks = array_grow(NULL, &p->cap_stacks, 1, sizeof(*p->stacks));
	p->stacks[0] = (struct stack){ PROFILE_NO_STACK, UINT32_MAX };
	p->nr_stacks = 1;
	return p;
}

void profile_free(struct profile *p)
{
	if (!p)
		return;
	while (p->chunks) {
		struct text_chunk *next = p->chunks->next;

		free(p->chunks);
		p->chunks = next;
	}
	for (size_t i = 0; i < p->nr_events; i++)
		free(p->events[i].self);
	free(p->string_ids.slots);
	free(p->frame_ids.slots);
	free(p->stack_ids.slots);
	free(p->strings);
	free(p->frames);
	free(p->stacks);
	free(p->events);
	free(p->samples);
	free(p);
}

uint32_t profile_string(struct profile *p, const char *bytes, size_t len)
{
	uint32_t hash = (uint32_t)hash_bytes(bytes, len);
	struct id_table *t = &p->string_ids;

	if (table_grew(t))
		for (size_t i = 0; i < p->nr_strings; i++)
			table_insert(t, p->strings[i].hash, (uint32_t)i);
	for (size_t i = hash & t->mask; t->slots[i]; i = (i + 1) & t->mask) {
		const struct string *s = &p->strings[t->slots[i] - 1];

		if (s->hash == hash && s->len == len && !memcmp(s->text, bytes, len))
			return t->slots[i] - 1;
	}
	assert(len < UINT32_MAX && p->nr_strings < UINT32_MAX - 1);
	p->strings = array_grow(p->strings, &p->cap_strings, p->nr_strings + 1,
				sizeof(*p->strings));
	p->strings[p->nr_strings] = (struct string){ keep_text(p, bytes, len), (uint32_t)len, hash };
	table_insert(t, hash, (uint32_t)p->nr_strings);
	return (uint32_t)p->nr_strings++;
}

uint32_t profile_name(struct profile *p, const char *bytes, size_t len)
{
	uint32_t id;
	char *clean;
	size_t n;

	if (text_is_clean(bytes, len))
		return profile_string(p, bytes, len);
	clean = xcalloc(1, text_escape_size(len));
	n = text_escape(clean, bytes, len, 0);
	id = profile_string(p, clean, n);
	free(clean);
	return id;
}

const char *profile_text(const struct profile *p, uint32_t string)
{
	return p->strings[string].text;
}

static uint64_t frame_hash(const struct profile_frame *f)
{
	return hash_pair(hash_pair(f->name, f->object), hash_pair(f->offset, f->kind));
}

static bool frames_equal(const struct profile_frame *a, const struct profile_frame *b)
{
	return a->name == b->name && a->object == b->object && a->offset == b->offset &&
	       a->kind == b->kind;
}

uint32_t profile_frame(struct profile *p, const struct profile_frame *frame)
{
	uint64_t hash = frame_hash(frame);
	struct id_table *t = &p->frame_ids;

	if (table_grew(t))
		for (size_t i = 0; i < p->nr_frames; i++)
			table_insert(t, frame_hash(&p->frames[i]), (uint32_t)i);
	for (size_t i = hash & t->mask; t->slots[i]; i = (i + 1) & t->mask)
		if (frames_equal(&p->frames[t->slots[i] - 1], frame))
			return t->slots[i] - 1;
	assert(p->nr_frames < UINT32_MAX - 1);
	p->frames = array_grow(p->frames, &p->cap_frames, p->nr_frames + 1, sizeof(*p->frames));
	p->frames[p->nr_frames] = *frame;
	table_insert(t, hash, (uint32_t)p->nr_frames);
	return (uint32_t)p->nr_frames++;
}

const struct profile_frame *profile_frame_at(const struct profile *p, uint32_t frame)
{
	return &p->frames[frame];
}

uint32_t profile_nr_frames(const struct profile *p)
{
	return (uint32_t)p->nr_frames;
}

uint32_t profile_push(struct profile *p, uint32_t parent, uint32_t frame)
{
	uint64_t hash = hash_pair(parent, frame);
	struct id_table *t = &p->stack_ids;

	if (table_grew(t))
		for (size_t i = 1; i < p->nr_stacks; i++)
			table_insert(t, hash_pair(p->stacks[i].parent, p->stacks[i].frame),
				     (uint32_t)i);
	for (size_t i = hash & t->mask; t->slots[i]; i = (i + 1) & t->mask) {
		const struct stack *s = &p->stacks[t->slots[i] - 1];

		if (s->parent == parent && s->frame == frame)
			return t->slots[i] - 1;
	}
	assert(p->nr_stacks < UINT32_MAX - 1);
	p->stacks = array_grow(p->stacks, &p->cap_stacks, p->nr_stacks + 1, sizeof(*p->stacks));
	p->stacks[p->nr_stacks] = (struct stack){ parent, frame };
	table_insert(t, hash, (uint32_t)p->nr_stacks);
	return (uint32_t)p->nr_stacks++;
}

uint32_t profile_stack_parent(const struct profile *p, uint32_t stack)
{
	return p->stacks[stack].parent;
}

uint32_t profile_stack_frame(const struct profile *p, uint32_t stack)
{
	return p->stacks[stack].frame;
}

uint32_t profile_nr_stacks(const struct profile *p)
{
	return (uint32_t)p->nr_stacks;
}

uint32_t profile_event(struct profile *p, const char *name, const char *unit)
{
	uint32_t n = profile_string(p, name, strlen(name));
	uint32_t u = profile_string(p, unit, strlen(unit));

	for (size_t i = 0; i < p->nr_events; i++)
		if (p->events[i].name == n && p->events[i].unit == u)
			return (uint32_t)i;
	p->events = array_grow(p->events, &p->cap_events, p->nr_events + 1, sizeof(*p->events));
	p->events[p->nr_events] = (struct event){ .name = n, .unit = u };
	return (uint32_t)p->nr_events++;
}

uint32_t profile_nr_events(const struct profile *p)
{
	return (uint32_t)p->nr_events;
}

const char *profile_event_name(const struct profile *p, uint32_t event)
{
	return profile_text(p, p->events[event].name);
}

const char *profile_event_unit(const struct profile *p, uint32_t event)
{
	return profile_text(p, p->events[event].unit);
}

bool profile_add(struct profile *p, uint32_t stack, uint32_t event, uint64_t value)
{
	struct event *e = &p->events[event];

	if (value > UINT64_MAX - e->total)
		return false;
	if (stack >= e->cap) {
		size_t old = e->cap;

		e->self = array_grow(e->self, &e->cap, (size_t)stack + 1, sizeof(*e->self));
		memset(e->self + old, 0, (e->cap - old) * sizeof(*e->self));
	}
	e->self[stack] += value;
	e->total += value;
	return true;
}

uint64_t profile_self(const struct profile *p, uint32_t stack, uint32_t event)
{
	const struct event *e = &p->events[event];

	return stack < e->cap ? e->self[stack] : 0;
}

uint64_t profile_total(const struct profile *p, uint32_t event)
{
	return p->events[event].total;
}

void profile_keep_samples(struct profile *p)
{
	p->keep_samples = true;
}

bool profile_add_sample(struct profile *p, const struct profile_sample *sample)
{
	if (!profile_add(p, sample->stack, sample->event, sample->value))
		return false;
	if (!p->keep_samples)
		return true;
	p->samples = array_grow(p->samples, &p->cap_samples, p->nr_samples + 1,
				sizeof(*p->samples));
	p->samples[p->nr_samples++] = *sample;
	return true;
}

size_t profile_nr_samples(const struct profile *p)
{
	return p->nr_samples;
}

const struct profile_sample *profile_sample_at(const struct profile *p, size_t index)
{
	return &p->samples[index];
}

struct profile_meta *profile_meta(struct profile *p)
{
	return &p->meta;
}

const char *frame_annotation(enum frame_kind kind)
{
	switch (kind) {
	case FRAME_KERNEL:
		return "_[k]";
	case FRAME_INLINED:
		return "_[i]";
	case FRAME_JIT:
		return "_[j]";
	case FRAME_WAKER:
		return "_[w]";
	default:
		return "";
	}
}

enum frame_kind frame_kind_of(const char *name, size_t *len)
{
	static const char *const special[] = {
		"[truncated]", "[table full]", "[no stack]", "[user pending]", "[hardirq]",
		"[softirq]", "[on-cpu]", "[off-cpu]",
	};
	static const enum frame_kind annotated[] = {
		FRAME_KERNEL, FRAME_INLINED, FRAME_JIT, FRAME_WAKER,
	};

	if (*len < 4 || name[*len - 1] != ']')
		return FRAME_USER;
	for (size_t i = 0; i < sizeof(annotated) / sizeof(annotated[0]); i++) {
		if (!memcmp(name + *len - 4, frame_annotation(annotated[i]), 4)) {
			*len -= 4;
			return annotated[i];
		}
	}
	for (size_t i = 0; i < sizeof(special) / sizeof(special[0]); i++)
		if (strlen(special[i]) == *len && !memcmp(name, special[i], *len))
			return FRAME_SPECIAL;
	return FRAME_USER;
}
