/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing and printing controls, the same for debugfs and /dev/flame (see control.c).
 * Process context, may sleep; takes flame_session_mutex unless a comment says otherwise.
 */
#ifndef FLAME_CONTROL_H
#define FLAME_CONTROL_H

#include <linux/fs.h>
#include "command.h"

struct flame_stream;
struct seq_file;

/* May whoever opened @file use the module? 0 or -EPERM. For open(). Takes no lock. */
int flame_may_open(const struct file *file);

/* May a raw stream leave the kernel? 0 or -EPERM, under lockdown. Takes no lock. */
int flame_may_stream(void);

/**
 * flame_control_write() - write a value to a control
 * @c: the control
 * @text: the value, not NUL-terminated
 * @len: its bytes
 * @add: add to a list instead of replacing it
 * @stream: the attached stream through which this comes, or NULL
 *
 * A value takes effect whole or not at all. Returns 0, or the negative errno of a
 * refusal, which is in error_log then: -EINVAL, -ERANGE, ... of the value, -EBUSY
 * (sampling is on), -EACCES (can only be read), or what flame_session_start() returns.
 * -EINTR: killed before it began.
 */
int flame_control_write(const struct flame_control *c, const char *text, size_t len, bool add,
			struct flame_stream *stream);

/* Prints the text of @c, which is no view. 0, -ENOMEM or -EINTR. */
int flame_control_show(struct seq_file *m, const struct flame_control *c);

/* open() that makes a seq_file of the text of @c, which is no view. */
int flame_control_open(struct file *file, const struct flame_control *c);

/* A copy holds a reference on each list. flame_session_mutex held if @src is in force. */
void flame_settings_copy(struct flame_settings *dst, const struct flame_settings *src);

/* Drops the references of a copy. No lock needed. */
void flame_settings_put(struct flame_settings *s);

#endif /* FLAME_CONTROL_H */
