// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records to a profile. Ids must be known before use, lengths must fit their record;
 * what does not is refused by name and nothing is read beyond it. Stacks become frames
 * only at the end, when all symbols are known.
 */
#include <stdlib.h>
#include <string.h>
#include "input/profile_records.h"
#include "input/records.h"
#include "util/mem.h"
#include "util/text.h"

/* A place as records know it, with what names it. */
struct place {
	struct record_place pub;
	uint32_t name;			/* string id; PROFILE_NO_STRING: none */
};

struct object {
	struct record_object pub;
	uint32_t name, path;		/* string ids */
};

/* A distinct stack: its frames lie in the pool, user then kernel, innermost first. */
struct raw_stack {
	uint64_t first;
	uint16_t nr_user, nr_kernel;
	uint16_t flags;
};

/* Samples of one stack and one task, as far as options tell tasks apart. */
struct bucket {
	uint32_t stack;
	uint32_t comm;			/* string id */
	uint32_t pid, tid;		/* 0 unless asked for */
	uint32_t source;
	uint64_t value;
	uint32_t merged;		/* stack id in the profile, once finished */
};

struct kept_sample {
	uint64_t time, value;
	uint32_t bucket, cpu, pid, tid;
};

struct hash {
	uint32_t *slots;		/* index + 1 */
	size_t mask, used;
};

/* From the ids in records to indices here. A later definition of an id replaces it. */
struct id_map {
	struct { uint32_t id, index; } *slots;	/* id 0: free */
	size_t mask, used;
};

struct records {
	struct profile *p;
	struct input_options options;
	struct id_map name_ids, object_ids, stack_ids;
	uint32_t *names;		/* of kernel frames: string ids */
	size_t nr_names, cap_names;
	struct object *objects;
	size_t nr_objects, cap_objects;
	struct place *places;
	size_t nr_places, cap_places;
	struct hash place_hash;
	struct raw_stack *stacks;
	size_t nr_stacks, cap_stacks;
	uint32_t *pool;
	size_t nr_pool, cap_pool;
	struct bucket *buckets;
	size_t nr_buckets, cap_buckets;
	struct hash bucket_hash;
	struct kept_sample *samples;
	size_t cap_samples;
	uint64_t nr_samples;
	struct profile_records profile;
	uint64_t lost_here;		/* by LOST records */
	uint64_t first_time;
};

struct records *records_new(struct profile *p, const struct input_options *options)
{
	struct records *r = xcalloc(1, sizeof(*r));

	r->p = p;
	if (options)
		r->options = *options;
	if (r->options.keep_samples)
		profile_keep_samples(p);
	return r;
}

void records_free(struct records *r)
{
	if (!r)
		return;
	free(r->name_ids.slots);
	free(r->object_ids.slots);
	free(r->stack_ids.slots);
	free(r->names);
	free(r->objects);
	free(r->places);
	free(r->place_hash.slots);
	free(r->stacks);
	free(r->pool);
	free(r->buckets);
	free(r->bucket_hash.slots);
	free(r->samples);
	profile_records_free(&r->profile);
	free(r);
}

/* Empties a hash that is half full into one of twice the size; true: fill it anew. */
static bool hash_grew(struct hash *h)
{
	size_t size = h->slots ? (h->mask + 1) * 2 : 1024;

	if (h->slots && h->used * 2 <= h->mask)
		return false;
	free(h->slots);
	h->slots = xcalloc(size, sizeof(*h->slots));
	h->mask = size - 1;
	h->used = 0;
	return true;
}

static void hash_insert(struct hash *h, uint64_t hash, size_t index)
{
	size_t i = hash & h->mask;

	while (h->slots[i])
		i = (i + 1) & h->mask;
	h->slots[i] = (uint32_t)index + 1;
	h->used++;
}

static size_t map_slot(const struct id_map *m, uint32_t id)
{
	size_t i = hash_pair(id, 0) & m->mask;

	while (m->slots[i].id && m->slots[i].id != id)
		i = (i + 1) & m->mask;
	return i;
}

static void map_put(struct id_map *m, uint32_t id, size_t index)
{
	size_t i;

	if (!m->slots || m->used * 2 > m->mask) {
		struct id_map old = *m;

		m->mask = old.slots ? old.mask * 2 + 1 : 1023;
		m->slots = xcalloc(m->mask + 1, sizeof(*m->slots));
		for (i = 0; old.slots && i <= old.mask; i++)
			if (old.slots[i].id)
				m->slots[map_slot(m, old.slots[i].id)] = old.slots[i];
		free(old.slots);
	}
	i = map_slot(m, id);
	m->used += !m->slots[i].id;
	m->slots[i].id = id;
	m->slots[i].index = (uint32_t)index;
}

