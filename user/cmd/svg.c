// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame svg: any profile to an interactive flame graph. Reads options and input, warns
 * about what the picture cannot show, and leaves all drawing to output/svg.c.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "cmd/cmd.h"
#include "cmd/diff_input.h"
#include "cmd/inputs.h"
#include "input/input.h"
#include "output/svg.h"
#include "output/svg_attrs.h"
#include "output/svg_diff.h"
#include "util/msg.h"
#include "util/outfile.h"
#include "util/text.h"

/* Fewer samples than this leave shares too rough to go unmentioned. */
#define FEW_SAMPLES	100
#define PALETTE_MAP_PATH "palette.map"

static const char help[] =
"usage: flame svg [options] [INPUT]\n"
"\n"
"Draws a profile of any known format as an interactive flame graph.\n"
"\n"
"  --title TEXT       title (default \"Flame Graph\", with --inverted \"Icicle Graph\",\n"
"                     with --flamechart \"Flame Chart\")\n"
"  --subtitle TEXT    second line of the title\n"
"  --width PX         fixed width (default: as wide as the page, 1200 without scripts)\n"
"  --height PX        height of a box (16)\n"
"  --minwidth W       leave out boxes narrower than W px, or than W% of all (0.1)\n"
"  --fonttype FONT    font family (Verdana)\n"
"  --fontsize PX      font size (12)\n"
"  --fontwidth W      average width of a character, in font sizes (0.59)\n"
"  --encoding NAME    encoding named in the XML declaration (utf-8)\n"
"  --countname TEXT   what is counted (default: the unit of the input)\n"
"  --nametype TEXT    label in front of names (\"Function:\")\n"
"  --colors PALETTE   kind (default: kernel, user, inlined and JIT apart), hot, mem, io,\n"
"                     wakeup, chain, java, js, perl, red, green, blue, aqua, yellow,\n"
"                     purple, orange\n"
"  --bgcolors COLOR   yellow, blue, green, grey or #rrggbb (default: by palette)\n"
"  --hash             similar names get similar colours\n"
"  --random           neighbours differ: each box a colour of its own\n"
"  --cp               keep colours between pictures, in ./palette.map\n"
"  --reverse          merge stacks from the leaf\n"
"  --inverted         icicle graph: root on top\n"
"  --sort ORDER       of siblings: name (default) or width, the widest first\n"
"  --flamechart       in the order of the input, nothing sorted\n"
"\n"
"  --diff             draw the difference of two inputs: flame svg --diff BEFORE AFTER\n"
"                     (an input of two counts a line is a difference by itself)\n"
"  -n, --normalize    scale the counts before so that both totals are equal\n"
"  -s, --strip-hex    0x and digits in names become 0x...\n"
"  --force            compare different events or units\n"
"  --widths WHAT      of a difference: after (default), before, or both: what stacks gained\n"
"                     and lost added up\n"
"  --elided           draw what vanished too, beside the rest\n"
"  --delta WHAT       colour frames by the change of all above them (total, the default)\n"
"                     or by their own (self, as flamegraph.pl; the default with its palettes)\n"
"  --colorblind       orange and purple instead of red and blue\n"
"  --negate           red for less, blue for more\n"
"\n"
"  --total N          make the root N wide if that is more than the profile's total\n"
"  --factor F         multiply shown counts by F\n"
"  --nameattr FILE    lines NAME<tab>KEY=VALUE...: id, class, href, target, title, g_extra,\n"
"                     a_extra\n"
"  --notes TEXT       comment kept in the file\n"
"  --event EVENT      which event to draw, of an input with several\n"
"  --from FORMAT      what the input is, instead of finding out\n"
"  --strict           a line that cannot be read is an error\n"
"  -o, --output FILE  write to FILE (default: stdout)\n"
"  -q, --quiet        no warnings\n"
"  -v, --verbose      say more\n"
"  -h, --help         this\n";

