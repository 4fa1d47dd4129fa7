/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile in memory: interned strings and frames, distinct stacks with their
 * values, and, when asked, every sample in time. All inputs fill one, all outputs
 * read one. Memory follows the number of distinct stacks, not the number of samples.
 * It knows no file format and never prints.
 */
#ifndef FLAME_PROFILE_H
#define FLAME_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile;

enum frame_kind {
	FRAME_USER,
	FRAME_COMM,		/* root of a stack: thread name, perhaps with ids */
	FRAME_KERNEL,		/* folded: _[k] */
	FRAME_INLINED,		/* folded: _[i] */
	FRAME_JIT,		/* folded: _[j] */
	FRAME_WAKER,		/* folded: _[w] */
	FRAME_SPECIAL,		/* says something about the sample: [truncated], [on-cpu] ... */
};

#define PROFILE_NO_OFFSET	UINT64_MAX
#define PROFILE_NO_STACK	UINT32_MAX
#define PROFILE_ROOT_STACK	0u	/* the empty stack: parent of all */
#define PROFILE_NO_STRING	0u	/* string id of "" */

/**
 * struct profile_frame - a distinct frame
 * @name: string id; what a user reads, without annotation. Always valid UTF-8 with
 *	  no control character, no noncharacter and no ';' (see profile_name())
 * @object: string id of what it lies in (path or OBJECT token); PROFILE_NO_STRING: unknown
 * @offset: place in @object, PROFILE_NO_OFFSET if unknown or of no interest
 * @kind: what it is
 *
 * Two frames are one when all four are equal. What is drawn as one box is decided by
 * @name and @kind alone: see tree.h.
 */
struct profile_frame {
	uint32_t name;
	uint32_t object;
	uint64_t offset;
	enum frame_kind kind;
};

/**
 * struct profile_sample - one sample, kept only after profile_keep_samples()
 * @time: ns since the profile's first known clock value; 0 if the input has no times
 * @value: weight in the unit of @event
 * @stack: stack id
 * @event: event index
 * @comm: string id, without ids added
 */
struct profile_sample {
	uint64_t time;
	uint64_t value;
	uint32_t stack;
	uint32_t event;
	uint32_t cpu;
	uint32_t pid;
	uint32_t tid;
	uint32_t comm;
};

/* What the input said about itself; 0 or "" where it said nothing. */
struct profile_meta {
	uint64_t duration_ns;
	uint64_t lost;		/* samples or records known to be missing */
	uint64_t missed;	/* ticks that came too late to be taken */
	uint32_t frequency;	/* Hz */
	char format[24];	/* name of the input format: "flame", "folded" */
	char host[72];
	char kernel[72];
};

/* NULL only when there is no memory; all later calls end the program in that case. */
struct profile *profile_new(void);
void profile_free(struct profile *p);

/* Interns @len bytes as they are. */
uint32_t profile_string(struct profile *p, const char *bytes, size_t len);

/*
 * Interns a name for people: ';', control characters, noncharacters and bytes that
 * are not UTF-8 become \xNN, so every output can rely on clean text.
 */
uint32_t profile_name(struct profile *p, const char *bytes, size_t len);

/* NUL-terminated; valid until the profile is freed. Strings may hold no NUL. */
const char *profile_text(const struct profile *p, uint32_t string);

uint32_t profile_frame(struct profile *p, const struct profile_frame *frame);
const struct profile_frame *profile_frame_at(const struct profile *p, uint32_t frame);
uint32_t profile_nr_frames(const struct profile *p);

/* Stack @parent with @frame added at the leaf; the same id for the same content. */
uint32_t profile_push(struct profile *p, uint32_t parent, uint32_t frame);
/* Not for PROFILE_ROOT_STACK, which has neither. */
uint32_t profile_stack_parent(const struct profile *p, uint32_t stack);
uint32_t profile_stack_frame(const struct profile *p, uint32_t stack);
/* Ids run from 0 (PROFILE_ROOT_STACK); a parent's id is smaller than its child's. */
uint32_t profile_nr_stacks(const struct profile *p);

/*
 * What is counted: an event name ("timer") and its unit ("samples", "µs"). Returns its
 * index; the same for the same name and unit. A fresh profile has none.
 */
uint32_t profile_event(struct profile *p, const char *name, const char *unit);
uint32_t profile_nr_events(const struct profile *p);
const char *profile_event_name(const struct profile *p, uint32_t event);
const char *profile_event_unit(const struct profile *p, uint32_t event);

/*
 * Adds @value to what @stack itself weighs. False when the event's total would no
 * longer fit 64 bits; then nothing is added.
 */
bool profile_add(struct profile *p, uint32_t stack, uint32_t event, uint64_t value);
uint64_t profile_self(const struct profile *p, uint32_t stack, uint32_t event);
uint64_t profile_total(const struct profile *p, uint32_t event);

/* From now on profile_add_sample() keeps the samples themselves too. */
void profile_keep_samples(struct profile *p);
/* Adds to the stack's value as profile_add() does; the same result. */
bool profile_add_sample(struct profile *p, const struct profile_sample *sample);
size_t profile_nr_samples(const struct profile *p);
const struct profile_sample *profile_sample_at(const struct profile *p, size_t index);

struct profile_meta *profile_meta(struct profile *p);

/* The folded suffix of a kind: "_[k]", "_[i]", "_[j]", "_[w]" or "". */
const char *frame_annotation(enum frame_kind kind);

/*
 * The kind of the frame that folded text calls @name (of *@len bytes) when it is not the
 * root; takes an annotation off *@len.
 */
enum frame_kind frame_kind_of(const char *name, size_t *len);

#endif /* FLAME_PROFILE_H */
