// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fold table against plain lists: same things get the same id, sums are exact,
 * memory stays within the limit and is all given back, also when allocations fail;
 * the cache forgets but never lies. The table's source is included, so that its
 * allocations can be counted and made to fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "port.h"
#include "random.h"

static u64 live;	/* bytes allocated and not freed */
static long fail_at;	/* the allocation that fails, counted down; 0: none */
static u32 fail_one_in;	/* a random one in so many fails; 0: none */
static u64 fail_random;

/* Each block has its size in front. */
static void *count_zalloc(size_t size)
{
	size_t *p;

	if (fail_at && !--fail_at)
		return NULL;
	if (fail_one_in && !below(&fail_random, fail_one_in))
		return NULL;
	p = calloc(1, size + 16);
	assert_non_null(p);
	*p = size;
	live += size;
	return p + 2;
}

static void count_free(void *p)
{
	size_t *block = p;

	if (!block)
		return;
	live -= block[-2];
	free(block - 2);
}

#undef flame_zalloc
#undef flame_free
#define flame_zalloc(size)	count_zalloc(size)
#define flame_free(p)		count_free(p)
#include "../../kmod/fold.c"

#define MIB	(1024ULL * 1024)
#define PLENTY	(1024 * MIB)

static struct flame_fold fold;

static int setup(void **state)
{
	(void)state;
	fail_at = 0;
	fail_one_in = 0;
	return flame_fold_init(&fold, PLENTY);
}

static int teardown(void **state)
{
	(void)state;
	fail_one_in = 0;
	flame_fold_destroy(&fold);
	return live ? -1 : 0;
}

static void again(u64 limit)
{
	flame_fold_destroy(&fold);
	assert_int_equal(live, 0);
	assert_int_equal(flame_fold_init(&fold, limit), 0);
}

/* What holds at any time. */
static void assert_sound(void)
{
	assert_true(fold.used <= fold.limit);
	assert_int_equal(fold.used, live);
	/* No index is so full that a search in it takes long. */
	assert_true(fold.strings.nr <= (fold.string_index.mask + 1) / 8 * 7);
	assert_true(fold.frames.nr <= (fold.frame_index.mask + 1) / 8 * 7);
	assert_true(fold.stacks.nr <= (fold.stack_index.mask + 1) / 8 * 7);
}

static u64 total(void)
{
	u64 sum = 0;
	u32 i;

	for (i = 1; i <= flame_fold_nr_stacks(&fold); i++)
		sum += flame_fold_stack_get(&fold, i)->value;
	return sum;
}

static void test_empty(void **state)
{
	const struct flame_stack *full = flame_fold_stack_get(&fold, FLAME_FOLD_FULL_STACK);
	const struct flame_frame *frame;

	(void)state;
	assert_int_equal(flame_fold_nr_stacks(&fold), 1);
	assert_int_equal(full->value, 0);
	assert_int_equal(full->nr, 1);
	assert_int_equal(full->flags, FLAME_STACK_TABLE_FULL);
	frame = flame_fold_frame_get(&fold, full->frames[0]);
	assert_int_equal(frame->kind, FLAME_FRAME_MARK);
	assert_string_equal(flame_fold_text(&fold, frame->id), "[table full]");
	assert_sound();
}

static void test_strings(void **state)
{
	char text[3000];
	u32 a, b;

	(void)state;
	a = flame_fold_string(&fold, "redis", 5);
	assert_true(a);
	assert_int_equal(flame_fold_string(&fold, "redis-server", 5), a);
	assert_string_equal(flame_fold_text(&fold, a), "redis");
	b = flame_fold_string(&fold, "redi", 4);
	assert_int_not_equal(a, b);
	/* Any bytes, a NUL too; nothing at all is a string of its own. */
	assert_int_not_equal(flame_fold_string(&fold, "redi\0", 5), b);
	b = flame_fold_string(&fold, "", 0);
	assert_true(b);
	assert_string_equal(flame_fold_text(&fold, b), "");
	memset(text, 'x', sizeof(text));
	a = flame_fold_string(&fold, text, sizeof(text));
	assert_true(a);
	assert_int_equal(strlen(flame_fold_text(&fold, a)), sizeof(text));
	assert_sound();
}

