// SPDX-License-Identifier: GPL-2.0-only
/*
 * The compiler of unwind tables on call frame information made by hand: each instruction
 * (DWARF 5, section 6.4.2), each shape of expression, the table's layout, code without an
 * entry, and damage of every kind. What is expected was worked out on paper.
 */
/* sources: user/unwind/image.c user/unwind/cfi.c user/unwind/rule.c user/unwind/compile.c user/unwind/go.c kmod/buildid.c kmod/unwind_table.c user/util/mem.c user/util/msg.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include "random.h"
#include "unwind/cfi.h"
#include "unwind/compile.h"
#include "unwind_table.h"

/* ---- an ELF file in memory ------------------------------------------------------- */

#define CODE_OFFSET	0x1000u
#define CODE_ADDRESS	0x401000u
#define CODE_SIZE	0x30000u
#define FRAME_OFFSET	(CODE_OFFSET + CODE_SIZE)
#define FRAME_SIZE	0x4000u
#define FRAME_ADDRESS	0x500000u
#define FILE_SIZE	(FRAME_OFFSET + FRAME_SIZE + 0x1000u)

static uint8_t file[FILE_SIZE];
static size_t frame_len;		/* bytes of .eh_frame written so far */
static size_t cie_at;

#define CODE		(file + CODE_OFFSET)
#define FRAME		(file + FRAME_OFFSET)

static Elf64_Ehdr *ehdr(void)
{
	return (Elf64_Ehdr *)file;
}

static Elf64_Phdr *phdr(unsigned int i)
{
	return (Elf64_Phdr *)(file + sizeof(Elf64_Ehdr)) + i;
}

static Elf64_Shdr *shdr(unsigned int i)
{
	return (Elf64_Shdr *)(file + FRAME_OFFSET + FRAME_SIZE) + i;
}

/* A program of one executable segment, filled with int3, and an empty .eh_frame. */
static int make_file(void **state)
{
	static const char names[] = "\0.eh_frame\0.plt\0.note.go.buildid\0.gopclntab";
	char *strings = (char *)file + FRAME_OFFSET + FRAME_SIZE + 512;

	(void)state;
	memset(file, 0, sizeof(file));
	memcpy(ehdr()->e_ident, ELFMAG, SELFMAG);
	ehdr()->e_ident[EI_CLASS] = ELFCLASS64;
	ehdr()->e_ident[EI_DATA] = ELFDATA2LSB;
	ehdr()->e_machine = EM_X86_64;
	ehdr()->e_phoff = sizeof(Elf64_Ehdr);
	ehdr()->e_phentsize = sizeof(Elf64_Phdr);
	ehdr()->e_phnum = 1;
	ehdr()->e_shoff = FRAME_OFFSET + FRAME_SIZE;
	ehdr()->e_shentsize = sizeof(Elf64_Shdr);
	ehdr()->e_shnum = 4;
	ehdr()->e_shstrndx = 2;
	*phdr(0) = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_R | PF_X,
				 .p_offset = CODE_OFFSET, .p_vaddr = CODE_ADDRESS,
				 .p_filesz = CODE_SIZE, .p_memsz = CODE_SIZE };
	*shdr(1) = (Elf64_Shdr){ .sh_name = 1, .sh_type = SHT_PROGBITS,
				 .sh_addr = FRAME_ADDRESS, .sh_offset = FRAME_OFFSET,
				 .sh_size = FRAME_SIZE };
	*shdr(2) = (Elf64_Shdr){ .sh_type = SHT_STRTAB,
				 .sh_offset = FRAME_OFFSET + FRAME_SIZE + 512,
				 .sh_size = sizeof(names) };
	memcpy(strings, names, sizeof(names));
	memset(CODE, 0xcc, CODE_SIZE);
	frame_len = 0;
	return 0;
}

static void put32(size_t at, uint32_t value)
{
	memcpy(FRAME + at, &value, sizeof(value));
}

/* Adds an entry of @len bytes behind its id; returns where it is. */
static size_t add_entry(uint32_t id, const void *bytes, size_t len)
{
	size_t at = frame_len;

	put32(at, (uint32_t)len + 4);
	put32(at + 4, id);
	memcpy(FRAME + at + 8, bytes, len);
	frame_len = at + 8 + len;
	assert_true(frame_len < FRAME_SIZE - 4);
	return at;
}

/* "zR" or "zRS", code alignment 1, data alignment -8, RA 16, pcrel sdata4; CFA = rsp + 8. */
static void add_cie(bool signal)
{
	static const uint8_t plain[] = { 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b,
					 DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1, 0, 0 };
	static const uint8_t with_s[] = { 1, 'z', 'R', 'S', 0, 1, 0x78, 16, 1, 0x1b,
					  DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1, 0 };

	cie_at = add_entry(0, signal ? with_s : plain, signal ? sizeof(with_s) : sizeof(plain));
}

/* An entry for [@start, @start + @size) of the code, by its offset there. */
static void add_fde(uint32_t start, uint32_t size, const uint8_t *program, size_t len)
{
	uint8_t bytes[512] = { 0 };
	size_t at = frame_len;
	uint32_t pcrel = CODE_ADDRESS + start - (FRAME_ADDRESS + (uint32_t)at + 8);

	assert_true(len <= sizeof(bytes) - 9);
	memcpy(bytes, &pcrel, 4);
	memcpy(bytes + 4, &size, 4);
	memcpy(bytes + 9, program, len);
	add_entry((uint32_t)(at + 4 - cie_at), bytes, 9 + len);
}

#define FDE(start, size, ...)							\
do {										\
	static const uint8_t program[] = { __VA_ARGS__ };			\
										\
	add_fde(start, size, program, sizeof(program));				\
} while (0)

static const char *compile(struct unwind_table *table)
{
	const char *why, *wrong;
	struct image im;

	assert_true(image_open_memory(&im, file, sizeof(file)));
	why = unwind_compile(table, &im);
	if (why)
		return why;
	wrong = flame_unwind_check(table->head, table->head->bytes);
	assert_null(wrong);
	return NULL;
}

static const struct flame_unwind_rule none;

