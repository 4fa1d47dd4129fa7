// SPDX-License-Identifier: GPL-2.0-only
/*
 * The options that every command knows, and how usage errors are said.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "cmd/cmd.h"
#include "flame.h"
#include "flame_abi.h"
#include "util/msg.h"
#include "util/term.h"

int cmd_usage(const struct cmd *cmd, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	msg_error("%s: %s; see 'flame help %s'", cmd->name, text, cmd->name);
	return EXIT_USAGE;
}

/* The option getopt_long() has just refused, as it was typed. */
static const char *refused(char **argv, char *letter)
{
	if (optopt > 0 && optopt < 128) {
		letter[0] = '-';
		letter[1] = (char)optopt;
		letter[2] = '\0';
		return letter;
	}
	return argv[optind - 1];
}

int cmd_common_option(struct cmd *cmd, int opt, char **argv)
{
	char letter[3];

	switch (opt) {
	case 'h':
		fputs(cmd->help, stdout);
		return EXIT_DONE;
	case CMD_OPT_VERSION:
		printf("flame %s abi %d\n", FLAME_VERSION, FLAME_ABI_VERSION);
		return EXIT_DONE;
	case 'q':
		msg_level = MSG_QUIET;
		return CMD_GO_ON;
	case 'v':
		msg_level = MSG_VERBOSE;
		return CMD_GO_ON;
	case 'o':
		cmd->output = optarg;
		return CMD_GO_ON;
	case CMD_OPT_COLOR:
		if (term_set_color(optarg))
			return CMD_GO_ON;
		return cmd_usage(cmd, "--color is one of auto, always, never, not '%s'", optarg);
	case ':':
		return cmd_usage(cmd, "option %s needs a value", refused(argv, letter));
	default:
		return cmd_usage(cmd, "unknown option %s", refused(argv, letter));
	}
}

int cmd_one_input(const struct cmd *cmd, int argc, char **argv, const char **input)
{
	*input = NULL;
	if (argc - optind > 1)
		return cmd_usage(cmd, "one INPUT at most, not also '%s'", argv[optind + 1]);
	if (optind < argc)
		*input = argv[optind];
	return CMD_GO_ON;
}
