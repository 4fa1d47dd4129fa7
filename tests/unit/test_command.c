// SPDX-License-Identifier: GPL-2.0-only
/*
 * The language of the control files: good values, bad values with errno and place,
 * printing back, values that arrive in pieces, commands of /dev/flame, error lines.
 */
/* sources: kmod/command.c kmod/glob.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include "command.h"

#define STR(s)	s, sizeof(s) - 1

static struct flame_settings settings;
static struct flame_error error;

static const struct flame_control *find(const char *name)
{
	const struct flame_control *c = flame_control_find(name, strlen(name));

	if (!c)
		fail_msg("no control %s", name);
	return c;
}

static const char *printed(const char *name)
{
	static char text[FLAME_PRINT_MAX];
	int len = flame_value_print(find(name), &settings, text, sizeof(text));

	assert_int_equal(len, strlen(text));
	return text;
}

/* Writes @value and expects it to be accepted and printed back as @back. */
static void good_bytes(const char *name, const char *value, size_t len, const char *back)
{
	int err = flame_value_parse(find(name), value, len, &settings, &error);

	if (err)
		fail_msg("%s refused \"%s\": %s", name, value, error.msg);
	assert_string_equal(printed(name), back);
}

/* Writes @value and expects @err at @pos, and the settings as they were. */
static void bad_bytes(const char *name, const char *value, size_t len, int err, size_t pos)
{
	struct flame_settings before = settings;

	memset(&error, 0, sizeof(error));
	assert_int_equal(flame_value_parse(find(name), value, len, &settings, &error), err);
	assert_int_equal(error.err, err);
	assert_int_equal(error.pos, pos);
	assert_true(error.msg[0]);
	assert_memory_equal(&before, &settings, sizeof(before));
}

static void good(const char *name, const char *value, const char *back)
{
	good_bytes(name, value, strlen(value), back);
}

static void bad(const char *name, const char *value, int err, size_t pos)
{
	bad_bytes(name, value, strlen(value), err, pos);
}

static int setup(void **state)
{
	(void)state;
	flame_settings_defaults(&settings);
	return 0;
}

/* The defaults and ranges that docs/control-files.md promises. */
static void test_defaults(void **state)
{
	static const struct {
		const char *name, *value;
	} expected[] = {
		{ "current_source", "timer\n" }, { "frequency", "99\n" }, { "duration", "0\n" },
		{ "stacks", "kernel user\n" }, { "unwind", "auto\n" }, { "max_depth", "127\n" },
		{ "threads", "all\n" }, { "options/annotate", "1\n" }, { "options/comm", "1\n" },
		{ "options/cpu", "0\n" }, { "options/follow_children", "0\n" },
		{ "options/idle", "0\n" }, { "options/irq", "0\n" }, { "options/offset", "0\n" },
		{ "options/overwrite", "0\n" }, { "options/pid", "0\n" },
		{ "options/tid", "0\n" }, { "buffer_size_kb", "1024\n" },
		{ "memory_limit_kb", "65536\n" }, { "max_overhead", "0\n" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(expected); i++)
		assert_string_equal(printed(expected[i].name), expected[i].value);
	assert_null(settings.pids);
	assert_null(settings.tids);
	assert_null(settings.comms);
	assert_null(settings.cpus);
}

static void test_names(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < flame_nr_controls; i++) {
		assert_ptr_equal(find(flame_controls[i].name), &flame_controls[i]);
		assert_true(flame_controls[i].help[0]);
		assert_true(flame_controls[i].mode == 0400 || flame_controls[i].mode == 0600 ||
			    flame_controls[i].mode == 0200);
	}
	assert_null(flame_control_find(STR("frequenc")));
	assert_null(flame_control_find(STR("frequencyy")));
	assert_null(flame_control_find(STR("")));
	assert_null(flame_control_find(STR("idle")));
	assert_null(flame_control_find(STR("frequency\0")));
	assert_int_equal(find("reset")->mode, 0200);
	assert_int_equal(find("folded")->mode, 0400);
}

