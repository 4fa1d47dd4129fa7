// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwind tables on disk: what was stored is what comes back; what was damaged, replaced,
 * or made of other unwind information is compiled anew; links are not followed.
 */
/* sources: user/unwind/image.c user/unwind/cfi.c user/unwind/rule.c user/unwind/compile.c user/unwind/go.c user/unwind/cache.c kmod/buildid.c kmod/unwind_table.c user/util/mem.c user/util/msg.c user/util/text.c user/util/owner.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "unwind/cache.h"

#define OBJECT	"/lib/x86_64-linux-gnu/libm.so.6"

static char home[] = "/tmp/flame-cache-XXXXXX";
static struct image image;
static char entry[PATH_MAX];		/* the object's file in the cache */

static const char *hex_id(void)
{
	static char hex[2 * FLAME_BUILD_ID_MAX + 1];

	for (unsigned int i = 0; i < image.build_id_len; i++)
		sprintf(hex + 2 * i, "%02x", image.build_id[i]);
	return hex;
}

static int set_up(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(home));
	setenv("XDG_CACHE_HOME", home, 1);
	unsetenv("SUDO_UID");
	assert_true(image_open(&image, open(OBJECT, O_RDONLY | O_CLOEXEC)));
	assert_true(image.build_id_len);
	snprintf(entry, sizeof(entry), "%s/flame/unwind/%s", home, hex_id());
	return 0;
}

static int remove_all(void **state)
{
	char command[128];

	(void)state;
	close(image.fd);
	snprintf(command, sizeof(command), "rm -rf %s", home);
	return system(command);	/* NOLINT: a fixed command */
}

/* Gets the table; whether it came from the cache. It has to be the compiler's either way. */
static bool get(const struct image *im)
{
	struct unwind_table cached, compiled;
	bool hit;

	assert_null(unwind_cached(&cached, im, &hit));
	assert_null(unwind_compile(&compiled, im));
	assert_int_equal(cached.head->bytes, compiled.head->bytes);
	assert_memory_equal(cached.head, compiled.head, compiled.head->bytes);
	unwind_table_free(&cached);
	unwind_table_free(&compiled);
	return hit;
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_false(lstat(path, &st));
	return st.st_mode & 07777;
}

static void test_store_and_find(void **state)
{
	char path[PATH_MAX];
	struct dirent *e;
	unsigned int nr = 0;
	DIR *dir;

	(void)state;
	assert_false(get(&image));
	assert_true(get(&image));
	assert_int_equal(mode_of(entry), 0600);
	snprintf(path, sizeof(path), "%s/flame/unwind", home);
	assert_int_equal(mode_of(path), 0700);
	/* Nothing is left beside it. */
	dir = opendir(path);
	while ((e = readdir(dir)))
		nr += e->d_name[0] != '.';
	closedir(dir);
	assert_int_equal(nr, 1);
}

/* Each byte of the head, some of the table, and a file cut short. */
static void test_damage(void **state)
{
	struct stat st;
	uint8_t byte;
	int fd;

	(void)state;
	get(&image);
	assert_false(stat(entry, &st));
	for (off_t at = 0; at < st.st_size; at += at < 64 ? 1 : 4999) {
		fd = open(entry, O_RDWR | O_CLOEXEC);
		assert_int_equal(pread(fd, &byte, 1, at), 1);
		byte ^= 0x20;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		close(fd);
		assert_false(get(&image));
		assert_true(get(&image));
	}
	for (off_t size = 0; size < st.st_size; size += size < 64 ? 1 : 4999) {
		assert_false(truncate(entry, size));
		assert_false(get(&image));
		assert_true(get(&image));
	}
}

/* A build-id is a claim: another object may carry it. */
static void test_same_build_id(void **state)
{
	struct image other = image;

	(void)state;
	get(&image);
	other.eh_frame.size -= 4096;
	assert_false(get(&other));
	assert_true(get(&other));
	assert_false(get(&image));
}

static void test_without_build_id(void **state)
{
	struct image other = image;

	(void)state;
	other.build_id_len = 0;
	assert_false(get(&other));
	assert_false(get(&other));
}

/* Neither for the file nor for a folder. */
static void test_links(void **state)
{
	char elsewhere[PATH_MAX], path[PATH_MAX], moved[PATH_MAX];
	struct stat st;

	(void)state;
	get(&image);
	snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", home);
	assert_false(rename(entry, elsewhere));
	assert_false(symlink(elsewhere, entry));
	assert_false(get(&image));
	/* The link was replaced, what it pointed to is as it was. */
	assert_false(lstat(entry, &st));
	assert_true(S_ISREG(st.st_mode));
	snprintf(path, sizeof(path), "%s/flame/unwind", home);
	snprintf(moved, sizeof(moved), "%s/moved", home);
	assert_false(rename(path, moved));
	assert_false(symlink(moved, path));
	assert_false(get(&image));
	assert_false(get(&image));
	assert_false(unlink(path));
	assert_false(rename(moved, path));
	assert_true(get(&image));
}

/* Others could have written it. */
static void test_permissions(void **state)
{
	(void)state;
	get(&image);
	assert_false(chmod(entry, 0620));
	assert_false(get(&image));
	assert_int_equal(mode_of(entry), 0600);
	if (geteuid())
		return;
	assert_false(chown(entry, 12345, 12345));
	assert_false(get(&image));
	/* Root under sudo shares the cache with who called it. */
	assert_false(chown(entry, 12345, 12345));
	setenv("SUDO_UID", "12345", 1);
	setenv("SUDO_GID", "12345", 1);
	assert_true(get(&image));
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
}

/* No place for a cache is no reason to fail. */
static void test_no_cache(void **state)
{
	(void)state;
	setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
	assert_false(get(&image));
	setenv("XDG_CACHE_HOME", "relative", 1);
	unsetenv("HOME");
	assert_false(get(&image));
	setenv("XDG_CACHE_HOME", home, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_store_and_find),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_same_build_id),
		cmocka_unit_test(test_without_build_id),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_permissions),
		cmocka_unit_test(test_no_cache),
	};

	if (access(OBJECT, R_OK)) {
		print_message("1..0 # SKIP no " OBJECT " here\n");
		return 0;
	}
	return cmocka_run_group_tests_name("unwind tables on disk", tests, set_up, remove_all);
}
