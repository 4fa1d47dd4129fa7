// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording against a device that is a script: what is written to it, that records
 * reach the file with ids of its own, counters as differences, names from held files,
 * and what is said when the module refuses or sends rubbish.
 */
/* sources: user/record/session.c user/record/device.c user/record/run.c user/record/recfile.c user/record/workload.c user/record/summary.c user/symbol/symbolize.c user/symbol/object.c user/symbol/ranges.c user/symbol/eh_frame.c user/symbol/demangle.c user/symbol/debugfile.c user/input/[a-z]*.c user/unwind/[a-z]*.c kmod/buildid.c kmod/unwind_table.c user/output/flame_writer.c user/output/folded.c user/profile/profile.c user/util/mem.c user/util/msg.c user/util/progress.c user/util/owner.c user/util/outfile.c user/util/system.c user/util/term.c user/util/text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "input/input.h"
#include "output/folded.h"
#include "record/recfile.h"
#include "record/run.h"
#include "record/session.h"
#include "records.h"
#include "util/mem.h"
#include "util/msg.h"

/* The stream is a pipe; everything else is remembered or answered from here. */
static struct fake {
	struct device pub;
	int feed;			/* write end of the stream */
	char log[4096];			/* commands, in order */
	const char *refuse;		/* a command that begins so is refused ... */
	int refusal;			/* ... with this errno */
	const char *stats[2];		/* before the start, after the end */
	int gets;
	int asked_fd;			/* the id asked for, + 1000 for each further one */
	struct record_buf records;	/* sent at the start */
	bool keep_open;			/* the stream ends at the stop only */
	bool closed;
} fake;

static int fake_command(struct device *d, const char *text)
{
	(void)d;
	strncat(fake.log, text, sizeof(fake.log) - strlen(fake.log) - 1);
	if (fake.refuse && !strncmp(text, fake.refuse, strlen(fake.refuse)))
		return -fake.refusal;
	if (!strcmp(text, "sampling_on 1\n")) {
		assert_int_equal(write(fake.feed, fake.records.bytes, fake.records.len),
				 fake.records.len);
		if (!fake.keep_open) {
			close(fake.feed);
			fake.feed = -1;
		}
	}
	if (!strcmp(text, "sampling_on 0\n") && fake.feed >= 0) {
		close(fake.feed);
		fake.feed = -1;
	}
	return 0;
}

static char *fake_get(struct device *d, const char *name)
{
	(void)d;
	if (!strcmp(name, "stats"))
		return xstrdup(fake.stats[fake.gets++ ? 1 : 0]);
	if (!strcmp(name, "error_log"))
		return xstrdup("[    1.000000] old: no\n[    2.000000] set_pid: there is no process 4711\n");
	if (!strcmp(name, "buffer_size_kb"))
		return xstrdup("64\n");
	return NULL;
}

static ssize_t fake_read(struct device *d, void *buf, size_t size)
{
	return read(d->fd, buf, size);
}

/* Every object is this program itself. */
static int fake_object_fd(struct device *d, uint32_t id)
{
	(void)d;
	fake.asked_fd = fake.asked_fd * 1000 + (int)id;
	return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

static void fake_close(struct device *d)
{
	close(d->fd);
	if (fake.feed >= 0)
		close(fake.feed);
	fake.feed = -1;
	fake.closed = true;
}

static const struct device_ops fake_ops = {
	.command = fake_command,
	.get = fake_get,
	.read = fake_read,
	.object_fd = fake_object_fd,
	.close = fake_close,
};

static struct device *fake_open(void)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return NULL;
	fake.pub = (struct device){ &fake_ops, ends[0], false };
	fake.feed = ends[1];
	return &fake.pub;
}

static struct record_options options;
static char dir[64], path[96];
static char *said;
static size_t said_size;

static int setup(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.feed = -1;
	fake.stats[0] = "ticks: 10\nlost: 1\nmissed: 2\nfrequency: 99\n";
	fake.stats[1] = "ticks: 30\nlost: 1\nmissed: 2\nfrequency: 99\n";
	strcpy(dir, "/tmp/flame-test-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/prof.flame", dir);
	options = (struct record_options){
		.frequency = 99, .pids = "", .tids = "", .cpus = "all", .threads = "all",
		.stacks = "kernel user", .unwind = "auto", .max_depth = 127, .output = path,
	};
	msg_stream = open_memstream(&said, &said_size);
	return 0;
}

static int teardown(void **state)
{
	char *command = xasprintf("rm -rf %s", dir);
	int status;

	(void)state;
	fclose(msg_stream);
	msg_stream = NULL;
	free(said);
	status = system(command);
	free(command);
	return status;
}

static const char *messages(void)
{
	fflush(msg_stream);
	return said;
}

