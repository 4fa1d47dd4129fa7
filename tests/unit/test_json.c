// SPDX-License-Identifier: GPL-2.0-only
/*
 * The JSON writer: brackets, commas, escapes, decimals. Expected texts are written out.
 */
/* sources: user/output/json.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "output/json.h"

static char *text;
static size_t text_len;
static struct json json;

static int begin(void **state)
{
	(void)state;
	memset(&json, 0, sizeof(json));
	json.fp = open_memstream(&text, &text_len);
	return !json.fp;
}

static void assert_text(const char *expected)
{
	fclose(json.fp);
	assert_string_equal(text, expected);
	free(text);
}

static void test_structure(void **state)
{
	(void)state;
	json_open(&json, '{');
	json_key(&json, "a");
	json_open(&json, '[');
	json_close(&json, ']');
	json_key_u64(&json, "b", 0);
	json_newline(&json);
	json_key(&json, "c");
	json_open(&json, '[');
	json_bool(&json, true);
	json_put_null(&json);
	json_open(&json, '{');
	json_close(&json, '}');
	json_u64(&json, UINT64_MAX);
	json_close(&json, ']');
	json_close(&json, '}');
	assert_text("{\"a\":[],\"b\":0,\n\"c\":[true,null,{},18446744073709551615]}");
}

static void test_strings(void **state)
{
	(void)state;
	json_open(&json, '[');
	json_put_string(&json, "");
	json_put_string(&json, "\"\\/\x01\x1f\t</script>\xce\xa9\x7f");
	json_close(&json, ']');
	assert_text("[\"\",\"\\\"\\\\/\\u0001\\u001f\\u0009\\u003c/script>\xce\xa9\x7f\"]");
}

static void test_decimals(void **state)
{
	(void)state;
	json_open(&json, '[');
	json_decimal(&json, 0, 3);
	json_decimal(&json, 1, 3);
	json_decimal(&json, 1500, 3);
	json_decimal(&json, 12000, 3);
	json_decimal(&json, 10101010, 6);
	json_decimal(&json, UINT64_MAX, 9);
	json_close(&json, ']');
	assert_text("[0,0.001,1.5,12,10.10101,18446744073.709551615]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_structure, begin),
		cmocka_unit_test_setup(test_strings, begin),
		cmocka_unit_test_setup(test_decimals, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
