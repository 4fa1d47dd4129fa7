// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last writes that were refused, a line each. Has a lock of its own, a leaf: it
 * may be taken under any other. Process context only.
 */
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include "error_log.h"

#define ENTRIES		8	/* as many as tracefs' error_log keeps */
#define LINE_SIZE	320

struct entry {
	u64 time;		/* CLOCK_MONOTONIC, ns */
	char line[LINE_SIZE];
};

static DEFINE_MUTEX(lock);
static struct entry entries[ENTRIES];
static unsigned int nr_added;		/* since the last clear */

void flame_error_log_add(const char *name, const struct flame_error *e, const char *text,
			 size_t len)
{
	struct entry *entry;

	mutex_lock(&lock);
	entry = &entries[nr_added++ % ENTRIES];
	entry->time = ktime_get_ns();
	flame_error_line(entry->line, sizeof(entry->line), name, e, text, len);
	mutex_unlock(&lock);
}

void flame_error_log_clear(void)
{
	mutex_lock(&lock);
	nr_added = 0;
	mutex_unlock(&lock);
}

void flame_error_log_show(struct seq_file *m)
{
	unsigned int i;

	mutex_lock(&lock);
	for (i = nr_added > ENTRIES ? nr_added - ENTRIES : 0; i < nr_added; i++) {
		struct entry *entry = &entries[i % ENTRIES];
		u64 us = div_u64(entry->time, NSEC_PER_USEC);
		u32 rest;
		u64 s = div_u64_rem(us, USEC_PER_SEC, &rest);

		seq_printf(m, "[%5llu.%06u] %s\n", s, rest, entry->line);
	}
	mutex_unlock(&lock);
}
