/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The collector's side of the streams: each open one gets a copy of every record. All
 * calls but flame_stream_end() are made under the collector's mutex.
 */
#ifndef FLAME_STREAMS_H
#define FLAME_STREAMS_H

#include "profile.h"
#include "stream.h"

/* A sample that folded into @stack, to the streams that want it. */
void flame_streams_sample(struct flame_profile *profile, const struct flame_raw_sample *s,
			  u32 stack);

/* Objects that streams were not told of yet, before any stack needs them. */
void flame_streams_objects(struct flame_profile *profile);

/* A text record (FLAME_REC_INFO, FLAME_REC_SETTINGS) to one stream, to all streams. */
void flame_stream_text(struct flame_stream *stream, u16 type, const char *text, u32 len);
void flame_streams_text(u16 type, const char *text, u32 len);

/* Ids mean something else from now on (a new profile): they are sent again. */
void flame_streams_forget(void);

/* Wakes the readers that have something to read. */
void flame_streams_wake(void);

/* The session that @stream owned has begun (false) or ended (true). Any lock. */
void flame_stream_set_ended(struct flame_stream *stream, bool ended);

/* Records that readers were too slow for, since the last reset. */
u64 flame_streams_lost(void);
void flame_streams_reset_lost(void);

#endif /* FLAME_STREAMS_H */
