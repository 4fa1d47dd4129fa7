// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text functions: UTF-8 by the table of the Unicode standard (3.9, table 3-7), escaping,
 * numbers at their limits, columns, distances counted by hand.
 */
/* sources: user/util/text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <locale.h>
#include <string.h>
#include "util/text.h"

static size_t decode(const char *s, uint32_t *cp)
{
	return utf8_decode(s, strlen(s), cp);
}

static void test_utf8(void **state)
{
	uint32_t cp = 0;

	(void)state;
	assert_int_equal(decode("A", &cp), 1);
	assert_int_equal(cp, 'A');
	assert_int_equal(decode("\xc3\xa9", &cp), 2);
	assert_int_equal(cp, 0xe9);
	assert_int_equal(decode("\xe2\x82\xac", &cp), 3);
	assert_int_equal(cp, 0x20ac);
	assert_int_equal(decode("\xf0\x9f\x94\xa5", &cp), 4);
	assert_int_equal(cp, 0x1f525);
	/* Overlong, surrogate, above U+10FFFF, lone continuation, cut short. */
	assert_int_equal(decode("\xc0\x80", &cp), 0);
	assert_int_equal(decode("\xc1\xbf", &cp), 0);
	assert_int_equal(decode("\xe0\x9f\xbf", &cp), 0);
	assert_int_equal(decode("\xf0\x8f\xbf\xbf", &cp), 0);
	assert_int_equal(decode("\xed\xa0\x80", &cp), 0);
	assert_int_equal(decode("\xf4\x90\x80\x80", &cp), 0);
	assert_int_equal(decode("\x80", &cp), 0);
	assert_int_equal(decode("\xe2\x82", &cp), 0);
	assert_int_equal(decode("\xff", &cp), 0);
}

static void check_escape(const char *in, size_t len, unsigned int flags, const char *want)
{
	char out[256];

	assert_int_equal(text_escape(out, in, len, flags), strlen(want));
	assert_string_equal(out, want);
	if (!flags)
		assert_int_equal(text_is_clean(in, len), len == strlen(want));
}

static void test_escape(void **state)
{
	(void)state;
	check_escape("plain name", 10, 0, "plain name");
	check_escape("a;b", 3, 0, "a\\x3bb");
	check_escape("a\0b\n\x1b[0m\x7f", 9, 0, "a\\x00b\\x0a\\x1b[0m\\x7f");
	check_escape("\xc3\xa9\xad", 3, 0, "\xc3\xa9\\xad");
	check_escape("\xc2\x85", 2, 0, "\\xc2\\x85");			/* NEL, a C1 control */
	check_escape("\xef\xbf\xbe", 3, 0, "\\xef\\xbf\\xbe");		/* U+FFFE */
	check_escape("a b\\c", 5, 0, "a b\\c");
	check_escape("a b\\c", 5, TEXT_BLANKS | TEXT_BACKSLASH, "a\\x20b\\x5cc");
	check_escape("", 0, 0, "");
}

static void test_unescape(void **state)
{
	char text[] = "a\\x20b\\x5Cx41\\xzz\\x4";

	(void)state;
	/* What comes out of an escape is not looked at again. */
	text[text_unescape(text, strlen(text))] = '\0';
	assert_string_equal(text, "a b\\x41\\xzz\\x4");
}

static void test_numbers(void **state)
{
	uint64_t v = 7;

	(void)state;
	assert_true(text_number("18446744073709551615", 0, UINT64_MAX, &v));
	assert_true(v == UINT64_MAX);
	v = 7;
	assert_false(text_number("18446744073709551616", 0, UINT64_MAX, &v));
	assert_false(text_number("100", 0, 99, &v));
	assert_false(text_number("0", 1, 99, &v));
	assert_false(text_number("", 0, 99, &v));
	assert_false(text_number("-1", 0, 99, &v));
	assert_false(text_number("+1", 0, 99, &v));
	assert_false(text_number(" 1", 0, 99, &v));
	assert_false(text_number("1x", 0, 99, &v));
	assert_int_equal(v, 7);
}

static void test_columns(void **state)
{
	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	assert_int_equal(text_columns("abc"), 3);
	assert_int_equal(text_columns("\xc2\xb5s"), 2);			/* µs */
	assert_int_equal(text_columns("\xe6\xbc\xa2\xe5\xad\x97"), 4);	/* two wide letters */
	assert_int_equal(text_columns("e\xcc\x81"), 1);			/* combining accent */
}

static void test_distance(void **state)
{
	(void)state;
	assert_int_equal(text_distance("fold", "fold"), 0);
	assert_int_equal(text_distance("fld", "fold"), 1);
	assert_int_equal(text_distance("kitten", "sitting"), 3);
	assert_int_equal(text_distance("", "svg"), 3);
	assert_true(text_distance("an option name that is very long", "svg") > 31);
}

/* Each byte at each place of a text longer than two machine words. */
static void test_clean(void **state)
{
	char text[20];

	(void)state;
	for (int byte = 0; byte < 256; byte++) {
		bool clean = byte >= 0x20 && byte < 0x7f && byte != ';';

		for (size_t at = 0; at < sizeof(text); at++) {
			memset(text, 'a', sizeof(text));
			text[at] = (char)byte;
			assert_int_equal(text_is_clean(text, sizeof(text)), clean);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_unescape),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_distance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
