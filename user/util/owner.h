/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files made by root under sudo belong to the user who asked for them.
 */
#ifndef FLAME_OWNER_H
#define FLAME_OWNER_H

#include <stdbool.h>

/*
 * Gives the open file to SUDO_UID/SUDO_GID when the program runs as root and both are
 * set. False with errno set when that fails.
 */
bool owner_take(int fd);

#endif /* FLAME_OWNER_H */
