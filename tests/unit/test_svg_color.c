// SPDX-License-Identifier: GPL-2.0-only
/*
 * Colours of boxes. Expected values are worked out by hand from the rules: the name hash
 * weighs the first three characters, modulo 10, 11 and 12 and scaled to [0, 1], with 1,
 * 0.7 and 0.49; v = 1 - sum / (1 + weights). v1 is that of the name, v2 = v3 that of the
 * name backwards; hot is 205 + 50 v3, 230 v1, 55 v2, each cut to an integer.
 */
/* sources: user/output/svg_color.c user/output/svg_buf.c user/profile/profile.c user/util/mem.c user/util/text.c user/util/msg.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "output/svg_color.h"

static void assert_rgb(struct svg_rgb found, uint8_t r, uint8_t g, uint8_t b)
{
	assert_int_equal(found.r, r);
	assert_int_equal(found.g, g);
	assert_int_equal(found.b, b);
}

static struct svg_rgb hot(const char *name, enum frame_kind kind)
{
	return svg_color(PALETTE_HOT, VARY_HASH, name, kind);
}

static void test_hash(void **state)
{
	(void)state;
	/*
	 * a 97 % 10 = 7, b 98 % 11 = 10, c 99 % 12 = 3: 0.77778 + 0.7 + 0.13364 of 3.19,
	 * v1 = 0.49486; backwards c 9, b 10, a 1: 1 + 0.7 + 0.04455, v2 = 0.45312.
	 */
	assert_rgb(hot("abc", FRAME_USER), 227, 113, 24);
	assert_rgb(hot("abcxxxabc", FRAME_USER), 227, 113, 24);
	/* Nothing: v = 1. */
	assert_rgb(hot("", FRAME_SPECIAL), 255, 230, 55);
	/* A module in front does not count; backwards it is what is left: d 0, o 1, m 1. */
	assert_rgb(hot("mod`abc", FRAME_USER), 253, 113, 53);
	/* The annotation takes part: a 7, b 10, _ 11; backwards ] 3, k 8, [ 7. */
	assert_rgb(hot("ab", FRAME_KERNEL), 236, 88, 34);
	/* U+00E9 is one character, 233 % 10 = 3: 1 - 0.33333 / 2. */
	assert_rgb(hot("\xc3\xa9", FRAME_USER), 246, 191, 45);
}

/* The empty name's hash is 1: the far end of each palette. */
static void test_palettes(void **state)
{
	static const struct {
		const char *name;
		uint8_t r, g, b;
	} ends[] = {
		{ "hot", 255, 230, 55 }, { "mem", 0, 240, 210 }, { "io", 140, 140, 245 },
		{ "wakeup", 110, 220, 220 }, { "chain", 140, 140, 255 }, { "java", 255, 130, 130 },
		{ "js", 255, 130, 130 }, { "perl", 255, 130, 130 }, { "red", 255, 130, 130 },
		{ "green", 110, 255, 110 }, { "blue", 140, 140, 255 }, { "yellow", 230, 230, 70 },
		{ "purple", 255, 140, 255 }, { "aqua", 110, 220, 220 }, { "orange", 255, 155, 0 },
	};
	enum svg_palette palette;

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		assert_true(svg_palette_find(ends[i].name, &palette));
		assert_string_equal(svg_palette_name(palette), ends[i].name);
		assert_rgb(svg_color(palette, VARY_HASH, "", FRAME_USER), ends[i].r, ends[i].g,
			   ends[i].b);
	}
	assert_false(svg_palette_find("pink", &palette));
	assert_false(svg_palette_find("", &palette));
	assert_null(svg_palette_name(NR_PALETTES));
}

