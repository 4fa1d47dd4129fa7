// SPDX-License-Identifier: GPL-2.0-only
/*
 * The walk of user stacks by frame pointers: over stacks laid out by hand in a
 * simulated address space, over garbage, over this program's own stack, and at every
 * instruction of functions that a child steps through. The simulated memory aborts
 * when asked for what the walk must never touch.
 */
/* sources: kmod/stack_user.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>
#include "random.h"
#include "stack_user.h"
#include "user_memory.h"

#define ROOM	64
#define PAGE	4096ULL
#define CODE	0x401000ULL
#define STACK	0x7ffc00001000ULL
#define LIMIT	0x7ffffffff000ULL	/* as x86-64 has it with four levels of pages */
#define LIMIT32	0xffffe000ULL

/* ---- the simulated address space -------------------------------------------------- */

static struct {
	u64 addr;
	u8 bytes[PAGE];
} pages[8];
static u32 nr_pages;
static u64 limit;		/* what the walk was told */
static bool refuse;		/* the access as a whole */
static pid_t child;		/* read this process instead of the pages */
static bool open_section;
static u32 reads;

static void die(const char *why, u64 addr)
{
	fprintf(stderr, "%s at %#llx\n", why, (unsigned long long)addr);
	abort();
}

bool test_access_begin(u64 end)
{
	if (open_section || end > limit)
		die("access opened twice, or beyond the limit", end);
	open_section = !refuse;
	return open_section;
}

void test_access_end(void)
{
	if (!open_section)
		die("access closed that was not open", 0);
	open_section = false;
}

static u8 *byte_at(u64 addr)
{
	u32 i;

	for (i = 0; i < nr_pages; i++) {
		if (addr - pages[i].addr < PAGE)
			return &pages[i].bytes[addr - pages[i].addr];
	}
	return NULL;
}

bool test_read_user(u64 addr, void *to, u32 bytes)
{
	u8 *byte, *out = to;

	reads++;
	if (!open_section || addr >= limit || limit - addr < bytes)
		die("read that must not be", addr);
	if (child) {
		struct iovec local = { to, bytes }, remote = { (void *)addr, bytes };

		return process_vm_readv(child, &local, 1, &remote, 1, 0) == (ssize_t)bytes;
	}
	while (bytes--) {
		byte = byte_at(addr++);
		if (!byte)
			return false;
		*out++ = *byte;
	}
	return true;
}

static void page(u64 addr)
{
	assert_true(nr_pages < ARRAY_SIZE(pages));
	pages[nr_pages].addr = addr & ~(PAGE - 1);
	memset(pages[nr_pages++].bytes, 0, PAGE);
}

static void put(u64 addr, const void *from, u32 bytes)
{
	const u8 *in = from;
	u8 *byte;

	while (bytes--) {
		byte = byte_at(addr++);
		assert_non_null(byte);
		*byte = *in++;
	}
}

static void put64(u64 addr, u64 value)
{
	put(addr, &value, 8);
}

static void put32(u64 addr, u32 value)
{
	put(addr, &value, 4);
}

/* Code at CODE: the bytes, then `nop`s. */
static void put_code(const void *code, u32 bytes)
{
	u8 nops[16];

	memset(nops, 0x90, sizeof(nops));
	put(CODE, nops, sizeof(nops));
	put(CODE, code, bytes);
}

/* ---- asking ----------------------------------------------------------------------- */

static struct flame_user_regs regs;
static u64 *ips;
static enum flame_walk how;

/* Walks into memory that ends after @room addresses. */
static u32 walk(u32 room)
{
	u32 n;

	free(ips);
	ips = malloc(room * sizeof(*ips));
	assert_non_null(ips);
	how = (enum flame_walk)-1;
	reads = 0;
	n = flame_stack_user(&regs, limit, ips, room, &how);
	assert_in_range(n, 1, room);
	assert_false(open_section);
	assert_int_equal(ips[0], regs.ip);
	return n;
}

/* The addresses expected after the first, up to a 0. */
static void expect_in(u32 room, enum flame_walk end, const u64 *expected)
{
	u32 n = walk(room), i;

	for (i = 1; i < n && expected[i - 1]; i++)
		assert_int_equal(ips[i], expected[i - 1]);
	assert_int_equal(i, n);
	assert_int_equal(expected[n - 1], 0);
	assert_int_equal(how, end);
}

