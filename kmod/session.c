// SPDX-License-Identifier: GPL-2.0-only
/*
 * The session: starts and stops sampling, in the one order that leaves no handler, probe
 * or reader behind. Process context; the only locks are the session's mutex, then the
 * CPU hotplug lock for reading, then the collector's mutex.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/utsname.h>
#include <linux/workqueue.h>
#include "collector.h"
#include "compat.h"
#include "control.h"
#include "cpu.h"
#include "cpu_set.h"
#include "events.h"
#include "filter.h"
#include "profile.h"
#include "session.h"
#include "source_timer.h"
#include "spaces.h"
#include "stats.h"
#include "streams.h"
#include "tracepoints.h"

#define OVERHEAD_INTERVAL	(HZ / 4)
#define STRIDE_MAX		1024

/* Guards the settings and everything that starts, stops, resets. */
DEFINE_MUTEX(flame_session_mutex);
struct flame_settings flame_settings;

/*
 * What the hotplug callbacks look at. Written under cpus_read_lock, which excludes them.
 * armed: CPUs that come get rings. sampling: and start their timers.
 */
static bool armed, sampling;
static u32 ring_bytes;
static const struct cpumask *wanted_cpus;
static int hotplug_state;

static bool session_on;
static struct flame_stream *owner_stream;
static pid_t owner_pid;
static char owner_comm[TASK_COMM_LEN];
/* The settings that the session runs with: kept alive as long as it is on. */
static struct flame_settings in_force;

static void duration_over(struct work_struct *work);
static void check_overhead(struct work_struct *work);
static DECLARE_DELAYED_WORK(duration_work, duration_over);
static DECLARE_DEFERRABLE_WORK(overhead_work, check_overhead);
static unsigned long deadline;	/* jiffies: when duration_work is to end the session */
static u64 overhead_seen_cycles, overhead_seen_ns;
static u32 stride = 1;

bool flame_session_is_on(void)
{
	return READ_ONCE(session_on);
}

u32 flame_session_stride(void)
{
	return stride;
}

int flame_session_owner(char *buf, size_t size)
{
	buf[0] = '\0';
	if (!session_on)
		return 0;
	return scnprintf(buf, size, "%s[%d]", owner_comm, owner_pid);
}

/* "name: value" lines of what a session is: for INFO records. */
static u32 describe(char *buf, u32 size)
{
	u64 mono = ktime_get_ns(), real = ktime_get_real_ns();

	return scnprintf(buf, size,
			 "abi: %u\nkernel: %s\nsources: timer\nunit: samples\nfrequency: %u\nstacks: %s%s\nmax_depth: %u\ncpus_online: %u\nrealtime_offset_ns: %lld\n",
			 FLAME_ABI_VERSION, init_utsname()->release, in_force.frequency,
			 in_force.stacks & FLAME_STACKS_KERNEL ? "kernel " : "",
			 in_force.stacks & FLAME_STACKS_USER ? "user" : "", in_force.max_depth,
			 num_online_cpus(), (s64)(real - mono));
}

void flame_session_describe(struct flame_stream *stream)
{
	char text[512];

	if (session_on)
		flame_stream_text(stream, FLAME_REC_INFO, text, describe(text, sizeof(text)));
}

/* Events come from any CPU, samples from the wanted ones. */
static u32 ring_bytes_of(int cpu)
{
	return cpumask_test_cpu(cpu, wanted_cpus) ? ring_bytes : PAGE_SIZE;
}

/* A CPU has come up, on that CPU: it samples if the others do. */
static int cpu_up(unsigned int cpu)
{
	unsigned long flags;

	if (!armed)
		return 0;
	/* Without memory for its rings the CPU comes up all the same, unsampled. */
	if (!per_cpu(flame_cpus, cpu).ring.data &&
	    flame_cpu_alloc_rings(cpu, ring_bytes_of(cpu)))
		return 0;
	if (!sampling || !cpumask_test_cpu(cpu, wanted_cpus))
		return 0;
	local_irq_save(flags);
	flame_timer_start_local(NULL);
	local_irq_restore(flags);
	return 0;
}

