// SPDX-License-Identifier: GPL-2.0-only
/*
 * The misc device /dev/flame: the controls as commands, and the stream of an attached
 * reader, for the tool and for kernels whose lockdown shuts debugfs. Process context
 * only.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "../include/flame_abi.h"
#include "control.h"
#include "device.h"
#include "error_log.h"
#include "objects.h"
#include "session.h"
#include "spaces.h"
#include "stream.h"
#include "views.h"

/* A command can hold a whole list. */
#define COMMANDS_MAX	(FLAME_VALUE_MAX + 256)

/**
 * struct device_file - an open /dev/flame
 * @lock: one write at a time; guards @view, @view_pos and @asked
 * @view: what "get" asked for and is not read to its end, an anonymous seq_file
 * @view_pos: up to where @view is read
 * @asked: there was a "get"
 * @stream: after "attach", until release; set once
 * @saved: with @stream: the settings to put back
 * @attached: with @stream: in attached_files
 */
struct device_file {
	struct mutex lock;	/* one command at a time */
	struct file *view;
	loff_t view_pos;
	bool asked;
	struct flame_stream *stream;
	struct flame_settings saved;
	struct list_head attached;
};

/* Attached files in the order in which they attached; flame_session_mutex. */
static LIST_HEAD(attached_files);

static int text_release(struct inode *inode, struct file *file)
{
	return file->private_data ? single_release(inode, file) : 0;
}

static const struct file_operations text_fops = {
	.owner		= THIS_MODULE,
	.release	= text_release,
};

static int view_release(struct inode *inode, struct file *file)
{
	return file->private_data ? flame_view_release(inode, file) : 0;
}

static const struct file_operations view_fops = {
	.owner		= THIS_MODULE,
	.release	= view_release,
};

static int open_view(const struct flame_control *c, int cpu, struct file *file)
{
	switch (c->kind) {
	case FLAME_CTL_FOLDED:
		return flame_folded_open(file_inode(file), file);
	case FLAME_CTL_OBJECTS:
		return flame_objects_open(file_inode(file), file);
	case FLAME_CTL_STATS:
		return flame_stats_open(file_inode(file), file, cpu);
	default:
		return flame_control_open(file, c);
	}
}

/* The N of "per_cpu/cpuN/stats", or -1 for any other name. */
static int cpu_of_stats(const char *name, size_t len)
{
	char copy[32], again[32];
	unsigned int cpu;

	if (len >= sizeof(copy))
		return -1;
	memcpy(copy, name, len);
	copy[len] = '\0';
	if (sscanf(copy, "per_cpu/cpu%u/stats", &cpu) != 1 || cpu >= nr_cpu_ids ||
	    !cpu_possible(cpu))
		return -1;
	snprintf(again, sizeof(again), "per_cpu/cpu%u/stats", cpu);
	return strcmp(copy, again) ? -1 : (int)cpu;
}

static int command_get(struct device_file *df, const struct flame_command *cmd,
		       struct flame_error *e)
{
	int cpu = cpu_of_stats(cmd->name, cmd->name_len);
	const struct flame_control *c;
	struct file *file;
	int err;

	c = cpu < 0 ? flame_control_find(cmd->name, cmd->name_len) :
		      flame_control_find("stats", strlen("stats"));
	if (!c)
		return flame_fail(e, -ENOENT, 0, "no such file, \"get README\" lists them");
	if (!(c->mode & 0400))
		return flame_fail(e, -EACCES, 0, "can only be written");
	file = anon_inode_getfile("[flame]", flame_control_is_view(c) ? &view_fops : &text_fops,
				  NULL, O_RDONLY);
	if (IS_ERR(file))
		return flame_fail(e, PTR_ERR(file), 0, "no file to read it from");
	err = open_view(c, cpu, file);
	if (err) {
		fput(file);
		return flame_fail(e, err, 0, "cannot be read now");
	}
	if (df->view)
		fput(df->view);
	df->view = file;
	df->view_pos = 0;
	df->asked = true;
	return 0;
}

static int command_attach(struct device_file *df, struct flame_error *e)
{
	struct flame_stream *stream;
	int err;

	if (df->stream)
		return flame_fail(e, -EBUSY, 0, "this open file is attached already");
	err = flame_may_stream();
	if (err)
		return flame_fail(e, err, 0, "the kernel is locked down: no stream may be read");
	stream = flame_stream_open(FLAME_STREAM_ALL_CPUS);
	if (IS_ERR(stream))
		return flame_fail(e, PTR_ERR(stream), 0, "no stream can be opened");
	mutex_lock(&flame_session_mutex);
	flame_settings_copy(&df->saved, &flame_settings);
	list_add_tail(&df->attached, &attached_files);
	mutex_unlock(&flame_session_mutex);
	/* Pairs with the acquire in attached_stream(): readers take no lock. */
	smp_store_release(&df->stream, stream);
	return 0;
}