/* Longer than a block of the arena: no room, and nothing is broken. */
static void test_oversized(void **state)
{
	u32 *frames = calloc(20000, sizeof(u32)), i;
	char *text = calloc(1, 70000);
	u32 before = flame_fold_nr_stacks(&fold);

	(void)state;
	assert_non_null(frames);
	assert_non_null(text);
	assert_int_equal(flame_fold_string(&fold, text, 70000), 0);
	for (i = 0; i < 20000; i++)
		frames[i] = 1;
	assert_int_equal(flame_fold_stack(&fold, frames, 20000, 0), FLAME_FOLD_FULL_STACK);
	/* The deepest there can be is no problem. */
	assert_int_equal(flame_fold_stack(&fold, frames, 5 + 2 * FLAME_DEPTH_MAX, 0), before + 1);
	assert_sound();
	free(frames);
	free(text);
}

static void test_frames(void **state)
{
	u32 string = flame_fold_string(&fold, "main", 4), a;

	(void)state;
	a = flame_fold_frame(&fold, FLAME_FRAME_KERNEL, string, 0);
	assert_true(a);
	assert_int_equal(flame_fold_frame(&fold, FLAME_FRAME_KERNEL, string, 0), a);
	/* Each part counts. */
	assert_int_not_equal(flame_fold_frame(&fold, FLAME_FRAME_KERNEL_MARKED, string, 0), a);
	assert_int_not_equal(flame_fold_frame(&fold, FLAME_FRAME_KERNEL, string + 1, 0), a);
	assert_int_not_equal(flame_fold_frame(&fold, FLAME_FRAME_KERNEL, string, 1), a);
	assert_int_not_equal(flame_fold_frame(&fold, FLAME_FRAME_KERNEL, string, 1ULL << 32), a);
	/* Of a string that found no room there is no frame, and of it no stack. */
	assert_int_equal(flame_fold_frame(&fold, FLAME_FRAME_KERNEL, 0, 0), 0);
	assert_int_equal(flame_fold_stack(&fold, (u32[]){ a, 0, a }, 3, 0), FLAME_FOLD_FULL_STACK);
}

static void test_stacks(void **state)
{
	static const u32 frames[] = { 7, 8, 9 }, swapped[] = { 8, 7, 9 };
	u32 a = flame_fold_stack(&fold, frames, 3, 0);

	(void)state;
	assert_int_equal(a, 2);
	assert_int_equal(flame_fold_stack(&fold, frames, 3, 0), a);
	/* Order, depth, flags. */
	assert_int_equal(flame_fold_stack(&fold, swapped, 3, 0), 3);
	assert_int_equal(flame_fold_stack(&fold, frames, 2, 0), 4);
	assert_int_equal(flame_fold_stack(&fold, frames, 3, FLAME_STACK_IRQ), 5);
	assert_int_equal(flame_fold_stack(&fold, frames, 3, 0), a);
	assert_int_equal(flame_fold_stack_get(&fold, a)->nr, 3);
	assert_memory_equal(flame_fold_stack_get(&fold, a)->frames, frames, sizeof(frames));
	assert_int_equal(flame_fold_stack_get(&fold, 5)->flags, FLAME_STACK_IRQ);
}

/* ---- against lists ---------------------------------------------------------------- */

#define STRINGS	400
#define FRAMES	5000
#define STACKS	20000
#define DEPTH	12

/* What the table should hold: element i has id i + 1. */
static struct {
	u32 nr_strings, nr_frames, nr_stacks;
	struct {
		char text[12];
		u32 len;
	} string[STRINGS];
	struct flame_frame frame[FRAMES];
	struct {
		u64 value;
		u32 frames[DEPTH], nr, flags;
	} stack[STACKS];
} model;

static void model_start(void)
{
	memset(&model, 0, sizeof(model));
	model.nr_strings = 1;
	memcpy(model.string[0].text, "[table full]", model.string[0].len = 12);
	model.nr_frames = 1;
	model.frame[0] = (struct flame_frame){ .kind = FLAME_FRAME_MARK, .id = 1 };
	model.nr_stacks = 1;
	model.stack[0].frames[0] = 1;
	model.stack[0].nr = 1;
	model.stack[0].flags = FLAME_STACK_TABLE_FULL;
}

