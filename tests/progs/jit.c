// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls */
/*
 * Runs code that it has written into anonymous executable memory, as a just-in-time
 * compiler does: a loop of 1000 turns at each of 256 addresses, with a frame of its own.
 *
 * usage: jit SECONDS
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "spin.h"

/* push rbp; mov rbp, rsp; mov ecx, 1000; 1: dec ecx; jnz 1b; pop rbp; ret */
static const unsigned char code[] = {
	0x55, 0x48, 0x89, 0xe5, 0xb9, 0xe8, 0x03, 0x00, 0x00, 0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3,
};

int main(int argc, char **argv)
{
	unsigned char *p;
	uint64_t end;
	int i;

	if (argc != 2) {
		fputs("usage: jit SECONDS\n", stderr);
		return 2;
	}
	p = mmap(NULL, 256 * 64, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED) {
		perror("jit: mmap");
		return 1;
	}
	for (i = 0; i < 256; i++)
		memcpy(p + i * 64, code, sizeof(code));
	if (mprotect(p, 256 * 64, PROT_READ | PROT_EXEC) < 0) {
		perror("jit: mprotect");
		return 1;
	}
	end = deadline(argv[1]);
	while (now(CLOCK_MONOTONIC) < end)
		for (i = 0; i < 256; i++)
			((void (*)(void))(p + i * 64))();
	return 0;
}
