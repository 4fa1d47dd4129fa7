// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame record`: its options. What they mean for the module is record/run.c's.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd/cmd.h"
#include "flame.h"
#include "record/run.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/text.h"

static const char help[] =
	"usage: flame record [options] [--] [CMD [ARG...]]\n"
	"\n"
	"Samples stacks and saves them. With CMD just that command and its children until it\n"
	"ends, else the whole machine until Ctrl-C.\n"
	"\n"
	"  -F, --frequency HZ   samples a second on each CPU, 1-100000 (99)\n"
	"  -e, --event SOURCE   what triggers a sample: timer\n"
	"  -p, --pid LIST       only these processes (comma, blank or newline between)\n"
	"  -t, --tid LIST       only these threads\n"
	"  -C, --cpu LIST       only these CPUs, as in 0-3,8\n"
	"  -a, --all            the whole machine, also when CMD is given\n"
	"  -K, --kernel         kernel stacks only\n"
	"  -U, --user           user stacks only\n"
	"  -I, --idle           idle CPUs too\n"
	"      --user-threads   no kernel threads\n"
	"      --kernel-threads only kernel threads\n"
	"      --max-depth N    frames of each half of a stack, 1-1023 (127)\n"
	"  -g, --call-graph M   accepted: stacks are always taken. fp, dwarf (unwind tables)\n"
	"  -d, --duration SECS  end after so long; CMD is ended too\n"
	"      --interval SECS  a file for each interval: prof.1.flame, prof.2.flame ...\n"
	"      --count N        end after N intervals\n"
	"  -f, --folded         folded stacks to stdout (or -o FILE) instead of a file\n"
	"  -o, --output FILE    the file (prof.flame); an older one becomes FILE.old\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n"
	"\n"
	"Ends with CMD's status, else 0; 1 if nothing was recorded, 2 for wrong usage.\n";

enum {
	OPT_USER_THREADS = CMD_OPT_OWN, OPT_KERNEL_THREADS, OPT_MAX_DEPTH, OPT_CALL_GRAPH,
	OPT_INTERVAL, OPT_COUNT, OPT_STATE, OPT_MIN_US, OPT_MAX_US,
};

static const char short_options[] = "+" CMD_COMMON_SHORT "F:e:p:t:C:aKUIG:gd:fm:M:";

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "frequency", required_argument, NULL, 'F' },
	{ "event", required_argument, NULL, 'e' },
	{ "pid", required_argument, NULL, 'p' },
	{ "tid", required_argument, NULL, 't' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "all", no_argument, NULL, 'a' },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "kernel", no_argument, NULL, 'K' },
	{ "user", no_argument, NULL, 'U' },
	{ "idle", no_argument, NULL, 'I' },
	{ "cgroup", required_argument, NULL, 'G' },
	{ "duration", required_argument, NULL, 'd' },
	{ "folded", no_argument, NULL, 'f' },
	{ "min-us", required_argument, NULL, 'm' },
	{ "max-us", required_argument, NULL, 'M' },
	{ "state", required_argument, NULL, OPT_STATE },
	{ "user-threads", no_argument, NULL, OPT_USER_THREADS },
	{ "kernel-threads", no_argument, NULL, OPT_KERNEL_THREADS },
	{ "max-depth", required_argument, NULL, OPT_MAX_DEPTH },
	{ "call-graph", required_argument, NULL, OPT_CALL_GRAPH },
	{ "interval", required_argument, NULL, OPT_INTERVAL },
	{ "count", required_argument, NULL, OPT_COUNT },
	{ 0 }
};

/* What was given, before it is put together. */
struct given {
	struct cmd cmd;
	struct record_options o;
	char *pids, *tids, *cpus;	/* owned */
	bool kernel, user;
};

/*
 * Adds ids separated by commas, blanks or newlines (`pgrep` prints those) to a list
 * separated by single blanks.
 */
static int add_ids(const struct cmd *cmd, char **list, const char *option, const char *text)
{
	static const char separators[] = ", \t\r\n";
	bool any = false;

	while (*(text += strspn(text, separators))) {
		size_t len = strcspn(text, separators);
		uint64_t id;
		char *longer;

		if (!text_u64(text, len, INT32_MAX, &id) || !id)
			return cmd_usage(cmd, "%s wants numbers above 0, not '%.*s'", option,
					 (int)len, text);
		longer = xasprintf("%s%s%llu", *list, **list ? " " : "", (unsigned long long)id);
		free(*list);
		*list = longer;
		text += len;
		any = true;
	}
	return any ? CMD_GO_ON : cmd_usage(cmd, "%s got an empty list: is what you look for running?",
					   option);
}

/* The module checks the rest: only it knows which CPUs there are. */
static int take_cpus(struct given *g, const char *text)
{
	size_t len = strlen(text);

	if (!len || strspn(text, "0123456789-, \t\r\n") != len || !strpbrk(text, "0123456789"))
		return cmd_usage(&g->cmd, "-C wants a list of CPUs as in 0-3,8, not '%s'", text);
	while (isspace((unsigned char)text[len - 1]))
		len--;
	free(g->cpus);
	g->cpus = xstrndup(text, len);
	for (char *c = g->cpus; *c; c++)
		if (isspace((unsigned char)*c))
			*c = ',';
	return CMD_GO_ON;
}

static int take_number(const struct cmd *cmd, const char *option, const char *text, uint64_t min,
		       uint64_t max, uint64_t *value)
{
	if (text_number(text, min, max, value))
		return CMD_GO_ON;
	return cmd_usage(cmd, "%s wants a number from %llu to %llu, not '%s'", option,
			 (unsigned long long)min, (unsigned long long)max, text);
}