#define expect(end, ...)	expect_in(ROOM, end, (const u64[]){ __VA_ARGS__ __VA_OPT__(,) 0 })
#define expect_room(room, end, ...) \
	expect_in(room, end, (const u64[]){ __VA_ARGS__ __VA_OPT__(,) 0 })

static void start(bool is_32bit)
{
	nr_pages = 0;
	refuse = false;
	child = 0;
	open_section = false;
	limit = is_32bit ? LIMIT32 : LIMIT;
	memset(&regs, 0, sizeof(regs));
	regs.is_32bit = is_32bit;
	regs.ip = CODE;
	page(CODE);
	put_code("", 0);
}

/*
 * Three functions deep, the innermost with 32 bytes of locals:
 *
 *	STACK + 0x00	locals		<- sp
 *	STACK + 0x20	fp of caller	<- fp
 *	STACK + 0x28	0x401111	return into the caller
 *	STACK + 0x40	fp of its caller
 *	STACK + 0x48	0x402222
 *	STACK + 0x80	0		the outermost frame
 *	STACK + 0x88	0x403333
 */
static void three_frames(void)
{
	start(false);
	page(STACK);
	put64(STACK + 0x20, STACK + 0x40);
	put64(STACK + 0x28, 0x401111);
	put64(STACK + 0x40, STACK + 0x80);
	put64(STACK + 0x48, 0x402222);
	put64(STACK + 0x80, 0);
	put64(STACK + 0x88, 0x403333);
	regs.sp = STACK;
	regs.fp = STACK + 0x20;
}

static int setup(void **state)
{
	(void)state;
	three_frames();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	free(ips);
	ips = NULL;
	return 0;
}

static void test_chain(void **state)
{
	(void)state;
	expect(FLAME_WALK_WHOLE, 0x401111, 0x402222, 0x403333);
	/* Nothing on the stack but the frame: fp is sp. */
	regs.sp = regs.fp;
	expect(FLAME_WALK_WHOLE, 0x401111, 0x402222, 0x403333);
	/* In the outermost function, and before there is any frame. */
	regs.fp = STACK + 0x80;
	expect(FLAME_WALK_WHOLE, 0x403333);
	regs.fp = 0;
	expect(FLAME_WALK_WHOLE);
	assert_int_equal(reads, 1);
}

/* A return address of 0 ends it, whatever the frame pointer beside it says. */
static void test_return_address_0(void **state)
{
	(void)state;
	put64(STACK + 0x88, 0);
	expect(FLAME_WALK_WHOLE, 0x401111, 0x402222);
	put64(STACK + 0x80, STACK + 0x90);
	expect(FLAME_WALK_WHOLE, 0x401111, 0x402222);
}

/*
 * At the first instructions the frame pointer is still the caller's: the return
 * address lies where the call has left it. sp is STACK + 0x18 then, and what lies
 * at fp belongs to the caller.
 */
static void test_before_the_frame(void **state)
{
	static const char *const code[] = { "\x55", "\xf3\x0f\x1e\xfa", "\xf3\x0f\x1e\xfa\x55",
					    "\xc3", "\xf3\xc3", "\xf2\xc3", "\xc2\x08" };
	size_t i;

	(void)state;
	regs.sp = STACK + 0x18;
	put64(regs.sp, 0x400bed);
	for (i = 0; i < ARRAY_SIZE(code); i++) {
		put_code(code[i], (u32)strlen(code[i]));
		expect(FLAME_WALK_WHOLE, 0x400bed, 0x401111, 0x402222, 0x403333);
	}
	/* Without a frame anywhere else: the one caller is found. */
	regs.fp = 0;
	expect(FLAME_WALK_WHOLE, 0x400bed);
	/* The outermost function returns to nowhere. */
	put64(regs.sp, 0);
	expect(FLAME_WALK_WHOLE);
}

/* push %rbp is done: the return address is one word up. */
static void test_frame_pointer_pushed(void **state)
{
	(void)state;
	regs.sp = STACK + 0x10;
	put64(regs.sp, regs.fp);
	put64(regs.sp + 8, 0x400bed);
	put_code("\x48\x89\xe5", 3);
	expect(FLAME_WALK_WHOLE, 0x400bed, 0x401111, 0x402222, 0x403333);
	put_code("\x48\x8b\xec", 3);
	expect(FLAME_WALK_WHOLE, 0x400bed, 0x401111, 0x402222, 0x403333);
}

