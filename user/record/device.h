/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/flame: the command language and the stream of records, behind functions, so that
 * a recording can be tested without a kernel module.
 */
#ifndef FLAME_RECORD_DEVICE_H
#define FLAME_RECORD_DEVICE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define DEVICE_PATH	"/dev/flame"

struct device;

/**
 * struct device_ops - what a device does
 * @command: one command, with its newline, on the attached file; 0 or a negative errno
 * @get: the text of a control file, NUL-terminated, to be freed; NULL: not readable
 * @read: records of the stream, whole ones; 0: ended; -1 with errno
 * @object_fd: a descriptor of an object's file, or a negative errno
 * @close: ends the stream, which turns sampling off
 */
struct device_ops {
	int (*command)(struct device *d, const char *text);
	char *(*get)(struct device *d, const char *name);
	ssize_t (*read)(struct device *d, void *buf, size_t size);
	int (*object_fd)(struct device *d, uint32_t id);
	void (*close)(struct device *d);
};

/**
 * struct device - a device in use
 * @ops: what it does
 * @fd: for poll(2): readable when the stream has records or has ended
 * @takes_tables: @fd takes FLAME_IOC_UNWIND
 */
struct device {
	const struct device_ops *ops;
	int fd;
	bool takes_tables;
};

/*
 * Opens /dev/flame and attaches a stream, after checking that the module speaks this
 * program's ABI. NULL after saying what stands in the way and the remedy.
 */
struct device *device_open(void);

/*
 * Why a command was refused, in the module's own words: the newest line of error_log
 * without its time, to be freed. "" if there is none.
 */
char *device_last_error(struct device *d);

#endif /* FLAME_RECORD_DEVICE_H */
