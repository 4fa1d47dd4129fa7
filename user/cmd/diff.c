// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame diff`: two profiles as folded text of two counts a line, as difffolded.pl writes
 * it, or with --svg as a picture.
 */
#include <stdio.h>
#include <string.h>
#include "cmd/cmd.h"
#include "cmd/diff_input.h"
#include "cmd/diff_lines.h"
#include "cmd/inputs.h"
#include "output/folded.h"
#include "util/msg.h"
#include "util/outfile.h"

static const char help[] =
	"usage: flame diff [options] BEFORE AFTER\n"
	"       flame diff --svg [options] BEFORE AFTER\n"
	"\n"
	"Prints a line STACK COUNT-BEFORE COUNT-AFTER for each stack of the two profiles (of any\n"
	"format), sorted; with --svg draws the difference. The lines can also be drawn later:\n"
	"flame diff BEFORE AFTER | flame svg\n"
	"\n"
	"  -n, --normalize    scale the counts before so that both totals are equal\n"
	"  -s, --strip-hex    0x and digits in names become 0x...: addresses do not tell frames\n"
	"                     apart\n"
	"      --negate       what went up becomes what went down: AFTER and BEFORE change places\n"
	"                     (with --svg: only colours and signs do)\n"
	"      --event EVENT  which event to compare, of inputs with several\n"
	"      --force        compare different events or units\n"
	"      --from FORMAT  what both inputs are, instead of finding out\n"
	"      --strict       a line that cannot be read is an error\n"
	"      --svg          draw a picture; all options of flame svg go with it\n"
	"  -o, --output FILE  write there instead of stdout\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n";

enum { OPT_NEGATE = CMD_OPT_OWN, OPT_EVENT, OPT_FORCE, OPT_FROM, OPT_STRICT };

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "normalize", no_argument, NULL, 'n' },
	{ "strip-hex", no_argument, NULL, 's' },
	{ "negate", no_argument, NULL, OPT_NEGATE },
	{ "event", required_argument, NULL, OPT_EVENT },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ 0 }
};

static int write_plain(const struct cmd *cmd, const struct diff_input *in,
		       const struct diff_lines *lines)
{
	struct outfile out;

	diff_input_judge_totals(in, diff_lines_before(lines), diff_lines_after(lines));
	if (!outfile_open(&out, cmd->output, 0))
		return EXIT_FAILED;
	diff_lines_write(out.fp, lines, in->how.normalize);
	return outfile_commit(&out);
}

static int diff(const struct cmd *cmd, const struct diff_input *in)
{
	const struct folded_options annotated = { true, true, true };
	struct diff_lines *lines = NULL;
	struct profile *p;
	struct outfile out;
	int status = EXIT_FAILED;

	if (!in->how.strip_hex && !in->event && !in->input.from)
		lines = diff_lines_read(in->before, in->after);
	if (lines) {
		status = write_plain(cmd, in, lines);
		diff_lines_free(lines);
		return status;
	}
	p = diff_input_read(in);
	if (!p)
		return EXIT_FAILED;
	if (outfile_open(&out, cmd->output, 0)) {
		folded_write_diff(out.fp, p, 1, 0, &annotated);
		status = outfile_commit(&out);
	}
	profile_free(p);
	return status;
}

/* `diff --svg ...` is `svg --diff ...`. True if that was it. */
static bool is_picture(int argc, char **argv)
{
	static char option[] = "--diff";

	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "--svg")) {
			argv[i] = option;
			return true;
		}
	}
	return false;
}

int cmd_diff(int argc, char **argv)
{
	struct cmd cmd = { .name = "diff", .help = help };
	struct diff_input in = { 0 };
	bool negate = false;
	int opt, status;

	if (is_picture(argc, argv))
		return cmd_svg(argc, argv);
	while ((opt = getopt_long(argc, argv, ":hqvo:ns", long_options, NULL)) != -1) {
		switch (opt) {
		case 'n':
			in.how.normalize = true;
			break;
		case 's':
			in.how.strip_hex = true;
			break;
		case OPT_NEGATE:
			negate = true;
			break;
		case OPT_EVENT:
			in.event = optarg;
			break;
		case OPT_FORCE:
			in.force = true;
			break;
		case OPT_FROM:
			status = inputs_from(&cmd, optarg, &in.input);
			if (status != CMD_GO_ON)
				return status;
			break;
		case OPT_STRICT:
			in.input.strict = true;
			break;
		default:
			status = cmd_common_option(&cmd, opt, argv);
			if (status != CMD_GO_ON)
				return status;
		}
	}
	if (argc - optind != 2)
		return cmd_usage(&cmd, "two inputs are wanted, BEFORE and AFTER, not %d",
				 argc - optind);
	in.before = argv[optind + negate];
	in.after = argv[optind + !negate];
	if (!strcmp(in.before, "-") && !strcmp(in.after, "-"))
		return cmd_usage(&cmd, "only one of the inputs can be stdin");
	return diff(&cmd, &in);
}
