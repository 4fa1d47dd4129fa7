// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads ELF headers (System V gABI, chapters 4 and 5). Must never believe an offset or
 * a count of the file before it is compared with the file's size.
 */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include "buildid.h"
#include "unwind/image.h"
#include "util/mem.h"

#define SECTIONS_MAX	65536
#define NAMES_MAX	(1u << 20)
#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD	2
#endif
#ifndef SHT_X86_64_UNWIND
#define SHT_X86_64_UNWIND	0x70000001
#endif

static bool read_fd(int fd, uint64_t offset, uint8_t *buf, size_t bytes)
{
	while (bytes) {
		ssize_t n = pread(fd, buf, bytes, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		buf += n;
		bytes -= (size_t)n;
		offset += (uint64_t)n;
	}
	return true;
}

bool image_read(const struct image *im, uint64_t offset, void *buf, size_t bytes)
{
	if (offset > im->size || bytes > im->size - offset)
		return false;
	if (!im->bytes)
		return read_fd(im->fd, offset, buf, bytes);
	memcpy(buf, im->bytes + offset, bytes);
	return true;
}

static bool read_for_build_id(void *ctx, u64 offset, void *buf, u32 bytes)
{
	return image_read(ctx, offset, buf, bytes);
}

uint8_t *image_part_bytes(const struct image *im, const struct image_part *part)
{
	uint8_t *bytes;

	if (!part->size || part->size > IMAGE_PART_MAX || part->offset > im->size ||
	    part->size > im->size - part->offset)
		return NULL;
	bytes = xmalloc(part->size);
	if (image_read(im, part->offset, bytes, part->size))
		return bytes;
	free(bytes);
	return NULL;
}

static bool unpack(uint32_t type, const uint8_t *in, size_t in_size, uint8_t *out, size_t size)
{
	uLongf len = size;

	if (type == ELFCOMPRESS_ZLIB)
		return uncompress(out, &len, in, in_size) == Z_OK && len == size;
	if (type == ELFCOMPRESS_ZSTD)
		return ZSTD_decompress(out, size, in, in_size) == size;
	return false;
}

uint8_t *image_debug_frame(const struct image *im, size_t *size)
{
	uint8_t *packed = image_part_bytes(im, &im->debug_frame), *out;
	Elf64_Chdr head;

	*size = im->debug_frame.size;
	if (!packed || !im->debug_frame_packed)
		return packed;
	out = NULL;
	if (*size > sizeof(head)) {
		memcpy(&head, packed, sizeof(head));
		/* Neither method packs better than this bound; a larger claim is a lie. */
		if (head.ch_size && head.ch_size <= IMAGE_PART_MAX) {
			out = xmalloc(head.ch_size);
			if (!unpack(head.ch_type, packed + sizeof(head), *size - sizeof(head),
				    out, head.ch_size)) {
				free(out);
				out = NULL;
			}
		}
		*size = head.ch_size;
	}
	free(packed);
	return out;
}

bool image_offset(const struct image *im, uint64_t address, uint64_t *offset, uint64_t *left)
{
	for (unsigned int i = 0; i < im->nr_code; i++) {
		const struct image_part *s = &im->code[i];

		if (address >= s->address && address - s->address < s->size) {
			*offset = s->offset + (address - s->address);
			*left = s->size - (address - s->address);
			return true;
		}
	}
	return false;
}

/* What the segment at @address holds from there on; for files without section headers. */
static bool part_at(const struct image *im, const Elf64_Phdr *phs, unsigned int nr,
		    uint64_t address, struct image_part *part)
{
	for (unsigned int i = 0; i < nr; i++) {
		const Elf64_Phdr *ph = &phs[i];

		if (ph->p_type != PT_LOAD || address < ph->p_vaddr ||
		    address - ph->p_vaddr >= ph->p_filesz || ph->p_offset > im->size ||
		    ph->p_filesz > im->size - ph->p_offset)
			continue;
		part->address = address;
		part->offset = ph->p_offset + (address - ph->p_vaddr);
		part->size = ph->p_filesz - (address - ph->p_vaddr);
		return true;
	}
	return false;
}

/*
 * .eh_frame by way of PT_GNU_EH_FRAME (LSB 5.0 Core, "Exception Frames"): version 1, then
 * three encodings, of which the first is that of the pointer behind them. Linkers write
 * it relative to itself in four bytes; other encodings are not followed.
 */
static void find_by_header(struct image *im, const Elf64_Phdr *phs, unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++) {
		uint8_t head[8];
		int32_t delta;

		if (phs[i].p_type != PT_GNU_EH_FRAME || phs[i].p_filesz < sizeof(head) ||
		    !image_read(im, phs[i].p_offset, head, sizeof(head)) ||
		    head[0] != 1 || head[1] != 0x1b)
			continue;
		memcpy(&delta, head + 4, sizeof(delta));
		part_at(im, phs, nr, phs[i].p_vaddr + 4 + (uint64_t)(int64_t)delta, &im->eh_frame);
		return;
	}
}

