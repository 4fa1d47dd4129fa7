// SPDX-License-Identifier: GPL-2.0-only
/*
 * Differences, merged and anonymous profiles. Scaled counts are worked out by hand, the
 * hash is the test vector of the SipHash paper (appendix A): key 00 01 ... 0f, input 00
 * 01 ... 0e.
 */
/* sources: user/profile/profile.c user/profile/merge.c user/profile/diff.c user/profile/filter.c user/profile/anonymize.c user/output/svg_diff.c user/util/siphash.c user/util/mem.c user/util/msg.c user/util/text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "output/svg_diff.h"
#include "profile/anonymize.h"
#include "profile/diff.h"
#include "profile/filter.h"
#include "profile/merge.h"

/* "a;b": the root is a thread, a name in brackets a mark. */
static uint32_t stack(struct profile *p, const char *text)
{
	uint32_t at = PROFILE_ROOT_STACK;
	char copy[128], *save = NULL;

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *name = strtok_r(copy, ";", &save); name; name = strtok_r(NULL, ";", &save)) {
		struct profile_frame f = {
			.name = profile_name(p, name, strlen(name)), .offset = PROFILE_NO_OFFSET,
			.kind = at == PROFILE_ROOT_STACK ? FRAME_COMM : FRAME_USER,
		};

		if (!strcmp(name, SVG_VANISHED))
			f.kind = FRAME_SPECIAL;
		at = profile_push(p, at, profile_frame(p, &f));
	}
	return at;
}

static void add(struct profile *p, const char *text, uint64_t value)
{
	uint32_t event = profile_event(p, "e", "samples");

	assert_true(profile_add(p, stack(p, text), event, value));
}

static void test_siphash(void **state)
{
	const struct siphash_key key = { 0x0706050403020100, 0x0f0e0d0c0b0a0908 };
	unsigned char input[15];

	(void)state;
	for (size_t i = 0; i < sizeof(input); i++)
		input[i] = (unsigned char)i;
	assert_true(siphash(&key, input, sizeof(input)) == 0xa129ca6149be45e5);
}

static void test_scale(void **state)
{
	(void)state;
	assert_int_equal(diff_scale(4, 7, 20), 11);
	assert_int_equal(diff_scale(7, 7, 20), 20);
	assert_int_equal(diff_scale(3, 0, 20), 3);
	assert_int_equal(diff_scale(3, 7, 0), 3);
	/* The product has 127 bits. */
	assert_true(diff_scale(UINT64_MAX - 1, UINT64_MAX, UINT64_MAX - 1) == UINT64_MAX - 2);
}

