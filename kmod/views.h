/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What can be read: each a snapshot taken at open and printed piecewise by a
 * seq_file, the same for debugfs and for "get NAME" on /dev/flame. Process context.
 *
 * An open is given one of two kinds of file: the debugfs file itself, or an
 * anonymous one that device.c makes to answer a "get" (its inode is the kernel's
 * shared anonymous inode). So an implementation looks at neither the inode nor its
 * i_private, only at @file (through seq_open) and the arguments. The caller has
 * checked the opener's rights, and takes no lock around these calls.
 */
#ifndef FLAME_VIEWS_H
#define FLAME_VIEWS_H

#include <linux/fs.h>

/*
 * open() of one of the read-only views: 0, or -ENOMEM with file->private_data still
 * NULL. They use file->private_data as seq_file does, and are read, sought and
 * released by seq_read, seq_lseek and flame_view_release. @cpu is only for the
 * per-CPU stats, -1 for the sum.
 */
int flame_folded_open(struct inode *inode, struct file *file);
int flame_objects_open(struct inode *inode, struct file *file);
int flame_stats_open(struct inode *inode, struct file *file, int cpu);
int flame_view_release(struct inode *inode, struct file *file);

#endif /* FLAME_VIEWS_H */
