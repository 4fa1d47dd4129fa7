// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fold table: interned strings, frames and stacks with their sums, and the cache
 * of raw keys in front of them. Process context; the caller serialises. Allocates
 * within its limit and never fails harder than "[table full]".
 */
#include "fold.h"
#include "../include/flame_abi.h"

#define ARENA_BLOCK		(64 * 1024)
#define CACHE_SIZE_MIN		(16 * 1024)
#define CACHE_SIZE_MAX		(2 * 1024 * 1024)
#define CACHE_BYTES_PER_SLOT	128
#define INDEX_FIRST		1024

/* The arena's blocks are a list through their first word. */
struct arena_block {
	void *next;
	u8 bytes[];
};

static void *fold_alloc(struct flame_fold *fold, size_t bytes)
{
	void *p;

	if (bytes > fold->limit - fold->used)
		return NULL;
	p = flame_zalloc(bytes);
	if (p)
		fold->used += bytes;
	return p;
}

static void fold_release(struct flame_fold *fold, void *p, size_t bytes)
{
	if (!p)
		return;
	flame_free(p);
	fold->used -= bytes;
}

/* Chunk and index in it of element @i. */
static void *vec_at(const struct flame_vec *vec, u32 i)
{
	u32 k = 31 - __builtin_clz(i / FLAME_CHUNK_FIRST + 1);
	u32 first = FLAME_CHUNK_FIRST * ((1U << k) - 1);

	return (u8 *)vec->chunk[k] + (size_t)(i - first) * vec->elem_size;
}

/* Room for one more element; its number is vec->nr until the caller raises that. */
static void *vec_room(struct flame_fold *fold, struct flame_vec *vec)
{
	if (vec->nr == vec->capacity) {
		u32 k = 31 - __builtin_clz(vec->capacity / FLAME_CHUNK_FIRST + 1);
		u32 nr;

		if (k >= FLAME_CHUNKS)
			return NULL;
		nr = FLAME_CHUNK_FIRST << k;
		vec->chunk[k] = fold_alloc(fold, (size_t)nr * vec->elem_size);
		if (!vec->chunk[k])
			return NULL;
		vec->capacity += nr;
	}
	return vec_at(vec, vec->nr);
}

static void vec_destroy(struct flame_vec *vec)
{
	u32 k;

	for (k = 0; k < FLAME_CHUNKS; k++)
		flame_free(vec->chunk[k]);
}

/* @bytes of the arena, 8-byte aligned, not to be freed one by one. */
static void *arena_alloc(struct flame_fold *fold, size_t bytes)
{
	size_t room = ARENA_BLOCK - sizeof(struct arena_block);
	struct arena_block *block = fold->arena;
	void *p;

	bytes = ALIGN(bytes, (size_t)8);
	if (bytes > room)
		return NULL;
	if (!block || bytes > room - fold->arena_used) {
		block = fold_alloc(fold, ARENA_BLOCK);
		if (!block)
			return NULL;
		block->next = fold->arena;
		fold->arena = block;
		fold->arena_used = 0;
	}
	p = block->bytes + fold->arena_used;
	fold->arena_used += bytes;
	return p;
}

/* Gives back what arena_alloc() handed out last. */
static void arena_undo(struct flame_fold *fold, size_t bytes)
{
	fold->arena_used -= ALIGN(bytes, (size_t)8);
}

static int index_init(struct flame_fold *fold, struct flame_index *index, u32 slots)
{
	index->slot = fold_alloc(fold, slots * sizeof(u32));
	if (!index->slot)
		return -ENOMEM;
	index->mask = slots - 1;
	return 0;
}

/*
 * Doubles an index when it is three quarters full. @hash_of tells the hash of an id.
 * Without memory it takes ids up to seven eighths: a search for what is not there
 * visits 33 slots on average then, and ever more of them beyond (Knuth, TAOCP 6.4).
 */
static bool index_room(struct flame_fold *fold, struct flame_index *index, u32 nr,
		       u32 (*hash_of)(const struct flame_fold *fold, u32 id))
{
	u32 slots = index->mask + 1, i;
	struct flame_index bigger;

	if (nr < slots / 4 * 3)
		return true;
	if (slots > (1U << 30) || index_init(fold, &bigger, slots * 2))
		return nr < slots / 8 * 7;
	for (i = 0; i < slots; i++) {
		u32 id = index->slot[i], at;

		if (!id)
			continue;
		at = hash_of(fold, id) & bigger.mask;
		while (bigger.slot[at])
			at = (at + 1) & bigger.mask;
		bigger.slot[at] = id;
	}
	fold_release(fold, index->slot, slots * sizeof(u32));
	*index = bigger;
	return true;
}

static u32 fold32(u64 hash)
{
	return (u32)(hash ^ hash >> 32);
}

