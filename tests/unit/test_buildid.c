// SPDX-License-Identifier: GPL-2.0-only
/*
 * Build-ids: of programs of this machine as readelf tells them, of files made by
 * hand, and of hostile ones, for which the work must stay bounded.
 */
/* sources: kmod/buildid.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <wordexp.h>
#include "buildid.h"
#include "random.h"

#define ROOM	32		/* for the build-id */
#define READS	(2 + 64 * 34)	/* what no file may exceed, by the bounds in buildid.c */

/* A file in memory; reads are counted. */
struct image {
	u8 data[4096];
	u32 size;
	u32 reads;
};

static struct image image;
static u8 id[ROOM];

static bool read_image(void *ctx, u64 offset, void *buf, u32 bytes)
{
	struct image *file = ctx;

	file->reads++;
	if (offset > file->size || bytes > file->size - offset)
		return false;
	memcpy(buf, file->data + offset, bytes);
	return true;
}

/* A file without end: a header, then note segments that hold ever more empty notes. */
static bool read_endless(void *ctx, u64 offset, void *buf, u32 bytes)
{
	struct image *file = ctx;

	file->reads++;
	memset(buf, 0, bytes);
	if (offset < sizeof(Elf64_Ehdr))
		memcpy(buf, file->data + offset, bytes);
	else if (bytes == sizeof(Elf64_Phdr))
		*(Elf64_Phdr *)buf = (Elf64_Phdr){ .p_type = PT_NOTE, .p_offset = 1ULL << 40,
						   .p_filesz = 1ULL << 60 };
	return true;
}

static u32 find_by(flame_read_fn read, u32 max)
{
	u32 n;

	memset(id, 0xee, sizeof(id));
	image.reads = 0;
	n = flame_build_id(read, &image, id, max);
	assert_true(n <= max);
	assert_true(image.reads <= READS);
	return n;
}

static u32 find(void)
{
	return find_by(read_image, ROOM);
}

static void assert_id(u32 n, u32 bytes, u8 first)
{
	u32 i;

	assert_int_equal(n, bytes);
	for (i = 0; i < bytes; i++)
		assert_int_equal(id[i], (u8)(first + i));
	for (; i < ROOM; i++)
		assert_int_equal(id[i], 0xee);
}

/* An ELF header, and @phnum empty program headers behind it. */
static void start(bool is_64, u16 phnum)
{
	memset(&image, 0, sizeof(image));
	memcpy(image.data, ELFMAG, SELFMAG);
	image.data[EI_CLASS] = is_64 ? ELFCLASS64 : ELFCLASS32;
	image.data[EI_DATA] = ELFDATA2LSB;
	image.data[EI_VERSION] = EV_CURRENT;
	if (is_64) {
		Elf64_Ehdr *e = (Elf64_Ehdr *)image.data;

		e->e_phoff = sizeof(*e);
		e->e_phentsize = sizeof(Elf64_Phdr);
		e->e_phnum = phnum;
		image.size = sizeof(*e) + phnum * sizeof(Elf64_Phdr);
	} else {
		Elf32_Ehdr *e = (Elf32_Ehdr *)image.data;

		e->e_phoff = sizeof(*e);
		e->e_phentsize = sizeof(Elf32_Phdr);
		e->e_phnum = phnum;
		image.size = sizeof(*e) + phnum * sizeof(Elf32_Phdr);
	}
}

static void segment(u32 i, u32 type, u64 offset, u64 bytes)
{
	if (image.data[EI_CLASS] == ELFCLASS64) {
		Elf64_Phdr *p = (Elf64_Phdr *)(image.data + sizeof(Elf64_Ehdr)) + i;

		*p = (Elf64_Phdr){ .p_type = type, .p_offset = offset, .p_filesz = bytes };
	} else {
		Elf32_Phdr *p = (Elf32_Phdr *)(image.data + sizeof(Elf32_Ehdr)) + i;

		*p = (Elf32_Phdr){ .p_type = type, .p_offset = (u32)offset, .p_filesz = (u32)bytes };
	}
}

/* Adds a note at the end; its descriptor counts up from @first. */
static void note(u32 type, const char *name, u32 name_bytes, u32 desc_bytes, u8 first)
{
	u32 head[3] = { name_bytes, desc_bytes, type }, i;

	memcpy(image.data + image.size, head, sizeof(head));
	image.size += sizeof(head);
	memcpy(image.data + image.size, name, name_bytes);
	image.size += ALIGN(name_bytes, 4U);
	for (i = 0; i < desc_bytes; i++)
		image.data[image.size + i] = (u8)(first + i);
	image.size += ALIGN(desc_bytes, 4U);
}

