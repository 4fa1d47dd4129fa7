/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tool says to its user, all of it on stderr and prefixed "flame: ". Nothing
 * here ends the program except the allocation helpers' last resort.
 */
#ifndef FLAME_MSG_H
#define FLAME_MSG_H

#include <stdbool.h>
#include <stdio.h>

enum msg_level { MSG_QUIET = -1, MSG_NORMAL = 0, MSG_VERBOSE = 1 };

/* Set by -q and -v. Errors are always shown. */
extern enum msg_level msg_level;

/* Where messages go; NULL: stderr. Tests read them here. */
extern FILE *msg_stream;

__attribute__((format(printf, 1, 2))) void msg_error(const char *fmt, ...);
/* Warnings and information: not with -q. */
__attribute__((format(printf, 1, 2))) void msg_warn(const char *fmt, ...);
__attribute__((format(printf, 1, 2))) void msg_info(const char *fmt, ...);
/* Only with -v. */
__attribute__((format(printf, 1, 2))) void msg_verbose(const char *fmt, ...);

#endif /* FLAME_MSG_H */
