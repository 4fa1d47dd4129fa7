/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unwind tables kept on disk, by build-id, below ${XDG_CACHE_HOME:-~/.cache}/flame/unwind.
 * A cache is a help, not a promise: what cannot be read or written there is compiled
 * again, and nobody is told.
 */
#ifndef FLAME_UNWIND_CACHE_H
#define FLAME_UNWIND_CACHE_H

#include <stdbool.h>
#include "unwind/compile.h"
#include "unwind/image.h"

/*
 * The table of @im: from the cache (*@cached; without statistics then) or compiled, and
 * put there. NULL, or why there is none, as unwind_compile() says it. An object without
 * a build-id is compiled each time.
 */
const char *unwind_cached(struct unwind_table *table, const struct image *im, bool *cached);

#endif /* FLAME_UNWIND_CACHE_H */
