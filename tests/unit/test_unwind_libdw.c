// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwind tables of the distribution's programs and libraries against libdw: for each
 * range of addresses that libdw tells apart, the table's rule has to find the same CFA,
 * return address, rbp and rbx, for registers and memory made up at random. Rules are
 * evaluated here as include/flame_unwind.h says, expressions as DWARF 5 section 2.5 does.
 *
 * FLAME_LONG=1: also the largest objects. FLAME_OBJECTS="PATH...": these instead.
 */
/* sources: user/unwind/image.c user/unwind/cfi.c user/unwind/rule.c user/unwind/compile.c user/unwind/go.c kmod/buildid.c kmod/unwind_table.c user/util/mem.c user/util/msg.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "random.h"
#include "unwind/cfi.h"
#include "unwind/compile.h"
#include "unwind_table.h"

/* What a caller's register is. */
enum known { LOST, VALUE };

struct caller {
	bool end;
	enum known cfa_known, ra_known, bp_known, bx_known;
	uint64_t cfa, ra, bp, bx;
};

/* The callee: registers by DWARF number, 16 is rip. */
struct machine {
	uint64_t regs[17];
};

/* Memory holds at each address a number that only depends on it. */
static uint64_t memory(uint64_t addr)
{
	uint64_t state = addr;

	return next_random(&state) & ~7ull;
}

/* ---- libdw's side ------------------------------------------------------------- */

#define STACK	16

/*
 * Evaluates an expression. False: it holds something that neither compilers nor this
 * test know. *@is_value: the result is the value, else its address.
 */
static bool evaluate(const struct machine *m, const Dwarf_Op *ops, size_t nops, uint64_t cfa,
		     uint64_t *result, bool *is_value)
{
	uint64_t stack[STACK];
	size_t n = 0;

	*is_value = false;
	for (size_t i = 0; i < nops; i++) {
		const Dwarf_Op *op = &ops[i];

		if (n + 1 >= STACK)
			return false;
		if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31) {
			stack[n++] = op->atom - DW_OP_lit0;
			continue;
		}
		if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg16) {
			stack[n++] = m->regs[op->atom - DW_OP_breg0] + op->number;
			continue;
		}
		if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg16) {
			stack[n++] = m->regs[op->atom - DW_OP_reg0];
			*is_value = true;
			continue;
		}
		switch (op->atom) {
		case DW_OP_bregx:
			if (op->number > 16)
				return false;
			stack[n++] = m->regs[op->number] + op->number2;
			break;
		case DW_OP_regx:
			if (op->number > 16)
				return false;
			stack[n++] = m->regs[op->number];
			*is_value = true;
			break;
		case DW_OP_call_frame_cfa:
			stack[n++] = cfa;
			break;
		case DW_OP_stack_value:
			*is_value = true;
			break;
		case DW_OP_deref:
			if (n < 1)
				return false;
			stack[n - 1] = memory(stack[n - 1]);
			break;
		case DW_OP_plus_uconst:
			if (n < 1)
				return false;
			stack[n - 1] += op->number;
			break;
		default:
			if (n < 2)
				return false;
			n--;
			switch (op->atom) {
			case DW_OP_plus:
				stack[n - 1] += stack[n];
				break;
			case DW_OP_mul:
				stack[n - 1] *= stack[n];
				break;
			case DW_OP_and:
				stack[n - 1] &= stack[n];
				break;
			case DW_OP_shl:
				stack[n - 1] <<= stack[n];
				break;
			case DW_OP_ge:
				stack[n - 1] = (int64_t)stack[n - 1] >= (int64_t)stack[n];
				break;
			default:
				return false;
			}
		}
	}
	/* A register's expression begins with the CFA below it. */
	if (!n)
		return false;
	*result = stack[n - 1];
	return true;
}

