// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table walk in an address space made by hand: one stack for each kind of rule, and
 * memory that is hostile: loops, stack pointers that do not rise, addresses that are
 * unaligned, unmapped or the kernel's. Frames are laid out on paper.
 */
/* sources: kmod/stack_table.c kmod/unwind_table.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "random.h"
#include "stack_table.h"
#include "user_memory.h"

#define LIMIT		0x7ffffffff000ull
#define CODE		0x400000u	/* where the object is mapped, from file offset 0 */
#define JIT		0x900000u	/* code without a table */
#define STACK		0x7fff0000u
#define WORDS		512

enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R9, R10 };

/* Function @n of the object has rule @n and lies at n * 16. */
#define FN(n)		(CODE + (n) * 16 + 4)

static u64 words[WORDS];
static u64 code_bytes;			/* what all code reads as */
static unsigned int reads, sections;
static bool in_section;

bool test_access_begin(u64 end)
{
	assert_false(in_section);
	in_section = end <= LIMIT;
	sections++;
	return in_section;
}

void test_access_end(void)
{
	assert_true(in_section);
	in_section = false;
}

bool test_read_user(u64 addr, void *to, u32 bytes)
{
	assert_true(in_section);
	reads++;
	if (addr >= CODE && addr < JIT + 4096) {
		memcpy(to, &code_bytes, bytes);
		return true;
	}
	if (addr < STACK || addr + bytes > STACK + sizeof(words))
		return false;
	memcpy(to, (const char *)words + (addr - STACK), bytes);
	return true;
}

/* ---- the table ------------------------------------------------------------------------ */

enum { FN_NONE, FN_END, FN_LEAF, FN_FRAME, FN_PUSHED, FN_REG, FN_BIND, FN_BP_DEREF, FN_PLT,
       FN_SP_DEREF, FN_SP_REG, FN_SIGNAL, FN_FP, FN_VFORK, FN_RA_16, FN_LOST, FN_BX_AT_BP,
       FN_STUCK, NR_FNS };

static const struct flame_unwind_rule rules[NR_FNS] = {
	[FN_NONE] = { .cfa = FLAME_CFA_NONE },
	[FN_END] = { .cfa = FLAME_CFA_END },
	[FN_LEAF] = { .cfa = FLAME_CFA_SP, .cfa_offset = 8 },
	[FN_FRAME] = { .cfa = FLAME_CFA_BP, .cfa_offset = 16, .bp = FLAME_BP_AT_CFA,
		       .bp_offset = -16 },
	/* rbx and rbp pushed, 8 more bytes */
	[FN_PUSHED] = { .cfa = FLAME_CFA_SP, .cfa_offset = 32, .bp = FLAME_BP_AT_CFA,
			.bp_offset = -16, .bx = FLAME_BP_AT_CFA, .bx_offset = -24 },
	[FN_REG] = { .cfa = FLAME_CFA_REG, .cfa_reg = R10, .cfa_offset = 0 },
	[FN_BIND] = { .cfa = FLAME_CFA_REG, .cfa_reg = RBX, .cfa_offset = 24,
		      .bx = FLAME_BP_AT_CFA, .bx_offset = -24 },
	[FN_BP_DEREF] = { .cfa = FLAME_CFA_BP_DEREF, .cfa_offset = -8, .cfa_add = 8,
			  .bp = FLAME_BP_AT_BP },
	[FN_PLT] = { .cfa = FLAME_CFA_PLT, .cfa_offset = 11 },
	[FN_SP_DEREF] = { .cfa = FLAME_CFA_SP_DEREF, .cfa_offset = 16, .cfa_add = 8 },
	[FN_SP_REG] = { .cfa = FLAME_CFA_SP_REG_DEREF, .cfa_reg = R9, .cfa_offset = 8,
			.cfa_add = 16 },
	[FN_SIGNAL] = { .cfa = FLAME_CFA_SIGNAL },
	[FN_FP] = { .cfa = FLAME_CFA_FP },
	[FN_VFORK] = { .cfa = FLAME_CFA_SP, .ra = FLAME_RA_IN_REG, .cfa_reg = RDI },
	[FN_RA_16] = { .cfa = FLAME_CFA_SP, .cfa_offset = 24, .ra = FLAME_RA_AT_CFA_16 },
	[FN_LOST] = { .cfa = FLAME_CFA_SP, .cfa_offset = 8, .bp = FLAME_BP_LOST,
		      .bx = FLAME_BP_LOST },
	[FN_BX_AT_BP] = { .cfa = FLAME_CFA_BP, .cfa_offset = 16, .bp = FLAME_BP_AT_CFA,
			  .bp_offset = -16, .bx = FLAME_BP_AT_BP, .bx_offset = -8 },
	[FN_STUCK] = { .cfa = FLAME_CFA_SP },
};

