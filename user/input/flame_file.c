// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the frame of a .flame file: header, blocks, checksums, decompression. It trusts
 * no field: every size is bounded before it is used. What records mean is not known here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include "input/flame_file.h"
#include "util/mem.h"
#include "util/msg.h"

enum state { STATE_HEAD, STATE_TEXT, STATE_BLOCK_HEAD, STATE_BLOCK, STATE_LAST, STATE_ZEROS };

struct flame_file_reader {
	const char *name;
	const struct flame_file_sink *sink;
	enum state state;
	unsigned long long offset;	/* of buf[0] in the file */
	char *buf;			/* what the state waits for */
	size_t have, need, cap;
	uint64_t blocks;
	struct flame_file_head head;
	struct flame_block_head block;
	char *raw;			/* a decompressed block; 8-byte aligned */
};

struct flame_file_reader *flame_file_reader_new(const char *name,
						const struct flame_file_sink *sink)
{
	struct flame_file_reader *r = xcalloc(1, sizeof(*r));

	r->name = name;
	r->sink = sink;
	r->need = sizeof(r->head);
	r->raw = xcalloc(1, FLAME_BLOCK_RAW_MAX);
	return r;
}

void flame_file_reader_free(struct flame_file_reader *r)
{
	if (!r)
		return;
	free(r->raw);
	free(r->buf);
	free(r);
}

static bool damaged(const struct flame_file_reader *r, const char *what)
{
	msg_error("%s: damaged at offset %llu: %s", r->name, r->offset, what);
	return false;
}

static uint32_t checksum(const void *bytes, size_t len)
{
	return (uint32_t)crc32(0, bytes, (uInt)len);
}

static void next_state(struct flame_file_reader *r, enum state state, size_t need)
{
	r->state = state;
	r->need = need;
}

static bool take_head(struct flame_file_reader *r)
{
	struct flame_file_head *h = &r->head;

	memcpy(h, r->buf, sizeof(*h));
	if (memcmp(h->magic, FLAME_FILE_MAGIC, sizeof(h->magic)))
		return damaged(r, "not the beginning of a .flame file");
	if (h->endian == __builtin_bswap32(FLAME_FILE_ENDIAN)) {
		msg_error("%s: written on a machine of the other byte order", r->name);
		return false;
	}
	if (h->head_crc != checksum(h, offsetof(struct flame_file_head, head_crc)))
		return damaged(r, "wrong checksum of the header");
	if (h->version != FLAME_FILE_VERSION || h->abi != FLAME_ABI_VERSION) {
		msg_error("%s: .flame format %u with ABI %u; this flame reads format %d with ABI %d: use the flame that wrote it",
			  r->name, h->version, h->abi, FLAME_FILE_VERSION, FLAME_ABI_VERSION);
		return false;
	}
	if (h->endian != FLAME_FILE_ENDIAN || h->text_len > FLAME_FILE_TEXT_MAX)
		return damaged(r, "impossible value in the header");
	next_state(r, STATE_TEXT, h->text_len);
	return true;
}

static bool take_text(struct flame_file_reader *r)
{
	if (r->head.text_crc != checksum(r->buf, r->head.text_len))
		return damaged(r, "wrong checksum of the header's text");
	if (r->sink->text)
		r->sink->text(r->sink->arg, r->buf, r->head.text_len);
	next_state(r, STATE_BLOCK_HEAD, sizeof(r->block));
	return true;
}

static bool all_zero(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i])
			return false;
	return true;
}

static bool take_block_head(struct flame_file_reader *r)
{
	struct flame_block_head *b = &r->block;

	memcpy(b, r->buf, sizeof(*b));
	/* After a crash of the machine the last blocks of a file can be zeros. */
	if (all_zero(r->buf, sizeof(*b))) {
		next_state(r, STATE_ZEROS, 1);
		return true;
	}
	if (b->magic != FLAME_BLOCK_MAGIC)
		return damaged(r, "no block begins here");
	if (b->head_crc != checksum(b, offsetof(struct flame_block_head, head_crc)))
		return damaged(r, "wrong checksum of a block's header");
	if (b->number != r->blocks)
		return damaged(r, "a block is missing or out of order");
	if (b->raw > FLAME_BLOCK_RAW_MAX || b->stored > FLAME_BLOCK_STORED_MAX ||
	    (b->flags & ~(FLAME_BLOCK_ZSTD | FLAME_BLOCK_LAST)) ||
	    (!(b->flags & FLAME_BLOCK_ZSTD) && b->raw != b->stored))
		return damaged(r, "impossible value in a block's header");
	next_state(r, STATE_BLOCK, b->stored);
	return true;
}