/* Code that only looks like the above: the frame is set up, the word at sp is a local. */
static void test_within_the_frame(void **state)
{
	static const struct {
		const char *code;
		u32 bytes;
	} other[] = {
		{ "\x48\x89\xe6", 3 },		/* mov %rsp,%rsi */
		{ "\x48\x8b\xed", 3 },		/* mov %rbp,%rbp */
		{ "\x48\x83\xec\x10", 4 },	/* sub $16,%rsp */
		{ "\x89\xe5", 2 },		/* mov %esp,%ebp: not how 64-bit code begins */
		{ "\x8b\xec", 2 },
		{ "\x41\x55", 2 },		/* push %r13 */
		{ "\x53", 1 },			/* push %rbx */
		{ "\x5d\xc3", 2 },		/* pop %rbp, with the ret behind it */
		{ "\xc9\xc3", 2 },		/* leave, likewise */
		{ "\x90\x55", 2 },
		{ "\xf3\x0f\x1e\xc8", 4 },	/* rdsspd %eax: endbr's neighbour */
		{ "\xf3\x0f\x10\x00", 4 },	/* movss */
		{ "\xf3\x48\xab", 3 },		/* rep stos */
		{ "\xf2\x0f\x10\x00", 4 },	/* movsd */
		{ "\xf2\x0f\x1e\xfa", 4 },
		{ "\xc9", 1 },
		{ "\xe8\xc3\x00\x00\x00", 5 },	/* call */
	};
	size_t i;

	(void)state;
	put64(STACK, 0xbad);
	put64(STACK + 8, 0xbad);
	for (i = 0; i < ARRAY_SIZE(other); i++) {
		put_code(other[i].code, other[i].bytes);
		expect(FLAME_WALK_WHOLE, 0x401111, 0x402222, 0x403333);
	}
}

static void test_broken_chains(void **state)
{
	(void)state;
	/* A frame that points to itself, to the one before it, down the stack. */
	put64(STACK + 0x40, STACK + 0x40);
	expect(FLAME_WALK_BROKEN, 0x401111, 0x402222);
	put64(STACK + 0x40, STACK + 0x20);
	expect(FLAME_WALK_BROKEN, 0x401111, 0x402222);
	put64(STACK + 0x40, STACK);
	expect(FLAME_WALK_BROKEN, 0x401111, 0x402222);
	/* Into the frame it comes from: its return address would be a frame pointer. */
	put64(STACK + 0x40, STACK + 0x48);
	expect(FLAME_WALK_BROKEN, 0x401111, 0x402222);
	/* Right behind it, though, may be one. */
	put64(STACK + 0x40, STACK + 0x50);
	put64(STACK + 0x58, 0x404444);
	expect(FLAME_WALK_WHOLE, 0x401111, 0x402222, 0x404444);

	/* Below the stack pointer from the start; not a multiple of the word. */
	three_frames();
	regs.sp = STACK + 0x28;
	expect(FLAME_WALK_BROKEN);
	three_frames();
	regs.fp = STACK + 0x24;
	expect(FLAME_WALK_BROKEN);
	regs.fp = STACK + 0x21;
	expect(FLAME_WALK_BROKEN);
	regs.fp = 1;			/* a program that uses rbp for numbers */
	expect(FLAME_WALK_BROKEN);
}

/* What is not the task's is not read: the simulated memory would abort. */
static void test_beyond_the_limit(void **state)
{
	static const u64 outside[] = {
		LIMIT, LIMIT + 8, LIMIT - 8, 0x0000800000000000, 0x8000000000000000,
		0xffff888000000000, 0xffffffff81000000, 0xfffffffffffffff0, 0xfffffffffffffff8, ~0ULL,
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(outside); i++) {
		three_frames();
		regs.fp = outside[i];
		expect(FLAME_WALK_BROKEN);
		three_frames();
		put64(STACK + 0x20, outside[i]);
		expect(FLAME_WALK_BROKEN, 0x401111);
		/* As a return address it is only a number. */
		three_frames();
		put64(STACK + 0x48, outside[i]);
		expect(FLAME_WALK_WHOLE, 0x401111, outside[i], 0x403333);
		/* Code there is not looked at (vsyscall lies in the kernel's half). */
		three_frames();
		regs.ip = outside[i];
		expect(FLAME_WALK_WHOLE, 0x401111, 0x402222, 0x403333);
		/* Nor a stack there. */
		three_frames();
		put_code("\x55", 1);
		regs.sp = outside[i];
		expect(FLAME_WALK_BROKEN);
		regs.fp = 0;
		expect(FLAME_WALK_WHOLE);
	}
	/* Nor one that reaches beyond it: the return address would be at its end. */
	three_frames();
	put_code("\x48\x89\xe5", 3);
	regs.sp = LIMIT - 12;
	expect(FLAME_WALK_BROKEN);
	/* The last frame there can be lies right below the limit, and is read. */
	three_frames();
	page(LIMIT - PAGE);
	put64(STACK + 0x80, LIMIT - 24);
	put64(LIMIT - 16, 0x404444);
	expect(FLAME_WALK_WHOLE, 0x401111, 0x402222, 0x403333, 0x404444);
}

