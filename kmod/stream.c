// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streams: the copies that readers get. The collector writes into a stream's ring and
 * never waits for its reader; a reader that is too slow loses records of its own copy,
 * counted, and is told so by a LOST record. Process context.
 */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include "ring_memory.h"
#include "session.h"
#include "streams.h"

#define STREAM_BYTES_ALL	(4 * 1024 * 1024)
#define STREAM_BYTES_CPU	(1024 * 1024)
/* Room that samples leave for what must arrive at a session's end: LOST and STATS. */
#define STREAM_KEPT		8192

/* The stream's own ids, dense from 1, for the profile's ids it was told of; 0: not yet. */
struct id_map {
	u32 *own;
	u32 nr;			/* profile ids there is room for */
	u32 given;		/* own ids given out */
};

struct flame_stream {
	struct list_head list;
	int cpu;
	bool ended;
	u64 lost;		/* since the last LOST record */
	struct flame_ring ring;
	struct page **pages;
	struct mutex read_mutex;	/* one reader at a time is the ring's consumer */
	wait_queue_head_t readers;
	struct id_map stacks, strings;
	u32 objects_sent;	/* objects keep the profile's ids, sent in their order */
};

/* Under the collector's mutex. */
static LIST_HEAD(streams);
static u64 streams_lost;

struct flame_stream *flame_stream_open(int cpu)
{
	struct flame_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL | __GFP_NOWARN);

	if (!stream)
		return ERR_PTR(-ENOMEM);
	stream->cpu = cpu;
	mutex_init(&stream->read_mutex);
	init_waitqueue_head(&stream->readers);
	if (flame_ring_alloc(&stream->ring, &stream->pages, NUMA_NO_NODE,
			     cpu == FLAME_STREAM_ALL_CPUS ? STREAM_BYTES_ALL : STREAM_BYTES_CPU)) {
		kfree(stream);
		return ERR_PTR(-ENOMEM);
	}
	mutex_lock(&flame_collector_mutex);
	list_add_tail(&stream->list, &streams);
	flame_session_describe(stream);
	mutex_unlock(&flame_collector_mutex);
	return stream;
}

void flame_stream_close(struct flame_stream *stream)
{
	mutex_lock(&flame_collector_mutex);
	list_del(&stream->list);
	mutex_unlock(&flame_collector_mutex);
	flame_ring_free(&stream->ring, &stream->pages);
	flame_free(stream->stacks.own);
	flame_free(stream->strings.own);
	kfree(stream);
}

void flame_stream_set_ended(struct flame_stream *stream, bool ended)
{
	/* Pairs with the acquire in next_record(): the last records before the end. */
	smp_store_release(&stream->ended, ended);
	wake_up_interruptible(&stream->readers);
}

u64 flame_streams_lost(void)
{
	return READ_ONCE(streams_lost);
}

void flame_streams_reset_lost(void)
{
	streams_lost = 0;
}

static u32 own_id(const struct id_map *map, u32 id)
{
	return id < map->nr ? map->own[id] : 0;
}

/* Makes room for @id. False: no memory. */
static bool map_room(struct id_map *map, u32 id)
{
	u32 nr = roundup_pow_of_two(max_t(u32, id + 1, 1024));
	u32 *own;

	if (id < map->nr)
		return true;
	own = flame_zalloc(nr * sizeof(*own));
	if (!own)
		return false;
	if (map->own)
		memcpy(own, map->own, map->nr * sizeof(*own));
	flame_free(map->own);
	map->own = own;
	map->nr = nr;
	return true;
}

static void map_clear(struct id_map *map)
{
	if (map->own)
		memset(map->own, 0, map->nr * sizeof(*map->own));
	map->given = 0;
}

void flame_streams_forget(void)
{
	struct flame_stream *stream;

	list_for_each_entry(stream, &streams, list) {
		map_clear(&stream->stacks);
		map_clear(&stream->strings);
		stream->objects_sent = 0;
	}
}

/*
 * Room for a record of @bytes, its header filled in and the rest zeroed, with @keep bytes
 * left over; or NULL.
 */
static void *begin_keeping(struct flame_stream *stream, u16 type, u16 flags, size_t bytes,
			   u32 keep)
{
	struct {
		u32 ring_size;	/* the ring's own header: struct flame_ring */
		u32 pad;
		struct flame_rec rec;
	} *slot;
	u32 want = ALIGN(bytes, 8), space;

	if (want > FLAME_REC_SIZE_MAX)
		return NULL;
	slot = flame_ring_reserve(&stream->ring, want + 8 + keep, &space);
	if (space < want + 8 + keep)
		return NULL;
	memset(slot, 0, want + 8);
	slot->ring_size = want + 8;
	slot->rec.type = type;
	slot->rec.flags = flags;
	slot->rec.size = want;
	return &slot->rec;
}

static void *begin(struct flame_stream *stream, u16 type, u16 flags, size_t bytes)
{
	return begin_keeping(stream, type, flags, bytes, STREAM_KEPT);
}