/* Makes of an id in a record the id it has here (index + 1); false: not defined. */
static bool map_id(const struct id_map *m, uint32_t *id)
{
	size_t i;

	if (!*id || !m->slots)
		return false;
	i = map_slot(m, *id);
	if (!m->slots[i].id)
		return false;
	*id = m->slots[i].index + 1;
	return true;
}

static uint64_t place_key(const struct record_place *place)
{
	return hash_pair(place->object, place->offset);
}

static uint32_t find_place(struct records *r, uint32_t object, uint64_t offset)
{
	struct place place = { .pub = { .object = object, .offset = offset } };
	uint64_t hash = place_key(&place.pub);
	struct hash *h = &r->place_hash;

	if (hash_grew(h))
		for (size_t i = 0; i < r->nr_places; i++)
			hash_insert(h, place_key(&r->places[i].pub), i);
	for (size_t i = hash & h->mask; h->slots[i]; i = (i + 1) & h->mask) {
		const struct record_place *known = &r->places[h->slots[i] - 1].pub;

		if (known->object == object && known->offset == offset)
			return h->slots[i] - 1;
	}
	r->places = array_grow(r->places, &r->cap_places, r->nr_places + 1, sizeof(*r->places));
	r->places[r->nr_places] = place;
	hash_insert(h, hash, r->nr_places);
	return (uint32_t)r->nr_places++;
}

static const char *add_name(struct records *r, struct flame_rec *hdr)
{
	struct flame_rec_name *rec = (void *)hdr;

	if (hdr->size < sizeof(*rec) || rec->len > hdr->size - sizeof(*rec))
		return "is too short for its name";
	if (!rec->id)
		return "has no id";
	map_put(&r->name_ids, rec->id, r->nr_names);
	rec->id = (uint32_t)r->nr_names + 1;
	r->names = array_grow(r->names, &r->cap_names, r->nr_names + 1, sizeof(*r->names));
	r->names[r->nr_names++] = profile_name(r->p, rec->name, rec->len);
	return NULL;
}

static const char *add_object(struct records *r, struct flame_rec *hdr)
{
	struct flame_rec_object *rec = (void *)hdr;
	struct object *o;

	if (hdr->size < sizeof(*rec) ||
	    (size_t)rec->name_len + rec->path_len > hdr->size - sizeof(*rec))
		return "is too short for its name and path";
	if (!rec->id)
		return "has no id";
	if (rec->kind > FLAME_OBJECT_UNKNOWN || rec->build_id_len > FLAME_BUILD_ID_MAX)
		return "has an impossible kind or build-id length";
	map_put(&r->object_ids, rec->id, r->nr_objects);
	rec->id = (uint32_t)r->nr_objects + 1;
	r->objects = array_grow(r->objects, &r->cap_objects, r->nr_objects + 1,
				sizeof(*r->objects));
	o = &r->objects[r->nr_objects++];
	*o = (struct object){ .pub = { .kind = rec->kind, .build_id_len = rec->build_id_len } };
	memcpy(o->pub.build_id, rec->build_id, rec->build_id_len);
	o->name = profile_name(r->p, rec->bytes, rec->name_len);
	o->path = profile_string(r->p, rec->bytes + rec->name_len,
				 strnlen(rec->bytes + rec->name_len, rec->path_len));
	return NULL;
}

