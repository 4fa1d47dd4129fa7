// SPDX-License-Identifier: GPL-2.0-only
/* Any bytes as an ELF file: bounded work, no more than there is room for. */
/* sources: kmod/buildid.c */
#include "buildid.h"
#include "fuzz.h"

struct file {
	const u8 *data;
	size_t size;
	u32 reads;
};

static bool read_file(void *ctx, u64 offset, void *buf, u32 bytes)
{
	struct file *file = ctx;

	file->reads++;
	if (offset > file->size || bytes > file->size - offset)
		return false;
	memcpy(buf, file->data + offset, bytes);
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct file file = { .data = data, .size = size };
	u32 max = size ? data[size - 1] % 33 : 0;
	u8 *id = malloc(max + 1);

	check(flame_build_id(read_file, &file, id, max) <= max);
	check(file.reads <= 2 + 64 * 34);
	free(id);
	return 0;
}
