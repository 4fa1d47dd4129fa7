/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shell patterns for thread names (see glob.c).
 */
#ifndef FLAME_GLOB_H
#define FLAME_GLOB_H

#include "port.h"

/**
 * flame_glob_check() - is this a well-formed pattern?
 * @pat: the pattern, not NUL-terminated
 * @len: its bytes
 * @pos: receives the offset of what is wrong
 *
 * Any context. Returns NULL when it is, else what is wrong with it.
 */
const char *flame_glob_check(const char *pat, size_t len, size_t *pos);

/**
 * flame_glob_match() - does the whole of a string match a pattern?
 * @pat: NUL-terminated, passed flame_glob_check()
 * @str: the string, not NUL-terminated, any bytes
 * @len: its bytes
 *
 * Any context, hard interrupts included: no allocation, no recursion, at most
 * strlen(@pat) * (@len + 1) steps.
 */
bool flame_glob_match(const char *pat, const char *str, size_t len);

#endif /* FLAME_GLOB_H */
