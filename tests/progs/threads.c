// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread */
/*
 * Three threads beside main, which sleeps: "red one" in red(), "green two" in
 * green(), "blue;three" in blue(); the names hold a blank or what folded text must
 * escape. Prints "pid PID" and then "red TID", "green TID", "blue TID" and works.
 *
 * usage: threads SECONDS
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "spin.h"

static uint64_t end;
static pthread_mutex_t print = PTHREAD_MUTEX_INITIALIZER;

static void begin(const char *name, const char *comm)
{
	prctl(PR_SET_NAME, comm);
	pthread_mutex_lock(&print);
	printf("%s %ld\n", name, syscall(SYS_gettid));
	fflush(stdout);
	pthread_mutex_unlock(&print);
}

static WORKER void *red(void *arg)
{
	FRAME();
	begin("red", "red one");
	while (now(CLOCK_MONOTONIC) < end)
		spin(20000);
	return arg;
}

static WORKER void *green(void *arg)
{
	FRAME();
	begin("green", "green two");
	while (now(CLOCK_MONOTONIC) < end)
		spin(20000);
	return arg;
}

static WORKER void *blue(void *arg)
{
	FRAME();
	begin("blue", "blue;three");
	while (now(CLOCK_MONOTONIC) < end)
		spin(20000);
	return arg;
}

int main(int argc, char **argv)
{
	void *(*const work[])(void *) = { red, green, blue };
	pthread_t threads[3];
	int i;

	if (argc != 2) {
		fputs("usage: threads SECONDS\n", stderr);
		return 2;
	}
	end = deadline(argv[1]);
	pthread_mutex_lock(&print);
	printf("pid %d\n", getpid());
	pthread_mutex_unlock(&print);
	for (i = 0; i < 3; i++) {
		if (pthread_create(&threads[i], NULL, work[i], NULL)) {
			fputs("threads: no thread could be made\n", stderr);
			return 1;
		}
	}
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
