// SPDX-License-Identifier: GPL-2.0-only
/*
 * Drains the rings: applies identity events, folds samples, hands copies to the streams.
 * Process context, under the collector's mutex; may sleep on memory, never on a reader
 * or on a process being profiled.
 */
#include <linux/completion.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include "collector.h"
#include "compat.h"
#include "cpu.h"
#include "profile.h"
#include "source_timer.h"
#include "spaces.h"
#include "streams.h"

#define FLUSH_INTERVAL_NS	NSEC_PER_SEC
#define RESCHED_EVERY		64
/* root, cpu, interrupt mark, two truncation marks, two halves */
#define FRAMES_MAX		(5 + 2 * FLAME_DEPTH_MAX)

/* Guards the profile, the consumers' side of the rings, and the list of streams. */
DEFINE_MUTEX(flame_collector_mutex);

static struct task_struct *collector;
static bool work_pending;

/* One call at a time is handed to the thread. */
static DEFINE_MUTEX(call_mutex);
static struct {
	void (*fn)(void *ctx);
	void *ctx;
	bool pending;
	struct completion done;
} call;

/* How stacks are put together: of the settings in force. */
static struct {
	bool comm, pid, tid, cpu, annotate, offset;
} layout;

/* Frames of the stack in the making, outermost first. */
static u32 frames[FRAMES_MAX];

void flame_collector_configure(const struct flame_settings *settings)
{
	layout.comm = flame_option(settings, FLAME_OPT_COMM);
	layout.pid = flame_option(settings, FLAME_OPT_PID);
	layout.tid = flame_option(settings, FLAME_OPT_TID);
	layout.cpu = flame_option(settings, FLAME_OPT_CPU);
	layout.annotate = flame_option(settings, FLAME_OPT_ANNOTATE);
	layout.offset = flame_option(settings, FLAME_OPT_OFFSET);
	flame_names_forget(flame_profile);
	flame_fold_forget(&flame_profile->fold);
}

static u32 text_frame(struct flame_profile *profile, u32 kind, const char *text, u32 len)
{
	return flame_fold_frame(&profile->fold, kind, flame_fold_string(&profile->fold, text, len),
				0);
}

static u32 mark_frame(struct flame_profile *profile, const char *text)
{
	return text_frame(profile, FLAME_FRAME_MARK, text, strlen(text));
}

/* "comm", "comm-PID" or "comm-PID/TID", as stackcollapse-perf.pl's options write it. */
static u32 root_frame(struct flame_profile *profile, const struct flame_raw_sample *s)
{
	char text[4 * FLAME_COMM_LEN + 32];
	u32 len = 0;

	if (layout.comm)
		len = flame_escape(text, sizeof(text), (const char *)s->comm,
				   strnlen((const char *)s->comm, FLAME_COMM_LEN), false);
	if (layout.pid || layout.tid)
		len += scnprintf(text + len, sizeof(text) - len, "%s%u", len ? "-" : "", s->pid);
	if (layout.tid)
		len += scnprintf(text + len, sizeof(text) - len, "/%u", s->tid);
	return text_frame(profile, FLAME_FRAME_ROOT, text, len);
}

static u32 cpu_frame(struct flame_profile *profile, u32 cpu)
{
	char text[16];
	u32 len = scnprintf(text, sizeof(text), "[cpu %u]", cpu);

	return text_frame(profile, FLAME_FRAME_ROOT, text, len);
}

/* Which object the walk found no way out of: that of the outermost frame it has. */
static u32 no_info_frame(struct flame_profile *profile, struct flame_image *image,
			 const struct flame_raw_sample *s)
{
	u32 i = s->nr_user - 1, object;
	char text[256];
	u64 offset;

	object = flame_identity_place(profile, image, s->ips[i] - (i > 0), s->time, &offset);
	scnprintf(text, sizeof(text), "[no unwind info: %s]", profile->objects[object - 1]->name);
	return mark_frame(profile, text);
}

