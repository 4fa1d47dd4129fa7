/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shell patterns of set_comm (see comm_set.c).
 */
#ifndef FLAME_COMM_SET_H
#define FLAME_COMM_SET_H

#include "command.h"

struct seq_file;
struct flame_comm_set;

/**
 * flame_comm_set_parse() - make the set that a value stands for
 * @old: the set that is added to, or NULL
 * @text: patterns, one a line
 * @len: bytes at @text
 * @e: receives what is wrong
 *
 * Process context. Returns a new set with one reference; NULL for "all", which is
 * what no pattern at all and no @old mean; or ERR_PTR of -EINVAL, -ENAMETOOLONG,
 * -E2BIG (more than FLAME_PATTERNS_MAX) or -ENOMEM.
 */
struct flame_comm_set *flame_comm_set_parse(const struct flame_comm_set *old, const char *text,
					    size_t len, struct flame_error *e);

/* One more reference. NULL gives NULL. */
struct flame_comm_set *flame_comm_set_get(struct flame_comm_set *set);

/* One reference less. NULL does nothing. Process context. */
void flame_comm_set_put(struct flame_comm_set *set);

/* Prints the patterns, one a line. */
void flame_comm_set_show(struct seq_file *m, const struct flame_comm_set *set);

/*
 * Does a pattern of @set (not NULL) match @comm, TASK_COMM_LEN bytes that need not
 * hold a NUL? Any context, hard interrupts included.
 */
bool flame_comm_set_match(const struct flame_comm_set *set, const char *comm);

#endif /* FLAME_COMM_SET_H */
