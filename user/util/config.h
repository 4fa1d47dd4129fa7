/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Defaults from /etc/flame.conf and ~/.config/flame/config: lines `COMMAND.OPTION = VALUE`
 * become `--OPTION=VALUE` in front of the user's own options, so that those win.
 */
#ifndef FLAME_CONFIG_H
#define FLAME_CONFIG_H

#include <stdbool.h>

/* Arguments with the defaults in them; argv[argc] is NULL. */
struct config_args {
	int argc;
	char **argv;
	char **own;	/* what was allocated here; getopt permutes argv */
	int nr_own;
};

/* False after saying which line of which file cannot be read. */
bool config_args(struct config_args *args, const char *command, int argc, char **argv);
void config_args_free(struct config_args *args);

#endif /* FLAME_CONFIG_H */
