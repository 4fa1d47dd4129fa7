// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is known about the terminal. Looks, never writes.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "util/term.h"

static enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color;

bool term_set_color(const char *when)
{
	if (!strcmp(when, "auto"))
		color = COLOR_AUTO;
	else if (!strcmp(when, "always"))
		color = COLOR_ALWAYS;
	else if (!strcmp(when, "never"))
		color = COLOR_NEVER;
	else
		return false;
	return true;
}

bool term_color(FILE *fp)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return isatty(fileno(fp)) && !(no && *no) && !(term && !strcmp(term, "dumb"));
}

unsigned int term_width(FILE *fp)
{
	struct winsize size;

	if (!isatty(fileno(fp)) || ioctl(fileno(fp), TIOCGWINSZ, &size))
		return 0;
	return size.ws_col;
}