static const char *add_stack(struct records *r, struct flame_rec *hdr)
{
	struct flame_rec_stack *rec = (void *)hdr;
	uint32_t *kernel;
	size_t nr;

	if (hdr->size < sizeof(*rec))
		return "is too short";
	if (rec->nr_user > FLAME_DEPTH_MAX || rec->nr_kernel > FLAME_DEPTH_MAX ||
	    rec->nr_user * sizeof(rec->user[0]) + rec->nr_kernel * sizeof(*kernel) >
	    hdr->size - sizeof(*rec))
		return "is too short for its frames";
	if (!rec->id)
		return "has no id";
	nr = (size_t)rec->nr_user + rec->nr_kernel;
	r->pool = array_grow(r->pool, &r->cap_pool, r->nr_pool + nr, sizeof(*r->pool));
	for (uint16_t i = 0; i < rec->nr_user; i++) {
		struct flame_user_frame *f = &rec->user[i];

		if (!map_id(&r->object_ids, &f->object))
			return "refers to an object that is not there";
		r->pool[r->nr_pool + i] = find_place(r, f->object, f->offset);
	}
	kernel = (uint32_t *)flame_stack_kernel(rec);
	for (uint16_t i = 0; i < rec->nr_kernel; i++) {
		if (!map_id(&r->name_ids, &kernel[i]))
			return "refers to a kernel name that is not there";
		r->pool[r->nr_pool + rec->nr_user + i] = r->names[kernel[i] - 1];
	}
	map_put(&r->stack_ids, rec->id, r->nr_stacks);
	rec->id = (uint32_t)r->nr_stacks + 1;
	r->stacks = array_grow(r->stacks, &r->cap_stacks, r->nr_stacks + 1, sizeof(*r->stacks));
	r->stacks[r->nr_stacks++] = (struct raw_stack){
		.first = r->nr_pool, .nr_user = rec->nr_user, .nr_kernel = rec->nr_kernel,
		.flags = hdr->flags,
	};
	r->nr_pool += nr;
	return NULL;
}

static uint64_t bucket_key(const struct bucket *b)
{
	return hash_pair(hash_pair(b->stack, b->comm),
			 hash_pair((uint64_t)b->pid << 32 | b->tid, b->source));
}

static uint32_t find_bucket(struct records *r, const struct bucket *key)
{
	uint64_t hash = bucket_key(key);
	struct hash *h = &r->bucket_hash;

	if (hash_grew(h))
		for (size_t i = 0; i < r->nr_buckets; i++)
			hash_insert(h, bucket_key(&r->buckets[i]), i);
	for (size_t i = hash & h->mask; h->slots[i]; i = (i + 1) & h->mask) {
		const struct bucket *b = &r->buckets[h->slots[i] - 1];

		if (b->stack == key->stack && b->comm == key->comm && b->pid == key->pid &&
		    b->tid == key->tid && b->source == key->source)
			return h->slots[i] - 1;
	}
	r->buckets = array_grow(r->buckets, &r->cap_buckets, r->nr_buckets + 1,
				sizeof(*r->buckets));
	r->buckets[r->nr_buckets] = *key;
	hash_insert(h, hash, r->nr_buckets);
	return (uint32_t)r->nr_buckets++;
}

static void keep_sample(struct records *r, const struct flame_rec_sample *rec, uint32_t bucket)
{
	if (!r->nr_samples)
		r->first_time = rec->time;
	r->samples = array_grow(r->samples, &r->cap_samples, r->nr_samples + 1,
				sizeof(*r->samples));
	r->samples[r->nr_samples] = (struct kept_sample){
		.time = rec->time > r->first_time ? rec->time - r->first_time : 0,
		.value = rec->value, .bucket = bucket, .cpu = rec->cpu, .pid = rec->pid,
		.tid = rec->tid,
	};
}

/* A thread's name holds any bytes; escaped as the module does for `folded`. */
static uint32_t comm_name(struct records *r, const char *comm)
{
	char text[text_escape_size(FLAME_COMM_LEN)];
	size_t len = text_escape(text, comm, strnlen(comm, FLAME_COMM_LEN), TEXT_BACKSLASH);

	return profile_string(r->p, text, len);
}

static const char *add_sample(struct records *r, struct flame_rec *hdr)
{
	struct flame_rec_sample *rec = (void *)hdr;
	struct bucket key;
	uint32_t bucket;

	if (hdr->size < sizeof(*rec))
		return "is too short";
	if (!map_id(&r->stack_ids, &rec->stack))
		return "refers to a stack that is not there";
	if (rec->source != FLAME_SOURCE_TIMER)
		return "has a source this flame does not know";
	key = (struct bucket){
		.stack = rec->stack - 1, .source = rec->source,
		.comm = comm_name(r, rec->comm),
		.pid = r->options.pid || r->options.tid ? rec->pid : 0,
		.tid = r->options.tid ? rec->tid : 0,
	};
	bucket = find_bucket(r, &key);
	if (rec->value > UINT64_MAX - r->buckets[bucket].value)
		return "has a value that makes the total exceed 2^64 - 1";
	r->buckets[bucket].value += rec->value;
	if (r->options.keep_samples)
		keep_sample(r, rec, bucket);
	r->nr_samples++;
	return NULL;
}

