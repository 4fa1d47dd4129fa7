// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame fold`: any profile to folded text.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd/cmd.h"
#include "input/input.h"
#include "output/folded.h"
#include "profile/recursion.h"
#include "util/mem.h"
#include "util/outfile.h"

static const char help[] =
	"usage: flame fold [options] [INPUT]\n"
	"\n"
	"Prints INPUT (any profile; stdin, else prof.flame) as folded stacks, sorted.\n"
	"\n"
	"      --annotate     mark frames: kernel _[k], inlined _[i], JIT _[j] (default for\n"
	"                     .flame and folded); of perf: what it calls (inlined) too\n"
	"      --no-annotate  mark none\n"
	"      --kernel       mark kernel frames\n"
	"      --jit          mark JIT frames\n"
	"      --all          both of them\n"
	"      --pid          put the process id on the root frame: COMM-PID\n"
	"      --tid          put both ids on it: COMM-PID/TID\n"
	"      --no-comm      no root frame with the thread's name\n"
	"      --addrs        .flame: OBJECT+0xOFFSET for user frames even where a name is\n"
	"                     known; perf: the address of unnamed ones\n"
	"      --event NAME   of several events this one (--event-filter); all: every one,\n"
	"                     below a root frame with its name\n"
	"      --count        samples instead of their periods\n"
	"      --inline       of perf: inlined functions, found in the objects' DWARF\n"
	"      --context      with --inline: file and line behind the name\n"
	"      --srcline      names with the source line that perf script printed\n"
	"      --offset       bpftrace: names keep their offset\n"
	"      --skip-after F cut what called F; may be given several times\n"
	"      --recursive    write a function that calls itself once\n"
	"      --from FORMAT  what INPUT is, instead of finding out\n"
	"      --strict       a line that cannot be read is an error\n"
	"  -o, --output FILE  write there instead of stdout\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n";

enum {
	OPT_ANNOTATE = CMD_OPT_OWN, OPT_ALL, OPT_NO_ANNOTATE, OPT_KERNEL, OPT_JIT, OPT_PID, OPT_TID,
	OPT_NO_COMM, OPT_ADDRS, OPT_EVENT, OPT_COUNT, OPT_SRCLINE, OPT_SKIP_AFTER, OPT_RECURSIVE,
	OPT_FROM, OPT_STRICT, OPT_OFFSET, OPT_INLINE, OPT_CONTEXT,
};

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "annotate", no_argument, NULL, OPT_ANNOTATE },
	{ "all", no_argument, NULL, OPT_ALL },
	{ "no-annotate", no_argument, NULL, OPT_NO_ANNOTATE },
	{ "kernel", no_argument, NULL, OPT_KERNEL },
	{ "jit", no_argument, NULL, OPT_JIT },
	{ "pid", no_argument, NULL, OPT_PID },
	{ "tid", no_argument, NULL, OPT_TID },
	{ "no-comm", no_argument, NULL, OPT_NO_COMM },
	{ "addrs", no_argument, NULL, OPT_ADDRS },
	{ "event", required_argument, NULL, OPT_EVENT },
	{ "event-filter", required_argument, NULL, OPT_EVENT },
	{ "count", no_argument, NULL, OPT_COUNT },
	{ "inline", no_argument, NULL, OPT_INLINE },
	{ "context", no_argument, NULL, OPT_CONTEXT },
	{ "srcline", no_argument, NULL, OPT_SRCLINE },
	{ "offset", no_argument, NULL, OPT_OFFSET },
	{ "skip-after", required_argument, NULL, OPT_SKIP_AFTER },
	{ "recursive", no_argument, NULL, OPT_RECURSIVE },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ 0 }
};

/* What the command line asks for. */
struct fold {
	struct cmd cmd;
	struct input_options in;
	struct folded_options how;
	bool marks_given;	/* --annotate, --kernel and the like */
	bool no_marks;		/* --no-annotate */
	bool recursive;
	const char **skip_after;
};

