/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Go's own table of functions, .gopclntab, which survives strip: where the functions are
 * at which a stack ends.
 */
#ifndef FLAME_UNWIND_GO_H
#define FLAME_UNWIND_GO_H

#include "unwind/image.h"

typedef void (*go_end_fn)(void *ctx, uint64_t start, uint64_t end);

/*
 * Calls @fn with the addresses of each function of the Go runtime that begins a stack or
 * leaves one goroutine's for the system's. Quiet about a table it cannot read.
 */
void go_ends(const struct image *im, go_end_fn fn, void *ctx);

#endif /* FLAME_UNWIND_GO_H */
