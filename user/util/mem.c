// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocation that does not fail, and hashing. Nothing here knows what is stored.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "util/mem.h"
#include "util/msg.h"

__attribute__((noreturn))
static void no_memory(void)
{
	msg_error("out of memory");
	exit(1);
}

void *xmalloc(size_t size)
{
	return xrealloc(NULL, size);
}

void *xrealloc(void *old, size_t size)
{
	return xreallocarray(old, 1, size);
}

void *xcalloc(size_t nr, size_t size)
{
	void *p = calloc(nr ? nr : 1, size ? size : 1);

	if (!p)
		no_memory();
	return p;
}

void *xreallocarray(void *old, size_t nr, size_t size)
{
	void *p = reallocarray(old, nr ? nr : 1, size ? size : 1);

	if (!p)
		no_memory();
	return p;
}

char *xstrndup(const char *s, size_t len)
{
	char *p = xcalloc(len + 1, 1);

	memcpy(p, s, len);
	return p;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&p, fmt, ap);
	va_end(ap);
	if (n < 0)
		no_memory();
	return p;
}

void *array_grow(void *array, size_t *cap, size_t need, size_t elem_size)
{
	size_t n = *cap;

	if (array && need <= n)
		return array;
	n += n / 2 + 16;
	if (n < need)
		n = need;
	array = xreallocarray(array, n, elem_size);
	*cap = n;
	return array;
}

uint64_t hash_bytes(const void *bytes, size_t len)
{
	const unsigned char *p = bytes;
	uint64_t h = len, word;

	for (; len >= 8; len -= 8, p += 8) {
		memcpy(&word, p, 8);
		h = hash_pair(h, word);
	}
	word = 0;
	memcpy(&word, p, len);
	return hash_pair(h, word);
}