static void random_string(u64 *random)
{
	u32 len = (u32)below(random, 4), i, id;
	char text[12];

	for (i = 0; i < len; i++)
		text[i] = "ab\0;\xc3\x80"[below(random, 6)];
	for (i = 0; i < model.nr_strings; i++) {
		if (model.string[i].len == len && !memcmp(model.string[i].text, text, len))
			break;
	}
	id = flame_fold_string(&fold, text, len);
	if (i < model.nr_strings) {
		assert_int_equal(id, i + 1);
	} else if (id) {
		assert_int_equal(id, i + 1);
		assert_true(i < STRINGS);
		memcpy(model.string[i].text, text, len);
		model.string[model.nr_strings++].len = len;
	}
}

static void random_frame(u64 *random)
{
	struct flame_frame frame = { .kind = (u32)below(random, 4) };
	u32 i, id;

	frame.id = (u32)below(random, 30);
	frame.offset = below(random, 20) << (8 * below(random, 2));
	for (i = 0; i < model.nr_frames; i++) {
		if (!memcmp(&model.frame[i], &frame, sizeof(frame)))
			break;
	}
	id = flame_fold_frame(&fold, frame.kind, frame.id, frame.offset);
	if (!frame.id) {
		assert_int_equal(id, 0);
	} else if (i < model.nr_frames || id) {
		assert_int_equal(id, i + 1);
		assert_true(i < FRAMES);
		if (i == model.nr_frames)
			model.frame[model.nr_frames++] = frame;
	}
}

static void random_stack(u64 *random)
{
	u32 frames[DEPTH], nr = (u32)below(random, DEPTH), flags = (u32)below(random, 3), i, id;
	u64 value = 1 + below(random, 1000);

	/* Few shapes, so that they come again. */
	for (i = 0; i < nr; i++)
		frames[i] = 1 + (u32)below(random, i ? 2 : model.nr_frames);
	for (i = 0; i < model.nr_stacks; i++) {
		if (model.stack[i].nr == nr && model.stack[i].flags == flags &&
		    !memcmp(model.stack[i].frames, frames, nr * sizeof(u32)))
			break;
	}
	id = flame_fold_stack(&fold, frames, nr, flags);
	if (i == model.nr_stacks && id == FLAME_FOLD_FULL_STACK) {
		i = 0;
	} else {
		assert_int_equal(id, i + 1);
		assert_true(i < STACKS);
		if (i == model.nr_stacks) {
			model.nr_stacks++;
			memcpy(model.stack[i].frames, frames, nr * sizeof(u32));
			model.stack[i].nr = nr;
			model.stack[i].flags = flags;
		}
	}
	flame_fold_stack_get(&fold, id)->value += value;
	model.stack[i].value += value;
}

static void assert_like_model(void)
{
	u32 i;

	assert_int_equal(fold.strings.nr, model.nr_strings);
	assert_int_equal(flame_fold_nr_frames(&fold), model.nr_frames);
	assert_int_equal(flame_fold_nr_stacks(&fold), model.nr_stacks);
	for (i = 0; i < model.nr_strings; i++) {
		assert_memory_equal(flame_fold_text(&fold, i + 1), model.string[i].text,
				    model.string[i].len);
		assert_int_equal(flame_fold_text(&fold, i + 1)[model.string[i].len], '\0');
	}
	for (i = 0; i < model.nr_frames; i++)
		assert_memory_equal(flame_fold_frame_get(&fold, i + 1), &model.frame[i],
				    sizeof(model.frame[i]));
	for (i = 0; i < model.nr_stacks; i++) {
		const struct flame_stack *stack = flame_fold_stack_get(&fold, i + 1);

		assert_int_equal(stack->value, model.stack[i].value);
		assert_int_equal(stack->nr, model.stack[i].nr);
		assert_int_equal(stack->flags, model.stack[i].flags);
		assert_memory_equal(stack->frames, model.stack[i].frames, stack->nr * sizeof(u32));
	}
}

static void random_operations(u64 seed, long operations)
{
	u64 random = seed;
	long op;

	model_start();
	for (op = 0; op < operations; op++) {
		switch (below(&random, 8)) {
		case 0:
			random_string(&random);
			break;
		case 1:
		case 2:
			random_frame(&random);
			break;
		default:
			if (model.nr_stacks < STACKS)
				random_stack(&random);
		}
		assert_sound();
	}
	assert_like_model();
}

static void test_against_lists(void **state)
{
	(void)state;
	random_operations(10, 30000);
	/* Enough for each index to have grown. */
	assert_true(model.nr_strings > 200);
	assert_true(model.nr_frames > 1500);
	assert_true(model.nr_stacks > 3000);
}

