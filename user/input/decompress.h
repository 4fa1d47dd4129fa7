/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Streaming decompression of an input: gzip, zstd, xz or nothing, told by its first
 * bytes.
 */
#ifndef FLAME_DECOMPRESS_H
#define FLAME_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>

struct decompress;

/* Gets each piece of plain data; false stops the whole. */
typedef bool (*decompress_sink)(void *arg, const char *data, size_t len);

/* @head: the first bytes of the input, at least 6 unless it is shorter. */
struct decompress *decompress_new(const char *head, size_t len, decompress_sink sink, void *arg);
void decompress_free(struct decompress *d);

/*
 * Feeds compressed bytes. False when the sink refused (decompress_error() is NULL) or
 * the data are damaged.
 */
bool decompress_feed(struct decompress *d, const char *data, size_t len);

/* At the end of the input: false when a compressed stream is not complete. */
bool decompress_finish(struct decompress *d);

/* What is wrong with the data, or NULL. */
const char *decompress_error(const struct decompress *d);

#endif /* FLAME_DECOMPRESS_H */