/* The rule for an offset in the code; NONE where the table says nothing at all. */
static struct flame_unwind_rule rule_at(const struct unwind_table *table, uint32_t at)
{
	const struct flame_unwind_rule *r = flame_unwind_find(table->head, CODE_OFFSET + at);

	return r ? *r : none;
}

static void check_rule(const struct unwind_table *table, uint32_t at,
		       struct flame_unwind_rule want)
{
	struct flame_unwind_rule got = rule_at(table, at);

	if (!memcmp(&got, &want, sizeof(got)))
		return;
	print_error("at %#x: cfa %u reg %u %d add %u, bp %u %d, bx %u %d, ra %u; wanted cfa %u "
		    "reg %u %d add %u, bp %u %d, bx %u %d, ra %u\n", at, got.cfa, got.cfa_reg,
		    got.cfa_offset, got.cfa_add, got.bp, got.bp_offset, got.bx, got.bx_offset,
		    got.ra, want.cfa, want.cfa_reg, want.cfa_offset, want.cfa_add, want.bp,
		    want.bp_offset, want.bx, want.bx_offset, want.ra);
	fail();
}

#define RULE(...)	((struct flame_unwind_rule){ __VA_ARGS__ })
#define CALLED		RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 8)

/* ---- numbers ---------------------------------------------------------------------- */

static void check_uleb(const char *bytes, size_t len, bool ok, uint64_t value)
{
	const uint8_t *p = (const uint8_t *)bytes;
	uint64_t got = 0;

	assert_int_equal(cfi_uleb(&p, p + len, &got), ok);
	if (ok)
		assert_true(got == value);
}

static void check_sleb(const char *bytes, size_t len, bool ok, int64_t value)
{
	const uint8_t *p = (const uint8_t *)bytes;
	int64_t got = 0;

	assert_int_equal(cfi_sleb(&p, p + len, &got), ok);
	if (ok)
		assert_true(got == value);
}

/* Examples of DWARF 5, tables 7.7 and 7.8, and the ends of the range. */
static void test_leb(void **state)
{
	(void)state;
	check_uleb("\x02", 1, true, 2);
	check_uleb("\x7f", 1, true, 127);
	check_uleb("\x80\x01", 2, true, 128);
	check_uleb("\x81\x01", 2, true, 129);
	check_uleb("\xb9\x64", 2, true, 12857);
	check_uleb("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, true, UINT64_MAX);
	check_uleb("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, false, 0);
	check_uleb("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 11, false, 0);
	check_uleb("\x80", 1, false, 0);
	check_uleb("", 0, false, 0);
	check_sleb("\x02", 1, true, 2);
	check_sleb("\x7e", 1, true, -2);
	check_sleb("\xff\x00", 2, true, 127);
	check_sleb("\x81\x7f", 2, true, -127);
	check_sleb("\x80\x01", 2, true, 128);
	check_sleb("\x80\x7f", 2, true, -128);
	check_sleb("\xff\x7e", 2, true, -129);
	check_sleb("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 10, true, INT64_MIN);
	check_sleb("\xc0", 1, false, 0);
}

/* ---- programs ----------------------------------------------------------------------- */

/* push %rbp; mov %rsp,%rbp; push %rbx; ...; leave; ret - as GCC writes it. */
static void test_frame(void **state)
{
	struct unwind_table t;

	(void)state;
	add_cie(false);
	FDE(0x100, 0x40,
	    DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 6, 2,
	    DW_CFA_advance_loc | 3, DW_CFA_def_cfa_register, 6,
	    DW_CFA_advance_loc1, 1, DW_CFA_offset | 3, 3,
	    DW_CFA_advance_loc2, 0x30, 0, DW_CFA_def_cfa, 7, 8, DW_CFA_restore | 6,
	    DW_CFA_restore_extended, 3);
	assert_null(compile(&t));
	check_rule(&t, 0xff, none);
	check_rule(&t, 0x100, CALLED);
	check_rule(&t, 0x101, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 16, .bp = FLAME_BP_AT_CFA,
				   .bp_offset = -16));
	check_rule(&t, 0x103, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 16, .bp = FLAME_BP_AT_CFA,
				   .bp_offset = -16));
	check_rule(&t, 0x104, RULE(.cfa = FLAME_CFA_BP, .cfa_offset = 16, .bp = FLAME_BP_AT_CFA,
				   .bp_offset = -16));
	check_rule(&t, 0x105, RULE(.cfa = FLAME_CFA_BP, .cfa_offset = 16, .bp = FLAME_BP_AT_CFA,
				   .bp_offset = -16, .bx = FLAME_BP_AT_CFA, .bx_offset = -24));
	check_rule(&t, 0x134, RULE(.cfa = FLAME_CFA_BP, .cfa_offset = 16, .bp = FLAME_BP_AT_CFA,
				   .bp_offset = -16, .bx = FLAME_BP_AT_CFA, .bx_offset = -24));
	check_rule(&t, 0x135, CALLED);
	check_rule(&t, 0x13f, CALLED);
	check_rule(&t, 0x140, none);
	/* Five of the function; page 0 begins with a row that says nothing, and none ends it. */
	assert_int_equal(t.head->nr_rows, 7);
	assert_int_equal(t.head->nr_pages, 1);
	assert_int_equal(t.stats.entries, 1);
	assert_int_equal(t.stats.damaged, 0);
	unwind_table_free(&t);
}

/* Every instruction that has not been met yet, and those of registers nobody asks for. */
static void test_instructions(void **state)
{
	struct unwind_table t;

	(void)state;
	add_cie(false);
	FDE(0, 0x100,
	    DW_CFA_nop, DW_CFA_offset | 12, 9, DW_CFA_restore | 12, DW_CFA_remember_state,
	    DW_CFA_advance_loc | 0x10, DW_CFA_offset_extended, 6, 2,
	    DW_CFA_def_cfa_offset_sf, 0x7c,			/* -4 * -8 = 32 */
	    DW_CFA_advance_loc | 0x10, DW_CFA_offset_extended_sf, 6, 3,	/* CFA - 24 */
	    DW_CFA_def_cfa_sf, 7, 0x7b,				/* -5 * -8 = 40 */
	    DW_CFA_advance_loc | 0x10, DW_CFA_undefined, 6, DW_CFA_same_value, 3,
	    DW_CFA_advance_loc | 0x10, DW_CFA_restore_state,
	    DW_CFA_advance_loc | 0x10, DW_CFA_GNU_negative_offset_extended, 6, 2, /* CFA + 16 */
	    DW_CFA_advance_loc | 0x10, DW_CFA_register, 6, 9, DW_CFA_GNU_args_size, 64,
	    DW_CFA_advance_loc4, 0x10, 0, 0, 0, DW_CFA_val_offset, 6, 2,
	    DW_CFA_advance_loc | 0x10, DW_CFA_val_offset_sf, 7, 0, DW_CFA_same_value, 6,
	    DW_CFA_register, 8, 9, DW_CFA_undefined, 40, DW_CFA_expression, 12, 1, DW_OP_breg7);
	assert_null(compile(&t));
	check_rule(&t, 0x0f, CALLED);
	check_rule(&t, 0x10, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 32, .bp = FLAME_BP_AT_CFA,
				  .bp_offset = -16));
	check_rule(&t, 0x20, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 40, .bp = FLAME_BP_AT_CFA,
				  .bp_offset = -24));
	check_rule(&t, 0x30, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 40, .bp = FLAME_BP_LOST));
	check_rule(&t, 0x40, CALLED);
	check_rule(&t, 0x50, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 8, .bp = FLAME_BP_AT_CFA,
				  .bp_offset = 16));
	check_rule(&t, 0x60, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 8, .bp = FLAME_BP_LOST));
	check_rule(&t, 0x70, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 8, .bp = FLAME_BP_LOST));
	check_rule(&t, 0x80, CALLED);
	check_rule(&t, 0xff, CALLED);
	assert_int_equal(t.stats.damaged, 0);
	unwind_table_free(&t);
}

