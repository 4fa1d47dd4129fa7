// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame fold`: any profile to folded text.
 */
#include <stdbool.h>
#include <stdio.h>
#include "cmd/cmd.h"
#include "input/input.h"
#include "output/folded.h"
#include "util/msg.h"
#include "util/outfile.h"

static const char help[] =
	"usage: flame fold [options] [INPUT]\n"
	"\n"
	"Prints INPUT (any profile; stdin, else prof.flame) as folded stacks, sorted.\n"
	"\n"
	"      --annotate     mark frames: kernel _[k], inlined _[i], JIT _[j] (default)\n"
	"      --no-annotate  mark none\n"
	"      --kernel       mark kernel frames\n"
	"      --jit          mark JIT frames\n"
	"      --all          the same as --annotate\n"
	"      --pid          put the process id on the root frame: COMM-PID\n"
	"      --tid          put both ids on it: COMM-PID/TID\n"
	"      --no-comm      no root frame with the thread's name\n"
	"      --addrs        OBJECT+0xOFFSET for user frames even where a name is known\n"
	"  -o, --output FILE  write there instead of stdout\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n";

enum {
	OPT_ANNOTATE = CMD_OPT_OWN, OPT_NO_ANNOTATE, OPT_KERNEL, OPT_JIT, OPT_PID, OPT_TID,
	OPT_NO_COMM, OPT_ADDRS,
};

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "annotate", no_argument, NULL, OPT_ANNOTATE },
	{ "all", no_argument, NULL, OPT_ANNOTATE },
	{ "no-annotate", no_argument, NULL, OPT_NO_ANNOTATE },
	{ "kernel", no_argument, NULL, OPT_KERNEL },
	{ "jit", no_argument, NULL, OPT_JIT },
	{ "pid", no_argument, NULL, OPT_PID },
	{ "tid", no_argument, NULL, OPT_TID },
	{ "no-comm", no_argument, NULL, OPT_NO_COMM },
	{ "addrs", no_argument, NULL, OPT_ADDRS },
	{ 0 }
};

static int fold(const struct cmd *cmd, const char *path, const struct input_options *in,
		const struct folded_options *how)
{
	struct outfile out;
	struct profile *p = input_read(path, in);
	int status = EXIT_FAILED;

	if (!p)
		return EXIT_FAILED;
	if (outfile_open(&out, cmd->output, 0)) {
		folded_write(out.fp, p, 0, how);
		status = outfile_commit(&out);
	}
	profile_free(p);
	return status;
}

int cmd_fold(int argc, char **argv)
{
	struct cmd cmd = { .name = "fold", .help = help };
	struct folded_options how = { true, true, true };
	struct input_options in = { 0 };
	bool all = true;	/* until a single mark is asked for */
	const char *path;
	int opt, status;

	while ((opt = getopt_long(argc, argv, CMD_COMMON_SHORT, long_options, NULL)) != -1) {
		switch (opt) {
		case OPT_ANNOTATE:
			how = (struct folded_options){ true, true, true };
			all = false;
			break;
		case OPT_NO_ANNOTATE:
			how = (struct folded_options){ 0 };
			all = false;
			break;
		case OPT_KERNEL:
		case OPT_JIT:
			if (all)
				how = (struct folded_options){ 0 };
			all = false;
			how.kernel |= opt == OPT_KERNEL;
			how.jit |= opt == OPT_JIT;
			break;
		case OPT_PID:
			in.pid = true;
			break;
		case OPT_TID:
			in.tid = true;
			break;
		case OPT_NO_COMM:
			in.no_comm = true;
			break;
		case OPT_ADDRS:
			in.addrs = true;
			break;
		default:
			status = cmd_common_option(&cmd, opt, argv);
			if (status != CMD_GO_ON)
				return status;
		}
	}
	status = cmd_one_input(&cmd, argc, argv, &path);
	if (status != CMD_GO_ON)
		return status;
	return fold(&cmd, path, &in, &how);
}