enum {
	OPT_TITLE = CMD_OPT_OWN, OPT_SUBTITLE, OPT_WIDTH, OPT_HEIGHT, OPT_MINWIDTH, OPT_FONTTYPE,
	OPT_FONTSIZE, OPT_FONTWIDTH, OPT_ENCODING, OPT_COUNTNAME, OPT_NAMETYPE, OPT_COLORS,
	OPT_BGCOLORS, OPT_HASH, OPT_RANDOM, OPT_CP, OPT_REVERSE, OPT_INVERTED, OPT_FLAMECHART,
	OPT_NEGATE, OPT_TOTAL, OPT_FACTOR, OPT_NAMEATTR, OPT_SORT, OPT_NOTES, OPT_EVENT,
	OPT_DIFF, OPT_FORCE, OPT_WIDTHS, OPT_ELIDED, OPT_DELTA, OPT_COLORBLIND,
	OPT_FROM, OPT_STRICT,
};

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "title", required_argument, NULL, OPT_TITLE },
	{ "subtitle", required_argument, NULL, OPT_SUBTITLE },
	{ "width", required_argument, NULL, OPT_WIDTH },
	{ "height", required_argument, NULL, OPT_HEIGHT },
	{ "minwidth", required_argument, NULL, OPT_MINWIDTH },
	{ "fonttype", required_argument, NULL, OPT_FONTTYPE },
	{ "fontsize", required_argument, NULL, OPT_FONTSIZE },
	{ "fontwidth", required_argument, NULL, OPT_FONTWIDTH },
	{ "encoding", required_argument, NULL, OPT_ENCODING },
	{ "countname", required_argument, NULL, OPT_COUNTNAME },
	{ "nametype", required_argument, NULL, OPT_NAMETYPE },
	{ "colors", required_argument, NULL, OPT_COLORS },
	{ "bgcolors", required_argument, NULL, OPT_BGCOLORS },
	{ "hash", no_argument, NULL, OPT_HASH },
	{ "random", no_argument, NULL, OPT_RANDOM },
	{ "cp", no_argument, NULL, OPT_CP },
	{ "reverse", no_argument, NULL, OPT_REVERSE },
	{ "inverted", no_argument, NULL, OPT_INVERTED },
	{ "sort", required_argument, NULL, OPT_SORT },
	{ "flamechart", no_argument, NULL, OPT_FLAMECHART },
	{ "negate", no_argument, NULL, OPT_NEGATE },
	{ "total", required_argument, NULL, OPT_TOTAL },
	{ "factor", required_argument, NULL, OPT_FACTOR },
	{ "nameattr", required_argument, NULL, OPT_NAMEATTR },
	{ "notes", required_argument, NULL, OPT_NOTES },
	{ "event", required_argument, NULL, OPT_EVENT },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "diff", no_argument, NULL, OPT_DIFF },
	{ "normalize", no_argument, NULL, 'n' },
	{ "strip-hex", no_argument, NULL, 's' },
	{ "force", no_argument, NULL, OPT_FORCE },
	{ "widths", required_argument, NULL, OPT_WIDTHS },
	{ "elided", no_argument, NULL, OPT_ELIDED },
	{ "delta", required_argument, NULL, OPT_DELTA },
	{ "colorblind", no_argument, NULL, OPT_COLORBLIND },
	{ NULL },
};

struct svg_cmd {
	struct cmd cmd;
	struct svg_options svg;
	const char *nameattr;
	const char *event;
	bool cp;
	bool diff;		/* of two inputs */
	struct diff_input inputs;
	enum svg_widths widths;
	bool elided;
	bool delta_given;
};

/* A decimal number within bounds and nothing behind it but @rest. */
static bool parse_number(const char *text, double min, double max, const char *rest,
			 double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !strcmp(end, rest) && isfinite(*value) && *value >= min &&
	       *value <= max;
}

