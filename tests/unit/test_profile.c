// SPDX-License-Identifier: GPL-2.0-only
/*
 * The profile and the tree made of it: ids, sums, overflow, order of siblings, both
 * directions, depth. All values are added up by hand.
 */
/* sources: user/profile/profile.c user/profile/tree.c user/util/mem.c user/util/msg.c user/util/text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "profile/profile.h"
#include "profile/tree.h"

static uint32_t frame(struct profile *p, const char *name, enum frame_kind kind)
{
	struct profile_frame f = {
		.name = profile_name(p, name, strlen(name)), .offset = PROFILE_NO_OFFSET,
		.kind = kind,
	};

	return profile_frame(p, &f);
}

/* "a;b;c": user frames all. */
static uint32_t stack(struct profile *p, const char *text)
{
	uint32_t at = PROFILE_ROOT_STACK;
	char copy[128], *save = NULL;

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *name = strtok_r(copy, ";", &save); name; name = strtok_r(NULL, ";", &save))
		at = profile_push(p, at, frame(p, name, FRAME_USER));
	return at;
}

static void test_interning(void **state)
{
	struct profile *p = profile_new();
	uint32_t a = stack(p, "a;b;c"), b = stack(p, "a;b");

	(void)state;
	assert_int_equal(profile_string(p, "", 0), PROFILE_NO_STRING);
	assert_int_equal(stack(p, "a;b;c"), a);
	assert_int_equal(profile_stack_parent(p, a), b);
	assert_int_equal(profile_nr_stacks(p), 4);
	assert_int_equal(profile_nr_frames(p), 3);
	/* Another kind is another frame. */
	assert_int_not_equal(frame(p, "a", FRAME_KERNEL), frame(p, "a", FRAME_USER));
	assert_string_equal(profile_text(p, profile_name(p, "x;\n", 3)), "x\\x3b\\x0a");
	profile_free(p);
}

static void test_many(void **state)
{
	struct profile *p = profile_new();
	uint32_t event = profile_event(p, "e", "samples");
	char name[32];

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 100000; i++) {
			uint32_t s;

			snprintf(name, sizeof(name), "f%u", i);
			s = profile_push(p, PROFILE_ROOT_STACK, frame(p, name, FRAME_USER));
			assert_int_equal(s, i + 1);
			assert_true(profile_add(p, s, event, 1));
		}
	}
	assert_true(profile_total(p, event) == 200000);
	assert_true(profile_self(p, 77777, event) == 2);
	profile_free(p);
}

static void test_overflow(void **state)
{
	struct profile *p = profile_new();
	uint32_t e = profile_event(p, "e", "samples"), a = stack(p, "a"), b = stack(p, "b");

	(void)state;
	assert_true(profile_add(p, a, e, UINT64_MAX));
	assert_false(profile_add(p, b, e, 1));
	assert_true(profile_self(p, b, e) == 0);
	assert_true(profile_total(p, e) == UINT64_MAX);
	profile_free(p);
}

static void test_samples(void **state)
{
	struct profile *p = profile_new();
	uint32_t e = profile_event(p, "e", "samples"), a = stack(p, "a");
	struct profile_sample s = { .time = 5, .value = 3, .stack = a, .event = e, .cpu = 2 };

	(void)state;
	assert_true(profile_add_sample(p, &s));
	assert_int_equal(profile_nr_samples(p), 0);
	profile_keep_samples(p);
	assert_true(profile_add_sample(p, &s));
	assert_int_equal(profile_nr_samples(p), 1);
	assert_int_equal(profile_sample_at(p, 0)->cpu, 2);
	assert_true(profile_self(p, a, e) == 6);
	profile_free(p);
}

/* A box as text: depth, name, self, total. */
static void check_node(const struct tree *t, uint32_t i, uint32_t depth, const char *name,
		       uint64_t self, uint64_t total)
{
	assert_true(i < t->nr);
	assert_int_equal(t->nodes[i].depth, depth);
	assert_string_equal(t->nodes[i].name, name);
	assert_true(t->nodes[i].self == self);
	assert_true(t->nodes[i].total == total);
}

