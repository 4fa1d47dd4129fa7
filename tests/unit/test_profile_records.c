// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of a whole profile: damaged ones are refused by name, and nothing is read
 * behind their end (each lies in memory of just its size).
 */
/* sources: user/input/profile_records.c user/profile/profile.c user/util/mem.c user/util/msg.c user/util/text.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "input/profile_records.h"

static struct profile_records records;
static struct profile *profile;

static const char *take(const void *rec, size_t size)
{
	struct flame_rec *copy = malloc(size);
	const char *wrong;

	assert_non_null(copy);
	memcpy(copy, rec, size);
	copy->size = (uint32_t)size;
	wrong = profile_records_add(&records, profile, copy);
	free(copy);
	return wrong;
}

static int begin(void **state)
{
	(void)state;
	profile = profile_new();
	memset(&records, 0, sizeof(records));
	return 0;
}

static int end(void **state)
{
	(void)state;
	profile_records_free(&records);
	profile_free(profile);
	return 0;
}

static void define(void)
{
	struct { struct profile_rec_event rec; char bytes[8]; } event = {
		.rec = { .hdr.type = PROFILE_REC_EVENT, .name_len = 1, .unit_len = 2 }, .bytes = "eus",
	};
	struct { struct profile_rec_frame rec; char bytes[8]; } frame = {
		.rec = { .hdr.type = PROFILE_REC_FRAME, .kind = FRAME_KERNEL, .name_len = 3 },
	};
	struct profile_rec_stack stack = { .hdr.type = PROFILE_REC_STACK, .frame = 1 };

	memcpy(frame.rec.bytes, "f;1", 3);
	assert_null(take(&event, sizeof(event)));
	assert_null(take(&frame, sizeof(frame)));
	assert_null(take(&stack, sizeof(stack)));
}

static void test_good(void **state)
{
	struct profile_rec_sum sum = { .hdr.type = PROFILE_REC_SUM, .value = 5, .stack = 1 };
	struct profile_rec_sample sample = {
		.hdr.type = PROFILE_REC_SAMPLE, .value = 2, .stack = 0, .comm = 1,
	};

	(void)state;
	define();
	profile_keep_samples(profile);
	assert_null(take(&sum, sizeof(sum)));
	assert_null(take(&sample, sizeof(sample)));
	assert_int_equal(records.nr_values, 2);
	assert_string_equal(profile_event_name(profile, 0), "e");
	assert_string_equal(profile_event_unit(profile, 0), "us");
	assert_int_equal(profile_self(profile, 1, 0), 5);
	assert_int_equal(profile_self(profile, 0, 0), 2);
	/* A name that would break folded text is escaped, whoever wrote it. */
	assert_string_equal(profile_text(profile, profile_frame_at(profile, 0)->name), "f\\x3b1");
	assert_int_equal(profile_frame_at(profile, 0)->kind, FRAME_KERNEL);
	assert_int_equal(profile_sample_at(profile, 0)->comm, profile_frame_at(profile, 0)->name);
}

static void test_short(void **state)
{
	static const struct { uint16_t type; size_t size; } sizes[] = {
		{ PROFILE_REC_EVENT, sizeof(struct profile_rec_event) },
		{ PROFILE_REC_FRAME, offsetof(struct profile_rec_frame, bytes) },
		{ PROFILE_REC_STACK, sizeof(struct profile_rec_stack) },
		{ PROFILE_REC_SUM, sizeof(struct profile_rec_sum) },
		{ PROFILE_REC_SAMPLE, sizeof(struct profile_rec_sample) },
	};

	(void)state;
	define();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (size_t size = sizeof(struct flame_rec); size < sizes[i].size; size += 4) {
			uint64_t zeros[16] = { 0 };

			((struct flame_rec *)zeros)->type = sizes[i].type;
			assert_non_null(take(zeros, size));
		}
	}
}

static void test_lengths(void **state)
{
	struct profile_rec_event event = {
		.hdr.type = PROFILE_REC_EVENT, .name_len = UINT32_MAX, .unit_len = 1,
	};
	struct profile_rec_frame frame = {
		.hdr.type = PROFILE_REC_FRAME, .name_len = UINT32_MAX, .object_len = UINT32_MAX,
	};

	(void)state;
	assert_non_null(take(&event, sizeof(event)));
	assert_non_null(take(&frame, sizeof(frame)));
	frame.name_len = frame.object_len = 0;
	frame.kind = FRAME_SPECIAL + 1;
	assert_non_null(take(&frame, sizeof(frame)));
}

static void test_ids(void **state)
{
	struct profile_rec_stack stack = { .hdr.type = PROFILE_REC_STACK };
	struct profile_rec_sum sum = { .hdr.type = PROFILE_REC_SUM };
	struct profile_rec_sample sample = { .hdr.type = PROFILE_REC_SAMPLE };

	(void)state;
	define();
	assert_non_null(take(&stack, sizeof(stack)));	/* frame 0 */
	stack.frame = 2;
	assert_non_null(take(&stack, sizeof(stack)));
	stack.frame = 1;
	stack.parent = 2;
	assert_non_null(take(&stack, sizeof(stack)));
	sum.stack = 2;
	assert_non_null(take(&sum, sizeof(sum)));
	sum.stack = 1;
	sum.event = 1;
	assert_non_null(take(&sum, sizeof(sum)));
	sample.comm = 2;
	assert_non_null(take(&sample, sizeof(sample)));
	sample.comm = 0;
	sample.event = UINT32_MAX;
	assert_non_null(take(&sample, sizeof(sample)));
}

static void test_sum_of_sums(void **state)
{
	struct profile_rec_sum sum = { .hdr.type = PROFILE_REC_SUM, .value = UINT64_MAX, .stack = 1 };

	(void)state;
	define();
	assert_null(take(&sum, sizeof(sum)));
	sum.value = 1;
	assert_non_null(take(&sum, sizeof(sum)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_good, begin, end),
		cmocka_unit_test_setup_teardown(test_short, begin, end),
		cmocka_unit_test_setup_teardown(test_lengths, begin, end),
		cmocka_unit_test_setup_teardown(test_ids, begin, end),
		cmocka_unit_test_setup_teardown(test_sum_of_sums, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
