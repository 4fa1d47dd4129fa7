/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which tasks are sampled: what set_pid, set_tid, set_comm and threads say together.
 */
#ifndef FLAME_FILTER_H
#define FLAME_FILTER_H

#include <linux/sched.h>
#include "settings.h"

/* Set before sampling starts, constant while it is on. */
struct flame_filter {
	bool active;			/* false: everything passes */
	u8 threads;			/* enum flame_threads */
	bool follow_children;
	struct flame_pid_set *pids;	/* with follow_children a private, growing copy */
	struct flame_pid_set *tids;
	struct flame_comm_set *comms;
};

extern struct flame_filter flame_filter;

/* Takes what the settings say; process context. 0 or -ENOMEM. */
int flame_filter_set(const struct flame_settings *settings);
void flame_filter_clear(void);

/* Does the current task pass? Any context; no lock, no allocation. */
bool flame_filter_current(struct task_struct *task);

/* options/follow_children: a child's thread group joins, a dead one leaves. Any context. */
void flame_filter_fork(struct task_struct *parent, struct task_struct *child);
void flame_filter_exit(struct task_struct *task);

#endif /* FLAME_FILTER_H */