static struct flame_stream *attached_stream(struct device_file *df)
{
	/* Pairs with the release in command_attach(). */
	return smp_load_acquire(&df->stream);
}

/* Does one command. What is refused is in error_log when this returns. */
static int do_command(struct device_file *df, const struct flame_command *cmd)
{
	struct flame_error e = {};
	const struct flame_control *c;
	int err;

	switch (cmd->verb) {
	case FLAME_VERB_ATTACH:
		err = command_attach(df, &e);
		break;
	case FLAME_VERB_GET:
		err = command_get(df, cmd, &e);
		break;
	default:
		c = flame_control_find(cmd->name, cmd->name_len);
		if (c)
			return flame_control_write(c, cmd->value, cmd->value_len,
						   cmd->verb == FLAME_VERB_ADD, df->stream);
		err = flame_fail(&e, -ENOENT, 0, "no such control, \"get README\" lists them");
		break;
	}
	if (err)
		flame_error_log_add("/dev/flame", &e, cmd->name, cmd->name_len);
	return err;
}

/* Does the commands in @text, up to the first that is refused. */
static int do_commands(struct device_file *df, const char *text, size_t len)
{
	struct flame_command cmd;
	struct flame_error e;
	size_t at = 0;
	int ret;

	if (len >= FLAME_SPLIT_MIN && text[len - 1] != '\n') {
		ret = flame_fail(&e, -EINVAL, len,
				 "%u bytes or more must end in a newline: was it cut?",
				 FLAME_SPLIT_MIN);
		flame_error_log_add("/dev/flame", &e, text, len);
		return ret;
	}
	ret = flame_command_next(text, len, &at, &cmd, &e);
	if (!ret) {
		ret = flame_fail(&e, -EINVAL, 0, "no command, expected NAME VALUE or get NAME");
		flame_error_log_add("/dev/flame", &e, text, len);
		return ret;
	}
	for (; ret > 0; ret = flame_command_next(text, len, &at, &cmd, &e)) {
		ret = do_command(df, &cmd);
		if (ret)
			return ret;
	}
	if (ret)
		flame_error_log_add("/dev/flame", &e, cmd.value, cmd.value_len);
	return ret;
}

static ssize_t device_write(struct file *file, const char __user *buf, size_t count,
			    loff_t *pos)
{
	struct device_file *df = file->private_data;
	size_t have = min_t(size_t, count, COMMANDS_MAX);
	struct flame_error e;
	char *text;
	int err;

	text = flame_zalloc(have);
	if (!text)
		return -ENOMEM;
	if (copy_from_user(text, buf, have)) {
		err = -EFAULT;
	} else if (count > COMMANDS_MAX) {
		err = flame_fail(&e, -E2BIG, have, "at most %u bytes at once", COMMANDS_MAX);
		flame_error_log_add("/dev/flame", &e, text, have);
	} else {
		mutex_lock(&df->lock);
		err = do_commands(df, text, count);
		mutex_unlock(&df->lock);
	}
	flame_free(text);
	return err ? err : count;
}

/* Reads on in what "get" asked for. -EAGAIN: nothing is being read. */
static ssize_t read_view(struct device_file *df, char __user *buf, size_t count)
{
	ssize_t ret = -EAGAIN;

	mutex_lock(&df->lock);
	if (df->view) {
		ret = seq_read(df->view, buf, count, &df->view_pos);
		if (!ret && count) {
			fput(df->view);
			df->view = NULL;
		}
	} else if (!df->stream) {
		/* Not attached: behind the end is the end. */
		ret = df->asked ? 0 : -ENODATA;
	}
	mutex_unlock(&df->lock);
	return ret;
}

static ssize_t device_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	struct device_file *df = file->private_data;
	ssize_t ret = read_view(df, buf, count);

	if (ret != -EAGAIN)
		return ret;
	return flame_stream_read(attached_stream(df), file, buf, count);
}

static __poll_t device_poll(struct file *file, struct poll_table_struct *wait)
{
	struct device_file *df = file->private_data;
	struct flame_stream *stream = attached_stream(df);
	__poll_t ready = EPOLLOUT | EPOLLWRNORM;

	if (READ_ONCE(df->view))
		ready |= EPOLLIN | EPOLLRDNORM;
	if (stream)
		ready |= flame_stream_poll(stream, file, wait);
	return ready;
}