/* DW_CFA_set_loc has an address in the CIE's encoding. */
static void test_set_loc(void **state)
{
	uint8_t program[] = { DW_CFA_set_loc, 0, 0, 0, 0, DW_CFA_def_cfa_offset, 24 };
	struct unwind_table t;
	uint32_t pcrel;

	(void)state;
	add_cie(false);
	pcrel = CODE_ADDRESS + 0x20 - (FRAME_ADDRESS + (uint32_t)frame_len + 8 + 9 + 1);
	memcpy(program + 1, &pcrel, sizeof(pcrel));
	add_fde(0, 0x40, program, sizeof(program));
	assert_null(compile(&t));
	check_rule(&t, 0x1f, CALLED);
	check_rule(&t, 0x20, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 24));
	unwind_table_free(&t);
}

static void test_places_of_the_return_address(void **state)
{
	struct unwind_table t;

	(void)state;
	add_cie(false);
	FDE(0, 0x70,
	    DW_CFA_undefined, 16,
	    DW_CFA_advance_loc | 0x10, DW_CFA_register, 16, 5,		/* as vfork() */
	    DW_CFA_advance_loc | 0x10, DW_CFA_offset | 16, 2,
	    DW_CFA_advance_loc | 0x10, DW_CFA_offset | 16, 3,
	    DW_CFA_advance_loc | 0x10, DW_CFA_same_value, 16,
	    DW_CFA_advance_loc | 0x10, DW_CFA_offset | 16, 1, DW_CFA_same_value, 7,
	    DW_CFA_advance_loc | 0x10, DW_CFA_val_offset, 7, 0);
	assert_null(compile(&t));
	check_rule(&t, 0x00, RULE(.cfa = FLAME_CFA_END));
	check_rule(&t, 0x10, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 8, .ra = FLAME_RA_IN_REG,
				  .cfa_reg = 5));
	check_rule(&t, 0x20, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 8,
				  .ra = FLAME_RA_AT_CFA_16));
	check_rule(&t, 0x30, none);
	check_rule(&t, 0x40, none);
	check_rule(&t, 0x50, none);
	check_rule(&t, 0x60, CALLED);
	assert_int_equal(t.stats.none_bytes[UNWIND_NONE_RA], 0x20);
	assert_int_equal(t.stats.none_bytes[UNWIND_NONE_RSP], 0x10);
	unwind_table_free(&t);
}

static void test_cfa_registers(void **state)
{
	struct unwind_table t;

	(void)state;
	add_cie(false);
	FDE(0, 0x60,
	    DW_CFA_def_cfa, 10, 0,
	    DW_CFA_advance_loc | 0x10, DW_CFA_def_cfa, 3, 24,
	    DW_CFA_advance_loc | 0x10, DW_CFA_def_cfa, 6, 16, DW_CFA_register, 16, 2,
	    DW_CFA_advance_loc | 0x10, DW_CFA_def_cfa, 0, 8,	/* no room for a second register */
	    DW_CFA_advance_loc | 0x10, DW_CFA_offset | 16, 1, DW_CFA_def_cfa, 16, 8,
	    DW_CFA_advance_loc | 0x10, DW_CFA_def_cfa, 7, 0x80, 0x80, 0x80, 0x80, 0x08);
	assert_null(compile(&t));
	check_rule(&t, 0x00, RULE(.cfa = FLAME_CFA_REG, .cfa_reg = 10));
	check_rule(&t, 0x10, RULE(.cfa = FLAME_CFA_REG, .cfa_reg = 3, .cfa_offset = 24));
	check_rule(&t, 0x20, RULE(.cfa = FLAME_CFA_BP, .cfa_offset = 16, .ra = FLAME_RA_IN_REG,
				  .cfa_reg = 2));
	check_rule(&t, 0x30, none);
	check_rule(&t, 0x40, none);
	check_rule(&t, 0x50, none);
	assert_int_equal(t.stats.none_bytes[UNWIND_NONE_RA], 0x10);
	assert_int_equal(t.stats.none_bytes[UNWIND_NONE_CFA_REG], 0x10);
	assert_int_equal(t.stats.none_bytes[UNWIND_NONE_OFFSET], 0x10);
	unwind_table_free(&t);
}

