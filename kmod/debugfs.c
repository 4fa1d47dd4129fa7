// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control files in /sys/kernel/debug/flame: file operations around control.c, the
 * views and the raw streams. What can only be read has no write, ioctl or mmap here,
 * or lockdown would refuse to open it. Process context only.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "control.h"
#include "debugfs.h"
#include "error_log.h"
#include "stream.h"
#include "views.h"

static struct dentry *root;

/* An open file of a control that can be written; the private data of its seq_file. */
struct control_file {
	const struct flame_control *control;
	struct mutex lock;		/* one write at a time */
	struct flame_intake intake;
	bool add;			/* opened to append, or written to before */
	bool clear;			/* opened to truncate, nothing written yet */
};

static const struct flame_control *control_of(const struct inode *inode)
{
	return inode->i_private;
}

static int text_open(struct inode *inode, struct file *file)
{
	int err = flame_may_open(file);

	return err ? err : flame_control_open(file, control_of(inode));
}

static const struct file_operations text_fops = {
	.owner		= THIS_MODULE,
	.open		= text_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static int control_show(struct seq_file *m, void *unused)
{
	const struct control_file *cf = m->private;

	return flame_control_show(m, cf->control);
}

static struct control_file *control_file(const struct file *file)
{
	const struct seq_file *m = file->private_data;

	return m->private;
}

static int control_open(struct inode *inode, struct file *file)
{
	const struct flame_control *c = control_of(inode);
	struct control_file *cf;
	int err;

	err = flame_may_open(file);
	if (err)
		return err;
	cf = kzalloc(sizeof(*cf), GFP_KERNEL);
	if (!cf)
		return -ENOMEM;
	cf->control = c;
	mutex_init(&cf->lock);
	if (flame_control_is_list(c) && (file->f_mode & FMODE_WRITE)) {
		cf->add = file->f_flags & O_APPEND;
		cf->clear = file->f_flags & O_TRUNC;
	}
	err = single_open(file, control_show, cf);
	if (err)
		kfree(cf);
	return err;
}

/*
 * Applies what the intake has made of the writes so far. @fed is what
 * flame_intake_feed() returned, @e what it filled in. Lock held.
 */
static int control_apply(struct control_file *cf, int fed, const struct flame_error *e)
{
	const struct flame_control *c = cf->control;
	struct flame_intake *in = &cf->intake;
	int err = fed;

	if (fed > 0) {
		err = flame_control_write(c, in->held, in->held_len, cf->add, NULL);
		if (!err)
			cf->add = flame_control_is_list(c);
	} else if (e->msg[0]) {
		flame_error_log_add(c->name, e, in->held, in->held_len);
	}
	flame_intake_done(in, err);
	return err;
}

/* The file position stays: a read after a write on one open file is of the whole text. */
static ssize_t control_write(struct file *file, const char __user *buf, size_t count,
			     loff_t *pos)
{
	struct control_file *cf = control_file(file);
	size_t have = min_t(size_t, count, FLAME_VALUE_MAX + 1);
	struct flame_error e = {};
	char last = '\0';
	char *chunk;
	int ret;

	chunk = flame_zalloc(have);
	if (!chunk)
		return -ENOMEM;
	if (copy_from_user(chunk, buf, have) || (count && get_user(last, buf + count - 1))) {
		flame_free(chunk);
		return -EFAULT;
	}
	mutex_lock(&cf->lock);
	cf->clear = false;
	ret = flame_intake_feed(&cf->intake, cf->control, chunk, count, last, &e);
	if (ret)
		ret = control_apply(cf, ret, &e);
	mutex_unlock(&cf->lock);
	return ret ? ret : count;
}

/* A close ends a value of which more could have come. */
static int control_flush(struct file *file, fl_owner_t id)
{
	struct control_file *cf = control_file(file);
	int err = 0;

	mutex_lock(&cf->lock);
	if (cf->intake.held) {
		cf->intake.ended = true;
		err = control_apply(cf, 1, NULL);
	}
	mutex_unlock(&cf->lock);
	return err;
}

/*
 * Opening with O_TRUNC clears a list only here, and only if nothing was written: a value
 * that is refused must leave the old one. Not in flush: a shell closes a duplicate of
 * the descriptor before it writes.
 */
static int control_release(struct inode *inode, struct file *file)
{
	struct control_file *cf = control_file(file);

	if (cf->clear)
		flame_control_write(cf->control, "", 0, false, NULL);
	flame_intake_done(&cf->intake, 0);
	kfree(cf);
	return single_release(inode, file);
}

static const struct file_operations control_fops = {
	.owner		= THIS_MODULE,
	.open		= control_open,
	.read		= seq_read,
	.write		= control_write,
	.llseek		= seq_lseek,
	.flush		= control_flush,
	.release	= control_release,
};

/* As control_fops, for what there is nothing to read from. */
static const struct file_operations trigger_fops = {
	.owner		= THIS_MODULE,
	.open		= control_open,
	.write		= control_write,
	.flush		= control_flush,
	.release	= control_release,
};

static int folded_open(struct inode *inode, struct file *file)
{
	int err = flame_may_open(file);

	return err ? err : flame_folded_open(inode, file);
}

static const struct file_operations folded_fops = {
	.owner		= THIS_MODULE,
	.open		= folded_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= flame_view_release,
};

static int objects_open(struct inode *inode, struct file *file)
{
	int err = flame_may_open(file);

	return err ? err : flame_objects_open(inode, file);
}

static const struct file_operations objects_fops = {
	.owner		= THIS_MODULE,
	.open		= objects_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= flame_view_release,
};

static int stats_open(struct inode *inode, struct file *file)
{
	int err = flame_may_open(file);

	return err ? err : flame_stats_open(inode, file, -1);
}

static const struct file_operations stats_fops = {
	.owner		= THIS_MODULE,
	.open		= stats_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= flame_view_release,
};

/* Files below per_cpu/cpuN have the number in place of a pointer. */
static int cpu_of(const struct inode *inode)
{
	return (long)inode->i_private;
}

static int cpu_stats_open(struct inode *inode, struct file *file)
{
	int err = flame_may_open(file);

	return err ? err : flame_stats_open(inode, file, cpu_of(inode));
}

static const struct file_operations cpu_stats_fops = {
	.owner		= THIS_MODULE,
	.open		= cpu_stats_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= flame_view_release,
};

static int raw_open(struct inode *inode, struct file *file)
{
	struct flame_stream *stream;
	int err;

	err = flame_may_open(file);
	if (!err)
		err = flame_may_stream();
	if (err)
		return err;
	stream = flame_stream_open(cpu_of(inode));
	if (IS_ERR(stream))
		return PTR_ERR(stream);
	file->private_data = stream;
	return nonseekable_open(inode, file);
}

static ssize_t raw_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	return flame_stream_read(file->private_data, file, buf, count);
}

