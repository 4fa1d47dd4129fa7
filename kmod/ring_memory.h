/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory for a ring: pages mapped twice in a row. Process context.
 */
#ifndef FLAME_RING_MEMORY_H
#define FLAME_RING_MEMORY_H

#include "ring.h"

struct page;

/**
 * flame_ring_alloc() - makes an empty ring of @bytes
 * @ring: receives it; ring->data is NULL on failure
 * @pages: receives what flame_ring_free() needs
 * @node: NUMA node, or NUMA_NO_NODE
 * @bytes: a power of two, at least a page
 *
 * May sleep. 0 or -ENOMEM, nothing to free then.
 */
int flame_ring_alloc(struct flame_ring *ring, struct page ***pages, int node, u32 bytes);

/* Frees it. A ring that was never made: nothing. */
void flame_ring_free(struct flame_ring *ring, struct page ***pages);

#endif /* FLAME_RING_MEMORY_H */
