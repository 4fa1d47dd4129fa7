/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why the last writes were refused (see error_log.c). Process context, may sleep.
 */
#ifndef FLAME_ERROR_LOG_H
#define FLAME_ERROR_LOG_H

#include "command.h"

struct seq_file;

/**
 * flame_error_log_add() - a line about a write that is refused
 * @name: the control
 * @e: why
 * @text: what was written; the first FLAME_VALUE_MAX + 1 bytes are enough
 * @len: bytes at @text
 */
void flame_error_log_add(const char *name, const struct flame_error *e, const char *text,
			 size_t len);

void flame_error_log_clear(void);

/* Prints the lines, oldest first. */
void flame_error_log_show(struct seq_file *m);

#endif /* FLAME_ERROR_LOG_H */
