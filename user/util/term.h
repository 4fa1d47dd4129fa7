/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether and how text is coloured, and how wide the terminal is.
 */
#ifndef FLAME_TERM_H
#define FLAME_TERM_H

#include <stdbool.h>
#include <stdio.h>

/* "auto", "always", "never"; false: none of them. */
bool term_set_color(const char *when);

/* Auto: only on a terminal, and not when NO_COLOR is set or TERM is dumb. */
bool term_color(FILE *fp);

/* Columns of the terminal behind @fp; 0: no terminal. */
unsigned int term_width(FILE *fp);

#endif /* FLAME_TERM_H */