/* A CPU is going, on that CPU. Its rings stay until the session ends. */
static int cpu_down(unsigned int cpu)
{
	unsigned long flags;

	local_irq_save(flags);
	flame_timer_stop_local(NULL);
	local_irq_restore(flags);
	return 0;
}

/* Rings for the CPUs that are there. 0 or an errno, then no CPU has any. */
static int arm(const struct flame_settings *settings)
{
	int cpu, err = -ENODEV;

	cpus_read_lock();
	ring_bytes = max_t(u32, settings->buffer_size_kb * 1024, PAGE_SIZE);
	wanted_cpus = flame_cpu_set_mask(settings->cpus);
	for_each_online_cpu(cpu) {
		err = flame_cpu_alloc_rings(cpu, ring_bytes_of(cpu));
		if (err)
			break;
	}
	if (!err && !cpumask_intersects(wanted_cpus, cpu_online_mask))
		err = -ENODEV;
	armed = !err;
	cpus_read_unlock();
	return err;
}

static void disarm(void)
{
	int cpu;

	cpus_read_lock();
	armed = false;
	cpus_read_unlock();
	mutex_lock(&flame_collector_mutex);
	for_each_possible_cpu(cpu) {
		irq_work_sync(&per_cpu(flame_cpus, cpu).wake);
		flame_cpu_free_rings(cpu);
	}
	mutex_unlock(&flame_collector_mutex);
}

/* Makes the settings in force those of the session. */
static void take_over(void)
{
	struct flame_counters sum;

	flame_settings_copy(&in_force, &flame_settings);
	stride = 1;
	flame_cpus_read(&sum);
	overhead_seen_cycles = sum.overhead_cycles;
	overhead_seen_ns = ktime_get_ns();
}

/*
 * A profile made for another limit has tables of another size: while nothing is in it, a
 * new one takes its place. Without memory the old one serves.
 */
static void fit_profile(u64 limit)
{
	struct flame_profile *fresh, *old = NULL;

	if (flame_profile_is_empty(flame_profile) && flame_profile->limit != limit) {
		fresh = flame_profile_create(limit);
		mutex_lock(&flame_collector_mutex);
		if (fresh) {
			old = flame_profile;
			flame_profile = fresh;
			flame_streams_forget();
		}
		mutex_unlock(&flame_collector_mutex);
		flame_profile_put(old);
	}
}

/* In the collector's thread: files and processes are looked at from there. */
static void begin_profile(void *unused)
{
	u64 limit = (u64)in_force.memory_limit_kb * 1024;
	char text[512];

	fit_profile(limit);
	mutex_lock(&flame_collector_mutex);
	WRITE_ONCE(session_on, true);
	flame_profile_set_limit(flame_profile, limit);
	flame_collector_configure(&in_force);
	flame_streams_text(FLAME_REC_INFO, text, describe(text, sizeof(text)));
	flame_identity_learn_all(flame_profile);
	mutex_unlock(&flame_collector_mutex);
}

/* Starts the timers: from here on CPUs sample. */
static void start_cpus(void)
{
	cpus_read_lock();
	sampling = true;
	on_each_cpu_mask(wanted_cpus, flame_timer_start_local, NULL, true);
	cpus_read_unlock();
}

/* What ends a session that has begun, in the order it must end. */
static void finish(void)
{
	/* On each CPU itself: its probes find it off from then on, its accounts are closed. */
	cpus_read_lock();
	sampling = false;
	on_each_cpu(flame_timer_stop_local, NULL, true);
	cpus_read_unlock();
	flame_timer_unregister_probes();
	flame_events_unregister();
	tracepoint_synchronize_unregister();
	WRITE_ONCE(session_on, false);
	flame_collector_drain(true);
	disarm();
	mutex_lock(&flame_collector_mutex);
	flame_identity_destroy(flame_profile);
	flame_objects_release_files(flame_profile);
	flame_spaces_free();
	mutex_unlock(&flame_collector_mutex);
	flame_filter_clear();
	flame_settings_put(&in_force);
	memset(&in_force, 0, sizeof(in_force));
}

