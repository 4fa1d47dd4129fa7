// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g */
/*
 * Keeps the kernel thread ksmd busy: offers it memory of changing content to merge.
 * Sleeps itself. The caller sets /sys/kernel/mm/ksm and ends it by a signal.
 *
 * usage: ksm
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE (16UL << 20)

int main(void)
{
	char *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long i;

	if (p == MAP_FAILED || madvise(p, SIZE, MADV_MERGEABLE) < 0) {
		perror("ksm");
		return 1;
	}
	for (i = 0; i < SIZE; i += 4096)
		memcpy(p + i, &i, sizeof(i));
	pause();
	return 0;
}