static void test_numbers(void **state)
{
	static const struct {
		const char *name, *min, *max, *below, *above;
	} ranges[] = {
		{ "frequency", "1", "100000", "0", "100001" },
		{ "duration", "0", "86400", NULL, "86401" },
		{ "max_depth", "1", "1023", "0", "1024" },
		{ "buffer_size_kb", "4", "65536", "3", "65537" },
		{ "memory_limit_kb", "256", "1073741824", "255", "1073741825" },
		{ "max_overhead", "0", "1000", NULL, "1001" },
	};
	char back[32];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ranges); i++) {
		snprintf(back, sizeof(back), "%s\n", ranges[i].min);
		good(ranges[i].name, ranges[i].min, back);
		snprintf(back, sizeof(back), "%s\n", ranges[i].max);
		good(ranges[i].name, ranges[i].max, back);
		if (ranges[i].below)
			bad(ranges[i].name, ranges[i].below, -ERANGE, 0);
		bad(ranges[i].name, ranges[i].above, -ERANGE, 0);
	}
}

static void test_number_text(void **state)
{
	(void)state;
	good("frequency", "997\n", "997\n");
	good("frequency", " \t49 \r\n", "49\n");
	good("frequency", "00099", "99\n");
	bad("frequency", "", -EINVAL, 0);
	bad("frequency", " \n", -EINVAL, 0);
	bad("frequency", "abc", -EINVAL, 0);
	bad("frequency", "-5\n", -EINVAL, 0);
	bad("frequency", "+5", -EINVAL, 0);
	bad("frequency", "99Hz", -EINVAL, 2);
	bad("frequency", "9.5", -EINVAL, 1);
	bad("frequency", "0x10", -EINVAL, 1);
	bad("frequency", "10^30", -EINVAL, 2);
	bad("frequency", "1e3", -EINVAL, 1);
	bad("frequency", "99 100", -EINVAL, 3);
	bad("max_overhead", "2000 1", -EINVAL, 5);
	bad("memory_limit_kb", "12 x", -EINVAL, 3);
	bad("frequency", "1000000000000000000000000000000", -ERANGE, 0);
	bad("frequency", "  4294967297", -ERANGE, 2);
	bad("frequency", "18446744073709551617", -ERANGE, 0);
	bad_bytes("frequency", STR("99\0"), -EINVAL, 2);
	bad_bytes("frequency", STR("\0"), -EINVAL, 0);
	bad_bytes("frequency", STR("9\0009"), -EINVAL, 1);
	assert_string_equal(printed("frequency"), "99\n");
	bad("frequency", "200000", -ERANGE, 0);
	assert_string_equal(error.msg, "out of range 1-100000");
}

static void test_power_of_two(void **state)
{
	(void)state;
	good("buffer_size_kb", "5", "8\n");
	good("buffer_size_kb", "8", "8\n");
	good("buffer_size_kb", "1000", "1024\n");
	good("buffer_size_kb", "32769", "65536\n");
}

static void test_options(void **state)
{
	unsigned int i, seen = 0;

	(void)state;
	for (i = 0; i < flame_nr_controls; i++) {
		const char *name = flame_controls[i].name;
		unsigned long others;

		if (flame_controls[i].kind != FLAME_CTL_OPTION)
			continue;
		seen++;
		good(name, "1\n", "1\n");
		assert_true(flame_option(&settings, flame_controls[i].field));
		others = settings.options & ~(1UL << flame_controls[i].field);
		good(name, "0", "0\n");
		assert_int_equal(settings.options, others);
		bad(name, "2", -ERANGE, 0);
		bad(name, "y", -EINVAL, 0);
		bad(name, "", -EINVAL, 0);
	}
	assert_int_equal(seen, FLAME_OPT_NR);
}

static void test_words(void **state)
{
	(void)state;
	good("unwind", "fp\n", "fp\n");
	good("unwind", " auto", "auto\n");
	bad("unwind", "dwarf", -EINVAL, 0);
	assert_string_equal(error.msg, "unknown word, expected auto, fp or table");
	bad("unwind", "fp auto", -EINVAL, 3);
	bad("unwind", "", -EINVAL, 0);
	good("threads", "user", "user\n");
	assert_int_equal(settings.threads, FLAME_THREADS_USER);
	good("threads", "kernel\n", "kernel\n");
	assert_int_equal(settings.threads, FLAME_THREADS_KERNEL);
	good("threads", "all", "all\n");
	bad("threads", "  users", -EINVAL, 2);
	bad("threads", "use", -EINVAL, 0);
	bad_bytes("threads", STR("all\0"), -EINVAL, 0);
}