/* Far slots: rbp's offset has 32 bits, rbx's 16; beyond them the register is lost. */
static void test_far_slots(void **state)
{
	struct unwind_table t;

	(void)state;
	add_cie(false);
	FDE(0, 0x30,
	    DW_CFA_offset | 3, 0x80, 0x20,			/* 4096 * -8 = -32768 */
	    DW_CFA_offset | 6, 0x80, 0x80, 0x80, 0x80, 0x01,	/* 2^28 * -8 = -2^31 */
	    DW_CFA_advance_loc | 0x10, DW_CFA_offset | 3, 0x81, 0x20,
	    DW_CFA_advance_loc | 0x10, DW_CFA_offset | 6, 0x81, 0x80, 0x80, 0x80, 0x01);
	assert_null(compile(&t));
	check_rule(&t, 0x00, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 8, .bp = FLAME_BP_AT_CFA,
				  .bp_offset = INT32_MIN, .bx = FLAME_BP_AT_CFA,
				  .bx_offset = INT16_MIN));
	check_rule(&t, 0x10, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 8, .bp = FLAME_BP_AT_CFA,
				  .bp_offset = INT32_MIN, .bx = FLAME_BP_LOST));
	check_rule(&t, 0x20, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 8, .bp = FLAME_BP_LOST,
				  .bx = FLAME_BP_LOST));
	unwind_table_free(&t);
}

/* ---- expressions -------------------------------------------------------------------- */

#define PLT_EXPRESSION(n) \
	DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15, DW_OP_and, \
	DW_OP_lit0 + (n), DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus

static void test_expressions(void **state)
{
	struct unwind_table t;

	(void)state;
	add_cie(false);
	FDE(0, 0xb0,
	    PLT_EXPRESSION(11),
	    DW_CFA_advance_loc | 0x10, PLT_EXPRESSION(9),
	    /* A realigned frame of GCC's: CFA behind rbp - 40, rbp and rbx by rbp. */
	    DW_CFA_advance_loc | 0x10,
	    DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x58, DW_OP_deref,
	    DW_CFA_expression, 6, 2, DW_OP_breg6, 0,
	    DW_CFA_expression, 3, 2, DW_OP_breg6, 0x50,
	    /* OpenSSL: CFA behind rsp + 272, plus 8. */
	    DW_CFA_advance_loc | 0x10,
	    DW_CFA_def_cfa_expression, 6, DW_OP_breg7, 0x90, 0x02, DW_OP_deref,
	    DW_OP_plus_uconst, 8, DW_CFA_offset | 6, 2, DW_CFA_restore | 3,
	    /* A register by rsp where the CFA is rsp + 48: rbp at rsp + 8 = CFA - 40. */
	    DW_CFA_advance_loc | 0x10, DW_CFA_def_cfa, 7, 48,
	    DW_CFA_expression, 6, 2, DW_OP_breg7, 8, DW_CFA_val_expression, 3, 2, DW_OP_breg7, 8,
	    /* More is added than fits; a mask that is another; nothing known at all. */
	    DW_CFA_advance_loc | 0x10,
	    DW_CFA_def_cfa_expression, 6, DW_OP_breg7, 8, DW_OP_deref,
	    DW_OP_plus_uconst, 0x80, 0x02,
	    DW_CFA_advance_loc | 0x10,
	    DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit31,
	    DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus,
	    DW_CFA_advance_loc | 0x10, DW_CFA_def_cfa_expression, 0,
	    /* Without S this is no signal frame. */
	    DW_CFA_advance_loc | 0x10, DW_CFA_restore | 6, DW_CFA_restore | 3,
	    DW_CFA_def_cfa_expression, 4, DW_OP_breg7, 0xa0, 0x01, DW_OP_deref,
	    /* OpenSSL's multiplication: CFA behind rsp + 8 * r9 + 8, plus 8. */
	    DW_CFA_advance_loc | 0x10,
	    DW_CFA_def_cfa_expression, 10, DW_OP_breg7, 8, DW_OP_breg9, 0, DW_OP_lit8, DW_OP_mul,
	    DW_OP_plus, DW_OP_deref, DW_OP_plus_uconst, 8,
	    DW_CFA_advance_loc | 0x10,
	    DW_CFA_def_cfa_expression, 10, DW_OP_breg7, 8, DW_OP_breg9, 1, DW_OP_lit8, DW_OP_mul,
	    DW_OP_plus, DW_OP_deref, DW_OP_plus_uconst, 8);
	assert_null(compile(&t));
	check_rule(&t, 0x90, RULE(.cfa = FLAME_CFA_SP_REG_DEREF, .cfa_reg = 9, .cfa_offset = 8,
				  .cfa_add = 8));
	check_rule(&t, 0xa0, none);
	check_rule(&t, 0x00, RULE(.cfa = FLAME_CFA_PLT, .cfa_offset = 11));
	check_rule(&t, 0x10, RULE(.cfa = FLAME_CFA_PLT, .cfa_offset = 9));
	check_rule(&t, 0x20, RULE(.cfa = FLAME_CFA_BP_DEREF, .cfa_offset = -40,
				  .bp = FLAME_BP_AT_BP, .bx = FLAME_BP_AT_BP, .bx_offset = -48));
	check_rule(&t, 0x30, RULE(.cfa = FLAME_CFA_SP_DEREF, .cfa_offset = 272, .cfa_add = 8,
				  .bp = FLAME_BP_AT_CFA, .bp_offset = -16));
	check_rule(&t, 0x40, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 48, .bp = FLAME_BP_AT_CFA,
				  .bp_offset = -40, .bx = FLAME_BP_LOST));
	check_rule(&t, 0x50, none);
	check_rule(&t, 0x60, none);
	check_rule(&t, 0x70, none);
	check_rule(&t, 0x80, RULE(.cfa = FLAME_CFA_SP_DEREF, .cfa_offset = 160));
	assert_int_equal(t.stats.none_bytes[UNWIND_NONE_CFA_EXPR], 0x40);
	unwind_table_free(&t);
}