static const char *add_lost(struct records *r, struct flame_rec *hdr)
{
	struct flame_rec_lost *rec = (void *)hdr;

	if (hdr->size < sizeof(*rec))
		return "is too short";
	if (rec->count <= UINT64_MAX - r->lost_here)
		r->lost_here += rec->count;
	return NULL;
}

bool records_text_u64(const char *text, size_t len, const char *name, uint64_t *value)
{
	size_t name_len = strlen(name);

	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len;

		if (n > name_len + 1 && !memcmp(text, name, name_len) && text[name_len] == ':') {
			size_t at = name_len + 1;

			while (at < n && text[at] == ' ')
				at++;
			return text_u64(text + at, n - at, UINT64_MAX, value);
		}
		text += end ? n + 1 : n;
		len -= end ? n + 1 : n;
	}
	return false;
}

static const char *add_text(struct records *r, struct flame_rec *hdr)
{
	struct flame_rec_text *rec = (void *)hdr;
	struct profile_meta *meta = profile_meta(r->p);
	uint64_t value;

	if (hdr->size < offsetof(struct flame_rec_text, text) ||
	    rec->len > hdr->size - offsetof(struct flame_rec_text, text))
		return "is too short for its text";
	if (records_text_u64(rec->text, rec->len, "frequency", &value) && value <= UINT32_MAX)
		meta->frequency = (uint32_t)value;
	if (hdr->type != FLAME_REC_STATS)
		return NULL;
	if (records_text_u64(rec->text, rec->len, "lost", &value))
		meta->lost = value;
	if (records_text_u64(rec->text, rec->len, "missed", &value))
		meta->missed = value;
	if (records_text_u64(rec->text, rec->len, "duration_ns", &value))
		meta->duration_ns = value;
	return NULL;
}

static const char *add_symbol(struct records *r, struct flame_rec *hdr)
{
	struct flame_rec_symbol *rec = (void *)hdr;

	if (hdr->size < sizeof(*rec) || rec->name_len > hdr->size - sizeof(*rec))
		return "is too short for its name";
	if (!map_id(&r->object_ids, &rec->object))
		return "refers to an object that is not there";
	records_name_place(r, find_place(r, rec->object, rec->offset), rec->name, rec->name_len,
			   rec->start);
	return NULL;
}

const char *records_add(struct records *r, struct flame_rec *rec)
{
	switch (rec->type) {
	case FLAME_REC_NAME:
		return add_name(r, rec);
	case FLAME_REC_OBJECT:
		return add_object(r, rec);
	case FLAME_REC_STACK:
		return add_stack(r, rec);
	case FLAME_REC_SAMPLE:
		return add_sample(r, rec);
	case FLAME_REC_LOST:
		return add_lost(r, rec);
	case FLAME_REC_INFO:
	case FLAME_REC_SETTINGS:
	case FLAME_REC_STATS:
		return add_text(r, rec);
	case FLAME_REC_SYMBOL:
		return add_symbol(r, rec);
	default:
		return profile_records_add(&r->profile, r->p, rec);
	}
}

static uint32_t push_mark(struct records *r, uint32_t stack, const char *mark)
{
	struct profile_frame frame = {
		.name = profile_string(r->p, mark, strlen(mark)), .offset = PROFILE_NO_OFFSET,
		.kind = FRAME_SPECIAL,
	};

	return profile_push(r->p, stack, profile_frame(r->p, &frame));
}

/* COMM, COMM-PID or COMM-PID/TID; with no_comm the ids alone. */
static uint32_t push_root(struct records *r, uint32_t stack, const struct bucket *b)
{
	const struct input_options *o = &r->options;
	const char *comm = o->no_comm ? "" : profile_text(r->p, b->comm);
	const char *dash = *comm ? "-" : "";
	struct profile_frame frame = { .offset = PROFILE_NO_OFFSET, .kind = FRAME_COMM };
	char *text;

	if (o->tid)
		text = xasprintf("%s%s%u/%u", comm, dash, b->pid, b->tid);
	else if (o->pid)
		text = xasprintf("%s%s%u", comm, dash, b->pid);
	else if (!o->no_comm)
		text = xstrdup(comm);
	else
		return stack;
	frame.name = profile_string(r->p, text, strlen(text));
	free(text);
	return profile_push(r->p, stack, profile_frame(r->p, &frame));
}

