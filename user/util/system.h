/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of the machine the tool runs on. Reads /proc, /sys and the like;
 * changes nothing.
 */
#ifndef FLAME_SYSTEM_H
#define FLAME_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the running kernel can load modules at all. */
bool system_has_modules(void);

/* "none", "integrity", "confidentiality", or "" where the kernel knows no lockdown. */
const char *system_lockdown(void);
bool system_locked_down(void);

/*
 * First line of a small file, without newline, cut to @size - 1 bytes. False if it
 * cannot be read.
 */
bool system_read_line(const char *path, char *buf, size_t size);

#endif /* FLAME_SYSTEM_H */
