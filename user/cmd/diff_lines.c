// SPDX-License-Identifier: GPL-2.0-only
/*
 * Difference of two files of plain folded text, line by line. Both are held in memory
 * and joined in order; files that `flame fold` wrote are in order already.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cmd/diff_lines.h"
#include "profile/diff.h"
#include "util/mem.h"
#include "util/text.h"

#define FILE_MAX_BYTES	(256u << 20)
#define OUT_BYTES	(256u << 10)

struct line {
	const char *text;
	uint32_t len;
	uint64_t count;
};

struct side {
	char *bytes;
	size_t size;
	struct line *lines;
	size_t nr, cap;
	uint64_t total;
};

struct diff_lines {
	struct side before, after;
};

static int compare(const struct line *a, const struct line *b)
{
	int d = memcmp(a->text, b->text, a->len < b->len ? a->len : b->len);

	return d ? d : (a->len > b->len) - (a->len < b->len);
}

static int compare_lines(const void *a, const void *b)
{
	return compare(a, b);
}

static bool read_whole(struct side *s, int fd, size_t size)
{
	s->bytes = xcalloc(size + 1, 1);
	while (s->size < size) {
		ssize_t n = read(fd, s->bytes + s->size, size - s->size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		s->size += (size_t)n;
	}
	return true;
}

static bool read_file(struct side *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool ok;

	if (fd < 0)
		return false;
	ok = !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
	     st.st_size <= FILE_MAX_BYTES && read_whole(s, fd, (size_t)st.st_size);
	close(fd);
	return ok;
}

/* Printable ASCII and newlines only: no name needs an escape. In blocks, for SIMD. */
static bool is_plain(const char *bytes, size_t len)
{
	enum { BLOCK = 64 };
	unsigned char odd = 0;
	size_t i = 0;

	for (; i + BLOCK <= len && !odd; i += BLOCK) {
		for (size_t k = 0; k < BLOCK; k++) {
			unsigned char c = (unsigned char)bytes[i + k];

			odd |= (unsigned char)((c < 0x20) & (c != '\n')) | (c > 0x7e);
		}
	}
	for (; i < len && !odd; i++) {
		unsigned char c = (unsigned char)bytes[i];

		odd = (c < 0x20 && c != '\n') || c > 0x7e;
	}
	return !odd;
}

/* STACK, one blank, a whole number; false for all that the reader has rules of its own for. */
static bool take_line(struct side *s, const char *text, size_t len)
{
	size_t at = len;
	uint64_t count;

	while (at && text[at - 1] != ' ')
		at--;
	if (at < 2 || text[0] == '#' || text[at - 2] == ' ' || text[at - 2] == ';' ||
	    !text_u64(text + at, len - at, UINT64_MAX - s->total, &count) || at - 1 > UINT32_MAX)
		return false;
	s->total += count;
	s->lines = array_grow(s->lines, &s->cap, s->nr + 1, sizeof(*s->lines));
	s->lines[s->nr++] = (struct line){ text, (uint32_t)at - 1, count };
	return true;
}

static bool take_lines(struct side *s)
{
	const char *at = s->bytes, *end = at + s->size;
	bool sorted = true;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		if (!stop)
			stop = end;
		if (!take_line(s, at, (size_t)(stop - at)))
			return false;
		if (sorted && s->nr > 1)
			sorted = compare(&s->lines[s->nr - 2], &s->lines[s->nr - 1]) <= 0;
		at = stop + 1;
	}
	if (!sorted)
		qsort(s->lines, s->nr, sizeof(*s->lines), compare_lines);
	return true;
}

static bool read_side(struct side *s, const char *path)
{
	return read_file(s, path) && is_plain(s->bytes, s->size) && take_lines(s);
}

struct diff_lines *diff_lines_read(const char *before, const char *after)
{
	struct diff_lines *d = xcalloc(1, sizeof(*d));

	if (read_side(&d->before, before) && read_side(&d->after, after))
		return d;
	diff_lines_free(d);
	return NULL;
}

static void free_side(struct side *s)
{
	free(s->bytes);
	free(s->lines);
}

void diff_lines_free(struct diff_lines *d)
{
	if (!d)
		return;
	free_side(&d->before);
	free_side(&d->after);
	free(d);
}

uint64_t diff_lines_before(const struct diff_lines *d)
{
	return d->before.total;
}

uint64_t diff_lines_after(const struct diff_lines *d)
{
	return d->after.total;
}

struct out {
	FILE *fp;
	char *bytes;
	size_t len;
};

static void put(struct out *o, const char *bytes, size_t len)
{
	if (o->len + len > OUT_BYTES) {
		fwrite(o->bytes, 1, o->len, o->fp);
		o->len = 0;
	}
	if (len > OUT_BYTES) {
		fwrite(bytes, 1, len, o->fp);
		return;
	}
	memcpy(o->bytes + o->len, bytes, len);
	o->len += len;
}

static void put_number(struct out *o, char before, uint64_t v)
{
	char text[24], *at = text + sizeof(text);

	do {
		*--at = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	*--at = before;
	put(o, at, (size_t)(text + sizeof(text) - at));
}

/* Adds up the lines at *@at that are equal to @line. */
static uint64_t take_equal(const struct side *s, size_t *at, const struct line *line)
{
	uint64_t sum = 0;

	for (; *at < s->nr && !compare(&s->lines[*at], line); ++*at)
		sum += s->lines[*at].count;
	return sum;
}

void diff_lines_write(FILE *fp, const struct diff_lines *d, bool normalize)
{
	const struct side *b = &d->before, *a = &d->after;
	struct out out = { .fp = fp, .bytes = xmalloc(OUT_BYTES) };

	for (size_t i = 0, k = 0; i < b->nr || k < a->nr;) {
		struct line line = k == a->nr || (i < b->nr &&
						  compare(&b->lines[i], &a->lines[k]) <= 0) ?
				   b->lines[i] : a->lines[k];
		uint64_t before = take_equal(b, &i, &line), after = take_equal(a, &k, &line);

		if (normalize)
			before = diff_scale(before, b->total, a->total);
		put(&out, line.text, line.len);
		put_number(&out, ' ', before);
		put_number(&out, ' ', after);
		put(&out, "\n", 1);
	}
	fwrite(out.bytes, 1, out.len, fp);
	free(out.bytes);
}