static void commit(struct flame_stream *stream, const void *rec)
{
	flame_ring_commit(&stream->ring, ((const struct flame_rec *)rec)->size + 8);
}

static bool send_string(struct flame_stream *stream, const struct flame_fold *fold, u32 id)
{
	const char *text = flame_fold_text(fold, id);
	u32 len = strlen(text);
	struct id_map *map = &stream->strings;
	struct flame_rec_name *rec;

	if (own_id(map, id))
		return true;
	if (!map_room(map, id))
		return false;
	rec = begin(stream, FLAME_REC_NAME, 0, sizeof(*rec) + len);
	if (!rec)
		return false;
	map->own[id] = ++map->given;
	rec->id = map->own[id];
	rec->len = len;
	memcpy(rec->name, text, len);
	commit(stream, rec);
	return true;
}

static bool send_object(struct flame_stream *stream, const struct flame_profile *profile, u32 id)
{
	const struct flame_object *object = profile->objects[id - 1];
	u32 name_len = strlen(object->name), path_len = strlen(object->path);
	struct flame_rec_object *rec;

	rec = begin(stream, FLAME_REC_OBJECT, 0, sizeof(*rec) + name_len + path_len);
	if (!rec)
		return false;
	rec->id = id;
	rec->kind = object->kind;
	rec->build_id_len = object->build_id_len;
	rec->name_len = name_len;
	rec->path_len = path_len;
	rec->dev = object->dev;
	rec->ino = object->ino;
	memcpy(rec->build_id, object->build_id, object->build_id_len);
	memcpy(rec->bytes, object->name, name_len);
	memcpy(rec->bytes + name_len, object->path, path_len);
	commit(stream, rec);
	return true;
}

/* Objects up to @id, those before it included: ids come in order. */
static bool send_objects(struct flame_stream *stream, const struct flame_profile *profile, u32 id)
{
	while (stream->objects_sent < id) {
		if (!send_object(stream, profile, stream->objects_sent + 1))
			return false;
		stream->objects_sent++;
	}
	return true;
}

static bool is_kernel(const struct flame_frame *frame)
{
	return frame->kind == FLAME_FRAME_KERNEL || frame->kind == FLAME_FRAME_KERNEL_MARKED;
}

/* What the stack's frames refer to, and how many there are of each half. */
static bool send_parts(struct flame_stream *stream, const struct flame_profile *profile,
		       const struct flame_stack *stack, u32 *nr_user, u32 *nr_kernel)
{
	u32 i;

	*nr_user = 0;
	*nr_kernel = 0;
	for (i = 0; i < stack->nr; i++) {
		const struct flame_frame *frame = flame_fold_frame_get(&profile->fold,
								       stack->frames[i]);

		if (frame->kind == FLAME_FRAME_USER) {
			++*nr_user;
			if (!send_objects(stream, profile, frame->id))
				return false;
		} else if (is_kernel(frame)) {
			++*nr_kernel;
			if (!send_string(stream, &profile->fold, frame->id))
				return false;
		}
	}
	return true;
}

static bool send_stack(struct flame_stream *stream, const struct flame_profile *profile, u32 id)
{
	const struct flame_stack *stack = flame_fold_stack_get(&profile->fold, id);
	u32 nr_user, nr_kernel, u = 0, k = 0, i;
	struct id_map *map = &stream->stacks;
	struct flame_rec_stack *rec;
	u32 *kernel;

	if (own_id(map, id))
		return true;
	if (!map_room(map, id) || !send_parts(stream, profile, stack, &nr_user, &nr_kernel))
		return false;
	rec = begin(stream, FLAME_REC_STACK, stack->flags,
		    sizeof(*rec) + nr_user * sizeof(rec->user[0]) + nr_kernel * sizeof(u32));
	if (!rec)
		return false;
	map->own[id] = ++map->given;
	rec->id = map->own[id];
	rec->nr_user = nr_user;
	rec->nr_kernel = nr_kernel;
	kernel = (u32 *)&rec->user[nr_user];
	for (i = stack->nr; i--; ) {	/* the record goes innermost first */
		const struct flame_frame *frame = flame_fold_frame_get(&profile->fold,
								       stack->frames[i]);

		if (frame->kind == FLAME_FRAME_USER) {
			rec->user[u].object = frame->id;
			rec->user[u++].offset = frame->offset;
		} else if (is_kernel(frame)) {
			kernel[k++] = own_id(&stream->strings, frame->id);
		}
	}
	commit(stream, rec);
	return true;
}

static bool send_lost(struct flame_stream *stream, u64 time, u32 keep)
{
	struct flame_rec_lost *rec;

	if (!stream->lost)
		return true;
	rec = begin_keeping(stream, FLAME_REC_LOST, 0, sizeof(*rec), keep);
	if (!rec)
		return false;
	rec->time = time;
	rec->count = stream->lost;
	rec->cpu = ~0U;
	commit(stream, rec);
	stream->lost = 0;
	return true;
}