static void test_stacks(void **state)
{
	(void)state;
	good("stacks", "user", "user\n");
	good("stacks", "kernel\n", "kernel\n");
	good("stacks", "user kernel user", "kernel user\n");
	good("stacks", "none", "none\n");
	assert_int_equal(settings.stacks, FLAME_STACKS_NONE);
	bad("stacks", "none user", -EINVAL, 5);
	bad("stacks", "user none", -EINVAL, 5);
	bad("stacks", "none none", -EINVAL, 5);
	bad("stacks", "kernel,user", -EINVAL, 0);
	bad("stacks", "user 5", -EINVAL, 5);
	bad("stacks", "\n", -EINVAL, 0);
}

static void test_sources(void **state)
{
	(void)state;
	good("current_source", "timer\n", "timer\n");
	good("current_source", "timer timer", "timer\n");
	bad("current_source", "", -EINVAL, 0);
	bad("current_source", "timer offcpux", -EINVAL, 6);
	bad("current_source", "nop", -EINVAL, 0);
}

/* What any setting prints can be written back and prints the same. */
static void test_round_trip(void **state)
{
	unsigned int i, seen = 0;
	char text[FLAME_PRINT_MAX];

	(void)state;
	good("frequency", "4711", "4711\n");
	good("stacks", "none", "none\n");
	good("threads", "kernel", "kernel\n");
	good("options/irq", "1", "1\n");
	for (i = 0; i < flame_nr_controls; i++) {
		const struct flame_control *c = &flame_controls[i];

		if (!flame_control_is_setting(c) || flame_control_is_list(c))
			continue;
		snprintf(text, sizeof(text), "%s", printed(c->name));
		good(c->name, text, text);
		seen++;
	}
	assert_int_equal(seen, 20);
}

static void test_ids(void **state)
{
	struct flame_ids *ids = NULL;

	(void)state;
	assert_int_equal(flame_ids_parse(STR(" 1 4711\t22\n333\n"), &ids, &error), 0);
	assert_int_equal(ids->nr, 4);
	assert_int_equal(ids->id[0].id, 1);
	assert_int_equal(ids->id[1].id, 4711);
	assert_int_equal(ids->id[1].pos, 3);
	assert_int_equal(ids->id[3].id, 333);
	assert_int_equal(ids->id[3].pos, 11);
	free(ids);
	assert_int_equal(flame_ids_parse(STR("\n"), &ids, &error), 0);
	assert_int_equal(ids->nr, 0);
	free(ids);
	assert_int_equal(flame_ids_parse(STR("2147483647"), &ids, &error), 0);
	assert_int_equal(ids->id[0].id, 2147483647);
	free(ids);

	assert_int_equal(flame_ids_parse(STR("1 2x 3"), &ids, &error), -EINVAL);
	assert_int_equal(error.pos, 3);
	assert_int_equal(flame_ids_parse(STR("1,2"), &ids, &error), -EINVAL);
	assert_int_equal(error.pos, 1);
	assert_int_equal(flame_ids_parse(STR("7 0"), &ids, &error), -ERANGE);
	assert_int_equal(error.pos, 2);
	assert_int_equal(flame_ids_parse(STR("2147483648"), &ids, &error), -ERANGE);
	assert_int_equal(flame_ids_parse(STR("-1"), &ids, &error), -EINVAL);
	assert_int_equal(flame_ids_parse(STR("1\0002"), &ids, &error), -EINVAL);
	assert_int_equal(error.pos, 1);
}

/* Reads a CPU list on a machine with 16 CPUs into a mask. Returns 0 or an errno. */
static int cpus(const char *text, size_t len, uint64_t *mask)
{
	struct flame_cpu_range range;
	size_t at = 0;
	int ret;
	uint32_t i;

	*mask = 0;
	while ((ret = flame_cpu_range_next(text, len, &at, 16, &range, &error)) > 0) {
		if (range.last == FLAME_CPU_ALL) {
			*mask |= UINT64_MAX;
			continue;
		}
		for (i = range.first; i <= range.last; i++)
			*mask |= 1ULL << i;
	}
	return ret;
}

