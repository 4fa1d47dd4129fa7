// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shell patterns of set_comm: fnmatch(3) of the C library is the judge on random
 * patterns; what it leaves open (what is malformed, and where) is written out here.
 */
/* sources: kmod/glob.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fnmatch.h>
#include <stdio.h>
#include "glob.h"

#define ROUNDS	400000

static bool match(const char *pat, const char *str)
{
	return flame_glob_match(pat, str, strlen(str));
}

static void test_by_hand(void **state)
{
	(void)state;
	assert_true(match("redis-server", "redis-server"));
	assert_false(match("redis", "redis-server"));
	assert_false(match("redis-server", "redis"));
	assert_true(match("redis*", "redis"));
	assert_true(match("*/[0-9]*", "kworker/0:1-events"));
	assert_true(match("kworker/[!u]*", "kworker/0:1"));
	assert_false(match("kworker/[^u]*", "kworker/u8:2"));
	assert_true(match("Web Content", "Web Content"));
	assert_true(match("\\*?", "*a"));
	assert_false(match("\\*", "a"));
	assert_true(match("[]x]", "]"));
	assert_true(match("[\\]]", "]"));
	assert_true(match("[a-]", "-"));
	assert_true(match("", ""));
	assert_false(match("", "a"));
	assert_true(match("*", ""));
	assert_true(match("*b*c", "abcbc"));
	assert_true(match("?\xc3[\x80-\xbf]", "x\xc3\xa9"));
}

/* A name need not end in NUL, and the bytes behind its length are not looked at. */
static void test_length(void **state)
{
	static const char comm[4] = { 'a', 'b', 'c', 'd' };

	(void)state;
	assert_true(flame_glob_match("abcd", comm, 4));
	assert_true(flame_glob_match("ab", comm, 2));
	assert_false(flame_glob_match("abcd", comm, 3));
	assert_true(flame_glob_match("a?b", "a\0b", 3));
}

static void check(const char *pat, size_t len, bool good, size_t expected)
{
	size_t pos = 99;
	const char *why = flame_glob_check(pat, len, &pos);

	if (good) {
		assert_null(why);
	} else {
		assert_non_null(why);
		assert_int_equal(pos, expected);
	}
}

static void test_check(void **state)
{
	(void)state;
	check("a*", 2, true, 0);
	check("[a-z]", 5, true, 0);
	check("[]]", 3, true, 0);
	check("[!]]", 4, true, 0);
	check("]", 1, true, 0);
	check("a\\", 2, false, 1);
	check("ab[cd", 5, false, 2);
	check("[]", 2, false, 0);
	check("[a\\]", 4, false, 0);
	check("a\0b", 3, false, 1);
	check("[\0]", 3, false, 1);
	check("x[[:alpha:]]", 12, false, 2);
	/* The length counts, not a NUL behind it. */
	check("ab]", 2, true, 0);
	check("[b]", 2, false, 0);
}

/* A matcher that tries all ways to split the name between the stars never returns. */
static void test_many_stars(void **state)
{
	char pat[65], str[4096];
	size_t i;

	(void)state;
	for (i = 0; i < 64; i += 2) {
		pat[i] = '*';
		pat[i + 1] = 'a';
	}
	pat[64] = '\0';
	memset(str, 'a', sizeof(str));
	assert_true(flame_glob_match(pat, str, sizeof(str)));
	pat[63] = 'b';
	assert_false(flame_glob_match(pat, str, sizeof(str)));
}

static uint32_t random_state = 20240229;

/* xorshift32 (Marsaglia, 2003): the same in every run. */
static uint32_t next_random(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state % below;
}

static void random_string(char *buf, size_t max, const char *alphabet)
{
	size_t len = next_random(max + 1), i;

	for (i = 0; i < len; i++)
		buf[i] = alphabet[next_random(strlen(alphabet))];
	buf[len] = '\0';
}

static void test_against_fnmatch(void **state)
{
	unsigned int compared = 0, matched = 0, i;
	char pat[16], str[8];
	size_t pos;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		bool expected;

		random_string(pat, 12, "aabbcc**??[[]]!^-\\");
		random_string(str, 6, "aabbcc]-!^\\[*");
		if (flame_glob_check(pat, strlen(pat), &pos))
			continue;
		expected = !fnmatch(pat, str, 0);
		if (match(pat, str) != expected)
			fail_msg("pattern '%s', string '%s': fnmatch says %d", pat, str, expected);
		compared++;
		matched += expected;
	}
	/* Enough of both kinds, or this test says nothing. */
	assert_true(compared > ROUNDS / 10);
	assert_true(matched > ROUNDS / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_length),
		cmocka_unit_test(test_check),
		cmocka_unit_test(test_many_stars),
		cmocka_unit_test(test_against_fnmatch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
