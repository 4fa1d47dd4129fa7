/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kmod/stack_user.c sees of a task's memory when it runs in a test: reads go to
 * the test, which decides what is there.
 */
#ifndef TEST_USER_MEMORY_H
#define TEST_USER_MEMORY_H

#include "port.h"

#define __user

/* From here to test_access_end() the task's memory below @end may be read; or false. */
bool test_access_begin(u64 end);
void test_access_end(void);

/* Reads @bytes at @addr into @to; false: a page that is not there. */
bool test_read_user(u64 addr, void *to, u32 bytes);

#define user_access_begin(ptr, len)	test_access_begin((u64)(unsigned long)(ptr) + (len))
#define user_access_end()		test_access_end()

#define read_user(value, type, addr, fault)				\
do {									\
	type read_value;						\
									\
	if (!test_read_user(addr, &read_value, sizeof(read_value)))	\
		goto fault;						\
	(value) = read_value;						\
} while (0)

#endif /* TEST_USER_MEMORY_H */
