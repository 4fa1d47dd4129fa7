/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The one place where module and tool agree: the version of the interface, the
 * records that a stream (/dev/flame after "attach", per_cpu/cpuN/raw) is made of,
 * and the ioctls of /dev/flame. A .flame file carries the same records in
 * checksummed blocks (docs/format-flame.md).
 *
 * All integers are little-endian as the machine has them (the magic of a file
 * tells a foreign one), all records are a multiple of 8 bytes long, and a reader
 * skips a record whose type it does not know by its size.
 */
#ifndef FLAME_ABI_H
#define FLAME_ABI_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/ioctl.h>
#else
#include <linux/types.h>
#include <sys/ioctl.h>
#endif

/*
 * Raised whenever a record, a control file's format or an ioctl changes in a way
 * that an older reader would misunderstand. `cat version` prints it; module and
 * tool of different ABI refuse each other.
 */
#define FLAME_ABI_VERSION	1

#define FLAME_COMM_LEN		16	/* TASK_COMM_LEN: fixed in the kernel's ABI */
#define FLAME_BUILD_ID_MAX	32	/* SHA-1 has 20 bytes, xxhash 8, --build-id=0x.. any */
#define FLAME_DEPTH_MAX		1023	/* frames per half: the limit of `max_depth` */
#define FLAME_REC_SIZE_MAX	65536	/* no record is larger; a larger size is damage */

/**
 * struct flame_rec - what every record begins with
 * @type: one of enum flame_rec_type
 * @flags: meaning depends on the type; 0 where none is given
 * @size: bytes of the whole record, this header included; a multiple of 8
 */
struct flame_rec {
	__u16 type;
	__u16 flags;
	__u32 size;
};

enum flame_rec_type {
	FLAME_REC_PAD		= 0,	/* nothing: skip */
	FLAME_REC_INFO		= 1,	/* struct flame_rec_text: "name: value" lines */
	FLAME_REC_NAME		= 2,	/* struct flame_rec_name: name of a kernel frame */
	FLAME_REC_OBJECT	= 3,	/* struct flame_rec_object: a mapped file */
	FLAME_REC_STACK		= 4,	/* struct flame_rec_stack: a distinct stack */
	FLAME_REC_SAMPLE	= 5,	/* struct flame_rec_sample */
	FLAME_REC_LOST		= 6,	/* struct flame_rec_lost */
	FLAME_REC_SETTINGS	= 7,	/* struct flame_rec_text: settings changed while on */
	FLAME_REC_STATS		= 8,	/* struct flame_rec_text: `stats` at the end */

	/* Written by the tool alone, never by the module; from 80: profile_records.h. */
	FLAME_REC_SYMBOL	= 64,	/* struct flame_rec_symbol: name of a user frame */
};

/**
 * struct flame_rec_text - INFO, SETTINGS, STATS
 * @time: CLOCK_MONOTONIC, ns
 * @len: bytes of @text, which is UTF-8 and not NUL-terminated
 */
struct flame_rec_text {
	struct flame_rec hdr;
	__u64 time;
	__u32 len;
	char text[];
};

/**
 * struct flame_rec_name - the name of a kernel frame, sent before its first use
 * @id: what kernel frames in STACK records refer to; dense from 1. Here as for objects
 *	and stacks: after a reset ids begin again at 1, with another meaning.
 */
struct flame_rec_name {
	struct flame_rec hdr;
	__u32 id;
	__u32 len;
	char name[];
};

enum flame_object_kind {
	FLAME_OBJECT_FILE	= 0,	/* a mapped file; path and perhaps a build-id */
	FLAME_OBJECT_VDSO	= 1,	/* "[vdso]": offset in the vDSO's ELF image */
	FLAME_OBJECT_VSYSCALL	= 2,	/* "[vsyscall]" */
	FLAME_OBJECT_ANON	= 3,	/* "[anon]": no file behind it, not executable */
	FLAME_OBJECT_JIT	= 4,	/* "[jit]": executable memory with no file behind it */
	FLAME_OBJECT_UNKNOWN	= 5,	/* "[unknown]": no mapping known for this address */
};

/**
 * struct flame_rec_object - what user frames lie in, sent before its first use
 * @id: what user frames in STACK records refer to; dense from 1
 * @kind: enum flame_object_kind
 * @build_id_len: 0 when the file has none
 * @name_len: bytes of the OBJECT token as `folded` prints it (unique, escaped)
 * @path_len: bytes of the path as the kernel knew it, unescaped, may end in " (deleted)"
 * @dev: st_dev of the file, in the kernel's encoding (MAJOR << 20 | MINOR)
 * @ino: its inode number
 * @bytes: name, then path; neither NUL-terminated
 */
struct flame_rec_object {
	struct flame_rec hdr;
	__u32 id;
	__u8 kind;
	__u8 build_id_len;
	__u16 name_len;
	__u16 path_len;
	__u16 reserved;
	__u32 dev;
	__u64 ino;
	__u8 build_id[FLAME_BUILD_ID_MAX];
	char bytes[];
};

/**
 * struct flame_user_frame - a place in user code
 * @object: id of an OBJECT record
 * @flags: 0
 * @offset: file offset (FILE), offset in the image (VDSO, VSYSCALL), 0 for the
 *	    others. For every frame but the innermost, 1 has been
 *	    taken off the return address: @offset lies inside the call instruction.
 */
