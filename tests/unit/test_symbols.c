// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of places: ranges by hand, demangling by the examples of the mangling
 * specifications, a real ELF file (this program) by the address of its own functions,
 * and ELF files with every byte of their headers changed.
 */
/* sources: user/symbol/object.c user/symbol/ranges.c user/symbol/eh_frame.c user/symbol/demangle.c user/symbol/debugfile.c user/symbol/object_list.c user/util/mem.c user/util/msg.c user/util/text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "random.h"
#include "symbol/demangle.h"
#include "symbol/object.h"
#include "symbol/object_list.h"
#include "symbol/ranges.h"
#include "util/msg.h"

static void check_found(const struct ranges *r, uint64_t address, const char *name)
{
	const struct range *found = ranges_find(r, address);

	if (!name) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found->name, name);
}

static void test_ranges(void **state)
{
	struct ranges r = { 0 };

	(void)state;
	assert_null(ranges_find(&r, 5));
	ranges_add(&r, 300, 310, "late", 0);
	ranges_add(&r, 100, 200, "outer", 0);
	ranges_add(&r, 120, 130, "inner", 0);
	ranges_add(&r, 150, 150, "label", 5);
	ranges_add(&r, 100, 200, "alias", 3);
	ranges_sort(&r);
	assert_int_equal(r.nr, 4);
	check_found(&r, 99, NULL);
	check_found(&r, 100, "outer");
	check_found(&r, 120, "inner");
	check_found(&r, 129, "inner");
	check_found(&r, 130, "outer");
	check_found(&r, 150, "outer");
	check_found(&r, 199, "outer");
	check_found(&r, 200, NULL);
	check_found(&r, 299, NULL);
	check_found(&r, 309, "late");
	check_found(&r, 310, NULL);
	assert_int_equal(ranges_after(&r, 120)->start, 150);
	assert_null(ranges_after(&r, 300));
	ranges_free(&r);
}

static void test_demangle(void **state)
{
	static const char *const cases[][2] = {
		{ "main", "main" },
		{ "memcpy@@GLIBC_2.14", "memcpy" },
		{ "_ZN3foo3barEi", "foo::bar" },
		{ "_ZN12_GLOBAL__N_13runEv", "(anonymous namespace)::run" },
		{ "_ZN2FnclEi", "Fn::operator()" },
		{ "_ZN3PtrIiEptEv", "Ptr<int>::operator->" },
		{ "_Z3addIiET_S0_S0_", "add<int>" },
		{ "_ZSt4sortIPiEvT_S1_", "std::sort<int*>" },
		{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE",
		  "core::fmt::Write::write_fmt" },
		{ "_RNvCs15kBYyAo9fc_7mycrate7example", "mycrate::example" },
		{ "_Znot_mangled", "_Znot_mangled" },
		{ "_R", "_R" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *name = demangle(cases[i][0]);

		assert_string_equal(name, cases[i][1]);
		free(name);
	}
}

__attribute__((noinline, used))
static int flame_test_marker(int x)
{
	return x * 3 + 1;
}

/* Where the first loaded object, this program, lies. */
static int take_first(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	*(struct dl_phdr_info *)arg = *info;
	return 1;
}

/* File offset of an address in this program. */
static uint64_t offset_of(uintptr_t address)
{
	struct dl_phdr_info info;

	dl_iterate_phdr(take_first, &info);
	for (int i = 0; i < info.dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info.dlpi_phdr[i];

		if (ph->p_type == PT_LOAD && address >= info.dlpi_addr + ph->p_vaddr &&
		    address < info.dlpi_addr + ph->p_vaddr + ph->p_filesz)
			return address - info.dlpi_addr - ph->p_vaddr + ph->p_offset;
	}
	return UINT64_MAX;
}

static void test_this_program(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const char *why = NULL;
	struct object *o = object_open(fd, "/opt/some program (deleted)", &why);
	uint64_t offset = offset_of((uintptr_t)flame_test_marker);
	struct object_name name;

	(void)state;
	close(fd);
	assert_non_null(o);
	assert_true(object_name_at(o, offset + 1, &name));
	assert_string_equal(name.name, "flame_test_marker");
	assert_true(name.start == offset);
	free(name.name);
	/* Behind the end of the file there is nothing. */
	assert_false(object_name_at(o, UINT64_MAX - 1, &name));
	assert_true(object_matches(o, NULL, 0));
	assert_false(object_matches(o, (const uint8_t *)"x", 1));
	object_close(o);
}

