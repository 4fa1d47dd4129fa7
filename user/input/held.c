// SPDX-License-Identifier: GPL-2.0-only
/*
 * An input that has to be held whole.
 */
#include <stdlib.h>
#include <string.h>
#include "input/held.h"
#include "util/mem.h"
#include "util/msg.h"

bool held_add(struct held *h, const struct input *in, const char *data, size_t len)
{
	if (len > HELD_MAX - h->len) {
		msg_error("%s: more than %lu MiB: format %s has to be held in memory whole; give a shorter recording, or folded stacks",
			  in->name, HELD_MAX >> 20, in->format->name);
		return false;
	}
	h->bytes = array_grow(h->bytes, &h->cap, h->len + len, 1);
	memcpy(h->bytes + h->len, data, len);
	h->len += len;
	return true;
}

void held_free(struct held *h)
{
	free(h->bytes);
	*h = (struct held){ 0 };
}
