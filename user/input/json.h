/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the readers of JSON formats share. Each is a file json_*.c with a test whether a
 * document is of its format, and a function that reads it.
 */
#ifndef FLAME_INPUT_JSON_H
#define FLAME_INPUT_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "input/frames.h"
#include "input/held.h"
#include "input/input.h"

struct json_reader {
	struct input *in;
	struct held held;
	struct frames frames;
	uint64_t nr_samples;
};

/* Says what is wrong, with the input's name before it; returns false. */
__attribute__((format(printf, 2, 3)))
bool json_wrong(const struct json_reader *r, const char *fmt, ...);

/* A number, or a text that is one; @otherwise if it is neither. */
double json_as_number(const json_t *value, double otherwise);

/* A text, or a number as text in @buf; "" if it is neither. */
const char *json_as_text(const json_t *value, char *buf, size_t size);

/* A whole number that is not negative, rounded; false after saying what is wrong. */
bool json_as_weight(const struct json_reader *r, const json_t *value, double factor,
		    uint64_t *weight);

/* An index below @nr into a table, or -1. */
long long json_as_index(const json_t *value, size_t nr);

/* Adds a sample of the reader's frames, which stand root first, and forgets them. */
bool json_add_root_first(struct json_reader *r, uint32_t event, uint64_t value);

/* A frame's name; see frames_add_shown(). */
bool json_add_name(struct json_reader *r, const char *name, bool root, const char *object);

bool json_is_speedscope(const json_t *root);
bool json_read_speedscope(struct json_reader *r, const json_t *root);
bool json_is_firefox(const json_t *root);
bool json_read_firefox(struct json_reader *r, const json_t *root);
bool json_is_cpuprofile(const json_t *root);
bool json_read_cpuprofile(struct json_reader *r, const json_t *root);
bool json_is_chrome(const json_t *root);
bool json_read_chrome(struct json_reader *r, const json_t *root);

#endif /* FLAME_INPUT_JSON_H */
