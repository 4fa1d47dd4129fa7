// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded text in and out: the lenient reader line by line, pieces cut anywhere, order,
 * sums, refusals. Expected values are worked out by hand.
 */
/* sources: user/input/[a-z]*.c user/symbol/demangle.c user/output/folded.c user/profile/profile.c user/util/mem.c user/util/msg.c user/util/progress.c user/util/text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "input/folded.h"
#include "input/input.h"
#include "output/folded.h"
#include "util/msg.h"

static const struct input_options plain;
static const struct folded_options annotated = { true, true, true };

static struct profile *read_text(const char *text, size_t len)
{
	return input_read_memory("test", text, len, &plain);
}

static char *write_text(const struct profile *p, const struct folded_options *how)
{
	char *text = NULL;
	size_t size;
	FILE *fp = open_memstream(&text, &size);

	assert_non_null(fp);
	folded_write(fp, p, 0, how);
	fclose(fp);
	return text;
}

static void check_fold(const char *in, const char *want)
{
	struct profile *p = read_text(in, strlen(in));
	char *text;

	assert_non_null(p);
	text = write_text(p, &annotated);
	assert_string_equal(text, want);
	free(text);
	profile_free(p);
}

static void test_lenient(void **state)
{
	(void)state;
	check_fold("a;b 1\r\na;b 2\r\n", "a;b 3\n");
	check_fold("a;b\t5\n", "a;b 5\n");
	check_fold("a;b 5   \n", "a;b 5\n");
	check_fold("# note 3\n#\na;b 5\n\n", "a;b 5\n");
	check_fold("\xef\xbb\xbf" "a;b 5\n", "a;b 5\n");
	check_fold("a;b 5", "a;b 5\n");
	check_fold("a;b; 5\n", "a;b 5\n");
	check_fold("a;;b 5\n", "a;;b 5\n");
	check_fold("a;worker 7 5\n", "a;worker 7 5\n");
	check_fold("a;b 1.0\na;b 2.5\na;b 0.4\n", "a;b 4\n");
	check_fold("a;b -5\na;b 1e3\na;b twelve\n 3\n12\na;b\nok 1\n", "ok 1\n");
	check_fold("#define;x 2\n", "#define;x 2\n");
	check_fold("a;b\xad" "c 5\n", "a;b\\xadc 5\n");
	check_fold("a;b\x1b[0m 5\n", "a;b\\x1b[0m 5\n");
}

static void test_utf16(void **state)
{
	static const char le[] = "\xff\xfe" "a\0;\0\xe9\0 \0" "5\0\n\0";
	static const char be[] = "\xfe\xff" "\0a\0;\xd8\x3d\xdd\x25\0 \0" "5";
	struct profile *p = read_text(le, sizeof(le) - 1);
	char *text;

	(void)state;
	assert_non_null(p);
	text = write_text(p, &annotated);
	assert_string_equal(text, "a;\xc3\xa9 5\n");
	free(text);
	profile_free(p);
	p = read_text(be, sizeof(be) - 1);
	assert_non_null(p);
	text = write_text(p, &annotated);
	assert_string_equal(text, "a;\xf0\x9f\x94\xa5 5\n");
	free(text);
	profile_free(p);
}

static void test_order(void **state)
{
	(void)state;
	check_fold("b 1\na;z 1\na 1\na.b 1\n\xc3\xa9 1\nB 1\n",
		   "B 1\na 1\na.b 1\na;z 1\nb 1\n\xc3\xa9 1\n");
	check_fold("c;f_[k];g_[k] 2\nc;f 1\nc;f_[k] 1\n", "c;f 1\nc;f_[k] 1\nc;f_[k];g_[k] 2\n");
}

static void test_annotation(void **state)
{
	static const char in[] = "c;u;k_[k] 1\nc;u;k 2\nc;u;j_[j];i_[i] 4\n";
	static const struct folded_options none, kernel = { .kernel = true };
	struct profile *p = read_text(in, sizeof(in) - 1);
	char *text;

	(void)state;
	assert_non_null(p);
	text = write_text(p, &none);
	assert_string_equal(text, "c;u;j;i 4\nc;u;k 3\n");
	free(text);
	text = write_text(p, &kernel);
	assert_string_equal(text, "c;u;j;i 4\nc;u;k 2\nc;u;k_[k] 1\n");
	free(text);
	profile_free(p);
}

/* Shared beginnings of neighbouring lines are taken over: also when they only seem so. */
static void test_prefixes(void **state)
{
	(void)state;
	check_fold("a;bc;d 1\na;b 1\na;bc 1\na;bc;d 1\na;bc;de 1\na;bcd 1\na 1\naa 1\na;bc;d;e 1\n",
		   "a 1\na;b 1\na;bc 1\na;bc;d 2\na;bc;d;e 1\na;bc;de 1\na;bcd 1\naa 1\n");
}

