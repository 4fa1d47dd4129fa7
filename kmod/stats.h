/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `stats`: every counter by cause, as "name: value" lines. Process context.
 */
#ifndef FLAME_STATS_H
#define FLAME_STATS_H

#include <linux/types.h>

/* Room that the text of either function fits into. */
#define FLAME_STATS_SIZE	2048

/* The session's state and the counters of all CPUs. Session's mutex held. The length. */
u32 flame_stats_print(char *buf, u32 size);

/* The counters of one CPU. */
u32 flame_stats_print_cpu(int cpu, char *buf, u32 size);

#endif /* FLAME_STATS_H */
