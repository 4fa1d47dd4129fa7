/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The version of the whole, module and tool alike: they are released together.
 */
#ifndef FLAME_VERSION_H
#define FLAME_VERSION_H

#define FLAME_VERSION	"0.1.0"

#endif /* FLAME_VERSION_H */
