/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that is there twice in a row, as rings need it: what is written at x is
 * read at x + size. Pages of a memfd, mapped two times.
 */
#ifndef TEST_DOUBLE_MAP_H
#define TEST_DOUBLE_MAP_H

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* @size is a multiple of the page size. Returns NULL when the system refuses. */
static inline uint8_t *double_map(size_t size)
{
	int fd = memfd_create("ring", MFD_CLOEXEC);
	uint8_t *base;

	if (fd < 0)
		return NULL;
	base = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (ftruncate(fd, (off_t)size) || base == MAP_FAILED ||
	    mmap(base, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) != base ||
	    mmap(base + size, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) !=
	    base + size)
		base = NULL;
	close(fd);
	return base;
}

static inline void double_unmap(uint8_t *base, size_t size)
{
	munmap(base, 2 * size);
}

#endif /* TEST_DOUBLE_MAP_H */
