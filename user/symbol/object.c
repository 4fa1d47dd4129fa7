// SPDX-License-Identifier: GPL-2.0-only
/*
 * The symbols of one object. A name covers what its size says and no more: an address
 * that no symbol covers gets the object's name and, where the unwind table knows it, its
 * function's start, never the name of a neighbour.
 */
#include <elf.h>
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include "symbol/debugfile.h"
#include "symbol/demangle.h"
#include "symbol/eh_frame.h"
#include "symbol/object.h"
#include "symbol/ranges.h"
#include "util/mem.h"

/* Executable part of the file: offset and address of it. */
struct segment {
	uint64_t offset;
	uint64_t address;
	uint64_t size;
};

struct object {
	Elf *elf;
	int fd;			/* own copy; -1: in memory */
	Elf *debug;		/* where .symtab is, if not in @elf */
	int debug_fd;
	char *image;		/* of the vDSO */
	char *label;		/* [basename] */
	struct segment *segments;
	size_t nr_segments, cap_segments;
	struct ranges symbols;
	struct ranges bounds;	/* of functions, by .eh_frame */
	const uint8_t *build_id;
	size_t build_id_len;
};

static char *make_label(const char *path)
{
	static const char deleted[] = " (deleted)";
	const char *base = strrchr(path, '/');
	size_t len;

	base = base ? base + 1 : path;
	len = strlen(base);
	if (len > strlen(deleted) && !strcmp(base + len - strlen(deleted), deleted))
		len -= strlen(deleted);
	if (len && *base == '[')
		return xstrndup(base, len);
	return xasprintf("[%.*s]", (int)len, base);
}

static void load_segments(struct object *o)
{
	size_t nr;

	if (elf_getphdrnum(o->elf, &nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(o->elf, (int)i, &ph) || ph.p_type != PT_LOAD ||
		    !(ph.p_flags & PF_X) || ph.p_filesz > UINT64_MAX - ph.p_offset ||
		    ph.p_filesz > UINT64_MAX - ph.p_vaddr)
			continue;
		o->segments = array_grow(o->segments, &o->cap_segments, o->nr_segments + 1,
					 sizeof(*o->segments));
		o->segments[o->nr_segments++] = (struct segment){ ph.p_offset, ph.p_vaddr,
								  ph.p_filesz };
	}
}

static const struct segment *segment_of_address(const struct object *o, uint64_t address)
{
	for (size_t i = 0; i < o->nr_segments; i++) {
		const struct segment *s = &o->segments[i];

		if (address >= s->address && address - s->address < s->size)
			return s;
	}
	return NULL;
}

static const struct segment *segment_of_offset(const struct object *o, uint64_t offset)
{
	for (size_t i = 0; i < o->nr_segments; i++) {
		const struct segment *s = &o->segments[i];

		if (offset >= s->offset && offset - s->offset < s->size)
			return s;
	}
	return NULL;
}

/* Of aliases: sized before unsized, global before weak before local, plain names first. */
static unsigned int symbol_rank(const GElf_Sym *sym, const char *name)
{
	unsigned int bind = GELF_ST_BIND(sym->st_info), underscores = 0;
	unsigned int rank = sym->st_size ? 0 : 100;

	if (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE)
		rank += 50;
	if (bind == STB_WEAK)
		rank += 10;
	else if (bind == STB_LOCAL)
		rank += 20;
	while (underscores < 9 && name[underscores] == '_')
		underscores++;
	return rank + underscores;
}

static bool is_code(const struct object *o, const GElf_Sym *sym, const char *name)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);

	if (!name || !*name || sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS ||
	    sym->st_size > UINT64_MAX - sym->st_value)
		return false;
	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return false;
	/* Mapping symbols and assembler labels say nothing to a reader. */
	if (type == STT_NOTYPE && (*name == '$' || !strncmp(name, ".L", 2)))
		return false;
	return segment_of_address(o, sym->st_value);
}

static void load_symbols(struct object *o, Elf *elf, GElf_Word wanted)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		Elf_Data *data;
		size_t nr;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != wanted || !sh.sh_entsize)
			continue;
		data = elf_getdata(scn, NULL);
		if (!data || !data->d_buf)
			continue;
		nr = data->d_size / sh.sh_entsize;
		for (size_t i = 0; i < nr; i++) {
			const char *name;
			GElf_Sym sym;

			if (!gelf_getsym(data, (int)i, &sym))
				break;
			name = elf_strptr(elf, sh.sh_link, sym.st_name);
			if (is_code(o, &sym, name))
				ranges_add(&o->symbols, sym.st_value, sym.st_value + sym.st_size,
					   name, symbol_rank(&sym, name));
		}
	}
}

static bool has_symtab(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			return true;
	return false;
}

static void load_bounds(struct object *o)
{
	const unsigned char *ident = (const unsigned char *)elf_getident(o->elf, NULL);
	Elf_Scn *scn = NULL;
	size_t names;

	if (!ident || elf_getshdrstrndx(o->elf, &names))
		return;
	while ((scn = elf_nextscn(o->elf, scn))) {
		const char *name;
		Elf_Data *data;
		GElf_Shdr sh;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(o->elf, names, sh.sh_name);
		if (!name || strcmp(name, ".eh_frame"))
			continue;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf)
			eh_frame_ranges(&o->bounds, ident, data, sh.sh_addr);
	}
	ranges_sort(&o->bounds);
}

