/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A ring of variable-size records with one producer and one consumer and no lock.
 * Shared with user space (tests). Owns no memory: the caller hands in a buffer that
 * is mapped twice in a row, so that every record is contiguous.
 *
 * Positions are free-running u64; the buffer index is the position modulo the size.
 * Each record begins with a u32 that holds its size, a multiple of 8.
 *
 * Ordering: the producer writes a record, then publishes `head` (store-release);
 * the consumer reads `head` (load-acquire), then the records. The consumer is done
 * with the records, then publishes `tail` (store-release); the producer reads `tail`
 * (load-acquire), then writes over them.
 */
#ifndef FLAME_RING_H
#define FLAME_RING_H

#ifdef __KERNEL__
#include <linux/cache.h>
#endif
#include "port.h"

struct flame_ring {
	u8 *data;		/* 2 * size bytes, the same memory twice; NULL: no ring */
	u32 size;		/* a power of two */
	/* producer's */
	u64 head ____cacheline_aligned;
	u64 tail_seen;		/* the last `tail` the producer read */
	/* consumer's */
	u64 tail ____cacheline_aligned;
};

/**
 * flame_ring_init() - makes an empty ring over a buffer
 * @ring: not in use
 * @data: 2 * @size bytes, the second half an alias of the first
 * @size: a power of two, at least 64
 */
static inline void flame_ring_init(struct flame_ring *ring, u8 *data, u32 size)
{
	ring->data = data;
	ring->size = size;
	ring->head = 0;
	ring->tail_seen = 0;
	ring->tail = 0;
}

/* Producer only: looks how far the consumer is. */
static __always_inline void flame_ring_look(struct flame_ring *ring)
{
	/* Pairs with the release in flame_ring_consume(): room is free only when the
	 * consumer has finished reading it.
	 */
	ring->tail_seen = smp_load_acquire(&ring->tail);
}

/**
 * flame_ring_reserve() - where the next record may be written
 * @ring: the ring
 * @want: bytes the caller hopes for; a multiple of 8
 * @space: receives how many bytes may be written there: @want or, when there is
 *	   less room, what there is (a multiple of 8, perhaps 0)
 *
 * Producer only, in any context, interrupts off until the commit: nothing else may
 * produce into this ring in between. Nothing is visible before flame_ring_commit().
 */
static __always_inline void *flame_ring_reserve(struct flame_ring *ring, u32 want, u32 *space)
{
	u64 used = ring->head - ring->tail_seen;

	if (unlikely(ring->size - used < want)) {
		flame_ring_look(ring);
		used = ring->head - ring->tail_seen;
		if (ring->size - used < want)
			want = ring->size - used;
	}
	*space = want;
	return ring->data + (ring->head & (ring->size - 1));
}

/**
 * flame_ring_commit() - makes the record that was written visible
 * @ring: the ring
 * @bytes: its size, no larger than the space that was reserved; a multiple of 8
 */
static __always_inline void flame_ring_commit(struct flame_ring *ring, u32 bytes)
{
	/* Pairs with the acquire in flame_ring_head(): the record before the head. */
	smp_store_release(&ring->head, ring->head + bytes);
}

/**
 * flame_ring_overwrite() - gives up the oldest records to make room
 * @ring: a ring that nobody consumes at present
 * @want: bytes needed; no more than the size
 *
 * Producer only, interrupts off. Returns how many records were given up.
 */
static inline u32 flame_ring_overwrite(struct flame_ring *ring, u32 want)
{
	u32 given_up = 0;

	while (ring->size - (ring->head - ring->tail) < want) {
		u32 bytes = *(const u32 *)(ring->data + (ring->tail & (ring->size - 1)));

		WRITE_ONCE(ring->tail, ring->tail + bytes);
		given_up++;
	}
	ring->tail_seen = ring->tail;
	return given_up;
}

/* Bytes not yet consumed, as the producer sees it without a look at the consumer. */
static __always_inline u32 flame_ring_used_hint(const struct flame_ring *ring)
{
	return ring->head - ring->tail_seen;
}

/* Consumer only: the position up to which records may be read. */
static inline u64 flame_ring_head(struct flame_ring *ring)
{
	/* Pairs with the release in flame_ring_commit(). */
	return smp_load_acquire(&ring->head);
}

/**
 * flame_ring_peek() - the record at a position
 * @ring: the ring
 * @pos: between the tail and what flame_ring_head() returned
 * @head: what flame_ring_head() returned
 *
 * Consumer only. Returns NULL at @head, and when the size found there is not that
 * of a whole record before @head: the rest of the ring is then not to be trusted.
 */
static inline const void *flame_ring_peek(const struct flame_ring *ring, u64 pos, u64 head)
{
	const u8 *rec = ring->data + (pos & (ring->size - 1));
	u32 bytes;

	if (head - pos < 8 || head - pos > ring->size)
		return NULL;
	bytes = READ_ONCE(*(const u32 *)rec);
	if (bytes < 8 || bytes % 8 || bytes > head - pos)
		return NULL;
	return rec;
}

/* Consumer only: everything before @pos has been read and may be written over. */
static inline void flame_ring_consume(struct flame_ring *ring, u64 pos)
{
	/* Pairs with the acquire in flame_ring_reserve(). */
	smp_store_release(&ring->tail, pos);
}

#endif /* FLAME_RING_H */