static int take_seconds(const struct cmd *cmd, const char *option, const char *text, uint64_t *ns)
{
	double seconds;
	char *end;

	errno = 0;
	seconds = strtod(text, &end);
	if (end == text || *end || errno || !(seconds >= 0.001) || seconds > 86400.0 * 365 ||
	    strspn(text, "0123456789.") != strlen(text))
		return cmd_usage(cmd, "%s wants seconds above 0, not '%s'", option, text);
	*ns = (uint64_t)(seconds * 1e9);
	return CMD_GO_ON;
}

static int take_source(const struct cmd *cmd, const char *list)
{
	while (*(list += strspn(list, ", "))) {
		size_t len = strcspn(list, ", ");

		if (len != 5 || strncmp(list, "timer", 5))
			return cmd_usage(cmd, "source '%.*s' is not in flame %s; 'timer' is",
					 (int)len, list, FLAME_VERSION);
		list += len;
	}
	return CMD_GO_ON;
}

static int take_call_graph(struct given *g, const char *mode)
{
	if (!strcmp(mode, "fp"))
		g->o.unwind = "fp";
	else if (!strncmp(mode, "dwarf", 5) && (!mode[5] || mode[5] == ','))
		g->o.unwind = "table";
	else if (!strcmp(mode, "lbr"))
		return cmd_usage(&g->cmd, "--call-graph lbr: branch records belong to the hardware's counters, which a timer does not use; fp and dwarf can be had");
	else
		return cmd_usage(&g->cmd, "--call-graph is fp or dwarf, not '%s'", mode);
	return CMD_GO_ON;
}

static int take_option(struct given *g, int opt)
{
	struct record_options *o = &g->o;
	uint64_t value = 0;
	int status;

	switch (opt) {
	case 'F':
		status = take_number(&g->cmd, "-F", optarg, 1, 100000, &value);
		o->frequency = (uint32_t)value;
		return status;
	case 'e':
		return take_source(&g->cmd, optarg);
	case 'p':
		return add_ids(&g->cmd, &g->pids, "-p", optarg);
	case 't':
		return add_ids(&g->cmd, &g->tids, "-t", optarg);
	case 'C':
		return take_cpus(g, optarg);
	case 'd':
		return take_seconds(&g->cmd, "-d", optarg, &o->duration_ns);
	case OPT_INTERVAL:
		return take_seconds(&g->cmd, "--interval", optarg, &o->interval_ns);
	case OPT_COUNT:
		return take_number(&g->cmd, "--count", optarg, 1, UINT32_MAX, &o->count);
	case OPT_MAX_DEPTH:
		status = take_number(&g->cmd, "--max-depth", optarg, 1, 1023, &value);
		o->max_depth = (uint32_t)value;
		return status;
	case OPT_CALL_GRAPH:
		return take_call_graph(g, optarg);
	case 'G':
		return cmd_usage(&g->cmd, "-G: filtering by cgroup is not in flame %s; -p and -t are",
				 FLAME_VERSION);
	case 'm':
	case 'M':
	case OPT_STATE:
		return cmd_usage(&g->cmd, "-m, -M and --state are for sources that wait, which are not in flame %s",
				 FLAME_VERSION);
	default:
		return cmd_common_option(&g->cmd, opt, NULL);
	}
}

static bool take_flag(struct given *g, int opt)
{
	switch (opt) {
	case 'a':
		g->o.all = true;
		return true;
	case 'K':
		g->kernel = true;
		return true;
	case 'U':
		g->user = true;
		return true;
	case 'I':
		g->o.idle = true;
		return true;
	case 'f':
		g->o.folded = true;
		return true;
	case 'g':
		return true;
	case OPT_USER_THREADS:
		g->o.threads = "user";
		return true;
	case OPT_KERNEL_THREADS:
		g->o.threads = "kernel";
		return true;
	default:
		return false;
	}
}

/* What fits together and what does not. */
static int put_together(struct given *g)
{
	struct record_options *o = &g->o;

	if (g->kernel && g->user)
		return cmd_usage(&g->cmd, "-K and -U exclude each other; without either both halves are taken");
	if (o->all && (*g->pids || *g->tids))
		return cmd_usage(&g->cmd, "-a is the whole machine, -p and -t are not");
	if (o->count && !o->interval_ns)
		return cmd_usage(&g->cmd, "--count needs --interval");
	if (g->kernel)
		o->stacks = "kernel";
	else if (g->user)
		o->stacks = "user";
	o->pids = g->pids;
	o->tids = g->tids;
	o->cpus = g->cpus;
	o->output = g->cmd.output;
	return CMD_GO_ON;
}

static int parse(struct given *g, int argc, char **argv)
{
	int opt, status;

	while ((opt = getopt_long(argc, argv, short_options, long_options, NULL)) != -1) {
		if (take_flag(g, opt))
			continue;
		if (opt == '?' || opt == ':')
			return cmd_common_option(&g->cmd, opt, argv);
		status = take_option(g, opt);
		if (status != CMD_GO_ON)
			return status;
	}
	if (optind < argc)
		g->o.command = argv + optind;
	return put_together(g);
}

int cmd_record(int argc, char **argv)
{
	struct given g = {
		.cmd = { .name = "record", .help = help },
		.o = {
			.frequency = 99, .threads = "all", .stacks = "kernel user",
			.unwind = "auto", .max_depth = 127,
		},
		.pids = xstrdup(""), .tids = xstrdup(""), .cpus = xstrdup("all"),
	};
	int status = parse(&g, argc, argv);

	if (status == CMD_GO_ON)
		status = record_run(&g.o, device_open);
	free(g.pids);
	free(g.tids);
	free(g.cpus);
	return status;
}