static void test_pages_not_there(void **state)
{
	(void)state;
	/* The code: no look at it, but the chain is there. */
	regs.ip = 0x500000;
	expect(FLAME_WALK_WHOLE, 0x401111, 0x402222, 0x403333);
	/* At the end of a page, with none behind it. */
	regs.ip = CODE + PAGE - 1;
	expect(FLAME_WALK_WHOLE, 0x401111, 0x402222, 0x403333);

	/* The stack, at the first instruction. */
	three_frames();
	put_code("\x55", 1);
	regs.sp = STACK - PAGE;
	expect(FLAME_WALK_FAULT);
	/* The frame. */
	three_frames();
	regs.fp = STACK + PAGE;
	expect(FLAME_WALK_FAULT);
	three_frames();
	put64(STACK + 0x40, STACK + 2 * PAGE);
	expect(FLAME_WALK_FAULT, 0x401111, 0x402222);
	/* A frame across two pages: its upper half is there, or its lower one. */
	three_frames();
	put64(STACK + 0x40, STACK + 2 * PAGE - 8);
	page(STACK + 2 * PAGE);
	put64(STACK + 2 * PAGE, 0x404444);
	expect(FLAME_WALK_FAULT, 0x401111, 0x402222, 0x404444);
	three_frames();
	put64(STACK + 0x40, STACK + PAGE - 8);
	expect(FLAME_WALK_FAULT, 0x401111, 0x402222);
	/* No access at all. */
	three_frames();
	refuse = true;
	expect(FLAME_WALK_FAULT);
	assert_int_equal(reads, 0);
}

/* Cut only when there is one more. */
static void test_room(void **state)
{
	(void)state;
	expect_room(4, FLAME_WALK_WHOLE, 0x401111, 0x402222, 0x403333);
	expect_room(3, FLAME_WALK_CUT, 0x401111, 0x402222);
	expect_room(2, FLAME_WALK_CUT, 0x401111);
	expect_room(1, FLAME_WALK_CUT);
	/* At the limit the others still are what they are. */
	put64(STACK + 0x88, 0);
	expect_room(3, FLAME_WALK_WHOLE, 0x401111, 0x402222);
	put64(STACK + 0x40, STACK + 0x44);
	expect_room(3, FLAME_WALK_BROKEN, 0x401111, 0x402222);
	put64(STACK + 0x40, STACK + PAGE);
	expect_room(3, FLAME_WALK_FAULT, 0x401111, 0x402222);

	/* The caller found by the code bytes counts as any other. */
	three_frames();
	put_code("\x55", 1);
	regs.sp = STACK + 0x18;
	put64(regs.sp, 0x400bed);
	expect_room(5, FLAME_WALK_WHOLE, 0x400bed, 0x401111, 0x402222, 0x403333);
	expect_room(4, FLAME_WALK_CUT, 0x400bed, 0x401111, 0x402222);
	expect_room(1, FLAME_WALK_CUT);
	regs.fp = 0;
	expect_room(2, FLAME_WALK_WHOLE, 0x400bed);
	expect_room(1, FLAME_WALK_CUT);
	put64(regs.sp, 0);
	expect_room(1, FLAME_WALK_WHOLE);
}

/* ---- 32 bit ----------------------------------------------------------------------- */

#define STACK32	0xffbf1000ULL

