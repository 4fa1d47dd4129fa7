/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The grid of a CPU's sampling times: point k lies at base + floor(k * 1e9 / hz).
 * Exact for any whole frequency, so that points passed and time on agree to one
 * tick over any length of time. Pure arithmetic, any context; shared with tests.
 */
#ifndef FLAME_GRID_H
#define FLAME_GRID_H

#ifdef __KERNEL__
#include <linux/math64.h>
#endif
#include "port.h"

#define FLAME_NSEC_PER_SEC	1000000000ULL

/**
 * struct flame_grid - where the next sampling point is
 * @base: ns, the time of point 0, which is never sampled
 * @next: ns, the time of point @index
 * @index: of the next point; points 1 to @index - 1 are accounted for
 * @hz: 1 to FLAME_HZ_MAX
 * @step: floor(1e9 / hz), ns
 * @step_rem: 1e9 % hz
 * @rem: (@index * 1e9) % hz
 */
struct flame_grid {
	u64 base;
	u64 next;
	u64 index;
	u32 hz;
	u32 step;
	u32 step_rem;
	u32 rem;
};

/* Puts @grid's next point at @index, exactly. */
static inline void flame_grid_seek(struct flame_grid *grid, u64 index)
{
	u64 second = index / grid->hz;
	u64 ns = (index % grid->hz) * FLAME_NSEC_PER_SEC;

	grid->index = index;
	grid->next = grid->base + second * FLAME_NSEC_PER_SEC + ns / grid->hz;
	grid->rem = ns % grid->hz;
}

static inline void flame_grid_init(struct flame_grid *grid, u64 base, u32 hz)
{
	grid->base = base;
	grid->hz = hz;
	grid->step = (u32)FLAME_NSEC_PER_SEC / hz;
	grid->step_rem = (u32)FLAME_NSEC_PER_SEC % hz;
	flame_grid_seek(grid, 1);
}

/* One point on: the same as flame_grid_seek(index + 1), without a division. */
static __always_inline void flame_grid_step(struct flame_grid *grid)
{
	grid->index++;
	grid->next += grid->step;
	grid->rem += grid->step_rem;
	if (grid->rem >= grid->hz) {
		grid->rem -= grid->hz;
		grid->next++;
	}
}

/* The largest k whose point is not after @now; 0 before the first. */
static inline u64 flame_grid_passed(const struct flame_grid *grid, u64 now)
{
	u64 second, ns;

	if (now <= grid->base)
		return 0;
	/* floor(k * 1e9 / hz) <= t  <=>  k < (t + 1) * hz / 1e9 */
	second = (now - grid->base + 1) / FLAME_NSEC_PER_SEC;
	ns = (now - grid->base + 1) % FLAME_NSEC_PER_SEC;
	return second * grid->hz +
	       (ns * grid->hz + FLAME_NSEC_PER_SEC - 1) / FLAME_NSEC_PER_SEC - 1;
}

#endif /* FLAME_GRID_H */
