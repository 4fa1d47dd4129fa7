// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a profile: opens, decompresses, recognises the format by content and feeds
 * it. Knows no format itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "input/decompress.h"
#include "input/input.h"
#include "input/perf_data.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/progress.h"

#define DEFAULT_INPUT	"prof.flame"
#define STDIN_NAME	"(stdin)"

/* From raw bytes to a format: the head is kept back until the format is known. */
struct reader {
	struct input in;
	struct decompress *decompress;
	char *head;
	size_t head_len;
};

static bool feed_format(struct reader *r, const char *data, size_t len)
{
	if (!r->in.format->feed(&r->in, data, len))
		return false;
	r->in.offset += len;
	return true;
}

static bool begin_format(struct reader *r, bool whole)
{
	struct profile_meta *meta = profile_meta(r->in.profile);

	if (!r->head_len) {
		msg_error("%s: empty (0 bytes)", r->in.name);
		return false;
	}
	if (r->in.options->from)
		r->in.format = input_by_name(r->in.options->from);
	else
		r->in.format = input_recognise(r->head, r->head_len, whole);
	if (!r->in.format && perf_data_is(r->head, r->head_len)) {
		msg_error("%s: perf.data: give it as a file, or what perf script prints of it",
			  r->in.name);
		return false;
	}
	if (!r->in.format) {
		msg_error("%s: offset 0: not the beginning of a profile of a known format (%s)",
			  r->in.name, input_format_names());
		return false;
	}
	strncpy(meta->format, r->in.format->name, sizeof(meta->format) - 1);
	return r->in.format->begin(&r->in) && feed_format(r, r->head, r->head_len);
}

static bool take_plain(void *arg, const char *data, size_t len)
{
	struct reader *r = arg;
	size_t n;

	if (r->in.format)
		return feed_format(r, data, len);
	n = INPUT_PROBE_SIZE - r->head_len;
	if (n > len)
		n = len;
	memcpy(r->head + r->head_len, data, n);
	r->head_len += n;
	if (r->head_len < INPUT_PROBE_SIZE)
		return true;
	return begin_format(r, false) && (n == len || feed_format(r, data + n, len - n));
}

static void reader_begin(struct reader *r, const char *name, const struct input_options *options)
{
	*r = (struct reader){
		.in = { .name = name, .options = options, .profile = profile_new() },
		.head = xcalloc(1, INPUT_PROBE_SIZE),
	};
}

static bool reader_feed(struct reader *r, const char *data, size_t len)
{
	if (!r->decompress)
		r->decompress = decompress_new(data, len, take_plain, r);
	if (decompress_feed(r->decompress, data, len))
		return true;
	if (decompress_error(r->decompress))
		msg_error("%s: %s", r->in.name, decompress_error(r->decompress));
	return false;
}

static bool reader_finish(struct reader *r)
{
	if (r->decompress && !decompress_finish(r->decompress)) {
		if (decompress_error(r->decompress))
			msg_error("%s: %s", r->in.name, decompress_error(r->decompress));
		return false;
	}
	return (r->in.format || begin_format(r, true)) && r->in.format->finish(&r->in);
}

/* The profile if @ok, else NULL. */
static struct profile *reader_end(struct reader *r, bool ok)
{
	struct profile *p = r->in.profile;

	if (r->in.format)
		r->in.format->end(&r->in);
	decompress_free(r->decompress);
	free(r->head);
	if (ok)
		return p;
	profile_free(p);
	return NULL;
}

static bool read_all(struct reader *r, int fd, const char *head, size_t head_len)
{
	char *buf = xcalloc(1, INPUT_PROBE_SIZE);
	size_t have = head_len;
	struct progress progress;
	uint64_t done = 0;
	struct stat st;
	bool ok = true;

	progress_begin(&progress, r->in.name,
		       !fstat(fd, &st) && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0);
	if (head_len)
		memcpy(buf, head, head_len);
	/* The first piece must be long enough to tell the compression. */
	for (;;) {
		ssize_t n = read(fd, buf + have, INPUT_PROBE_SIZE - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			msg_error("%s: %s", r->in.name, strerror(errno));
			ok = false;
			break;
		}
		have += (size_t)n;
		if (n && have < 16)
			continue;
		if (have && !reader_feed(r, buf, have)) {
			ok = false;
			break;
		}
		done += have;
		progress_at(&progress, done);
		have = 0;
		if (!n)
			break;
	}
	progress_end(&progress);
	free(buf);
	return ok && reader_finish(r);
}

int input_open(const char **path)
{
	struct stat st;
	int fd;

	if (!*path && !fstat(STDIN_FILENO, &st) && (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode) ||
						    S_ISSOCK(st.st_mode)))
		*path = "-";
	if (!*path)
		*path = DEFAULT_INPUT;
	if (!strcmp(*path, "-")) {
		*path = STDIN_NAME;
		return dup(STDIN_FILENO);
	}
	fd = open(*path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		msg_error("%s: %s", *path, strerror(errno));
	return fd;
}

struct profile *input_read_fd(int fd, const char *name, const char *head, size_t head_len,
			      const struct input_options *options)
{
	struct reader r;

	reader_begin(&r, name, options);
	return reader_end(&r, read_all(&r, fd, head, head_len));
}

/* What perf script makes of @path. */
static struct profile *read_perf_data(const char *path, const struct input_options *options)
{
	struct input_options text = *options;
	struct profile *p;
	pid_t pid;
	int fd = perf_data_open(path, &pid);

	if (fd < 0)
		return NULL;
	text.from = input_perf.name;
	p = input_read_fd(fd, path, NULL, 0, &text);
	if (perf_data_close(fd, pid, path))
		return p;
	profile_free(p);
	return NULL;
}

struct profile *input_read(const char *path, const struct input_options *options)
{
	int fd = input_open(&path);
	struct profile *p;
	char head[8];

	if (fd < 0)
		return NULL;
	/* A pipe cannot be looked at twice: perf.data has to be a file. */
	if (!options->from && pread(fd, head, sizeof(head), 0) == sizeof(head) &&
	    perf_data_is(head, sizeof(head)) && strcmp(path, STDIN_NAME) != 0)
		p = read_perf_data(path, options);
	else
		p = input_read_fd(fd, path, NULL, 0, options);
	close(fd);
	return p;
}

struct profile *input_read_memory(const char *name, const char *data, size_t len,
				  const struct input_options *options)
{
	struct reader r;
	bool ok;

	reader_begin(&r, name, options);
	ok = (!len || reader_feed(&r, data, len)) && reader_finish(&r);
	return reader_end(&r, ok);
}
