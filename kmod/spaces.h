/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address spaces for the walk in the interrupt: which code lies where in each process,
 * and the unwind tables of that code. Kept up to date in the handlers of the identity
 * events themselves, so that the first sample of a new process finds it.
 *
 * Writers are the fork, exit and map handlers (interrupts off, a raw spinlock that only
 * they take) and process context at the start of a session. The tick reads without a
 * lock: a space has a sequence count, tables live until a grace period after they are
 * unlinked.
 */
#ifndef FLAME_SPACES_H
#define FLAME_SPACES_H

#include <linux/mm_types.h>
#include <linux/sched.h>
#include "stack_table.h"

struct file;

/* Memory for the spaces of a session. Process context. 0 or -ENOMEM. */
int flame_spaces_alloc(void);
/* Frees it; no handler uses it any more. The tables stay. */
void flame_spaces_free(void);

/*
 * Handlers; any context. @learnt: not at the time of the mapping but of a process that
 * ran already, whose mmap_lock is held. True: of a file that tables are in use for but
 * that has none, so whoever loads them should hear of it soon.
 */
bool flame_spaces_map(const struct vm_area_struct *vma, u32 pid, bool learnt);
void flame_spaces_fork(u32 parent, u32 child, u64 child_mm);
void flame_spaces_exit(u32 pid);

/**
 * flame_spaces_walk() - the user half of the current task's stack
 * @task: current
 * @regs: user-mode registers at kernel entry
 *
 * Hard interrupt context, page faults off. As flame_stack_tables(); false: this process
 * is not known, walk by frame pointers.
 */
bool flame_spaces_walk(struct task_struct *task, const struct pt_regs *regs, u64 limit,
		       bool fp_fallback, u64 *ips, u32 room, u32 *nr, enum flame_walk *how);

/* Where no room was found for a process, a mapping or a file. */
u64 flame_spaces_refused(void);

/**
 * flame_tables_load() - takes a table for a file
 * @file: the object that it unwinds; NULL: the vDSO
 * @table: checked; from flame_zalloc(), taken over when 0 is returned
 *
 * Process context. Replaces an older table of the file. -ENOMEM, or -ENOSPC when all
 * tables together would take more than FLAME_TABLES_BYTES_MAX.
 */
int flame_tables_load(struct file *file, struct flame_unwind_head *table);

#define FLAME_TABLES_BYTES_MAX	(256ULL * 1024 * 1024)

/* Are there any tables? A hint; any context. */
bool flame_tables_in_use(void);

/* How many tables there are, and their bytes. */
void flame_tables_count(u32 *nr, u64 *bytes);

/* Drops all tables. Sampling is off. */
void flame_tables_drop(void);

#endif /* FLAME_SPACES_H */