/* As three_frames(), with words of four bytes. */
static void three_frames_32(void)
{
	start(true);
	page(STACK32);
	put32(STACK32 + 0x10, (u32)STACK32 + 0x24);
	put32(STACK32 + 0x14, 0x8041111);
	put32(STACK32 + 0x24, (u32)STACK32 + 0x40);
	put32(STACK32 + 0x28, 0x8042222);
	put32(STACK32 + 0x40, 0);
	put32(STACK32 + 0x44, 0x8043333);
	regs.sp = STACK32;
	regs.fp = STACK32 + 0x10;
}

static void test_32bit_chain(void **state)
{
	(void)state;
	three_frames_32();
	expect(FLAME_WALK_WHOLE, 0x8041111, 0x8042222, 0x8043333);
	expect_room(3, FLAME_WALK_CUT, 0x8041111, 0x8042222);
	/* A multiple of 4 will do, of 2 will not. */
	regs.fp = STACK32 + 0x12;
	expect(FLAME_WALK_BROKEN);
	regs.fp = STACK32 + 0x24;
	expect(FLAME_WALK_WHOLE, 0x8042222, 0x8043333);
	put32(STACK32 + 0x24, (u32)STACK32 + 0x28);
	expect(FLAME_WALK_BROKEN, 0x8042222);
	put32(STACK32 + 0x24, 0xfffffff0);
	expect(FLAME_WALK_BROKEN, 0x8042222);
	put32(STACK32 + 0x24, (u32)(STACK32 - PAGE));
	expect(FLAME_WALK_BROKEN, 0x8042222);
	put32(STACK32 + 0x24, (u32)(STACK32 + PAGE));
	expect(FLAME_WALK_FAULT, 0x8042222);
	put32(STACK32 + 0x28, 0);
	expect(FLAME_WALK_WHOLE);
}

static void test_32bit_prologue(void **state)
{
	static const char *const before[] = { "\x55", "\xf3\x0f\x1e\xfb", "\xc3", "\xf3\xc3",
					      "\xc2\x04" };
	static const char *const pushed[] = { "\x89\xe5", "\x8b\xec" };
	static const char *const within[] = { "\x48\x89\xe5", "\x48\x8b\xec", "\x5d\xc3", "\xc9\xc3",
					      "\x53", "\x89\xe6", "\x8b\xed", "\x83\xec\x10" };
	size_t i;

	(void)state;
	three_frames_32();
	put32(STACK32 + 8, 0x80410de);
	put32(STACK32 + 12, 0x8040bed);
	for (i = 0; i < ARRAY_SIZE(before); i++) {
		regs.sp = STACK32 + 12;
		put_code(before[i], (u32)strlen(before[i]));
		expect(FLAME_WALK_WHOLE, 0x8040bed, 0x8041111, 0x8042222, 0x8043333);
	}
	for (i = 0; i < ARRAY_SIZE(pushed); i++) {
		regs.sp = STACK32 + 8;
		put_code(pushed[i], (u32)strlen(pushed[i]));
		expect(FLAME_WALK_WHOLE, 0x8040bed, 0x8041111, 0x8042222, 0x8043333);
	}
	for (i = 0; i < ARRAY_SIZE(within); i++) {
		regs.sp = STACK32 + 8;
		put_code(within[i], (u32)strlen(within[i]));
		expect(FLAME_WALK_WHOLE, 0x8041111, 0x8042222, 0x8043333);
	}
}

/* ---- garbage ---------------------------------------------------------------------- */

/* A number that may be anything: often an address in the pages, or near it. */
static u64 any(u64 *random, u64 stack)
{
	switch (below(random, 8)) {
	case 0:
		return next_random(random);
	case 1:
		return below(random, 64);
	case 2:
		return CODE + below(random, PAGE);
	case 3:
		return limit - 32 + below(random, 64);
	default:
		return stack - 64 + (below(random, 2 * PAGE + 128) & ~(below(random, 4) ? 7 : 0));
	}
}

