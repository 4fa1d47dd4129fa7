/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a hash with a secret key, from which inputs
 * cannot be guessed without that key.
 */
#ifndef FLAME_SIPHASH_H
#define FLAME_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

struct siphash_key {
	uint64_t k0, k1;
};

uint64_t siphash(const struct siphash_key *key, const void *bytes, size_t len);

#endif /* FLAME_SIPHASH_H */
