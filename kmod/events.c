// SPDX-License-Identifier: GPL-2.0-only
/*
 * Producers of identity events. They run in the context of the task that maps, forks
 * or exits, as a kprobe handler or tracepoint probe: no sleep, no allocation, no lock;
 * interrupts off while they write to their CPU's event ring.
 *
 * perf_event_mmap() is what every kernel since 2.6.31 calls once for each mapping made
 * and each change of protection, with mmap_lock held; a probe there sees the same as perf
 * does, at the time it happens. An exec needs no event of its own:
 * its first mapping comes with another mm.
 */
#include <linux/file.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/ktime.h>
#include "compat.h"
#include "cpu.h"
#include "events.h"
#include "filter.h"
#include "pid_set.h"
#include "spaces.h"
#include "tracepoints.h"

/* Room for an event on this CPU, or NULL: counted. Interrupts off. */
static notrace struct flame_event *reserve(struct flame_cpu *fc)
{
	struct flame_event *event;
	u32 space;

	if (!fc->events.data)
		return NULL;
	event = flame_ring_reserve(&fc->events, sizeof(*event), &space);
	if (space < sizeof(*event)) {
		fc->count.identity_lost++;
		return NULL;
	}
	event->size = sizeof(*event);
	event->time = ktime_get_mono_fast_ns();
	return event;
}

static notrace void wake(struct flame_cpu *fc)
{
	if (READ_ONCE(fc->woken))
		return;
	WRITE_ONCE(fc->woken, true);
	irq_work_queue(&fc->wake);
}

static notrace void commit(struct flame_cpu *fc)
{
	flame_ring_commit(&fc->events, sizeof(struct flame_event));
	if (flame_ring_used_hint(&fc->events) > fc->events.size / 4) {
		flame_ring_look(&fc->events);
		if (flame_ring_used_hint(&fc->events) > fc->events.size / 4)
			wake(fc);
	}
}

u32 flame_vma_kind(const struct vm_area_struct *vma)
{
	if (vma->vm_file)
		return FLAME_OBJECT_FILE;
	/* Not context.vdso, which is set after the mapping was made. */
	if (vma->vm_ops && vma->vm_ops->name) {
		const char *name = vma->vm_ops->name((struct vm_area_struct *)vma);

		if (name && !strcmp(name, "[vdso]"))
			return FLAME_OBJECT_VDSO;
	}
	return FLAME_OBJECT_JIT;
}

static notrace void write_map(const struct vm_area_struct *vma)
{
	struct flame_event *event;
	struct flame_cpu *fc;
	unsigned long flags;

	local_irq_save(flags);
	fc = this_cpu_ptr(&flame_cpus);
	event = reserve(fc);
	if (event) {
		event->type = FLAME_EVENT_MAP;
		event->mm = (unsigned long)vma->vm_mm;
		event->pid = current->tgid;
		event->start = vma->vm_start;
		event->end = vma->vm_end;
		event->pgoff = (u64)vma->vm_pgoff << PAGE_SHIFT;
		event->kind = flame_vma_kind(vma);
		/* mmap_lock keeps the mapping, it keeps the file: a reference may be taken. */
		event->file = vma->vm_file ? (unsigned long)get_file(vma->vm_file) : 0;
		commit(fc);
	}
	/* Its unwind table should be there before its first samples are many. */
	if (flame_spaces_map(vma, current->tgid, false))
		wake(fc);
	local_irq_restore(flags);
}

static struct kprobe map_kprobe;
static bool map_kprobe_registered;

static notrace int map_handler(struct kprobe *kp, struct pt_regs *regs)
{
	const struct vm_area_struct *vma = (void *)regs_get_kernel_argument(regs, 0);

	if (!(vma->vm_flags & VM_EXEC) || vma->vm_mm != current->mm)
		return 0;
	if (flame_filter.active && flame_filter.pids &&
	    !flame_pid_set_has(flame_filter.pids, task_tgid(current)))
		return 0;
	write_map(vma);
	return 0;
}

NOKPROBE_SYMBOL(map_handler);

/*
 * Right behind the function's ftrace call, where its argument is still in its register:
 * a kprobe on the call itself goes through ftrace, which looks at each of the kernel's
 * 50,000 traced functions to switch one on (6 million instructions, measured).
 */
#if defined(CONFIG_FUNCTION_TRACER) && defined(CONFIG_HAVE_FENTRY)
#define BEHIND_FENTRY	((IS_ENABLED(CONFIG_X86_KERNEL_IBT) ? 4 : 0) + 5)
#else
#define BEHIND_FENTRY	0
#endif

/*
 * There only so that the kprobe is not turned into a jump: that is done and undone with a
 * lock held that every registration takes, during a grace period of all tasks, which
 * lasted 10 s under load (measured); sampling would start and stop no sooner.
 */
static notrace void map_handled(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

NOKPROBE_SYMBOL(map_handled);

static int register_map_kprobe(unsigned int offset)
{
	/* A registration leaves marks in the structure: start from a clean one. */
	memset(&map_kprobe, 0, sizeof(map_kprobe));
	map_kprobe.symbol_name = "perf_event_mmap";
	map_kprobe.offset = offset;
	map_kprobe.pre_handler = map_handler;
	map_kprobe.post_handler = map_handled;
	return register_kprobe(&map_kprobe);
}

static notrace void probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct flame_event *event;
	struct flame_cpu *fc;
	unsigned long flags;

	if (!thread_group_leader(child))
		return;
	flame_filter_fork(parent, child);
	if (!child->mm)
		return;
	flame_spaces_fork(parent->tgid, child->tgid, (unsigned long)child->mm);
	local_irq_save(flags);
	fc = this_cpu_ptr(&flame_cpus);
	event = reserve(fc);
	if (event) {
		event->type = FLAME_EVENT_FORK;
		event->mm = (unsigned long)child->mm;
		event->pid = child->tgid;
		event->parent_pid = parent->tgid;
		event->parent_mm = (unsigned long)parent->mm;
		commit(fc);
	}
	local_irq_restore(flags);
}

static notrace void probe_exit(FLAME_SCHED_PROCESS_EXIT_ARGS)
{
	struct flame_event *event;
	struct flame_cpu *fc;
	unsigned long flags;

	/* What counts is that no thread of the group is left. */
	if (atomic_read(&task->signal->live))
		return;
	flame_filter_exit(task);
	flame_spaces_exit(task->tgid);
	local_irq_save(flags);
	fc = this_cpu_ptr(&flame_cpus);
	event = reserve(fc);
	if (event) {
		event->type = FLAME_EVENT_EXIT;
		event->mm = 0;
		event->pid = task->tgid;
		commit(fc);
	}
	local_irq_restore(flags);
}

static struct flame_probe probes[] = {
	{ .name = "sched_process_fork", .func = probe_fork },
	{ .name = "sched_process_exit", .func = probe_exit },
};

int flame_events_init(void)
{
	const char *missing = flame_probes_find(probes, ARRAY_SIZE(probes));

	if (!missing)
		return 0;
	pr_err("this kernel has no tracepoint %s\n", missing);
	return -ENODEV;
}

int flame_events_register(void)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		err = flame_probe_register(&probes[i]);
		if (err) {
			flame_events_unregister();
			tracepoint_synchronize_unregister();
			return err;
		}
	}
	map_kprobe_registered = !register_map_kprobe(BEHIND_FENTRY) || !register_map_kprobe(0);
	return 0;
}

void flame_events_unregister(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		flame_probe_unregister(&probes[i]);
	if (map_kprobe_registered)
		unregister_kprobe(&map_kprobe);
	map_kprobe_registered = false;
}