static struct {
	struct flame_unwind_head head;
	u32 pages[2];
	struct flame_unwind_row rows[NR_FNS];
	struct flame_unwind_rule rules[NR_FNS];
} table;

static bool find_code(void *space, u64 addr, struct flame_code *code)
{
	(void)space;
	if (addr >= CODE && addr < CODE + 0x1000) {
		*code = (struct flame_code){ CODE, CODE + 0x1000, 0, &table.head };
		return true;
	}
	*code = (struct flame_code){ JIT, JIT + 0x1000, 0, NULL };
	return addr >= JIT && addr < JIT + 0x1000;
}

static struct flame_rule_cache cache;
static struct flame_table_walk walk;

static int set_up(void **state)
{
	(void)state;
	memset(&table, 0, sizeof(table));
	table.head = (struct flame_unwind_head){
		.magic = FLAME_UNWIND_MAGIC, .version = FLAME_UNWIND_VERSION,
		.bytes = sizeof(table), .nr_pages = 1, .nr_rows = NR_FNS, .nr_rules = NR_FNS,
	};
	table.pages[1] = NR_FNS;
	for (u16 i = 0; i < NR_FNS; i++)
		table.rows[i] = (struct flame_unwind_row){ i * 16, i };
	memcpy(table.rules, rules, sizeof(rules));
	assert_null(flame_unwind_check(&table, sizeof(table)));
	memset(words, 0, sizeof(words));
	memset(&cache, 0, sizeof(cache));
	walk = (struct flame_table_walk){ .find = find_code, .gen = 1, .cache = &cache,
					  .limit = LIMIT, .fp_fallback = true };
	walk.regs[RSP] = STACK;
	code_bytes = 0x9090909090909090ull;
	reads = 0;
	return 0;
}

static u64 at(unsigned int word)
{
	return STACK + word * 8;
}

static void put(unsigned int word, u64 value)
{
	words[word] = value;
}

/* Walks from @ip; the callers have to be @want, which ends with 0. */
static void check(u64 ip, enum flame_walk how, const u64 *want)
{
	u64 ips[64];
	enum flame_walk got;
	u32 n = flame_stack_tables(&walk, ip, ips, 64, &got);

	assert_int_equal(got, how);
	assert_true(ips[0] == ip);
	for (u32 i = 1; i < n; i++) {
		assert_true(want[i - 1]);
		assert_true(ips[i] == want[i - 1]);
	}
	assert_true(!want[n - 1]);
}

#define CHECK(ip, how, ...)	check(ip, how, (const u64 []){ __VA_ARGS__ })

/* ---- one kind of rule each ---------------------------------------------------------------- */

static void test_leaf_and_frame(void **state)
{
	(void)state;
	/* leaf: return address on top; frame: at rbp + 8; start. */
	put(0, FN(FN_FRAME));
	put(5, 0x1111);
	put(6, FN(FN_END));
	walk.regs[RBP] = at(5);
	CHECK(FN(FN_LEAF), FLAME_WALK_WHOLE, FN(FN_FRAME), FN(FN_END), 0);
	/* From the cache: the same, with no more of the stack read. */
	reads = 0;
	CHECK(FN(FN_LEAF), FLAME_WALK_WHOLE, FN(FN_FRAME), FN(FN_END), 0);
	assert_int_equal(reads, 3);
}

/* rbp pushed by a callee is the frame's own again. */
static void test_pushed_rbp(void **state)
{
	(void)state;
	put(1, 0x2222);			/* rbx */
	put(2, at(8));			/* rbp */
	put(3, FN(FN_FRAME));
	put(8, 0);
	put(9, FN(FN_END));
	walk.regs[RBP] = 0x3333;
	CHECK(FN(FN_PUSHED), FLAME_WALK_WHOLE, FN(FN_FRAME), FN(FN_END), 0);
}

