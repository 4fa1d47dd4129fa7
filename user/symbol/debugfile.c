// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds separate debug files, by the rules gdb documents ("Debugging Information in
 * Separate Files"). Looks at local files only.
 */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "symbol/debugfile.h"
#include "util/mem.h"

#define DEBUG_ROOT	"/usr/lib/debug"

static bool same_build_id(int fd, const void *id, size_t len)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	const void *other = NULL;
	ssize_t n = elf ? dwelf_elf_gnu_build_id(elf, &other) : -1;
	bool same = n > 0 && (size_t)n == len && !memcmp(other, id, len);

	elf_end(elf);
	return same;
}

static bool same_crc(int fd, uint32_t crc)
{
	char *buf = xcalloc(1, 65536);
	uLong sum = crc32(0, NULL, 0);
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buf, 65536, at)) > 0) {
		sum = crc32(sum, (const Bytef *)buf, (uInt)n);
		at += n;
	}
	free(buf);
	return !n && (uint32_t)sum == crc;
}

/* Takes over @path. */
static int try_path(char *path, const void *id, size_t id_len, uint32_t crc)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	free(path);
	if (fd < 0)
		return -1;
	if (id_len ? same_build_id(fd, id, id_len) : same_crc(fd, crc))
		return fd;
	close(fd);
	return -1;
}

static int by_build_id(const uint8_t *id, size_t len)
{
	char hex[2 * 64 + 1];

	if (len < 2 || len > 64)
		return -1;
	for (size_t i = 0; i < len; i++) {
		static const char digit[] = "0123456789abcdef";

		hex[2 * i] = digit[id[i] >> 4];
		hex[2 * i + 1] = digit[id[i] & 15];
	}
	hex[2 * len] = '\0';
	return try_path(xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex, hex + 2), id, len, 0);
}

int debugfile_open(Elf *elf, const char *path)
{
	const void *id = NULL;
	ssize_t id_len = dwelf_elf_gnu_build_id(elf, &id);
	const char *slash = strrchr(path, '/'), *link;
	GElf_Word crc = 0;
	int dir, fd = -1;

	if (id_len > 0)
		fd = by_build_id(id, (size_t)id_len);
	else
		id_len = 0;
	link = fd < 0 ? dwelf_elf_gnu_debuglink(elf, &crc) : NULL;
	if (!link || !slash || *path != '/' || strchr(link, '/'))
		return fd;
	dir = (int)(slash - path);
	fd = try_path(xasprintf("%.*s/%s", dir, path, link), id, (size_t)id_len, crc);
	if (fd < 0)
		fd = try_path(xasprintf("%.*s/.debug/%s", dir, path, link), id, (size_t)id_len, crc);
	if (fd < 0)
		fd = try_path(xasprintf(DEBUG_ROOT "%.*s/%s", dir, path, link), id,
			      (size_t)id_len, crc);
	return fd;
}