/* A caller's register by libdw; *@undefined: its rule says so. */
static enum known dw_register(Dwarf_Frame *frame, const struct machine *m, int reg, uint64_t cfa,
			      uint64_t *value, bool *undefined)
{
	Dwarf_Op mem[3], *ops;
	bool is_value;
	size_t nops;

	*undefined = false;
	if (dwarf_frame_register(frame, reg, mem, &ops, &nops))
		return LOST;
	if (!nops) {
		*undefined = ops == mem;
		*value = m->regs[reg];
		return ops ? LOST : VALUE;
	}
	if (!evaluate(m, ops, nops, cfa, value, &is_value))
		return LOST;
	if (!is_value)
		*value = memory(*value);
	return VALUE;
}

static void dw_caller(Dwarf_Frame *frame, const struct machine *m, struct caller *c)
{
	bool undefined, is_value;
	Dwarf_Op *ops;
	size_t nops;

	*c = (struct caller){ 0 };
	c->cfa_known = !dwarf_frame_cfa(frame, &ops, &nops) && nops &&
		       evaluate(m, ops, nops, 0, &c->cfa, &is_value) ? VALUE : LOST;
	c->ra_known = dw_register(frame, m, 16, c->cfa, &c->ra, &undefined);
	c->end = undefined;
	c->bp_known = dw_register(frame, m, 6, c->cfa, &c->bp, &undefined);
	c->bx_known = dw_register(frame, m, 3, c->cfa, &c->bx, &undefined);
}

/* ---- the table's side --------------------------------------------------------- */

static enum known rule_saved(const struct machine *m, unsigned int how, int64_t offset, int reg,
			     uint64_t cfa, uint64_t *value)
{
	switch (how) {
	case FLAME_BP_SAME:
		*value = m->regs[reg];
		return VALUE;
	case FLAME_BP_AT_CFA:
		*value = memory(cfa + (uint64_t)offset);
		return VALUE;
	case FLAME_BP_AT_BP:
		*value = memory(m->regs[6] + (uint64_t)offset);
		return VALUE;
	default:
		return LOST;
	}
}

static void rule_caller(const struct flame_unwind_rule *r, const struct machine *m,
			struct caller *c)
{
	*c = (struct caller){ .cfa_known = VALUE, .ra_known = VALUE };
	switch (r->cfa) {
	case FLAME_CFA_SP:
		c->cfa = m->regs[7] + (uint64_t)(int64_t)r->cfa_offset;
		break;
	case FLAME_CFA_BP:
		c->cfa = m->regs[6] + (uint64_t)(int64_t)r->cfa_offset;
		break;
	case FLAME_CFA_REG:
		c->cfa = m->regs[r->cfa_reg] + (uint64_t)(int64_t)r->cfa_offset;
		break;
	case FLAME_CFA_BP_DEREF:
		c->cfa = memory(m->regs[6] + (uint64_t)(int64_t)r->cfa_offset) + r->cfa_add;
		break;
	case FLAME_CFA_SP_DEREF:
		c->cfa = memory(m->regs[7] + (uint64_t)(int64_t)r->cfa_offset) + r->cfa_add;
		break;
	case FLAME_CFA_SP_REG_DEREF:
		c->cfa = memory(m->regs[7] + m->regs[r->cfa_reg] * 8 +
				(uint64_t)(int64_t)r->cfa_offset) + r->cfa_add;
		break;
	case FLAME_CFA_PLT:
		c->cfa = m->regs[7] + 8 +
			 ((m->regs[16] & 15) >= (uint64_t)r->cfa_offset ? 8 : 0);
		break;
	case FLAME_CFA_SIGNAL:	/* struct rt_sigframe behind its return address */
		c->cfa = memory(m->regs[7] + 160);
		c->ra = memory(m->regs[7] + 168);
		c->bp = memory(m->regs[7] + 120);
		c->bx = memory(m->regs[7] + 128);
		c->bp_known = c->bx_known = VALUE;
		return;
	case FLAME_CFA_END:
		c->end = true;
		return;
	default:
		c->cfa_known = LOST;
		return;
	}
	if (r->ra == FLAME_RA_IN_REG)
		c->ra = m->regs[r->cfa_reg];
	else
		c->ra = memory(c->cfa - (r->ra == FLAME_RA_AT_CFA_16 ? 16 : 8));
	c->bp_known = rule_saved(m, r->bp, r->bp_offset, 6, c->cfa, &c->bp);
	c->bx_known = rule_saved(m, r->bx, r->bx_offset, 3, c->cfa, &c->bx);
}