/* Makes sampling run with the settings in force. 0 or an errno, with @why. */
static int begin(char *why, size_t why_size)
{
	int err;

	take_over();
	err = flame_filter_set(&in_force);
	if (err)
		goto put_settings;
	flame_timer_configure(&in_force);
	if (flame_timer_config.tables && flame_timer_config.want_user) {
		err = flame_spaces_alloc();
		if (err)
			goto clear_filter;
	}
	err = arm(&in_force);
	if (err)
		goto disarm;
	err = flame_events_register();
	if (err)
		goto disarm;
	flame_collector_call(begin_profile, NULL);
	err = flame_timer_register_probes();
	if (err) {
		finish();
		goto explain;
	}
	start_cpus();
	if (in_force.duration) {
		deadline = jiffies + in_force.duration * HZ;
		schedule_delayed_work(&duration_work, in_force.duration * HZ);
	}
	if (in_force.max_overhead)
		schedule_delayed_work(&overhead_work, OVERHEAD_INTERVAL);
	return 0;
disarm:
	disarm();
	flame_spaces_free();
clear_filter:
	flame_filter_clear();
put_settings:
	flame_settings_put(&in_force);
	memset(&in_force, 0, sizeof(in_force));
explain:
	scnprintf(why, why_size, "%s",
		  err == -ENOMEM ? "no memory: lower buffer_size_kb" :
		  err == -ENODEV ? "none of the CPUs in `cpus` is online" :
				   "a tracepoint of the kernel cannot be used");
	return err;
}

int flame_session_start(struct flame_stream *stream, char *why, size_t why_size)
{
	int err;

	lockdep_assert_held(&flame_session_mutex);
	why[0] = '\0';
	if (session_on) {
		scnprintf(why, why_size, "sampling is on already, started by %s[%d]", owner_comm,
			  owner_pid);
		return -EBUSY;
	}
	if (security_locked_down(LOCKDOWN_PERF)) {
		scnprintf(why, why_size, "kernel lockdown (confidentiality) forbids profiling");
		return -EPERM;
	}
	if (stream)
		flame_stream_set_ended(stream, false);
	err = begin(why, why_size);
	if (err)
		return err;
	owner_stream = stream;
	owner_pid = task_tgid_nr(current);
	get_task_comm(owner_comm, current);
	return 0;
}

/* The last record of a session in every stream: what became of its ticks. */
static void send_stats(void)
{
	char *text = kmalloc(FLAME_STATS_SIZE, GFP_KERNEL | __GFP_NOWARN);
	u32 len;

	if (!text)
		return;
	len = flame_stats_print(text, FLAME_STATS_SIZE);
	mutex_lock(&flame_collector_mutex);
	flame_streams_text(FLAME_REC_STATS, text, len);
	flame_streams_wake();
	mutex_unlock(&flame_collector_mutex);
	kfree(text);
}

/* Ends what begin() began; whose session it is stays as it is. */
static void end(void)
{
	/* Not _sync: this may run in one of these works, which then finds itself outdated. */
	cancel_delayed_work(&duration_work);
	cancel_delayed_work(&overhead_work);
	finish();
	send_stats();
}

/* The session belongs to nobody any more: its stream has nothing to wait for. */
static void disown(void)
{
	if (owner_stream)
		flame_stream_set_ended(owner_stream, true);
	owner_stream = NULL;
}

void flame_session_stop(void)
{
	lockdep_assert_held(&flame_session_mutex);
	if (!session_on)
		return;
	end();
	disown();
}

void flame_session_stop_owned(struct flame_stream *stream)
{
	mutex_lock(&flame_session_mutex);
	if (session_on && owner_stream == stream)
		flame_session_stop();
	mutex_unlock(&flame_session_mutex);
}

