/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Function bounds out of .eh_frame: what is left of a stripped program's functions.
 */
#ifndef FLAME_EH_FRAME_H
#define FLAME_EH_FRAME_H

#include <elfutils/libdw.h>
#include "symbol/ranges.h"

/*
 * Adds a range for each FDE. @data: the section's bytes, @address: where it is loaded.
 * Stops quietly at what it cannot read: bounds are a help, not a promise.
 */
void eh_frame_ranges(struct ranges *r, const unsigned char *e_ident, Elf_Data *data,
		     uint64_t address);

#endif /* FLAME_EH_FRAME_H */
