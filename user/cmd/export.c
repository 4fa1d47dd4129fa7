// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame export`: any profile in the format of another tool.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include "cmd/cmd.h"
#include "cmd/inputs.h"
#include "cmd/write.h"
#include "input/input.h"
#include "profile/anonymize.h"
#include "util/msg.h"

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
	"           flame       a .flame file, which keeps everything\n"
	"      --event EVENT    which event, of an input with several (default: all where\n"
	"                       the format takes several, else the first); all\n"
	"      --no-annotate    no _[k], _[i], _[j] behind names\n"
	"      --anonymize[=KEY]  hash names of threads, paths, and ids; the same KEY gives the\n"
	"                       same hashes (default: a new one each time)\n"
	"      --from FORMAT    what INPUT is, instead of finding out\n"
	"      --strict         a line that cannot be read is an error\n"
	"  -o, --output FILE    write there instead of stdout\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n";

enum { OPT_EVENT = CMD_OPT_OWN, OPT_NO_ANNOTATE, OPT_ANONYMIZE, OPT_FROM, OPT_STRICT };

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "format", required_argument, NULL, 'f' },
	{ "event", required_argument, NULL, OPT_EVENT },
	{ "no-annotate", no_argument, NULL, OPT_NO_ANNOTATE },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "anonymize", optional_argument, NULL, OPT_ANONYMIZE },
	{ 0 }
};

struct export_cmd {
	struct cmd cmd;
	struct write_options how;
	struct input_options in;
	bool anonymize;
	const char *key;	/* NULL: a random one */
};

static bool random_key(struct siphash_key *key)
{
	if (getrandom(key, sizeof(*key), 0) == (ssize_t)sizeof(*key))
		return true;
	msg_error("no random key for --anonymize: %s; name one with --anonymize=KEY",
		  strerror(errno));
	return false;
}

static int export(const struct export_cmd *c, const char *path)
{
	struct input_options in = c->in;
	struct siphash_key key;
	struct profile *p, *shown;
	int status;

	in.keep_samples = c->how.format->samples;
	in.event = c->how.event;
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
	status = write_profile(&c->cmd, p, &c->how);
	profile_free(p);
	return status;
}

int cmd_export(int argc, char **argv)
{
	struct export_cmd c = { .cmd = { .name = "export", .help = help }, .how.annotate = true };
	const char *path;
	int opt, status;

	while ((opt = getopt_long(argc, argv, ":hqvo:f:", long_options, NULL)) != -1) {
		status = CMD_GO_ON;
		switch (opt) {
		case 'f':
			status = write_find_format(&c.cmd, optarg, &c.how.format);
			break;
		case OPT_EVENT:
			c.how.event = optarg;
			break;
		case OPT_FROM:
			status = inputs_from(&c.cmd, optarg, &c.in);
			break;
		case OPT_STRICT:
			c.in.strict = true;
			break;
		case OPT_NO_ANNOTATE:
			c.how.annotate = false;
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
	if (!c.how.format)
		return cmd_usage(&c.cmd, "--format FORMAT is wanted");
	return export(&c, path);
}