static void test_tree(void **state)
{
	struct profile *p = profile_new();
	uint32_t e = profile_event(p, "e", "samples");
	struct tree *t;

	(void)state;
	profile_add(p, stack(p, "m;foo"), e, 1);
	profile_add(p, stack(p, "m;foo.cold;y"), e, 2);
	profile_add(p, stack(p, "m;foo;x"), e, 3);
	profile_add(p, stack(p, "m;B"), e, 4);
	t = tree_build(p, e, 0);
	assert_int_equal(t->nr, 7);
	assert_int_equal(t->max_depth, 3);
	check_node(t, 0, 0, "", 0, 10);
	check_node(t, 1, 1, "m", 0, 10);
	check_node(t, 2, 2, "B", 4, 4);
	check_node(t, 3, 2, "foo", 1, 4);
	check_node(t, 4, 3, "x", 3, 3);
	check_node(t, 5, 2, "foo.cold", 0, 2);
	check_node(t, 6, 3, "y", 2, 2);
	assert_int_equal(t->nodes[1].end, 7);
	assert_int_equal(t->nodes[3].end, 5);
	assert_int_equal(t->nodes[4].parent, 3);
	tree_free(t);

	t = tree_build(p, e, TREE_LEAF_FIRST);
	assert_int_equal(t->nr, 11);
	check_node(t, 1, 1, "B", 0, 4);
	check_node(t, 2, 2, "m", 4, 4);
	check_node(t, 3, 1, "foo", 0, 1);
	check_node(t, 5, 1, "x", 0, 3);
	check_node(t, 6, 2, "foo", 0, 3);
	check_node(t, 8, 1, "y", 0, 2);
	tree_free(t);
	profile_free(p);
}

/* Places of one function are one box; kinds are not. Bytes decide the order. */
static void test_merging(void **state)
{
	struct profile *p = profile_new();
	uint32_t e = profile_event(p, "e", "samples"), name = profile_string(p, "f", 1);
	struct profile_frame f = { .name = name, .offset = 1, .kind = FRAME_USER };
	struct tree *t;

	(void)state;
	profile_add(p, profile_push(p, 0, profile_frame(p, &f)), e, 1);
	f.offset = 2;
	profile_add(p, profile_push(p, 0, profile_frame(p, &f)), e, 2);
	f.kind = FRAME_KERNEL;
	profile_add(p, profile_push(p, 0, profile_frame(p, &f)), e, 4);
	profile_add(p, profile_push(p, 0, frame(p, "\xc3\xa9", FRAME_USER)), e, 8);
	profile_add(p, profile_push(p, 0, frame(p, "z", FRAME_USER)), e, 16);
	profile_add(p, PROFILE_ROOT_STACK, e, 32);
	t = tree_build(p, e, 0);
	assert_int_equal(t->nr, 5);
	check_node(t, 0, 0, "", 32, 63);
	check_node(t, 1, 1, "f", 3, 3);
	check_node(t, 2, 1, "f", 4, 4);
	assert_int_equal(t->nodes[2].kind, FRAME_KERNEL);
	check_node(t, 3, 1, "z", 16, 16);
	check_node(t, 4, 1, "\xc3\xa9", 8, 8);
	tree_free(t);
	profile_free(p);
}

static void test_deep(void **state)
{
	struct profile *p = profile_new();
	uint32_t e = profile_event(p, "e", "samples"), f = frame(p, "f", FRAME_USER);
	uint32_t at = PROFILE_ROOT_STACK;
	struct tree *t;

	(void)state;
	for (int i = 0; i < 200000; i++)
		at = profile_push(p, at, f);
	profile_add(p, at, e, 1);
	t = tree_build(p, e, 0);
	assert_int_equal(t->nr, 200001);
	assert_int_equal(t->max_depth, 200000);
	assert_true(t->nodes[100000].total == 1);
	tree_free(t);
	profile_free(p);
}

/* A tree shows one event: what another one alone has is no box of it. */
static void test_events(void **state)
{
	struct profile *p = profile_new();
	uint32_t a = profile_event(p, "a", "samples"), b = profile_event(p, "b", "samples");
	struct tree *t;

	(void)state;
	assert_int_equal(profile_event(p, "a", "samples"), a);
	profile_add(p, stack(p, "m;x"), a, 1);
	profile_add(p, stack(p, "n;y"), b, 5);
	t = tree_build(p, b, 0);
	assert_int_equal(t->nr, 3);
	check_node(t, 1, 1, "n", 0, 5);
	tree_free(t);
	t = tree_build(p, a, 0);
	check_node(t, 2, 2, "x", 1, 1);
	tree_free(t);
	profile_free(p);
}

static void test_kinds(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		enum frame_kind kind;
	} cases[] = {
		{ "vfs_read_[k]", 8, FRAME_KERNEL },
		{ "f_[i]", 1, FRAME_INLINED },
		{ "Lfoo_[j]", 4, FRAME_JIT },
		{ "f_[w]", 1, FRAME_WAKER },
		{ "f_[x]", 5, FRAME_USER },
		{ "[k]", 3, FRAME_USER },
		{ "[truncated]", 11, FRAME_SPECIAL },
		{ "[libc.so.6]", 11, FRAME_USER },
		{ "", 0, FRAME_USER },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = strlen(cases[i].text);

		assert_int_equal(frame_kind_of(cases[i].text, &len), cases[i].kind);
		assert_int_equal(len, cases[i].len);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interning),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
