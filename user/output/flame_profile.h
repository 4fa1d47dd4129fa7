/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes any profile as a .flame file of the records of input/profile_records.h, which
 * keep all that it knows: frames with objects, kinds and offsets, events, samples.
 */
#ifndef FLAME_PROFILE_WRITER_H
#define FLAME_PROFILE_WRITER_H

#include <stdbool.h>
#include "profile/profile.h"

/* To the open file @fd, called @name in messages. False after saying why not. */
bool flame_profile_write(int fd, const char *name, const struct profile *p);

#endif /* FLAME_PROFILE_WRITER_H */
