/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Options about inputs that several commands have in common.
 */
#ifndef FLAME_CMD_INPUTS_H
#define FLAME_CMD_INPUTS_H

#include <stdbool.h>
#include "cmd/cmd.h"
#include "input/input.h"

/* --from NAME: CMD_GO_ON, or the status of a usage error when there is no such format. */
int inputs_from(const struct cmd *cmd, const char *name, struct input_options *options);

/*
 * Whether @event is what --event @asked means: the same name, where modifiers behind the
 * last ':' (cycles:u) need not be named.
 */
bool inputs_event_is(const struct profile *p, uint32_t event, const char *asked);

#endif /* FLAME_CMD_INPUTS_H */