/* What XML allows as the name of an encoding, as far as it writes ASCII as ASCII. */
static bool is_encoding(const char *name)
{
	static const char * const others[] = { "utf-16", "utf16", "utf-32", "utf32", "utf-7",
					       "ucs", "iso-10646", "ebcdic", "ibm", "cp037" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strncasecmp(name, others[i], strlen(others[i])))
			return false;
	for (const char *s = name; *s; s++)
		if (!isalpha((unsigned char)*s) &&
		    (s == name || (!isdigit((unsigned char)*s) && !strchr("._-", *s))))
			return false;
	return *name;
}

static int number_option(struct svg_cmd *c, const char *name, double min, double max,
			 double *value)
{
	if (parse_number(optarg, min, max, "", value))
		return CMD_GO_ON;
	return cmd_usage(&c->cmd, "--%s %s: a number from %g to %g is wanted", name, optarg, min,
			 max);
}

static int size_option(struct svg_cmd *c, const char *name, uint32_t min, uint32_t *value)
{
	uint64_t number;

	if (!text_number(optarg, min, 100000, &number))
		return cmd_usage(&c->cmd, "--%s %s: a number of pixels from %u to 100000 is wanted",
				 name, optarg, min);
	*value = (uint32_t)number;
	return CMD_GO_ON;
}

static int minwidth_option(struct svg_cmd *c)
{
	size_t len = strlen(optarg);

	c->svg.minwidth_percent = len && optarg[len - 1] == '%';
	if (parse_number(optarg, 0, 1e9, c->svg.minwidth_percent ? "%" : "", &c->svg.minwidth))
		return CMD_GO_ON;
	return cmd_usage(&c->cmd, "--minwidth %s: pixels (0.1) or a percentage (0.5%%) are wanted",
			 optarg);
}

static int colors_option(struct svg_cmd *c)
{
	char known[256] = "";

	if (svg_palette_find(optarg, &c->svg.palette))
		return CMD_GO_ON;
	for (unsigned int i = 0; svg_palette_name(i); i++) {
		strcat(known, " ");
		strcat(known, svg_palette_name(i));
	}
	return cmd_usage(&c->cmd, "--colors %s: no such palette; there are%s", optarg, known);
}

static int encoding_option(struct svg_cmd *c)
{
	if (!is_encoding(optarg))
		return cmd_usage(&c->cmd, "--encoding %s: the name of an encoding that holds ASCII is wanted, as utf-8 or iso-8859-1",
				 optarg);
	c->svg.encoding = optarg;
	return CMD_GO_ON;
}

static int sort_option(struct svg_cmd *c)
{
	if (!strcmp(optarg, "width"))
		c->svg.sort = SORT_WIDTH;
	else if (!strcmp(optarg, "name"))
		c->svg.sort = SORT_NAME;
	else
		return cmd_usage(&c->cmd, "--sort %s: name or width is wanted; for the order in time there is --flamechart",
				 optarg);
	return CMD_GO_ON;
}

static int widths_option(struct svg_cmd *c)
{
	static const char *const names[] = {
		[WIDTHS_AFTER] = "after", [WIDTHS_BEFORE] = "before", [WIDTHS_BOTH] = "both",
	};

	for (int i = WIDTHS_AFTER; i <= WIDTHS_BOTH; i++) {
		if (!strcmp(optarg, names[i])) {
			c->widths = (enum svg_widths)i;
			return CMD_GO_ON;
		}
	}
	return cmd_usage(&c->cmd, "--widths %s: after, before or both is wanted", optarg);
}

static int delta_option(struct svg_cmd *c)
{
	c->delta_given = true;
	c->svg.inclusive = !strcmp(optarg, "total");
	if (c->svg.inclusive || !strcmp(optarg, "self"))
		return CMD_GO_ON;
	return cmd_usage(&c->cmd, "--delta %s: total or self is wanted", optarg);
}

