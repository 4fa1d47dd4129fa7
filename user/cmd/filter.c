// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame filter`: the part of a profile that meets conditions.
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd/cmd.h"
#include "cmd/inputs.h"
#include "cmd/write.h"
#include "input/input.h"
#include "profile/filter.h"
#include "profile/merge.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/text.h"

static const char help[] =
	"usage: flame filter [options] [INPUT]\n"
	"\n"
	"Writes the samples of INPUT (any profile; stdin, else prof.flame) that meet all that is\n"
	"asked for as a .flame file.\n"
	"\n"
	"      --time A..B      from second A of the profile until before second B; either may\n"
	"                       be left out, both may have decimals\n"
	"      --comm PATTERN   thread name, a shell pattern; repeated: one of them\n"
	"      --pid LIST       processes or threads, as in 812,900-910\n"
	"      --cpu LIST       CPUs, as in 0-3,8\n"
	"      --frame REGEX    stacks with a frame that matches (extended regular expression;\n"
	"                       names with their _[k])\n"
	"  -f, --format FORMAT  write another format: those of flame export\n"
	"      --event EVENT    which event to write, of several (default: all where the format\n"
	"                       takes several)\n"
	"      --from FORMAT    what INPUT is, instead of finding out\n"
	"      --strict         a line that cannot be read is an error\n"
	"  -o, --output FILE    write there instead of stdout\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n";

enum { OPT_TIME = CMD_OPT_OWN, OPT_COMM, OPT_PID, OPT_CPU, OPT_FRAME, OPT_EVENT,
       OPT_FROM, OPT_STRICT };

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "time", required_argument, NULL, OPT_TIME },
	{ "comm", required_argument, NULL, OPT_COMM },
	{ "pid", required_argument, NULL, OPT_PID },
	{ "cpu", required_argument, NULL, OPT_CPU },
	{ "frame", required_argument, NULL, OPT_FRAME },
	{ "format", required_argument, NULL, 'f' },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "event", required_argument, NULL, OPT_EVENT },
	{ 0 }
};

struct list {
	struct filter_range *ranges;
	size_t nr, cap;
};

struct filter_cmd {
	struct cmd cmd;
	struct write_options how;
	struct input_options in;
	struct filter filter;
	const char **comms;
	size_t nr_comms, cap_comms;
	struct list pids, cpus;
	regex_t regex;
	bool has_regex;
};

/* "12" or "1.25", nothing else, as ns; false also when it does not fit. */
static bool parse_seconds(const char *s, size_t len, uint64_t *ns)
{
	const char *dot = memchr(s, '.', len);
	size_t whole = dot ? (size_t)(dot - s) : len;
	uint64_t unit = 1000000000;

	if (!text_u64(s, whole, UINT64_MAX / unit - 1, ns))
		return false;
	*ns *= unit;
	for (size_t i = whole + 1; i < len; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		unit /= 10;
		*ns += (uint64_t)(s[i] - '0') * unit;
	}
	return !dot || len > whole + 1;
}

static int time_option(struct filter_cmd *c)
{
	const char *dots = strstr(optarg, "..");

	if (dots && (dots == optarg ||
		     parse_seconds(optarg, (size_t)(dots - optarg), &c->filter.from_ns)) &&
	    (!dots[2] || parse_seconds(dots + 2, strlen(dots + 2), &c->filter.to_ns)) &&
	    c->filter.from_ns < c->filter.to_ns)
		return CMD_GO_ON;
	return cmd_usage(&c->cmd, "--time %s: A..B in seconds is wanted, A before B, as in 1.5..4",
			 optarg);
}

/* "0-3,8" */
static int list_option(struct filter_cmd *c, const char *name, struct list *list)
{
	for (const char *s = optarg;; s++) {
		size_t len = strcspn(s, ", \n");
		const char *dash = memchr(s, '-', len);
		size_t n = dash ? (size_t)(dash - s) : len;
		uint64_t first, last;

		if (!text_u64(s, n, UINT32_MAX, &first))
			break;
		last = first;
		if (dash && (!text_u64(dash + 1, len - n - 1, UINT32_MAX, &last) || last < first))
			break;
		list->ranges = array_grow(list->ranges, &list->cap, list->nr + 1,
					  sizeof(*list->ranges));
		list->ranges[list->nr++] = (struct filter_range){ (uint32_t)first, (uint32_t)last };
		s += len;
		if (!s[strspn(s, ", \n")])
			return CMD_GO_ON;
	}
	return cmd_usage(&c->cmd, "--%s %s: a list of numbers is wanted, as in 0-3,8", name, optarg);
}

