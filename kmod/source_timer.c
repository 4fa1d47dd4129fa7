// SPDX-License-Identifier: GPL-2.0-only
/*
 * The timer source: what happens at each grid point of a CPU.
 *
 * flame_tick() runs in hard interrupt context on every kernel (HRTIMER_MODE_HARD, on
 * PREEMPT_RT too), the scheduler's probes run under the run queue's lock. Neither
 * sleeps, allocates, faults or takes a lock that a reader can hold; the only locks
 * below them are those of the hrtimer base.
 *
 * An idle CPU is not woken: the timer is cancelled when the idle task is switched to
 * and started again on the same grid when it is switched from; the points in between
 * are counted as idle then. A CPU whose idle periods are shorter than the sampling
 * period would pay for that at each switch, so there the timer stays on (`naps`) until
 * an expiry does hit the idle task.
 */
#include <linux/interrupt.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/timex.h>
#include <linux/uaccess.h>
#include <asm/irq_regs.h>
#include "compat.h"
#include "filter.h"
#include "source_timer.h"
#include "spaces.h"
#include "stack_kernel.h"
#include "stack_user.h"
#include "tracepoints.h"

/* So many idle periods in a row that spared no grid point make a CPU one that naps. */
#define SHORT_IDLES		4
/* A handler takes a few microseconds; below this period one may not be done in time. */
#define SHORT_PERIOD_NS		50000

#define TRUNCATED	(FLAME_STACK_USER_TRUNCATED | FLAME_STACK_KERNEL_TRUNCATED)

struct flame_timer_config flame_timer_config __read_mostly;

/* Where @task entered the kernel, or NULL: it has no user half. */
static __always_inline struct pt_regs *user_regs_of(struct task_struct *task, struct pt_regs *regs)
{
	if (user_mode(regs))
		return regs;
	/* A kernel thread may borrow an mm (kthread_use_mm): flags, not mm, tell. */
	if (!task->mm || (task->flags & FLAME_PF_NO_USER_STACK))
		return NULL;
	regs = task_pt_regs(task);
	return user_mode(regs) ? regs : NULL;
}

static __always_inline u16 interrupt_flags(void)
{
	u16 flags = 0;

	/* Our own interrupt counts once. */
	if ((preempt_count() & HARDIRQ_MASK) > HARDIRQ_OFFSET)
		flags |= FLAME_SAMPLE_IRQ;
	if (in_serving_softirq())
		flags |= FLAME_SAMPLE_SOFTIRQ;
	return flags;
}

/*
 * Writes the user half of @rec. Returns false when the ring's room, not max_depth,
 * was the end of it.
 */
static __always_inline bool take_user(struct flame_cpu *fc, struct flame_raw_sample *rec,
				      const struct pt_regs *regs, u32 room)
{
	struct flame_user_regs user = {
		.ip = regs->ip,
		.sp = regs->sp,
		.fp = regs->bp,
		.is_32bit = !user_64bit_mode((struct pt_regs *)regs),
	};
	const struct flame_timer_config *config = &flame_timer_config;
	u32 depth = min(room, config->max_depth);
	enum flame_walk how;

	if (unlikely(!depth))
		return false;
	pagefault_disable();
	if (!config->tables || user.is_32bit ||
	    !flame_spaces_walk(current, regs, config->user_limit, config->fp_fallback, rec->ips,
			       depth, &rec->nr_user, &how))
		rec->nr_user = flame_stack_user(&user, config->user_limit, rec->ips, depth, &how);
	pagefault_enable();
	if (unlikely(how == FLAME_WALK_CUT && depth < config->max_depth))
		return false;
	switch (how) {
	case FLAME_WALK_WHOLE:
		fc->count.user_whole++;
		break;
	case FLAME_WALK_FAULT:
		fc->count.user_failed_fault++;
		rec->stack_flags |= FLAME_STACK_USER_FAILED;
		break;
	case FLAME_WALK_CUT:
		rec->stack_flags |= FLAME_STACK_USER_TRUNCATED;
		break;
	case FLAME_WALK_NO_INFO:
		fc->count.user_no_info++;
		rec->stack_flags |= FLAME_STACK_USER_NO_INFO;
		break;
	default:
		fc->count.user_broken++;
		break;
	}
	return true;
}

static __always_inline bool take_kernel(struct flame_raw_sample *rec, struct pt_regs *regs,
					u32 room)
{
	u32 depth = min(room, flame_timer_config.max_depth);
	bool cut;

	if (unlikely(!depth))
		return false;
	rec->nr_kernel = flame_stack_kernel_regs(regs, rec->ips + rec->nr_user, depth, &cut);
	if (unlikely(cut)) {
		if (depth < flame_timer_config.max_depth)
			return false;
		rec->stack_flags |= FLAME_STACK_KERNEL_TRUNCATED;
	}
	return true;
}