static void test_signal_frame(void **state)
{
	struct unwind_table t;

	(void)state;
	add_cie(true);
	/* rt_sigframe: rsp at +160, rip at +168, rbp at +120. */
	FDE(0xf, 0x11,
	    DW_CFA_def_cfa_expression, 4, DW_OP_breg7, 0xa0, 0x01, DW_OP_deref,
	    DW_CFA_expression, 6, 3, DW_OP_breg7, 0xf8, 0x00,
	    DW_CFA_expression, 7, 3, DW_OP_breg7, 0xa0, 0x01,
	    DW_CFA_expression, 16, 3, DW_OP_breg7, 0xa8, 0x01);
	/* A frame that its author calls a signal's, laid out in another way. */
	FDE(0x40, 0x10, DW_CFA_def_cfa_offset, 64);
	assert_null(compile(&t));
	check_rule(&t, 0x0e, none);
	check_rule(&t, 0x0f, RULE(.cfa = FLAME_CFA_SIGNAL));
	check_rule(&t, 0x1f, RULE(.cfa = FLAME_CFA_SIGNAL));
	check_rule(&t, 0x40, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 64));
	unwind_table_free(&t);
}

/* ---- the table ------------------------------------------------------------------------ */

/* The code begins at file offset 0x1000, so that page 1 begins at 0xf000 of the code. */
static void test_pages(void **state)
{
	const struct flame_unwind_row *rows;
	struct unwind_table t;
	const uint32_t *pages;

	(void)state;
	add_cie(false);
	/* Over the edge of a page, changing 0x10 behind it. */
	FDE(0xeff0, 0x40, DW_CFA_advance_loc | 0x20, DW_CFA_def_cfa_offset, 16);
	/* Begins with a page, which replaces what held before. */
	FDE(0x1f000, 0x1000, DW_CFA_def_cfa_offset, 32);
	assert_null(compile(&t));
	assert_int_equal(t.head->base, 0);
	assert_int_equal(t.head->nr_pages, 3);
	pages = flame_unwind_pages(t.head);
	rows = flame_unwind_rows(t.head);
	/* Page 0: nothing, then the function; page 1: it goes on, changes, ends; page 2. */
	assert_int_equal(pages[1], 2);
	assert_int_equal(pages[2], 5);
	assert_int_equal(pages[3], 7);
	assert_int_equal(rows[0].low, 0);
	assert_int_equal(rows[1].low, 0xfff0);
	assert_int_equal(rows[2].low, 0);
	assert_int_equal(rows[3].low, 0x10);
	assert_int_equal(rows[4].low, 0x30);
	assert_int_equal(rows[5].low, 0);
	assert_int_equal(rows[6].low, 0x1000);
	check_rule(&t, 0xefff, CALLED);
	check_rule(&t, 0xf000, CALLED);
	check_rule(&t, 0xf010, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 16));
	check_rule(&t, 0xf030, none);
	check_rule(&t, 0x1efff, none);
	check_rule(&t, 0x1f000, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 32));
	check_rule(&t, 0x1ffff, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 32));
	check_rule(&t, 0x20000, none);
	unwind_table_free(&t);
}

/* Equal neighbours make one row, padding does not end it; entries in any order. */
static void test_merging(void **state)
{
	struct unwind_table t;

	(void)state;
	add_cie(false);
	FDE(0x40, 0x1c, DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 8);
	FDE(0x20, 0x17, DW_CFA_nop);
	FDE(0x60, 0x20, DW_CFA_nop);
	/* 16 bytes of something else are no padding, nor what ends unaligned. */
	FDE(0x90, 0x08, DW_CFA_nop);
	FDE(0x9c, 0x04, DW_CFA_nop);
	assert_null(compile(&t));
	/* Nothing; [20, 80) with padding at 37 and 5c; none; 90; none; 9c; none. */
	assert_int_equal(t.head->nr_rows, 7);
	check_rule(&t, 0x3f, CALLED);
	check_rule(&t, 0x5e, CALLED);
	check_rule(&t, 0x7f, CALLED);
	check_rule(&t, 0x80, none);
	check_rule(&t, 0x97, CALLED);
	check_rule(&t, 0x98, none);
	check_rule(&t, 0x9f, CALLED);
	assert_int_equal(t.stats.none_bytes[UNWIND_NONE_GAP], 0x14);
	unwind_table_free(&t);
}

/* Where two entries claim the same code the one that begins first has it. */
static void test_overlap(void **state)
{
	struct unwind_table t;

	(void)state;
	add_cie(false);
	FDE(0x10, 0x40, DW_CFA_nop);
	FDE(0x30, 0x40, DW_CFA_advance_loc | 4, DW_CFA_def_cfa_offset, 24);
	FDE(0x38, 0x10, DW_CFA_def_cfa_offset, 32);
	assert_null(compile(&t));
	check_rule(&t, 0x4f, CALLED);
	check_rule(&t, 0x50, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 24));
	check_rule(&t, 0x6f, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 24));
	check_rule(&t, 0x70, none);
	unwind_table_free(&t);
}

/* Two segments whose order in the file is not that of their addresses. */
static void test_segments(void **state)
{
	struct unwind_table t;

	(void)state;
	ehdr()->e_phnum = 2;
	phdr(0)->p_filesz = 0x1000;
	*phdr(1) = *phdr(0);
	phdr(0)->p_offset = CODE_OFFSET + 0x20000;
	phdr(1)->p_vaddr += 0x8000;
	add_cie(false);
	FDE(0x10, 0x10, DW_CFA_nop);				/* in segment 0 */
	FDE(0x8010, 0x10, DW_CFA_def_cfa_offset, 16);		/* in segment 1 */
	FDE(0x4000, 0x10, DW_CFA_nop);				/* in none */
	FDE(0xff8, 0x10, DW_CFA_nop);				/* beyond its end */
	assert_null(compile(&t));
	assert_int_equal(t.stats.entries, 2);
	check_rule(&t, 0x10, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 16));
	check_rule(&t, 0x20010, CALLED);
	check_rule(&t, 0x4000, none);
	check_rule(&t, 0x20ff8, none);
	unwind_table_free(&t);
}

