/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The .flame file (docs/format-flame.md): a header, then blocks, each a run of whole
 * records of include/flame_abi.h with a checksum of its own. Here are its layout and the
 * streaming reader; output/flame_writer.h writes it.
 */
#ifndef FLAME_FILE_H
#define FLAME_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "flame_abi.h"

#define FLAME_FILE_MAGIC	"\x89" "FLAME\n\x1a"	/* 8 bytes, no NUL counted */
#define FLAME_FILE_VERSION	1
#define FLAME_FILE_ENDIAN	0x01020304u
#define FLAME_FILE_TEXT_MAX	65536u

/**
 * struct flame_file_head - the first 32 bytes
 * @endian: FLAME_FILE_ENDIAN in the writer's byte order
 * @version: of the file's layout
 * @abi: FLAME_ABI_VERSION of the records
 * @text_len: bytes of `name: value` lines that follow
 * @text_crc: CRC-32 (zlib's) of them
 * @head_crc: CRC-32 of the 28 bytes before it
 */
struct flame_file_head {
	char magic[8];
	uint32_t endian;
	uint32_t version;
	uint32_t abi;
	uint32_t text_len;
	uint32_t text_crc;
	uint32_t head_crc;
};

#define FLAME_BLOCK_MAGIC	0x314b4c42u	/* "BLK1" */
#define FLAME_BLOCK_ZSTD	(1u << 0)	/* the stored bytes are one zstd frame */
#define FLAME_BLOCK_LAST	(1u << 1)	/* nothing follows */
#define FLAME_BLOCK_RAW_MAX	(1u << 20)
#define FLAME_BLOCK_STORED_MAX	(FLAME_BLOCK_RAW_MAX + 65536u)

/**
 * struct flame_block_head - what each block begins with, 32 bytes
 * @stored: bytes that follow
 * @raw: bytes of records in them, after decompression
 * @number: of the block, counted from 0
 * @crc: CRC-32 of the stored bytes
 * @head_crc: CRC-32 of the 28 bytes before it
 */
struct flame_block_head {
	uint32_t magic;
	uint32_t flags;
	uint32_t stored;
	uint32_t raw;
	uint64_t number;
	uint32_t crc;
	uint32_t head_crc;
};

struct flame_file_reader;

/**
 * struct flame_file_sink - who gets what is read
 * @text: the header's text; may be NULL
 * @record: a record whose header is sound (type, size, alignment); returns NULL or what
 *	    is wrong with it, in words that go on "record of type 4 ..."
 */
struct flame_file_sink {
	void (*text)(void *arg, const char *text, size_t len);
	const char *(*record)(void *arg, struct flame_rec *rec);
	void *arg;
};

/* @name: for messages; it and @sink must outlive the reader. */
struct flame_file_reader *flame_file_reader_new(const char *name,
						const struct flame_file_sink *sink);
void flame_file_reader_free(struct flame_file_reader *r);

/* The next piece, of any size. False after one line that names file and offset. */
bool flame_file_feed(struct flame_file_reader *r, const char *data, size_t len);

enum flame_file_end {
	FLAME_FILE_WHOLE,
	FLAME_FILE_CUT,		/* good up to its last whole block; not said yet */
	FLAME_FILE_BAD,		/* not even the header is whole; said */
};

/* The input has ended. */
enum flame_file_end flame_file_finish(struct flame_file_reader *r);

/* Says that the file is cut, where, and what is used of it. */
void flame_file_warn_cut(const struct flame_file_reader *r);

/* Bytes fed so far. */
unsigned long long flame_file_offset(const struct flame_file_reader *r);

/*
 * Reads the whole of an open file through a reader; @head: its first bytes, read already.
 * Warns of a cut file. False after saying what is wrong.
 */
bool flame_file_read_fd(int fd, const char *name, const char *head, size_t head_len,
			const struct flame_file_sink *sink);

#endif /* FLAME_FILE_H */