static void test_strip_hex(void **state)
{
	static const char *const cases[][2] = {
		{ "f+0x1f", "f+0x..." }, { "0x", "0x" }, { "0xg", "0xg" },
		{ "00x1 0xA0xB", "00x... 0x...xB" },
		{ "", "" }, { "0x0x1", "0x...x1" }, { "0X1", "0X1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char out[64];
		size_t len = diff_strip_hex(out, cases[i][0], strlen(cases[i][0]));

		assert_int_equal(len, strlen(cases[i][1]));
		assert_memory_equal(out, cases[i][1], len);
	}
}

static void test_diff(void **state)
{
	const struct diff_options plain = { 0 }, both = { true, true };
	struct profile *a = profile_new(), *b = profile_new(), *d;

	(void)state;
	add(a, "t;f+0x1", 3);
	add(a, "t;f+0x2", 3);
	add(b, "t;f+0x3", 8);
	d = profile_diff(a, 0, b, 0, &plain);
	assert_int_equal(profile_self(d, stack(d, "t;f+0x1"), 1), 3);
	assert_int_equal(profile_self(d, stack(d, "t;f+0x1"), 0), 0);
	assert_int_equal(profile_self(d, stack(d, "t;f+0x3"), 0), 8);
	assert_string_equal(profile_event_name(d, 1), "before");
	profile_free(d);
	/* (3 + 3) * 8 / 6 */
	d = profile_diff(a, 0, b, 0, &both);
	assert_int_equal(profile_self(d, stack(d, "t;f+0x..."), 1), 8);
	assert_int_equal(profile_self(d, stack(d, "t;f+0x..."), 0), 8);
	profile_free(d);
	profile_free(a);
	profile_free(b);
}

static void test_view(void **state)
{
	const struct diff_options plain = { 0 };
	struct profile *a = profile_new(), *b = profile_new(), *d, *view;

	(void)state;
	add(a, "t;f", 2);
	add(a, "t;f;old", 5);
	add(b, "t;f", 9);
	d = profile_diff(a, 0, b, 0, &plain);
	assert_int_equal(svg_diff_vanished(d, 0, 1), 5);
	view = svg_diff_view(d, 0, 1, WIDTHS_BOTH, false);
	assert_int_equal(profile_total(view, VIEW_WIDTH), 7 + 5);
	assert_int_equal(profile_self(view, stack(view, "t;f;old"), VIEW_WIDTH), 5);
	profile_free(view);
	view = svg_diff_view(d, 0, 1, WIDTHS_AFTER, true);
	assert_int_equal(profile_total(view, VIEW_WIDTH), 9 + 5);
	assert_int_equal(profile_total(view, VIEW_BEFORE), 7);
	assert_int_equal(profile_self(view, stack(view, "t;f;old"), VIEW_WIDTH), 0);
	profile_free(view);
	profile_free(d);
	profile_free(a);
	profile_free(b);
}

static void test_merge(void **state)
{
	struct profile *a = profile_new(), *sum = profile_new();
	const struct profile_sample sample = { .value = UINT64_MAX };

	(void)state;
	add(a, "t;f", 2);
	profile_meta(a)->frequency = 99;
	profile_meta(a)->duration_ns = 5;
	strcpy(profile_meta(a)->host, "one");
	assert_true(profile_merge(sum, a, false));
	profile_meta(a)->frequency = 100;
	assert_true(profile_merge(sum, a, false));
	assert_int_equal(profile_self(sum, stack(sum, "t;f"), 0), 4);
	assert_int_equal(profile_meta(sum)->frequency, 0);
	assert_int_equal(profile_meta(sum)->duration_ns, 10);
	assert_string_equal(profile_meta(sum)->host, "one");
	/* Folded text's samples say nothing of when and where. */
	profile_free(a);
	a = profile_new();
	profile_event(a, "e", "samples");
	profile_keep_samples(a);
	assert_true(profile_add_sample(a, &sample));
	assert_false(profile_has_places(a));
	assert_false(profile_merge(sum, a, false));
	profile_free(a);
	profile_free(sum);
}

static void test_filter(void **state)
{
	const struct filter_range cpus[] = { { 1, 2 }, { 5, 5 } };
	struct filter f = { .to_ns = 20, .cpus = cpus, .nr_cpus = 2 };
	struct profile *p = profile_new(), *part;

	(void)state;
	profile_event(p, "e", "samples");
	profile_keep_samples(p);
	profile_meta(p)->duration_ns = 100;
	for (uint32_t cpu = 0; cpu < 8; cpu++) {
		struct profile_sample s = {
			.time = cpu * 5, .value = 1u << cpu, .cpu = cpu, .stack = stack(p, "t;f"),
		};

		assert_true(profile_add_sample(p, &s));
	}
	assert_true(filter_needs_samples(&f));
	/* CPU 5 was at 25. */
	part = profile_filter(p, &f);
	assert_int_equal(profile_total(part, 0), 2 + 4);
	assert_int_equal(profile_nr_samples(part), 2);
	assert_int_equal(profile_meta(part)->duration_ns, 20);
	profile_free(part);
	profile_free(p);
}

static void test_anonymize(void **state)
{
	const struct siphash_key key = anonymize_key("secret"), other = anonymize_key("Secret");
	struct profile_sample s = { .value = 1, .pid = 7, .tid = 7 };
	struct profile *p = profile_new(), *q;
	const struct profile_sample *found;

	(void)state;
	assert_true(key.k0 != other.k0 && key.k1 != other.k1 && key.k0 != key.k1);
	profile_event(p, "e", "samples");
	profile_keep_samples(p);
	strcpy(profile_meta(p)->host, "host");
	s.stack = stack(p, "redis;main;[unknown];[vdso]");
	s.comm = profile_string(p, "redis", 5);
	assert_true(profile_add_sample(p, &s));
	q = profile_anonymize(p, &key);
	found = profile_sample_at(q, 0);
	assert_string_equal(profile_meta(q)->host, "");
	assert_int_not_equal(found->pid, 7);
	assert_int_equal(found->pid, found->tid);
	assert_memory_equal(profile_text(q, found->comm), "comm-", 5);
	/* The thread's name and its root frame stay the same thing. */
	assert_int_equal(found->stack, stack(q, "x") - 1);
	for (uint32_t at = found->stack, i = 0; i < 4; at = profile_stack_parent(q, at), i++) {
		static const char *const names[] = { "[vdso]", "[unknown]", "main" };
		uint32_t name = profile_frame_at(q, profile_stack_frame(q, at))->name;

		if (i < 3)
			assert_string_equal(profile_text(q, name), names[i]);
		else
			assert_int_equal(name, found->comm);
	}
	profile_free(q);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_siphash),
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_strip_hex),
		cmocka_unit_test(test_diff),
		cmocka_unit_test(test_view),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_anonymize),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
