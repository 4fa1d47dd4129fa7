/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the shared sources (compiled into the module, into user-space tests and
 * fuzzers, and partly into the tool) need of their surroundings: integer types,
 * barriers, allocation, string functions. In the kernel these are the kernel's
 * own; in user space the same names stand for the C library's.
 */
#ifndef FLAME_PORT_H
#define FLAME_PORT_H

#ifdef __KERNEL__

#include <linux/bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/barrier.h>

/* May sleep. Zeroed. NULL when there is no memory; says nothing in the log. */
#define flame_zalloc(size)	kvzalloc(size, GFP_KERNEL | __GFP_NOWARN)
#define flame_free(p)		kvfree(p)

#else /* user space */

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <linux/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

#define notrace
#define __printf(a, b)		__attribute__((format(printf, a, b)))
#ifndef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#endif
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELAXED)
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
#define ____cacheline_aligned	__attribute__((aligned(64)))
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define ALIGN(x, a)		(((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define min(a, b)		((a) < (b) ? (a) : (b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define min_t(t, a, b)		((t)(a) < (t)(b) ? (t)(a) : (t)(b))
#define max_t(t, a, b)		((t)(a) > (t)(b) ? (t)(a) : (t)(b))
#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))
#define fallthrough		__attribute__((fallthrough))

#define flame_zalloc(size)	calloc(1, size)
#define flame_free(p)		free(p)

#define scnprintf flame_scnprintf
__attribute__((format(printf, 3, 4)))
int flame_scnprintf(char *buf, size_t size, const char *fmt, ...);

#endif /* __KERNEL__ */
#endif /* FLAME_PORT_H */