/* ---- comparison ----------------------------------------------------------------- */

/*
 * Where nothing is said of rbx, the ABI has it preserved; libdw calls it undefined (its
 * defaults for x86-64 list register 0 under the name of rbx, which is 3).
 */
static bool same_bx(const struct flame_unwind_rule *rule, const struct caller *want,
		    const struct caller *got)
{
	if (want->bx_known == LOST)
		return rule->bx == FLAME_BP_SAME || got->bx_known == LOST;
	return rule->bx == FLAME_BP_LOST || want->bx == got->bx;
}

struct count {
	uint64_t places, unsupported, lost, different;
};

static void compare_at(struct count *count, const struct image *im,
		       const struct flame_unwind_head *table, Dwarf_Frame *frame, uint64_t pc,
		       uint64_t *random)
{
	const struct flame_unwind_rule *rule;
	struct caller want, got;
	uint64_t offset, left;
	struct machine m;
	bool same;

	assert_true(image_offset(im, pc, &offset, &left));
	rule = flame_unwind_find(table, offset);
	for (unsigned int i = 0; i < 16; i++)
		m.regs[i] = next_random(random) & ~7ull;
	m.regs[16] = pc;
	count->places++;
	dw_caller(frame, &m, &want);
	if (!rule || rule->cfa == FLAME_CFA_NONE) {
		count->unsupported++;
		return;
	}
	rule_caller(rule, &m, &got);
	if (want.end || got.end) {
		same = want.end && got.end;
	} else {
		same = want.cfa_known == VALUE && want.ra_known == VALUE && want.cfa == got.cfa &&
		       want.ra == got.ra &&
		       (want.bp_known == LOST ? got.bp_known == LOST :
			rule->bp == FLAME_BP_LOST || want.bp == got.bp) &&
		       same_bx(rule, &want, &got);
		/* Assembly that keeps it in another register or on another stack. */
		count->lost += (rule->bp == FLAME_BP_LOST && want.bp_known == VALUE) ||
			       (rule->bx == FLAME_BP_LOST && want.bx_known == VALUE);
	}
	if (same)
		return;
	count->different++;
	if (count->different <= 10)
		print_message("# at %#" PRIx64 ": cfa kind %u, cfa %d %d, ra %d, bp %d %d%d, bx %d %d%d\n",
			      pc, rule->cfa, want.cfa == got.cfa, want.cfa_known,
			      want.ra == got.ra, want.bp == got.bp, want.bp_known, got.bp_known,
			      want.bx == got.bx, want.bx_known, got.bx_known);
}

static void compare_entry(struct count *count, const struct image *im,
			  const struct flame_unwind_head *table, Dwarf_CFI *cfi, uint64_t start,
			  uint64_t end, uint64_t *random)
{
	uint64_t pc = start;

	while (pc < end) {
		Dwarf_Addr from, to;
		Dwarf_Frame *frame;
		bool signal;

		if (dwarf_cfi_addrframe(cfi, pc, &frame)) {
			count->different++;
			print_message("# at %#" PRIx64 ": %s\n", pc, dwarf_errmsg(-1));
			return;
		}
		assert_true(dwarf_frame_info(frame, &from, &to, &signal) >= 0);
		if (to > end)
			to = end;
		assert_true(to > pc);
		compare_at(count, im, table, frame, pc, random);
		compare_at(count, im, table, frame, pc + below(random, to - pc), random);
		compare_at(count, im, table, frame, to - 1, random);
		free(frame);
		pc = to;
	}
}

