/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a function's frame stands while it is set up or torn down, by its code. Hard
 * interrupt context; reads user memory inside a section that the caller opened.
 */
#ifndef FLAME_PROLOGUE_H
#define FLAME_PROLOGUE_H

#include "user_read.h"

/*
 * Where the return address of the innermost function lies, by the code at its
 * instruction pointer, as an offset from the stack pointer in words; -1: the frame
 * is set up, its return address is at fp + 1 word.
 *
 * Encodings: Intel SDM vol. 2 (ENDBR64/ENDBR32, PUSH r, MOV r,r/m, RET). The frame's
 * set-up is that of the System V ABI, AMD64 supplement, figure 3.3.
 */
static __always_inline int flame_return_slot(u64 code, bool is_32bit)
{
	switch (code & 0xff) {
	case 0x55:				/* push %rbp */
	case 0xc3:				/* ret */
	case 0xc2:				/* ret imm16 */
		return 0;
	case 0xf3:
		if ((code & 0xffffff00) == 0xfa1e0f00 ||
		    (code & 0xffffff00) == 0xfb1e0f00)	/* endbr64, endbr32 */
			return 0;
		fallthrough;
	case 0xf2:
		return (code & 0xff00) == 0xc300 ? 0 : -1;	/* rep ret, bnd ret */
	case 0x48:				/* mov %rsp,%rbp in both encodings */
		code &= 0xffff00;
		return !is_32bit && (code == 0xe58900 || code == 0xec8b00) ? 1 : -1;
	case 0x89:				/* mov %esp,%ebp */
		return is_32bit && (code & 0xff00) == 0xe500 ? 1 : -1;
	case 0x8b:
		return is_32bit && (code & 0xff00) == 0xec00 ? 1 : -1;
	default:
		return -1;
	}
}

/* Eight bytes of code as a number; 0, which begins no function, when they cannot be read. */
static __always_inline u64 flame_read_code(u64 addr)
{
	u64 code;

	read_user(code, u64, addr, fault);
	return code;
fault:
	return 0;
}

#endif /* FLAME_PROLOGUE_H */