/* ---- code without an entry -------------------------------------------------------------- */

static const uint8_t sigreturn[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };

static void test_restorer(void **state)
{
	struct unwind_table t;

	(void)state;
	memcpy(CODE + 0x200, sigreturn, sizeof(sigreturn));
	/* Not looked for in code that is described. */
	memcpy(CODE + 0x108, sigreturn, sizeof(sigreturn));
	add_cie(false);
	FDE(0x100, 0x20, DW_CFA_nop);
	FDE(0x400, 0x20, DW_CFA_nop);
	assert_null(compile(&t));
	check_rule(&t, 0x109, CALLED);
	check_rule(&t, 0x1fe, none);
	check_rule(&t, 0x1ff, RULE(.cfa = FLAME_CFA_SIGNAL));
	check_rule(&t, 0x208, RULE(.cfa = FLAME_CFA_SIGNAL));
	check_rule(&t, 0x209, none);
	unwind_table_free(&t);
}

/* At the edge of what is read at once: 16 KiB. */
static void test_restorer_at_edges(void **state)
{
	(void)state;
	for (uint32_t at = 0x4020 - 12; at <= 0x4020 + 4; at++) {
		struct unwind_table t;

		make_file(NULL);
		memcpy(CODE + at, sigreturn, sizeof(sigreturn));
		add_cie(false);
		FDE(0, 0x20, DW_CFA_nop);
		FDE(0x8000, 0x20, DW_CFA_nop);
		assert_null(compile(&t));
		check_rule(&t, at, RULE(.cfa = FLAME_CFA_SIGNAL));
		assert_int_equal(t.stats.rows[FLAME_CFA_SIGNAL], 1);
		unwind_table_free(&t);
	}
}

static void test_entry_point(void **state)
{
	struct unwind_table t;

	(void)state;
	ehdr()->e_entry = CODE_ADDRESS + 0x40;
	add_cie(false);
	FDE(0, 0x20, DW_CFA_nop);
	FDE(0x200, 0x20, DW_CFA_nop);
	assert_null(compile(&t));
	check_rule(&t, 0x3f, none);
	check_rule(&t, 0x40, RULE(.cfa = FLAME_CFA_END));
	check_rule(&t, 0xbf, RULE(.cfa = FLAME_CFA_END));
	check_rule(&t, 0xc0, none);
	unwind_table_free(&t);
	/* An entry of its own counts more. */
	ehdr()->e_entry = CODE_ADDRESS + 0x208;
	assert_null(compile(&t));
	check_rule(&t, 0x208, CALLED);
	unwind_table_free(&t);
}

/* What glibc's clone() has between the entries of parent and child. */
static void test_clone(void **state)
{
	static const uint8_t code[] = { 0x0f, 0x05, 0x48, 0x85, 0xc0, 0x7c, 0x13, 0x74, 1, 0xc3 };
	struct unwind_table t;

	(void)state;
	memcpy(CODE + 0x40, code, sizeof(code));
	add_cie(false);
	FDE(0x10, 0x30, DW_CFA_def_cfa_offset, 16);
	FDE(0x4a, 0x10, DW_CFA_undefined, 16);
	assert_null(compile(&t));
	check_rule(&t, 0x3f, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 16));
	check_rule(&t, 0x40, CALLED);
	check_rule(&t, 0x49, CALLED);
	check_rule(&t, 0x4a, RULE(.cfa = FLAME_CFA_END));
	unwind_table_free(&t);
}

/* A linkage table that its linker did not describe. */
static void test_plt(void **state)
{
	struct unwind_table t;

	(void)state;
	*shdr(3) = (Elf64_Shdr){ .sh_name = 11, .sh_type = SHT_PROGBITS, .sh_size = 0x40,
				 .sh_addr = CODE_ADDRESS + 0x100,
				 .sh_offset = CODE_OFFSET + 0x100 };
	CODE[0x100] = 0xff;
	CODE[0x101] = 0x35;
	CODE[0x110] = 0xff;
	add_cie(false);
	FDE(0, 0x20, DW_CFA_nop);
	FDE(0x200, 0x20, DW_CFA_nop);
	assert_null(compile(&t));
	check_rule(&t, 0xff, none);
	check_rule(&t, 0x105, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 16));
	check_rule(&t, 0x106, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 24));
	check_rule(&t, 0x110, RULE(.cfa = FLAME_CFA_PLT, .cfa_offset = 11));
	check_rule(&t, 0x13f, RULE(.cfa = FLAME_CFA_PLT, .cfa_offset = 11));
	check_rule(&t, 0x140, none);
	unwind_table_free(&t);
}

/* Many functions that keep frame pointers, none of them described: as if without a table. */
static void test_frame_pointers(void **state)
{
	static const uint8_t prologue[] = { 0x55, 0x48, 0x89, 0xe5 };
	struct unwind_table t;

	(void)state;
	add_cie(false);
	FDE(0, 0x20, DW_CFA_nop);
	FDE(0x10020, 0x20, DW_CFA_nop);
	/* 64 KiB, so 16 of them are asked for; the last but one lies over an edge. */
	for (uint32_t i = 0; i < 16; i++)
		memcpy(CODE + 0x20 + 0x4000 * (i / 4) + (i % 4 == 3 ? 0x3ff0 : 16 * (i % 4)),
		       prologue, sizeof(prologue));
	assert_null(compile(&t));
	check_rule(&t, 0x20, RULE(.cfa = FLAME_CFA_FP));
	check_rule(&t, 0x1001f, RULE(.cfa = FLAME_CFA_FP));
	unwind_table_free(&t);
	CODE[0x20] = 0x90;
	assert_null(compile(&t));
	check_rule(&t, 0x20, none);
	unwind_table_free(&t);
	/* Go keeps them everywhere. */
	*shdr(3) = (Elf64_Shdr){ .sh_name = 16, .sh_type = SHT_NOTE };
	assert_null(compile(&t));
	check_rule(&t, 0x20, RULE(.cfa = FLAME_CFA_FP));
	unwind_table_free(&t);
}

