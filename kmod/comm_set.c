// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of shell patterns for thread names, never changed once made. Matching happens
 * for every sample: it must never take a lock or allocate.
 */
#include <linux/err.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include "comm_set.h"
#include "glob.h"

struct pattern {
	char text[FLAME_PATTERN_MAX + 1];	/* NUL-terminated */
};

struct flame_comm_set {
	refcount_t refs;
	u32 nr;
	struct pattern pattern[];
};

/* As strnlen(), which an instrumented kernel may trace. */
static notrace size_t comm_len(const char *comm)
{
	size_t len = 0;

	while (len < TASK_COMM_LEN && comm[len])
		len++;
	return len;
}

bool notrace flame_comm_set_match(const struct flame_comm_set *set, const char *comm)
{
	size_t len = comm_len(comm);
	u32 i;

	for (i = 0; i < set->nr; i++)
		if (flame_glob_match(set->pattern[i].text, comm, len))
			return true;
	return false;
}

struct flame_comm_set *flame_comm_set_get(struct flame_comm_set *set)
{
	if (set)
		refcount_inc(&set->refs);
	return set;
}

void flame_comm_set_put(struct flame_comm_set *set)
{
	if (set && refcount_dec_and_test(&set->refs))
		flame_free(set);
}

struct flame_comm_set *flame_comm_set_parse(const struct flame_comm_set *old, const char *text,
					    size_t len, struct flame_error *e)
{
	struct flame_comm_set *set;
	const char *pattern;
	size_t pattern_len, at = 0;
	int ret;

	set = flame_zalloc(sizeof(*set) + FLAME_PATTERNS_MAX * sizeof(struct pattern));
	if (!set) {
		flame_fail(e, -ENOMEM, 0, "no memory for the patterns");
		return ERR_PTR(-ENOMEM);
	}
	refcount_set(&set->refs, 1);
	if (old) {
		memcpy(set->pattern, old->pattern, old->nr * sizeof(struct pattern));
		set->nr = old->nr;
	}
	while ((ret = flame_pattern_next(text, len, &at, &pattern, &pattern_len, e)) > 0) {
		if (set->nr == FLAME_PATTERNS_MAX) {
			ret = flame_fail(e, -E2BIG, pattern - text, "at most %u patterns",
					 FLAME_PATTERNS_MAX);
			break;
		}
		memcpy(set->pattern[set->nr++].text, pattern, pattern_len);
	}
	if (!ret && set->nr)
		return set;
	flame_free(set);
	return ret ? ERR_PTR(ret) : NULL;
}

void flame_comm_set_show(struct seq_file *m, const struct flame_comm_set *set)
{
	u32 i;

	if (!set)
		seq_putc(m, '\n');
	for (i = 0; set && i < set->nr; i++)
		seq_printf(m, "%s\n", set->pattern[i].text);
}
