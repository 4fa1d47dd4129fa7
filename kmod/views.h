/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What can be read: each a snapshot taken at open as a seq_file, the same for
 * debugfs and for "get NAME" on /dev/flame. Process context.
 */
#ifndef FLAME_VIEWS_H
#define FLAME_VIEWS_H

#include <linux/fs.h>

/*
 * open() of one of the read-only views. They use file->private_data as seq_file
 * does, and are read, sought and released by seq_read, seq_lseek and
 * flame_view_release. @cpu is only for the per-CPU stats, -1 for the sum.
 */
int flame_folded_open(struct inode *inode, struct file *file);
int flame_objects_open(struct inode *inode, struct file *file);
int flame_stats_open(struct inode *inode, struct file *file, int cpu);
int flame_view_release(struct inode *inode, struct file *file);

#endif /* FLAME_VIEWS_H */