/* It ends, within its room, and says why, whatever it meets. */
static void test_garbage(void **state)
{
	u64 random = 20, stack, depth = 0;
	u32 i, k, n, room, ends[FLAME_WALK_CUT + 1] = { 0 };

	(void)state;
	for (i = 0; i < 20000; i++) {
		start(i & 1);
		stack = i & 1 ? STACK32 : STACK;
		page(stack);
		page(stack + PAGE);
		for (k = 0; k < 2 * PAGE; k += i & 1 ? 4 : 8) {
			u64 value = any(&random, stack);

			put(stack + k, &value, i & 1 ? 4 : 8);
		}
		for (k = 0; k < 8; k++) {
			put64(CODE, next_random(&random));
			if (below(&random, 2))
				put(CODE, (u8[]){ "\x55\xc3\xf3\x48\x89\x8b"[below(&random, 6)] }, 1);
			regs.ip = below(&random, 4) ? CODE : any(&random, stack);
			regs.sp = any(&random, stack);
			regs.fp = any(&random, stack);
			if (i & 1) {
				regs.ip = (u32)regs.ip;
				regs.sp = (u32)regs.sp;
				regs.fp = (u32)regs.fp;
			}
			room = 1 + (u32)below(&random, 40);
			n = walk(room);
			assert_in_range(how, 0, FLAME_WALK_CUT);
			if (how == FLAME_WALK_CUT)
				assert_int_equal(n, room);
			/* Code, the word at sp, and two a frame. */
			assert_true(reads <= 2 + 2 * room);
			ends[how]++;
			depth = max(depth, n);
		}
	}
	/* All the four ways there are for a walk to end. */
	assert_true(ends[FLAME_WALK_WHOLE] > 100);
	assert_true(ends[FLAME_WALK_BROKEN] > 100);
	assert_true(ends[FLAME_WALK_FAULT] > 100);
	assert_true(ends[FLAME_WALK_CUT] > 100);
	assert_int_equal(ends[FLAME_WALK_WHOLE] + ends[FLAME_WALK_BROKEN] +
			 ends[FLAME_WALK_FAULT] + ends[FLAME_WALK_CUT], 20000 * 8);
	assert_true(depth > 4);
}

/* The longest chain of the smallest frames ends at the room, however long it is. */
static void test_endless_chain(void **state)
{
	u64 at;
	u32 i;

	(void)state;
	start(false);
	page(STACK);
	for (at = STACK; at < STACK + PAGE; at += 16) {
		put64(at, at + 16);
		put64(at + 8, 0x401000 + (at - STACK));
	}
	regs.sp = regs.fp = STACK;
	assert_int_equal(walk(100), 100);
	assert_int_equal(how, FLAME_WALK_CUT);
	for (i = 1; i < 100; i++)
		assert_int_equal(ips[i], 0x401000 + (i - 1) * 16);
	/* 256 frames fit on the page, the next one is not there. */
	assert_int_equal(walk(1000), 257);
	assert_int_equal(how, FLAME_WALK_FAULT);
}

/* ---- real stacks ------------------------------------------------------------------ */

#define DEEP	20

struct unwound {
	u64 ips[DEEP + 2];
	u32 nr;
};

static _Unwind_Reason_Code unwound_frame(struct _Unwind_Context *context, void *arg)
{
	struct unwound *to = arg;

	if (to->nr == ARRAY_SIZE(to->ips))
		return _URC_END_OF_STACK;
	to->ips[to->nr++] = _Unwind_GetIP(context);
	return _URC_NO_REASON;
}

/* Walks its own stack @depth calls further down, beside the unwinder of exceptions. */
static __attribute__((noinline, noclone)) int own_stack(int depth)
{
	struct unwound other = { .nr = 0 };
	u32 i;

	if (depth)
		return own_stack(depth - 1) + 1;	/* no tail call: there is work left */
	asm volatile("lea 1f(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2\n1:\tnop"
		     : "=r"(regs.ip), "=r"(regs.sp), "=r"(regs.fp));
	_Unwind_Backtrace(unwound_frame, &other);
	assert_int_equal(other.nr, DEEP + 2);
	assert_int_equal(walk(DEEP + 2), DEEP + 2);
	assert_int_equal(ips[1], (u64)__builtin_return_address(0));
	for (i = 1; i < other.nr; i++)
		assert_int_equal(ips[i], other.ips[i]);
	return 0;
}

static void test_own_stack(void **state)
{
	(void)state;
	child = getpid();
	assert_int_equal(own_stack(DEEP), DEEP);
}

/*
 * Functions with every kind of beginning and end, as compilers make them:
 * endbr64, both encodings of the move, callee-saved registers, leave, pop, rep ret.
 */