/* The same while a fourth of all allocations fail, and with hardly any memory. */
static void test_against_lists_short_of_memory(void **state)
{
	(void)state;
	fail_random = 11;
	fail_one_in = 4;
	random_operations(12, 30000);
	fail_one_in = 0;
	assert_true(model.nr_stacks > 1000);

	again(192 * 1024);
	random_operations(13, 30000);
	assert_true(model.stack[0].value > 0);
}

/* ---- memory ----------------------------------------------------------------------- */

static void test_init_fails(void **state)
{
	long n, limit;

	(void)state;
	flame_fold_destroy(&fold);
	for (n = 1; ; n++) {
		fail_at = n;
		if (!flame_fold_init(&fold, PLENTY))
			break;
		assert_int_equal(live, 0);
		/* Nothing is left to destroy, and to do so all the same is harmless. */
		flame_fold_destroy(&fold);
	}
	/* At the least three indexes, three lists, a cache and room for the first stack. */
	assert_true(n > 8);
	assert_int_not_equal(fail_at, 0);
	fail_at = 0;
	flame_fold_destroy(&fold);

	/* Limits too small are no memory either; what the contract promises is enough. */
	for (limit = 0; limit < 192 * 1024; limit += 512) {
		int err = flame_fold_init(&fold, (u64)limit);

		assert_true(err == 0 || err == -ENOMEM);
		if (err)
			assert_int_equal(live, 0);
		else
			assert_sound();
		flame_fold_destroy(&fold);
	}
	assert_int_equal(live, 0);
	assert_int_equal(flame_fold_init(&fold, 192 * 1024), 0);
}

/* Full: known stacks go on counting, new ones go to [table full], no sample is lost. */
static void test_limit(void **state)
{
	static const u64 limits[] = { 192 * 1024, 256 * 1024, MIB, 3 * MIB };
	u32 frames[10], id, known, i, n;
	u64 random = 14, samples;
	char text[16];
	size_t l;

	(void)state;
	for (l = 0; l < ARRAY_SIZE(limits); l++) {
		again(limits[l]);
		samples = 0;
		for (n = 0; n < 60000; n++) {
			u32 len = (u32)snprintf(text, sizeof(text), "f%u", n / 4);

			for (i = 0; i < ARRAY_SIZE(frames); i++)
				frames[i] = flame_fold_frame(&fold, FLAME_FRAME_USER,
							     1 + (u32)below(&random, 5),
							     below(&random, 100));
			frames[9] = flame_fold_frame(&fold, FLAME_FRAME_KERNEL,
						     flame_fold_string(&fold, text, len), 0);
			id = flame_fold_stack(&fold, frames, ARRAY_SIZE(frames), 0);
			flame_fold_stack_get(&fold, id)->value += 1 + n % 3;
			samples += 1 + n % 3;
			assert_sound();
		}
		assert_int_equal(total(), samples);
		known = flame_fold_nr_stacks(&fold);
		assert_in_range(known, 100, 59999);
		assert_true(flame_fold_stack_get(&fold, FLAME_FOLD_FULL_STACK)->value > 0);
		/* It was used: less than half of it would be a poor table. */
		assert_true(fold.used > fold.limit / 2);
		/* What is known is found as before. */
		for (i = 1; i <= known; i++) {
			struct flame_stack *stack = flame_fold_stack_get(&fold, i);

			assert_int_equal(flame_fold_stack(&fold, stack->frames, stack->nr,
							  stack->flags), i);
		}
		assert_int_equal(flame_fold_nr_stacks(&fold), known);
	}
}

/* Each of the three alone may fill the table. */
static void test_limit_of_each(void **state)
{
	char text[16];
	u32 n, first;

	(void)state;
	again(256 * 1024);
	for (n = 0; n < 50000; n++) {
		flame_fold_string(&fold, text, (u32)snprintf(text, sizeof(text), "%u", n));
		assert_sound();
	}
	assert_int_equal(flame_fold_string(&fold, "new", 3), 0);
	assert_int_equal(flame_fold_string(&fold, "0", 1), 2);

	again(256 * 1024);
	for (n = 0; n < 50000; n++) {
		flame_fold_frame(&fold, FLAME_FRAME_USER, 1, n);
		assert_sound();
	}
	assert_int_equal(flame_fold_frame(&fold, FLAME_FRAME_USER, 2, 0), 0);
	assert_int_equal(flame_fold_frame(&fold, FLAME_FRAME_USER, 1, 0), 2);

	again(256 * 1024);
	for (n = 1; n < 50000; n++) {
		flame_fold_stack(&fold, &n, 1, 0);
		assert_sound();
	}
	assert_int_equal(flame_fold_stack(&fold, &n, 1, 0), FLAME_FOLD_FULL_STACK);
	first = 1;
	assert_int_equal(flame_fold_stack(&fold, &first, 1, 0), 2);
}

