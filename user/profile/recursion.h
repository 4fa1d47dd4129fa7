/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile in which a function that calls itself directly stands once, as
 * stackcollapse-recursive.pl makes it.
 */
#ifndef FLAME_RECURSION_H
#define FLAME_RECURSION_H

#include "profile/profile.h"

/* Takes @p over and frees it. Frames of the same name and annotation are one function. */
struct profile *profile_fold_recursion(struct profile *p);

#endif /* FLAME_RECURSION_H */
