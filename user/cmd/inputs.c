// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options about inputs that several commands have in common.
 */
#include <string.h>
#include "cmd/inputs.h"

int inputs_from(const struct cmd *cmd, const char *name, struct input_options *options)
{
	if (!input_by_name(name))
		return cmd_usage(cmd, "--from is one of %s, not '%s'", input_format_names(), name);
	options->from = name;
	return CMD_GO_ON;
}

/* Bytes before perf's modifiers: "cycles" of "cycles:u", all of "sched:sched_switch". */
static size_t base_length(const char *event)
{
	const char *colon = strrchr(event, ':');

	if (colon && colon[1] && strspn(colon + 1, "ukhIGHpPSDWebBR") == strlen(colon + 1))
		return (size_t)(colon - event);
	return strlen(event);
}

bool inputs_event_is(const struct profile *p, uint32_t event, const char *asked)
{
	const char *name = profile_event_name(p, event);
	size_t len = base_length(name);

	return !strcmp(name, asked) || (len == base_length(asked) && !memcmp(name, asked, len));
}