/*
 * A symbol without a size ends where its unwind entry ends, else where the next symbol
 * begins or the segment ends. Inside a symbol that has a size it is a mere label: it is
 * given no extent, so that look-ups pass over it.
 */
static void end_unsized(struct object *o)
{
	struct ranges *r = &o->symbols;
	uint64_t covered = 0;

	ranges_sort(r);
	for (size_t i = 0; i < r->nr; i++) {
		struct range *s = &r->at[i];
		const struct segment *seg = segment_of_address(o, s->start);
		const struct range *bound;

		if (s->end > s->start) {
			if (s->end > covered)
				covered = s->end;
			continue;
		}
		if (s->start < covered || !seg)
			continue;
		s->end = seg->address + seg->size;
		if (i + 1 < r->nr && r->at[i + 1].start < s->end)
			s->end = r->at[i + 1].start;
		bound = ranges_find(&o->bounds, s->start);
		if (bound && bound->end < s->end)
			s->end = bound->end;
	}
	ranges_sort(r);
}

static void load_debug_symbols(struct object *o, const char *path)
{
	o->debug_fd = debugfile_open(o->elf, path);
	if (o->debug_fd < 0)
		return;
	o->debug = elf_begin(o->debug_fd, ELF_C_READ, NULL);
	if (o->debug)
		load_symbols(o, o->debug, SHT_SYMTAB);
}

static void load(struct object *o, const char *path)
{
	const void *id = NULL;
	ssize_t id_len = dwelf_elf_gnu_build_id(o->elf, &id);

	if (id_len > 0) {
		o->build_id = id;
		o->build_id_len = (size_t)id_len;
	}
	o->label = make_label(path);
	load_segments(o);
	load_bounds(o);
	if (has_symtab(o->elf))
		load_symbols(o, o->elf, SHT_SYMTAB);
	else
		load_debug_symbols(o, path);
	load_symbols(o, o->elf, SHT_DYNSYM);
	end_unsized(o);
}

static struct object *new_object(void)
{
	struct object *o = xcalloc(1, sizeof(*o));

	o->fd = -1;
	o->debug_fd = -1;
	elf_version(EV_CURRENT);
	return o;
}

static bool is_native_elf(Elf *elf)
{
	const char *ident = elf ? elf_getident(elf, NULL) : NULL;

	return ident && elf_kind(elf) == ELF_K_ELF &&
	       ident[EI_DATA] == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB :
									      ELFDATA2MSB);
}

struct object *object_open(int fd, const char *path, const char **why)
{
	struct object *o = new_object();

	o->fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (o->fd < 0) {
		*why = strerror(errno);
		object_close(o);
		return NULL;
	}
	/* Not mapped: a file that is cut short meanwhile must not kill this program. */
	o->elf = elf_begin(o->fd, ELF_C_READ, NULL);
	if (!is_native_elf(o->elf)) {
		*why = "not an ELF file of this machine";
		object_close(o);
		return NULL;
	}
	load(o, path);
	return o;
}

/* Bytes of the mapping that begins at @start. */
static size_t mapping_size(uintptr_t start)
{
	FILE *fp = fopen("/proc/self/maps", "re");
	size_t size = 0;
	char line[512];

	if (!fp)
		return 0;
	while (!size && fgets(line, sizeof(line), fp)) {
		char *dash;

		if (strtoull(line, &dash, 16) == start && *dash == '-')
			size = strtoull(dash + 1, NULL, 16) - start;
	}
	fclose(fp);
	return size;
}

struct object *object_open_vdso(void)
{
	uintptr_t start = getauxval(AT_SYSINFO_EHDR);
	size_t size = start ? mapping_size(start) : 0;
	struct object *o;

	if (!size)
		return NULL;
	o = new_object();
	o->image = xcalloc(1, size);
	/* The auxiliary vector holds addresses as numbers. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	memcpy(o->image, (const void *)start, size);
	o->elf = elf_memory(o->image, size);
	if (!is_native_elf(o->elf)) {
		object_close(o);
		return NULL;
	}
	load(o, "[vdso]");
	return o;
}

void object_close(struct object *o)
{
	if (!o)
		return;
	ranges_free(&o->symbols);
	ranges_free(&o->bounds);
	elf_end(o->debug);
	elf_end(o->elf);
	if (o->debug_fd >= 0)
		close(o->debug_fd);
	if (o->fd >= 0)
		close(o->fd);
	free(o->segments);
	free(o->image);
	free(o->label);
	free(o);
}

const uint8_t *object_build_id(const struct object *o, size_t *len)
{
	*len = o->build_id_len;
	return o->build_id;
}

bool object_matches(const struct object *o, const uint8_t *id, size_t len)
{
	return !len || (len == o->build_id_len && !memcmp(id, o->build_id, len));
}

bool object_name_at(struct object *o, uint64_t offset, struct object_name *name)
{
	const struct segment *seg = segment_of_offset(o, offset);
	const struct range *found, *bound;
	uint64_t address;

	*name = (struct object_name){ .start = OBJECT_NO_START };
	if (!seg)
		return false;
	address = seg->address + (offset - seg->offset);
	found = ranges_find(&o->symbols, address);
	bound = found ? NULL : ranges_find(&o->bounds, address);
	if (found)
		name->name = demangle(found->name);
	else if (bound)
		name->name = xasprintf("%s+0x%" PRIx64, o->label, bound->start);
	else
		name->name = xstrdup(o->label);
	if (bound)
		found = bound;
	if (found && found->start >= seg->address)
		name->start = seg->offset + (found->start - seg->address);
	return true;
}
