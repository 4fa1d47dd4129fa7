/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The timer source: one pinned hrtimer per CPU on a fixed grid. Start and stop are
 * process context under cpus_read_lock (or the CPU hotplug callbacks, which exclude
 * those); everything else runs in the handlers.
 */
#ifndef FLAME_SOURCE_TIMER_H
#define FLAME_SOURCE_TIMER_H

#include "cpu.h"
#include "settings.h"

/*
 * What the handlers need of the settings. Written while no timer runs, but for stride
 * and flush_after, which may change at any time.
 */
struct flame_timer_config {
	u32 hz;
	u32 stride;		/* sample each stride-th grid point; 1: all */
	u32 max_depth;
	u32 record_max;		/* bytes of the largest record */
	u32 wake_bytes;		/* this much in a ring wakes the collector */
	u64 flush_after;	/* a sample later than this wakes it too */
	u64 user_limit;		/* first address no task may read */
	bool want_kernel;
	bool want_user;
	bool tables;		/* walk user stacks by unwind tables */
	bool fp_fallback;	/* and by frame pointers where there are none */
	bool idle;		/* record idle ticks, leave the timers on */
	bool irq;		/* interrupt work under frames of its own */
	bool overwrite;
	bool key_tid;
	bool key_cpu;
};

extern struct flame_timer_config flame_timer_config;

int flame_timer_init(void);

/* Takes what the settings say. Off. */
void flame_timer_configure(const struct flame_settings *settings);

/* Probes that stop and restart the timers of idle CPUs. 0 or an errno. */
int flame_timer_register_probes(void);
/* They may still be running until the caller has waited for a grace period. */
void flame_timer_unregister_probes(void);

/* Starts the timer of the CPU this runs on; interrupts off. @info is not used. */
void flame_timer_start_local(void *info);

/*
 * Stops the timer of the CPU this runs on and settles its accounts; interrupts off. No
 * probe starts it again. @info is not used.
 */
void flame_timer_stop_local(void *info);

/* The first sample after this time (ktime_get_mono_fast_ns()) wakes the collector. */
void flame_timer_flush_after(u64 time);

/* From now on each CPU samples each @stride-th grid point. Any context. */
void flame_timer_throttle(u32 stride);

#endif /* FLAME_SOURCE_TIMER_H */
