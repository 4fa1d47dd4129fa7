/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names for people out of names for linkers.
 */
#ifndef FLAME_DEMANGLE_H
#define FLAME_DEMANGLE_H

/*
 * C++ and Rust (both manglings) without parameter lists and hashes; any other name, less
 * a symbol version (`@@GLIBC_2.34`), as it is. Free the result.
 */
char *demangle(const char *name);

#endif /* FLAME_DEMANGLE_H */
