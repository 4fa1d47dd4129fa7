/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A line on the terminal for what takes longer than a second. Writes to stderr only, and
 * only if that is a terminal and -q was not given.
 */
#ifndef FLAME_PROGRESS_H
#define FLAME_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	const char *what;	/* "prof.flame" */
	uint64_t whole;		/* 0: not known */
	uint64_t begun_ms, shown_ms;
	bool on, visible;
};

/* @what must outlive it. */
void progress_begin(struct progress *p, const char *what, uint64_t whole);
/* Cheap; shows at most a few lines a second. */
void progress_at(struct progress *p, uint64_t done);
/* Takes the line away. */
void progress_end(struct progress *p);

#endif /* FLAME_PROGRESS_H */
