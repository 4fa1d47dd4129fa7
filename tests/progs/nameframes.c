// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g */
/*
 * Gives user frames of folded text their names, from the .symtab of the given
 * programs, with nothing of the flame tool: so that the module can be judged
 * without it. A frame is NAME+0xOFFSET with NAME the last part of the program's path
 * and OFFSET an offset in the file. What lies in no function stays as it is.
 *
 * usage: nameframes PROGRAM... < folded
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct object {
	const char *name;
	const unsigned char *map;
	size_t size;
};

static struct object objects[16];
static int nr_objects;

/*
 * One reader for both classes: the structures differ only in the width and order
 * of their fields, which have the same names.
 */
#define DEFINE_FIND(bits)							\
static const char *find##bits(const struct object *o, unsigned long long off)	\
{										\
	const Elf##bits##_Ehdr *eh = (const void *)o->map;			\
	const Elf##bits##_Phdr *ph = (const void *)(o->map + eh->e_phoff);	\
	const Elf##bits##_Shdr *sh = (const void *)(o->map + eh->e_shoff);	\
	unsigned long long addr = ~0ULL;					\
	int i;									\
										\
	for (i = 0; i < eh->e_phnum; i++)					\
		if (ph[i].p_type == PT_LOAD && (ph[i].p_flags & PF_X) &&	\
		    off >= ph[i].p_offset &&					\
		    off < ph[i].p_offset + ph[i].p_filesz)			\
			addr = off - ph[i].p_offset + ph[i].p_vaddr;		\
	for (i = 0; i < eh->e_shnum; i++) {					\
		const Elf##bits##_Sym *sym;					\
		size_t n;							\
										\
		if (sh[i].sh_type != SHT_SYMTAB)				\
			continue;						\
		sym = (const void *)(o->map + sh[i].sh_offset);			\
		for (n = sh[i].sh_size / sizeof(*sym); n; n--, sym++)		\
			if ((sym->st_info & 15) == STT_FUNC &&			\
			    addr >= sym->st_value &&				\
			    addr < sym->st_value + sym->st_size)		\
				return (const char *)o->map +			\
				       sh[sh[i].sh_link].sh_offset +		\
				       sym->st_name;				\
	}									\
	return NULL;								\
}

DEFINE_FIND(32)
DEFINE_FIND(64)

static int add_object(const char *path)
{
	struct object *o = &objects[nr_objects];
	int fd = open(path, O_RDONLY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		perror(path);
		return -1;
	}
	o->map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (o->map == MAP_FAILED || memcmp(o->map, ELFMAG, SELFMAG) != 0) {
		fprintf(stderr, "nameframes: %s: not an ELF file\n", path);
		return -1;
	}
	o->size = st.st_size;
	o->name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	nr_objects++;
	return 0;
}

static void put_frame(const char *frame, size_t len)
{
	int i;

	for (i = 0; i < nr_objects; i++) {
		const struct object *o = &objects[i];
		size_t n = strlen(o->name);
		const char *name;
		unsigned long long off;

		if (len < n + 4 || memcmp(frame, o->name, n) != 0 ||
		    memcmp(frame + n, "+0x", 3) != 0)
			continue;
		off = strtoull(frame + n + 1, NULL, 16);
		name = o->map[EI_CLASS] == ELFCLASS64 ? find64(o, off) : find32(o, off);
		if (name) {
			fputs(name, stdout);
			return;
		}
	}
	fwrite(frame, 1, len, stdout);
}

int main(int argc, char **argv)
{
	char *line = NULL, *p, *end;
	size_t size = 0;
	ssize_t len;
	int i;

	for (i = 1; i < argc && i <= 16; i++)
		if (add_object(argv[i]) < 0)
			return 1;
	while ((len = getline(&line, &size, stdin)) > 0) {
		end = strrchr(line, ' ');
		if (!end)
			end = line + len;
		for (p = line; p < end;) {
			size_t n = strcspn(p, ";");

			if (n > (size_t)(end - p))
				n = end - p;
			put_frame(p, n);
			p += n;
			if (p < end)
				putchar(*p++);
		}
		fputs(end, stdout);
	}
	return 0;
}