static __poll_t raw_poll(struct file *file, struct poll_table_struct *wait)
{
	return flame_stream_poll(file->private_data, file, wait);
}

static int raw_release(struct inode *inode, struct file *file)
{
	flame_stream_close(file->private_data);
	return 0;
}

static const struct file_operations raw_fops = {
	.owner		= THIS_MODULE,
	.open		= raw_open,
	.read		= raw_read,
	.poll		= raw_poll,
	.release	= raw_release,
};

static const struct file_operations *fops_of(const struct flame_control *c)
{
	switch (c->kind) {
	case FLAME_CTL_README:
	case FLAME_CTL_VERSION:
	case FLAME_CTL_AVAILABLE_SOURCES:
	case FLAME_CTL_ERROR_LOG:
		return &text_fops;
	case FLAME_CTL_FOLDED:
		return &folded_fops;
	case FLAME_CTL_OBJECTS:
		return &objects_fops;
	case FLAME_CTL_STATS:
		return &stats_fops;
	case FLAME_CTL_RESET:
		return &trigger_fops;
	default:
		return &control_fops;
	}
}

static void create_controls(struct dentry *options)
{
	static const char prefix[] = "options/";
	const struct flame_control *c;

	for (c = flame_controls; c < flame_controls + flame_nr_controls; c++) {
		const struct file_operations *fops = fops_of(c);
		struct dentry *dir = root;
		const char *name = c->name;

		if (c->kind == FLAME_CTL_OPTION) {
			dir = options;
			name += sizeof(prefix) - 1;
		}
		/*
		 * The proxy that debugfs_create_file() puts around the operations knows
		 * no flush. It is there for files that vanish while open; these cannot,
		 * as each open file holds the module.
		 */
		if (fops->flush)
			debugfs_create_file_unsafe(name, c->mode, dir, (void *)c, fops);
		else
			debugfs_create_file(name, c->mode, dir, (void *)c, fops);
	}
}

static void create_per_cpu(void)
{
	struct dentry *per_cpu = debugfs_create_dir("per_cpu", root);
	char name[16];
	int cpu;

	for_each_possible_cpu(cpu) {
		void *data = (void *)(long)cpu;
		struct dentry *dir;

		snprintf(name, sizeof(name), "cpu%d", cpu);
		dir = debugfs_create_dir(name, per_cpu);
		debugfs_create_file("stats", 0400, dir, data, &cpu_stats_fops);
		debugfs_create_file("raw", 0400, dir, data, &raw_fops);
	}
}

/* debugfs makes directories 0755. Nothing is in it yet, and nobody has it open. */
static void make_private(struct dentry *dir)
{
	struct inode *inode = d_inode(dir);

	inode_lock(inode);
	inode->i_mode = S_IFDIR | 0700;
	inode_unlock(inode);
}

void flame_debugfs_init(void)
{
	root = debugfs_create_dir("flame", NULL);
	if (IS_ERR(root)) {
		pr_info("no control files in debugfs (error %ld), use /dev/flame\n",
			PTR_ERR(root));
		return;
	}
	make_private(root);
	/* Whatever is missing below after an error is missing: /dev/flame has it all. */
	create_controls(debugfs_create_dir("options", root));
	create_per_cpu();
}

void flame_debugfs_exit(void)
{
	debugfs_remove(root);
}
