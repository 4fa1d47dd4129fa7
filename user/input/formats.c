// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of input formats, and which of them an input is of. A new format is a line
 * here and a file of its own.
 */
#include <stdio.h>
#include <string.h>
#include "input/input.h"

static const struct input_format *const formats[] = {
	&input_flame,
	&input_folded,
	&input_perf,
	&input_stap,
	&input_dtrace,
	&input_bcc,
	&input_bpftrace,
	&input_pprof,
	&input_json,
	&input_speedscope,
	&input_firefox,
	&input_cpuprofile,
	&input_chrome,
};

#define NR_FORMATS	(sizeof(formats) / sizeof(formats[0]))

const struct input_format *input_recognise(const char *head, size_t len, bool whole)
{
	const struct input_format *best = NULL;
	int surest = 0;

	for (size_t i = 0; i < NR_FORMATS; i++) {
		int sure = formats[i]->probe(head, len, whole);

		if (sure > surest) {
			surest = sure;
			best = formats[i];
		}
	}
	return best;
}

const struct input_format *input_by_name(const char *name)
{
	for (size_t i = 0; i < NR_FORMATS; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

const char *input_format_names(void)
{
	static char names[512];
	size_t n = 0;

	for (size_t i = 0; i < NR_FORMATS && n < sizeof(names); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", i ? ", " : "",
				      formats[i]->name);
	return names;
}