struct flame_user_frame {
	__u32 object;
	__u32 flags;
	__u64 offset;
};

/* struct flame_rec.flags of a STACK record */
#define FLAME_STACK_USER_TRUNCATED	(1 << 0)	/* user half was cut at max_depth */
#define FLAME_STACK_KERNEL_TRUNCATED	(1 << 1)	/* kernel half was cut at max_depth */
#define FLAME_STACK_IRQ			(1 << 2)	/* options/irq: hard interrupt work */
#define FLAME_STACK_SOFTIRQ		(1 << 3)	/* options/irq: soft interrupt work */
#define FLAME_STACK_TABLE_FULL		(1 << 4)	/* not kept: memory_limit_kb was reached */
#define FLAME_STACK_USER_FAILED		(1 << 5)	/* the user stack could not be read */
#define FLAME_STACK_USER_NO_INFO	(1 << 6)	/* ends where nothing tells the caller */

/**
 * struct flame_rec_stack - a distinct stack, sent before its first use
 * @id: what SAMPLE records refer to; dense from 1
 * @nr_user: user frames, innermost first
 * @nr_kernel: kernel frames, innermost first, each the id of a NAME record
 * @user: the user frames; @nr_kernel __u32 follow them (see flame_stack_kernel())
 */
struct flame_rec_stack {
	struct flame_rec hdr;
	__u32 id;
	__u16 nr_user;
	__u16 nr_kernel;
	struct flame_user_frame user[];
};

#define flame_stack_kernel(rec) ((const __u32 *)&(rec)->user[(rec)->nr_user])

enum flame_source {
	FLAME_SOURCE_TIMER	= 1,	/* value: 1 sample */
};

/* struct flame_rec.flags of a SAMPLE record */
#define FLAME_SAMPLE_KTHREAD	(1 << 0)	/* a kernel thread */
#define FLAME_SAMPLE_IDLE	(1 << 1)	/* the idle task (options/idle) */
#define FLAME_SAMPLE_KERNEL	(1 << 2)	/* the CPU was in kernel mode */
#define FLAME_SAMPLE_IRQ	(1 << 3)	/* in a hard interrupt (besides the sampler's) */
#define FLAME_SAMPLE_SOFTIRQ	(1 << 4)	/* in a soft interrupt */

/**
 * struct flame_rec_sample - one sample
 * @time: CLOCK_MONOTONIC, ns
 * @value: in the unit of @source
 * @start_time: of the thread group's leader, CLOCK_MONOTONIC ns: with @pid it
 *		tells processes with a reused pid apart
 * @stack: id of a STACK record
 * @cpu: where it was taken
 * @pid: thread group id (what users call pid)
 * @tid: thread id
 * @source: enum flame_source
 * @comm: the thread's name when the sample was taken, NUL-padded, any bytes
 */
struct flame_rec_sample {
	struct flame_rec hdr;
	__u64 time;
	__u64 value;
	__u64 start_time;
	__u32 stack;
	__u32 cpu;
	__u32 pid;
	__u32 tid;
	__u16 source;
	__u16 reserved[3];
	char comm[FLAME_COMM_LEN];
};

/**
 * struct flame_rec_lost - records this reader was too slow for, or ring losses
 * @time: when the gap ended, CLOCK_MONOTONIC ns
 * @count: records missing at this place of the stream
 * @cpu: where, or ~0 for the reader's own losses
 */
struct flame_rec_lost {
	struct flame_rec hdr;
	__u64 time;
	__u64 count;
	__u32 cpu;
	__u32 reserved;
};

/**
 * struct flame_rec_symbol - the name of a user frame, by the tool
 * @object: id of an OBJECT record
 * @name_len: bytes of the (demangled) name
 * @offset: as in struct flame_user_frame
 * @start: offset at which the function begins, ~0 if unknown
 *
 * hdr.flags: 0 (inlined frames and source lines come with a later ABI).
 */
struct flame_rec_symbol {
	struct flame_rec hdr;
	__u32 object;
	__u32 name_len;
	__u64 offset;
	__u64 start;
	char name[];
};

/*
 * ioctls of /dev/flame. FLAME_IOC_OBJECT_FD gives a new read-only file descriptor
 * (O_CLOEXEC) of the file behind an object id while the module still holds it;
 * ENOENT: no such id, ESTALE: not held any more.
 */
#define FLAME_IOC_OBJECT_FD	_IOW('F', 1, __u32)

/**
 * struct flame_ioc_unwind - an unwind table for an object
 * @fd: of the file that it unwinds; -1: the vDSO
 * @reserved: 0
 * @table: address of the table (include/flame_unwind.h)
 * @bytes: its size
 */
struct flame_ioc_unwind {
	__s32 fd;
	__u32 reserved;
	__u64 table;
	__u64 bytes;
};

/*
 * Loads it for all processes that map the file, now and later, until the module is
 * unloaded; it takes an older one's place. EINVAL, with a line in error_log: the table
 * is not sound, and nothing of it is used. ENOSPC: too many bytes of tables.
 */
#define FLAME_IOC_UNWIND	_IOW('F', 2, struct flame_ioc_unwind)

#endif /* FLAME_ABI_H */
