/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fuzz targets share: the entry that libFuzzer calls, and a check that ends the
 * run with the input kept.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define check(condition)						\
do {									\
	if (!(condition)) {						\
		fprintf(stderr, "%s:%d: not true: %s\n", __FILE__,	\
			__LINE__, #condition);				\
		abort();						\
	}								\
} while (0)

#endif /* FUZZ_H */
