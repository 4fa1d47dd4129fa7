/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The fold table: equal stacks become one entry with a sum. Shared with user space
 * (tests, fuzzer). Process context, serialised by the caller; may allocate, never
 * beyond its limit.
 *
 * Two levels. The cache knows the raw bytes of recent samples and answers most
 * look-ups by one comparison; it is bounded and forgets. The table behind it is
 * keyed by canonical frames (strings, OBJECT + offset), so that address-space
 * randomisation does not multiply stacks; it forgets nothing until it is destroyed.
 *
 * Ids are dense from 1 and never move or change meaning: whoever has taken the
 * number of ids under the caller's lock may read those entries later without it.
 */
#ifndef FLAME_FOLD_H
#define FLAME_FOLD_H

#include "port.h"

/* Arrays that grow without moving: chunk k holds FLAME_CHUNK_FIRST << k elements. */
#define FLAME_CHUNK_FIRST	256U
#define FLAME_CHUNKS		24

struct flame_vec {
	void *chunk[FLAME_CHUNKS];
	u32 elem_size;
	u32 nr;			/* elements in use */
	u32 capacity;
};

enum flame_frame_kind {
	FLAME_FRAME_ROOT,	/* comm, pid and the like: a string */
	FLAME_FRAME_MARK,	/* "[truncated]": a string */
	FLAME_FRAME_USER,	/* object + offset */
	FLAME_FRAME_KERNEL,	/* a string */
	FLAME_FRAME_KERNEL_MARKED,	/* a string, printed with "_[k]" */
};

/**
 * struct flame_frame - a canonical frame
 * @kind: enum flame_frame_kind
 * @id: string id, or object id for FLAME_FRAME_USER
 * @offset: in the object; 0 for strings
 */
struct flame_frame {
	u32 kind;
	u32 id;
	u64 offset;
};

/**
 * struct flame_stack - a distinct stack
 * @value: sum of the values folded into it
 * @hash: of the frames and @flags
 * @flags: FLAME_STACK_*
 * @nr: frames
 * @frames: frame ids, outermost first
 */
struct flame_stack {
	u64 value;
	u32 hash;
	u16 flags;
	u16 nr;
	u32 frames[];
};

struct flame_string {
	u32 hash;
	u32 len;
	char text[];		/* NUL-terminated */
};

struct flame_index {		/* open addressing: ids, 0 is empty */
	u32 *slot;
	u32 mask;
};

struct flame_cache_slot {
	u64 pos;		/* where the key starts in the cache's bytes, + 1 */
	u64 image;
	u32 hash;
	u32 stack;
	u32 bytes;
	u32 reserved;
};

struct flame_fold {
	u64 limit;		/* bytes this table may take */
	u64 used;		/* bytes it takes */
	struct flame_vec strings;	/* struct flame_string * */
	struct flame_vec frames;	/* struct flame_frame */
	struct flame_vec stacks;	/* struct flame_stack * */
	struct flame_index string_index, frame_index, stack_index;
	void *arena;		/* blocks of bytes for strings and stacks */
	u32 arena_used;
	/* cache of raw keys */
	struct flame_cache_slot *cache;
	u32 cache_mask;
	u8 *cache_bytes;
	u32 cache_size;		/* of cache_bytes; a power of two */
	u64 cache_pos;		/* free-running write position */
};

/* The id of the stack that counts what found no room; exists from the start. */
#define FLAME_FOLD_FULL_STACK	1

/**
 * flame_fold_init() - an empty table
 * @fold: receives it
 * @limit: bytes it may take at the most; at least 192 KiB
 *
 * Returns 0 or -ENOMEM, nothing to destroy then.
 */
int flame_fold_init(struct flame_fold *fold, u64 limit);
void flame_fold_destroy(struct flame_fold *fold);

/* Hash of a fold key: @bytes is a multiple of 8. */
u64 flame_fold_hash(const void *key, u32 bytes);

/**
 * flame_fold_cached() - the stack that a raw key folded to last time
 * @fold: the table
 * @image: whose addresses these are (process image and generation of its mappings)
 * @key: the raw bytes
 * @bytes: how many; a multiple of 8
 * @hash: flame_fold_hash() of them
 *
 * Returns a stack id, or 0: not known (any more).
 */
u32 flame_fold_cached(const struct flame_fold *fold, u64 image, const void *key, u32 bytes,
		      u64 hash);

/* Remembers it, forgetting older ones. Never fails; a huge key is not remembered. */
void flame_fold_remember(struct flame_fold *fold, u64 image, const void *key, u32 bytes,
			 u64 hash, u32 stack);

/* Forgets all raw keys: addresses got another meaning (a module went). */
void flame_fold_forget(struct flame_fold *fold);

/* Id of a string, made when new; 0: no room. */
u32 flame_fold_string(struct flame_fold *fold, const char *text, u32 len);

/* Id of a frame, made when new; 0: no room. */
u32 flame_fold_frame(struct flame_fold *fold, u32 kind, u32 id, u64 offset);

/**
 * flame_fold_stack() - id of a stack, made when new
 * @frames: ids, outermost first
 * @nr: how many
 * @flags: FLAME_STACK_*
 *
 * Returns FLAME_FOLD_FULL_STACK when there is no room for a new one.
 */
u32 flame_fold_stack(struct flame_fold *fold, const u32 *frames, u32 nr, u32 flags);

const char *flame_fold_text(const struct flame_fold *fold, u32 string);
const struct flame_frame *flame_fold_frame_get(const struct flame_fold *fold, u32 frame);
struct flame_stack *flame_fold_stack_get(const struct flame_fold *fold, u32 stack);

/* Number of ids given out so far: the largest valid id. */
static inline u32 flame_fold_nr_stacks(const struct flame_fold *fold)
{
	return fold->stacks.nr;
}

static inline u32 flame_fold_nr_frames(const struct flame_fold *fold)
{
	return fold->frames.nr;
}

#endif /* FLAME_FOLD_H */
