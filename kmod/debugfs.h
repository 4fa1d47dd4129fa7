/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control files in debugfs (see debugfs.c).
 */
#ifndef FLAME_DEBUGFS_H
#define FLAME_DEBUGFS_H

/*
 * Creates /sys/kernel/debug/flame, last in the module's init: from then on it can be
 * used. A kernel without debugfs is no error: the log says it, /dev/flame is there.
 */
void flame_debugfs_init(void);

/* Removes it. No file of it is open: each holds the module. */
void flame_debugfs_exit(void);

#endif /* FLAME_DEBUGFS_H */