static int diff_option(struct svg_cmd *c, int opt)
{
	switch (opt) {
	case OPT_DIFF:
		c->diff = true;
		break;
	case 'n':
		c->inputs.how.normalize = true;
		break;
	case 's':
		c->inputs.how.strip_hex = true;
		break;
	case OPT_FORCE:
		c->inputs.force = true;
		break;
	case OPT_WIDTHS:
		return widths_option(c);
	case OPT_ELIDED:
		c->elided = true;
		break;
	case OPT_DELTA:
		return delta_option(c);
	case OPT_COLORBLIND:
		c->svg.diff_palette = DIFF_COLORBLIND;
		break;
	}
	return CMD_GO_ON;
}

static int text_option(struct svg_cmd *c, int opt)
{
	switch (opt) {
	case OPT_TITLE:
		c->svg.title = optarg;
		break;
	case OPT_SUBTITLE:
		c->svg.subtitle = *optarg ? optarg : NULL;
		break;
	case OPT_FONTTYPE:
		c->svg.fonttype = optarg;
		break;
	case OPT_COUNTNAME:
		c->svg.countname = optarg;
		break;
	case OPT_NAMETYPE:
		c->svg.nametype = optarg;
		break;
	case OPT_NAMEATTR:
		c->nameattr = optarg;
		break;
	case OPT_NOTES:
		c->svg.notes = optarg;
		break;
	case OPT_EVENT:
		c->event = optarg;
		break;
	case OPT_BGCOLORS:
		c->svg.bgcolors = optarg;
		break;
	}
	return CMD_GO_ON;
}

static int flag_option(struct svg_cmd *c, int opt)
{
	switch (opt) {
	case OPT_HASH:
		c->svg.vary = VARY_HASH;
		break;
	case OPT_RANDOM:
		c->svg.vary = VARY_RANDOM;
		break;
	case OPT_CP:
		c->cp = true;
		break;
	case OPT_REVERSE:
		c->svg.reverse = true;
		break;
	case OPT_INVERTED:
		c->svg.inverted = true;
		break;
	case OPT_FLAMECHART:
		c->svg.flamechart = true;
		break;
	case OPT_NEGATE:
		c->svg.negate = true;
		break;
	}
	return CMD_GO_ON;
}

static int take_option(struct svg_cmd *c, int opt, char **argv)
{
	switch (opt) {
	case OPT_WIDTH:
		return size_option(c, "width", 3 * 10, &c->svg.width);
	case OPT_HEIGHT:
		return size_option(c, "height", 2, &c->svg.height);
	case OPT_MINWIDTH:
		return minwidth_option(c);
	case OPT_FONTSIZE:
		return number_option(c, "fontsize", 1, 1000, &c->svg.fontsize);
	case OPT_FONTWIDTH:
		return number_option(c, "fontwidth", 0.01, 100, &c->svg.fontwidth);
	case OPT_ENCODING:
		return encoding_option(c);
	case OPT_COLORS:
		return colors_option(c);
	case OPT_SORT:
		return sort_option(c);
	case OPT_TOTAL:
		return number_option(c, "total", 0, 1e19, &c->svg.total);
	case OPT_FACTOR:
		return number_option(c, "factor", 1e-12, 1e12, &c->svg.factor);
	case OPT_TITLE:
	case OPT_SUBTITLE:
	case OPT_FONTTYPE:
	case OPT_COUNTNAME:
	case OPT_NAMETYPE:
	case OPT_NAMEATTR:
	case OPT_NOTES:
	case OPT_EVENT:
	case OPT_BGCOLORS:
		return text_option(c, opt);
	case OPT_HASH:
	case OPT_RANDOM:
	case OPT_CP:
	case OPT_REVERSE:
	case OPT_INVERTED:
	case OPT_FLAMECHART:
	case OPT_NEGATE:
		return flag_option(c, opt);
	case OPT_DIFF:
	case 'n':
	case 's':
	case OPT_FORCE:
	case OPT_WIDTHS:
	case OPT_ELIDED:
	case OPT_DELTA:
	case OPT_COLORBLIND:
		return diff_option(c, opt);
	case OPT_FROM:
		return inputs_from(&c->cmd, optarg, &c->inputs.input);
	case OPT_STRICT:
		c->inputs.input.strict = true;
		return CMD_GO_ON;
	default:
		return cmd_common_option(&c->cmd, opt, argv);
	}
}

