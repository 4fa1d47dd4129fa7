// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a .flame file. One block is in memory at a time; a failed write never leaves a
 * torn block behind when the file can be cut.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include "input/flame_file.h"
#include "input/records.h"
#include "output/flame_writer.h"
#include "util/mem.h"
#include "util/msg.h"

/* Small enough that a crash loses little, large enough to compress well. */
#define BLOCK_TARGET	(256u << 10)
#define ZSTD_LEVEL	3

struct flame_writer {
	int fd;
	const char *name;
	bool failed;
	uint64_t size;
	uint64_t blocks;
	size_t have;
	char *raw;
	char *stored;		/* block head and stored bytes */
};

struct flame_writer *flame_writer_new(int fd, const char *name)
{
	struct flame_writer *w = xcalloc(1, sizeof(*w));

	w->fd = fd;
	w->name = name;
	w->raw = xcalloc(1, FLAME_BLOCK_RAW_MAX);
	w->stored = xcalloc(1, sizeof(struct flame_block_head) + FLAME_BLOCK_STORED_MAX);
	return w;
}

void flame_writer_free(struct flame_writer *w)
{
	if (!w)
		return;
	free(w->raw);
	free(w->stored);
	free(w);
}

static bool fail(struct flame_writer *w, int err)
{
	bool cut = !ftruncate(w->fd, (off_t)w->size);

	w->failed = true;
	if (err == EPIPE)
		return false;
	msg_error("%s: %s; %llu bytes were saved before%s", w->name, strerror(err),
		  (unsigned long long)w->size, cut ? " and stay readable" : "");
	return false;
}

static bool write_all(struct flame_writer *w, const char *bytes, size_t len)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = write(w->fd, bytes + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return fail(w, n ? errno : ENOSPC);
		done += (size_t)n;
	}
	w->size += len;
	return true;
}

static uint32_t checksum(const void *bytes, size_t len)
{
	return (uint32_t)crc32(0, bytes, (uInt)len);
}

bool flame_writer_begin(struct flame_writer *w, const char *text, size_t len)
{
	struct flame_file_head head = {
		.endian = FLAME_FILE_ENDIAN, .version = FLAME_FILE_VERSION,
		.abi = FLAME_ABI_VERSION,
	};

	if (len > FLAME_FILE_TEXT_MAX)
		len = FLAME_FILE_TEXT_MAX;
	memcpy(head.magic, FLAME_FILE_MAGIC, sizeof(head.magic));
	head.text_len = (uint32_t)len;
	head.text_crc = checksum(text, len);
	head.head_crc = checksum(&head, offsetof(struct flame_file_head, head_crc));
	memcpy(w->stored, &head, sizeof(head));
	memcpy(w->stored + sizeof(head), text, len);
	return write_all(w, w->stored, sizeof(head) + len);
}

static bool write_block(struct flame_writer *w, uint32_t flags)
{
	struct flame_block_head head = {
		.magic = FLAME_BLOCK_MAGIC, .flags = flags, .raw = (uint32_t)w->have,
		.number = w->blocks,
	};
	char *stored = w->stored + sizeof(head);
	size_t n;

	if (w->failed)
		return false;
	n = ZSTD_compress(stored, FLAME_BLOCK_STORED_MAX, w->raw, w->have, ZSTD_LEVEL);
	if (!ZSTD_isError(n) && n < w->have) {
		head.flags |= FLAME_BLOCK_ZSTD;
	} else {
		n = w->have;
		memcpy(stored, w->raw, n);
	}
	head.stored = (uint32_t)n;
	head.crc = checksum(stored, n);
	head.head_crc = checksum(&head, offsetof(struct flame_block_head, head_crc));
	memcpy(w->stored, &head, sizeof(head));
	w->have = 0;
	w->blocks++;
	return write_all(w, w->stored, sizeof(head) + n);
}

bool flame_writer_flush(struct flame_writer *w)
{
	return w->have ? write_block(w, 0) : !w->failed;
}

bool flame_writer_end(struct flame_writer *w)
{
	return write_block(w, FLAME_BLOCK_LAST);
}

/* Room for a record of @size bytes in the block. */
static char *reserve(struct flame_writer *w, size_t size)
{
	char *at;

	if (w->have && w->have + size > BLOCK_TARGET && !flame_writer_flush(w))
		return NULL;
	if (w->failed || size > FLAME_REC_SIZE_MAX)
		return NULL;
	at = w->raw + w->have;
	w->have += size;
	return at;
}

bool flame_writer_add(struct flame_writer *w, const struct flame_rec *rec)
{
	char *at = reserve(w, rec->size);

	if (!at)
		return false;
	memcpy(at, rec, rec->size);
	return true;
}

bool flame_writer_add_bytes(struct flame_writer *w, struct flame_rec *rec, size_t fixed,
			    const void *bytes, size_t len)
{
	size_t size = (fixed + len + 7) & ~(size_t)7;
	char *at;

	rec->size = (uint32_t)size;
	at = reserve(w, size);
	if (!at)
		return false;
	memset(at, 0, size);
	memcpy(at, rec, fixed);
	memcpy(at + fixed, bytes, len);
	return true;
}

bool flame_writer_add_text(struct flame_writer *w, uint16_t type, uint64_t time,
			   const char *text, size_t len)
{
	const size_t fixed = offsetof(struct flame_rec_text, text);
	const size_t max = FLAME_REC_SIZE_MAX - fixed - 8;

	while (len) {
		struct flame_rec_text rec = { .hdr.type = type, .time = time };
		size_t n = len;

		if (n > max) {
			const char *end = memrchr(text, '\n', max);

			n = end ? (size_t)(end - text) + 1 : max;
		}
		rec.len = (uint32_t)n;
		if (!flame_writer_add_bytes(w, &rec.hdr, fixed, text, n))
			return false;
		text += n;
		len -= n;
	}
	return !w->failed;
}

bool flame_writer_add_symbols(struct flame_writer *w, const struct records *r)
{
	const size_t fixed = offsetof(struct flame_rec_symbol, name);
	uint32_t nr = records_nr_places(r);

	for (uint32_t i = 0; i < nr; i++) {
		const struct record_place *place = records_place(r, i);
		struct flame_rec_symbol rec = { .hdr.type = FLAME_REC_SYMBOL };
		size_t len;

		if (!place->name)
			continue;
		len = strnlen(place->name, FLAME_REC_SIZE_MAX - fixed - 8);
		rec.object = place->object;
		rec.offset = place->offset;
		rec.start = place->start;
		rec.name_len = (uint32_t)len;
		if (!flame_writer_add_bytes(w, &rec.hdr, fixed, place->name, len))
			return false;
	}
	return !w->failed;
}

uint64_t flame_writer_size(const struct flame_writer *w)
{
	return w->size;
}
