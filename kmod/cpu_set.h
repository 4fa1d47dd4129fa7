/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPUs of `cpus` (see cpu_set.c).
 */
#ifndef FLAME_CPU_SET_H
#define FLAME_CPU_SET_H

#include <linux/cpumask.h>
#include "command.h"

struct seq_file;
struct flame_cpu_set;

/**
 * flame_cpu_set_parse() - make the set that a value stands for
 * @old: the set that is added to, or NULL
 * @text: a CPU list
 * @len: bytes at @text
 * @e: receives what is wrong
 *
 * Process context. Returns a new set with one reference; NULL for "all", which the
 * word and an empty list with no @old mean; or ERR_PTR of -EINVAL, -ERANGE (this
 * machine has no such CPU) or -ENOMEM.
 */
struct flame_cpu_set *flame_cpu_set_parse(const struct flame_cpu_set *old, const char *text,
					  size_t len, struct flame_error *e);

/* One more reference. NULL gives NULL. */
struct flame_cpu_set *flame_cpu_set_get(struct flame_cpu_set *set);

/* One reference less. NULL does nothing. Process context. */
void flame_cpu_set_put(struct flame_cpu_set *set);

/* Prints the list; an empty line for NULL. */
void flame_cpu_set_show(struct seq_file *m, const struct flame_cpu_set *set);

/* The CPUs in it; the possible ones for NULL. Valid as long as a reference is held. */
const struct cpumask *flame_cpu_set_mask(const struct flame_cpu_set *set);

#endif /* FLAME_CPU_SET_H */
