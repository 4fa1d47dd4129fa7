/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frames of one stack on their way into a profile, for the readers whose inputs are
 * small beside perf's; and the naming rules that they share.
 */
#ifndef FLAME_FRAMES_H
#define FLAME_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "input/input.h"

#define FRAMES_MAX	65536

/* Zeroed with @p set is ready for use. */
struct frames {
	struct profile *p;
	uint32_t *frame;
	size_t nr, cap;
	char *scratch;
	size_t cap_scratch;
};

/*
 * Adds one frame; ';' in @name becomes ':'. False when there are too many: nothing was
 * added. @object may be NULL.
 */
bool frames_add(struct frames *f, const char *name, size_t len, enum frame_kind kind,
		const char *object, size_t object_len);

/* The same for a name that may be A->B->C: B and C inlined into A. Leaf first. */
bool frames_add_inlined(struct frames *f, const char *name, size_t len, enum frame_kind kind);

/*
 * The same for a name as folded text has it: an annotation tells the kind; without one it
 * is @kind, or if @root, that of a thread's name.
 */
bool frames_add_shown(struct frames *f, const char *name, size_t len, bool root,
		      enum frame_kind kind, const char *object, size_t object_len);

/* The stack of @nr frames from @first, which stand leaf first, on top of @parent. */
uint32_t frames_push_leaf_first(struct frames *f, uint32_t parent, size_t first, size_t nr);
/* The same of frames that stand root first. */
uint32_t frames_push_root_first(struct frames *f, uint32_t parent, size_t first, size_t nr);

void frames_free(struct frames *f);

/* Length of @name without `+0x1f`, `+12`, `+0x1f/0x20`. */
size_t name_without_offset(const char *name, size_t len);

/*
 * Adds @value to @stack, as a sample if samples are kept. False after saying that the sum
 * exceeds 64 bits; @line 0: the input has no lines.
 */
bool input_add(struct input *in, uint32_t stack, uint32_t event, uint64_t value, uint64_t line);

#endif /* FLAME_FRAMES_H */
