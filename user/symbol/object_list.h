/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The `objects` control file: which OBJECT of a folded line is which file.
 */
#ifndef FLAME_OBJECT_LIST_H
#define FLAME_OBJECT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "flame_abi.h"

struct listed_object {
	char *name;		/* OBJECT, as folded lines have it */
	char *path;
	uint8_t build_id[FLAME_BUILD_ID_MAX];
	size_t build_id_len;
};

struct object_list {
	struct listed_object *at;
	size_t nr, cap;
};

/*
 * Reads `OBJECT BUILDID|- PATH` lines; blanks in OBJECT and PATH are \x20. False after
 * saying which line of @name is none.
 */
bool object_list_read(struct object_list *list, FILE *fp, const char *name);
void object_list_free(struct object_list *list);

/* The object named by the @len bytes at @name, or NULL. */
const struct listed_object *object_list_find(const struct object_list *list, const char *name,
					     size_t len);

#endif /* FLAME_OBJECT_LIST_H */
