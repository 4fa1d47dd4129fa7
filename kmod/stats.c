// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the counters. Process context.
 */
#include "collector.h"
#include "cpu.h"
#include "profile.h"
#include "session.h"
#include "spaces.h"
#include "stats.h"
#include "streams.h"

static u32 print_counters(const struct flame_counters *c, char *buf, u32 size)
{
	const struct {
		const char *name;
		u64 value;
	} rows[] = {
		{ "ticks", c->ticks },
		{ "idle", c->idle },
		{ "filtered", c->filtered },
		{ "recorded", c->recorded },
		{ "lost", c->lost_ring_full + c->overwritten },
		{ "lost_ring_full", c->lost_ring_full },
		{ "overwritten", c->overwritten },
		{ "missed", c->missed },
		{ "throttled", c->throttled },
		{ "truncated", c->truncated },
		{ "user_whole", c->user_whole },
		{ "user_broken", c->user_broken },
		{ "user_no_info", c->user_no_info },
		{ "user_failed", c->user_failed_fault + c->user_failed_exec },
		{ "user_failed_fault", c->user_failed_fault },
		{ "user_failed_exec", c->user_failed_exec },
		{ "identity_lost", c->identity_lost },
		{ "idle_hits", c->idle_hits },
		{ "overhead_ns", flame_cycles_to_ns(c->overhead_cycles) },
		{ "max_handler_ns", flame_cycles_to_ns(c->max_handler_cycles) },
		{ "time_on_ns", c->time_on_ns },
	};
	u32 len = 0, i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		len += scnprintf(buf + len, size - len, "%s: %llu\n", rows[i].name, rows[i].value);
	return len;
}

u32 flame_stats_print_cpu(int cpu, char *buf, u32 size)
{
	struct flame_counters count;

	flame_cpu_read(cpu, &count);
	return print_counters(&count, buf, size);
}

u32 flame_stats_print(char *buf, u32 size)
{
	const struct flame_profile *profile;
	struct flame_counters sum;
	u64 table_bytes;
	u32 nr_tables;
	char owner[64];
	u32 len;

	flame_session_owner(owner, sizeof(owner));
	len = scnprintf(buf, size,
			"sampling: %d\nowner: %s\nunit: samples\nfrequency: %u\nthrottle: %u\n",
			flame_session_is_on(), owner[0] ? owner : "-", flame_settings.frequency,
			flame_session_stride());
	mutex_lock(&flame_collector_mutex);
	profile = flame_profile;
	len += scnprintf(buf + len, size - len,
			 "stacks: %u\nobjects: %u\nmemory_bytes: %llu\nmemory_limit_bytes: %llu\ntable_full: %llu\nidentity_refused: %llu\n",
			 flame_fold_nr_stacks(&profile->fold) - 1, profile->nr_objects,
			 profile->fold.used + profile->identity_used,
			 profile->fold.limit + profile->identity_limit,
			 flame_fold_stack_get(&profile->fold, FLAME_FOLD_FULL_STACK)->value,
			 profile->identity_refused);
	mutex_unlock(&flame_collector_mutex);
	flame_tables_count(&nr_tables, &table_bytes);
	len += scnprintf(buf + len, size - len,
			 "unwind_tables: %u\nunwind_table_bytes: %llu\nspaces_refused: %llu\n",
			 nr_tables, table_bytes, flame_spaces_refused());
	len += scnprintf(buf + len, size - len, "pending_bytes: %llu\nstream_lost: %llu\n",
			 flame_cpus_pending(), flame_streams_lost());
	flame_cpus_read(&sum);
	return len + print_counters(&sum, buf + len, size - len);
}
