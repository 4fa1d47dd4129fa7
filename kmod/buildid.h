/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The GNU build-id of an ELF file. Pure: shared with user-space tests and fuzzers.
 */
#ifndef FLAME_BUILDID_H
#define FLAME_BUILDID_H

#include "port.h"

/**
 * typedef flame_read_fn - reads a part of a file
 * Fills all @bytes at file offset @offset or returns false.
 */
typedef bool (*flame_read_fn)(void *ctx, u64 offset, void *buf, u32 bytes);

/**
 * flame_build_id() - finds NT_GNU_BUILD_ID in the note segments of an ELF file
 * @read: how to read the file
 * @ctx: handed to @read
 * @id: receives up to @max bytes
 * @max: room at @id
 *
 * Trusts nothing it reads: bounded work for any content. Returns the length of the
 * build-id, 0 when there is none, the file is not ELF, or it cannot be read.
 * Format: System V gABI, chapters 4 and 5; note type 3 of name "GNU".
 */
u32 flame_build_id(flame_read_fn read, void *ctx, u8 *id, u32 max);

#endif /* FLAME_BUILDID_H */