static void test_register(void **state)
{
	(void)state;
	put(9, FN(FN_END));
	walk.regs[R10] = at(10);
	CHECK(FN(FN_REG), FLAME_WALK_WHOLE, FN(FN_END), 0);
	/* As a caller its r10 is anything. */
	put(0, FN(FN_REG));
	CHECK(FN(FN_LEAF), FLAME_WALK_NO_INFO, FN(FN_REG), 0);
}

/* The dynamic linker's frame: CFA by rbx, which two callees left alone and one pushed. */
static void test_rbx(void **state)
{
	(void)state;
	put(0, FN(FN_LEAF));
	put(1, FN(FN_BIND));
	put(9, FN(FN_END));
	walk.regs[RBX] = at(7);		/* + 24 = word 10 */
	CHECK(FN(FN_LEAF), FLAME_WALK_WHOLE, FN(FN_LEAF), FN(FN_BIND), FN(FN_END), 0);
	put(1, at(12));			/* saved rbx: + 24 = word 15 */
	put(3, FN(FN_LEAF));
	put(4, FN(FN_BIND));
	put(14, FN(FN_END));
	CHECK(FN(FN_PUSHED), FLAME_WALK_WHOLE, FN(FN_LEAF), FN(FN_BIND), FN(FN_END), 0);
	/* Twice: what the frame itself saved is its caller's. */
	put(12, at(20));		/* CFA - 24 */
	put(14, FN(FN_BIND));
	put(22, FN(FN_END));
	CHECK(FN(FN_PUSHED), FLAME_WALK_WHOLE, FN(FN_LEAF), FN(FN_BIND), FN(FN_BIND),
	      FN(FN_END), 0);
}

static void test_rbx_by_rbp(void **state)
{
	(void)state;
	put(4, at(12));			/* rbp - 8: rbx */
	put(5, 0x1111);
	put(6, FN(FN_BIND));
	put(14, FN(FN_END));
	walk.regs[RBP] = at(5);
	CHECK(FN(FN_BX_AT_BP), FLAME_WALK_WHOLE, FN(FN_BIND), FN(FN_END), 0);
}

static void test_lost(void **state)
{
	(void)state;
	put(0, FN(FN_BIND));
	CHECK(FN(FN_LOST), FLAME_WALK_NO_INFO, FN(FN_BIND), 0);
	put(0, FN(FN_FRAME));
	walk.regs[RBP] = at(5);
	CHECK(FN(FN_LOST), FLAME_WALK_NO_INFO, FN(FN_FRAME), 0);
}

static void test_dereferenced(void **state)
{
	(void)state;
	/* rbp - 8 holds word 10; CFA = word 11, its return address word 10. */
	walk.regs[RBP] = at(4);
	put(3, at(10));
	put(4, at(20));			/* the caller's rbp */
	put(10, FN(FN_FRAME));
	put(21, FN(FN_END));
	CHECK(FN(FN_BP_DEREF), FLAME_WALK_WHOLE, FN(FN_FRAME), FN(FN_END), 0);
	/* rsp + 16 */
	put(2, at(29));
	put(29, FN(FN_END));
	CHECK(FN(FN_SP_DEREF), FLAME_WALK_WHOLE, FN(FN_END), 0);
	/* rsp + 8 * 5 + 8 = word 6; + 16 */
	walk.regs[R9] = 5;
	put(6, at(30));
	put(31, FN(FN_END));
	CHECK(FN(FN_SP_REG), FLAME_WALK_WHOLE, FN(FN_END), 0);
	put(40, FN(FN_SP_REG));
	walk.regs[RSP] = at(40);
	CHECK(FN(FN_LEAF), FLAME_WALK_NO_INFO, FN(FN_SP_REG), 0);
}

static void test_plt(void **state)
{
	u64 entry = CODE + FN_PLT * 16;

	(void)state;
	put(0, FN(FN_END));
	CHECK(entry, FLAME_WALK_WHOLE, FN(FN_END), 0);
	CHECK(entry + 10, FLAME_WALK_WHOLE, FN(FN_END), 0);
	put(0, 1234);
	put(1, FN(FN_END));
	CHECK(entry + 11, FLAME_WALK_WHOLE, FN(FN_END), 0);
	CHECK(entry + 15, FLAME_WALK_WHOLE, FN(FN_END), 0);
}

