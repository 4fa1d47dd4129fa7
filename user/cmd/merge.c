// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame merge`: profiles of many machines or hours as one.
 */
#include <stdio.h>
#include <string.h>
#include "cmd/cmd.h"
#include "cmd/inputs.h"
#include "cmd/write.h"
#include "input/input.h"
#include "profile/merge.h"
#include "util/mem.h"
#include "util/msg.h"

static const char help[] =
	"usage: flame merge [options] INPUT...\n"
	"\n"
	"Adds profiles of any formats up to one, and writes that as a .flame file. Samples stay\n"
	"samples when all inputs have them, else stacks and their sums are kept. Times count from\n"
	"the start of each input.\n"
	"\n"
	"  -f, --format FORMAT  write another format: those of flame export\n"
	"      --event EVENT    which event to write, of several (default: all where the format\n"
	"                       takes several)\n"
	"      --sums           sums only, although all inputs have samples\n"
	"      --from FORMAT    what the inputs are, instead of finding out\n"
	"      --strict         a line that cannot be read is an error\n"
	"  -o, --output FILE    write there instead of stdout\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n";

enum { OPT_EVENT = CMD_OPT_OWN, OPT_SUMS, OPT_FROM, OPT_STRICT };

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "format", required_argument, NULL, 'f' },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "event", required_argument, NULL, OPT_EVENT },
	{ "sums", no_argument, NULL, OPT_SUMS },
	{ 0 }
};

/* The sum of two profiles; both are freed. NULL when it does not fit. */
static struct profile *add(struct profile *sum, struct profile *p, bool samples)
{
	bool ok = profile_merge(sum, p, samples);

	profile_free(p);
	if (ok)
		return sum;
	profile_free(sum);
	return NULL;
}

/* Keeps samples as long as all inputs had them: @samples says whether they still do. */
static struct profile *add_input(struct profile *sum, const char *path,
				 struct input_options *options, bool *samples)
{
	struct profile *p, *sums;

	options->keep_samples = *samples;
	p = input_read(path, options);
	if (!p) {
		profile_free(sum);
		return NULL;
	}
	if (*samples && !profile_has_places(p)) {
		if (profile_nr_events(sum))
			msg_warn("%s holds no samples in time: only sums are kept", path);
		*samples = false;
		/* What was added as samples so far becomes sums. */
		sums = add(profile_new(), sum, false);
		sum = sums;
	}
	sum = add(sum, p, *samples);
	if (!sum)
		msg_error("%s: with it the counts add up to more than 2^64 - 1", path);
	return sum;
}

static int merge(const struct cmd *cmd, const struct write_options *how,
		 struct input_options *options, bool sums_only, char **paths, int nr)
{
	bool samples = how->format->samples && !sums_only;
	struct profile *sum = profile_new();
	int status;

	options->event = how->event;
	if (samples)
		profile_keep_samples(sum);
	for (int i = 0; i < nr && sum; i++)
		sum = add_input(sum, paths[i], options, &samples);
	if (!sum)
		return EXIT_FAILED;
	status = write_profile(cmd, sum, how);
	profile_free(sum);
	return status;
}

int cmd_merge(int argc, char **argv)
{
	struct cmd cmd = { .name = "merge", .help = help };
	struct write_options how = { .format = &export_flame, .annotate = true };
	struct input_options in = { 0 };
	bool sums_only = false;
	int opt, status;

	while ((opt = getopt_long(argc, argv, ":hqvo:f:", long_options, NULL)) != -1) {
		status = CMD_GO_ON;
		switch (opt) {
		case 'f':
			status = write_find_format(&cmd, optarg, &how.format);
			break;
		case OPT_EVENT:
			how.event = optarg;
			break;
		case OPT_FROM:
			status = inputs_from(&cmd, optarg, &in);
			break;
		case OPT_STRICT:
			in.strict = true;
			break;
		case OPT_SUMS:
			sums_only = true;
			break;
		default:
			status = cmd_common_option(&cmd, opt, argv);
		}
		if (status != CMD_GO_ON)
			return status;
	}
	if (optind == argc)
		return cmd_usage(&cmd, "which profiles? At least one INPUT is wanted");
	return merge(&cmd, &how, &in, sums_only, argv + optind, argc - optind);
}