/* Once until the collector has been here, not once a sample. */
static __always_inline void wake_collector(struct flame_cpu *fc)
{
	if (flame_timer_config.overwrite || READ_ONCE(fc->woken))
		return;
	WRITE_ONCE(fc->woken, true);
	irq_work_queue(&fc->wake);
}

/* Room for a record: @space bytes at the pointer returned. */
static __always_inline void *reserve(struct flame_cpu *fc, u32 *space)
{
	void *rec = flame_ring_reserve(&fc->ring, flame_timer_config.record_max, space);

	if (unlikely(*space < flame_timer_config.record_max && flame_timer_config.overwrite)) {
		u32 given_up = flame_ring_overwrite(&fc->ring, flame_timer_config.record_max);

		fc->count.recorded -= given_up;
		fc->count.overwritten += given_up;
		rec = flame_ring_reserve(&fc->ring, flame_timer_config.record_max, space);
	}
	return rec;
}

static __always_inline void take_sample(struct flame_cpu *fc, struct task_struct *task,
					struct pt_regs *regs, u64 now)
{
	const struct flame_timer_config *config = &flame_timer_config;
	struct pt_regs *user = NULL;
	struct flame_raw_sample *rec;
	u16 flags = 0, in_irq;
	u32 space, room;

	rec = reserve(fc, &space);
	if (unlikely(space < sizeof(*rec)))
		goto full;
	room = (space - sizeof(*rec)) / sizeof(u64);

	rec->time = now;
	rec->value = 1;
	/* A task that was released may outlive its leader: see pid_alive(). */
	rec->start_time = likely(pid_alive(task)) ? task->group_leader->start_time :
						    task->start_time;
	rec->tid = task->pid;
	rec->cpu = fc->cpu;
	rec->mm = (unsigned long)task->mm;
	rec->pid = task->tgid;
	rec->key_tid = config->key_tid ? task->pid : 0;
	rec->key_cpu = config->key_cpu ? fc->cpu + 1 : 0;
	rec->stack_flags = 0;
	rec->source = FLAME_SOURCE_TIMER;
	memcpy(rec->comm, task->comm, sizeof(rec->comm));
	rec->nr_user = 0;
	rec->nr_kernel = 0;

	if (task->flags & PF_KTHREAD)
		flags |= FLAME_SAMPLE_KTHREAD;
	if (!task->pid)
		flags |= FLAME_SAMPLE_IDLE;
	in_irq = interrupt_flags();
	if (config->irq && in_irq) {
		/* Interrupt work is nobody's: the interrupted user stack is left out. */
		rec->stack_flags |= in_irq & FLAME_SAMPLE_IRQ ? FLAME_STACK_IRQ :
								 FLAME_STACK_SOFTIRQ;
	} else if (config->want_user) {
		user = user_regs_of(task, regs);
	}
	if (user && user != regs && unlikely(task->in_execve)) {
		/* The registers are the old program's, the memory may be the new one's. */
		fc->count.user_failed_exec++;
		rec->stack_flags |= FLAME_STACK_USER_FAILED;
		user = NULL;
	}
	if (user && unlikely(!take_user(fc, rec, user, room)))
		goto full;
	if (!user_mode(regs)) {
		flags |= FLAME_SAMPLE_KERNEL;
		if (config->want_kernel && unlikely(!take_kernel(rec, regs, room - rec->nr_user)))
			goto full;
	}
	rec->flags = flags | in_irq;
	rec->reserved = 0;
	if (unlikely(rec->stack_flags & TRUNCATED))
		fc->count.truncated++;
	rec->size = sizeof(*rec) + (rec->nr_user + rec->nr_kernel) * sizeof(u64);
	fc->count.recorded++;
	flame_ring_commit(&fc->ring, rec->size);
	if (unlikely(flame_ring_used_hint(&fc->ring) > config->wake_bytes)) {
		/* The hint is as old as the last look at the tail: look again, then wake. */
		flame_ring_look(&fc->ring);
		if (flame_ring_used_hint(&fc->ring) > config->wake_bytes)
			wake_collector(fc);
	} else if (unlikely(now > READ_ONCE(config->flush_after))) {
		wake_collector(fc);
	}
	return;
full:
	fc->count.lost_ring_full++;
	wake_collector(fc);
}

/* Points that have passed before the handler could answer for them. */
static __always_inline void miss_passed(struct flame_cpu *fc, u64 now)
{
	struct flame_grid *grid = &fc->clock.grid;

	if (unlikely(now >= grid->next)) {
		u64 passed = flame_grid_passed(grid, now);

		fc->count.missed += passed + 1 - grid->index;
		flame_grid_seek(grid, passed + 1);
	}
}

