/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading user memory from hard interrupt context: fixed sizes only, inside a section
 * that the caller opens with user_access_begin(). In user-space tests the memory is
 * simulated.
 */
#ifndef FLAME_USER_READ_H
#define FLAME_USER_READ_H

#ifdef __KERNEL__
#include <linux/uaccess.h>
#define read_user(value, type, addr, fault) \
	unsafe_get_user(value, (const type __user *)(unsigned long)(addr), fault)
#else
#include "user_memory.h"	/* tests: a simulated address space */
#endif
#include "port.h"

/* Opens a section to read @bytes at @addr; user_access_end() closes it if it says true. */
static __always_inline bool flame_user_begin(u64 addr, u32 bytes)
{
	return user_access_begin((void __user *)(unsigned long)addr, bytes);
}

/* A word of 8 bytes, in a section of its own; false when it cannot be read just now. */
static __always_inline bool flame_read_word(u64 *value, u64 addr, u64 limit)
{
	if (addr >= limit - sizeof(u64) || addr % sizeof(u64) ||
	    !flame_user_begin(addr, sizeof(u64)))
		return false;
	read_user(*value, u64, addr, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

#endif /* FLAME_USER_READ_H */
