/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tells the collector whose addresses are whose: executable mappings as they are
 * made, new processes, dying ones. Probes write struct flame_event into the event
 * rings of their CPUs.
 */
#ifndef FLAME_EVENTS_H
#define FLAME_EVENTS_H

#include <linux/mm_types.h>
#include "raw.h"

/* Finds the tracepoints. 0 or -ENODEV. */
int flame_events_init(void);

/*
 * Starts writing events. Process context. Without the kprobe (a kernel built without
 * kprobes) processes are still followed, and their mappings learnt when first sampled.
 */
int flame_events_register(void);
/* Handlers may still be running until the caller has waited for a grace period. */
void flame_events_unregister(void);

/* What an executable mapping is: enum flame_object_kind. mmap_lock held. */
u32 flame_vma_kind(const struct vm_area_struct *vma);

#endif /* FLAME_EVENTS_H */
