// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory for rings. Process context, may sleep.
 */
#include <linux/gfp.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "ring_memory.h"

void flame_ring_free(struct flame_ring *ring, struct page ***pages)
{
	u32 nr = ring->size >> PAGE_SHIFT, i;

	if (ring->data)
		vunmap(ring->data);
	/* Positions too: who still holds one of them finds the ring empty. */
	flame_ring_init(ring, NULL, ring->size);
	if (*pages) {
		for (i = 0; i < nr && (*pages)[i]; i++)
			__free_page((*pages)[i]);
	}
	kvfree(*pages);
	*pages = NULL;
}

int flame_ring_alloc(struct flame_ring *ring, struct page ***pages, int node, u32 bytes)
{
	u32 nr = bytes >> PAGE_SHIFT, i;
	void *data;

	flame_ring_init(ring, NULL, bytes);
	*pages = kvcalloc(2 * nr, sizeof(struct page *), GFP_KERNEL | __GFP_NOWARN);
	if (!*pages)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		/* Fails before it makes the OOM killer look for victims. */
		struct page *page = alloc_pages_node(node, GFP_KERNEL | __GFP_NOWARN | __GFP_ZERO |
						     __GFP_RETRY_MAYFAIL, 0);

		if (!page)
			goto no_memory;
		(*pages)[i] = page;
		(*pages)[nr + i] = page;
	}
	data = vmap(*pages, 2 * nr, VM_MAP, PAGE_KERNEL);
	if (!data)
		goto no_memory;
	flame_ring_init(ring, data, bytes);
	return 0;
no_memory:
	flame_ring_free(ring, pages);
	return -ENOMEM;
}
