// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text in lines. Knows no format: what a line means is the taker's business.
 */
#include <stdlib.h>
#include <string.h>
#include "input/lines.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/text.h"

#define LINE_MAX_BYTES	(64u << 20)
#define BAD_SHOWN	3
#define SHOWN_BYTES	80

static bool keep_part(struct lines *l, const struct input *in, const char *data, size_t len)
{
	if (len > LINE_MAX_BYTES - l->len) {
		msg_error("%s:%llu: line longer than %u MiB: not text of format %s", in->name,
			  (unsigned long long)l->number + 1, LINE_MAX_BYTES >> 20,
			  in->format->name);
		return false;
	}
	l->part = array_grow(l->part, &l->cap, l->len + len, 1);
	memcpy(l->part + l->len, data, len);
	l->len += len;
	return true;
}

static inline bool take_line(struct lines *l, struct input *in, line_taker take, const char *s,
			     size_t len)
{
	l->number++;
	if (len && s[len - 1] == '\r')
		len--;
	return take(in, s, len);
}

bool lines_feed(struct lines *l, struct input *in, line_taker take, const char *data, size_t len)
{
	const char *stop = data + len;

	if (!l->begun && starts_with(data, len, "\xef\xbb\xbf"))
		data += 3;
	l->begun = true;
	while (data < stop) {
		const char *end = memchr(data, '\n', (size_t)(stop - data));
		bool ok;

		if (!end)
			return keep_part(l, in, data, (size_t)(stop - data));
		if (!l->len) {
			ok = take_line(l, in, take, data, (size_t)(end - data));
		} else {
			ok = keep_part(l, in, data, (size_t)(end - data)) &&
			     take_line(l, in, take, l->part, l->len);
			l->len = 0;
		}
		if (!ok)
			return false;
		data = end + 1;
	}
	return true;
}

bool lines_finish(struct lines *l, struct input *in, line_taker take)
{
	size_t len = l->len;

	l->len = 0;
	return !len || take_line(l, in, take, l->part, len);
}

bool lines_bad(struct lines *l, const struct input *in, const char *s, size_t len,
	       const char *what)
{
	char shown[text_escape_size(SHOWN_BYTES)];

	if (l->bad++ >= BAD_SHOWN)
		return true;
	text_escape(shown, s, len < SHOWN_BYTES ? len : SHOWN_BYTES, 0);
	if (in->options->strict) {
		msg_error("%s:%llu: not %s (--strict): %s", in->name,
			  (unsigned long long)l->number, what, shown);
		return false;
	}
	msg_warn("%s:%llu: not %s, left out: %s", in->name, (unsigned long long)l->number, what,
		 shown);
	return true;
}

void lines_sum(const struct lines *l, const struct input *in, const char *what)
{
	if (l->bad > BAD_SHOWN)
		msg_warn("%s: %llu lines in all are not %s and were left out", in->name,
			 (unsigned long long)l->bad, what);
}

void lines_free(struct lines *l)
{
	free(l->part);
	*l = (struct lines){ 0 };
}

void lines_of_head(const char *head, size_t len, bool whole,
		   bool (*visit)(void *arg, const char *s, size_t len), void *arg)
{
	const char *stop = head + len;

	if (starts_with(head, len, "\xef\xbb\xbf"))
		head += 3;
	while (head < stop) {
		const char *end = memchr(head, '\n', (size_t)(stop - head));
		size_t n;

		/* A line cut by the end of the head says nothing. */
		if (!end && !whole)
			return;
		n = (size_t)((end ? end : stop) - head);
		if (!visit(arg, head, n && head[n - 1] == '\r' ? n - 1 : n))
			return;
		head += (size_t)((end ? end : stop) - head) + 1;
	}
}
