// SPDX-License-Identifier: GPL-2.0-only
/*
 * What becomes of text and numbers on their way into XML. printf() is the judge of
 * numbers; escapes are written out here.
 */
/* sources: user/output/svg_buf.c user/util/text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "output/svg_buf.h"

static struct svg_buf buf;

static const char *written(void)
{
	buf.data[buf.len] = '\0';
	buf.len = 0;
	return buf.data;
}

#define assert_text(in, out) do { \
	svg_text(&buf, in); \
	assert_string_equal(written(), out); \
} while (0)

#define assert_json(in, out) do { \
	svg_json_string(&buf, in); \
	assert_string_equal(written(), "&quot;" out "&quot;"); \
} while (0)

static void test_text(void **state)
{
	(void)state;
	assert_text("", "");
	assert_text("std::vector<int>::at(this) const &&",
		    "std::vector&lt;int&gt;::at(this) const &amp;&amp;");
	assert_text("\"'", "&quot;&#39;");
	assert_text("]]></script>", "]]&gt;&lt;/script&gt;");
	assert_text("a\tb\nc\r", "a b c ");
	assert_text("\x1b[0m\x01\x7f", "\\x1b[0m\\x01\\x7f");
	/* C1 control U+0085, noncharacters U+FFFE and U+1FFFF, U+FDD0, override U+202E */
	assert_text("\xc2\x85", "\\xc2\\x85");
	assert_text("\xef\xbf\xbe", "\\xef\\xbf\\xbe");
	assert_text("\xf0\x9f\xbf\xbf", "\\xf0\\x9f\\xbf\\xbf");
	assert_text("\xef\xb7\x90", "\\xef\\xb7\\x90");
	assert_text("\xe2\x80\xae", "\\xe2\\x80\\xae");
	/* Valid: U+00A0, U+FFFD, U+1F525 */
	assert_text("\xc2\xa0\xef\xbf\xbd\xf0\x9f\x94\xa5", "\xc2\xa0\xef\xbf\xbd\xf0\x9f\x94\xa5");
	/* Lone byte, overlong '/', surrogate, above U+10FFFF, cut short */
	assert_text("a\xad", "a\\xad");
	assert_text("\xc0\xaf", "\\xc0\\xaf");
	assert_text("\xed\xa0\x80", "\\xed\\xa0\\x80");
	assert_text("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
	assert_text("\xe6\xbc", "\\xe6\\xbc");
}

static void test_ascii(void **state)
{
	(void)state;
	buf.ascii = true;
	assert_text("\xc3\xa9 \xf0\x9f\x94\xa5", "&#xe9; &#x1f525;");
	assert_text("\xe9", "\\xe9");
	buf.ascii = false;
}

static void test_part(void **state)
{
	(void)state;
	svg_textn(&buf, "abc", 2);
	assert_string_equal(written(), "ab");
	svg_textn(&buf, "\xc3\xa9", 1);
	assert_string_equal(written(), "\\xc3");
}

static void test_json(void **state)
{
	(void)state;
	assert_json("", "");
	assert_json("a\"b\\c", "a\\&quot;b\\\\c");
	assert_json("<&>'", "&lt;&amp;&gt;&#39;");
	assert_json("\n\t", "  ");
	assert_json("\x01\xff", "\\\\x01\\\\xff");
	assert_json("\xc3\xa9\xc2\x85", "\xc3\xa9\\\\xc2\\\\x85");
}

static void check_fixed(double v)
{
	char want[400];

	svg_fixed2(&buf, v);
	snprintf(want, sizeof(want), "%.2f", v);
	assert_string_equal(written(), want);
}

static void test_numbers(void **state)
{
	static const double hard[] = {
		0, 0.05, 0.15, 0.25, 0.35, 0.005, 0.015, 0.025, 0.125, 0.995, 9.995, 99.995,
		0.049999999999999996, 1e14, 1e15, 1e22, -0.05, -3, 1180, 1189.95,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(hard) / sizeof(hard[0]); i++)
		check_fixed(hard[i]);
	srand48(1);
	for (int i = 0; i < 200000; i++) {
		check_fixed(drand48() * 1200);
		check_fixed((double)(lrand48() % 100000) / (double)(1 + lrand48() % 1000));
	}
	svg_tenths(&buf, 11899);
	assert_string_equal(written(), "1189.9");
	svg_tenths(&buf, 5);
	assert_string_equal(written(), "0.5");
	svg_u64(&buf, UINT64_MAX);
	assert_string_equal(written(), "18446744073709551615");
	svg_u64_commas(&buf, UINT64_MAX);
	assert_string_equal(written(), "18,446,744,073,709,551,615");
	svg_u64_commas(&buf, 0);
	assert_string_equal(written(), "0");
	svg_u64_commas(&buf, 999);
	assert_string_equal(written(), "999");
	svg_u64_commas(&buf, 1000);
	assert_string_equal(written(), "1,000");
}

/* More than the buffer holds, in pieces that cross its end. */
static void test_flush(void **state)
{
	const char piece[] = "0123456789abcdef!";
	size_t size = 5 * SVG_BUF_SIZE / (sizeof(piece) - 1);
	char *text = NULL;
	size_t len = 0;

	(void)state;
	buf.fp = open_memstream(&text, &len);
	for (size_t i = 0; i < size; i++)
		svg_puts(&buf, piece);
	svg_buf_flush(&buf);
	fclose(buf.fp);
	assert_int_equal(len, size * (sizeof(piece) - 1));
	for (size_t i = 0; i < size; i++)
		assert_memory_equal(text + i * (sizeof(piece) - 1), piece, sizeof(piece) - 1);
	free(text);
}

static void test_characters(void **state)
{
	uint32_t c;

	(void)state;
	assert_int_equal(svg_utf8_count("a\xc3\xa9\xf0\x9f\x94\xa5"), 3);
	assert_int_equal(svg_utf8_count("\xed\xa0\x80"), 3);
	assert_int_equal(svg_char("\xf0\x9f\x94\xa5", &c), 4);
	assert_int_equal(c, 0x1f525);
	assert_int_equal(svg_char("\xff", &c), 1);
	assert_int_equal(c, 0xff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_part),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_flush),
		cmocka_unit_test(test_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
