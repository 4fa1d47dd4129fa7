// SPDX-License-Identifier: GPL-2.0-only
/*
 * Escaping of names: what passes, what becomes \xNN, where it cuts. The judge of
 * valid UTF-8 is the C library's decoder, and what was escaped can be had back.
 */
/* sources: kmod/escape.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include "escape.h"
#include "random.h"

#define STR(s)	s, sizeof(s) - 1
#define ROOM	8192

static char out[ROOM];

static void good(const char *from, size_t len, const char *expected)
{
	assert_int_equal(flame_escape(out, sizeof(out), from, (u32)len, false), strlen(expected));
	assert_string_equal(out, expected);
}

static void test_plain(void **state)
{
	(void)state;
	good(STR(""), "");
	good(STR("redis-server"), "redis-server");
	good(STR("~!\"#$%&'()*+,-./09:<=>?@AZ[]^_`az{|}"), "~!\"#$%&'()*+,-./09:<=>?@AZ[]^_`az{|}");
	good(STR("two words"), "two words");
	/* Of two, three and four bytes: the first and the last of each. */
	good(STR("\xc2\xa0|\xdf\xbf"), "\xc2\xa0|\xdf\xbf");
	good(STR("\xe0\xa0\x80|\xef\xbf\xbf"), "\xe0\xa0\x80|\xef\xbf\xbf");
	good(STR("\xf0\x90\x80\x80|\xf4\x8f\xbf\xbf"), "\xf0\x90\x80\x80|\xf4\x8f\xbf\xbf");
	/* The last before the surrogates, the first after them. */
	good(STR("\xed\x9f\xbf|\xee\x80\x80"), "\xed\x9f\xbf|\xee\x80\x80");
}

static void test_blanks(void **state)
{
	(void)state;
	assert_int_equal(flame_escape(out, sizeof(out), STR("a b\tc"), true), 11);
	assert_string_equal(out, "a\\x20b\\x09c");
	/* Only the blank itself differs. */
	flame_escape(out, sizeof(out), STR("!;\\\xc2\xa0"), true);
	assert_string_equal(out, "!\\x3b\\x5c\xc2\xa0");
}

static void test_unfit(void **state)
{
	char expected[8], byte;
	int c;

	(void)state;
	good(STR("a;b"), "a\\x3bb");
	good(STR("a\\b"), "a\\x5cb");
	good(STR("\\x3b"), "\\x5cx3b");
	good(STR("a\0b"), "a\\x00b");
	good(STR("line\nline"), "line\\x0aline");
	/* All C0 controls, and DEL. */
	for (c = 0; c < 0x20; c++) {
		byte = (char)c;
		snprintf(expected, sizeof(expected), "\\x%02x", c);
		good(&byte, 1, expected);
	}
	good(STR("\x7f"), "\\x7f");
	/* All C1 controls: U+0080 to U+009F. */
	for (c = 0x80; c < 0xa0; c++) {
		char from[2] = { '\xc2', (char)c }, two[16];

		snprintf(two, sizeof(two), "\\xc2\\x%02x", c);
		good(from, 2, two);
	}
}

