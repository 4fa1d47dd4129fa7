/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What each CPU owns while sampling: its timer and grid, its rings, its counters.
 * Written by that CPU's handlers with interrupts off; the counters are read by
 * anyone through flame_cpu_read().
 */
#ifndef FLAME_CPU_H
#define FLAME_CPU_H

#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/seqlock.h>
#include "grid.h"
#include "raw.h"
#include "ring.h"

/* What happened on a CPU since the last reset. Identity: docs/architecture.md. */
struct flame_counters {
	u64 ticks;		/* sampling points that were due and answered */
	u64 idle;		/* of those, the CPU was idle */
	u64 filtered;		/* of those, a filter said no */
	u64 recorded;		/* of those, a sample was kept */
	u64 lost_ring_full;	/* of those, there was no room in the ring */
	u64 overwritten;	/* of those, kept first, given up later (options/overwrite) */
	u64 missed;		/* points that passed before the handler could run */
	u64 throttled;		/* points given up for max_overhead */
	u64 truncated;		/* samples with a half cut at max_depth */
	u64 user_whole;		/* user stacks that reached the start of their thread */
	u64 user_broken;	/* that ended at a stack or frame pointer that is none */
	u64 user_no_info;	/* that ended at code without unwind information */
	u64 user_failed_fault;	/* samples whose user stack ran into unreadable memory */
	u64 idle_hits;		/* timer expiries that hit the idle task */
	u64 user_failed_exec;	/* samples in the middle of an exec: no user stack to read */
	u64 identity_lost;	/* map, fork, exit events with no room in the event ring */
	u64 overhead_cycles;	/* spent in the tick handler */
	u64 max_handler_cycles;	/* the longest tick handler */
	u64 time_on_ns;		/* sampling was on for so long */
};

/* Where a CPU is on its grid. */
struct flame_clock {
	struct flame_grid grid;
	u32 skipped;		/* points before grid.next that were given up (throttled) */
	bool stopped;		/* the timer is off because the CPU is idle */
};

struct flame_cpu {
	struct hrtimer timer;
	struct flame_clock clock;
	seqcount_t seq;		/* odd while a handler changes clock, on or count */
	u32 cpu;
	bool on;		/* this CPU samples */
	bool naps;		/* idle periods are shorter than a period: leave the timer on */
	u8 short_idles;		/* idle periods in a row that spared no point */
	bool in_handler;	/* recursion guard */
	bool woken;		/* the collector was woken and has not looked yet */
	struct flame_counters count;
	struct irq_work wake;	/* wakes the collector */
	struct flame_ring ring;		/* struct flame_raw_sample */
	struct flame_ring events;	/* struct flame_event */
	struct page **ring_pages, **event_pages;
	/* of the pass that the collector is in: how far to read */
	u64 sample_head, event_head;
};

DECLARE_PER_CPU(struct flame_cpu, flame_cpus);

/* One-time set-up and tear-down of the per-CPU state. Process context. */
void flame_cpus_init(void);

/**
 * flame_cpu_alloc_rings() - gives a CPU its rings
 * @cpu: a possible CPU that has none
 * @sample_bytes: power of two, at least a page
 *
 * Process context, may sleep. 0 or -ENOMEM, then nothing is left allocated.
 */
int flame_cpu_alloc_rings(int cpu, u32 sample_bytes);

/* Frees them; no handler and no collector may use them any more. */
void flame_cpu_free_rings(int cpu);

/*
 * A consistent copy of a CPU's counters, with the points that an idle or late CPU
 * has not yet answered for put where they belong as of now. Any process context.
 */
void flame_cpu_read(int cpu, struct flame_counters *sum);

/* Sums over all possible CPUs. */
void flame_cpus_read(struct flame_counters *sum);

/* Zeroes counters. Sampling is off. */
void flame_cpus_reset(void);

/* Bytes in all rings that nobody folded yet. A hint while on, exact when off. */
u64 flame_cpus_pending(void);

/*
 * Charges the points up to @now that no handler answered to `throttled`, `idle` or
 * `missed`, and the time since the start to `time_on_ns`. Both are private copies, or
 * the timer is not running.
 */
void flame_clock_settle(const struct flame_clock *clock, struct flame_counters *count, u64 now);

u64 flame_cycles_to_ns(u64 cycles);

#endif /* FLAME_CPU_H */
