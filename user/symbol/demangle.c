// SPDX-License-Identifier: GPL-2.0-only
/*
 * Demangling by libiberty, which leaves off parameter lists by itself (so operator(),
 * templates of function types and (anonymous namespace) stay whole). Its header declares
 * the allocator of util/mem.h as well.
 */
#include <stdlib.h>
#include <string.h>
#include <libiberty/demangle.h>
#include "symbol/demangle.h"

char *demangle(const char *name)
{
	const char *version = strchr(name, '@');
	char *plain = version && version != name ? xstrndup(name, (size_t)(version - name)) :
						   xstrdup(name);
	char *nice = NULL;

	if (!strncmp(plain, "_Z", 2) || !strncmp(plain, "_R", 2) || !strncmp(plain, "__Z", 3))
		nice = cplus_demangle(plain, DMGL_ANSI | DMGL_AUTO);
	if (!nice)
		return plain;
	free(plain);
	return nice;
}
