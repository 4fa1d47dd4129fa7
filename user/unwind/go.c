// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads .gopclntab as Go 1.18 and later write it (the layout stands in Go's source,
 * runtime/symtab.go: pcHeader, functab, _func). Every read is bounded by the section.
 */
#include <stdlib.h>
#include <string.h>
#include "unwind/go.h"

#define MAGIC_1_18	0xfffffff0u
#define MAGIC_1_20	0xfffffff1u

/* Offsets in pcHeader, for pointers of 8 bytes. */
enum { PC_MAGIC = 0, PC_PTR_SIZE = 7, PC_NFUNC = 8, PC_TEXT = 24, PC_NAMES = 32, PC_FUNCS = 64,
       PC_SIZE = 72 };

/*
 * goexit, mstart and rt0_go begin stacks; the others go on upon the system's stack, where
 * nothing leads back to the goroutine.
 */
static const char *const ends[] = {
	"runtime.goexit", "runtime.mstart", "runtime.rt0_go", "runtime.mcall",
	"runtime.systemstack", "runtime.morestack", "runtime.asmcgocall",
};

static uint64_t get(const uint8_t *bytes, uint64_t size, uint64_t at, size_t width)
{
	uint64_t value = 0;

	if (at <= size && width <= size - at)
		memcpy(&value, bytes + at, width);
	return value;
}

static bool is_end(const uint8_t *bytes, uint64_t size, uint64_t name)
{
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t len = strlen(ends[i]) + 1;

		if (name <= size && len <= size - name && !memcmp(bytes + name, ends[i], len))
			return true;
	}
	return false;
}

void go_ends(const struct image *im, go_end_fn fn, void *ctx)
{
	uint64_t size = im->gopclntab.size, nr, text, names, funcs, magic;
	uint8_t *bytes = image_part_bytes(im, &im->gopclntab);

	if (!bytes)
		return;
	magic = get(bytes, size, PC_MAGIC, 4);
	nr = get(bytes, size, PC_NFUNC, 8);
	text = get(bytes, size, PC_TEXT, 8);
	names = get(bytes, size, PC_NAMES, 8);
	funcs = get(bytes, size, PC_FUNCS, 8);
	/* A relocatable program's start of text is filled in when it is loaded. */
	if (!text)
		text = im->text;
	if ((magic == MAGIC_1_18 || magic == MAGIC_1_20) && size >= PC_SIZE &&
	    bytes[PC_PTR_SIZE] == 8 && funcs <= size && names <= size &&
	    nr < (size - funcs) / 8) {
		/* functab: entry and _func, four bytes each; one entry more than functions. */
		for (uint64_t i = 0; i < nr; i++) {
			uint64_t at = funcs + i * 8;
			uint64_t entry = get(bytes, size, at, 4), next = get(bytes, size, at + 8, 4);
			uint64_t func = funcs + get(bytes, size, at + 4, 4);

			if (next > entry &&
			    is_end(bytes, size, names + get(bytes, size, func + 4, 4)))
				fn(ctx, text + entry, text + next);
		}
	}
	free(bytes);
}