static char *folded_of(const char *file)
{
	static const struct input_options in;
	static const struct folded_options how = { true, true, true };
	struct profile *p = input_read(file, &in);
	char *text = NULL;
	size_t size;
	FILE *fp;

	if (!p)
		return xstrdup("");
	fp = open_memstream(&text, &size);
	folded_write(fp, p, 0, &how);
	fclose(fp);
	profile_free(p);
	return text;
}

static void check_file(const char *file, const char *want)
{
	char *text = folded_of(file);

	assert_string_equal(text, want);
	free(text);
}

static void test_records_to_file(void **state)
{
	struct stat st;

	(void)state;
	put_small_recording(&fake.records);
	assert_int_equal(record_run(&options, fake_open), 0);
	assert_true(fake.closed);
	/* 0x1000 and 0x1234 lie in this program, whose names the file now holds. */
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(fake.asked_fd, 7);
	assert_non_null(strstr(messages(), "4 samples in "));
	assert_null(strstr(messages(), "lost"));
}

/* What is set before sampling starts: nothing that was there before may have effect. */
static void test_settings(void **state)
{
	static const char want[] =
		"current_source timer\nfrequency 997\nduration 0\nstacks kernel\nunwind fp\n"
		"max_depth 64\nset_pid 12 13\nset_tid \nset_comm \ncpus 0-3\nthreads user\n"
		"options/idle 1\noptions/irq 0\noptions/offset 0\noptions/overwrite 0\n"
		"options/follow_children 0\nsampling_on 1\n";

	(void)state;
	options.frequency = 997;
	options.stacks = "kernel";
	options.unwind = "fp";
	options.max_depth = 64;
	options.pids = "12 13";
	options.cpus = "0-3";
	options.threads = "user";
	options.idle = true;
	put_small_recording(&fake.records);
	record_run(&options, fake_open);
	fake.log[sizeof(want) - 1] = '\0';
	assert_string_equal(fake.log, want);
}

static void test_no_tables(void **state)
{
	(void)state;
	options.unwind = "table";
	fake.refuse = "unwind table";
	fake.refusal = EOPNOTSUPP;
	put_small_recording(&fake.records);
	assert_int_equal(record_run(&options, fake_open), 0);
	assert_non_null(strstr(fake.log, "unwind auto\n"));
	assert_non_null(strstr(messages(), "no unwind tables"));
}

static void test_refused(void **state)
{
	(void)state;
	options.pids = "4711";
	fake.refuse = "set_pid";
	fake.refusal = ESRCH;
	assert_int_equal(record_run(&options, fake_open), 1);
	assert_string_equal(messages(),
			    "flame: set_pid: No such process: set_pid: there is no process 4711\n");
	assert_int_equal(access(path, F_OK), -1);
	assert_true(fake.closed);
}

static void test_busy(void **state)
{
	(void)state;
	fake.refuse = "sampling_on 1";
	fake.refusal = EBUSY;
	assert_int_equal(record_run(&options, fake_open), 1);
	assert_int_equal(access(path, F_OK), -1);
	assert_non_null(strstr(messages(), "sampling does not start: "));
}

static void write_file(const char *name, const char *text)
{
	FILE *fp = fopen(name, "w");

	assert_non_null(fp);
	fputs(text, fp);
	fclose(fp);
}

static void check_text(const char *name, const char *want)
{
	char text[64] = "";
	FILE *fp = fopen(name, "r");

	assert_non_null(fp);
	assert_true(fread(text, 1, sizeof(text) - 1, fp) > 0);
	fclose(fp);
	assert_string_equal(text, want);
}

static void test_older_file(void **state)
{
	char *old = xasprintf("%s.old", path);

	(void)state;
	write_file(path, "older");
	put_small_recording(&fake.records);
	assert_int_equal(record_run(&options, fake_open), 0);
	check_text(old, "older");
	free(old);
}

static void test_nothing(void **state)
{
	char *old = xasprintf("%s.old", path);

	(void)state;
	write_file(path, "older");
	fake.stats[1] = "ticks: 110\nidle: 100\n";
	assert_int_equal(record_run(&options, fake_open), 1);
	/* The older recording has its name back. */
	check_text(path, "older");
	assert_int_equal(access(old, F_OK), -1);
	assert_non_null(strstr(messages(), "nothing recorded: the CPUs were idle"));
	free(old);
}

static void test_nothing_filtered(void **state)
{
	(void)state;
	fake.stats[1] = "ticks: 110\nfiltered: 100\n";
	assert_int_equal(record_run(&options, fake_open), 1);
	assert_non_null(strstr(messages(), "the filter matched nothing (100 samples"));
}

