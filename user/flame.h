/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program's version, for --version, file headers and pictures. The Makefile gives
 * it; the name here stands for a build by hand.
 */
#ifndef FLAME_H
#define FLAME_H

#ifndef FLAME_VERSION
#define FLAME_VERSION	"0.1.0"
#endif

#endif /* FLAME_H */
