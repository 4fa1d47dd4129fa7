/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writing a profile as the result of a command: what `flame export`, `flame merge` and
 * `flame filter` have in common.
 */
#ifndef FLAME_CMD_WRITE_H
#define FLAME_CMD_WRITE_H

#include <stdbool.h>
#include "cmd/cmd.h"
#include "output/export.h"

/**
 * struct write_options - what the user asked for
 * @format: never NULL in write_profile()
 * @event: name of an event, "all", or NULL: all where the format takes several
 * @annotate: names carry _[k] and the like
 */
struct write_options {
	const struct export_format *format;
	const char *event;
	bool annotate;
};

/* CMD_GO_ON, or the status of a usage error when there is no format @name. */
int write_find_format(const struct cmd *cmd, const char *name,
		      const struct export_format **format);

/* To the command's output. Returns the exit status, after saying what is wrong. */
int write_profile(const struct cmd *cmd, const struct profile *p, const struct write_options *o);

#endif /* FLAME_CMD_WRITE_H */
