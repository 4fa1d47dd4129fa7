/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stream: one reader's own copy of the records (include/flame_abi.h), filled by
 * the collector, emptied by read(2). Used by /dev/flame after "attach" (all CPUs)
 * and by per_cpu/cpuN/raw (one CPU). Process context only.
 */
#ifndef FLAME_STREAM_H
#define FLAME_STREAM_H

#include <linux/fs.h>
#include <linux/poll.h>

struct flame_stream;

#define FLAME_STREAM_ALL_CPUS	(-1)

/* Opens a stream for one CPU or all. ERR_PTR(-ENOMEM). */
struct flame_stream *flame_stream_open(int cpu);

/* Ends it and frees it; no reader may be inside. */
void flame_stream_close(struct flame_stream *stream);

/*
 * read(2) of a stream: whole records only. Blocks until there is something, unless
 * O_NONBLOCK (-EAGAIN). 0 when the session that the stream owned has ended and all
 * of it was read. -EINVAL when @count is smaller than the next record.
 */
ssize_t flame_stream_read(struct flame_stream *stream, struct file *file,
			  char __user *buf, size_t count);

__poll_t flame_stream_poll(struct flame_stream *stream, struct file *file,
			   struct poll_table_struct *wait);

#endif /* FLAME_STREAM_H */