static void test_cpus(void **state)
{
	uint64_t mask;

	(void)state;
	assert_int_equal(cpus(STR("0-3,8\n"), &mask), 0);
	assert_int_equal(mask, 0x10f);
	assert_int_equal(cpus(STR("15"), &mask), 0);
	assert_int_equal(mask, 0x8000);
	assert_int_equal(cpus(STR(" 1, 3 5-5,\n"), &mask), 0);
	assert_int_equal(mask, 0x2a);
	assert_int_equal(cpus(STR(" \n"), &mask), 0);
	assert_int_equal(mask, 0);
	assert_int_equal(cpus(STR("all"), &mask), 0);
	assert_true(mask == UINT64_MAX);

	assert_int_equal(cpus(STR("0,16"), &mask), -ERANGE);
	assert_int_equal(error.pos, 2);
	assert_int_equal(cpus(STR("2-99"), &mask), -ERANGE);
	assert_int_equal(error.pos, 2);
	assert_int_equal(cpus(STR("99999999999999999999"), &mask), -ERANGE);
	assert_int_equal(cpus(STR("0,3-1"), &mask), -EINVAL);
	assert_int_equal(error.pos, 2);
	assert_int_equal(cpus(STR("1-"), &mask), -EINVAL);
	assert_int_equal(error.pos, 2);
	assert_int_equal(cpus(STR("-1"), &mask), -EINVAL);
	assert_int_equal(error.pos, 0);
	assert_int_equal(cpus(STR("0-3x"), &mask), -EINVAL);
	assert_int_equal(error.pos, 3);
	assert_int_equal(cpus(STR("allx"), &mask), -EINVAL);
	assert_int_equal(error.pos, 3);
	assert_int_equal(cpus(STR("1\0"), &mask), -EINVAL);
	assert_int_equal(error.pos, 1);
}

static void test_patterns(void **state)
{
	const char text[] = "\nredis-*\n\nWeb Content\n[ab]\n";
	const char bad_text[] = "ok\nx[yz\n";
	const char *pattern;
	char longest[FLAME_PATTERN_MAX + 1];
	size_t len, at = 0;

	(void)state;
	assert_int_equal(flame_pattern_next(STR(text), &at, &pattern, &len, &error), 1);
	assert_int_equal(len, 7);
	assert_memory_equal(pattern, "redis-*", 7);
	assert_int_equal(flame_pattern_next(STR(text), &at, &pattern, &len, &error), 1);
	assert_int_equal(len, 11);
	assert_memory_equal(pattern, "Web Content", 11);
	assert_int_equal(flame_pattern_next(STR(text), &at, &pattern, &len, &error), 1);
	assert_memory_equal(pattern, "[ab]", 4);
	assert_int_equal(flame_pattern_next(STR(text), &at, &pattern, &len, &error), 0);

	at = 0;
	assert_int_equal(flame_pattern_next(STR(bad_text), &at, &pattern, &len, &error), 1);
	assert_int_equal(flame_pattern_next(STR(bad_text), &at, &pattern, &len, &error), -EINVAL);
	assert_int_equal(error.pos, 4);

	memset(longest, 'x', sizeof(longest));
	at = 0;
	assert_int_equal(flame_pattern_next(longest, 64, &at, &pattern, &len, &error), 1);
	assert_int_equal(len, 64);
	at = 0;
	assert_int_equal(flame_pattern_next(longest, 65, &at, &pattern, &len, &error),
			 -ENAMETOOLONG);
	assert_int_equal(error.pos, 64);
	at = 0;
	assert_int_equal(flame_pattern_next(STR("a\0b"), &at, &pattern, &len, &error), -EINVAL);
	assert_int_equal(error.pos, 1);
}

/* Feeds a write of @len times @fill, ending in @last. */
static int feed(struct flame_intake *in, const char *name, size_t len, char fill, char last)
{
	size_t have = len > FLAME_VALUE_MAX ? FLAME_VALUE_MAX + 1 : len;
	char *chunk = flame_zalloc(have);

	assert_non_null(chunk);
	memset(chunk, fill, have);
	if (len && have == len)
		chunk[len - 1] = last;
	return flame_intake_feed(in, find(name), chunk, len, last, &error);
}

static void test_intake_whole(void **state)
{
	struct flame_intake in = {};

	(void)state;
	/* A short write is a value, with a newline or without, and so is none at all. */
	assert_int_equal(feed(&in, "set_pid", 3, '1', '\n'), 1);
	assert_int_equal(in.held_len, 3);
	flame_intake_done(&in, 0);
	assert_int_equal(feed(&in, "set_pid", 1023, '1', '1'), 1);
	flame_intake_done(&in, 0);
	assert_int_equal(feed(&in, "frequency", 0, 0, 0), 1);
	assert_int_equal(in.held_len, 0);
	flame_intake_done(&in, 0);
	assert_int_equal(feed(&in, "set_pid", 4096, '1', '\n'), 1);
	flame_intake_done(&in, 0);
	/* What is no list never waits for more. */
	assert_int_equal(feed(&in, "frequency", 4095, '1', '1'), 1);
	flame_intake_done(&in, 0);
	assert_null(in.held);
}