static uint32_t place_frame(struct records *r, const struct place *place)
{
	const struct object *o = &r->objects[place->pub.object - 1];
	struct profile_frame frame = {
		.object = o->path != PROFILE_NO_STRING ? o->path : o->name,
		.offset = place->pub.offset,
		.kind = o->pub.kind == FLAME_OBJECT_JIT ? FRAME_JIT : FRAME_USER,
	};

	if (place->name != PROFILE_NO_STRING && !r->options.addrs) {
		frame.name = place->name;
	} else if (o->pub.kind < FLAME_OBJECT_ANON) {
		char *text = xasprintf("%s+0x%llx", profile_text(r->p, o->name),
				       (unsigned long long)place->pub.offset);

		frame.name = profile_string(r->p, text, strlen(text));
		free(text);
	} else {
		frame.name = o->name;
	}
	return profile_frame(r->p, &frame);
}

static uint32_t merge_bucket(struct records *r, const struct bucket *b)
{
	const struct raw_stack *s = &r->stacks[b->stack];
	const uint32_t *user = r->pool + s->first, *kernel = user + s->nr_user;
	uint32_t at = PROFILE_ROOT_STACK;

	if (s->flags & FLAME_STACK_TABLE_FULL)
		return push_mark(r, at, "[table full]");
	at = push_root(r, at, b);
	if (s->flags & (FLAME_STACK_IRQ | FLAME_STACK_SOFTIRQ))
		at = push_mark(r, at, s->flags & FLAME_STACK_IRQ ? "[hardirq]" : "[softirq]");
	if (s->flags & FLAME_STACK_USER_TRUNCATED)
		at = push_mark(r, at, "[truncated]");
	for (uint16_t i = s->nr_user; i-- > 0;)
		at = profile_push(r->p, at, place_frame(r, &r->places[user[i]]));
	if (s->flags & FLAME_STACK_KERNEL_TRUNCATED)
		at = push_mark(r, at, "[truncated]");
	for (uint16_t i = s->nr_kernel; i-- > 0;) {
		struct profile_frame frame = {
			.name = kernel[i], .offset = PROFILE_NO_OFFSET, .kind = FRAME_KERNEL,
		};

		at = profile_push(r->p, at, profile_frame(r->p, &frame));
	}
	return at != PROFILE_ROOT_STACK ? at : push_mark(r, at, "[no stack]");
}

const char *records_finish(struct records *r)
{
	static const char too_much[] = "the values add up to more than 2^64 - 1";
	struct profile_meta *meta = profile_meta(r->p);
	uint32_t event;

	/* The file of a whole profile has its events from its own records. */
	if (r->profile.nr_events && !r->nr_samples)
		return NULL;
	event = profile_event(r->p, "timer", "samples");
	if (meta->lost < r->lost_here)
		meta->lost = r->lost_here;
	for (size_t i = 0; i < r->nr_buckets; i++) {
		struct bucket *b = &r->buckets[i];

		b->merged = merge_bucket(r, b);
		if (!r->options.keep_samples && !profile_add(r->p, b->merged, event, b->value))
			return too_much;
	}
	if (!r->options.keep_samples)
		return NULL;
	for (size_t i = 0; i < r->nr_samples; i++) {
		const struct kept_sample *s = &r->samples[i];
		const struct bucket *b = &r->buckets[s->bucket];
		struct profile_sample sample = {
			.time = s->time, .value = s->value, .stack = b->merged, .event = event,
			.cpu = s->cpu, .pid = s->pid, .tid = s->tid, .comm = b->comm,
		};

		if (!profile_add_sample(r->p, &sample))
			return too_much;
	}
	return NULL;
}

uint64_t records_nr_samples(const struct records *r)
{
	return r->nr_samples + r->profile.nr_values;
}

uint64_t records_lost(const struct records *r)
{
	return r->lost_here;
}

uint32_t records_nr_objects(const struct records *r)
{
	return (uint32_t)r->nr_objects;
}

const struct record_object *records_object(const struct records *r, uint32_t id)
{
	struct object *o = &r->objects[id - 1];

	o->pub.name = profile_text(r->p, o->name);
	o->pub.path = profile_text(r->p, o->path);
	return &o->pub;
}

uint32_t records_nr_places(const struct records *r)
{
	return (uint32_t)r->nr_places;
}

const struct record_place *records_place(const struct records *r, uint32_t index)
{
	struct place *place = &r->places[index];

	place->pub.name = place->name != PROFILE_NO_STRING ? profile_text(r->p, place->name) : NULL;
	return &place->pub;
}

void records_name_place(struct records *r, uint32_t index, const char *name, size_t len,
			uint64_t start)
{
	r->places[index].pub.start = start;
	r->places[index].name = profile_name(r->p, name, len);
}