/* Entries that libdw finds. */
static uint64_t count_entries(Elf *elf, const uint8_t *bytes, size_t size)
{
	const unsigned char *ident = (const unsigned char *)elf_getident(elf, NULL);
	Elf_Data data = { .d_buf = (void *)(uintptr_t)bytes, .d_size = size, .d_version = 1 };
	Dwarf_Off at = 0, next = 0;
	Dwarf_CFI_Entry entry;
	uint64_t nr = 0;

	for (; !dwarf_next_cfi(ident, &data, true, at, &next, &entry) && next != (Dwarf_Off)-1;
	     at = next)
		nr += !dwarf_cfi_cie_p(&entry);
	return nr;
}

static void compare_object(const char *path)
{
	uint64_t random = 7, offset, left, nr = 0;
	struct unwind_table table;
	struct count count = { 0 };
	struct image im;
	uint8_t *bytes;
	struct cfi cfi;
	Dwarf_CFI *dw;
	Elf *elf;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		print_message("# %s: not there\n", path);
		return;
	}
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	dw = dwarf_getcfi_elf(elf);
	assert_true(image_open(&im, fd));
	bytes = image_part_bytes(&im, &im.eh_frame);
	if (!dw || !bytes || !memcmp(bytes, "\0\0\0", 4)) {
		print_message("# %s: has no unwind information\n", path);
		goto out;
	}
	assert_null(unwind_compile(&table, &im));
	assert_null(flame_unwind_check(table.head, table.head->bytes));
	cfi_read(&cfi, bytes, im.eh_frame.size, im.eh_frame.address, true);
	assert_int_equal(cfi.damaged, 0);
	assert_int_equal(cfi.nr_fdes, count_entries(elf, bytes, im.eh_frame.size));
	for (size_t i = 0; i < cfi.nr_fdes; i++) {
		const struct cfi_fde *fde = &cfi.fdes[i];

		if (!image_offset(&im, fde->start, &offset, &left))
			continue;
		compare_entry(&count, &im, table.head, dw, fde->start, fde->end, &random);
		nr++;
	}
	print_message("# %s: %" PRIu64 " entries, %" PRIu64 " places, %" PRIu64
		      " without a rule, %" PRIu64 " that lose rbp or rbx, %" PRIu64
		      " different\n", path, nr, count.places, count.unsupported, count.lost,
		      count.different);
	assert_true(nr);
	assert_int_equal(count.different, 0);
	/* Assembly that loads another context, and a few expressions of OpenSSL's. */
	assert_true((count.unsupported + count.lost) * 500 <= count.places);
	cfi_free(&cfi);
	unwind_table_free(&table);
out:
	free(bytes);
	if (dw)
		dwarf_cfi_end(dw);
	elf_end(elf);
	close(fd);
}

static void test_objects(void **state)
{
	static const char *const objects[] = {
		"/lib64/ld-linux-x86-64.so.2",
		"/lib/x86_64-linux-gnu/libc.so.6",
		"/lib/x86_64-linux-gnu/libm.so.6",
		"/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
		"/usr/lib/x86_64-linux-gnu/libcrypto.so.3",
		"/bin/bash",
		"/usr/bin/perl",
		"/usr/bin/python3.11",
		"/usr/bin/git",
	};
	static const char *const large[] = {
		"/usr/bin/node",
		"/usr/lib/llvm-14/lib/libLLVM-14.so.1",
		"/usr/lib/gcc/x86_64-linux-gnu/12/cc1",
	};
	char *given = getenv("FLAME_OBJECTS"), *path;

	(void)state;
	if (given) {
		for (path = strtok(given, " "); path; path = strtok(NULL, " "))
			compare_object(path);
		return;
	}
	for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++)
		compare_object(objects[i]);
	for (size_t i = 0; getenv("FLAME_LONG") && i < sizeof(large) / sizeof(large[0]); i++)
		compare_object(large[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_objects),
	};

	return cmocka_run_group_tests_name("unwind tables against libdw", tests, NULL, NULL);
}
