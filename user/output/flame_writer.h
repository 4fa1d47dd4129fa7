/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a .flame file (docs/format-flame.md) block by block to an open file. After each
 * block the file is readable, whatever happens to the writer.
 */
#ifndef FLAME_WRITER_H
#define FLAME_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "flame_abi.h"

struct flame_writer;

/* Does not own @fd. @name is for messages and must outlive the writer. */
struct flame_writer *flame_writer_new(int fd, const char *name);
void flame_writer_free(struct flame_writer *w);

/* The header with its text (`name: value` lines, at most FLAME_FILE_TEXT_MAX bytes). */
bool flame_writer_begin(struct flame_writer *w, const char *text, size_t len);

/*
 * All of these return false once a write has failed; the first failure is said, with
 * what was saved until then, and the file is cut back to its last whole block.
 */
bool flame_writer_add(struct flame_writer *w, const struct flame_rec *rec);
/* A record of a fixed part and bytes that follow it, padded; sets hdr.size. */
bool flame_writer_add_bytes(struct flame_writer *w, struct flame_rec *rec, size_t fixed,
			    const void *bytes, size_t len);
/* INFO, SETTINGS, STATS of text that may be longer than one record: cut at a line. */
bool flame_writer_add_text(struct flame_writer *w, uint16_t type, uint64_t time,
			   const char *text, size_t len);
/* A SYMBOL record for each place of @r that has a name. */
struct records;
bool flame_writer_add_symbols(struct flame_writer *w, const struct records *r);
/* Writes what is buffered as a block. */
bool flame_writer_flush(struct flame_writer *w);
/* Writes the last block. */
bool flame_writer_end(struct flame_writer *w);

/* Bytes in the file: header and whole blocks. */
uint64_t flame_writer_size(const struct flame_writer *w);

#endif /* FLAME_WRITER_H */
