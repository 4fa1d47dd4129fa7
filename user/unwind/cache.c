// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwind tables on disk. The folder may belong to a user while the tool runs as root, and
 * an object may carry the build-id of another: so nothing follows a symbolic link, a file
 * must belong to who could have written it, and a table is taken only when the unwind
 * sections that it was made of are those of the object.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "unwind_table.h"
#include "unwind/cache.h"
#include "util/mem.h"
#include "util/owner.h"
#include "util/text.h"

#define CACHE_MAGIC	0x43574c46	/* "FLWC" */
/* Raised when the compiler makes other tables of the same input. */
#define CACHE_VERSION	3

/**
 * struct cache_head - what a file of the cache begins with; the table follows
 * @sum: hash of the table
 * @made_of: fingerprint() of the object
 */
struct cache_head {
	uint32_t magic;
	uint32_t version;
	uint64_t sum;
	uint64_t made_of;
};

/* Of all that the table depends on. */
static uint64_t fingerprint(const struct image *im)
{
	uint64_t h = hash_bytes(im->code, im->nr_code * sizeof(im->code[0]));
	uint8_t *bytes;

	h = hash_pair(h, hash_bytes(im->plts, im->nr_plts * sizeof(im->plts[0])));
	h = hash_pair(h, hash_pair(im->entry, im->text));
	h = hash_pair(h, hash_bytes(&im->eh_frame, sizeof(im->eh_frame)));
	bytes = image_part_bytes(im, &im->eh_frame);
	if (bytes)
		h = hash_pair(h, hash_bytes(bytes, im->eh_frame.size));
	free(bytes);
	bytes = image_part_bytes(im, &im->debug_frame);
	if (bytes)
		h = hash_pair(h, hash_bytes(bytes, im->debug_frame.size));
	free(bytes);
	bytes = image_part_bytes(im, &im->gopclntab);
	if (bytes)
		h = hash_pair(h, hash_bytes(bytes, im->gopclntab.size));
	free(bytes);
	return h;
}

/* Opens @name in the folder @dir, which is made if @make and closed. -1: it cannot be. */
static int enter(int dir, const char *name, bool make)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT && make && !mkdirat(dir, name, 0700)) {
		fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0)
			owner_take(fd);
	}
	close(dir);
	return fd;
}

/* The folder of the cache, or -1. */
static int open_folder(bool make)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int fd;

	if (cache && *cache == '/') {
		if (make)
			mkdir(cache, 0700);
		fd = open(cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	} else if (home && *home == '/') {
		fd = open(home, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0)
			fd = enter(fd, ".cache", make);
	} else {
		return -1;
	}
	if (fd >= 0)
		fd = enter(fd, "flame", make);
	if (fd >= 0)
		fd = enter(fd, "unwind", make);
	return fd;
}

/* Whether a file was written by this user, or by root for who called sudo. */
static bool is_ours(const struct stat *st)
{
	const char *sudo = getenv("SUDO_UID");
	uint64_t uid;

	if (!S_ISREG(st->st_mode) || (st->st_mode & 022))
		return false;
	if (st->st_uid == geteuid())
		return true;
	return !geteuid() && sudo && text_number(sudo, 0, UINT32_MAX - 1, &uid) &&
	       st->st_uid == uid;
}

static bool read_all(int fd, void *buf, size_t bytes)
{
	uint8_t *p = buf;

	while (bytes) {
		ssize_t n = read(fd, p, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		bytes -= (size_t)n;
	}
	return true;
}

static bool write_all(int fd, const void *buf, size_t bytes)
{
	const uint8_t *p = buf;

	while (bytes) {
		ssize_t n = write(fd, p, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		p += n;
		bytes -= (size_t)n;
	}
	return true;
}

static bool read_table(int fd, uint64_t made_of, struct unwind_table *table)
{
	struct cache_head head;
	struct stat st;
	size_t bytes;

	if (fstat(fd, &st) || !is_ours(&st) || st.st_size <= (off_t)sizeof(head) ||
	    st.st_size - (off_t)sizeof(head) > FLAME_UNWIND_BYTES_MAX ||
	    !read_all(fd, &head, sizeof(head)) || head.magic != CACHE_MAGIC ||
	    head.version != CACHE_VERSION || head.made_of != made_of)
		return false;
	bytes = (size_t)st.st_size - sizeof(head);
	table->head = xmalloc(bytes);
	if (read_all(fd, table->head, bytes) && hash_bytes(table->head, bytes) == head.sum &&
	    !flame_unwind_check(table->head, bytes))
		return true;
	unwind_table_free(table);
	return false;
}

static bool write_table(int fd, uint64_t made_of, const struct unwind_table *table)
{
	struct cache_head head = {
		.magic = CACHE_MAGIC,
		.version = CACHE_VERSION,
		.sum = hash_bytes(table->head, table->head->bytes),
		.made_of = made_of,
	};

	return write_all(fd, &head, sizeof(head)) &&
	       write_all(fd, table->head, table->head->bytes);
}

/* Written beside its name and renamed when whole. */
static void store(int dir, const char *name, uint64_t made_of, const struct unwind_table *table)
{
	char temp[2 * FLAME_BUILD_ID_MAX + 32];
	bool ok;
	int fd;

	snprintf(temp, sizeof(temp), "%s.tmp%d", name, (int)getpid());
	unlinkat(dir, temp, 0);
	fd = openat(dir, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	ok = write_table(fd, made_of, table) && owner_take(fd);
	if (close(fd))
		ok = false;
	if (!ok || renameat(dir, temp, dir, name))
		unlinkat(dir, temp, 0);
}

const char *unwind_cached(struct unwind_table *table, const struct image *im, bool *cached)
{
	static const char digit[] = "0123456789abcdef";
	char name[2 * FLAME_BUILD_ID_MAX + 1];
	const char *why;
	uint64_t made_of;
	int dir, fd;

	*table = (struct unwind_table){ 0 };
	*cached = false;
	if (!im->build_id_len || !im->is_64bit)
		return unwind_compile(table, im);
	for (unsigned int i = 0; i < im->build_id_len; i++) {
		name[2 * i] = digit[im->build_id[i] >> 4];
		name[2 * i + 1] = digit[im->build_id[i] & 15];
	}
	name[2 * im->build_id_len] = '\0';
	made_of = fingerprint(im);
	dir = open_folder(false);
	fd = dir < 0 ? -1 : openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	*cached = fd >= 0 && read_table(fd, made_of, table);
	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	if (*cached)
		return NULL;
	why = unwind_compile(table, im);
	if (why)
		return why;
	dir = open_folder(true);
	if (dir >= 0) {
		store(dir, name, made_of, table);
		close(dir);
	}
	return NULL;
}