/*
 * Go's table of functions: mcall ends the stack although .eh_frame describes it, main.f does
 * not; all that nobody describes has frame pointers.
 */
static void test_go(void **state)
{
	static const char names[] = "main.f\0runtime.mcall\0runtime.mcall2";
	static const uint32_t functab[] = {
		0x100, 0x40, 0x140, 0x60, 0x180, 0x80, 0x1c0, 0,	/* entry, _func */
	};
	static const uint32_t funcs[][2] = { { 0x100, 0 }, { 0x140, 7 }, { 0x180, 21 } };
	uint8_t *tab = FRAME + 0x3000;
	struct unwind_table t;
	uint64_t head[9] = { 0x08010000fffffff1, 3, 0, CODE_ADDRESS, 0x100, 0, 0, 0, 0x200 };

	(void)state;
	memcpy(tab, head, sizeof(head));
	memcpy(tab + 0x100, names, sizeof(names));
	memcpy(tab + 0x200, functab, sizeof(functab));
	for (unsigned int i = 0; i < 3; i++)
		memcpy(tab + 0x240 + i * 0x20, funcs[i], sizeof(funcs[i]));
	*shdr(3) = (Elf64_Shdr){ .sh_name = 33, .sh_type = SHT_PROGBITS, .sh_size = 0x400,
				 .sh_offset = FRAME_OFFSET + 0x3000 };
	add_cie(false);
	FDE(0x100, 0x80, DW_CFA_nop);
	assert_null(compile(&t));
	check_rule(&t, 0xff, RULE(.cfa = FLAME_CFA_FP));
	check_rule(&t, 0x100, CALLED);
	check_rule(&t, 0x13f, CALLED);
	check_rule(&t, 0x140, RULE(.cfa = FLAME_CFA_END));
	check_rule(&t, 0x17f, RULE(.cfa = FLAME_CFA_END));
	check_rule(&t, 0x180, RULE(.cfa = FLAME_CFA_FP));
	check_rule(&t, CODE_SIZE - 1, RULE(.cfa = FLAME_CFA_FP));
	unwind_table_free(&t);
	/* Counts and offsets that point outside are not followed. */
	for (size_t at = 0; at < 0x300; at++) {
		uint8_t old = tab[at];

		tab[at] ^= 0xff;
		assert_null(compile(&t));
		unwind_table_free(&t);
		tab[at] = old;
	}
}

/* ---- damage ------------------------------------------------------------------------------ */

static void test_no_table(void **state)
{
	struct unwind_table t;
	struct image im;

	(void)state;
	assert_string_equal(compile(&t), "has no unwind information");
	ehdr()->e_machine = EM_386;
	assert_string_equal(compile(&t), "is no x86-64 object");
	ehdr()->e_machine = EM_X86_64;
	ehdr()->e_ident[EI_CLASS] = ELFCLASS32;
	assert_string_equal(compile(&t), "is no x86-64 object");
	ehdr()->e_ident[0] = 0;
	assert_false(image_open_memory(&im, file, sizeof(file)));
	assert_false(image_open_memory(&im, file, 3));
}

/* What stands before a damaged instruction holds; the rest of the function has no rule. */
static void test_damaged_program(void **state)
{
	struct unwind_table t;

	(void)state;
	add_cie(false);
	FDE(0x00, 0x10, DW_CFA_advance_loc | 8, 0x3f);
	FDE(0x10, 0x10, DW_CFA_advance_loc | 8, DW_CFA_restore_state);
	FDE(0x20, 0x10, DW_CFA_advance_loc | 8, DW_CFA_def_cfa, 7);
	FDE(0x30, 0x10, DW_CFA_advance_loc | 8, DW_CFA_expression, 6, 40, DW_OP_breg6);
	FDE(0x40, 0x10, DW_CFA_advance_loc | 8, DW_CFA_def_cfa_expression, 1, DW_OP_breg6,
	    DW_CFA_def_cfa_offset, 8);
	/* Behind the end of the function nothing matters. */
	FDE(0x50, 0x10, DW_CFA_advance_loc | 16, 0x3f);
	assert_null(compile(&t));
	for (uint32_t at = 0; at < 0x50; at += 0x10) {
		check_rule(&t, at + 7, CALLED);
		check_rule(&t, at + 8, none);
	}
	check_rule(&t, 0x5f, CALLED);
	assert_int_equal(t.stats.damaged, 5);
	assert_int_equal(t.stats.none_bytes[UNWIND_NONE_DAMAGED], 5 * 8);
	unwind_table_free(&t);
}

/* Nothing but damage is no table. */
static void test_all_damaged(void **state)
{
	struct unwind_table t;

	(void)state;
	add_cie(false);
	FDE(0x10, 0x10, 0x3f);
	assert_string_equal(compile(&t), "has no unwind information that can be used");
}

/* CIEs that cannot be read, and FDEs that point at none. */
static void test_damaged_entries(void **state)
{
	static const uint8_t version[] = { 9, 0, 1, 0x78, 16 };
	static const uint8_t ra[] = { 1, 0, 1, 0x78, 8 };
	static const uint8_t letters[] = { 1, 'e', 'h', 0, 1, 0x78, 16 };
	static const uint8_t unended[] = { 1, 'z', 'z' };
	static const uint8_t *const cies[] = { version, ra, letters, unended };
	static const size_t sizes[] = { sizeof(version), sizeof(ra), sizeof(letters),
					sizeof(unended) };
	struct unwind_table t;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		cie_at = add_entry(0, cies[i], sizes[i]);
		FDE(0x10, 0x10, DW_CFA_nop);
	}
	add_entry(3, "0123456789", 10);
	add_entry(0xfffffff0, "0123456789", 10);
	add_cie(false);
	FDE(0x20, 0x10, DW_CFA_nop);
	FDE(0x40, 0, DW_CFA_nop);
	assert_null(compile(&t));
	assert_int_equal(t.stats.entries, 1);
	assert_int_equal(t.stats.damaged, 10);
	check_rule(&t, 0x10, none);
	check_rule(&t, 0x20, CALLED);
	unwind_table_free(&t);
}

