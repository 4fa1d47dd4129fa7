/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The symbols of one object (program, library, vDSO): which function a file offset lies
 * in. Reads ELF files with libelf and trusts nothing in them.
 */
#ifndef FLAME_SYMBOL_OBJECT_H
#define FLAME_SYMBOL_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct object;

/**
 * struct object_name - what is known of a place
 * @name: demangled function name, or [BASENAME], or [BASENAME]+0xSTART where only the
 *	  unwind table tells the function's bounds. Free it.
 * @start: file offset at which the function begins; OBJECT_NO_START if unknown
 */
struct object_name {
	char *name;
	uint64_t start;
};

#define OBJECT_NO_START	UINT64_MAX

/*
 * Opens the ELF file behind @fd (not taken over, may be closed afterwards). @path gives
 * the basename for unnamed functions and the place to look for separate debug files; it
 * may end in " (deleted)". NULL with a reason in *@why.
 */
struct object *object_open(int fd, const char *path, const char **why);

/* The vDSO of this process, under the name [vdso]. NULL: there is none. */
struct object *object_open_vdso(void);

void object_close(struct object *o);

/* Its build-id; length 0 if it has none. */
const uint8_t *object_build_id(const struct object *o, size_t *len);

/* Whether it has the build-id @id; true when @len is 0: nothing is known to differ. */
bool object_matches(const struct object *o, const uint8_t *id, size_t len);

/* Names a file offset; false: the offset lies in no loaded segment. */
bool object_name_at(struct object *o, uint64_t offset, struct object_name *name);

#endif /* FLAME_SYMBOL_OBJECT_H */