/* The timer expired at its grid point: counts it and what passed with it, goes on. */
static __always_inline void clock_expired(struct flame_cpu *fc, u64 now)
{
	struct flame_clock *clock = &fc->clock;
	u32 stride = READ_ONCE(flame_timer_config.stride);

	fc->count.ticks++;
	fc->count.throttled += clock->skipped;
	clock->skipped = 0;
	flame_grid_step(&clock->grid);
	miss_passed(fc, now);
	if (unlikely(stride > 1)) {
		clock->skipped = stride - 1;
		flame_grid_seek(&clock->grid, clock->grid.index + stride - 1);
	}
}

static notrace enum hrtimer_restart flame_tick(struct hrtimer *timer)
{
	struct flame_cpu *fc = container_of(timer, struct flame_cpu, timer);
	u64 begin = get_cycles(), now = ktime_get_mono_fast_ns(), spent;
	enum hrtimer_restart restart = HRTIMER_RESTART;
	struct pt_regs *regs = get_irq_regs();
	struct task_struct *task = current;

	if (unlikely(!fc->on))
		return HRTIMER_NORESTART;
	fc->in_handler = true;
	raw_write_seqcount_begin(&fc->seq);
	clock_expired(fc, now);
	if (unlikely(!regs)) {
		/* Not from an interrupt (a CPU going down): nothing was interrupted. */
		fc->count.filtered++;
	} else if (unlikely(!task->pid && !flame_timer_config.idle && !in_serving_softirq())) {
		fc->count.idle++;
		fc->count.idle_hits++;
		fc->clock.stopped = true;
		restart = HRTIMER_NORESTART;
	} else if (unlikely(flame_filter.active && !flame_filter_current(task))) {
		fc->count.filtered++;
	} else {
		take_sample(fc, task, regs, now);
	}
	spent = get_cycles() - begin;
	fc->count.overhead_cycles += spent;
	if (unlikely(spent > fc->count.max_handler_cycles))
		fc->count.max_handler_cycles = spent;
	/* Where handlers may take as long as a period, a point may have passed meanwhile. */
	if (unlikely(fc->clock.grid.step < SHORT_PERIOD_NS))
		miss_passed(fc, ktime_get_mono_fast_ns());
	raw_write_seqcount_end(&fc->seq);
	fc->in_handler = false;
	hrtimer_set_expires(timer, ns_to_ktime(fc->clock.grid.next));
	return restart;
}

static __always_inline void start_timer(struct flame_cpu *fc)
{
	hrtimer_start(&fc->timer, ns_to_ktime(fc->clock.grid.next), HRTIMER_MODE_ABS_PINNED_HARD);
}

/* The CPU goes idle: interrupts are off, on 5.10 to 6.12 the run queue's lock is held. */
static notrace void enter_idle(struct flame_cpu *fc)
{
	if (fc->naps || fc->clock.stopped)
		return;
	/* The callback cannot be running: it runs on this CPU, with interrupts on. */
	if (hrtimer_try_to_cancel(&fc->timer) < 0)
		return;
	raw_write_seqcount_begin(&fc->seq);
	fc->clock.stopped = true;
	raw_write_seqcount_end(&fc->seq);
}

/* The CPU has work again: counts the points it was spared, starts on the same grid. */
static notrace void leave_idle(struct flame_cpu *fc)
{
	struct flame_clock *clock = &fc->clock;
	u64 now, passed;

	if (!clock->stopped)
		return;
	now = ktime_get_mono_fast_ns();
	raw_write_seqcount_begin(&fc->seq);
	if (now >= clock->grid.next) {
		passed = flame_grid_passed(&clock->grid, now);
		fc->count.throttled += clock->skipped;
		clock->skipped = 0;
		fc->count.ticks += passed + 1 - clock->grid.index;
		fc->count.idle += passed + 1 - clock->grid.index;
		flame_grid_seek(&clock->grid, passed + 1);
		fc->short_idles = 0;
		fc->naps = false;
	} else if (fc->short_idles < SHORT_IDLES) {
		fc->short_idles++;
	} else {
		fc->naps = true;
	}
	clock->stopped = false;
	raw_write_seqcount_end(&fc->seq);
	start_timer(fc);
}

static notrace void probe_sched_switch(FLAME_SCHED_SWITCH_ARGS)
{
	struct flame_cpu *fc;

	if (likely(prev->pid && next->pid))
		return;
	fc = this_cpu_ptr(&flame_cpus);
	if (!fc->on || fc->in_handler)
		return;
	fc->in_handler = true;
	if (!next->pid)
		enter_idle(fc);
	else
		leave_idle(fc);
	fc->in_handler = false;
}