asm(".text\n"
    "step_first:\n"
    "	endbr64\n"
    "	push %rbp\n"
    "	mov %rsp, %rbp\n"
    "	call step_second\n"
    "	nop\n"
    "	pop %rbp\n"
    "	ret\n"
    "step_second:\n"
    "	push %rbp\n"
    "	.byte 0x48, 0x8b, 0xec\n"
    "	push %rbx\n"
    "	push %r13\n"
    "	sub $16, %rsp\n"
    "	movq $0x1234, (%rsp)\n"
    "	call step_third\n"
    "	xor %eax, %eax\n"
    "	call step_third\n"
    "	add $16, %rsp\n"
    "	pop %r13\n"
    "	pop %rbx\n"
    "	pop %rbp\n"
    "	rep ret\n"
    "step_third:\n"
    "	endbr64\n"
    "	push %rbp\n"
    "	mov %rsp, %rbp\n"
    "	sub $32, %rsp\n"
    "	call step_leaf\n"
    "	leave\n"
    "	ret\n"
    "step_leaf:\n"
    "	push %rbp\n"
    "	mov %rsp, %rbp\n"
    "	mov $1, %eax\n"
    "	pop %rbp\n"
    "	ret $0\n");

static void run_child(void)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(1);
	asm volatile("int3\n\tcall step_first" : : : "memory", "rax", "rcx", "rdx", "cc");
	_exit(0);
}

/* The child's registers, when it has stopped at a trap. */
static bool stopped(struct user_regs_struct *at)
{
	int status;

	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status) ||
	    WSTOPSIG(status) != SIGTRAP)
		return false;
	assert_int_equal(ptrace(PTRACE_GETREGS, child, NULL, at), 0);
	regs.ip = at->rip;
	regs.sp = at->rsp;
	regs.fp = at->rbp;
	return true;
}

/*
 * A sample may land on any instruction. Calls and returns are followed beside it, so
 * that the return addresses on the stack are known at each step.
 */
static void test_every_instruction(void **state)
{
	u64 shadow[8];
	u32 depth = 0, steps = 0, deepest = 0, n, i;
	struct user_regs_struct at;
	const u8 *code;

	(void)state;
	child = fork();
	assert_true(child >= 0);
	if (!child)
		run_child();
	if (!stopped(&at)) {
		print_message("no ptrace here\n");
		child = 0;
		skip();
	}
	do {
		/* The child's code is ours. */
		code = (const u8 *)at.rip;
		if (code[0] == 0xc3 || code[0] == 0xc2 || (code[0] == 0xf3 && code[1] == 0xc3))
			depth--;
		assert_int_equal(ptrace(PTRACE_SINGLESTEP, child, NULL, NULL), 0);
		i = code[0] == 0xe8;
		assert_true(stopped(&at));
		if (i)
			shadow[depth++] = (u64)(code + 5);
		deepest = max(deepest, depth);
		n = walk(ROOM);
		assert_true(n > depth);
		for (i = 1; i <= depth; i++) {
			if (ips[i] != shadow[depth - i])
				fail_msg("%llx: caller %u is %llx, not %llx", at.rip, i,
					 (unsigned long long)ips[i],
					 (unsigned long long)shadow[depth - i]);
		}
		steps++;
	} while (depth);
	assert_int_equal(deepest, 4);
	/* By the listing above: the functions' instructions, and the first call. */
	assert_int_equal(steps, 7 + 14 + 2 * 7 + 2 * 5 + 1);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	child = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_chain, setup, teardown),
		cmocka_unit_test_setup_teardown(test_return_address_0, setup, teardown),
		cmocka_unit_test_setup_teardown(test_before_the_frame, setup, teardown),
		cmocka_unit_test_setup_teardown(test_frame_pointer_pushed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_within_the_frame, setup, teardown),
		cmocka_unit_test_setup_teardown(test_broken_chains, setup, teardown),
		cmocka_unit_test_setup_teardown(test_beyond_the_limit, setup, teardown),
		cmocka_unit_test_setup_teardown(test_pages_not_there, setup, teardown),
		cmocka_unit_test_setup_teardown(test_room, setup, teardown),
		cmocka_unit_test_setup_teardown(test_32bit_chain, setup, teardown),
		cmocka_unit_test_setup_teardown(test_32bit_prologue, setup, teardown),
		cmocka_unit_test_setup_teardown(test_garbage, setup, teardown),
		cmocka_unit_test_setup_teardown(test_endless_chain, setup, teardown),
		cmocka_unit_test_setup_teardown(test_own_stack, setup, teardown),
		cmocka_unit_test_setup_teardown(test_every_instruction, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
