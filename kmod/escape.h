/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes names fit for folded lines and lists. Pure, shared with user-space tests.
 */
#ifndef FLAME_ESCAPE_H
#define FLAME_ESCAPE_H

#include "port.h"

/**
 * flame_escape() - makes any bytes fit to stand in a folded line
 * @to: receives valid UTF-8 without ';', control characters or backslash, and a NUL
 * @size: room there; at least 1
 * @from: the bytes
 * @len: how many
 * @blanks: escape blanks as well
 *
 * What is not fit becomes \xNN, so that different names stay different. Returns the
 * length at @to; what does not fit whole is left off.
 */
u32 flame_escape(char *to, u32 size, const char *from, u32 len, bool blanks);

#endif /* FLAME_ESCAPE_H */
