// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of input formats, and which of them an input is of. A new format is a line
 * here and a file of its own.
 */
#include <stdbool.h>
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
	&input_pprof_raw,
	&input_callgrind,
	&input_json,
	&input_speedscope,
	&input_firefox,
	&input_cpuprofile,
	&input_chrome,
};

#define NR_FORMATS	(sizeof(formats) / sizeof(formats[0]))

/*
 * Whether one byte in 32 or more is a control byte that no text has: then it is of no text
 * format, however lenient that is. (UTF-16 text has NUL bytes, but no others.)
 */
static bool is_binary(const char *head, size_t len)
{
	size_t controls = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)head[i];

		controls += c && c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\033';
	}
	return len && controls * 32 >= len;
}

const struct input_format *input_recognise(const char *head, size_t len, bool whole)
{
	const struct input_format *best = NULL;
	const bool binary = is_binary(head, len);
	int surest = 0;

	for (size_t i = 0; i < NR_FORMATS; i++) {
		int sure = formats[i]->probe(head, len, whole);

		if (binary && formats[i] != &input_flame && formats[i] != &input_pprof)
			continue;
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
