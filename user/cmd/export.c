// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame export`: any profile in the format of another tool.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include "cmd/cmd.h"
#include "input/input.h"
#include "output/export.h"
#include "profile/anonymize.h"
#include "util/msg.h"
#include "util/outfile.h"

static const char help[] =
	"usage: flame export --format FORMAT [options] [INPUT]\n"
	"\n"
	"Writes INPUT (any profile; stdin, else prof.flame) for other tools to read.\n"
	"\n"
	"  -f, --format FORMAT\n"
	"           folded      stacks and counts, for flamegraph.pl and most others\n"
	"           pprof       for go tool pprof and its web views (gzipped profile.proto)\n"
	"           speedscope  for speedscope.app: a time line for each thread\n"
	"           firefox     for profiler.firefox.com: a track for each thread\n"
	"           perf        text as perf script prints it\n"
	"           chrome      trace events, for Perfetto and about:tracing\n"
	"           callgrind   for KCachegrind and callgrind_annotate\n"
	"           d3          the tree that d3-flame-graph draws, as JSON\n"
	"           jsonl       a JSON object for each sample or stack\n"
	"      --event EVENT    which event, of an input with several (default: all where\n"
	"                       the format takes several, else the first); all\n"
	"      --no-annotate    no _[k], _[i], _[j] behind names\n"
	"      --anonymize[=KEY]  hash names of threads, paths, and ids; the same KEY gives the\n"
	"                       same hashes (default: a new one each time)\n"
	"  -o, --output FILE    write there instead of stdout\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n";

enum { OPT_EVENT = CMD_OPT_OWN, OPT_NO_ANNOTATE, OPT_ANONYMIZE };

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "format", required_argument, NULL, 'f' },
	{ "event", required_argument, NULL, OPT_EVENT },
	{ "no-annotate", no_argument, NULL, OPT_NO_ANNOTATE },
	{ "anonymize", optional_argument, NULL, OPT_ANONYMIZE },
	{ 0 }
};

struct export_cmd {
	struct cmd cmd;
	const struct export_format *format;
	const char *event;
	bool annotate;
	bool anonymize;
	const char *key;	/* NULL: a random one */
};

static int find_format(struct export_cmd *c, const char *name)
{
	char known[256] = "";

	c->format = export_find(name);
	if (c->format)
		return CMD_GO_ON;
	for (unsigned int i = 0; export_at(i); i++) {
		strcat(known, i ? ", " : " ");
		strcat(known, export_at(i)->name);
	}
	return cmd_usage(&c->cmd, "--format %s: no such format; there are%s", name, known);
}

/* Sets *@event; false after saying that there is no such event. */
static bool choose_event(const struct export_cmd *c, const struct profile *p, uint32_t *event)
{
	uint32_t nr = profile_nr_events(p);

	if (c->event && strcmp(c->event, "all") != 0) {
		for (*event = 0; *event < nr; ++*event)
			if (!strcmp(profile_event_name(p, *event), c->event))
				return true;
		msg_error("no event '%s' in this profile", c->event);
		for (uint32_t i = 0; i < nr; i++)
			msg_error("it has '%s' (%s)", profile_event_name(p, i),
				  profile_event_unit(p, i));
		return false;
	}
	*event = c->format->several ? EXPORT_ALL_EVENTS : 0;
	if (c->format->several || nr == 1)
		return true;
	if (c->event) {
		msg_error("%s holds one event, this profile has %u; name one with --event",
			  c->format->name, nr);
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

static bool random_key(struct siphash_key *key)
{
	if (getrandom(key, sizeof(*key), 0) == (ssize_t)sizeof(*key))
		return true;
	msg_error("no random key for --anonymize: %s; name one with --anonymize=KEY",
		  strerror(errno));
	return false;
}

static int write_profile(const struct export_cmd *c, const struct profile *p)
{
	struct export_options options = { .annotate = c->annotate };
	struct outfile out;

	if (!profile_nr_events(p)) {
		msg_error("this profile holds no samples: nothing to export");
		return EXIT_FAILED;
	}
	if (!choose_event(c, p, &options.event) || !judge_totals(c->format, p) ||
	    !outfile_open(&out, c->cmd.output, c->format->binary ? OUTFILE_BINARY : 0))
		return EXIT_FAILED;
	c->format->write(out.fp, p, &options);
	return outfile_commit(&out);
}

static int export(const struct export_cmd *c, const char *path)
{
	const struct input_options in = { .keep_samples = c->format->samples };
	struct siphash_key key;
	struct profile *p, *shown;
	int status;

	if (c->anonymize && c->key)
		key = anonymize_key(c->key);
	else if (c->anonymize && !random_key(&key))
		return EXIT_FAILED;
	p = input_read(path, &in);
	if (p && c->anonymize) {
		shown = profile_anonymize(p, &key);
		profile_free(p);
		p = shown;
	}
	if (!p)
		return EXIT_FAILED;
	status = write_profile(c, p);
	profile_free(p);
	return status;
}

int cmd_export(int argc, char **argv)
{
	struct export_cmd c = { .cmd = { .name = "export", .help = help }, .annotate = true };
	const char *path;
	int opt, status;

	while ((opt = getopt_long(argc, argv, ":hqvo:f:", long_options, NULL)) != -1) {
		status = CMD_GO_ON;
		switch (opt) {
		case 'f':
			status = find_format(&c, optarg);
			break;
		case OPT_EVENT:
			c.event = optarg;
			break;
		case OPT_NO_ANNOTATE:
			c.annotate = false;
			break;
		case OPT_ANONYMIZE:
			c.anonymize = true;
			c.key = optarg;
			break;
		default:
			status = cmd_common_option(&c.cmd, opt, argv);
		}
		if (status != CMD_GO_ON)
			return status;
	}
	status = cmd_one_input(&c.cmd, argc, argv, &path);
	if (status != CMD_GO_ON)
		return status;
	if (!c.format)
		return cmd_usage(&c.cmd, "--format FORMAT is wanted");
	return export(&c, path);
}
