// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the build-id of an ELF file through a read callback. Every number in the file
 * is hostile: program headers, note segments and notes are bounded in count and size.
 */
#ifdef __KERNEL__
#include <linux/elf.h>
#else
#include <elf.h>
#endif
#include "buildid.h"

#define BUILD_ID_NOTE	3	/* NT_GNU_BUILD_ID, which the kernel's header lacks */
#define PHDRS_MAX	64
#define NOTES_MAX	32

struct note_head {
	u32 name_bytes;
	u32 desc_bytes;
	u32 type;
	char name[4];
};

/* Looks for the build-id in a note segment of @bytes at @offset. */
static u32 search_notes(flame_read_fn read, void *ctx, u64 offset, u64 bytes, u8 *id, u32 max)
{
	struct note_head note;
	u64 size;
	int i;

	for (i = 0; i < NOTES_MAX && bytes >= sizeof(note); i++) {
		if (!read(ctx, offset, &note, sizeof(note)))
			return 0;
		size = 12 + ALIGN((u64)note.name_bytes, 4) + ALIGN((u64)note.desc_bytes, 4);
		if (size > bytes)
			return 0;
		if (note.type == BUILD_ID_NOTE && note.name_bytes == 4 &&
		    !memcmp(note.name, "GNU", 4) && note.desc_bytes && note.desc_bytes <= max)
			return read(ctx, offset + sizeof(note), id, note.desc_bytes) ?
			       note.desc_bytes : 0;
		offset += size;
		bytes -= size;
	}
	return 0;
}

u32 flame_build_id(flame_read_fn read, void *ctx, u8 *id, u32 max)
{
	union {
		Elf64_Ehdr e64;
		Elf32_Ehdr e32;
		u8 ident[EI_NIDENT];
	} head;
	bool is_64;
	u32 i, nr, found;
	u64 at, step;

	if (!read(ctx, 0, &head, sizeof(head.e32)) || memcmp(head.ident, ELFMAG, SELFMAG))
		return 0;
	is_64 = head.ident[EI_CLASS] == ELFCLASS64;
	if (is_64 && !read(ctx, 0, &head, sizeof(head.e64)))
		return 0;
	at = is_64 ? head.e64.e_phoff : head.e32.e_phoff;
	nr = is_64 ? head.e64.e_phnum : head.e32.e_phnum;
	step = is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	for (i = 0; i < nr && i < PHDRS_MAX; i++, at += step) {
		union {
			Elf64_Phdr p64;
			Elf32_Phdr p32;
		} ph;
		u64 offset, bytes;

		if (!read(ctx, at, &ph, (u32)step))
			return 0;
		if ((is_64 ? ph.p64.p_type : ph.p32.p_type) != PT_NOTE)
			continue;
		offset = is_64 ? ph.p64.p_offset : ph.p32.p_offset;
		bytes = is_64 ? ph.p64.p_filesz : ph.p32.p_filesz;
		found = search_notes(read, ctx, offset, bytes, id, max);
		if (found)
			return found;
	}
	return 0;
}