/* One note segment with what @add writes. */
static void one_segment(bool is_64, void (*add)(void))
{
	u32 at;

	start(is_64, 1);
	at = image.size;
	add();
	segment(0, PT_NOTE, at, image.size - at);
}

static void add_id(void)
{
	note(NT_GNU_BUILD_ID, "GNU", 4, 20, 1);
}

static void add_others_first(void)
{
	note(NT_GNU_ABI_TAG, "GNU", 4, 16, 200);
	note(NT_GNU_BUILD_ID, "stapsdt", 8, 5, 200);	/* another's type 3; padded */
	note(NT_GNU_BUILD_ID, "GNUX", 4, 8, 200);
	note(NT_GNU_BUILD_ID, "GNU", 3, 8, 200);	/* the NUL belongs to the name */
	note(NT_GNU_BUILD_ID, "", 0, 4, 200);
	note(NT_GNU_BUILD_ID, "GNU", 4, 0, 0);
	note(NT_GNU_BUILD_ID, "GNU", 4, 20, 1);
	note(NT_GNU_BUILD_ID, "GNU", 4, 20, 100);	/* the first counts */
}

static void test_by_hand(void **state)
{
	(void)state;
	one_segment(true, add_id);
	assert_id(find(), 20, 1);
	one_segment(false, add_id);
	assert_id(find(), 20, 1);
	one_segment(true, add_others_first);
	assert_id(find(), 20, 1);
	one_segment(false, add_others_first);
	assert_id(find(), 20, 1);
}

static void test_lengths(void **state)
{
	u32 n, max, at;

	(void)state;
	for (n = 1; n <= ROOM + 1; n++) {
		start(true, 1);
		at = image.size;
		note(NT_GNU_BUILD_ID, "GNU", 4, n, 7);
		segment(0, PT_NOTE, at, image.size - at);
		for (max = 0; max <= ROOM; max++)
			assert_id(find_by(read_image, max), n <= max ? n : 0, 7);
	}
}

/* Not in the first segment, nor in one that only looks like notes. */
static void test_segments(void **state)
{
	u32 decoy, other, at, end;

	(void)state;
	start(true, 4);
	decoy = image.size;
	note(NT_GNU_BUILD_ID, "GNU", 4, 20, 100);
	other = image.size;
	note(NT_GNU_ABI_TAG, "GNU", 4, 16, 200);
	at = image.size;
	note(NT_GNU_BUILD_ID, "GNU", 4, 8, 5);
	end = image.size;
	segment(0, PT_LOAD, decoy, other - decoy);
	segment(1, PT_NOTE, other, at - other);
	segment(2, PT_NOTE, at, end - at);
	segment(3, PT_NULL, 0, 0);
	assert_id(find(), 8, 5);
	segment(2, PT_LOAD, at, end - at);
	assert_id(find(), 0, 0);
}

static void test_no_elf(void **state)
{
	(void)state;
	one_segment(true, add_id);
	image.data[0] = 0;
	assert_id(find(), 0, 0);
	one_segment(true, add_id);
	image.data[3] = 'f';
	assert_id(find(), 0, 0);
	start(true, 0);
	assert_id(find(), 0, 0);
	memcpy(image.data, "#!/bin/sh\n", 10);
	assert_id(find(), 0, 0);
	image.size = 0;
	assert_id(find(), 0, 0);
}

/* Cut anywhere: the id as a whole, or none. */
static void test_truncated(void **state)
{
	u32 whole;
	int is_64;

	(void)state;
	for (is_64 = 0; is_64 < 2; is_64++) {
		one_segment(is_64, add_id);
		whole = image.size;
		for (image.size = 0; image.size < whole; image.size++) {
			if (find())
				fail_msg("found in %u of %u bytes", image.size, whole);
		}
		assert_id(find(), 20, 1);
	}
}

/* A descriptor may not reach beyond its segment, even where the file goes on. */
static void test_beyond_the_segment(void **state)
{
	u32 at, less;

	(void)state;
	start(true, 1);
	at = image.size;
	note(NT_GNU_BUILD_ID, "GNU", 4, 20, 1);
	for (less = 1; less <= 36; less++) {
		segment(0, PT_NOTE, at, 36 - less);
		assert_int_equal(find(), 0);
	}
	segment(0, PT_NOTE, at, 36);
	assert_id(find(), 20, 1);
}