static void test_vdso(void **state)
{
	struct object *o = object_open_vdso();
	struct object_name name;

	(void)state;
	if (!o)
		skip();
	/* Its ELF header is no function, but it is in the image. */
	assert_true(object_name_at(o, 0, &name));
	assert_string_equal(name.name, "[vdso]");
	free(name.name);
	object_close(o);
}

static void test_no_elf(void **state)
{
	int fd = memfd_create("text", MFD_CLOEXEC);
	const char *why = NULL;

	(void)state;
	assert_int_equal(write(fd, "#!/bin/sh\n", 10), 10);
	assert_null(object_open(fd, "x", &why));
	assert_non_null(why);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_null(object_open(fd, "x", &why));
	close(fd);
	assert_null(object_open(-1, "x", &why));
}

static size_t load_self(char **bytes)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	off_t size = lseek(fd, 0, SEEK_END);

	assert_true(size > 0);
	*bytes = malloc((size_t)size);
	assert_int_equal(pread(fd, *bytes, (size_t)size, 0), size);
	close(fd);
	return (size_t)size;
}

/* Looks names up all over a file; the sanitizers are the judges. */
static void look_around(int fd, size_t size)
{
	const char *why = NULL;
	struct object *o = object_open(fd, "/opt/damaged", &why);

	if (!o)
		return;
	for (size_t i = 0; i < 64; i++) {
		struct object_name name;

		if (object_name_at(o, size / 64 * i, &name))
			free(name.name);
	}
	object_close(o);
}

/* Damage where it hurts: ELF, program and section headers, symbols, unwind table. */
static void test_damaged_elf(void **state)
{
	int fd = memfd_create("elf", MFD_CLOEXEC);
	size_t size, sections;
	uint64_t seed = 7;
	char *bytes;

	(void)state;
	size = load_self(&bytes);
	assert_int_equal(write(fd, bytes, size), size);
	sections = ((const Elf64_Ehdr *)bytes)->e_shoff;
	for (int round = 0; round < 400; round++) {
		size_t places[4], nr = 1 + below(&seed, 4);

		for (size_t i = 0; i < nr; i++) {
			char byte = (char)below(&seed, 256);

			switch (below(&seed, 3)) {
			case 0:
				places[i] = below(&seed, 1024);
				break;
			case 1:
				places[i] = sections + below(&seed, size - sections);
				break;
			default:
				places[i] = below(&seed, size);
			}
			assert_int_equal(pwrite(fd, &byte, 1, (off_t)places[i]), 1);
		}
		look_around(fd, size);
		for (size_t i = 0; i < nr; i++)
			assert_int_equal(pwrite(fd, bytes + places[i], 1, (off_t)places[i]), 1);
	}
	for (size_t cut = 0; cut < size; cut += size / 97 + 1) {
		int part = memfd_create("cut", MFD_CLOEXEC);

		assert_int_equal(write(part, bytes, cut), cut);
		look_around(part, size);
		close(part);
	}
	free(bytes);
	close(fd);
}

static void test_object_list(void **state)
{
	char text[] = "app 0123456789abcdef /opt/my\\x20app\n[vdso] - -\nodd\\x20name#2 - /a\\x5cb\n";
	char bad[] = "app 012 /opt/app\n";
	const struct listed_object *o;
	struct object_list list;
	FILE *fp = fmemopen(text, strlen(text), "r");

	(void)state;
	assert_true(object_list_read(&list, fp, "objects"));
	fclose(fp);
	assert_int_equal(list.nr, 3);
	o = object_list_find(&list, "app+0x10", 3);
	assert_non_null(o);
	assert_string_equal(o->path, "/opt/my app");
	assert_int_equal(o->build_id_len, 8);
	assert_int_equal(o->build_id[1], 0x23);
	o = object_list_find(&list, "[vdso]", 6);
	assert_non_null(o);
	assert_string_equal(o->path, "[vdso]");
	assert_null(object_list_find(&list, "ap", 2));
	assert_null(object_list_find(&list, "apps", 4));
	o = object_list_find(&list, "odd\\x20name#2", 13);
	assert_non_null(o);
	assert_string_equal(o->path, "/a\\b");
	object_list_free(&list);
	fp = fmemopen(bad, strlen(bad), "r");
	assert_false(object_list_read(&list, fp, "objects"));
	fclose(fp);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_demangle),
		cmocka_unit_test(test_this_program),
		cmocka_unit_test(test_vdso),
		cmocka_unit_test(test_no_elf),
		cmocka_unit_test(test_damaged_elf),
		cmocka_unit_test(test_object_list),
	};

	msg_stream = fopen("/dev/null", "w");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