/* ---- size ------------------------------------------------------------------------- */

#define MANY	200000

/* Stack number @n of very many: 30 frames out of 20,000. */
static u32 make_stack(u32 n, u32 frames[30])
{
	u64 random = n;
	u32 i;

	for (i = 0; i < 30; i++)
		frames[i] = flame_fold_frame(&fold, FLAME_FRAME_USER, 1, below(&random, 20000));
	return flame_fold_stack(&fold, frames, 30, 0);
}

/* Ids, addresses and contents stay; a stack costs no more than 1 KiB. */
static void test_many(void **state)
{
	static const struct flame_stack *at[MANY];
	u32 frames[30], n;

	(void)state;
	for (n = 0; n < MANY; n++) {
		assert_int_equal(make_stack(n, frames), n + 2);
		at[n] = flame_fold_stack_get(&fold, n + 2);
		if (n + 1 == 100000)
			assert_true(fold.used / n <= 1024);
	}
	assert_true(fold.used / n <= 1024);
	for (n = 0; n < MANY; n++) {
		assert_int_equal(make_stack(n, frames), n + 2);
		assert_ptr_equal(flame_fold_stack_get(&fold, n + 2), at[n]);
		assert_memory_equal(at[n]->frames, frames, sizeof(frames));
	}
	assert_int_equal(flame_fold_nr_stacks(&fold), MANY + 1);
	assert_sound();
}

/* ---- cache ------------------------------------------------------------------------ */

static u32 cached(u64 image, const void *key, u32 bytes)
{
	return flame_fold_cached(&fold, image, key, bytes, flame_fold_hash(key, bytes));
}

static void remember(u64 image, const void *key, u32 bytes, u32 stack)
{
	flame_fold_remember(&fold, image, key, bytes, flame_fold_hash(key, bytes), stack);
}

static void test_cache(void **state)
{
	u64 key[] = { 1, 2, 3, 4 }, other[] = { 1, 2, 3, 5 };
	u64 hash = flame_fold_hash(key, sizeof(key));

	(void)state;
	assert_int_equal(cached(0, key, sizeof(key)), 0);
	remember(7, key, sizeof(key), 42);
	assert_int_equal(cached(7, key, sizeof(key)), 42);
	assert_int_equal(cached(8, key, sizeof(key)), 0);
	assert_int_equal(cached(0, key, sizeof(key)), 0);
	/* The same hash does not make the same key. */
	assert_int_equal(flame_fold_cached(&fold, 7, other, sizeof(other), hash), 0);
	assert_int_equal(flame_fold_cached(&fold, 7, key, 24, hash), 0);
	/* Another slot, another tag. */
	assert_int_equal(flame_fold_cached(&fold, 7, key, sizeof(key), hash ^ 1), 0);
	assert_int_equal(flame_fold_cached(&fold, 7, key, sizeof(key), hash ^ 1ULL << 63), 0);
	/* The newest counts. */
	remember(7, key, sizeof(key), 43);
	assert_int_equal(cached(7, key, sizeof(key)), 43);
	/* The same addresses in another image are another stack. */
	remember(8, key, sizeof(key), 44);
	assert_int_equal(cached(8, key, sizeof(key)), 44);
	assert_int_not_equal(cached(7, key, sizeof(key)), 44);

	flame_fold_forget(&fold);
	assert_int_equal(cached(8, key, sizeof(key)), 0);
	remember(8, key, sizeof(key), 45);
	assert_int_equal(cached(8, key, sizeof(key)), 45);
}

