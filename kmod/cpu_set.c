// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of CPUs, never changed once made. Process context.
 */
#include <linux/err.h>
#include <linux/refcount.h>
#include <linux/seq_file.h>
#include "cpu_set.h"

struct flame_cpu_set {
	refcount_t refs;
	cpumask_t mask;
};

struct flame_cpu_set *flame_cpu_set_get(struct flame_cpu_set *set)
{
	if (set)
		refcount_inc(&set->refs);
	return set;
}

void flame_cpu_set_put(struct flame_cpu_set *set)
{
	if (set && refcount_dec_and_test(&set->refs))
		flame_free(set);
}

/* Adds a piece of a list to @mask. */
static int set_range(struct cpumask *mask, const struct flame_cpu_range *range,
		     struct flame_error *e)
{
	u32 cpu;

	for (cpu = range->first; cpu <= range->last; cpu++) {
		if (!cpu_possible(cpu))
			return flame_fail(e, -ERANGE, range->pos, "this machine has no CPU %u",
					  cpu);
		cpumask_set_cpu(cpu, mask);
	}
	return 0;
}

struct flame_cpu_set *flame_cpu_set_parse(const struct flame_cpu_set *old, const char *text,
					  size_t len, struct flame_error *e)
{
	struct flame_cpu_set *set = flame_zalloc(sizeof(*set));
	struct flame_cpu_range range;
	bool all = false;
	size_t at = 0;
	int ret;

	if (!set) {
		flame_fail(e, -ENOMEM, 0, "no memory for a CPU list");
		return ERR_PTR(-ENOMEM);
	}
	refcount_set(&set->refs, 1);
	if (old)
		cpumask_copy(&set->mask, &old->mask);
	while ((ret = flame_cpu_range_next(text, len, &at, nr_cpu_ids, &range, e)) > 0) {
		if (range.last == FLAME_CPU_ALL) {
			all = true;
			continue;
		}
		ret = set_range(&set->mask, &range, e);
		if (ret)
			break;
	}
	if (!ret && !all && !cpumask_empty(&set->mask))
		return set;
	flame_free(set);
	return ret ? ERR_PTR(ret) : NULL;
}

void flame_cpu_set_show(struct seq_file *m, const struct flame_cpu_set *set)
{
	if (set)
		seq_printf(m, "%*pbl", cpumask_pr_args(&set->mask));
	seq_putc(m, '\n');
}

const struct cpumask *flame_cpu_set_mask(const struct flame_cpu_set *set)
{
	return set ? &set->mask : cpu_possible_mask;
}
