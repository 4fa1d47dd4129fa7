/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a user can set: the values behind the control files, as plain data.
 * Compiled for the kernel and for user-space tests; holds no kernel object but
 * opaque pointers, so that settings can be copied, compared and put back whole.
 */
#ifndef FLAME_SETTINGS_H
#define FLAME_SETTINGS_H

#include "port.h"

#define FLAME_HZ_MAX		100000
#define FLAME_DURATION_MAX	86400
#define FLAME_BUFFER_KB_MIN	4
#define FLAME_BUFFER_KB_MAX	65536
#define FLAME_MEMORY_KB_MIN	256
#define FLAME_MEMORY_KB_MAX	1073741824
#define FLAME_OVERHEAD_MAX	1000	/* per mille */

enum flame_stacks {			/* bit mask */
	FLAME_STACKS_NONE	= 0,
	FLAME_STACKS_KERNEL	= 1,
	FLAME_STACKS_USER	= 2,
};

enum flame_unwind { FLAME_UNWIND_AUTO, FLAME_UNWIND_FP, FLAME_UNWIND_TABLE };

enum flame_threads { FLAME_THREADS_ALL, FLAME_THREADS_USER, FLAME_THREADS_KERNEL };

/* Bit numbers in flame_settings.options, in the order options/ lists them. */
enum flame_option {
	FLAME_OPT_ANNOTATE,
	FLAME_OPT_COMM,
	FLAME_OPT_CPU,
	FLAME_OPT_FOLLOW_CHILDREN,
	FLAME_OPT_IDLE,
	FLAME_OPT_IRQ,
	FLAME_OPT_OFFSET,
	FLAME_OPT_OVERWRITE,
	FLAME_OPT_PID,
	FLAME_OPT_TID,
	FLAME_OPT_NR,
};

/*
 * Lists of unbounded length are reference-counted objects that are never changed
 * once they are in a settings structure: a change makes a new one. So a copy of
 * the settings is a copy of the structure plus a reference on each.
 */
struct flame_pid_set;		/* pid_set.c: struct pid references */
struct flame_comm_set;		/* comm_set.c: shell patterns */
struct flame_cpu_set;		/* a cpumask with a reference count */

struct flame_settings {
	u32 frequency;			/* Hz */
	u32 duration;			/* s; 0 none */
	u32 max_depth;			/* frames per half */
	u32 buffer_size_kb;		/* per CPU, a power of two */
	u32 memory_limit_kb;
	u32 max_overhead;		/* per mille of a CPU; 0 off */
	u32 sources;			/* bit mask of 1 << enum flame_source */
	u8 stacks;			/* enum flame_stacks */
	u8 unwind;			/* enum flame_unwind */
	u8 threads;			/* enum flame_threads */
	unsigned long options;		/* bits: enum flame_option */
	struct flame_pid_set *pids;	/* thread groups; NULL: all */
	struct flame_pid_set *tids;	/* threads; NULL: all */
	struct flame_comm_set *comms;	/* NULL: all */
	struct flame_cpu_set *cpus;	/* NULL: all */
};

static inline bool flame_option(const struct flame_settings *s, enum flame_option opt)
{
	return s->options & (1UL << opt);
}

#endif /* FLAME_SETTINGS_H */