static bool take_record(struct flame_file_reader *r, struct flame_rec *rec, size_t at)
{
	const char *wrong = r->sink->record(r->sink->arg, rec);

	if (!wrong)
		return true;
	msg_error("%s: damaged at offset %llu: record of type %u (byte %zu of its block) %s",
		  r->name, r->offset, rec->type, at, wrong);
	return false;
}

static bool take_block(struct flame_file_reader *r)
{
	const struct flame_block_head *b = &r->block;
	size_t at = 0;

	if (b->crc != checksum(r->buf, b->stored))
		return damaged(r, "wrong checksum of a block");
	if (b->flags & FLAME_BLOCK_ZSTD) {
		size_t n = ZSTD_decompress(r->raw, b->raw, r->buf, b->stored);

		if (ZSTD_isError(n) || n != b->raw)
			return damaged(r, "a block does not decompress to its length");
	} else {
		memcpy(r->raw, r->buf, b->raw);
	}
	while (at < b->raw) {
		struct flame_rec *rec = (struct flame_rec *)(r->raw + at);

		if (b->raw - at < sizeof(*rec) || rec->size < sizeof(*rec) ||
		    rec->size > b->raw - at || rec->size > FLAME_REC_SIZE_MAX || rec->size % 8)
			return damaged(r, "a record in this block has an impossible size");
		if (!take_record(r, rec, at))
			return false;
		at += rec->size;
	}
	r->blocks++;
	if (b->flags & FLAME_BLOCK_LAST)
		next_state(r, STATE_LAST, 1);
	else
		next_state(r, STATE_BLOCK_HEAD, sizeof(r->block));
	return true;
}

static bool take(struct flame_file_reader *r)
{
	switch (r->state) {
	case STATE_HEAD:
		return take_head(r);
	case STATE_TEXT:
		return take_text(r);
	case STATE_BLOCK_HEAD:
		return take_block_head(r);
	case STATE_BLOCK:
		return take_block(r);
	case STATE_ZEROS:
		return r->buf[0] ? damaged(r, "no block begins here") : true;
	default:
		return damaged(r, "something follows the last block");
	}
}

bool flame_file_feed(struct flame_file_reader *r, const char *data, size_t len)
{
	for (;;) {
		size_t n = r->need - r->have;

		if (n > len)
			n = len;
		r->buf = array_grow(r->buf, &r->cap, r->have + n + 1, 1);
		memcpy(r->buf + r->have, data, n);
		r->have += n;
		data += n;
		len -= n;
		if (r->have < r->need)
			return true;
		n = r->have;
		r->have = 0;
		if (!take(r))
			return false;
		r->offset += n;
	}
}

unsigned long long flame_file_offset(const struct flame_file_reader *r)
{
	return r->offset + r->have;
}

enum flame_file_end flame_file_finish(struct flame_file_reader *r)
{
	if (r->state == STATE_LAST)
		return FLAME_FILE_WHOLE;
	if (r->state != STATE_HEAD && r->state != STATE_TEXT)
		return FLAME_FILE_CUT;
	msg_error("%s: ends at offset %llu inside its header", r->name, flame_file_offset(r));
	return FLAME_FILE_BAD;
}

void flame_file_warn_cut(const struct flame_file_reader *r)
{
	msg_warn("%s: ends without its last block at offset %llu (the recording was cut off); the %llu whole blocks before are used",
		 r->name, flame_file_offset(r), (unsigned long long)r->blocks);
}

bool flame_file_read_fd(int fd, const char *name, const char *head, size_t head_len,
			const struct flame_file_sink *sink)
{
	struct flame_file_reader *r = flame_file_reader_new(name, sink);
	char *buf = xcalloc(1, 65536);
	bool ok = flame_file_feed(r, head, head_len);
	ssize_t n;

	while (ok && (n = read(fd, buf, 65536)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			msg_error("%s: %s", name, strerror(errno));
		ok = n > 0 && flame_file_feed(r, buf, (size_t)n);
	}
	if (ok) {
		enum flame_file_end end = flame_file_finish(r);

		if (end == FLAME_FILE_CUT)
			flame_file_warn_cut(r);
		ok = end != FLAME_FILE_BAD;
	}
	free(buf);
	flame_file_reader_free(r);
	return ok;
}
