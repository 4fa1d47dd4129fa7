/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session: the one set of settings in force, whether sampling is on and for
 * whom, and the profile it fills. Control files and /dev/flame speak to the
 * module through these calls alone. All of them run in process context and may
 * sleep; the session's mutex is taken inside unless a comment says otherwise.
 */
#ifndef FLAME_SESSION_H
#define FLAME_SESSION_H

#include <linux/mutex.h>
#include <linux/sched.h>
#include "settings.h"

struct flame_stream;	/* stream.h */

/* Guards the settings and everything that starts, stops, resets. */
extern struct mutex flame_session_mutex;

/* The settings in force. Read and written under flame_session_mutex. */
extern struct flame_settings flame_settings;

/* True while sampling is on; under flame_session_mutex, else just a hint. */
bool flame_session_is_on(void);

/**
 * flame_session_start() - turn sampling on with the settings in force
 * @stream: the attached stream that owns the session, or NULL for a plain write
 * @why: receives a line for error_log when refused
 * @why_size: bytes at @why
 *
 * Called with flame_session_mutex held. Returns 0 or -EBUSY (already on: @why
 * names the owner's pid and comm), -ENOMEM, -EPERM (lockdown), -ENODEV (no CPU of
 * `cpus` is online).
 */
int flame_session_start(struct flame_stream *stream, char *why, size_t why_size);

/* Turns sampling off, folds what is in the rings. Mutex held. Off already: nothing. */
void flame_session_stop(void);

/* Clears profile and counters (not the error log). Mutex held; keeps on what is on. */
int flame_session_reset(void);

/* Stops the session if @stream owns it. Takes the mutex. For the stream's release. */
void flame_session_stop_owned(struct flame_stream *stream);

/* "redis-server[4711]" or "": who turned sampling on. Mutex held. */
int flame_session_owner(char *buf, size_t size);

/* How many grid points make one sample: 1, or more while max_overhead throttles. */
u32 flame_session_stride(void);

/* Sends the INFO record of the session that is on, if one is. Collector's mutex held. */
void flame_session_describe(struct flame_stream *stream);

/* Profile, threads, hotplug callbacks. 0 or an errno, nothing to undo then. */
int flame_session_init(void);
/* Stops what is on and frees everything. No control file or device exists any more. */
void flame_session_exit(void);

#endif /* FLAME_SESSION_H */
