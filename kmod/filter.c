// SPDX-License-Identifier: GPL-2.0-only
/*
 * The filter of tasks. flame_filter_current() runs in hard interrupt context, fork and
 * exit in tracepoint probes: no lock that a reader can hold, no allocation.
 */
#include <linux/sched/signal.h>
#include "comm_set.h"
#include "filter.h"
#include "pid_set.h"

/* Room for so many children at once with options/follow_children. */
#define CHILDREN_MAX		8192

struct flame_filter flame_filter __read_mostly;

int flame_filter_set(const struct flame_settings *settings)
{
	struct flame_filter *filter = &flame_filter;

	memset(filter, 0, sizeof(*filter));
	filter->threads = settings->threads;
	filter->follow_children = settings->pids &&
				  flame_option(settings, FLAME_OPT_FOLLOW_CHILDREN);
	if (filter->follow_children) {
		filter->pids = flame_pid_set_clone_for_children(settings->pids, CHILDREN_MAX);
		if (!filter->pids)
			return -ENOMEM;
	} else {
		filter->pids = flame_pid_set_get(settings->pids);
	}
	filter->tids = flame_pid_set_get(settings->tids);
	filter->comms = flame_comm_set_get(settings->comms);
	filter->active = filter->pids || filter->tids || filter->comms ||
			 filter->threads != FLAME_THREADS_ALL;
	return 0;
}

void flame_filter_clear(void)
{
	flame_pid_set_put(flame_filter.pids);
	flame_pid_set_put(flame_filter.tids);
	flame_comm_set_put(flame_filter.comms);
	memset(&flame_filter, 0, sizeof(flame_filter));
}

notrace bool flame_filter_current(struct task_struct *task)
{
	const struct flame_filter *filter = &flame_filter;
	bool kthread = task->flags & PF_KTHREAD;

	if (filter->threads == FLAME_THREADS_USER && kthread)
		return false;
	if (filter->threads == FLAME_THREADS_KERNEL && !kthread)
		return false;
	if (filter->pids && !flame_pid_set_has(filter->pids, task_tgid(task)))
		return false;
	if (filter->tids && !flame_pid_set_has(filter->tids, task_pid(task)))
		return false;
	return !filter->comms || flame_comm_set_match(filter->comms, task->comm);
}

notrace void flame_filter_fork(struct task_struct *parent, struct task_struct *child)
{
	if (flame_filter.follow_children &&
	    flame_pid_set_has(flame_filter.pids, task_tgid(parent)))
		flame_pid_set_add(flame_filter.pids, task_pid(child));
}

notrace void flame_filter_exit(struct task_struct *task)
{
	if (flame_filter.follow_children)
		flame_pid_set_del(flame_filter.pids, task_tgid(task));
}
