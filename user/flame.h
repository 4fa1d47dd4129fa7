/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program's version, for --version, file headers and pictures.
 */
#ifndef FLAME_H
#define FLAME_H

#define FLAME_VERSION	"0.1.0"

#endif /* FLAME_H */
