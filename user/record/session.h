/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One recording over one attached device: settings, start, the stream into records and a
 * .flame writer, stop, counters, names. Waits for nothing itself: its caller polls.
 */
#ifndef FLAME_RECORD_SESSION_H
#define FLAME_RECORD_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "input/records.h"
#include "output/flame_writer.h"
#include "record/device.h"

/* The module's counters of this recording alone: the difference from start to end. */
struct session_counts {
	uint64_t ticks, idle, filtered, recorded, lost, overwritten, missed, throttled;
	uint64_t truncated, user_failed, stream_lost;
};

struct loader;

struct session {
	struct device *device;
	struct profile *profile;
	struct records *records;
	struct flame_writer *writer;	/* NULL: nothing is saved */
	bool writer_failed;		/* said; the recording must end */
	char *buf;
	char *stats_before;
	uint64_t started_ns, ended_ns;	/* CLOCK_MONOTONIC; 0: not yet */
	struct loader *tables;		/* NULL: none are loaded */
	int *object_fds;		/* by object id - 1; -1: none */
	size_t nr_object_fds, cap_object_fds, nr_open, max_open;
	struct session_counts counts;
};

/* @writer may be NULL and stays the caller's; @options as for reading a file. */
void session_init(struct session *s, struct device *device, struct flame_writer *writer,
		  const struct input_options *options);
void session_destroy(struct session *s);

/* Sets a control. 0 or a negative errno; says nothing. */
int session_set(struct session *s, const char *name, const char *value);
/* The same; false after saying what the module said. */
bool session_must_set(struct session *s, const char *name, const char *value);

/*
 * Gives the module the unwind tables of what the processes @pids (blank-separated; "": all)
 * have mapped, and from then on of each object as it is first seen, so that stacks of
 * programs without frame pointers are whole. What has no table is walked by frame pointers.
 */
void session_load_tables(struct session *s, const char *pids);

/* Turns sampling on; false after saying why it stayed off. */
bool session_start(struct session *s);

enum session_state { SESSION_MORE, SESSION_ENDED, SESSION_FAILED };

/* Takes what the stream has now. SESSION_FAILED: said. */
enum session_state session_read(struct session *s);

/* Turns sampling off; what was sampled can still be read. */
void session_stop(struct session *s);

/*
 * After the stream's end: reads the counters, names user frames, and completes the file.
 * False when the file could not be completed (said).
 */
bool session_finish(struct session *s);

#endif /* FLAME_RECORD_SESSION_H */
