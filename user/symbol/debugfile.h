/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the separate debug file of a stripped object on this machine.
 */
#ifndef FLAME_DEBUGFILE_H
#define FLAME_DEBUGFILE_H

#include <libelf.h>

/*
 * Opens it: by build-id below /usr/lib/debug/.build-id, else by .gnu_debuglink beside
 * @path, in .debug/ beside it, and below /usr/lib/debug. Only a file of the same
 * build-id (or, without one, of the CRC that the link names) is taken. Returns its
 * descriptor or -1.
 */
int debugfile_open(Elf *elf, const char *path);

#endif /* FLAME_DEBUGFILE_H */