static void test_endless(void **state)
{
	(void)state;
	start(true, 0);
	((Elf64_Ehdr *)image.data)->e_phnum = 0xffff;
	assert_int_equal(find_by(read_endless, ROOM), 0);

	/* Program headers that are the header itself, and all zeros behind it. */
	start(true, 1);
	image.size = sizeof(image.data);
	((Elf64_Ehdr *)image.data)->e_phnum = 0xffff;
	((Elf64_Ehdr *)image.data)->e_phoff = 0;
	assert_int_equal(find(), 0);
}

static void test_huge_numbers(void **state)
{
	static const u64 huge[] = { ~0ULL, ~0ULL - 7, ~0ULL - 15, 1ULL << 63, 1ULL << 32,
				    0xffffffff, 0x7fffffff };
	u32 at, i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(huge); i++) {
		one_segment(true, add_id);
		at = image.size - 36;
		((Elf64_Ehdr *)image.data)->e_phoff = huge[i];
		assert_int_equal(find(), 0);

		one_segment(true, add_id);
		segment(0, PT_NOTE, huge[i], 36);
		assert_int_equal(find(), 0);
		segment(0, PT_NOTE, huge[i], huge[i]);
		assert_int_equal(find(), 0);

		/* A segment that claims all is no reason not to believe the note. */
		segment(0, PT_NOTE, at, huge[i]);
		assert_id(find(), 20, 1);

		/* A first note with a huge name, and with a huge descriptor. */
		for (k = 0; k < 2; k++) {
			one_segment(true, add_id);
			memcpy(image.data + at + 4 * k, &(u32){ (u32)huge[i] }, 4);
			assert_int_equal(find(), 0);
		}
	}
}

/* Damage anywhere: it ends, and says no more than there is room for. */
static void test_damaged(void **state)
{
	u64 random = 8, flips;
	long i;

	(void)state;
	for (i = 0; i < 100000; i++) {
		one_segment(i & 1, i & 2 ? add_id : add_others_first);
		for (flips = 1 + below(&random, 4); flips; flips--)
			image.data[below(&random, image.size)] = (u8)next_random(&random);
		find();
	}
}

static bool read_file(void *ctx, u64 offset, void *buf, u32 bytes)
{
	return offset <= INT64_MAX &&
	       pread(*(int *)ctx, buf, bytes, (off_t)offset) == (ssize_t)bytes;
}

/* What readelf says about @path, as hexadecimal digits; "" for none. */
static void ask_readelf(const char *path, char hex[2 * ROOM + 1])
{
	char command[4200], line[400];
	FILE *pipe;

	hex[0] = '\0';
	snprintf(command, sizeof(command), "readelf -n '%s' 2>/dev/null", path);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	while (fgets(line, sizeof(line), pipe))
		sscanf(line, " Build ID: %64[0-9a-f]", hex);
	pclose(pipe);
}

static void test_real_files(void **state)
{
	static const char patterns[] =
		"/usr/bin/[bd]* /usr/lib/x86_64-linux-gnu/libc.so.6 /lib32/libc.so.6 "
		"/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2";
	char hex[2 * ROOM + 1], found[2 * ROOM + 1];
	size_t i, with_id = 0;
	wordexp_t files;
	u32 n, k;
	int fd;

	(void)state;
	if (system("readelf --version >/dev/null 2>&1")) {
		print_message("no readelf here\n");
		skip();
	}
	assert_int_equal(wordexp(patterns, &files, WRDE_NOCMD), 0);
	for (i = 0; i < files.we_wordc; i++) {
		if (strchr(files.we_wordv[i], '\''))
			continue;
		fd = open(files.we_wordv[i], O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		n = flame_build_id(read_file, &fd, id, ROOM);
		close(fd);
		for (k = 0; k < n; k++)
			snprintf(found + 2 * k, 3, "%02x", id[k]);
		found[2 * n] = '\0';
		ask_readelf(files.we_wordv[i], hex);
		if (strcmp(hex, found))
			fail_msg("%s: \"%s\", readelf says \"%s\"", files.we_wordv[i], found, hex);
		with_id += n > 0;
	}
	wordfree(&files);
	assert_true(with_id > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_lengths),
		cmocka_unit_test(test_segments),
		cmocka_unit_test(test_no_elf),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_beyond_the_segment),
		cmocka_unit_test(test_endless),
		cmocka_unit_test(test_huge_numbers),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_real_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