static void test_return_address_elsewhere(void **state)
{
	(void)state;
	walk.regs[RDI] = FN(FN_LEAF);
	put(0, FN(FN_END));
	CHECK(FN(FN_VFORK), FLAME_WALK_WHOLE, FN(FN_LEAF), FN(FN_END), 0);
	put(1, FN(FN_END));
	CHECK(FN(FN_RA_16), FLAME_WALK_WHOLE, FN(FN_END), 0);
	put(0, FN(FN_VFORK));
	CHECK(FN(FN_LEAF), FLAME_WALK_NO_INFO, FN(FN_VFORK), 0);
}

/* A return address behind the end of its function belongs to the call before it. */
static void test_call_at_the_end(void **state)
{
	(void)state;
	put(0, CODE + (FN_END + 1) * 16);
	CHECK(FN(FN_LEAF), FLAME_WALK_WHOLE, CODE + (FN_END + 1) * 16, 0);
	/* Where a task was interrupted is meant exactly. */
	put(0, FN(FN_END));
	CHECK(CODE + (FN_END + 1) * 16, FLAME_WALK_WHOLE, FN(FN_END), 0);
}

/* ---- signals ---------------------------------------------------------------------------- */

/* A ucontext at @word, of what was interrupted at @ip. */
static void put_context(unsigned int word, u64 ip, u64 sp, u64 bp, u64 bx)
{
	put(word + 168 / 8, ip);
	put(word + 160 / 8, sp);
	put(word + 120 / 8, bp);
	put(word + 128 / 8, bx);
}

/*
 * The handler returns to the restorer, whose frame is the context. What was interrupted is
 * looked up exactly, and has all its registers: at the very first byte of a function.
 */
static void test_signal(void **state)
{
	u64 first = CODE + FN_REG * 16;

	(void)state;
	put(0, FN(FN_SIGNAL));
	put_context(1, first, at(100), 0, 0);
	put(1 + 56 / 8, at(120));	/* r10 */
	put(119, FN(FN_END));
	CHECK(FN(FN_LEAF), FLAME_WALK_WHOLE, FN(FN_SIGNAL), first + 1, FN(FN_END), 0);
	/* rbx of the context goes on through frames that leave it alone. */
	put_context(1, FN(FN_LEAF), at(100), 0, at(107));
	put(100, FN(FN_BIND));
	put(109, FN(FN_END));
	CHECK(FN(FN_LEAF), FLAME_WALK_WHOLE, FN(FN_SIGNAL), FN(FN_LEAF) + 1, FN(FN_BIND),
	      FN(FN_END), 0);
}

/* On an alternate stack the interrupted stack pointer may be lower. */
static void test_alternate_stack(void **state)
{
	(void)state;
	walk.regs[RSP] = at(300);
	put(300, FN(FN_SIGNAL));
	put_context(301, FN(FN_LEAF), at(5), 0, 0);
	put(5, FN(FN_END));
	CHECK(FN(FN_LEAF), FLAME_WALK_WHOLE, FN(FN_SIGNAL), FN(FN_LEAF) + 1, FN(FN_END), 0);
}

/* A context that interrupted its own restorer ends after a few rounds. */
static void test_signal_loop(void **state)
{
	enum flame_walk how;
	u64 ips[1024];

	(void)state;
	put_context(0, FN(FN_SIGNAL), at(0), 0, 0);
	assert_true(flame_stack_tables(&walk, FN(FN_SIGNAL), ips, 1024, &how) < 20);
	assert_int_equal(how, FLAME_WALK_BROKEN);
}

/* ---- frame pointers ------------------------------------------------------------------------ */