static void test_losses(void **state)
{
	(void)state;
	put_small_recording(&fake.records);
	fake.stats[1] = "ticks: 110\nlost: 8\nmissed: 27\nthrottled: 3\ntruncated: 2\n";
	assert_int_equal(record_run(&options, fake_open), 0);
	/* Differences: 8 - 1, 27 - 2 of 25 + 100 ticks. */
	assert_non_null(strstr(messages(), "7 samples lost"));
	assert_non_null(strstr(messages(), "buffer_size_kb (now 64)"));
	assert_non_null(strstr(messages(), "25 ticks came too late to be taken (20.0 %)"));
	assert_non_null(strstr(messages(), "3 ticks were given up to stay within max_overhead"));
	assert_non_null(strstr(messages(), "2 stacks were cut: raise --max-depth"));
}

static void test_rubbish(void **state)
{
	(void)state;
	put_small_recording(&fake.records);
	put_sample(&fake.records, 77, "c", 1, 1, 1);
	assert_int_equal(record_run(&options, fake_open), 1);
	assert_non_null(strstr(messages(), "refers to a stack that is not there"));
	assert_true(fake.closed);
}

static void test_impossible_size(void **state)
{
	(void)state;
	put_small_recording(&fake.records);
	((struct flame_rec *)fake.records.bytes)->size = 12;
	assert_int_equal(record_run(&options, fake_open), 1);
	assert_non_null(strstr(messages(), "impossible size"));
}

static void test_command(void **state)
{
	char *argv[] = { (char []){ "sh" }, (char []){ "-c" }, (char []){ "exit 7" }, NULL };
	char want[64];

	(void)state;
	options.command = argv;
	fake.keep_open = true;
	put_small_recording(&fake.records);
	assert_int_equal(record_run(&options, fake_open), 7);
	snprintf(want, sizeof(want), "options/follow_children 1\nsampling_on 1\nsampling_on 0\n");
	assert_non_null(strstr(fake.log, want));
	assert_null(strstr(fake.log, "set_pid \n"));
	argv[2] = (char []){ "kill -KILL $$" };
	memset(&fake.records, 0, sizeof(fake.records));
	put_small_recording(&fake.records);
	assert_int_equal(record_run(&options, fake_open), 137);
	argv[0] = (char []){ "/nonexistent/command" };
	assert_int_equal(record_run(&options, fake_open), 127);
	assert_non_null(strstr(messages(), "/nonexistent/command: No such file"));
}

/* -d ends the recording and the command; that is no failure. */
static void test_duration(void **state)
{
	char *argv[] = { (char []){ "sleep" }, (char []){ "1000" }, NULL };

	(void)state;
	options.command = argv;
	options.duration_ns = 50000000;
	fake.keep_open = true;
	put_small_recording(&fake.records);
	assert_int_equal(record_run(&options, fake_open), 0);
}

static void test_intervals(void **state)
{
	char *second = xasprintf("%s/prof.2.flame", dir);
	char *third = xasprintf("%s/prof.3.flame", dir);

	(void)state;
	options.interval_ns = 20000000;
	options.count = 2;
	fake.keep_open = true;
	put_small_recording(&fake.records);
	assert_int_equal(record_run(&options, fake_open), 0);
	assert_int_equal(access(second, F_OK), 0);
	assert_int_equal(access(third, F_OK), -1);
	free(second);
	free(third);
}

static void test_folded(void **state)
{
	static const uint32_t kernel[] = { 1 };

	(void)state;
	options.folded = true;
	put_name(&fake.records, 1, "cpu_idle");
	put_stack(&fake.records, 1, 0, NULL, 0, kernel, 1);
	put_sample(&fake.records, 1, "swapper", 0, 0, 1);
	assert_int_equal(record_run(&options, fake_open), 0);
	check_file(path, "swapper;cpu_idle_[k] 1\n");
}

static void test_signal(void **state)
{
	(void)state;
	fake.keep_open = true;
	put_small_recording(&fake.records);
	/* Pending until the recording takes it: it ends at once and well. */
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGTERM);
	assert_int_equal(record_run(&options, fake_open), 0);
	assert_int_equal(access(path, F_OK), 0);
	assert_non_null(strstr(fake.log, "sampling_on 0\n"));
}

static void test_numbered(void **state)
{
	static const char *const cases[][2] = {
		{ "prof.flame", "prof.3.flame" }, { "prof", "prof.3" }, { "a.b/prof", "a.b/prof.3" },
		{ "dir/.hidden", "dir/.hidden.3" }, { ".hidden", ".hidden.3" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *name = recfile_numbered(cases[i][0], 3);

		assert_string_equal(name, cases[i][1]);
		free(name);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_records_to_file),
		TEST(test_settings),
		TEST(test_no_tables),
		TEST(test_refused),
		TEST(test_busy),
		TEST(test_older_file),
		TEST(test_nothing),
		TEST(test_nothing_filtered),
		TEST(test_losses),
		TEST(test_rubbish),
		TEST(test_impossible_size),
		TEST(test_command),
		TEST(test_duration),
		TEST(test_intervals),
		TEST(test_folded),
		TEST(test_signal),
		cmocka_unit_test(test_numbered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