/* What must be known of all options together. */
static int check_diff(struct svg_cmd *c, int argc, char **argv)
{
	const char *both = "only one of the inputs can be stdin";

	if (!c->delta_given)
		c->svg.inclusive = c->svg.palette == PALETTE_KIND;
	if (!c->svg.inclusive && (c->widths != WIDTHS_AFTER || c->elided))
		return cmd_usage(&c->cmd, "--widths and --elided go with --delta total");
	if (!c->diff && (c->inputs.how.normalize || c->inputs.how.strip_hex || c->inputs.force))
		return cmd_usage(&c->cmd, "-n, -s and --force go with --diff BEFORE AFTER");
	if (!c->diff)
		return CMD_GO_ON;
	if (argc - optind != 2)
		return cmd_usage(&c->cmd, "--diff wants two inputs, BEFORE and AFTER, not %d",
				 argc - optind);
	if (c->svg.flamechart)
		return cmd_usage(&c->cmd, "--flamechart draws one profile, not a difference");
	c->inputs.before = argv[optind];
	c->inputs.after = argv[optind + 1];
	c->inputs.event = c->event;
	if (!strcmp(c->inputs.before, "-") && !strcmp(c->inputs.after, "-"))
		return cmd_usage(&c->cmd, "%s", both);
	return CMD_GO_ON;
}

static int parse_options(struct svg_cmd *c, int argc, char **argv, const char **input)
{
	struct svg_background ignored;
	int opt, status = CMD_GO_ON;

	optind = 1;
	while (status == CMD_GO_ON &&
	       (opt = getopt_long(argc, argv, ":hqvo:ns", long_options, NULL)) != -1)
		status = take_option(c, opt, argv);
	if (status != CMD_GO_ON)
		return status;
	if (!svg_background_find(c->svg.bgcolors, c->svg.palette, &ignored))
		return cmd_usage(&c->cmd, "--bgcolors %s: yellow, blue, green, grey or #rrggbb is wanted",
				 c->svg.bgcolors);
	status = check_diff(c, argc, argv);
	if (status != CMD_GO_ON || c->diff)
		return status;
	return cmd_one_input(&c->cmd, argc, argv, input);
}

/* A reader that was told to take two columns calls the first one "before". */
static bool is_before(const struct profile *p, uint32_t event)
{
	return event && !strcmp(profile_event_name(p, event), "before");
}

/* The event asked for, else the first; says which others there are. False if there is none. */
static bool choose_event(const struct profile *p, const char *name, uint32_t *event)
{
	uint32_t nr = profile_nr_events(p);
	bool found = !name && nr;

	*event = 0;
	for (uint32_t i = 0; name && i < nr && !found; i++) {
		found = inputs_event_is(p, i, name);
		*event = i;
	}
	if (!found && name)
		msg_error("no event '%s' in this profile", name);
	else if (!found)
		msg_error("this profile holds no samples: nothing to draw");
	for (uint32_t i = 0; i < nr; i++) {
		if (!found)
			msg_error("it has '%s' (%s)", profile_event_name(p, i),
				  profile_event_unit(p, i));
		else if (!name && i != *event && !is_before(p, i))
			msg_warn("event '%s' (%llu %s) is not drawn; --event draws it",
				 profile_event_name(p, i),
				 (unsigned long long)profile_total(p, i),
				 profile_event_unit(p, i));
	}
	return found;
}

static void judge_total(struct svg_cmd *c, const struct profile *p, uint32_t event)
{
	uint64_t total = profile_total(p, c->svg.diff ? c->svg.after : event);

	if (c->svg.total > 0 && c->svg.total < (double)total) {
		/* A rounded total may be a little short; that needs no word. */
		if ((double)total / c->svg.total > 1.02)
			msg_warn("--total %.15g is less than the profile's total of %llu and has no effect",
				 c->svg.total, (unsigned long long)total);
		c->svg.total = 0;
	}
	/* Only of samples is it known that each is one observation. */
	if (total < FEW_SAMPLES && !strcmp(profile_event_unit(p, event), "samples") &&
	    (!c->svg.countname || !strcmp(c->svg.countname, "samples"))) {
		c->svg.low_samples = total;
		msg_warn("only %llu samples: shares are rough; sample longer or at a higher frequency",
			 (unsigned long long)total);
	}
}

