// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the tool says to its user. One line a message, written whole, so that it does
 * not mix with what a sampled command prints.
 */
#include <stdarg.h>
#include <stdio.h>
#include "util/msg.h"

enum msg_level msg_level = MSG_NORMAL;
FILE *msg_stream;

static void say(const char *prefix, const char *fmt, va_list ap)
{
	char line[4096];
	int n;

	n = vsnprintf(line, sizeof(line), fmt, ap);
	if (n < 0)
		return;
	fprintf(msg_stream ? msg_stream : stderr, "flame: %s%s\n", prefix, line);
}

void msg_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void msg_warn(const char *fmt, ...)
{
	va_list ap;

	if (msg_level <= MSG_QUIET)
		return;
	va_start(ap, fmt);
	say("warning: ", fmt, ap);
	va_end(ap);
}

void msg_info(const char *fmt, ...)
{
	va_list ap;

	if (msg_level <= MSG_QUIET)
		return;
	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void msg_verbose(const char *fmt, ...)
{
	va_list ap;

	if (msg_level < MSG_VERBOSE)
		return;
	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}
