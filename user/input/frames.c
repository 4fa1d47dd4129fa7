// SPDX-License-Identifier: GPL-2.0-only
/*
 * The frames of one stack on their way into a profile. Knows no format.
 */
#include <stdlib.h>
#include <string.h>
#include "input/frames.h"
#include "util/mem.h"
#include "util/msg.h"

bool frames_add(struct frames *f, const char *name, size_t len, enum frame_kind kind,
		const char *object, size_t object_len)
{
	struct profile_frame frame = { .offset = PROFILE_NO_OFFSET, .kind = kind };

	if (f->nr >= FRAMES_MAX)
		return false;
	if (memchr(name, ';', len)) {
		f->scratch = array_grow(f->scratch, &f->cap_scratch, len, 1);
		for (size_t i = 0; i < len; i++)
			f->scratch[i] = name[i] == ';' ? ':' : name[i];
		name = f->scratch;
	}
	frame.name = profile_name(f->p, name, len);
	if (object && object_len)
		frame.object = profile_name(f->p, object, object_len);
	f->frame = array_grow(f->frame, &f->cap, f->nr + 1, sizeof(*f->frame));
	f->frame[f->nr++] = profile_frame(f->p, &frame);
	return true;
}

static bool has_inlined(const char *name, size_t len)
{
	return memmem(name, len, "->", 2) && !memchr(name, '<', len) && !memchr(name, '(', len) &&
	       !memchr(name, ' ', len) && !memmem(name, len, "operator", 8);
}

bool frames_add_inlined(struct frames *f, const char *name, size_t len, enum frame_kind kind)
{
	while (has_inlined(name, len)) {
		size_t at = len;

		while (!(name[at - 2] == '-' && name[at - 1] == '>'))
			at--;
		if (at < len && !frames_add(f, name + at, len - at, FRAME_INLINED, NULL, 0))
			return false;
		len = at - 2;
	}
	return frames_add(f, name, len, kind, NULL, 0);
}

bool frames_add_shown(struct frames *f, const char *name, size_t len, bool root,
		      enum frame_kind kind, const char *object, size_t object_len)
{
	enum frame_kind shown = frame_kind_of(name, &len);

	if (shown == FRAME_USER)
		shown = root && kind == FRAME_USER ? FRAME_COMM : kind;
	return frames_add(f, name, len, shown, object, object_len);
}

uint32_t frames_push_leaf_first(struct frames *f, uint32_t parent, size_t first, size_t nr)
{
	for (size_t i = nr; i-- > 0;)
		parent = profile_push(f->p, parent, f->frame[first + i]);
	return parent;
}

uint32_t frames_push_root_first(struct frames *f, uint32_t parent, size_t first, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		parent = profile_push(f->p, parent, f->frame[first + i]);
	return parent;
}

void frames_free(struct frames *f)
{
	free(f->frame);
	free(f->scratch);
	*f = (struct frames){ 0 };
}

size_t name_without_offset(const char *name, size_t len)
{
	const char *plus = len ? memrchr(name, '+', len) : NULL;
	size_t at = plus ? (size_t)(plus - name) : 0, digits = 0;

	if (!at)
		return len;
	for (size_t i = at + 1; i < len; i++) {
		bool hex = (name[i] >= 'a' && name[i] <= 'f') || (name[i] >= '0' && name[i] <= '9');

		if (!hex && name[i] != 'x' && name[i] != '/')
			return len;
		digits += hex;
	}
	/* operator+ has none; decimal ones begin with a digit. */
	return digits && name[at + 1] >= '0' && name[at + 1] <= '9' ? at : len;
}

bool input_add(struct input *in, uint32_t stack, uint32_t event, uint64_t value, uint64_t line)
{
	struct profile_sample sample = {
		.stack = stack, .event = event, .value = value,
	};

	if (in->options->keep_samples ? profile_add_sample(in->profile, &sample) :
	    profile_add(in->profile, stack, event, value))
		return true;
	if (line)
		msg_error("%s:%llu: the values up to here add up to more than 2^64 - 1", in->name,
			  (unsigned long long)line);
	else
		msg_error("%s: the values add up to more than 2^64 - 1", in->name);
	return false;
}
