/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Gives the module the unwind tables of what processes have mapped: finds executable
 * mappings in /proc, takes each file once, has its table made or read from the cache, and
 * hands it over by FLAME_IOC_UNWIND.
 */
#ifndef FLAME_UNWIND_LOADER_H
#define FLAME_UNWIND_LOADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "unwind/compile.h"

/**
 * struct loaded - what became of an object
 * @path: as /proc has it, or [vdso]
 * @why: NULL: its table is loaded; else why not, to continue a sentence about it
 * @bytes: of the table
 * @cached: it came from the cache
 */
struct loaded {
	const char *path;
	const char *why;
	size_t bytes;
	bool cached;
};

typedef void (*loaded_fn)(void *ctx, const struct loaded *l);

struct loader;

/**
 * loader_new() - begins with nothing loaded
 * @device: descriptor of /dev/flame, which stays the caller's
 * @fn: told of each object once; may be NULL
 */
struct loader *loader_new(int device, loaded_fn fn, void *ctx);
void loader_free(struct loader *l);

/* The vDSO, which all 64-bit processes share. */
void loader_add_vdso(struct loader *l);

/*
 * All that @pid has mapped executable. False with errno: its mappings cannot be read (a
 * process that has ended is one).
 */
bool loader_add_pid(struct loader *l, pid_t pid);

/* The same for all processes. False after saying why: /proc cannot be read. */
bool loader_add_all(struct loader *l);

/*
 * The file behind @fd, which stays the caller's. False: it was taken before, nothing was
 * done.
 */
bool loader_add_file(struct loader *l, int fd, const char *path);

#endif /* FLAME_UNWIND_LOADER_H */
