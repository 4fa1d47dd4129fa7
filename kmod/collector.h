/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The collector: the only consumer of the rings. A kernel thread that is woken when a
 * ring is a quarter full, or by the first sample a second after its last pass; readers of
 * the profile make it work at once through flame_collector_drain().
 */
#ifndef FLAME_COLLECTOR_H
#define FLAME_COLLECTOR_H

#include <linux/types.h>
#include "settings.h"

/* Starts the thread. 0 or an errno. */
int flame_collector_init(void);
/* Ends it. Nothing may wake it any more. */
void flame_collector_exit(void);

/* How stacks are to be put together from now on. Collector's mutex held. */
void flame_collector_configure(const struct flame_settings *settings);

/**
 * flame_collector_call() - runs a function in the collector's thread and waits for it
 * @fn: called without a lock held
 * @ctx: handed to it
 *
 * What looks at files and processes belongs there: the caller may be a task that exits
 * (a stream's release), or live in other namespaces. Process context, no lock held that
 * the collector takes.
 */
void flame_collector_call(void (*fn)(void *ctx), void *ctx);

/*
 * Folds everything that is in the rings, in the collector's thread. With options/overwrite
 * the samples stay where they are until @final. Process context, collector's mutex not held.
 */
void flame_collector_drain(bool final);

/* irq_work of a CPU: wakes the thread. */
struct irq_work;
void flame_collector_wake(struct irq_work *work);

#endif /* FLAME_COLLECTOR_H */