/* A section cut at every length, and each of its bytes changed: never more than a refusal. */
static void test_every_byte(void **state)
{
	struct unwind_table t;
	uint64_t random = 1;
	size_t len;

	(void)state;
	add_cie(true);
	FDE(0x10, 0x40, PLT_EXPRESSION(11), DW_CFA_advance_loc | 4, DW_CFA_remember_state,
	    DW_CFA_def_cfa, 6, 16, DW_CFA_offset | 6, 2, DW_CFA_advance_loc1, 8,
	    DW_CFA_restore_state);
	FDE(0x80, 0x40, DW_CFA_undefined, 16);
	len = frame_len;
	for (size_t size = 0; size <= len; size++) {
		shdr(1)->sh_size = size;
		if (!compile(&t))
			unwind_table_free(&t);
	}
	shdr(1)->sh_size = FRAME_SIZE;
	for (size_t at = 0; at < len; at++) {
		uint8_t old = FRAME[at];

		for (unsigned int i = 0; i < 8; i++) {
			FRAME[at] = (uint8_t)next_random(&random);
			if (!compile(&t))
				unwind_table_free(&t);
		}
		FRAME[at] = old;
	}
	for (size_t at = 0; at < sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr); at++) {
		uint8_t old = file[at];
		struct image im;

		file[at] ^= (uint8_t)(1 + below(&random, 255));
		if (image_open_memory(&im, file, sizeof(file)) && !unwind_compile(&t, &im))
			unwind_table_free(&t);
		file[at] = old;
	}
	assert_null(compile(&t));
	unwind_table_free(&t);
}

/* More different rules than an index can tell apart: the last ones have none. */
static void test_too_many_rules(void **state)
{
	enum { FUNCTIONS = 70, ROWS = 1000 };
	uint8_t *bytes, *p;
	size_t size = FUNCTIONS * (ROWS * 8 + 64), at;
	struct cfi_row row = { .cfa_known = true, .cfa_reg = 7 };
	uint8_t *big;
	struct unwind_table t;
	struct image im;
	uint32_t n = 0;

	(void)state;
	(void)row;
	/* A file of its own: .eh_frame behind the one that make_file() made. */
	big = calloc(1, sizeof(file) + size);
	assert_non_null(big);
	add_cie(false);
	memcpy(big, file, sizeof(file));
	bytes = big + sizeof(file);
	memcpy(bytes, FRAME, frame_len);
	at = frame_len;
	for (uint32_t f = 0; f < FUNCTIONS; f++) {
		size_t fde = at, id = at + 4;
		uint32_t pcrel, len, back = (uint32_t)(id - cie_at), code = ROWS * 2;

		at += 8;
		pcrel = CODE_ADDRESS + f * code - (FRAME_ADDRESS + (uint32_t)at);
		memcpy(bytes + at, &pcrel, 4);
		memcpy(bytes + at + 4, &code, 4);
		p = bytes + at + 9;
		for (uint32_t i = 0; i < ROWS; i++, n++) {
			uint32_t offset = 8 + n;

			*p++ = DW_CFA_def_cfa_offset;
			*p++ = (uint8_t)(offset | 0x80);
			*p++ = (uint8_t)(offset >> 7 | 0x80);
			*p++ = (uint8_t)(offset >> 14);
			*p++ = DW_CFA_advance_loc | 2;
		}
		at = (size_t)(p - bytes);
		len = (uint32_t)(at - fde - 4);
		memcpy(bytes + fde, &len, 4);
		memcpy(bytes + id, &back, 4);
	}
	assert_true(at < size);
	((Elf64_Shdr *)(big + FRAME_OFFSET + FRAME_SIZE))[1].sh_offset = sizeof(file);
	((Elf64_Shdr *)(big + FRAME_OFFSET + FRAME_SIZE))[1].sh_size = size;
	assert_true(image_open_memory(&im, big, sizeof(file) + size));
	assert_null(unwind_compile(&t, &im));
	assert_null(flame_unwind_check(t.head, t.head->bytes));
	/* 65535 with that of no rule at all. */
	assert_int_equal(t.head->nr_rules, 65535);
	check_rule(&t, 2 * 65533, RULE(.cfa = FLAME_CFA_SP, .cfa_offset = 8 + 65533));
	check_rule(&t, 2 * 65534, none);
	assert_int_equal(t.stats.none_bytes[UNWIND_NONE_RULES], 2 * (70000 - 65534));
	unwind_table_free(&t);
	free(big);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_leb),
		cmocka_unit_test_setup(test_frame, make_file),
		cmocka_unit_test_setup(test_instructions, make_file),
		cmocka_unit_test_setup(test_set_loc, make_file),
		cmocka_unit_test_setup(test_places_of_the_return_address, make_file),
		cmocka_unit_test_setup(test_cfa_registers, make_file),
		cmocka_unit_test_setup(test_far_slots, make_file),
		cmocka_unit_test_setup(test_expressions, make_file),
		cmocka_unit_test_setup(test_signal_frame, make_file),
		cmocka_unit_test_setup(test_pages, make_file),
		cmocka_unit_test_setup(test_merging, make_file),
		cmocka_unit_test_setup(test_overlap, make_file),
		cmocka_unit_test_setup(test_segments, make_file),
		cmocka_unit_test_setup(test_restorer, make_file),
		cmocka_unit_test(test_restorer_at_edges),
		cmocka_unit_test_setup(test_entry_point, make_file),
		cmocka_unit_test_setup(test_clone, make_file),
		cmocka_unit_test_setup(test_plt, make_file),
		cmocka_unit_test_setup(test_frame_pointers, make_file),
		cmocka_unit_test_setup(test_go, make_file),
		cmocka_unit_test_setup(test_no_table, make_file),
		cmocka_unit_test_setup(test_damaged_program, make_file),
		cmocka_unit_test_setup(test_all_damaged, make_file),
		cmocka_unit_test_setup(test_damaged_entries, make_file),
		cmocka_unit_test_setup(test_every_byte, make_file),
		cmocka_unit_test_setup(test_too_many_rules, make_file),
	};

	return cmocka_run_group_tests_name("unwind tables by hand", tests, NULL, NULL);
}