static long object_fd(struct file *file, const u32 __user *arg)
{
	u32 id;

	/* The descriptor reads a file whatever its mode says. */
	if (!file_ns_capable(file, &init_user_ns, CAP_SYS_ADMIN) &&
	    !file_ns_capable(file, &init_user_ns, CAP_DAC_READ_SEARCH))
		return -EPERM;
	if (get_user(id, arg))
		return -EFAULT;
	return flame_object_get_fd(id);
}

/* Copies a table in and checks it. It, or an ERR_PTR with a line in error_log. */
static struct flame_unwind_head *take_table(const struct flame_ioc_unwind *args)
{
	struct flame_unwind_head *table;
	const char *wrong = NULL;
	struct flame_error e;

	if (args->bytes < sizeof(*table) || args->bytes > FLAME_UNWIND_BYTES_MAX || args->reserved)
		wrong = "its size is impossible";
	table = wrong ? NULL : flame_zalloc(args->bytes);
	if (!wrong && !table)
		return ERR_PTR(-ENOMEM);
	if (!wrong && copy_from_user(table, u64_to_user_ptr(args->table), args->bytes)) {
		flame_free(table);
		return ERR_PTR(-EFAULT);
	}
	if (!wrong)
		wrong = flame_unwind_check(table, args->bytes);
	if (!wrong)
		return table;
	flame_free(table);
	flame_fail(&e, -EINVAL, 0, "unwind table refused, %s", wrong);
	flame_error_log_add("unwind", &e, "", 0);
	return ERR_PTR(-EINVAL);
}

static long load_table(const void __user *arg)
{
	struct flame_ioc_unwind args;
	struct flame_unwind_head *table;
	struct file *object = NULL;
	long err;

	if (copy_from_user(&args, arg, sizeof(args)))
		return -EFAULT;
	if (args.fd >= 0) {
		object = fget(args.fd);
		if (!object)
			return -EBADF;
	}
	table = take_table(&args);
	err = PTR_ERR_OR_ZERO(table);
	if (!err) {
		err = flame_tables_load(object, table);
		if (err)
			flame_free(table);
	}
	if (object)
		fput(object);
	return err;
}

static long device_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case FLAME_IOC_OBJECT_FD:
		return object_fd(file, (const u32 __user *)arg);
	case FLAME_IOC_UNWIND:
		return load_table((const void __user *)arg);
	default:
		return -ENOTTY;
	}
}

static int device_open(struct inode *inode, struct file *file)
{
	struct device_file *df;
	int err;

	err = flame_may_open(file);
	if (err)
		return err;
	df = kzalloc(sizeof(*df), GFP_KERNEL);
	if (!df)
		return -ENOMEM;
	mutex_init(&df->lock);
	file->private_data = df;
	return nonseekable_open(inode, file);
}

/*
 * Puts back the settings that @df found. When another file has attached since, what it
 * found were this one's, so it gets to put back what was there before both. While
 * sampling is on for somebody else they stay: what runs must not change.
 */
static void put_back_settings(struct device_file *df)
{
	struct flame_settings *restored = &flame_settings;
	struct flame_error e;

	mutex_lock(&flame_session_mutex);
	if (!list_is_last(&df->attached, &attached_files))
		restored = &list_next_entry(df, attached)->saved;
	else if (flame_session_is_on())
		restored = NULL;
	if (restored)
		swap(*restored, df->saved);
	list_del(&df->attached);
	mutex_unlock(&flame_session_mutex);
	flame_settings_put(&df->saved);
	if (!restored) {
		flame_fail(&e, -EBUSY, 0, "settings are not put back while sampling is on");
		flame_error_log_add("/dev/flame", &e, "", 0);
	}
}

static int device_release(struct inode *inode, struct file *file)
{
	struct device_file *df = file->private_data;

	if (df->stream) {
		flame_session_stop_owned(df->stream);
		put_back_settings(df);
		flame_stream_close(df->stream);
	}
	if (df->view)
		fput(df->view);
	kfree(df);
	return 0;
}

static const struct file_operations device_fops = {
	.owner		= THIS_MODULE,
	.open		= device_open,
	.read		= device_read,
	.write		= device_write,
	.poll		= device_poll,
	.unlocked_ioctl	= device_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
	.release	= device_release,
};

static struct miscdevice device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "flame",
	.fops	= &device_fops,
	.mode	= 0600,
};

int flame_device_init(void)
{
	int err = misc_register(&device);

	if (err)
		pr_err("/dev/flame cannot be registered (error %d)\n", err);
	return err;
}

void flame_device_exit(void)
{
	misc_deregister(&device);
}