static void test_not_utf8(void **state)
{
	(void)state;
	/* Continuation bytes alone, bytes that never occur. */
	good(STR("\x80\xbf"), "\\x80\\xbf");
	good(STR("\xf5\xf8\xfc\xfe\xff"), "\\xf5\\xf8\\xfc\\xfe\\xff");
	/* Overlong: '/' in two bytes, in three, in four. */
	good(STR("\xc0\xaf"), "\\xc0\\xaf");
	good(STR("\xc1\xbf"), "\\xc1\\xbf");
	good(STR("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
	good(STR("\xf0\x80\x80\xaf"), "\\xf0\\x80\\x80\\xaf");
	/* The last overlong of three bytes, and of four. */
	good(STR("\xe0\x9f\xbf"), "\\xe0\\x9f\\xbf");
	good(STR("\xf0\x8f\xbf\xbf"), "\\xf0\\x8f\\xbf\\xbf");
	/* Surrogates: the first and the last. */
	good(STR("\xed\xa0\x80"), "\\xed\\xa0\\x80");
	good(STR("\xed\xbf\xbf"), "\\xed\\xbf\\xbf");
	/* U+110000, U+140000. */
	good(STR("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
	good(STR("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
	/* Cut short by the end, and by another character. */
	good(STR("\xc3"), "\\xc3");
	good(STR("\xe2\x82"), "\\xe2\\x82");
	good(STR("\xf0\x9f\x98"), "\\xf0\\x9f\\x98");
	good(STR("\xe2\x82" "a"), "\\xe2\\x82a");
	good(STR("\xf0\x9f\xc3\xa9"), "\\xf0\\x9f\xc3\xa9");
}

/* What ends at @len is not read past, though more of the character would follow. */
static void test_length_is_the_end(void **state)
{
	char *from = malloc(2);		/* ASan watches its end */

	(void)state;
	assert_non_null(from);
	memcpy(from, "\xe2\x82", 2);
	good(from, 2, "\\xe2\\x82");
	good(from, 1, "\\xe2");
	good(from, 0, "");
	free(from);
}

/* Whatever the room: whole characters and whole escapes, a NUL, nothing beyond. */
static void test_cut(void **state)
{
	/* a, an escape of 4, a character of 3, an escape of 4, one of 4, z */
	static const char from[] = "a;\xe2\x82\xac\n\xf0\x9f\x98\x80z";
	static const char whole[] = "a\\x3b\xe2\x82\xac\\x0a\xf0\x9f\x98\x80z";
	/* Where it may be cut. */
	static const u32 borders[] = { 0, 1, 5, 8, 12, 16, 17 };
	u32 size, expected;
	size_t i;
	char *to;

	(void)state;
	assert_int_equal(sizeof(whole) - 1, 17);
	for (size = 1; size < 24; size++) {
		to = malloc(size);
		assert_non_null(to);
		for (i = 0; i < ARRAY_SIZE(borders); i++) {
			if (borders[i] < size)
				expected = borders[i];
		}
		assert_int_equal(flame_escape(to, size, STR(from), false), expected);
		assert_memory_equal(to, whole, expected);
		assert_int_equal(to[expected], '\0');
		free(to);
	}
}

/* Escapes back into bytes; everything else stands for itself. */
static u32 unescape(const char *from, u8 *to)
{
	unsigned int byte;
	u32 n = 0;

	while (*from) {
		if (*from == '\\') {
			assert_int_equal(sscanf(from, "\\x%2x", &byte), 1);
			to[n++] = (u8)byte;
			from += 4;
		} else {
			to[n++] = (u8)*from++;
		}
	}
	return n;
}

/* Bytes of which many are near something valid. */
static void compose(u64 *random, char *to, u32 len)
{
	static const char *const pieces[] = {
		"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xed\xa0\x80", "\xc0\xaf", "\xf4\x90",
		"\xc2\x85", ";", "\\", "\\x3b", " ", "\n", "\xe0\x80", "\xf0\x80", "a", "\xff",
	};
	u32 n = 0;

	while (n < len) {
		const char *piece = pieces[below(random, ARRAY_SIZE(pieces))];

		if (!below(random, 3))
			to[n++] = (char)next_random(random);
		for (; *piece && n < len; piece++)
			to[n++] = *piece;
	}
}

static void assert_fit(const char *text, u32 len, bool blanks)
{
	wchar_t wide[ROOM];
	u32 i;

	assert_int_equal(strlen(text), len);
	/* Strict in C.UTF-8: no overlong, no surrogate, nothing above U+10FFFF. */
	assert_int_not_equal(mbstowcs(wide, text, ROOM), (size_t)-1);
	for (i = 0; wide[i]; i++) {
		assert_true(wide[i] >= ' ' && wide[i] != ';');
		assert_false(wide[i] >= 0x7f && wide[i] < 0xa0);
		assert_false(blanks && wide[i] == ' ');
	}
	for (i = 0; i < len; i++) {
		if (text[i] == '\\')
			assert_true(text[i + 1] == 'x' && strspn(text + i + 2,
								"0123456789abcdef") >= 2);
	}
}

static void test_random(void **state)
{
	char from[64], cut[64];
	u8 back[ROOM];
	u64 random = 6;
	u32 len, n, size;
	bool blanks;
	int i;

	(void)state;
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	assert_int_equal(mbstowcs(NULL, "\xed\xa0\x80", 0), (size_t)-1);
	for (i = 0; i < 200000; i++) {
		len = (u32)below(&random, sizeof(from) + 1);
		blanks = below(&random, 2);
		compose(&random, from, sizeof(from));
		n = flame_escape(out, sizeof(out), from, len, blanks);
		assert_fit(out, n, blanks);
		/* It can be had back, so that different names stay different. */
		assert_int_equal(unescape(out, back), len);
		assert_memory_equal(back, from, len);
		/* With less room it is the beginning of that. */
		size = 1 + (u32)below(&random, sizeof(cut));
		n = flame_escape(cut, size, from, len, blanks);
		assert_true(n < size);
		assert_fit(cut, n, blanks);
		assert_memory_equal(cut, out, n);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_blanks),
		cmocka_unit_test(test_unfit),
		cmocka_unit_test(test_not_utf8),
		cmocka_unit_test(test_length_is_the_end),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