static int frame_option(struct filter_cmd *c)
{
	char why[256];
	int err;

	if (c->has_regex)
		return cmd_usage(&c->cmd, "--frame once only; join expressions with |");
	err = regcomp(&c->regex, optarg, REG_EXTENDED | REG_NOSUB);
	if (!err) {
		c->has_regex = true;
		return CMD_GO_ON;
	}
	regerror(err, &c->regex, why, sizeof(why));
	return cmd_usage(&c->cmd, "--frame %s: %s", optarg, why);
}

static bool frame_matches(void *arg, const char *name)
{
	return !regexec(arg, name, 0, NULL, 0);
}

static int take_option(struct filter_cmd *c, int opt, char **argv)
{
	switch (opt) {
	case OPT_TIME:
		return time_option(c);
	case OPT_COMM:
		c->comms = array_grow(c->comms, &c->cap_comms, c->nr_comms + 1, sizeof(*c->comms));
		c->comms[c->nr_comms++] = optarg;
		return CMD_GO_ON;
	case OPT_PID:
		return list_option(c, "pid", &c->pids);
	case OPT_CPU:
		return list_option(c, "cpu", &c->cpus);
	case OPT_FRAME:
		return frame_option(c);
	case OPT_EVENT:
		c->how.event = optarg;
		return CMD_GO_ON;
	case OPT_FROM:
		return inputs_from(&c->cmd, optarg, &c->in);
	case OPT_STRICT:
		c->in.strict = true;
		return CMD_GO_ON;
	case 'f':
		return write_find_format(&c->cmd, optarg, &c->how.format);
	default:
		return cmd_common_option(&c->cmd, opt, argv);
	}
}

static bool is_empty(const struct profile *p)
{
	for (uint32_t i = 0; i < profile_nr_events(p); i++)
		if (profile_total(p, i))
			return false;
	return true;
}

static int filter(struct filter_cmd *c, const char *path)
{
	struct profile *p, *part = NULL;
	int status = EXIT_FAILED;

	c->in.keep_samples = true;
	c->in.event = c->how.event;
	p = input_read(path, &c->in);
	if (!p)
		return EXIT_FAILED;
	c->filter.comms = c->comms;
	c->filter.nr_comms = c->nr_comms;
	c->filter.pids = c->pids.ranges;
	c->filter.nr_pids = c->pids.nr;
	c->filter.cpus = c->cpus.ranges;
	c->filter.nr_cpus = c->cpus.nr;
	c->filter.frame = c->has_regex ? frame_matches : NULL;
	c->filter.arg = &c->regex;
	if (filter_needs_samples(&c->filter) && !profile_has_places(p))
		msg_error("%s holds sums only, no samples with a time, pid or CPU; filter by --comm or --frame",
			  profile_meta(p)->format);
	else
		part = profile_filter(p, &c->filter);
	if (part && is_empty(part))
		msg_error("nothing meets all that was asked for; nothing was written");
	else if (part)
		status = write_profile(&c->cmd, part, &c->how);
	profile_free(part);
	profile_free(p);
	return status;
}

int cmd_filter(int argc, char **argv)
{
	struct filter_cmd c = {
		.cmd = { .name = "filter", .help = help },
		.how = { .format = &export_flame, .annotate = true },
		.filter.to_ns = UINT64_MAX,
	};
	const char *path;
	int opt, status = CMD_GO_ON;

	while (status == CMD_GO_ON &&
	       (opt = getopt_long(argc, argv, ":hqvo:f:", long_options, NULL)) != -1)
		status = take_option(&c, opt, argv);
	if (status == CMD_GO_ON)
		status = cmd_one_input(&c.cmd, argc, argv, &path);
	if (status == CMD_GO_ON)
		status = filter(&c, path);
	free(c.comms);
	free(c.pids.ranges);
	free(c.cpus.ranges);
	if (c.has_regex)
		regfree(&c.regex);
	return status;
}