/* options/irq: soft interrupts of an idle CPU are work to be seen. */
static notrace void probe_softirq_entry(void *data, unsigned int vector)
{
	unsigned long flags;
	struct flame_cpu *fc;

	if (likely(current->pid))
		return;
	local_irq_save(flags);
	fc = this_cpu_ptr(&flame_cpus);
	if (fc->on && !fc->in_handler) {
		fc->in_handler = true;
		leave_idle(fc);
		fc->in_handler = false;
	}
	local_irq_restore(flags);
}

static struct flame_probe probes[] = {
	{ .name = "sched_switch", .func = probe_sched_switch },
	{ .name = "softirq_entry", .func = probe_softirq_entry },
};

int flame_timer_init(void)
{
	const char *missing = flame_probes_find(probes, ARRAY_SIZE(probes));
	int cpu;

	if (missing) {
		pr_err("this kernel has no tracepoint %s\n", missing);
		return -ENODEV;
	}
	for_each_possible_cpu(cpu) {
		struct flame_cpu *fc = per_cpu_ptr(&flame_cpus, cpu);

		flame_hrtimer_setup(&fc->timer, flame_tick, CLOCK_MONOTONIC,
				    HRTIMER_MODE_ABS_PINNED_HARD);
	}
	return 0;
}

void flame_timer_configure(const struct flame_settings *settings)
{
	struct flame_timer_config *config = &flame_timer_config;
	u32 ring_bytes = max_t(u32, settings->buffer_size_kb * 1024, PAGE_SIZE);
	u32 halves;

	config->hz = settings->frequency;
	config->stride = 1;
	config->max_depth = settings->max_depth;
	config->want_kernel = settings->stacks & FLAME_STACKS_KERNEL;
	config->want_user = settings->stacks & FLAME_STACKS_USER;
	config->idle = flame_option(settings, FLAME_OPT_IDLE);
	config->irq = flame_option(settings, FLAME_OPT_IRQ);
	config->overwrite = flame_option(settings, FLAME_OPT_OVERWRITE);
	config->key_tid = flame_option(settings, FLAME_OPT_TID);
	config->key_cpu = flame_option(settings, FLAME_OPT_CPU);
	config->tables = settings->unwind != FLAME_UNWIND_FP;
	config->fp_fallback = settings->unwind == FLAME_UNWIND_AUTO;
	config->user_limit = TASK_SIZE_MAX - 2 * PAGE_SIZE;
	config->wake_bytes = ring_bytes / 4;
	halves = config->want_kernel + config->want_user;
	config->record_max = sizeof(struct flame_raw_sample) +
			     halves * config->max_depth * sizeof(u64);
	config->record_max = min(config->record_max, ring_bytes);
}

int flame_timer_register_probes(void)
{
	int err;

	if (flame_timer_config.idle)
		return 0;
	err = flame_probe_register(&probes[0]);
	if (!err && flame_timer_config.irq)
		err = flame_probe_register(&probes[1]);
	return err;
}

void flame_timer_unregister_probes(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		flame_probe_unregister(&probes[i]);
}

void flame_timer_start_local(void *info)
{
	struct flame_cpu *fc = this_cpu_ptr(&flame_cpus);
	u64 base = ktime_get_mono_fast_ns();

	if (!fc->ring.data)	/* came up when there was no memory for one */
		return;
	/* Staggered, so that not all handlers of a machine run in the same microsecond. */
	base += (u64)(FLAME_NSEC_PER_SEC / flame_timer_config.hz) * fc->cpu / nr_cpu_ids;
	raw_write_seqcount_begin(&fc->seq);
	flame_grid_init(&fc->clock.grid, base, flame_timer_config.hz);
	fc->clock.skipped = 0;
	fc->clock.stopped = false;
	fc->naps = false;
	fc->short_idles = 0;
	fc->on = true;
	raw_write_seqcount_end(&fc->seq);
	start_timer(fc);
}

void flame_timer_stop_local(void *info)
{
	struct flame_cpu *fc = this_cpu_ptr(&flame_cpus);

	if (!fc->on)
		return;
	/* The callback cannot be running: interrupts are off on its CPU, which is this one. */
	hrtimer_try_to_cancel(&fc->timer);
	raw_write_seqcount_begin(&fc->seq);
	flame_clock_settle(&fc->clock, &fc->count, ktime_get_mono_fast_ns());
	fc->on = false;
	raw_write_seqcount_end(&fc->seq);
}

void flame_timer_flush_after(u64 time)
{
	WRITE_ONCE(flame_timer_config.flush_after, time);
}

void flame_timer_throttle(u32 stride)
{
	WRITE_ONCE(flame_timer_config.stride, stride);
}