static void test_refused(void **state)
{
	static const char *const refused[] = {
		"", "\n\n", "no count here\n", "\x89PNG\r\n", "a 18446744073709551615\nb 1\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		assert_null(read_text(refused[i], strlen(refused[i])));
	assert_null(read_text("\0\0\0\0", 4));
}

/* The same result wherever the pieces are cut. */
static void test_pieces(void **state)
{
	static const char in[] = "\xef\xbb\xbf" "a;b 1\r\n# x\na;b;c 22\nbad\na 3";
	const size_t len = sizeof(in) - 1;

	(void)state;
	for (size_t cut = 0; cut <= len; cut++) {
		struct input in_state = { .name = "test", .options = &plain,
					  .profile = profile_new() };
		char *text;

		assert_true(input_folded.begin(&in_state));
		if (cut >= 3) {		/* a mark cut in two is not recognised */
			assert_true(input_folded.feed(&in_state, in, cut));
			assert_true(input_folded.feed(&in_state, in + cut, len - cut));
		} else {
			assert_true(input_folded.feed(&in_state, in, len));
		}
		assert_true(input_folded.finish(&in_state));
		text = write_text(in_state.profile, &annotated);
		assert_string_equal(text, "a 3\na;b 1\na;b;c 22\n");
		free(text);
		input_folded.end(&in_state);
		profile_free(in_state.profile);
	}
}

/* Three bad lines are shown, all are counted. */
static void test_bad_lines_said(void **state)
{
	static const char in[] = "a 1\nb\nc d\n\xff e\nf\na 0x5\n";
	FILE *quiet = msg_stream;
	char *said = NULL;
	size_t size;

	(void)state;
	msg_stream = open_memstream(&said, &size);
	profile_free(read_text(in, sizeof(in) - 1));
	fclose(msg_stream);
	msg_stream = quiet;
	assert_string_equal(said,
			    "flame: warning: test:2: not of the form STACK COUNT, left out: b\n"
			    "flame: warning: test:3: not of the form STACK COUNT, left out: c d\n"
			    "flame: warning: test:4: not of the form STACK COUNT, left out: \\xff e\n"
			    "flame: warning: test: 5 lines in all are not of the form STACK COUNT\n");
	free(said);
}

static void test_line_parts(void **state)
{
	struct folded_parts parts;

	(void)state;
	assert_int_equal(folded_parse("a b;c  12 ", 10, &parts), FOLDED_STACK);
	assert_int_equal(parts.stack_len, 5);
	assert_int_equal(parts.count_at, 7);
	assert_true(parts.count == 12);
	assert_int_equal(folded_parse("  ", 2, &parts), FOLDED_NOTHING);
	assert_int_equal(folded_parse("; 5", 3, &parts), FOLDED_BAD);
	assert_int_equal(folded_parse("a 1.2.3", 7, &parts), FOLDED_BAD);
	assert_int_equal(folded_parse("a .5", 4, &parts), FOLDED_BAD);
}

static void test_gzip(void **state)
{
	static const char in[] = "a;b 1\nc 2\n";
	unsigned char packed[256];
	z_stream z = { .next_in = (Bytef *)in, .avail_in = sizeof(in) - 1, .next_out = packed,
		       .avail_out = sizeof(packed) };
	struct profile *p;
	size_t len;

	(void)state;
	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	len = z.total_out;
	deflateEnd(&z);
	p = read_text((const char *)packed, len);
	assert_non_null(p);
	assert_true(profile_total(p, 0) == 3);
	profile_free(p);
	/* Every cut is noticed; two members in a row are one input. */
	for (size_t cut = 2; cut < len; cut++)
		assert_null(read_text((const char *)packed, cut));
	memcpy(packed + len, packed, len);
	p = read_text((const char *)packed, 2 * len);
	assert_non_null(p);
	assert_true(profile_total(p, 0) == 6);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lenient),
		cmocka_unit_test(test_utf16),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_annotation),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_bad_lines_said),
		cmocka_unit_test(test_line_parts),
		cmocka_unit_test(test_gzip),
	};

	msg_stream = fopen("/dev/null", "w");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
