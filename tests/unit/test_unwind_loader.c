// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which files the loader takes from a process, and what it hands to the module: ioctl()
 * is the test's.
 */
/* sources: user/unwind/image.c user/unwind/cfi.c user/unwind/rule.c user/unwind/compile.c user/unwind/go.c user/unwind/cache.c user/unwind/loader.c kmod/buildid.c kmod/unwind_table.c user/util/mem.c user/util/msg.c user/util/text.c user/util/owner.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "flame_abi.h"
#include "unwind_table.h"
#include "unwind/loader.h"

#define DEVICE	4711
#define MAX	512

/* What the module was given. */
static struct given {
	dev_t dev;
	ino_t ino;
	size_t bytes;
} given[MAX];
static unsigned int nr_given;
static int answer;

/* What was told. */
static unsigned int nr_loaded, nr_without;
static char last_why[128], last_path[PATH_MAX];

int ioctl(int fd, unsigned long request, ...)
{
	const struct flame_ioc_unwind *arg;
	struct stat st = { 0 };
	va_list ap;

	va_start(ap, request);
	arg = va_arg(ap, const struct flame_ioc_unwind *);
	va_end(ap);
	assert_int_equal(fd, DEVICE);
	assert_true(request == FLAME_IOC_UNWIND);
	assert_int_equal(arg->reserved, 0);
	assert_null(flame_unwind_check((const void *)(uintptr_t)arg->table, arg->bytes));
	if (arg->fd >= 0)
		assert_false(fstat(arg->fd, &st));
	assert_true(nr_given < MAX);
	given[nr_given++] = (struct given){ st.st_dev, st.st_ino, arg->bytes };
	errno = answer;
	return answer ? -1 : 0;
}

static void tell(void *ctx, const struct loaded *l)
{
	(void)ctx;
	if (l->why) {
		nr_without++;
		strncpy(last_why, l->why, sizeof(last_why) - 1);
	} else {
		nr_loaded++;
		assert_true(l->bytes);
	}
	strncpy(last_path, l->path, sizeof(last_path) - 1);
}

static int set_up(void **state)
{
	(void)state;
	setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
	nr_given = nr_loaded = nr_without = 0;
	answer = 0;
	last_why[0] = '\0';
	return 0;
}

static unsigned int times_given(const char *path)
{
	unsigned int n = 0;
	struct stat st;

	assert_false(stat(path, &st));
	for (unsigned int i = 0; i < nr_given; i++)
		n += given[i].dev == st.st_dev && given[i].ino == st.st_ino;
	return n;
}

static void test_vdso(void **state)
{
	struct loader *l = loader_new(DEVICE, tell, NULL);

	(void)state;
	loader_add_vdso(l);
	assert_int_equal(nr_given, 1);
	assert_int_equal(given[0].ino, 0);
	assert_string_equal(last_path, "[vdso]");
	loader_free(l);
}

/* A child that sleeps, so that its mappings do not change. */
static pid_t start_child(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		execl("/bin/sleep", "sleep", "1000", NULL);
		_exit(127);
	}
	/* Until it is another program, and that has been linked: it sleeps then. */
	for (;;) {
		char path[64], name[PATH_MAX] = "", wchan[64] = "";
		ssize_t n;
		int fd;

		snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
		n = readlink(path, name, sizeof(name) - 1);
		snprintf(path, sizeof(path), "/proc/%d/syscall", (int)pid);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0) {
			if (read(fd, wchan, sizeof(wchan) - 1) < 0)
				wchan[0] = '\0';
			close(fd);
		}
		/* 230: clock_nanosleep */
		if (n > 0 && strstr(name, "sleep") && !strncmp(wchan, "230 ", 4))
			return pid;
		usleep(1000);
	}
}

static void test_process(void **state)
{
	struct loader *l = loader_new(DEVICE, tell, NULL);
	pid_t pid = start_child();

	(void)state;
	assert_true(loader_add_pid(l, pid));
	/* The program, its C library and its linker; nothing twice. */
	assert_int_equal(times_given("/bin/sleep"), 1);
	assert_int_equal(times_given("/lib/x86_64-linux-gnu/libc.so.6"), 1);
	assert_int_equal(times_given("/lib64/ld-linux-x86-64.so.2"), 1);
	assert_int_equal(nr_given, 3);
	assert_int_equal(nr_loaded, 3);
	assert_true(loader_add_pid(l, pid));
	assert_int_equal(nr_given, 3);
	/* Another loader begins anew. */
	loader_free(l);
	l = loader_new(DEVICE, NULL, NULL);
	assert_true(loader_add_pid(l, pid));
	assert_int_equal(nr_given, 6);
	loader_free(l);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	l = loader_new(DEVICE, NULL, NULL);
	assert_false(loader_add_pid(l, pid));
	loader_free(l);
}

static void test_all(void **state)
{
	struct loader *l = loader_new(DEVICE, tell, NULL);
	pid_t pid = start_child();

	(void)state;
	assert_true(loader_add_all(l));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(times_given("/bin/sleep"), 1);
	assert_int_equal(times_given("/proc/self/exe"), 1);
	assert_int_equal(times_given("/lib/x86_64-linux-gnu/libc.so.6"), 1);
	loader_free(l);
}

/* A file that was deleted is still what is mapped. */
static void test_deleted(void **state)
{
	static const char copy[] = "/tmp/flame-loader-copy";
	struct loader *l = loader_new(DEVICE, tell, NULL);
	struct stat st;
	unsigned int found = 0;
	void *p;
	int fd;

	(void)state;
	assert_int_equal(system("cp /lib/x86_64-linux-gnu/libm.so.6 /tmp/flame-loader-copy"), 0);
	fd = open(copy, O_RDONLY | O_CLOEXEC);
	assert_false(fstat(fd, &st));
	p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	assert_true(p != MAP_FAILED);
	close(fd);
	assert_false(unlink(copy));
	assert_true(loader_add_pid(l, getpid()));
	for (unsigned int i = 0; i < nr_given; i++)
		found += given[i].dev == st.st_dev && given[i].ino == st.st_ino;
	assert_int_equal(found, 1);
	munmap(p, 4096);
	loader_free(l);
}

static void test_refused(void **state)
{
	struct loader *l = loader_new(DEVICE, tell, NULL);
	int fd = open("/lib/x86_64-linux-gnu/libm.so.6", O_RDONLY | O_CLOEXEC);
	int text = open("/etc/passwd", O_RDONLY | O_CLOEXEC);

	(void)state;
	answer = ENOSPC;
	assert_true(loader_add_file(l, fd, "libm"));
	assert_int_equal(nr_without, 1);
	assert_non_null(strstr(last_why, "does not fit"));
	assert_false(loader_add_file(l, fd, "libm"));
	assert_true(loader_add_file(l, text, "passwd"));
	assert_string_equal(last_why, "is not an ELF file");
	assert_string_equal(last_path, "passwd");
	assert_int_equal(nr_given, 1);
	loader_free(l);
	close(fd);
	close(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_vdso, set_up),
		cmocka_unit_test_setup(test_process, set_up),
		cmocka_unit_test_setup(test_all, set_up),
		cmocka_unit_test_setup(test_deleted, set_up),
		cmocka_unit_test_setup(test_refused, set_up),
	};

	if (access("/proc/self/map_files/", X_OK)) {
		print_message("1..0 # SKIP needs root: /proc/PID/map_files\n");
		return 0;
	}
	return cmocka_run_group_tests_name("loading unwind tables", tests, NULL, NULL);
}
