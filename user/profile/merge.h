/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One profile put into another: stacks and frames of the one as the other knows them,
 * sums and samples added. Knows no file format and never prints.
 */
#ifndef FLAME_MERGE_H
#define FLAME_MERGE_H

#include <stdbool.h>
#include <stdint.h>
#include "profile/profile.h"

/*
 * Makes of @frame, whose strings are @from's, the frame @to is to have instead; its
 * strings must be @to's.
 */
typedef struct profile_frame (*frame_change)(void *arg, struct profile *to,
					     const struct profile *from,
					     struct profile_frame frame);

struct stack_map;

/* @change may be NULL: frames stay as they are. Both profiles must outlive the map. */
struct stack_map *stack_map_new(struct profile *to, const struct profile *from,
				frame_change change, void *arg);
void stack_map_free(struct stack_map *m);

/* The stack in the target; made there, with all below it, at the first call. */
uint32_t stack_map_get(struct stack_map *m, uint32_t stack);

/* A string of @from as @to has it. */
uint32_t profile_copy_string(struct profile *to, const struct profile *from, uint32_t string);

/*
 * Whether the samples say when or where they were taken. Folded text, whose lines are
 * samples of sorts, does not.
 */
bool profile_has_places(const struct profile *p);

/*
 * Adds all of @from to @to: each event to the one of the same name and unit. Samples are
 * added one by one if @samples, else their sums. False when an event's total would no
 * longer fit 64 bits; then @to is of no use.
 */
bool profile_merge(struct profile *to, const struct profile *from, bool samples);

#endif /* FLAME_MERGE_H */
