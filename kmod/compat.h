/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernel versions, one entry a change, each saying which kernel
 * made it. The only place that looks at LINUX_VERSION_CODE.
 */
#ifndef FLAME_COMPAT_H
#define FLAME_COMPAT_H

#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/version.h>

/* 5.18: the sched_switch tracepoint got prev_state, as its last argument. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0)
#define FLAME_SCHED_SWITCH_ARGS \
	void *data, bool preempt, struct task_struct *prev, struct task_struct *next, \
	unsigned int prev_state
#else
#define FLAME_SCHED_SWITCH_ARGS \
	void *data, bool preempt, struct task_struct *prev, struct task_struct *next
#endif

/* 6.16: the sched_process_exit tracepoint got group_dead. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#define FLAME_SCHED_PROCESS_EXIT_ARGS	void *data, struct task_struct *task, bool group_dead
#else
#define FLAME_SCHED_PROCESS_EXIT_ARGS	void *data, struct task_struct *task
#endif

/* 5.12: io_uring workers became PF_IO_WORKER tasks with an mm; 6.4: so did vhost's. */
#if defined(PF_USER_WORKER)
#define FLAME_PF_NO_USER_STACK	(PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER)
#else
#define FLAME_PF_NO_USER_STACK	(PF_KTHREAD | PF_IO_WORKER)
#endif

/* 6.13: hrtimer_setup() came; hrtimer_init() went later. */
static inline void flame_hrtimer_setup(struct hrtimer *timer,
				       enum hrtimer_restart (*function)(struct hrtimer *),
				       clockid_t clock, enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

/* 6.1: the list of VMAs became a tree. */
/* Calls @fn for each mapping of @mm, whose mmap_lock is held for reading. */
static inline void flame_visit_vmas(struct mm_struct *mm,
				    void (*fn)(const struct vm_area_struct *vma, void *ctx),
				    void *ctx)
{
	struct vm_area_struct *vma;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
	VMA_ITERATOR(it, mm, 0);

	for_each_vma(it, vma)
		fn(vma, ctx);
#else
	for (vma = mm->mmap; vma; vma = vma->vm_next)
		fn(vma, ctx);
#endif
}

/* 5.11: kmap_local_page() came. */
static inline void *flame_map_page(struct page *page)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
	return kmap_local_page(page);
#else
	return page_address(page);	/* x86-64 has no high memory */
#endif
}

static inline void flame_unmap_page(void *mapped)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 11, 0)
	kunmap_local(mapped);
#endif
}

/* 6.7: the times of an inode are read through functions. */
static inline s64 flame_inode_mtime_ns(const struct inode *inode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	struct timespec64 mtime = inode_get_mtime(inode);

	return timespec64_to_ns(&mtime);
#else
	return timespec64_to_ns(&inode->i_mtime);
#endif
}

#endif /* FLAME_COMPAT_H */