static void test_frame_pointers(void **state)
{
	(void)state;
	/* JIT code over a function that has frame pointers only, over a described one. */
	walk.regs[RBP] = at(3);
	put(3, at(6));
	put(4, FN(FN_FP));
	put(6, at(9));
	put(7, FN(FN_FRAME));
	put(9, 0);
	put(10, FN(FN_END));
	CHECK(JIT + 16, FLAME_WALK_WHOLE, FN(FN_FP), FN(FN_FRAME), FN(FN_END), 0);
	/* Its first instruction is `push %rbp`: the return address is on top. */
	code_bytes = 0x55;
	put(0, FN(FN_FRAME));
	walk.regs[RBP] = at(9);
	CHECK(JIT + 16, FLAME_WALK_WHOLE, FN(FN_FRAME), FN(FN_END), 0);
	/* rbx has been lost on the way. */
	code_bytes = 0x90;
	walk.regs[RBP] = at(3);
	put(4, FN(FN_BIND));
	CHECK(JIT + 16, FLAME_WALK_NO_INFO, FN(FN_BIND), 0);
	/* Only where it is asked for, and not where a table says that nothing is known. */
	walk.fp_fallback = false;
	CHECK(JIT + 16, FLAME_WALK_NO_INFO, 0);
	walk.fp_fallback = true;
	CHECK(FN(FN_NONE), FLAME_WALK_NO_INFO, 0);
}

static void test_zero_ends(void **state)
{
	(void)state;
	CHECK(FN(FN_LEAF), FLAME_WALK_WHOLE, 0);
	walk.regs[RBP] = 0;
	CHECK(JIT, FLAME_WALK_WHOLE, 0);
}

/* ---- hostile memory ------------------------------------------------------------------------- */

static void test_no_progress(void **state)
{
	(void)state;
	put(0, FN(FN_STUCK));
	CHECK(FN(FN_STUCK), FLAME_WALK_BROKEN, 0);
	/* A frame pointer that leads back. */
	walk.regs[RSP] = at(10);
	walk.regs[RBP] = at(4);
	CHECK(FN(FN_FRAME), FLAME_WALK_BROKEN, 0);
	/* CFA behind a slot that points to itself. */
	put(12, at(2));
	CHECK(FN(FN_SP_DEREF), FLAME_WALK_BROKEN, 0);
}

static void test_unreadable(void **state)
{
	static const u64 bad[] = { 0, 8, STACK + 4, STACK - 4096, STACK + sizeof(words), LIMIT - 8,
				   LIMIT, LIMIT + 8, 1ull << 63, UINT64_MAX - 7, UINT64_MAX };

	(void)state;
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		enum flame_walk how;
		u64 ips[8];

		walk.regs[RSP] = bad[i];
		walk.regs[RBP] = bad[i];
		walk.regs[R10] = bad[i];
		for (unsigned int fn = 0; fn < NR_FNS; fn++) {
			flame_stack_tables(&walk, FN(fn), ips, 8, &how);
			assert_false(in_section);
			assert_true(how == FLAME_WALK_FAULT || how == FLAME_WALK_BROKEN ||
				    how == FLAME_WALK_NO_INFO || fn == FN_END ||
				    (fn == FN_FP && !bad[i]) || fn == FN_VFORK);
		}
	}
}

static void test_room(void **state)
{
	enum flame_walk how;
	u64 ips[4];

	(void)state;
	put(0, FN(FN_LEAF));
	put(1, FN(FN_LEAF));
	put(2, FN(FN_END));
	assert_int_equal(flame_stack_tables(&walk, FN(FN_LEAF), ips, 3, &how), 3);
	assert_int_equal(how, FLAME_WALK_CUT);
	assert_int_equal(flame_stack_tables(&walk, FN(FN_LEAF), ips, 4, &how), 4);
	assert_int_equal(how, FLAME_WALK_WHOLE);
	assert_int_equal(flame_stack_tables(&walk, FN(FN_LEAF), ips, 1, &how), 1);
	assert_int_equal(how, FLAME_WALK_CUT);
}

/* What was learnt of one address space is not believed of another. */
static void test_generation(void **state)
{
	(void)state;
	put(0, FN(FN_END));
	CHECK(FN(FN_LEAF), FLAME_WALK_WHOLE, FN(FN_END), 0);
	table.rules[FN_LEAF].cfa_offset = 16;
	put(1, FN(FN_LEAF));
	put(2, 0);
	CHECK(FN(FN_LEAF), FLAME_WALK_WHOLE, FN(FN_END), 0);
	walk.gen = 2;
	CHECK(FN(FN_LEAF), FLAME_WALK_WHOLE, FN(FN_LEAF), 0);
}

