// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of a profile, their callers and callees: sums done by hand, recursion above
 * all.
 */
/* sources: user/output/functions.c user/profile/profile.c user/profile/tree.c user/util/mem.c user/util/msg.c user/util/text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "output/functions.h"

static void add(struct profile *p, const char *text, uint64_t value)
{
	uint32_t at = PROFILE_ROOT_STACK, event = profile_event(p, "", "samples");
	char copy[128], *save = NULL;

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *name = strtok_r(copy, ";", &save); name; name = strtok_r(NULL, ";", &save)) {
		size_t len = strlen(name);
		struct profile_frame f = { .offset = PROFILE_NO_OFFSET };

		f.kind = at == PROFILE_ROOT_STACK ? FRAME_COMM : frame_kind_of(name, &len);
		f.name = profile_name(p, name, len);
		at = profile_push(p, at, profile_frame(p, &f));
	}
	assert_true(profile_add(p, at, event, value));
}

static struct tree *recursive(struct profile *p)
{
	add(p, "c;main;f;g;f;h", 1);
	add(p, "c;main;f;g;f", 2);
	add(p, "c;main;f", 4);
	add(p, "c;main;g", 8);
	add(p, "c;main;f_[k]", 16);
	return tree_build(p, 0, 0);
}

static const struct function *find(const struct functions *f, const char *name,
				   enum frame_kind kind)
{
	for (size_t i = 0; i < f->nr; i++)
		if (!strcmp(f->at[i].name, name) && f->at[i].kind == kind)
			return &f->at[i];
	fail_msg("no %s", name);
	return NULL;
}

static void check(const struct functions *f, const char *name, enum frame_kind kind,
		  uint64_t self, uint64_t total)
{
	const struct function *found = find(f, name, kind);

	assert_int_equal(found->self, self);
	assert_int_equal(found->total, total);
}

static void test_totals(void **state)
{
	struct profile *p = profile_new();
	struct tree *t = recursive(p);
	struct functions f;

	(void)state;
	functions_of_tree(&f, t);
	assert_int_equal(f.nr, 6);
	check(&f, "c", FRAME_COMM, 0, 31);
	check(&f, "main", FRAME_USER, 0, 31);
	check(&f, "f", FRAME_USER, 6, 7);
	check(&f, "g", FRAME_USER, 8, 11);
	check(&f, "h", FRAME_USER, 1, 1);
	check(&f, "f", FRAME_KERNEL, 16, 16);
	functions_sort_self(&f);
	assert_int_equal(f.at[0].kind, FRAME_KERNEL);
	assert_string_equal(f.at[1].name, "g");
	assert_string_equal(f.at[2].name, "f");
	functions_sort_total(&f);
	assert_string_equal(f.at[0].name, "c");
	assert_string_equal(f.at[1].name, "main");
	functions_free(&f);
	tree_free(t);
	profile_free(p);
}

static void test_around(void **state)
{
	struct profile *p = profile_new();
	struct tree *t = recursive(p);
	struct functions f;

	(void)state;
	/* Of the outermost f (either kind) the caller is main, always. */
	assert_int_equal(functions_around(&f, t, "f", true), 23);
	assert_int_equal(f.nr, 1);
	check(&f, "main", FRAME_USER, 23, 23);
	functions_free(&f);
	/* Below the innermost f: h once, nothing else. */
	assert_int_equal(functions_around(&f, t, "f", false), 23);
	check(&f, "h", FRAME_USER, 1, 1);
	check(&f, "(self)", FRAME_SPECIAL, 22, 22);
	functions_free(&f);
	assert_int_equal(functions_around(&f, t, "f_[k]", true), 16);
	functions_free(&f);
	assert_int_equal(functions_around(&f, t, "g", true), 11);
	check(&f, "f", FRAME_USER, 3, 3);
	check(&f, "main", FRAME_USER, 8, 8);
	functions_free(&f);
	assert_int_equal(functions_around(&f, t, "c", true), 31);
	check(&f, "(root)", FRAME_SPECIAL, 31, 31);
	functions_free(&f);
	assert_int_equal(functions_around(&f, t, "nobody", true), 0);
	assert_int_equal(f.nr, 0);
	functions_free(&f);
	tree_free(t);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
