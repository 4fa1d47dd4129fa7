/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An input that has to be held whole, because its parts refer forward. Bounded.
 */
#ifndef FLAME_HELD_H
#define FLAME_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include "input/input.h"

#define HELD_MAX	(1ul << 30)

/* Zeroed is ready for use. */
struct held {
	char *bytes;
	size_t len, cap;
};

/* False after saying that the input is too large for its format. */
bool held_add(struct held *h, const struct input *in, const char *data, size_t len);
void held_free(struct held *h);

#endif /* FLAME_HELD_H */
