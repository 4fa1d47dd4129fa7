// SPDX-License-Identifier: GPL-2.0-only
/*
 * How commands whose result is a profile write it: which format, which events, and what
 * the format's readers cannot take.
 */
#include <string.h>
#include "cmd/inputs.h"
#include "cmd/write.h"
#include "util/msg.h"
#include "util/outfile.h"

int write_find_format(const struct cmd *cmd, const char *name,
		      const struct export_format **format)
{
	char known[256] = "";

	*format = export_find(name);
	if (*format)
		return CMD_GO_ON;
	for (unsigned int i = 0; export_at(i); i++) {
		strcat(known, i ? ", " : " ");
		strcat(known, export_at(i)->name);
	}
	return cmd_usage(cmd, "--format %s: no such format; there are%s", name, known);
}

/* Sets *@event; false after saying that there is no such event. */
static bool choose_event(const struct write_options *o, const struct profile *p, uint32_t *event)
{
	uint32_t nr = profile_nr_events(p);

	if (o->event && strcmp(o->event, "all") != 0) {
		for (*event = 0; *event < nr; ++*event)
			if (inputs_event_is(p, *event, o->event))
				return true;
		msg_error("no event '%s' in this profile", o->event);
		for (uint32_t i = 0; i < nr; i++)
			msg_error("it has '%s' (%s)", profile_event_name(p, i),
				  profile_event_unit(p, i));
		return false;
	}
	*event = o->format->several ? EXPORT_ALL_EVENTS : 0;
	if (o->format->several || nr == 1)
		return true;
	if (o->event) {
		msg_error("%s holds one event, this profile has %u; name one with --event",
			  o->format->name, nr);
		return false;
	}
	for (uint32_t i = 1; i < nr; i++)
		msg_warn("event '%s' (%llu %s) is left out; --event writes it",
			 profile_event_name(p, i), (unsigned long long)profile_total(p, i),
			 profile_event_unit(p, i));
	return true;
}

/* Whether the format's readers can count so far. */
static bool judge_totals(const struct export_format *format, const struct profile *p)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < profile_nr_events(p); i++)
		if (profile_total(p, i) > most)
			most = profile_total(p, i);
	if (most <= format->max)
		return true;
	if (format->rounds) {
		msg_warn("counts up to %llu: above %llu readers of %s round them",
			 (unsigned long long)most, (unsigned long long)format->max, format->name);
		return true;
	}
	msg_error("counts up to %llu: %s holds no more than %llu; folded and jsonl do",
		  (unsigned long long)most, format->name, (unsigned long long)format->max);
	return false;
}

int write_profile(const struct cmd *cmd, const struct profile *p, const struct write_options *o)
{
	struct export_options options = {
		.annotate = o->annotate, .name = cmd->output ? cmd->output : "stdout",
	};
	struct outfile out;

	if (!profile_nr_events(p)) {
		msg_error("this profile holds no samples: nothing to write");
		return EXIT_FAILED;
	}
	if (!choose_event(o, p, &options.event) || !judge_totals(o->format, p) ||
	    !outfile_open(&out, cmd->output, o->format->binary ? OUTFILE_BINARY : 0))
		return EXIT_FAILED;
	if (o->format->write(out.fp, p, &options))
		return outfile_commit(&out);
	outfile_abort(&out);
	return EXIT_FAILED;
}
