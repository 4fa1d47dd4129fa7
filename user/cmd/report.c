// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame report`: top functions, callers and callees as text.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "cmd/cmd.h"
#include "input/input.h"
#include "output/functions.h"
#include "util/msg.h"
#include "util/outfile.h"
#include "util/term.h"
#include "util/text.h"

static const char help[] =
	"usage: flame report [options] [INPUT]\n"
	"\n"
	"Prints the functions that weigh most by themselves and with all they call, each\n"
	"share with its +- at 95 % as the number of samples allows.\n"
	"\n"
	"  -n, --rows N        rows of each table (10; 0: all)\n"
	"      --callers SYM   who calls SYM, and how much of SYM's total that is\n"
	"      --callees SYM   what SYM calls\n"
	"  -o, --output FILE   write there instead of stdout\n"
	"      --color WHEN    auto, always, never\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n";

enum { OPT_CALLERS = CMD_OPT_OWN, OPT_CALLEES };

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "rows", required_argument, NULL, 'n' },
	{ "callers", required_argument, NULL, OPT_CALLERS },
	{ "callees", required_argument, NULL, OPT_CALLEES },
	{ 0 }
};

struct report_options {
	uint64_t rows;
	const char *callers;
	const char *callees;
};

/* One table: what a row shows is picked by the caller. */
struct table {
	const char *title;
	const char *unit;
	uint64_t whole;		/* 100 % */
	bool by_total;
	bool calls;		/* rows are callers or callees: all kinds of frame count */
};

/*
 * Half the 95 % confidence interval of a share, in percentage points: the normal
 * approximation of the binomial distribution, 1.96 sqrt(p (1 - p) / n). Only for plain
 * counts: durations are no independent draws.
 */
static double margin(uint64_t part, uint64_t whole)
{
	double p = (double)part / (double)whole;

	return 196.0 * sqrt(p * (1.0 - p) / (double)whole);
}

static bool is_row(const struct table *t, const struct function *f)
{
	if (t->calls)
		return true;
	/* A thread's name and a mark are no functions, unless a stack has nothing else. */
	if (f->kind == FRAME_COMM || f->kind == FRAME_SPECIAL)
		return !t->by_total && f->self;
	return t->by_total ? f->total : f->self;
}

static void print_table(FILE *fp, struct functions *f, const struct table *t, uint64_t rows)
{
	const bool counts = !strcmp(t->unit, "samples");
	const bool color = term_color(fp);
	uint64_t shown = 0, left = 0;
	size_t width = text_columns(t->unit);

	if (width < 10)
		width = 10;
	fprintf(fp, "\n%s%s%s\n", color ? "\033[1m" : "", t->title, color ? "\033[0m" : "");
	fprintf(fp, "   share%s  %*s%s  function\n", counts ? "    +-" : "",
		(int)(width - text_columns(t->unit)), "", t->unit);
	for (size_t i = 0; i < f->nr; i++) {
		const struct function *row = &f->at[i];
		uint64_t value = t->by_total ? row->total : row->self;

		if (!is_row(t, row))
			continue;
		if (rows && shown == rows) {
			left++;
			continue;
		}
		shown++;
		fprintf(fp, "%6.2f %%", 100.0 * (double)value / (double)t->whole);
		if (counts)
			fprintf(fp, " %5.2f", margin(value, t->whole));
		fprintf(fp, "  %*llu  %s%s\n", (int)width, (unsigned long long)value, row->name,
			frame_annotation(row->kind));
	}
	if (left)
		fprintf(fp, "  (%llu more)\n", (unsigned long long)left);
}

static void print_header(FILE *fp, struct profile *p)
{
	const struct profile_meta *meta = profile_meta(p);

	fprintf(fp, "%llu %s", (unsigned long long)profile_total(p, 0), profile_event_unit(p, 0));
	if (meta->duration_ns)
		fprintf(fp, " in %.1f s", (double)meta->duration_ns / 1e9);
	if (meta->frequency)
		fprintf(fp, " at %u Hz", meta->frequency);
	if (*meta->host)
		fprintf(fp, " on %s", meta->host);
	if (*meta->kernel)
		fprintf(fp, ", Linux %s", meta->kernel);
	fputc('\n', fp);
	if (!strcmp(meta->format, "flame"))
		fprintf(fp, "%llu lost, %llu missed\n", (unsigned long long)meta->lost,
			(unsigned long long)meta->missed);
}

static void print_tops(FILE *fp, const struct profile *p, const struct tree *tree, uint64_t rows)
{
	struct table t = { .title = "Top self", .unit = profile_event_unit(p, 0),
			   .whole = profile_total(p, 0) };
	struct functions f;

	functions_of_tree(&f, tree);
	functions_sort_self(&f);
	print_table(fp, &f, &t, rows);
	functions_sort_total(&f);
	t.title = "Top total";
	t.by_total = true;
	print_table(fp, &f, &t, rows);
	functions_free(&f);
}

/* False when there is no such function. */
static bool print_around(FILE *fp, const struct profile *p, const struct tree *tree,
			 const char *name, bool callers, uint64_t rows)
{
	struct table t = { .unit = profile_event_unit(p, 0), .calls = true };
	struct functions f;
	char title[512];

	t.whole = functions_around(&f, tree, name, callers);
	if (t.whole) {
		snprintf(title, sizeof(title), "%s of %s (%llu %s)",
			 callers ? "Callers" : "Callees", name, (unsigned long long)t.whole,
			 t.unit);
		t.title = title;
		functions_sort_self(&f);
		print_table(fp, &f, &t, rows);
	} else {
		msg_error("no function '%s' in this profile; 'flame report -n 0' lists all", name);
	}
	functions_free(&f);
	return t.whole;
}

static bool print_report(FILE *fp, struct profile *p, const struct report_options *o)
{
	struct tree *tree = tree_build(p, 0, 0);
	bool ok = true;

	print_header(fp, p);
	if (!o->callers && !o->callees)
		print_tops(fp, p, tree, o->rows);
	if (o->callers)
		ok = print_around(fp, p, tree, o->callers, true, o->rows);
	if (ok && o->callees)
		ok = print_around(fp, p, tree, o->callees, false, o->rows);
	tree_free(tree);
	return ok;
}

static int report(const struct cmd *cmd, const char *path, const struct report_options *o)
{
	static const struct input_options in;
	struct profile *p = input_read(path, &in);
	int status = EXIT_FAILED;
	struct outfile out;

	if (!p)
		return EXIT_FAILED;
	if (!profile_total(p, 0)) {
		msg_error("the profile is empty: no samples in it");
	} else if (outfile_open(&out, cmd->output, 0)) {
		if (print_report(out.fp, p, o))
			status = outfile_commit(&out);
		else
			outfile_abort(&out);
	}
	profile_free(p);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct cmd cmd = { .name = "report", .help = help };
	struct report_options o = { .rows = 10 };
	const char *path;
	int opt, status;

	while ((opt = getopt_long(argc, argv, CMD_COMMON_SHORT "n:", long_options, NULL)) != -1) {
		switch (opt) {
		case 'n':
			if (!text_number(optarg, 0, UINT32_MAX, &o.rows))
				return cmd_usage(&cmd, "-n wants a number, not '%s'", optarg);
			break;
		case OPT_CALLERS:
			o.callers = optarg;
			break;
		case OPT_CALLEES:
			o.callees = optarg;
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
	return report(&cmd, path, &o);
}