int flame_session_reset(void)
{
	struct flame_profile *fresh, *old;
	bool was_on = session_on;
	char why[128];
	int err;

	lockdep_assert_held(&flame_session_mutex);
	fresh = flame_profile_create((u64)flame_settings.memory_limit_kb * 1024);
	if (!fresh)
		return -ENOMEM;
	if (was_on)
		end();
	mutex_lock(&flame_collector_mutex);
	old = flame_profile;
	flame_profile = fresh;
	flame_cpus_reset();
	flame_streams_reset_lost();
	flame_streams_forget();
	mutex_unlock(&flame_collector_mutex);
	flame_profile_put(old);
	if (!was_on)
		return 0;
	/* The same owner goes on; only when that fails is it told of an end. */
	err = begin(why, sizeof(why));
	if (err) {
		disown();
		pr_warn("sampling ended with a reset: %s\n", why);
	}
	return 0;
}

static void duration_over(struct work_struct *work)
{
	mutex_lock(&flame_session_mutex);
	/* A session that began meanwhile has another deadline. */
	if (session_on && in_force.duration && !time_before(jiffies, deadline))
		flame_session_stop();
	mutex_unlock(&flame_session_mutex);
}

static void set_stride(u32 to, u64 per_mille)
{
	char text[128];
	u32 len;

	stride = to;
	flame_timer_throttle(to);
	len = scnprintf(text, sizeof(text), "throttle: %u\noverhead_per_mille: %llu\n", to,
			per_mille);
	mutex_lock(&flame_collector_mutex);
	flame_streams_text(FLAME_REC_SETTINGS, text, len);
	mutex_unlock(&flame_collector_mutex);
}

/*
 * max_overhead: halves the rate while the handlers take more than is allowed of the CPUs
 * that sample, and doubles it again when that would still be allowed.
 */
static void check_overhead(struct work_struct *work)
{
	struct flame_counters sum;
	u64 now, spent, wall, per_mille;
	u32 cpus = 0;
	int cpu;

	mutex_lock(&flame_session_mutex);
	if (!session_on || !in_force.max_overhead)
		goto out;
	flame_cpus_read(&sum);
	now = ktime_get_ns();
	cpus_read_lock();
	for_each_cpu_and(cpu, wanted_cpus, cpu_online_mask)
		cpus++;
	cpus_read_unlock();
	wall = (now - overhead_seen_ns) * max(cpus, 1U);
	spent = flame_cycles_to_ns(sum.overhead_cycles - overhead_seen_cycles);
	per_mille = wall ? div64_u64(spent * 1000, wall) : 0;
	overhead_seen_cycles = sum.overhead_cycles;
	overhead_seen_ns = now;
	if (per_mille > in_force.max_overhead && stride < STRIDE_MAX)
		set_stride(stride * 2, per_mille);
	else if (per_mille * 3 < in_force.max_overhead && stride > 1)
		set_stride(stride / 2, per_mille);
	schedule_delayed_work(&overhead_work, OVERHEAD_INTERVAL);
out:
	mutex_unlock(&flame_session_mutex);
}

int flame_session_init(void)
{
	int err;

	flame_cpus_init();
	flame_profile = flame_profile_create((u64)flame_settings.memory_limit_kb * 1024);
	if (!flame_profile)
		return -ENOMEM;
	err = flame_timer_init();
	if (err)
		goto put_profile;
	err = flame_events_init();
	if (err)
		goto put_profile;
	err = flame_collector_init();
	if (err)
		goto put_profile;
	hotplug_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "flame:online", cpu_up,
						  cpu_down);
	if (hotplug_state < 0) {
		err = hotplug_state;
		goto collector;
	}
	return 0;
collector:
	flame_collector_exit();
put_profile:
	flame_profile_put(flame_profile);
	return err;
}

void flame_session_exit(void)
{
	mutex_lock(&flame_session_mutex);
	flame_session_stop();
	mutex_unlock(&flame_session_mutex);
	cancel_delayed_work_sync(&duration_work);
	cancel_delayed_work_sync(&overhead_work);
	cpuhp_remove_state_nocalls(hotplug_state);
	flame_collector_exit();
	flame_tables_drop();
	flame_settings_put(&flame_settings);
	flame_profile_put(flame_profile);
}
