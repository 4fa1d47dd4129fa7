// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling grid against 128-bit arithmetic: points are exact, steps and jumps
 * agree, the count of points passed is right to the nanosecond and over a day.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "grid.h"
#include "random.h"

#define BASE	1234567890123456789ULL
#define DAY	86400ULL

static const u32 frequencies[] = { 1, 3, 7, 49, 99, 997, 999, 1000, 9999, 10000, 99999, 100000 };

/* Point @k by the definition, with room for the whole product. */
static u64 point(u64 base, u64 k, u32 hz)
{
	return base + (u64)((unsigned __int128)k * 1000000000 / hz);
}

/* By hand: a third of a second is 333333333.3 ns, two are 666666666.7 ns. */
static void test_known_points(void **state)
{
	struct flame_grid grid;

	(void)state;
	flame_grid_init(&grid, 1000, 3);
	assert_int_equal(grid.index, 1);
	assert_int_equal(grid.next, 1000 + 333333333);
	flame_grid_step(&grid);
	assert_int_equal(grid.next, 1000 + 666666666);
	flame_grid_step(&grid);
	assert_int_equal(grid.next, 1000 + 1000000000);
	flame_grid_step(&grid);
	assert_int_equal(grid.index, 4);
	assert_int_equal(grid.next, 1000 + 1333333333);

	flame_grid_init(&grid, 0, 1);
	assert_int_equal(grid.next, 1000000000);
	flame_grid_step(&grid);
	assert_int_equal(grid.next, 2000000000);

	flame_grid_init(&grid, 0, 100000);
	assert_int_equal(grid.next, 10000);
}

static void check_steps(u32 hz, u64 from, u64 steps)
{
	struct flame_grid walker, jumper;
	u64 i;

	flame_grid_init(&walker, BASE, hz);
	jumper = walker;
	flame_grid_seek(&walker, from);
	for (i = from; i < from + steps; i++) {
		flame_grid_seek(&jumper, i);
		if (memcmp(&walker, &jumper, sizeof(walker)) || walker.index != i ||
		    walker.next != point(BASE, i, hz))
			fail_msg("%u Hz, point %llu", hz, (unsigned long long)i);
		flame_grid_step(&walker);
	}
}

static void test_steps(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(frequencies); i++) {
		check_steps(frequencies[i], 1, 1000000);
		/* Years later. */
		check_steps(frequencies[i], 1ULL << 40, 1000);
	}
}

/* A whole day step by step, none of it in one jump. */
static void test_day_of_steps(void **state)
{
	struct flame_grid grid;
	u64 i;

	(void)state;
	flame_grid_init(&grid, BASE, 99);
	for (i = 1; i < DAY * 99; i++)
		flame_grid_step(&grid);
	assert_int_equal(grid.index, DAY * 99);
	assert_int_equal(grid.next, BASE + DAY * 1000000000);
	assert_int_equal(grid.rem, 0);
}

/* After whole seconds exactly seconds * hz points have passed, and one ns before, one less. */
static void test_passed_seconds(void **state)
{
	struct flame_grid grid;
	u64 s;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(frequencies); i++) {
		flame_grid_init(&grid, BASE, frequencies[i]);
		for (s = 1; s <= DAY; s += s < 100 ? 1 : 863) {
			u64 now = BASE + s * 1000000000;

			assert_int_equal(flame_grid_passed(&grid, now), s * frequencies[i]);
			assert_int_equal(flame_grid_passed(&grid, now - 1), s * frequencies[i] - 1);
		}
		assert_int_equal(flame_grid_passed(&grid, BASE + DAY * 1000000000),
				 DAY * frequencies[i]);
	}
}

static void test_passed_is_the_inverse(void **state)
{
	u64 random = 1, k;
	struct flame_grid grid;
	size_t i;
	int n;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(frequencies); i++) {
		u32 hz = frequencies[i];

		flame_grid_init(&grid, BASE, hz);
		for (n = 0; n < 20000; n++) {
			k = n < 10000 ? 1 + (u64)n : 1 + below(&random, DAY * hz * 365);
			assert_int_equal(flame_grid_passed(&grid, point(BASE, k, hz) - 1), k - 1);
			assert_int_equal(flame_grid_passed(&grid, point(BASE, k, hz)), k);
			assert_int_equal(flame_grid_passed(&grid, point(BASE, k, hz) + 1), k);
		}
	}
}

/* At any time: the last point passed is not after it, the one behind that is. */
static void test_passed_anywhere(void **state)
{
	u64 random = 2, k, now;
	struct flame_grid grid;
	size_t i;
	int n;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(frequencies); i++) {
		u32 hz = frequencies[i];

		flame_grid_init(&grid, BASE, hz);
		for (n = 0; n < 20000; n++) {
			now = BASE + 1 + below(&random, DAY * 1000000000);
			k = flame_grid_passed(&grid, now);
			assert_true(point(BASE, k, hz) <= now);
			assert_true(point(BASE, k + 1, hz) > now);
		}
	}
}

static void test_before_the_start(void **state)
{
	struct flame_grid grid;

	(void)state;
	flame_grid_init(&grid, BASE, 100000);
	assert_int_equal(flame_grid_passed(&grid, 0), 0);
	assert_int_equal(flame_grid_passed(&grid, BASE - 1), 0);
	assert_int_equal(flame_grid_passed(&grid, BASE), 0);
	assert_int_equal(flame_grid_passed(&grid, BASE + 9999), 0);
	assert_int_equal(flame_grid_passed(&grid, BASE + 10000), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_points),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_day_of_steps),
		cmocka_unit_test(test_passed_seconds),
		cmocka_unit_test(test_passed_is_the_inverse),
		cmocka_unit_test(test_passed_anywhere),
		cmocka_unit_test(test_before_the_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