static void test_hues(void **state)
{
	static const struct {
		enum svg_palette palette;
		const char *name;
		enum frame_kind kind;
		enum svg_palette hue;
	} rows[] = {
		{ PALETTE_JAVA, "any", FRAME_JIT, PALETTE_GREEN },
		{ PALETTE_JAVA, "any", FRAME_INLINED, PALETTE_AQUA },
		{ PALETTE_JAVA, "java/lang/Thread.run", FRAME_USER, PALETTE_GREEN },
		{ PALETTE_JAVA, "Lorg/x/Y:.z", FRAME_USER, PALETTE_GREEN },
		{ PALETTE_JAVA, "ioctl/x", FRAME_USER, PALETTE_RED },
		{ PALETTE_JAVA, "a:::b", FRAME_USER, PALETTE_GREEN },
		{ PALETTE_JAVA, "JavaThread::run", FRAME_USER, PALETTE_YELLOW },
		{ PALETTE_JAVA, "k::f", FRAME_KERNEL, PALETTE_YELLOW },
		{ PALETTE_JAVA, "sys_read", FRAME_KERNEL, PALETTE_ORANGE },
		{ PALETTE_JAVA, "read", FRAME_USER, PALETTE_RED },
		{ PALETTE_JS, "LazyCompile:~f /a.js:1", FRAME_JIT, PALETTE_GREEN },
		{ PALETTE_JS, "Builtin:f", FRAME_JIT, PALETTE_AQUA },
		{ PALETTE_JS, "v8::f", FRAME_USER, PALETTE_YELLOW },
		{ PALETTE_JS, "f /x/a.js:3", FRAME_USER, PALETTE_GREEN },
		{ PALETTE_JS, "Stub:f", FRAME_USER, PALETTE_AQUA },
		{ PALETTE_JS, " ", FRAME_USER, PALETTE_GREEN },
		{ PALETTE_JS, "sys_read", FRAME_KERNEL, PALETTE_ORANGE },
		{ PALETTE_JS, "read", FRAME_USER, PALETTE_RED },
		{ PALETTE_PERL, "A::b", FRAME_USER, PALETTE_YELLOW },
		{ PALETTE_PERL, "Perl_runops", FRAME_USER, PALETTE_GREEN },
		{ PALETTE_PERL, "x.pl", FRAME_USER, PALETTE_GREEN },
		{ PALETTE_PERL, "sys_read", FRAME_KERNEL, PALETTE_ORANGE },
		{ PALETTE_PERL, "read", FRAME_USER, PALETTE_RED },
		{ PALETTE_WAKEUP, "any", FRAME_KERNEL, PALETTE_AQUA },
		{ PALETTE_CHAIN, "any", FRAME_WAKER, PALETTE_AQUA },
		{ PALETTE_CHAIN, "any", FRAME_USER, PALETTE_BLUE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct svg_rgb want = svg_color(rows[i].hue, VARY_NAME, rows[i].name, rows[i].kind);

		assert_rgb(svg_color(rows[i].palette, VARY_NAME, rows[i].name, rows[i].kind),
			   want.r, want.g, want.b);
	}
}

static void test_kinds(void **state)
{
	static const enum frame_kind kinds[] = {
		FRAME_USER, FRAME_COMM, FRAME_KERNEL, FRAME_INLINED, FRAME_JIT, FRAME_WAKER,
	};
	struct svg_rgb c;

	(void)state;
	/* Light enough for black text, whatever the name: contrast of at least 7 to 1. */
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		for (char name[2] = "!"; name[0] < '~'; name[0]++) {
			c = svg_color(PALETTE_KIND, VARY_NAME, name, kinds[i]);
			assert_true(2126 * c.r + 7152 * c.g + 722 * c.b > 10000 * 150);
		}
	}
	/* Names in brackets are none: the grey of what is special. */
	c = svg_color(PALETTE_KIND, VARY_NAME, "[unknown]", FRAME_SPECIAL);
	assert_rgb(svg_color(PALETTE_KIND, VARY_NAME, "[unknown]", FRAME_USER), c.r, c.g, c.b);
}

static void test_delta(void **state)
{
	(void)state;
	assert_rgb(svg_color_delta(4, 8), 255, 105, 105);
	assert_rgb(svg_color_delta(-2, 8), 157, 157, 255);
	assert_rgb(svg_color_delta(8, 8), 255, 0, 0);
	assert_rgb(svg_color_delta(-20, 8), 0, 0, 255);
	assert_rgb(svg_color_delta(0, 8), 255, 255, 255);
}

static void test_backgrounds(void **state)
{
	struct svg_background bg;

	(void)state;
	assert_true(svg_background_find(NULL, PALETTE_HOT, &bg));
	assert_string_equal(bg.bottom, "#eeeeb0");
	assert_true(svg_background_find(NULL, PALETTE_MEM, &bg));
	assert_string_equal(bg.bottom, "#e0ffe0");
	assert_true(svg_background_find(NULL, PALETTE_CHAIN, &bg));
	assert_string_equal(bg.bottom, "#e0e0ff");
	assert_true(svg_background_find(NULL, PALETTE_RED, &bg));
	assert_string_equal(bg.top, "#f8f8f8");
	assert_true(svg_background_find("#12abEF", PALETTE_HOT, &bg));
	assert_string_equal(bg.top, "#12abEF");
	assert_string_equal(bg.bottom, "#12abEF");
	assert_false(svg_background_find("#12abEG", PALETTE_HOT, &bg));
	assert_false(svg_background_find("#12abEF0", PALETTE_HOT, &bg));
	assert_false(svg_background_find("", PALETTE_HOT, &bg));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_palettes),
		cmocka_unit_test(test_hues),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_delta),
		cmocka_unit_test(test_backgrounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