static int fold(struct fold *f, const char *path)
{
	struct outfile out;
	struct profile *p = input_read(path, &f->in);
	int status = EXIT_FAILED;
	const char *format;

	if (!p)
		return EXIT_FAILED;
	format = profile_meta(p)->format;
	/* Other tools' collapsers mark inlined functions always, the others if asked to. */
	if (strcmp(format, "flame") != 0 && strcmp(format, "folded") != 0) {
		f->how.other = !f->no_marks;
		if (!f->marks_given)
			f->how.kernel = f->how.jit = false;
	}
	if (f->recursive)
		p = profile_fold_recursion(p);
	if (outfile_open(&out, f->cmd.output, 0)) {
		folded_write(out.fp, p, 0, &f->how);
		status = outfile_commit(&out);
	}
	profile_free(p);
	return status;
}

static void mark(struct fold *f, int opt)
{
	bool both = opt == OPT_ANNOTATE || opt == OPT_ALL;
	bool kernel = both || opt == OPT_KERNEL;
	bool jit = both || opt == OPT_JIT;

	if (f->no_marks || opt == OPT_NO_ANNOTATE || !f->marks_given)
		f->how.kernel = f->how.jit = false;
	f->how.other = both;
	f->no_marks = opt == OPT_NO_ANNOTATE;
	f->how.kernel |= kernel;
	f->how.jit |= jit;
	f->in.inlined_plain &= opt != OPT_ANNOTATE;
	f->marks_given = true;
}

static int format_option(struct fold *f, const char *name)
{
	if (!input_by_name(name))
		return cmd_usage(&f->cmd, "--from is one of %s, not '%s'", input_format_names(),
				 name);
	f->in.from = name;
	return CMD_GO_ON;
}

static int option(struct fold *f, int opt, char **argv)
{
	switch (opt) {
	case OPT_ANNOTATE:
	case OPT_ALL:
	case OPT_NO_ANNOTATE:
	case OPT_KERNEL:
	case OPT_JIT:
		mark(f, opt);
		return CMD_GO_ON;
	case OPT_PID:
		f->in.pid = true;
		return CMD_GO_ON;
	case OPT_TID:
		f->in.tid = true;
		return CMD_GO_ON;
	case OPT_NO_COMM:
		f->in.no_comm = true;
		return CMD_GO_ON;
	case OPT_ADDRS:
		f->in.addrs = true;
		return CMD_GO_ON;
	case OPT_EVENT:
		f->in.event = optarg;
		return CMD_GO_ON;
	case OPT_COUNT:
		f->in.count = true;
		return CMD_GO_ON;
	case OPT_INLINE:
		f->in.inlines = true;
		return CMD_GO_ON;
	case OPT_CONTEXT:
		f->in.context = true;
		return CMD_GO_ON;
	case OPT_SRCLINE:
		f->in.srcline = true;
		return CMD_GO_ON;
	case OPT_OFFSET:
		f->in.offsets = true;
		return CMD_GO_ON;
	case OPT_SKIP_AFTER:
		f->skip_after = xreallocarray(f->skip_after, f->in.nr_skip_after + 1,
					      sizeof(*f->skip_after));
		f->skip_after[f->in.nr_skip_after++] = optarg;
		f->in.skip_after = f->skip_after;
		return CMD_GO_ON;
	case OPT_RECURSIVE:
		f->recursive = true;
		return CMD_GO_ON;
	case OPT_FROM:
		return format_option(f, optarg);
	case OPT_STRICT:
		f->in.strict = true;
		return CMD_GO_ON;
	default:
		return cmd_common_option(&f->cmd, opt, argv);
	}
}

int cmd_fold(int argc, char **argv)
{
	struct fold f = {
		.cmd = { .name = "fold", .help = help },
		.how = { .kernel = true, .jit = true, .other = true },
		.in = { .inlined_plain = true },
	};
	int status = CMD_GO_ON, opt;
	const char *path;

	while (status == CMD_GO_ON &&
	       (opt = getopt_long(argc, argv, CMD_COMMON_SHORT, long_options, NULL)) != -1)
		status = option(&f, opt, argv);
	if (status == CMD_GO_ON)
		status = cmd_one_input(&f.cmd, argc, argv, &path);
	if (status == CMD_GO_ON)
		status = fold(&f, path);
	free(f.skip_after);
	return status;
}
