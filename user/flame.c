// SPDX-License-Identifier: GPL-2.0-only
/*
 * main(): the table of commands, help about them, and the defaults from configuration
 * files, which become options in front of the user's own. No command's work is done here.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmd/cmd.h"
#include "flame.h"
#include "flame_abi.h"
#include "util/config.h"
#include "util/msg.h"
#include "util/text.h"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
};

static const struct command commands[] = {
	{ "record", cmd_record, "sample this machine or a command, save to prof.flame" },
	{ "fold", cmd_fold, "any profile to folded stacks" },
	{ "symbolize", cmd_symbolize, "names for OBJECT+0xOFFSET frames" },
	{ "svg", cmd_svg, "draw a flame graph" },
	{ "diff", cmd_diff, "two profiles, what changed between them" },
	{ "export", cmd_export, "any profile in the format of another tool" },
	{ "merge", cmd_merge, "several profiles as one" },
	{ "filter", cmd_filter, "the part of a profile by time, thread, CPU or frame" },
	{ "report", cmd_report, "top functions, callers and callees as text" },
	{ "unwind", cmd_unwind, "compile and load unwind tables" },
	{ "doctor", cmd_doctor, "what on this machine stands in the way, and the remedy" },
};

#define NR_COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static void print_help(FILE *fp)
{
	fputs("usage: flame COMMAND [options] [INPUT]\n\n", fp);
	for (size_t i = 0; i < NR_COMMANDS; i++)
		fprintf(fp, "  %-11s%s\n", commands[i].name, commands[i].summary);
	fputs("\nflame help COMMAND tells a command's options; flame --version the version.\n", fp);
}

static int unknown_command(const char *name)
{
	const char *nearest = NULL;
	unsigned int best = 3;

	for (size_t i = 0; i < NR_COMMANDS; i++) {
		unsigned int d = text_distance(name, commands[i].name);

		if (d < best) {
			best = d;
			nearest = commands[i].name;
		}
	}
	if (nearest)
		msg_error("no command '%s'; did you mean '%s'?", name, nearest);
	else
		msg_error("no command '%s'; see 'flame help'", name);
	return EXIT_USAGE;
}

static int run_help(int argc, char **argv)
{
	char *args[] = { NULL, (char []){ "--help" }, NULL };
	const struct command *command;

	if (argc < 2) {
		print_help(stdout);
		return EXIT_DONE;
	}
	command = find_command(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	args[0] = argv[1];
	return command->run(2, args);
}

int main(int argc, char **argv)
{
	const struct command *command;
	struct config_args args;
	int status;

	/* Column widths need the character tables; numbers stay in the C locale. */
	setlocale(LC_CTYPE, "C.UTF-8");
	if (argc < 2) {
		print_help(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "help"))
		return run_help(argc - 1, argv + 1);
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
		print_help(stdout);
		return EXIT_DONE;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("flame %s abi %d\n", FLAME_VERSION, FLAME_ABI_VERSION);
		return EXIT_DONE;
	}
	command = find_command(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	if (!config_args(&args, command->name, argc - 1, argv + 1))
		return EXIT_USAGE;
	status = command->run(args.argc, args.argv);
	config_args_free(&args);
	return status;
}
