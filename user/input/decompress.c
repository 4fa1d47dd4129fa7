// SPDX-License-Identifier: GPL-2.0-only
/*
 * Streaming decompression. Memory stays bounded whatever the input claims: output goes
 * to the sink in fixed pieces, and windows are limited.
 */
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include "input/decompress.h"
#include "util/mem.h"

#define PIECE		65536
#define XZ_MEMORY	(256ull << 20)

enum method { METHOD_NONE, METHOD_GZIP, METHOD_ZSTD, METHOD_XZ };

struct decompress {
	enum method method;
	decompress_sink sink;
	void *arg;
	const char *error;
	bool at_end;		/* between two members: the input may end here */
	z_stream gz;
	ZSTD_DStream *zstd;
	lzma_stream xz;
	char piece[PIECE];
};

static enum method method_of(const char *head, size_t len)
{
	if (len >= 2 && !memcmp(head, "\x1f\x8b", 2))
		return METHOD_GZIP;
	if (len >= 4 && !memcmp(head, "\x28\xb5\x2f\xfd", 4))
		return METHOD_ZSTD;
	if (len >= 6 && !memcmp(head, "\xfd" "7zXZ\0", 6))
		return METHOD_XZ;
	return METHOD_NONE;
}

struct decompress *decompress_new(const char *head, size_t len, decompress_sink sink, void *arg)
{
	struct decompress *d = xcalloc(1, sizeof(*d));

	d->method = method_of(head, len);
	d->sink = sink;
	d->arg = arg;
	switch (d->method) {
	case METHOD_NONE:
		d->at_end = true;
		break;
	case METHOD_GZIP:
		if (inflateInit2(&d->gz, 15 + 16) != Z_OK)
			d->error = "cannot start gzip decompression";
		break;
	case METHOD_ZSTD:
		d->zstd = ZSTD_createDStream();
		if (!d->zstd)
			d->error = "cannot start zstd decompression";
		break;
	case METHOD_XZ:
		if (lzma_stream_decoder(&d->xz, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
			d->error = "cannot start xz decompression";
		break;
	}
	return d;
}

void decompress_free(struct decompress *d)
{
	if (!d)
		return;
	if (d->method == METHOD_GZIP)
		inflateEnd(&d->gz);
	ZSTD_freeDStream(d->zstd);
	lzma_end(&d->xz);
	free(d);
}

static bool feed_gzip(struct decompress *d, const char *data, size_t len)
{
	d->gz.next_in = (Bytef *)data;
	d->gz.avail_in = (uInt)len;
	while (d->gz.avail_in) {
		int ret;

		if (d->at_end) {	/* another member follows */
			inflateReset(&d->gz);
			d->at_end = false;
		}
		do {
			d->gz.next_out = (Bytef *)d->piece;
			d->gz.avail_out = PIECE;
			ret = inflate(&d->gz, Z_NO_FLUSH);
			if (ret != Z_OK && ret != Z_STREAM_END && ret != Z_BUF_ERROR) {
				d->error = "damaged gzip data";
				return false;
			}
			if (d->gz.avail_out < PIECE &&
			    !d->sink(d->arg, d->piece, PIECE - d->gz.avail_out))
				return false;
		} while (ret == Z_OK && !d->gz.avail_out);
		d->at_end = ret == Z_STREAM_END;
	}
	return true;
}

static bool feed_zstd(struct decompress *d, const char *data, size_t len)
{
	ZSTD_inBuffer in = { data, len, 0 };
	ZSTD_outBuffer out;

	do {
		size_t ret;

		out = (ZSTD_outBuffer){ d->piece, PIECE, 0 };
		ret = ZSTD_decompressStream(d->zstd, &out, &in);
		if (ZSTD_isError(ret)) {
			d->error = "damaged zstd data";
			return false;
		}
		d->at_end = !ret;
		if (out.pos && !d->sink(d->arg, d->piece, out.pos))
			return false;
	} while (in.pos < in.size || out.pos == out.size);
	return true;
}

static bool run_xz(struct decompress *d, const char *data, size_t len, lzma_action action)
{
	d->xz.next_in = (const uint8_t *)data;
	d->xz.avail_in = len;
	do {
		lzma_ret ret;

		d->xz.next_out = (uint8_t *)d->piece;
		d->xz.avail_out = PIECE;
		ret = lzma_code(&d->xz, action);
		if (d->xz.avail_out < PIECE &&
		    !d->sink(d->arg, d->piece, PIECE - d->xz.avail_out))
			return false;
		if (ret == LZMA_STREAM_END) {
			d->at_end = true;
			return true;
		}
		if (ret != LZMA_OK && ret != LZMA_BUF_ERROR) {
			d->error = ret == LZMA_MEMLIMIT_ERROR ?
				   "xz data need too much memory" : "damaged xz data";
			return false;
		}
		if (ret == LZMA_BUF_ERROR)
			return true;
	} while (d->xz.avail_in || !d->xz.avail_out);
	return true;
}

bool decompress_feed(struct decompress *d, const char *data, size_t len)
{
	if (d->error)
		return false;
	switch (d->method) {
	case METHOD_GZIP:
		return feed_gzip(d, data, len);
	case METHOD_ZSTD:
		return feed_zstd(d, data, len);
	case METHOD_XZ:
		return run_xz(d, data, len, LZMA_RUN);
	default:
		return d->sink(d->arg, data, len);
	}
}

bool decompress_finish(struct decompress *d)
{
	if (d->method == METHOD_XZ && !run_xz(d, NULL, 0, LZMA_FINISH))
		return false;
	if (!d->at_end)
		d->error = "compressed data end too early";
	return d->at_end;
}

const char *decompress_error(const struct decompress *d)
{
	return d->error;
}
