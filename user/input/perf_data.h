/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf.data, which only perf itself reads well: `perf script` prints it for us.
 */
#ifndef FLAME_PERF_DATA_H
#define FLAME_PERF_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whether a file that begins so is perf.data. */
bool perf_data_is(const char *head, size_t len);

/*
 * Starts `perf script` on @path. A descriptor of what it prints, and its id in *@pid; -1
 * after saying why not.
 */
int perf_data_open(const char *path, pid_t *pid);

/* Waits for it; false after saying that it failed. */
bool perf_data_close(int fd, pid_t pid, const char *path);

#endif /* FLAME_PERF_DATA_H */