/* The user half, outermost first; returns how many frames there are now. */
static u32 add_user(struct flame_profile *profile, struct flame_image *image,
		    const struct flame_raw_sample *s, u32 n)
{
	u32 i, object, last = 0;
	u64 offset;

	if (s->stack_flags & FLAME_STACK_USER_TRUNCATED)
		frames[n++] = mark_frame(profile, "[truncated]");
	if (s->stack_flags & FLAME_STACK_USER_NO_INFO)
		frames[n++] = no_info_frame(profile, image, s);
	for (i = s->nr_user; i--; ) {
		/* A return address less 1 lies in the call that it belongs to. */
		object = flame_identity_place(profile, image, s->ips[i] - (i > 0), s->time,
					      &offset);
		/* Several places nobody can name are shown as one. */
		if (object == last && object >= FLAME_OBJECT_ID_ANON &&
		    object <= FLAME_OBJECT_ID_UNKNOWN)
			continue;
		last = object;
		frames[n++] = flame_fold_frame(&profile->fold, FLAME_FRAME_USER, object, offset);
	}
	return n;
}

static u32 add_kernel(struct flame_profile *profile, const struct flame_raw_sample *s, u32 n)
{
	const u64 *ips = s->ips + s->nr_user;
	u32 i;

	if (s->stack_flags & FLAME_STACK_KERNEL_TRUNCATED)
		frames[n++] = mark_frame(profile, "[truncated]");
	for (i = s->nr_kernel; i--; )
		frames[n++] = flame_kernel_frame(profile, ips[i] - (i > 0), layout.annotate,
						 layout.offset);
	return n;
}

/* The canonical stack of a sample: what folding is about. */
static u32 stack_of(struct flame_profile *profile, struct flame_image *image,
		    const struct flame_raw_sample *s)
{
	u32 n = 0;

	if (layout.comm || layout.pid || layout.tid)
		frames[n++] = root_frame(profile, s);
	if (layout.cpu)
		frames[n++] = cpu_frame(profile, s->cpu);
	if (s->stack_flags & (FLAME_STACK_IRQ | FLAME_STACK_SOFTIRQ))
		frames[n++] = mark_frame(profile, s->stack_flags & FLAME_STACK_IRQ ? "[hardirq]" :
										    "[softirq]");
	n = add_user(profile, image, s, n);
	n = add_kernel(profile, s, n);
	if (!n)
		frames[n++] = mark_frame(profile, "[no stack]");
	return flame_fold_stack(&profile->fold, frames, n, s->stack_flags);
}

static void fold_sample(struct flame_profile *profile, const struct flame_raw_sample *s)
{
	const void *key = (const u8 *)s + FLAME_RAW_KEY_OFFSET;
	u32 bytes = s->size - FLAME_RAW_KEY_OFFSET, stack;
	struct flame_image *image = NULL;
	u64 hash = flame_fold_hash(key, bytes), image_key = 0;

	if (s->mm && s->nr_user) {
		image = flame_identity_image(profile, s->pid, s->mm, s->time);
		if (image)
			image_key = flame_image_key(image, s->time);
	}
	stack = flame_fold_cached(&profile->fold, image_key, key, bytes, hash);
	if (unlikely(!stack)) {
		stack = stack_of(profile, image, s);
		cond_resched();		/* many frames in many mappings take their time */
		/* Learning the mappings may have given the image another key. */
		if (image)
			image_key = flame_image_key(image, s->time);
		if (stack != FLAME_FOLD_FULL_STACK)
			flame_fold_remember(&profile->fold, image_key, key, bytes, hash, stack);
	}
	flame_fold_stack_get(&profile->fold, stack)->value += s->value;
	flame_streams_sample(profile, s, stack);
}

/* Does the record hold what its counts say? It was written by us, but look anyway. */
static bool sample_is_whole(const struct flame_raw_sample *s)
{
	return s->size >= sizeof(*s) && s->nr_user <= FLAME_DEPTH_MAX &&
	       s->nr_kernel <= FLAME_DEPTH_MAX &&
	       s->size == sizeof(*s) + (s->nr_user + s->nr_kernel) * sizeof(u64);
}

static void drain_samples(struct flame_profile *profile, struct flame_ring *ring, u64 head)
{
	const struct flame_raw_sample *s;
	u64 pos = ring->tail;
	u32 n = 0;

	for (; (s = flame_ring_peek(ring, pos, head)); pos += s->size) {
		if (WARN_ON_ONCE(!sample_is_whole(s)))
			break;
		fold_sample(profile, s);
		if (++n % RESCHED_EVERY)
			continue;
		flame_ring_consume(ring, pos + s->size);
		cond_resched();
	}
	flame_ring_consume(ring, head);
}