/* Known as long as its bytes are there: until the cache has come round. */
static void test_cache_wraps(void **state)
{
	u64 key[128] = { 0 };		/* 1 KiB: a whole number of them fit */
	u32 fit = fold.cache_size / sizeof(key), n;

	(void)state;
	/* Slot 0 for the first one, which nothing else uses. */
	key[0] = 1000;
	flame_fold_remember(&fold, 1, key, sizeof(key), 0, 5);
	for (n = 1; n < fit; n++) {
		key[0] = 1000 + n;
		flame_fold_remember(&fold, 1, key, sizeof(key), n, 6);
	}
	key[0] = 1000;
	assert_int_equal(flame_fold_cached(&fold, 1, key, sizeof(key), 0), 5);
	/* The next one lies where the first was. */
	key[0] = 1;
	flame_fold_remember(&fold, 1, key, sizeof(key), fit, 7);
	key[0] = 1000;
	assert_int_equal(flame_fold_cached(&fold, 1, key, sizeof(key), 0), 0);
	key[0] = 1001;
	assert_int_equal(flame_fold_cached(&fold, 1, key, sizeof(key), 1), 6);
	/* Even the same bytes there are not that entry any more. */
	key[0] = 1001;
	flame_fold_remember(&fold, 1, key, sizeof(key), fit + 1, 8);
	assert_int_equal(flame_fold_cached(&fold, 1, key, sizeof(key), 1), 0);
}

static void test_cache_huge_key(void **state)
{
	u32 bytes = fold.cache_size / 4;
	u64 *key = calloc(1, bytes + 8);

	(void)state;
	assert_non_null(key);
	remember(1, key, bytes + 8, 9);
	assert_int_equal(cached(1, key, bytes + 8), 0);
	remember(1, key, bytes, 9);
	assert_int_equal(cached(1, key, bytes), 9);
	free(key);
}

#define IMAGES	3
#define KEYS	500

/* Against the list of what was remembered last: it may be forgotten, never mixed up. */
static void test_cache_random(void **state)
{
	static u32 last[IMAGES][KEYS];
	u64 random = 15, key_random, key[300], image, i;
	u32 k, bytes, found, stack;
	long op, hits = 0, lost = 0;

	(void)state;
	again(256 * 1024);		/* a small cache */
	for (op = 0; op < 300000; op++) {
		k = (u32)below(&random, KEYS);
		image = below(&random, IMAGES);
		key_random = k;
		bytes = 8 * (1 + (u32)below(&key_random, k % 50 ? 8 : 300));
		for (i = 0; i < bytes / 8; i++)
			key[i] = next_random(&key_random);
		found = cached(image, key, bytes);
		if (found) {
			assert_int_equal(found, last[image][k]);
			hits++;
		} else {
			lost += last[image][k] != 0;
			stack = 1 + (u32)below(&random, 1000000);
			remember(image, key, bytes, stack);
			last[image][k] = stack;
			assert_int_equal(cached(image, key, bytes), stack);
		}
		if (!below(&random, 10000)) {
			flame_fold_forget(&fold);
			memset(last, 0, sizeof(last));
		}
	}
	/* Both happened. */
	assert_true(hits > 1000);
	assert_true(lost > 1000);
}

/*
 * Any bit of the key changes the hash; before the last word, which is mixed in once
 * only, it changes both what picks the slot and what the slot keeps of the hash.
 */
static void test_hash(void **state)
{
	u64 key[8] = { 0 }, hash = flame_fold_hash(key, sizeof(key)), h;
	u32 bit, slots = 0, tags = 0;

	(void)state;
	assert_int_not_equal(flame_fold_hash(key, 8), flame_fold_hash(key, 16));
	for (bit = 0; bit < 512; bit++) {
		key[bit / 64] ^= 1ULL << (bit % 64);
		h = flame_fold_hash(key, sizeof(key));
		key[bit / 64] ^= 1ULL << (bit % 64);
		assert_int_not_equal(h, hash);
		if (bit >= 448)
			continue;
		slots += ((h ^ hash) & fold.cache_mask) != 0;
		tags += (h >> 32) != (hash >> 32);
	}
	/* Of 448 by chance none keeps its slot: one in 16384 does. */
	assert_true(slots >= 446);
	assert_true(tags == 448);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_empty, setup, teardown),
		cmocka_unit_test_setup_teardown(test_strings, setup, teardown),
		cmocka_unit_test_setup_teardown(test_oversized, setup, teardown),
		cmocka_unit_test_setup_teardown(test_frames, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stacks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_against_lists, setup, teardown),
		cmocka_unit_test_setup_teardown(test_against_lists_short_of_memory, setup, teardown),
		cmocka_unit_test_setup_teardown(test_init_fails, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_limit_of_each, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cache, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cache_wraps, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cache_huge_key, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cache_random, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hash, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
