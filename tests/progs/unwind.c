// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g -fomit-frame-pointer -pthread */
/*
 * Stacks without frame pointers, of the kinds that unwinding finds hard:
 *
 *	unwind KIND
 *
 * sort: callbacks of qsort(); signal: a handler that spins; altstack: the same on a stack
 * of its own; threads: four of them; realign: a function that aligns its frame;
 * alloca: frames of changing size; spawn: posix_spawn() in a loop; exec: itself again and
 * again, with functions bound at their first call. Runs until it is killed.
 */
#include <alloca.h>
#include <ctype.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile uint64_t sink;

NOINLINE static uint64_t spin(uint64_t n)
{
	uint64_t x = n;

	for (uint64_t i = 0; i < 50; i++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	return x;
}

/* Recursion with a frame, and work before and after the call. */
NOINLINE static uint64_t deep(unsigned int depth, uint64_t x)
{
	uint64_t room[4] = { x, depth, spin(x), 0 };

	if (depth)
		room[3] = deep(depth - 1, room[2]);
	return spin(room[3] ^ room[0]) + room[1];
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	sink += spin(x);
	return (x > y) - (x < y);
}

static int compare_bytes(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}

NOINLINE static void sort(void)
{
	uint64_t values[300];

	for (unsigned int i = 0; i < 300; i++)
		values[i] = sink = spin(sink + i);
	qsort(values, 300, sizeof(values[0]), compare);
}

static void handler(int sig)
{
	for (unsigned int i = 0; i < 200; i++)
		sink += deep(3, (uint64_t)sig + i);
}

NOINLINE static void signals(int on_stack)
{
	static char stack[65536];
	struct sigaction sa = { .sa_handler = handler, .sa_flags = on_stack ? SA_ONSTACK : 0 };
	struct itimerval every = { { 0, 2000 }, { 0, 2000 } };
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };

	if (on_stack)
		sigaltstack(&ss, NULL);
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	for (;;)
		sink += deep(5, sink);
}

static void *thread(void *arg)
{
	for (;;)
		sink += deep((unsigned int)(uintptr_t)arg, sink);
	return NULL;
}

NOINLINE static void threads(void)
{
	pthread_t t;

	for (uintptr_t i = 0; i < 3; i++)
		pthread_create(&t, NULL, thread, (void *)(3 + i));
	thread((void *)9);
}

NOINLINE static void touch(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
	sink += deep(2, (uintptr_t)p);
}

NOINLINE static void realign(unsigned int depth)
{
	char wide[64] __attribute__((aligned(64)));
	char any[depth * 8 + 8];

	touch(wide);
	touch(any);
	if (depth)
		realign(depth - 1);
	touch(wide);
}

NOINLINE static void vary(unsigned int depth)
{
	char *room = alloca(depth * 24 + 8);

	touch(room);
	if (depth)
		vary(depth - 1);
	touch(room);
}

NOINLINE static void spawn(char **env)
{
	char *argv[] = { "true", NULL };
	int status;
	pid_t pid;

	if (!posix_spawn(&pid, "/bin/true", NULL, NULL, argv, env))
		waitpid(pid, &status, 0);
}

/* Binds some functions at their first call, then begins anew: most time is ld.so's. */
NOINLINE static void again(char **argv, char **env)
{
	char text[64];
	time_t now = time(NULL);
	char *copy = strdup(argv[0]);

	snprintf(text, sizeof(text), "%ld %s", strtol("12", NULL, 0), getenv("HOME"));
	qsort(text, strlen(text), 1, compare_bytes);
	sink += (uint64_t)getpid() + (uint64_t)getuid() + (uint64_t)mktime(localtime(&now));
	sink += (uint64_t)atoi(text) + strspn(text, " 0123456789") + (uint64_t)toupper(text[0]);
	free(copy);
	execve("/proc/self/exe", argv, env);
}

int main(int argc, char **argv, char **env)
{
	const char *kind = argc > 1 ? argv[1] : "";

	for (;;) {
		if (!strcmp(kind, "sort"))
			sort();
		else if (!strcmp(kind, "signal"))
			signals(0);
		else if (!strcmp(kind, "altstack"))
			signals(1);
		else if (!strcmp(kind, "threads"))
			threads();
		else if (!strcmp(kind, "realign"))
			realign(6);
		else if (!strcmp(kind, "alloca"))
			vary(6);
		else if (!strcmp(kind, "spawn"))
			spawn(env);
		else if (!strcmp(kind, "exec"))
			again(argv, env);
		else
			return 2;
	}
}