static Elf64_Phdr *read_segments(struct image *im, const Elf64_Ehdr *eh, unsigned int *nr)
{
	Elf64_Phdr *phs;

	*nr = 0;
	if (eh->e_phentsize != sizeof(*phs) || !eh->e_phnum)
		return NULL;
	phs = xmalloc(eh->e_phnum * sizeof(*phs));
	if (!image_read(im, eh->e_phoff, phs, eh->e_phnum * sizeof(*phs))) {
		free(phs);
		return NULL;
	}
	*nr = eh->e_phnum;
	for (unsigned int i = 0; i < *nr && im->nr_code < IMAGE_SEGMENTS_MAX; i++) {
		const Elf64_Phdr *ph = &phs[i];

		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X) || !ph->p_filesz ||
		    ph->p_offset > im->size || ph->p_filesz > im->size - ph->p_offset ||
		    ph->p_vaddr > UINT64_MAX - ph->p_filesz)
			continue;
		im->code[im->nr_code++] = (struct image_part){ ph->p_offset, ph->p_vaddr,
							       ph->p_filesz };
	}
	return phs;
}

static void note_section(struct image *im, const Elf64_Shdr *sh, const char *name)
{
	struct image_part part = { sh->sh_offset, sh->sh_addr, sh->sh_size };

	bool is_table = !strcmp(name, ".gopclntab") || !strcmp(name, ".data.rel.ro.gopclntab");

	if (is_table || !strcmp(name, ".note.go.buildid"))
		im->is_go = true;
	if (!part.size || part.offset > im->size || part.size > im->size - part.offset)
		return;
	if (!strcmp(name, ".eh_frame") &&
	    (sh->sh_type == SHT_PROGBITS || sh->sh_type == SHT_X86_64_UNWIND)) {
		im->eh_frame = part;
	} else if (!strcmp(name, ".debug_frame") && sh->sh_type == SHT_PROGBITS) {
		im->debug_frame = part;
		im->debug_frame_packed = sh->sh_flags & SHF_COMPRESSED;
	} else if (is_table && sh->sh_type == SHT_PROGBITS) {
		im->gopclntab = part;
	} else if (!strcmp(name, ".text")) {
		im->text = part.address;
	} else if ((!strcmp(name, ".plt") || !strcmp(name, ".plt.sec") ||
		    !strcmp(name, ".plt.got")) && sh->sh_type == SHT_PROGBITS &&
		   im->nr_plts < IMAGE_PLTS_MAX) {
		im->plts[im->nr_plts++] = part;
	}
}

static void read_sections(struct image *im, const Elf64_Ehdr *eh)
{
	Elf64_Shdr *shs, *names_sh;
	char *names = NULL;
	size_t size;

	if (eh->e_shentsize != sizeof(*shs) || !eh->e_shnum || eh->e_shstrndx >= eh->e_shnum)
		return;
	shs = xmalloc(eh->e_shnum * sizeof(*shs));
	if (!image_read(im, eh->e_shoff, shs, eh->e_shnum * sizeof(*shs)))
		goto out;
	names_sh = &shs[eh->e_shstrndx];
	size = names_sh->sh_size;
	if (names_sh->sh_type != SHT_STRTAB || !size || size > NAMES_MAX)
		goto out;
	names = xmalloc(size);
	if (!image_read(im, names_sh->sh_offset, names, size))
		goto out;
	names[size - 1] = '\0';
	for (unsigned int i = 0; i < eh->e_shnum; i++)
		if (shs[i].sh_name < size && shs[i].sh_type != SHT_NOBITS)
			note_section(im, &shs[i], names + shs[i].sh_name);
out:
	free(names);
	free(shs);
}

static bool read_headers(struct image *im)
{
	unsigned int nr;
	Elf64_Phdr *phs;
	Elf64_Ehdr eh;

	if (!image_read(im, 0, &eh, EI_NIDENT) || memcmp(eh.e_ident, ELFMAG, SELFMAG))
		return false;
	im->build_id_len = flame_build_id(read_for_build_id, im, im->build_id,
					  sizeof(im->build_id));
	if (eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB)
		return true;
	if (!image_read(im, 0, &eh, sizeof(eh)))
		return false;
	if (eh.e_machine != EM_X86_64)
		return true;
	im->is_64bit = true;
	im->entry = eh.e_entry;
	phs = read_segments(im, &eh, &nr);
	read_sections(im, &eh);
	if (!im->eh_frame.size && phs)
		find_by_header(im, phs, nr);
	free(phs);
	return true;
}

bool image_open(struct image *im, int fd)
{
	struct stat st;

	*im = (struct image){ .fd = fd };
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0)
		return false;
	im->size = (uint64_t)st.st_size;
	return read_headers(im);
}

bool image_open_memory(struct image *im, const void *bytes, size_t size)
{
	*im = (struct image){ .fd = -1, .bytes = bytes, .size = size };
	return read_headers(im);
}
