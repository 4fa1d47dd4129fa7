// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as an ELF file, or as the .eh_frame or .debug_frame of a sound one: bounded
 * work, and what is compiled is a table that the module takes, whose every look-up stays
 * within it. The last byte chooses.
 */
/* sources: user/unwind/image.c user/unwind/cfi.c user/unwind/rule.c user/unwind/compile.c user/unwind/go.c kmod/buildid.c kmod/unwind_table.c user/util/mem.c user/util/msg.c */
/* libs: -lz -lzstd */
#include <string.h>
#include "unwind/compile.h"
#include "unwind_table.h"
#include "fuzz.h"

static void look_up(const struct flame_unwind_head *head, uint64_t offset)
{
	const struct flame_unwind_rule *rule = flame_unwind_find(head, offset);

	check(!rule || rule->cfa < FLAME_CFA_NR);
}

static void try_compile(const struct image *im)
{
	const struct flame_unwind_head *head;
	struct unwind_table table;
	uint64_t at, end;

	if (unwind_compile(&table, im))
		return;
	head = table.head;
	check(!flame_unwind_check(head, head->bytes));
	end = head->base + (uint64_t)head->nr_pages * FLAME_UNWIND_PAGE;
	for (at = head->base; at < end && at < head->base + 8 * FLAME_UNWIND_PAGE; at += 13)
		look_up(head, at);
	look_up(head, head->base - 1);
	look_up(head, end - 1);
	look_up(head, end);
	look_up(head, UINT64_MAX);
	unwind_table_free(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image im = { .fd = -1, .bytes = data };
	struct image_part frame;
	uint8_t how;

	if (!size)
		return 0;
	how = data[--size];
	im.size = size;
	if (!(how & 1)) {
		if (image_open_memory(&im, data, size))
			try_compile(&im);
		return 0;
	}
	/* The bytes are code too: gaps are looked into. */
	im.is_64bit = true;
	im.is_go = how & 2;
	im.code[0] = (struct image_part){ 0, 0x400000, size };
	im.nr_code = 1;
	im.entry = 0x400000 + (how >> 4);
	frame = (struct image_part){ 0, 0x400000 + size, size };
	if (how & 4)
		im.debug_frame = frame;
	else
		im.eh_frame = frame;
	try_compile(&im);
	return 0;
}