static bool send_sample(struct flame_stream *stream, const struct flame_profile *profile,
			const struct flame_raw_sample *s, u32 stack)
{
	struct flame_rec_sample *rec;

	if (!send_lost(stream, s->time, STREAM_KEPT) || !send_stack(stream, profile, stack))
		return false;
	rec = begin(stream, FLAME_REC_SAMPLE, s->flags, sizeof(*rec));
	if (!rec)
		return false;
	rec->time = s->time;
	rec->value = s->value;
	rec->start_time = s->start_time;
	rec->stack = own_id(&stream->stacks, stack);
	rec->cpu = s->cpu;
	rec->pid = s->pid;
	rec->tid = s->tid;
	rec->source = s->source;
	memcpy(rec->comm, s->comm, sizeof(rec->comm));
	commit(stream, rec);
	return true;
}

void flame_streams_sample(struct flame_profile *profile, const struct flame_raw_sample *s,
			  u32 stack)
{
	struct flame_stream *stream;

	list_for_each_entry(stream, &streams, list) {
		if (stream->cpu != FLAME_STREAM_ALL_CPUS && stream->cpu != s->cpu)
			continue;
		if (!send_sample(stream, profile, s, stack)) {
			stream->lost++;
			streams_lost++;
		}
	}
}

void flame_streams_objects(struct flame_profile *profile)
{
	struct flame_stream *stream;

	/* No room: they are sent when a stack needs them, or at the next pass. */
	list_for_each_entry(stream, &streams, list) {
		if (stream->cpu == FLAME_STREAM_ALL_CPUS)
			send_objects(stream, profile, profile->nr_objects);
	}
}

void flame_stream_text(struct flame_stream *stream, u16 type, const char *text, u32 len)
{
	u64 now = ktime_get_mono_fast_ns();
	struct flame_rec_text *rec;

	/* What is missing before it is told before it. */
	send_lost(stream, now, 0);
	rec = begin_keeping(stream, type, 0, sizeof(*rec) + len, 0);
	if (!rec) {
		stream->lost++;
		streams_lost++;
		return;
	}
	rec->time = now;
	rec->len = len;
	memcpy(rec->text, text, len);
	commit(stream, rec);
}

void flame_streams_text(u16 type, const char *text, u32 len)
{
	struct flame_stream *stream;

	list_for_each_entry(stream, &streams, list)
		flame_stream_text(stream, type, text, len);
}

static bool has_records(struct flame_stream *stream)
{
	return flame_ring_head(&stream->ring) != READ_ONCE(stream->ring.tail);
}

void flame_streams_wake(void)
{
	struct flame_stream *stream;

	list_for_each_entry(stream, &streams, list) {
		if (has_records(stream))
			wake_up_interruptible(&stream->readers);
	}
}

/* Waits for records. 1: there are some; 0: ended; or an errno. */
static int next_record(struct flame_stream *stream, struct file *file)
{
	while (true) {
		/* Pairs with the release in flame_stream_set_ended(): then look once more. */
		bool ended = smp_load_acquire(&stream->ended);
		int err;

		if (has_records(stream))
			return 1;
		if (ended)
			return 0;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		err = wait_event_interruptible(stream->readers,
					       has_records(stream) || READ_ONCE(stream->ended));
		if (err)
			return err;
	}
}

ssize_t flame_stream_read(struct flame_stream *stream, struct file *file, char __user *buf,
			  size_t count)
{
	struct flame_ring *ring = &stream->ring;
	const struct flame_rec *rec;
	const u8 *slot;
	size_t done = 0;
	ssize_t err;
	u64 head;

	/* A reader that must not wait must not wait for another reader either. */
	if (file->f_flags & O_NONBLOCK)
		err = mutex_trylock(&stream->read_mutex) ? 0 : -EAGAIN;
	else
		err = mutex_lock_interruptible(&stream->read_mutex);
	if (err)
		return err;
	err = next_record(stream, file);
	if (err <= 0)
		goto out;
	err = -EINVAL;
	head = flame_ring_head(ring);
	while ((slot = flame_ring_peek(ring, ring->tail, head))) {
		rec = (const struct flame_rec *)(slot + 8);
		if (rec->size > count - done)
			break;
		if (copy_to_user(buf + done, rec, rec->size)) {
			err = -EFAULT;
			break;
		}
		done += rec->size;
		flame_ring_consume(ring, ring->tail + rec->size + 8);
	}
out:
	mutex_unlock(&stream->read_mutex);
	return done ? done : err;
}

__poll_t flame_stream_poll(struct flame_stream *stream, struct file *file,
			   struct poll_table_struct *wait)
{
	poll_wait(file, &stream->readers, wait);
	if (has_records(stream))
		return EPOLLIN | EPOLLRDNORM;
	return READ_ONCE(stream->ended) ? EPOLLHUP : 0;
}
