// SPDX-License-Identifier: GPL-2.0-only
/*
 * A writer and a reader race through a small ring: nothing is torn, nothing comes
 * twice or out of order, nothing is lost but what the ring refused. All that a
 * record holds follows from its number. Under ThreadSanitizer the ordering itself
 * is checked too, whatever the machine's own.
 */
/* sanitizer: thread */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include "double_map.h"
#include "random.h"
#include "ring.h"

#define SIZE		4096
#define RECORDS		3000000
#define WORDS_MAX	40

struct record {
	u32 size;
	u32 check;
	u64 number;
	u64 words[WORDS_MAX];
};

static struct flame_ring ring;

/* Written by the writer before it says so in `done`, read by the reader after that. */
static u64 tried, written, refused;
static int done;

/* What record @number looks like. */
static void compose(struct record *rec, u64 number)
{
	u64 random = number, words = below(&random, WORDS_MAX + 1), i;

	rec->size = (u32)(offsetof(struct record, words) + words * 8);
	rec->number = number;
	rec->check = (u32)number * 0x9e3779b1u ^ rec->size;
	for (i = 0; i < words; i++) {
		rec->words[i] = next_random(&random);
		rec->check += (u32)rec->words[i];
	}
}

static void *writer(void *arg)
{
	struct record rec;
	u32 space;
	void *at;

	(void)arg;
	for (; written < RECORDS; tried++) {
		compose(&rec, tried);
		at = flame_ring_reserve(&ring, rec.size, &space);
		if (space < rec.size) {
			refused++;
			sched_yield();
			continue;
		}
		memcpy(at, &rec, rec.size);
		flame_ring_commit(&ring, rec.size);
		written++;
	}
	smp_store_release(&done, 1);
	return NULL;
}

/* Reads all there is; returns how many were torn or out of order. */
static u64 drain(u64 *next, u64 *received, u64 *skipped, u64 *random)
{
	u64 pos = ring.tail, head = flame_ring_head(&ring), bad = 0;
	const struct record *rec;
	struct record expected;

	while ((rec = flame_ring_peek(&ring, pos, head))) {
		if (rec->number < *next)
			return bad + 1;
		compose(&expected, rec->number);
		if (rec->size != expected.size || memcmp(rec, &expected, expected.size))
			return bad + 1;
		*skipped += rec->number - *next;
		*next = rec->number + 1;
		++*received;
		pos += rec->size;
		/* Room is given back now and then in the middle too. */
		if (!below(random, 8))
			flame_ring_consume(&ring, pos);
	}
	bad += pos != head;
	flame_ring_consume(&ring, head);
	return bad;
}

static void test_race(void **state)
{
	u64 next = 0, received = 0, skipped = 0, bad = 0, random = 5;
	u8 *data = double_map(SIZE);
	pthread_t thread;
	bool last;

	(void)state;
	assert_non_null(data);
	flame_ring_init(&ring, data, SIZE);
	assert_int_equal(pthread_create(&thread, NULL, writer, NULL), 0);
	do {
		last = smp_load_acquire(&done);
		bad += drain(&next, &received, &skipped, &random);
		if (!below(&random, 64))
			sched_yield();
	} while (!last);
	pthread_join(thread, NULL);

	assert_int_equal(bad, 0);
	assert_int_equal(received, written);
	assert_int_equal(received + refused, tried);
	assert_int_equal(skipped + (tried - next), refused);
	double_unmap(data, SIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_race),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
