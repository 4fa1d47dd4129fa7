/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of a .flame file that holds a profile as the tool has it, not as the module
 * sampled it: what `flame merge` and `flame filter` write. They can tell any profile
 * exactly, whatever format it came from. The tool alone writes and reads them.
 */
#ifndef FLAME_PROFILE_RECORDS_H
#define FLAME_PROFILE_RECORDS_H

#include <stddef.h>
#include <stdint.h>
#include "flame_abi.h"
#include "profile/profile.h"

enum profile_rec_type {
	PROFILE_REC_EVENT	= 80,	/* struct profile_rec_event */
	PROFILE_REC_FRAME	= 81,	/* struct profile_rec_frame */
	PROFILE_REC_STACK	= 82,	/* struct profile_rec_stack */
	PROFILE_REC_SUM		= 83,	/* struct profile_rec_sum */
	PROFILE_REC_SAMPLE	= 84,	/* struct profile_rec_sample */
};

/**
 * struct profile_rec_event - what is counted; the first one is event 0
 * @name_len: bytes of its name, first in @bytes
 * @unit_len: bytes of its unit, behind that
 */
struct profile_rec_event {
	struct flame_rec hdr;
	uint32_t name_len;
	uint32_t unit_len;
	char bytes[];
};

/**
 * struct profile_rec_frame - a distinct frame; the first one is frame 1
 * @kind: enum frame_kind
 * @offset: PROFILE_NO_OFFSET if unknown
 * @name_len: bytes of its name, first in @bytes, at most PROFILE_REC_TEXT_MAX
 * @object_len: bytes of its object, behind that, at most PROFILE_REC_TEXT_MAX
 */
struct profile_rec_frame {
	struct flame_rec hdr;
	uint64_t offset;
	uint32_t kind;
	uint32_t name_len;
	uint32_t object_len;
	char bytes[];
};

#define PROFILE_REC_TEXT_MAX	32000u	/* two fit a record; longer texts are cut */

/**
 * struct profile_rec_stack - a distinct stack; the first one is stack 1
 * @parent: the stack below its leaf, 0: the empty one
 * @frame: its leaf
 */
struct profile_rec_stack {
	struct flame_rec hdr;
	uint32_t parent;
	uint32_t frame;
};

/**
 * struct profile_rec_sum - what samples of one stack add up to, where none are kept
 */
struct profile_rec_sum {
	struct flame_rec hdr;
	uint64_t value;
	uint32_t stack;
	uint32_t event;
};

/**
 * struct profile_rec_sample - as struct profile_sample
 * @comm: a frame whose name is the thread's, 0: unknown
 */
struct profile_rec_sample {
	struct flame_rec hdr;
	uint64_t time;
	uint64_t value;
	uint32_t stack;
	uint32_t event;
	uint32_t cpu;
	uint32_t pid;
	uint32_t tid;
	uint32_t comm;
};

/* Their ids here, as they are read. Zeroed at first. */
struct profile_records {
	uint32_t *events;
	size_t nr_events, cap_events;
	uint32_t *frames;
	size_t nr_frames, cap_frames;
	uint32_t *stacks;
	size_t nr_stacks, cap_stacks;
	uint64_t nr_values;	/* sums and samples */
};

/*
 * Takes a record whose size is sound into @p. NULL or what is wrong with it; NULL too
 * for one of another type, which is left alone.
 */
const char *profile_records_add(struct profile_records *r, struct profile *p,
				const struct flame_rec *rec);
void profile_records_free(struct profile_records *r);

#endif /* FLAME_PROFILE_RECORDS_H */