static void test_intake_split(void **state)
{
	struct flame_intake in = {};

	(void)state;
	assert_int_equal(feed(&in, "set_pid", 4096, '1', '2'), 0);
	assert_int_equal(feed(&in, "set_pid", 4096, '3', '4'), 0);
	assert_int_equal(feed(&in, "set_pid", 10, '5', '\n'), 1);
	assert_int_equal(in.held_len, 8202);
	assert_int_equal(in.held[4095], '2');
	assert_int_equal(in.held[4096], '3');
	assert_int_equal(in.held[8191], '4');
	assert_int_equal(in.held[8192], '5');
	flame_intake_done(&in, 0);
	/* The next one begins afresh. */
	assert_int_equal(feed(&in, "set_pid", 10, '5', '\n'), 1);
	assert_int_equal(in.held_len, 10);
	flame_intake_done(&in, 0);
}

static void test_intake_too_long(void **state)
{
	struct flame_intake in = {};
	int i;

	(void)state;
	/* In one piece: refused, and so is the newline that stdio sends after it. */
	assert_int_equal(feed(&in, "set_pid", 1 << 20, '1', '1'), -E2BIG);
	assert_true(error.msg[0]);
	assert_int_equal(error.pos, FLAME_VALUE_MAX);
	flame_intake_done(&in, -E2BIG);
	assert_int_equal(feed(&in, "set_pid", 1, '\n', '\n'), -E2BIG);
	assert_false(error.msg[0]);
	flame_intake_done(&in, -E2BIG);
	assert_int_equal(feed(&in, "set_pid", 2, '1', '\n'), 1);
	flame_intake_done(&in, 0);

	/* In pieces: the one that is too much is refused, and a second try of it. */
	for (i = 0; i < 16; i++)
		assert_int_equal(feed(&in, "set_pid", 4096, '1', '1'), 0);
	assert_int_equal(in.held_len, FLAME_VALUE_MAX);
	assert_int_equal(feed(&in, "set_pid", 4096, '1', '1'), -E2BIG);
	flame_intake_done(&in, -E2BIG);
	assert_int_equal(feed(&in, "set_pid", 4096, '1', '1'), -E2BIG);
	assert_false(error.msg[0]);
	flame_intake_done(&in, -E2BIG);

	memset(&in, 0, sizeof(in));
	assert_int_equal(feed(&in, "frequency", 4096, '9', '\n'), -E2BIG);
	assert_int_equal(error.pos, FLAME_SCALAR_MAX);
	flame_intake_done(&in, -E2BIG);
	/* That one ended in a newline: nothing of it is left to come. */
	assert_int_equal(feed(&in, "frequency", 2, '9', '\n'), 1);
	flame_intake_done(&in, 0);
}

static struct flame_command command;

static int next(const char *text, size_t len, size_t *at)
{
	memset(&command, 0, sizeof(command));
	return flame_command_next(text, len, at, &command, &error);
}

static void expect(enum flame_verb verb, const char *name, const char *value)
{
	assert_int_equal(command.verb, verb);
	assert_int_equal(command.name_len, strlen(name));
	assert_memory_equal(command.name, name, strlen(name));
	assert_int_equal(command.value_len, strlen(value));
	assert_memory_equal(command.value, value, strlen(value));
}

static void test_commands(void **state)
{
	static const char text[] = "\n frequency 997\nset_pid += 1 2\nset_comm \t Web Content\n"
				   "get stats\nattach\nset_pid\nset_pid +=\nreset 1\n"
				   "set_comm +=x\n  \n";
	size_t at = 0;

	(void)state;
	assert_int_equal(next(STR(text), &at), 1);
	expect(FLAME_VERB_SET, "frequency", "997");
	assert_int_equal(next(STR(text), &at), 1);
	expect(FLAME_VERB_ADD, "set_pid", "1 2");
	assert_int_equal(next(STR(text), &at), 1);
	expect(FLAME_VERB_SET, "set_comm", "Web Content");
	assert_int_equal(next(STR(text), &at), 1);
	expect(FLAME_VERB_GET, "stats", "");
	assert_int_equal(next(STR(text), &at), 1);
	expect(FLAME_VERB_ATTACH, "attach", "");
	assert_int_equal(next(STR(text), &at), 1);
	expect(FLAME_VERB_SET, "set_pid", "");
	assert_int_equal(next(STR(text), &at), 1);
	expect(FLAME_VERB_ADD, "set_pid", "");
	assert_int_equal(next(STR(text), &at), 1);
	expect(FLAME_VERB_SET, "reset", "1");
	assert_int_equal(next(STR(text), &at), 1);
	expect(FLAME_VERB_SET, "set_comm", "+=x");
	assert_int_equal(next(STR(text), &at), 0);

	at = 0;
	assert_int_equal(next(STR("frequency 9"), &at), 1);
	expect(FLAME_VERB_SET, "frequency", "9");
	assert_int_equal(next(STR("frequency 9"), &at), 0);
	at = 0;
	assert_int_equal(next(STR("get"), &at), -EINVAL);
	at = 0;
	assert_int_equal(next(STR("get\nstats"), &at), -EINVAL);
	at = 0;
	assert_int_equal(next(STR("get stats now"), &at), -EINVAL);
	at = 0;
	assert_int_equal(next(STR("attach 1"), &at), -EINVAL);
	at = 0;
	assert_int_equal(next(STR(""), &at), 0);
}

