// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ring in one thread: order, sizes, full and nearly full, the wrap, giving up
 * the oldest, and a consumer that meets sizes which cannot be. Random operations
 * against a plain list of the records that should be there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "double_map.h"
#include "random.h"
#include "ring.h"

#define SIZE	4096

static struct flame_ring ring;

static int setup(void **state)
{
	u8 *data = double_map(SIZE);

	(void)state;
	if (!data)
		return -1;
	flame_ring_init(&ring, data, SIZE);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	double_unmap(ring.data, SIZE);
	return 0;
}

/* A record of @bytes: its size, its number, then bytes that follow from the number. */
static void fill(void *at, u32 bytes, u32 number)
{
	u8 *p = at;
	u32 i;

	memcpy(p, &bytes, 4);
	memcpy(p + 4, &number, 4);
	for (i = 8; i < bytes; i++)
		p[i] = (u8)(number * 31 + i);
}

static void assert_record(const void *rec, u32 bytes, u32 number)
{
	u8 expected[SIZE];

	assert_non_null(rec);
	fill(expected, bytes, number);
	assert_memory_equal(rec, expected, bytes);
}

/* Writes a record if there is room for all of it. */
static bool put(u32 bytes, u32 number)
{
	u32 space;
	void *at = flame_ring_reserve(&ring, bytes, &space);

	if (space < bytes)
		return false;
	assert_int_equal(space, bytes);
	fill(at, bytes, number);
	flame_ring_commit(&ring, bytes);
	return true;
}

/* Expects the oldest record to be that one, and consumes it. */
static void take(u32 bytes, u32 number)
{
	u64 head = flame_ring_head(&ring);

	assert_record(flame_ring_peek(&ring, ring.tail, head), bytes, number);
	flame_ring_consume(&ring, ring.tail + bytes);
}

static void assert_empty(void)
{
	u64 head = flame_ring_head(&ring);

	assert_int_equal(ring.tail, head);
	assert_null(flame_ring_peek(&ring, ring.tail, head));
}

static void test_first_in_first_out(void **state)
{
	u64 head, pos;

	(void)state;
	assert_empty();
	assert_true(put(8, 1));
	assert_true(put(24, 2));
	assert_true(put(16, 3));
	assert_int_equal(flame_ring_used_hint(&ring), 48);

	/* Several in one go, consumed at once. */
	head = flame_ring_head(&ring);
	pos = ring.tail;
	assert_record(flame_ring_peek(&ring, pos, head), 8, 1);
	assert_record(flame_ring_peek(&ring, pos + 8, head), 24, 2);
	assert_record(flame_ring_peek(&ring, pos + 32, head), 16, 3);
	assert_null(flame_ring_peek(&ring, pos + 48, head));
	flame_ring_consume(&ring, head);
	assert_empty();

	assert_true(put(8, 4));
	take(8, 4);
	assert_empty();
}

/* What is reserved but not committed does not exist. */
static void test_commit_makes_visible(void **state)
{
	u32 space;
	void *at = flame_ring_reserve(&ring, 64, &space);

	(void)state;
	fill(at, 64, 1);
	assert_empty();
	/* Less than was reserved: the rest is still free. */
	fill(at, 16, 1);
	flame_ring_commit(&ring, 16);
	assert_ptr_equal(flame_ring_reserve(&ring, 64, &space), (u8 *)at + 16);
	take(16, 1);
	assert_empty();
}

static void test_full(void **state)
{
	u32 space;

	(void)state;
	assert_true(put(SIZE - 24, 1));
	/* 24 bytes are left: no more, and no less. */
	flame_ring_reserve(&ring, 32, &space);
	assert_int_equal(space, 24);
	flame_ring_reserve(&ring, 24, &space);
	assert_int_equal(space, 24);
	flame_ring_reserve(&ring, 16, &space);
	assert_int_equal(space, 16);
	assert_true(put(24, 2));
	flame_ring_reserve(&ring, 8, &space);
	assert_int_equal(space, 0);
	assert_false(put(8, 3));

	/* Room comes back as it is consumed, and the rest stays as it was. */
	take(SIZE - 24, 1);
	assert_true(put(SIZE - 24, 4));
	assert_false(put(8, 5));
	take(24, 2);
	take(SIZE - 24, 4);
	assert_empty();
}

static void test_whole_ring_is_one_record(void **state)
{
	u32 space;

	(void)state;
	flame_ring_reserve(&ring, SIZE + 8, &space);
	assert_int_equal(space, SIZE);
	assert_true(put(8, 0));
	take(8, 0);
	assert_true(put(SIZE, 1));
	assert_false(put(8, 2));
	take(SIZE, 1);
	assert_empty();
}

/* A record that crosses the end lies in one piece, beyond it. */
static void test_wrap(void **state)
{
	const u8 *rec;

	(void)state;
	assert_true(put(SIZE - 16, 1));
	take(SIZE - 16, 1);
	assert_true(put(64, 2));
	rec = flame_ring_peek(&ring, ring.tail, flame_ring_head(&ring));
	assert_ptr_equal(rec, ring.data + SIZE - 16);
	/* ... and its second part at the beginning. */
	assert_memory_equal(rec + 16, ring.data, 48);
	take(64, 2);
	assert_empty();
}

/* Positions never end: what holds at the start holds after many terabytes. */
static void test_far_positions(void **state)
{
	(void)state;
	ring.head = ring.tail = ring.tail_seen = (1ULL << 45) - 64;
	assert_true(put(48, 1));
	assert_true(put(SIZE - 48, 2));
	assert_false(put(8, 3));
	take(48, 1);
	take(SIZE - 48, 2);
	assert_empty();
}

