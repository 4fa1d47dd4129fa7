/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the handlers write into the per-CPU rings for the collector: raw addresses
 * and pointers, never shown to any reader.
 */
#ifndef FLAME_RAW_H
#define FLAME_RAW_H

#include "port.h"
#include "../include/flame_abi.h"

/* How a sample's user half ended; also what `user_failed` counts by cause. */
enum flame_walk {
	FLAME_WALK_ON,		/* not yet: there is a caller */
	FLAME_WALK_WHOLE,	/* at the start of the thread (or a frame pointer of 0) */
	FLAME_WALK_BROKEN,	/* at a stack or frame pointer that cannot be one */
	FLAME_WALK_NO_INFO,	/* at code that neither a table nor a frame pointer leads out of */
	FLAME_WALK_FAULT,	/* at memory that could not be read just now */
	FLAME_WALK_CUT,		/* at max_depth */
	FLAME_WALK_NO_ROOM,	/* at the end of the ring's room */
};

/**
 * struct flame_raw_sample - one sample in a sample ring
 *
 * From @mm to the end it is the fold key: samples equal there, of the same process
 * image, have the same stack, so that the collector folds them by comparing bytes.
 *
 * @size: bytes of the record; a multiple of 8 (struct flame_ring's rule)
 * @flags: FLAME_SAMPLE_*
 * @time: ktime_get_mono_fast_ns()
 * @value: in the source's unit
 * @start_time: of the thread group's leader
 * @tid: of the thread, initial pid namespace
 * @cpu: taken on
 * @mm: address of the mm; 0 for kernel threads. A token, never followed.
 * @pid: thread group id, initial pid namespace
 * @key_tid: @tid with options/tid, else 0
 * @key_cpu: @cpu + 1 with options/cpu, else 0
 * @stack_flags: FLAME_STACK_*
 * @source: enum flame_source
 * @nr_user: user addresses, innermost first
 * @nr_kernel: kernel addresses, innermost first, after the user ones
 */
struct flame_raw_sample {
	u32 size;
	u16 flags;
	u16 reserved;
	u64 time;
	u64 value;
	u64 start_time;
	u32 tid;
	u32 cpu;
	/* fold key */
	u64 mm;
	u32 pid;
	u32 key_tid;
	u32 key_cpu;
	u16 stack_flags;
	u16 source;
	u64 comm[FLAME_COMM_LEN / 8];
	u32 nr_user;
	u32 nr_kernel;
	u64 ips[];
};

#define FLAME_RAW_KEY_OFFSET	offsetof(struct flame_raw_sample, mm)

enum flame_event_type {
	FLAME_EVENT_MAP,	/* executable memory was mapped */
	FLAME_EVENT_FORK,	/* a new process */
	FLAME_EVENT_EXIT,	/* a process is going */
};

/**
 * struct flame_event - what changed about a process, in an event ring
 * @size: bytes of the record; a multiple of 8
 * @type: enum flame_event_type
 * @time: ktime_get_mono_fast_ns()
 * @mm: token of the mm concerned (FORK: the child's)
 * @pid: thread group id (FORK: the child's)
 * @parent_pid: FORK: the parent's thread group id
 * @parent_mm: FORK: token of the parent's mm
 * @start: MAP: first address
 * @end: MAP: first address after it
 * @pgoff: MAP: file offset of @start, in bytes
 * @file: MAP: a struct file with a reference that the consumer must drop, or 0
 * @kind: MAP: enum flame_object_kind
 */
struct flame_event {
	u32 size;
	u32 type;
	u64 time;
	u64 mm;
	u32 pid;
	u32 parent_pid;
	union {
		u64 parent_mm;
		struct {
			u64 start;
			u64 end;
			u64 pgoff;
			u64 file;
			u64 kind;
		};
	};
};

#endif /* FLAME_RAW_H */