static void line(const char *name, int err, size_t pos, const char *msg, const char *value,
		 size_t len, const char *expected)
{
	char buf[320];
	size_t n;

	flame_fail(&error, err, pos, "%s", msg);
	n = flame_error_line(buf, sizeof(buf), name, &error, value, len);
	assert_string_equal(buf, expected);
	assert_int_equal(n, strlen(expected));
}

static void test_error_line(void **state)
{
	char many[600], expected[400];

	(void)state;
	line("frequency", -ERANGE, 0, "out of range 1-100000", STR("200000\n"),
	     "frequency: out of range 1-100000 (ERANGE): ^200000");
	line("set_pid", -ESRCH, 2, "gone", STR("1 4711 2"), "set_pid: gone (ESRCH): 1 ^4711 2");
	line("frequency", -EINVAL, 0, "empty", STR("\n"), "frequency: empty (EINVAL): ^");
	line("set_comm", -EINVAL, 3, "bad", STR("a\nb\0\xff\\\t"),
	     "set_comm: bad (EINVAL): a\\nb^\\x00\\xff\\\\\\t");
	/* The place lies behind what is there. */
	line("frequency", -E2BIG, 99, "long", STR("12"), "frequency: long (E2BIG): 12^");

	/* Cut in the front to 40 columns before the caret, and behind to 80 in all. */
	memset(many, 'a', 300);
	memset(many + 300, 'b', 300);
	snprintf(expected, sizeof(expected), "cpus: no (EINVAL): ...%.40s^%.40s...", many,
		 many + 300);
	line("cpus", -EINVAL, 300, "no", many, sizeof(many), expected);
	snprintf(expected, sizeof(expected), "cpus: no (EINVAL): ^%.80s...", many);
	line("cpus", -EINVAL, 0, "no", many, 300, expected);
}

/* Never more than the buffer holds, whatever the sizes. */
static void test_error_line_small(void **state)
{
	char value[200];
	size_t size;

	(void)state;
	memset(value, 1, sizeof(value));
	flame_fail(&error, -EINVAL, 100, "a message of some length");
	for (size = 1; size < 320; size++) {
		char *buf = malloc(size);
		size_t n;

		assert_non_null(buf);
		n = flame_error_line(buf, size, "name", &error, value, sizeof(value));
		assert_true(n < size);
		assert_int_equal(n, strlen(buf));
		free(buf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_defaults, setup),
		cmocka_unit_test_setup(test_names, setup),
		cmocka_unit_test_setup(test_numbers, setup),
		cmocka_unit_test_setup(test_number_text, setup),
		cmocka_unit_test_setup(test_power_of_two, setup),
		cmocka_unit_test_setup(test_options, setup),
		cmocka_unit_test_setup(test_words, setup),
		cmocka_unit_test_setup(test_stacks, setup),
		cmocka_unit_test_setup(test_sources, setup),
		cmocka_unit_test_setup(test_round_trip, setup),
		cmocka_unit_test_setup(test_ids, setup),
		cmocka_unit_test_setup(test_cpus, setup),
		cmocka_unit_test_setup(test_patterns, setup),
		cmocka_unit_test_setup(test_intake_whole, setup),
		cmocka_unit_test_setup(test_intake_split, setup),
		cmocka_unit_test_setup(test_intake_too_long, setup),
		cmocka_unit_test_setup(test_commands, setup),
		cmocka_unit_test_setup(test_error_line, setup),
		cmocka_unit_test_setup(test_error_line_small, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
