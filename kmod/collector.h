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

/*
 * Folds everything that is in the rings. With options/overwrite the samples stay where
 * they are until @final. Takes the collector's mutex; process context.
 */
void flame_collector_drain(bool final);

/* The same with the mutex held. */
void flame_collector_drain_locked(bool final);

/* irq_work of a CPU: wakes the thread. */
struct irq_work;
void flame_collector_wake(struct irq_work *work);

#endif /* FLAME_COLLECTOR_H */
