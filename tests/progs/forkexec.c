// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls */
/*
 * A parent that works in parent_work(), forks a child that works in child_work()
 * and then becomes LINK, a link to this same file under another name, which works
 * in exec_work(). Over and over, each piece 20 ms of CPU time.
 *
 * usage: forkexec SECONDS LINK
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "spin.h"

#define PIECE 20000000	/* ns */

static WORKER void parent_work(uint64_t end)
{
	FRAME();
	while (now(CLOCK_PROCESS_CPUTIME_ID) < end)
		spin(20000);
}

static WORKER void child_work(uint64_t end)
{
	FRAME();
	while (now(CLOCK_PROCESS_CPUTIME_ID) < end)
		spin(20000);
}

static WORKER void exec_work(uint64_t end)
{
	FRAME();
	while (now(CLOCK_PROCESS_CPUTIME_ID) < end)
		spin(20000);
}

int main(int argc, char **argv)
{
	uint64_t end;
	pid_t pid;

	if (argc == 2 && strcmp(argv[1], "execed") == 0) {
		exec_work(now(CLOCK_PROCESS_CPUTIME_ID) + PIECE);
		return 0;
	}
	if (argc != 3) {
		fputs("usage: forkexec SECONDS LINK\n", stderr);
		return 2;
	}
	end = deadline(argv[1]);
	while (now(CLOCK_MONOTONIC) < end) {
		pid = fork();
		if (pid < 0) {
			perror("forkexec: fork");
			return 1;
		}
		if (!pid) {
			child_work(PIECE);
			execl(argv[2], argv[2], "execed", NULL);
			perror("forkexec: exec");
			_exit(1);
		}
		parent_work(now(CLOCK_PROCESS_CPUTIME_ID) + PIECE);
		waitpid(pid, NULL, 0);
	}
	return 0;
}
