/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Allocation that does not fail: when there is no memory the program says so and ends
 * with status 1. Sizes that come from an input are bounded by its reader before they
 * get here.
 */
#ifndef FLAME_MEM_H
#define FLAME_MEM_H

#include <stddef.h>
#include <stdint.h>

/* The first two also answer for libiberty's demangler, which calls them by these names. */
__attribute__((malloc, returns_nonnull)) void *xmalloc(size_t size);
__attribute__((returns_nonnull)) void *xrealloc(void *old, size_t size);
__attribute__((malloc, returns_nonnull)) void *xcalloc(size_t nr, size_t size);
__attribute__((returns_nonnull)) void *xreallocarray(void *old, size_t nr, size_t size);
__attribute__((malloc, returns_nonnull)) char *xstrndup(const char *s, size_t len);
__attribute__((malloc, returns_nonnull)) char *xstrdup(const char *s);
__attribute__((malloc, returns_nonnull, format(printf, 1, 2)))
char *xasprintf(const char *fmt, ...);

/*
 * Makes room for @need elements in the array at @array, which has room for *@cap; grows
 * by half again, so that a sequence of calls costs linear time.
 */
__attribute__((returns_nonnull))
void *array_grow(void *array, size_t *cap, size_t need, size_t elem_size);

/* A well mixed 64-bit hash of @len bytes; the same in every run. */
uint64_t hash_bytes(const void *bytes, size_t len);

/* A well mixed hash of two numbers. */
static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b * 0x9e3779b97f4a7c15ull)) * 0xbf58476d1ce4e5b9ull;

	h ^= h >> 31;
	h *= 0x94d049bb133111ebull;
	return h ^ (h >> 29);
}

#endif /* FLAME_MEM_H */
