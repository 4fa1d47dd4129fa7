/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the commands share with flame.c's table: their entry points, exit statuses and
 * the options that every one of them knows.
 */
#ifndef FLAME_CMD_H
#define FLAME_CMD_H

#include <getopt.h>

#define EXIT_DONE	0
#define EXIT_FAILED	1
#define EXIT_USAGE	2

/* argv[0] is the command's name. Returns the exit status. */
int cmd_diff(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_filter(int argc, char **argv);
int cmd_fold(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_svg(int argc, char **argv);
int cmd_symbolize(int argc, char **argv);
int cmd_unwind(int argc, char **argv);

/* Values of long options without a letter; a command's own start at CMD_OPT_OWN. */
enum { CMD_OPT_VERSION = 256, CMD_OPT_COLOR, CMD_OPT_OWN };

/* For the commands' getopt_long() tables. */
#define CMD_COMMON_SHORT	":hqvo:"
#define CMD_COMMON_LONG \
	{ "help", no_argument, NULL, 'h' }, \
	{ "quiet", no_argument, NULL, 'q' }, \
	{ "verbose", no_argument, NULL, 'v' }, \
	{ "output", required_argument, NULL, 'o' }, \
	{ "color", required_argument, NULL, CMD_OPT_COLOR }, \
	{ "version", no_argument, NULL, CMD_OPT_VERSION }

/**
 * struct cmd - a command's options as far as they are common
 * @name: the command
 * @help: what --help prints
 * @output: value of -o, or NULL
 */
struct cmd {
	const char *name;
	const char *help;
	const char *output;
};

#define CMD_GO_ON	(-1)

/*
 * Deals with what getopt_long() returned and the command does not know itself: the
 * common options, an unknown option ('?') and a missing value (':'). Returns CMD_GO_ON
 * or the status to return with.
 */
int cmd_common_option(struct cmd *cmd, int opt, char **argv);

/* Says what is wrong with the usage and where help is; returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3)))
int cmd_usage(const struct cmd *cmd, const char *fmt, ...);

/*
 * The only INPUT operand: argv[optind], or NULL if there is none. More than one is a
 * usage error: returns EXIT_USAGE, else CMD_GO_ON.
 */
int cmd_one_input(const struct cmd *cmd, int argc, char **argv, const char **input);

#endif /* FLAME_CMD_H */
