/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names for the user frames of a recording, object by object, so that one object's
 * symbols are in memory at a time.
 */
#ifndef FLAME_SYMBOLIZE_H
#define FLAME_SYMBOLIZE_H

#include "input/records.h"
#include "symbol/object.h"

/* A descriptor of the file behind an object id, the caller's to close; -1: not known. */
typedef int (*object_fd_fn)(void *arg, uint32_t id);

/*
 * Names all places of @r. Each object's file is got by @get_fd (may be NULL), else by its
 * path; a file of another build-id is not used. What cannot be read is said once for an
 * object. Names that places have already are kept where nothing better is found.
 */
void symbolize_records(struct records *r, object_fd_fn get_fd, void *arg);

/*
 * Opens an object by path; "[vdso]" is this process's own. Checks the build-id. NULL
 * after a warning that names it.
 */
struct object *symbolize_open(int fd, const char *path, const uint8_t *build_id,
			      size_t build_id_len);

#endif /* FLAME_SYMBOLIZE_H */