/* Any registers, any stack: it ends, within bounds, and leaves no section open. */
static void test_random(void **state)
{
	uint64_t random = 3;

	(void)state;
	for (unsigned int round = 0; round < 200000; round++) {
		enum flame_walk how;
		u64 ips[64];
		u32 n;

		for (unsigned int i = 0; i < 16; i++)
			walk.regs[i] = at((unsigned int)below(&random, WORDS));
		for (unsigned int i = 0; i < 40; i++) {
			u64 value = next_random(&random);

			if (value & 1)
				value = at((unsigned int)(value >> 8) % WORDS);
			else if (value & 2)
				value = CODE + (value >> 8) % (NR_FNS * 16);
			words[below(&random, WORDS)] = value;
		}
		n = flame_stack_tables(&walk, CODE + below(&random, NR_FNS * 16), ips,
				       1 + (u32)below(&random, 64), &how);
		assert_true(n >= 1 && n <= 64);
		assert_true(how != FLAME_WALK_ON);
		assert_false(in_section);
	}
}

/* ---- the loader's check ----------------------------------------------------------------------- */

static void test_check(void **state)
{
	uint64_t random = 9;
	u8 *bytes = (u8 *)&table;

	(void)state;
	assert_non_null(flame_unwind_check(&table, sizeof(table) - 1));
	assert_non_null(flame_unwind_check(&table, 0));
	assert_non_null(flame_unwind_check(&table, FLAME_UNWIND_BYTES_MAX + 1ull));
	table.rows[3].low = table.rows[2].low;
	assert_string_equal(flame_unwind_check(&table, sizeof(table)), "its rows are not sorted");
	set_up(NULL);
	table.rows[3].rule = NR_FNS;
	assert_string_equal(flame_unwind_check(&table, sizeof(table)),
			    "a row has a rule out of range");
	set_up(NULL);
	table.rules[3].bx = FLAME_BP_NR;
	assert_string_equal(flame_unwind_check(&table, sizeof(table)),
			    "a rule is of no known kind");
	set_up(NULL);
	table.rules[3].cfa = FLAME_CFA_NR;
	assert_string_equal(flame_unwind_check(&table, sizeof(table)),
			    "a rule is of no known kind");
	/* Any other bytes: refused, or every look-up stays inside. */
	for (unsigned int round = 0; round < 50000; round++) {
		unsigned int n = 1 + (unsigned int)below(&random, 4);

		set_up(NULL);
		while (n--)
			bytes[below(&random, sizeof(table))] = (u8)next_random(&random);
		if (flame_unwind_check(&table, sizeof(table)))
			continue;
		for (unsigned int i = 0; i < 64; i++) {
			const struct flame_unwind_rule *r;

			r = flame_unwind_find(&table.head, below(&random, 0x20000));
			if (r)
				assert_true((const u8 *)r >= bytes &&
					    (const u8 *)(r + 1) <= bytes + sizeof(table));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_leaf_and_frame, set_up),
		cmocka_unit_test_setup(test_pushed_rbp, set_up),
		cmocka_unit_test_setup(test_register, set_up),
		cmocka_unit_test_setup(test_rbx, set_up),
		cmocka_unit_test_setup(test_rbx_by_rbp, set_up),
		cmocka_unit_test_setup(test_lost, set_up),
		cmocka_unit_test_setup(test_dereferenced, set_up),
		cmocka_unit_test_setup(test_plt, set_up),
		cmocka_unit_test_setup(test_return_address_elsewhere, set_up),
		cmocka_unit_test_setup(test_call_at_the_end, set_up),
		cmocka_unit_test_setup(test_signal, set_up),
		cmocka_unit_test_setup(test_alternate_stack, set_up),
		cmocka_unit_test_setup(test_signal_loop, set_up),
		cmocka_unit_test_setup(test_frame_pointers, set_up),
		cmocka_unit_test_setup(test_zero_ends, set_up),
		cmocka_unit_test_setup(test_no_progress, set_up),
		cmocka_unit_test_setup(test_unreadable, set_up),
		cmocka_unit_test_setup(test_room, set_up),
		cmocka_unit_test_setup(test_generation, set_up),
		cmocka_unit_test_setup(test_random, set_up),
		cmocka_unit_test_setup(test_check, set_up),
	};

	return cmocka_run_group_tests_name("the table walk", tests, NULL, NULL);
}