static void test_overwrite(void **state)
{
	u32 i;

	(void)state;
	for (i = 1; i <= SIZE / 64; i++)
		assert_true(put(64, i));
	/* Room is there: nothing is given up. */
	assert_int_equal(flame_ring_overwrite(&ring, 0), 0);
	/* 8 bytes cost one record of 64, which is enough for 64 bytes then. */
	assert_int_equal(flame_ring_overwrite(&ring, 8), 1);
	assert_int_equal(flame_ring_used_hint(&ring), SIZE - 64);
	assert_int_equal(flame_ring_overwrite(&ring, 64), 0);
	assert_true(put(56, 100));
	assert_false(put(16, 0));
	/* 8 bytes are left: for 136 it takes two records more. */
	assert_int_equal(flame_ring_overwrite(&ring, 136), 2);
	assert_true(put(136, 101));
	assert_false(put(8, 0));

	for (i = 4; i <= SIZE / 64; i++)
		take(64, i);
	take(56, 100);
	take(136, 101);
	assert_empty();

	/* All of them for one. */
	for (i = 1; i <= SIZE / 64; i++)
		assert_true(put(64, i));
	assert_int_equal(flame_ring_overwrite(&ring, SIZE), SIZE / 64);
	assert_true(put(SIZE, 7));
	take(SIZE, 7);
}

/* The newest records stay, whole and in order, and all others are counted. */
static void test_overwrite_random(void **state)
{
	u32 size[1000], given_up = 0, left, i;
	u64 random = 3, pos, head;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(size); i++) {
		size[i] = 8 * (1 + (u32)below(&random, 60));
		given_up += flame_ring_overwrite(&ring, size[i]);
		assert_true(put(size[i], i));
	}
	head = flame_ring_head(&ring);
	left = 0;
	for (pos = ring.tail; pos != head; pos += size[given_up + left++]) {
		assert_in_range(given_up + left, 0, ARRAY_SIZE(size) - 1);
		assert_record(flame_ring_peek(&ring, pos, head), size[given_up + left],
			      given_up + left);
	}
	assert_int_equal(given_up + left, ARRAY_SIZE(size));
	/* No more was given up than had to be: the next older one has no room. */
	assert_true(head - ring.tail + size[given_up - 1] > SIZE);
}

/* The consumer believes no size that cannot be. */
static void test_lying_sizes(void **state)
{
	static const u32 lies[] = { 0, 1, 4, 7, 9, 12, 20, 72, SIZE, SIZE + 8, 0x80000000, ~0U,
				    ~0U - 7 };
	u64 head;
	size_t i;

	(void)state;
	assert_true(put(32, 1));
	assert_true(put(32, 2));
	head = flame_ring_head(&ring);
	for (i = 0; i < ARRAY_SIZE(lies); i++) {
		memcpy(ring.data, &lies[i], 4);
		if (flame_ring_peek(&ring, 0, head))
			fail_msg("size %u was believed", lies[i]);
	}
	/* The last one may be no larger than what is left. */
	memcpy(ring.data + 32, &(u32){ 40 }, 4);
	assert_null(flame_ring_peek(&ring, 32, head));
	/* As large as all that is left is fine. */
	memcpy(ring.data, &(u32){ 64 }, 4);
	assert_ptr_equal(flame_ring_peek(&ring, 0, head), ring.data);
	/* A position beyond the head, and a head that is further away than the size. */
	assert_null(flame_ring_peek(&ring, head + 8, head));
	assert_null(flame_ring_peek(&ring, 0, SIZE + 8));
}

/* Against a list: what was put and not taken, with sizes. */
static void test_random_operations(void **state)
{
	static u32 size[SIZE / 8];	/* of record number i at i % SIZE / 8 */
	u32 first = 0, end = 0, used = 0, n, space, bytes;
	u64 random = 4, pos, head;
	long op;
	u8 *at;

	(void)state;
	for (op = 0; op < 300000; op++) {
		if (below(&random, 2)) {
			/* Hope for some, use perhaps less, as the walk of a short stack does. */
			u32 limit = below(&random, 16) ? 40 : SIZE / 8 + 2;
			u32 want = 8 * (1 + (u32)below(&random, limit));

			at = flame_ring_reserve(&ring, want, &space);
			assert_int_equal(space, min(want, SIZE - used));
			if (!space)
				continue;
			bytes = 8 * (1 + (u32)below(&random, space / 8));
			fill(at, bytes, end);
			flame_ring_commit(&ring, bytes);
			size[end++ % ARRAY_SIZE(size)] = bytes;
			used += bytes;
		} else {
			head = flame_ring_head(&ring);
			pos = ring.tail;
			for (n = (u32)below(&random, 6); n && first != end; n--, first++) {
				bytes = size[first % ARRAY_SIZE(size)];
				assert_record(flame_ring_peek(&ring, pos, head), bytes, first);
				pos += bytes;
				used -= bytes;
			}
			flame_ring_consume(&ring, pos);
			if (first == end)
				assert_empty();
		}
		assert_int_equal(ring.head - ring.tail, used);
	}
	assert_true(end > 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_first_in_first_out, setup, teardown),
		cmocka_unit_test_setup_teardown(test_commit_makes_visible, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full, setup, teardown),
		cmocka_unit_test_setup_teardown(test_whole_ring_is_one_record, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wrap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_far_positions, setup, teardown),
		cmocka_unit_test_setup_teardown(test_overwrite, setup, teardown),
		cmocka_unit_test_setup_teardown(test_overwrite_random, setup, teardown),
		cmocka_unit_test_setup_teardown(test_lying_sizes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_random_operations, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
