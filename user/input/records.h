/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Turns records (include/flame_abi.h) into a profile, from a file or from the module as
 * they come. Every field is checked: ids, lengths, counts. Samples of the same stack and
 * task are added up at once, so memory does not grow with their number.
 */
#ifndef FLAME_RECORDS_H
#define FLAME_RECORDS_H

#include <stdbool.h>
#include "flame_abi.h"
#include "input/input.h"

struct records;

/* What is known of a mapped file. */
struct record_object {
	enum flame_object_kind kind;
	const char *name;		/* as `folded` prints it */
	const char *path;
	uint8_t build_id[FLAME_BUILD_ID_MAX];
	uint8_t build_id_len;
};

/* A distinct place in user code; @name NULL: no SYMBOL record for it yet. */
struct record_place {
	uint32_t object;
	uint64_t offset;
	uint64_t start;			/* of the function; ~0: unknown */
	const char *name;
};

/* Names go into @p. @options may be NULL. */
struct records *records_new(struct profile *p, const struct input_options *options);
void records_free(struct records *r);

/*
 * Takes one record whose size is sound. NULL or what is wrong with it. Ids in @rec are
 * replaced by those the thing has here, dense from 1 and never used twice, so that
 * records written after this call agree with each other.
 */
const char *records_add(struct records *r, struct flame_rec *rec);

/* The profile gets its stacks and values. NULL or what is wrong. Call once, at the end. */
const char *records_finish(struct records *r);

uint64_t records_nr_samples(const struct records *r);
/* Samples as the module or the file's text counted them as lost so far. */
uint64_t records_lost(const struct records *r);

/* Objects are numbered from 1, places from 0. */
uint32_t records_nr_objects(const struct records *r);
const struct record_object *records_object(const struct records *r, uint32_t id);
uint32_t records_nr_places(const struct records *r);
const struct record_place *records_place(const struct records *r, uint32_t index);

/* Names a place, as a SYMBOL record does. */
void records_name_place(struct records *r, uint32_t index, const char *name, size_t len,
			uint64_t start);

/* A `name: value` line of INFO, SETTINGS or STATS text; false when @name is not in it. */
bool records_text_u64(const char *text, size_t len, const char *name, uint64_t *value);

#endif /* FLAME_RECORDS_H */