static int write_picture(struct svg_cmd *c, const struct profile *p, uint32_t event)
{
	struct outfile out;

	if (!profile_total(p, event)) {
		msg_error(c->svg.diff ? "all boxes would be 0 wide: nothing to draw; try another --widths" :
			  "all counts are 0: nothing to draw");
		return EXIT_FAILED;
	}
	judge_total(c, p, event);
	if (!outfile_open(&out, c->cmd.output, 0))
		return EXIT_FAILED;
	svg_write(out.fp, p, event, &c->svg);
	return outfile_commit(&out);
}

/* Event 1 of @p is "before". */
static int draw_difference(struct svg_cmd *c, const struct profile *p, uint32_t event)
{
	struct profile *view;
	int status;

	c->svg.diff = true;
	c->svg.before = 1;
	c->svg.after = event;
	if (!c->svg.inclusive)
		return write_picture(c, p, event);
	if (!c->elided && c->widths == WIDTHS_AFTER)
		c->svg.vanished = svg_diff_vanished(p, event, 1);
	if (!c->elided && c->widths != WIDTHS_BOTH)
		return write_picture(c, p, c->widths == WIDTHS_BEFORE ? 1 : event);
	view = svg_diff_view(p, event, 1, c->widths, c->elided);
	c->svg.before = VIEW_BEFORE;
	c->svg.after = VIEW_AFTER;
	status = write_picture(c, view, VIEW_WIDTH);
	profile_free(view);
	return status;
}

static int draw(struct svg_cmd *c, const struct profile *p)
{
	uint32_t event = 0;

	/* Of two inputs the event has been chosen while they were read. */
	if (!c->diff && !choose_event(p, c->event, &event))
		return EXIT_FAILED;
	if (c->svg.flamechart && !profile_nr_samples(p)) {
		msg_error("this profile holds sums only, no samples in time; draw it without --flamechart");
		return EXIT_FAILED;
	}
	if (!c->svg.flamechart && profile_nr_events(p) == 2 && is_before(p, 1) && !event)
		return draw_difference(c, p, event);
	return write_picture(c, p, event);
}

static int run(struct svg_cmd *c, const char *path)
{
	struct input_options options = c->inputs.input;
	struct svg_attrs *attrs = NULL;
	struct profile *p = NULL;
	int status = EXIT_FAILED;

	options.keep_samples = c->svg.flamechart;
	options.two_columns = true;
	options.event = c->event;
	if (c->nameattr) {
		attrs = svg_attrs_read(c->nameattr);
		if (!attrs)
			return EXIT_FAILED;
		c->svg.attrs = attrs;
	}
	if (c->cp)
		c->svg.palette_map = svg_palette_map_read(PALETTE_MAP_PATH);
	if (!c->cp || c->svg.palette_map)
		p = c->diff ? diff_input_read(&c->inputs) : input_read(path, &options);
	if (p)
		status = draw(c, p);
	if (status == EXIT_DONE && c->cp && !svg_palette_map_write(c->svg.palette_map, PALETTE_MAP_PATH))
		status = EXIT_FAILED;
	profile_free(p);
	svg_palette_map_free(c->svg.palette_map);
	svg_attrs_free(attrs);
	return status;
}

int cmd_svg(int argc, char **argv)
{
	struct svg_cmd c = { .cmd = { .name = "svg", .help = help } };
	const char *input = NULL;
	int status;

	svg_options_init(&c.svg);
	status = parse_options(&c, argc, argv, &input);
	return status == CMD_GO_ON ? run(&c, input) : status;
}
