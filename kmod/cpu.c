// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory and counters of the CPUs. Process context; nothing here runs in a handler.
 */
#include <linux/math64.h>
#include <linux/ktime.h>
#include <asm/tsc.h>
#include "collector.h"
#include "cpu.h"
#include "ring_memory.h"

#define EVENT_RING_BYTES	(64 * 1024)

DEFINE_PER_CPU(struct flame_cpu, flame_cpus);

void flame_cpus_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct flame_cpu *fc = per_cpu_ptr(&flame_cpus, cpu);

		seqcount_init(&fc->seq);
		fc->cpu = cpu;
		init_irq_work(&fc->wake, flame_collector_wake);
	}
}

int flame_cpu_alloc_rings(int cpu, u32 sample_bytes)
{
	struct flame_cpu *fc = per_cpu_ptr(&flame_cpus, cpu);
	int node = cpu_to_node(cpu);

	if (flame_ring_alloc(&fc->ring, &fc->ring_pages, node, sample_bytes))
		return -ENOMEM;
	if (flame_ring_alloc(&fc->events, &fc->event_pages, node, EVENT_RING_BYTES)) {
		flame_ring_free(&fc->ring, &fc->ring_pages);
		return -ENOMEM;
	}
	return 0;
}

void flame_cpu_free_rings(int cpu)
{
	struct flame_cpu *fc = per_cpu_ptr(&flame_cpus, cpu);

	flame_ring_free(&fc->ring, &fc->ring_pages);
	flame_ring_free(&fc->events, &fc->event_pages);
}

void flame_clock_settle(const struct flame_clock *clock, struct flame_counters *count, u64 now)
{
	u64 passed = flame_grid_passed(&clock->grid, now), open, skipped;

	if (now > clock->grid.base)
		count->time_on_ns += now - clock->grid.base;
	if (passed + 1 + clock->skipped <= clock->grid.index)
		return;
	/* Not answered for: first the ones given up, then the ones from grid.index on. */
	open = passed + 1 + clock->skipped - clock->grid.index;
	skipped = min_t(u64, open, clock->skipped);
	count->throttled += skipped;
	open -= skipped;
	if (clock->stopped) {
		count->ticks += open;
		count->idle += open;
	} else {
		count->missed += open;
	}
}

void flame_cpu_read(int cpu, struct flame_counters *count)
{
	struct flame_cpu *fc = per_cpu_ptr(&flame_cpus, cpu);
	struct flame_clock clock;
	unsigned int seq;
	bool on;

	do {
		seq = read_seqcount_begin(&fc->seq);
		clock = fc->clock;
		on = fc->on;
		*count = fc->count;
	} while (read_seqcount_retry(&fc->seq, seq));
	if (on)
		flame_clock_settle(&clock, count, ktime_get_mono_fast_ns());
}

void flame_cpus_read(struct flame_counters *sum)
{
	u64 *to = (u64 *)sum;
	int cpu, i;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		struct flame_counters count;
		u64 max = sum->max_handler_cycles;

		flame_cpu_read(cpu, &count);
		for (i = 0; i < sizeof(count) / sizeof(u64); i++)
			to[i] += ((u64 *)&count)[i];
		sum->max_handler_cycles = max(max, count.max_handler_cycles);
	}
}

void flame_cpus_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct flame_cpu *fc = per_cpu_ptr(&flame_cpus, cpu);

		memset(&fc->count, 0, sizeof(fc->count));
	}
}

u64 flame_cpus_pending(void)
{
	u64 bytes = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct flame_cpu *fc = per_cpu_ptr(&flame_cpus, cpu);

		bytes += READ_ONCE(fc->ring.head) - READ_ONCE(fc->ring.tail);
	}
	return bytes;
}

u64 flame_cycles_to_ns(u64 cycles)
{
	return tsc_khz ? mul_u64_u32_div(cycles, 1000000, tsc_khz) : 0;
}