/* One word into a hash: rotate, xor, multiply by an odd constant (2^64 / golden ratio). */
static __always_inline u64 mix(u64 hash, u64 word)
{
	hash ^= word;
	hash = hash << 23 | hash >> 41;
	return hash * 0x9e3779b97f4a7c15ULL;
}

u64 flame_fold_hash(const void *key, u32 bytes)
{
	const u64 *word = key, *end = word + bytes / 8;
	u64 hash = bytes;

	for (; word != end; word++)
		hash = mix(hash, *word);
	return hash ^ hash >> 29;
}

static bool same_words(const void *a, const void *b, u32 bytes)
{
	const u64 *x = a, *y = b, *end = x + bytes / 8;

	for (; x != end; x++, y++) {
		if (*x != *y)
			return false;
	}
	return true;
}

u32 flame_fold_cached(const struct flame_fold *fold, u64 image, const void *key, u32 bytes,
		      u64 hash)
{
	const struct flame_cache_slot *slot = &fold->cache[hash & fold->cache_mask];

	if (slot->hash != (u32)(hash >> 32) || slot->bytes != bytes || slot->image != image)
		return 0;
	/* Written over since, or never written: its bytes are not that key any more. */
	if (!slot->pos || fold->cache_pos - (slot->pos - 1) > fold->cache_size)
		return 0;
	if (!same_words(fold->cache_bytes + ((slot->pos - 1) & (fold->cache_size - 1)), key, bytes))
		return 0;
	return slot->stack;
}

void flame_fold_remember(struct flame_fold *fold, u64 image, const void *key, u32 bytes,
			 u64 hash, u32 stack)
{
	struct flame_cache_slot *slot = &fold->cache[hash & fold->cache_mask];
	u32 at = fold->cache_pos & (fold->cache_size - 1);

	if (bytes > fold->cache_size / 4)
		return;
	if (bytes > fold->cache_size - at) {	/* keys do not wrap */
		fold->cache_pos += fold->cache_size - at;
		at = 0;
	}
	memcpy(fold->cache_bytes + at, key, bytes);
	slot->pos = fold->cache_pos + 1;
	slot->image = image;
	slot->hash = (u32)(hash >> 32);
	slot->bytes = bytes;
	slot->stack = stack;
	fold->cache_pos += bytes;
}

void flame_fold_forget(struct flame_fold *fold)
{
	memset(fold->cache, 0, (fold->cache_mask + 1) * sizeof(*fold->cache));
}

const char *flame_fold_text(const struct flame_fold *fold, u32 string)
{
	return (*(struct flame_string **)vec_at(&fold->strings, string - 1))->text;
}

const struct flame_frame *flame_fold_frame_get(const struct flame_fold *fold, u32 frame)
{
	return vec_at(&fold->frames, frame - 1);
}

struct flame_stack *flame_fold_stack_get(const struct flame_fold *fold, u32 stack)
{
	return *(struct flame_stack **)vec_at(&fold->stacks, stack - 1);
}

static u32 string_hash(const struct flame_fold *fold, u32 id)
{
	return (*(struct flame_string **)vec_at(&fold->strings, id - 1))->hash;
}

u32 flame_fold_string(struct flame_fold *fold, const char *text, u32 len)
{
	struct flame_index *index = &fold->string_index;
	struct flame_string *string, **entry;
	u64 h = len;
	u32 hash, at, i;

	for (i = 0; i < len; i++)
		h = mix(h, (u8)text[i]);
	hash = fold32(h);
	for (at = hash & index->mask; index->slot[at]; at = (at + 1) & index->mask) {
		string = *(struct flame_string **)vec_at(&fold->strings, index->slot[at] - 1);
		if (string->hash == hash && string->len == len && !memcmp(string->text, text, len))
			return index->slot[at];
	}

	if (!index_room(fold, index, fold->strings.nr, string_hash))
		return 0;
	entry = vec_room(fold, &fold->strings);
	string = entry ? arena_alloc(fold, sizeof(*string) + len + 1) : NULL;
	if (!string)
		return 0;
	string->hash = hash;
	string->len = len;
	memcpy(string->text, text, len);
	string->text[len] = '\0';
	*entry = string;
	for (at = hash & index->mask; index->slot[at]; at = (at + 1) & index->mask)
		;
	index->slot[at] = ++fold->strings.nr;
	return fold->strings.nr;
}

static u32 hash_frame(u32 kind, u32 id, u64 offset)
{
	return fold32(mix(mix(kind, id), offset));
}

static u32 frame_hash(const struct flame_fold *fold, u32 id)
{
	const struct flame_frame *frame = flame_fold_frame_get(fold, id);

	return hash_frame(frame->kind, frame->id, frame->offset);
}

