/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recording came to, in words: samples, losses, and which control to change.
 */
#ifndef FLAME_RECORD_SUMMARY_H
#define FLAME_RECORD_SUMMARY_H

#include "record/run.h"
#include "record/session.h"

/* @path: the file, NULL: none; @size: bytes in it. */
void summary_print(const struct session *s, const char *path, uint64_t size);

/* Nothing was recorded: says why, as far as the counters tell. */
void summary_nothing(const struct session *s, const struct record_options *o, bool pids_gone,
		     bool command_ended);

#endif /* FLAME_RECORD_SUMMARY_H */