/* Of all CPUs' next events the earliest, or NULL. */
static const struct flame_event *next_event(struct flame_cpu **of)
{
	const struct flame_event *first = NULL;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct flame_cpu *fc = per_cpu_ptr(&flame_cpus, cpu);
		const struct flame_event *event;

		if (!fc->events.data)
			continue;
		event = flame_ring_peek(&fc->events, fc->events.tail, fc->event_head);
		if (event && (!first || event->time < first->time)) {
			first = event;
			*of = fc;
		}
	}
	return first;
}

static void drain_events(struct flame_profile *profile)
{
	const struct flame_event *event;
	struct flame_cpu *fc;
	u32 n = 0;

	while ((event = next_event(&fc))) {
		flame_identity_event(profile, event);
		flame_ring_consume(&fc->events, fc->events.tail + event->size);
		if (!(++n % RESCHED_EVERY))
			cond_resched();
	}
}

static void drain_locked(bool final)
{
	struct flame_profile *profile = flame_profile;
	bool samples = final || !flame_timer_config.overwrite;
	int cpu;

	lockdep_assert_held(&flame_collector_mutex);
	/*
	 * First how far the samples go, then how far the events go (both with acquire):
	 * an event that came before a sample of the same process is then seen with it.
	 */
	for_each_possible_cpu(cpu) {
		struct flame_cpu *fc = per_cpu_ptr(&flame_cpus, cpu);

		WRITE_ONCE(fc->woken, false);
		fc->sample_head = flame_ring_head(&fc->ring);
	}
	for_each_possible_cpu(cpu) {
		struct flame_cpu *fc = per_cpu_ptr(&flame_cpus, cpu);

		fc->event_head = flame_ring_head(&fc->events);
	}
	drain_events(profile);
	if (flame_tables_in_use())
		flame_streams_objects(profile);
	for_each_possible_cpu(cpu) {
		struct flame_cpu *fc = per_cpu_ptr(&flame_cpus, cpu);

		if (samples && fc->ring.data)
			drain_samples(profile, &fc->ring, fc->sample_head);
	}
	/* Samples that stay in their rings still need the images of processes that ended. */
	if (samples)
		flame_identity_age(profile);
	flame_timer_flush_after(ktime_get_mono_fast_ns() + FLUSH_INTERVAL_NS);
	flame_streams_wake();
}

static void drain(bool final)
{
	mutex_lock(&flame_collector_mutex);
	drain_locked(final);
	mutex_unlock(&flame_collector_mutex);
}

static void drain_call(void *final)
{
	drain(*(bool *)final);
}

void flame_collector_drain(bool final)
{
	flame_collector_call(drain_call, &final);
}

static void wake_thread(void)
{
	/* Pairs with the xchg in collect(): what was written before is seen by the pass. */
	smp_store_release(&work_pending, true);
	wake_up_process(collector);
}

void flame_collector_wake(struct irq_work *work)
{
	wake_thread();
}

void flame_collector_call(void (*fn)(void *ctx), void *ctx)
{
	mutex_lock(&call_mutex);
	call.fn = fn;
	call.ctx = ctx;
	reinit_completion(&call.done);
	/* Pairs with the acquire in collect(): what to call before that there is a call. */
	smp_store_release(&call.pending, true);
	wake_thread();
	wait_for_completion(&call.done);
	mutex_unlock(&call_mutex);
}

static int collect(void *unused)
{
	while (!kthread_should_stop()) {
		set_current_state(TASK_IDLE);
		/* Pairs with the release in wake_thread(). */
		if (!xchg(&work_pending, false) && !kthread_should_stop()) {
			schedule();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		/* Pairs with the release in flame_collector_call(). */
		if (smp_load_acquire(&call.pending)) {
			call.pending = false;
			call.fn(call.ctx);
			complete(&call.done);
		} else {
			drain(false);
		}
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

int flame_collector_init(void)
{
	init_completion(&call.done);
	collector = kthread_run(collect, NULL, "flame_collector");
	return PTR_ERR_OR_ZERO(collector);
}

void flame_collector_exit(void)
{
	kthread_stop(collector);
}