u32 flame_fold_frame(struct flame_fold *fold, u32 kind, u32 id, u64 offset)
{
	struct flame_index *index = &fold->frame_index;
	u32 hash = hash_frame(kind, id, offset), at;
	struct flame_frame *frame;

	if (!id)
		return 0;
	for (at = hash & index->mask; index->slot[at]; at = (at + 1) & index->mask) {
		frame = vec_at(&fold->frames, index->slot[at] - 1);
		if (frame->kind == kind && frame->id == id && frame->offset == offset)
			return index->slot[at];
	}

	if (!index_room(fold, index, fold->frames.nr, frame_hash))
		return 0;
	frame = vec_room(fold, &fold->frames);
	if (!frame)
		return 0;
	frame->kind = kind;
	frame->id = id;
	frame->offset = offset;
	for (at = hash & index->mask; index->slot[at]; at = (at + 1) & index->mask)
		;
	index->slot[at] = ++fold->frames.nr;
	return fold->frames.nr;
}

static u32 stack_hash(const struct flame_fold *fold, u32 id)
{
	return flame_fold_stack_get(fold, id)->hash;
}

u32 flame_fold_stack(struct flame_fold *fold, const u32 *frames, u32 nr, u32 flags)
{
	struct flame_index *index = &fold->stack_index;
	struct flame_stack *stack, **entry;
	size_t bytes = sizeof(*stack) + nr * sizeof(u32);
	u64 h = mix(nr, flags);
	u32 hash, at, i;

	for (i = 0; i < nr; i++) {
		if (!frames[i])		/* a frame that found no room */
			return FLAME_FOLD_FULL_STACK;
		h = mix(h, frames[i]);
	}
	hash = fold32(h);
	for (at = hash & index->mask; index->slot[at]; at = (at + 1) & index->mask) {
		stack = flame_fold_stack_get(fold, index->slot[at]);
		if (stack->hash == hash && stack->nr == nr && stack->flags == flags &&
		    !memcmp(stack->frames, frames, nr * sizeof(u32)))
			return index->slot[at];
	}

	if (!index_room(fold, index, fold->stacks.nr, stack_hash))
		return FLAME_FOLD_FULL_STACK;
	stack = arena_alloc(fold, bytes);
	if (!stack)
		return FLAME_FOLD_FULL_STACK;
	entry = vec_room(fold, &fold->stacks);
	if (!entry) {
		arena_undo(fold, bytes);
		return FLAME_FOLD_FULL_STACK;
	}
	stack->value = 0;
	stack->hash = hash;
	stack->flags = flags;
	stack->nr = nr;
	memcpy(stack->frames, frames, nr * sizeof(u32));
	*entry = stack;
	for (at = hash & index->mask; index->slot[at]; at = (at + 1) & index->mask)
		;
	index->slot[at] = ++fold->stacks.nr;
	return fold->stacks.nr;
}

static int cache_init(struct flame_fold *fold)
{
	u64 size = CACHE_SIZE_MIN;
	u32 slots;

	while (size < CACHE_SIZE_MAX && size * 16 <= fold->limit)
		size *= 2;
	fold->cache_size = (u32)size;
	slots = fold->cache_size / CACHE_BYTES_PER_SLOT;
	fold->cache_mask = slots - 1;
	fold->cache_bytes = fold_alloc(fold, fold->cache_size);
	fold->cache = fold_alloc(fold, slots * sizeof(*fold->cache));
	return fold->cache && fold->cache_bytes ? 0 : -ENOMEM;
}

int flame_fold_init(struct flame_fold *fold, u64 limit)
{
	static const char full[] = "[table full]";
	u32 frame;

	memset(fold, 0, sizeof(*fold));
	fold->limit = limit;
	fold->strings.elem_size = sizeof(struct flame_string *);
	fold->frames.elem_size = sizeof(struct flame_frame);
	fold->stacks.elem_size = sizeof(struct flame_stack *);
	if (index_init(fold, &fold->string_index, INDEX_FIRST) ||
	    index_init(fold, &fold->frame_index, INDEX_FIRST) ||
	    index_init(fold, &fold->stack_index, INDEX_FIRST) || cache_init(fold))
		goto no_memory;
	/* The first id each of the three gives out: FLAME_FOLD_FULL_STACK is 1. */
	frame = flame_fold_frame(fold, FLAME_FRAME_MARK,
				 flame_fold_string(fold, full, sizeof(full) - 1), 0);
	flame_fold_stack(fold, &frame, 1, FLAME_STACK_TABLE_FULL);
	if (fold->stacks.nr == 1)
		return 0;
no_memory:
	flame_fold_destroy(fold);
	return -ENOMEM;
}

void flame_fold_destroy(struct flame_fold *fold)
{
	struct arena_block *block = fold->arena, *next;

	for (; block; block = next) {
		next = block->next;
		flame_free(block);
	}
	vec_destroy(&fold->strings);
	vec_destroy(&fold->frames);
	vec_destroy(&fold->stacks);
	flame_free(fold->string_index.slot);
	flame_free(fold->frame_index.slot);
	flame_free(fold->stack_index.slot);
	flame_free(fold->cache);
	flame_free(fold->cache_bytes);
	memset(fold, 0, sizeof(*fold));
}
