/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording from start to end as the user asked for it: device, command, signals,
 * time limits, files, and the words at the end.
 */
#ifndef FLAME_RECORD_RUN_H
#define FLAME_RECORD_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include "record/device.h"

/**
 * struct record_options - what to record
 * @frequency: Hz
 * @pids: as set_pid takes them; "" none; likewise @tids and @cpus
 * @threads: "all", "user", "kernel"
 * @stacks: "kernel user", "kernel", "user"
 * @unwind: "auto", "fp", "table"
 * @max_depth: frames a half
 * @idle: idle CPUs too
 * @all: also what is not the command's, although there is one
 * @duration_ns: 0: until something else ends it
 * @interval_ns: a new file so often; 0: one file
 * @count: so many files; 0: no limit
 * @folded: folded text to @output (NULL: stdout) instead of a .flame file
 * @output: NULL: prof.flame
 * @command: argv of the command; NULL: none
 */
struct record_options {
	uint32_t frequency;
	const char *pids, *tids, *cpus;
	const char *threads, *stacks, *unwind;
	uint32_t max_depth;
	bool idle, all, folded;
	uint64_t duration_ns, interval_ns, count;
	const char *output;
	char **command;
};

/*
 * Records. @open gives an attached device each time a file begins; device_open() but for
 * tests. Returns the exit status.
 */
int record_run(const struct record_options *o, struct device *(*open)(void));

#endif /* FLAME_RECORD_RUN_H */
