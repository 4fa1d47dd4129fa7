/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes or threads of set_pid and set_tid (see pid_set.c).
 */
#ifndef FLAME_PID_SET_H
#define FLAME_PID_SET_H

#include <linux/pid.h>
#include "command.h"

struct seq_file;
struct flame_pid_set;

/**
 * flame_pid_set_parse() - make the set that a value stands for
 * @old: the set that is added to, or NULL
 * @text: blank-separated ids of the caller's pid namespace
 * @len: bytes at @text
 * @type: PIDTYPE_TGID: they are processes; PIDTYPE_PID: threads
 * @e: receives what is wrong
 *
 * Process context. Returns a new set with one reference; NULL for "all", which is
 * what no id at all and no @old mean; or ERR_PTR of -EINVAL, -ERANGE, -ESRCH (no
 * such process or thread) or -ENOMEM.
 */
struct flame_pid_set *flame_pid_set_parse(const struct flame_pid_set *old, const char *text,
					  size_t len, enum pid_type type, struct flame_error *e);

/* One more reference. NULL gives NULL. Process context. */
struct flame_pid_set *flame_pid_set_get(struct flame_pid_set *set);

/* One reference less. NULL does nothing. Process context, may sleep. */
void flame_pid_set_put(struct flame_pid_set *set);

/* Prints the ids in the reader's pid namespace, sorted, without those gone by now. */
int flame_pid_set_show(struct seq_file *m, const struct flame_pid_set *set);

/**
 * flame_pid_set_clone_for_children() - a private copy that flame_pid_set_add() may change
 * @set: not NULL
 * @spare: how many may be added at least before it is likely to be full
 *
 * Process context. Returns the copy with one reference, or NULL without memory.
 */
struct flame_pid_set *flame_pid_set_clone_for_children(const struct flame_pid_set *set,
						       u32 spare);

/* Is @pid in @set (not NULL)? Any context, hard interrupts included: lock-free. */
bool flame_pid_set_has(const struct flame_pid_set *set, const struct pid *pid);

/*
 * Adds @pid to a clone, with a reference of its own. Returns false if there is no
 * room for it. Any context but NMI.
 */
bool flame_pid_set_add(struct flame_pid_set *set, struct pid *pid);

/*
 * Takes @pid out of a clone. Returns false if it was not there. Any context but NMI.
 * The caller holds a reference besides the set's (an exiting task does), so that the
 * set's is never the last: freeing a struct pid takes locks that sleep on PREEMPT_RT.
 */
bool flame_pid_set_del(struct flame_pid_set *set, struct pid *pid);

#endif /* FLAME_PID_SET_H */
