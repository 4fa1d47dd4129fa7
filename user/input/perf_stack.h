/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frames of one `perf script` sample on their way to a stack id. Lines and stacks
 * that were seen before are found again without being taken apart; both memories are
 * bounded.
 */
#ifndef FLAME_PERF_STACK_H
#define FLAME_PERF_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "input/input.h"

struct perf_stack;

#define PERF_DEPTH_MAX	65536

struct perf_stack *perf_stack_new(struct profile *p, const struct input_options *options);
void perf_stack_free(struct perf_stack *s);

/* A new sample: no frames. @java: its thread's name begins with "java". */
void perf_stack_begin(struct perf_stack *s, bool java);

enum perf_added { PERF_ADDED, PERF_NO_FRAME, PERF_TOO_DEEP };

/* One line inside a sample, leaf first. */
enum perf_added perf_stack_line(struct perf_stack *s, const char *line, size_t len);

/* The source line that was printed below the last frame: becomes part of its name. */
void perf_stack_srcline(struct perf_stack *s, const char *text, size_t len);

/* The stack of the frames so far, below @roots (frame ids, or PERF_NO_ROOT). */
#define PERF_NO_ROOT	UINT32_MAX
uint32_t perf_stack_end(struct perf_stack *s, const uint32_t roots[2]);

#endif /* FLAME_PERF_STACK_H */
