// SPDX-License-Identifier: GPL-2.0-only
/*
 * A line on the terminal for what takes longer than a second.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "util/msg.h"
#include "util/progress.h"

#define SHOW_AFTER_MS	1000
#define SHOW_EVERY_MS	200

static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

void progress_begin(struct progress *p, const char *what, uint64_t whole)
{
	*p = (struct progress){ .what = what, .whole = whole, .begun_ms = now_ms() };
	p->on = msg_level > MSG_QUIET && isatty(STDERR_FILENO);
}

void progress_at(struct progress *p, uint64_t done)
{
	uint64_t now;

	if (!p->on)
		return;
	now = now_ms();
	if (now - p->begun_ms < SHOW_AFTER_MS || now - p->shown_ms < SHOW_EVERY_MS)
		return;
	p->shown_ms = now;
	p->visible = true;
	if (p->whole)
		fprintf(stderr, "\r%s: %u %%\033[K", p->what,
			(unsigned int)((double)done / (double)p->whole * 100.0));
	else
		fprintf(stderr, "\r%s: %llu MiB\033[K", p->what, (unsigned long long)(done >> 20));
}

void progress_end(struct progress *p)
{
	if (p->visible)
		fputs("\r\033[K", stderr);
	p->visible = false;
}
