// SPDX-License-Identifier: GPL-2.0-only
/*
 * Folded stacks: `root;...;leaf COUNT` lines (docs/format-folded.md). Lenient: CRLF,
 * tabs, trailing blanks, comments, a byte-order mark and UTF-16 are taken; a line that
 * is none is counted, and the first few are shown. Keeps one line in memory, never the
 * input.
 */
#include <stdlib.h>
#include <string.h>
#include "input/folded.h"
#include "input/input.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/text.h"

#define LINE_MAX_BYTES	(64u << 20)
#define BAD_SHOWN	3

enum encoding { ENCODING_UNKNOWN, ENCODING_UTF8, ENCODING_UTF16LE, ENCODING_UTF16BE };

/* A line that may be a stack with two counts, or one with a number in its last name. */
struct two_counts {
	uint32_t stack;			/* read the first way */
	uint32_t numbered;		/* the second */
	uint64_t before, count;
};

struct reader {
	char *line;			/* an unfinished line */
	size_t len, cap;
	char *previous;			/* the stack text of the line before */
	size_t previous_len, previous_cap;
	uint32_t *path;			/* its stacks: path[i] holds the first i + 1 frames */
	size_t *ends;			/* where in its text frame i ends */
	size_t depth, cap_path, cap_ends;
	uint64_t number;		/* of the line */
	uint64_t good, bad, rounded;
	bool two_columns;		/* so far every line can be read that way */
	struct two_counts *pairs;	/* those lines, until that is known */
	size_t nr_pairs, cap_pairs;
	enum encoding encoding;
	unsigned char odd[4];		/* UTF-16 units cut by a piece's end */
	size_t nr_odd;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* A count with a fraction is rounded to nearest: values are whole. */
static bool parse_count(const char *s, size_t len, uint64_t *count, bool *rounded)
{
	const char *dot = memchr(s, '.', len);
	size_t whole = dot ? (size_t)(dot - s) : len;

	*rounded = false;
	if (!text_u64(s, whole, UINT64_MAX, count))
		return false;
	for (size_t i = whole + 1; i < len; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		*rounded |= s[i] != '0';
	}
	if (whole + 1 < len && s[whole + 1] >= '5' && *count < UINT64_MAX)
		(*count)++;
	return true;
}

enum folded_line folded_parse(const char *s, size_t len, struct folded_parts *parts)
{
	size_t at;

	while (len && is_blank(s[len - 1]))
		len--;
	if (!len || (s[0] == '#' && (len == 1 || is_blank(s[1]))))
		return FOLDED_NOTHING;
	for (at = len; at && !is_blank(s[at - 1]); at--)
		;
	if (!at || !parse_count(s + at, len - at, &parts->count, &parts->rounded))
		return FOLDED_BAD;
	parts->count_at = at;
	while (at && is_blank(s[at - 1]))
		at--;
	/* "a; 5" ends in nothing, but "a;  5" in a frame whose name is a blank. */
	if (at && s[at - 1] == ';')
		at += parts->count_at - at > 1 ? 1 : -1;
	parts->stack_len = at;
	return at ? FOLDED_STACK : FOLDED_BAD;
}

static uint32_t intern_frame(struct profile *p, const char *s, size_t len, bool root)
{
	struct profile_frame frame = { .offset = PROFILE_NO_OFFSET };

	frame.kind = frame_kind_of(s, &len);
	if (root && frame.kind == FRAME_USER)
		frame.kind = FRAME_COMM;
	frame.name = profile_name(p, s, len);
	return profile_frame(p, &frame);
}

/* How many frames the new stack text has in common with the line before. */
static size_t common_frames(const struct reader *r, const char *s, size_t len)
{
	size_t max = len < r->previous_len ? len : r->previous_len, same = 0, lo = 0, hi;

	while (same < max && s[same] == r->previous[same])
		same++;
	/* Whole frames only: the last one counts if both texts end it there. */
	hi = r->depth;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (r->ends[mid] <= same)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo && r->ends[lo - 1] == same && same < len && s[same] != ';')
		lo--;
	return lo;
}

static uint32_t intern_stack(struct reader *r, struct profile *p, const char *s, size_t len)
{
	size_t depth = common_frames(r, s, len);
	size_t at = depth ? r->ends[depth - 1] + 1 : 0;

	while (at <= len) {
		const char *end = at < len ? memchr(s + at, ';', len - at) : NULL;
		size_t n = end ? (size_t)(end - s) - at : len - at;
		uint32_t parent = depth ? r->path[depth - 1] : PROFILE_ROOT_STACK;

		r->path = array_grow(r->path, &r->cap_path, depth + 1, sizeof(*r->path));
		r->ends = array_grow(r->ends, &r->cap_ends, depth + 1, sizeof(*r->ends));
		r->path[depth] = profile_push(p, parent, intern_frame(p, s + at, n, !depth));
		r->ends[depth] = at + n;
		depth++;
		at += n + 1;
	}
	r->depth = depth;
	r->previous = array_grow(r->previous, &r->previous_cap, len, 1);
	memcpy(r->previous, s, len);
	r->previous_len = len;
	return r->path[depth - 1];
}

static bool bad_line(struct input *in, const char *s, size_t len)
{
	struct reader *r = in->state;
	char shown[81 * 4];

	if (r->bad++ >= BAD_SHOWN)
		return true;
	text_escape(shown, s, len < 80 ? len : 80, 0);
	if (in->options->strict) {
		msg_error("%s:%llu: not of the form STACK COUNT (--strict): %s", in->name,
			  (unsigned long long)r->number, shown);
		return false;
	}
	msg_warn("%s:%llu: not of the form STACK COUNT, left out: %s", in->name,
		 (unsigned long long)r->number, shown);
	return true;
}

static bool add(struct input *in, uint32_t stack, uint32_t event, uint64_t value)
{
	struct profile_sample sample = { .value = value, .stack = stack, .event = event };
	struct reader *r = in->state;

	if (in->options->keep_samples ? profile_add_sample(in->profile, &sample) :
					profile_add(in->profile, stack, event, value))
		return true;
	msg_error("%s:%llu: the counts up to here add up to more than 2^64 - 1", in->name,
		  (unsigned long long)r->number);
	return false;
}

/* Keeps a line with two counts for resolve_pairs(); false if it has but one. */
static bool keep_pair(struct input *in, const char *s, const struct folded_parts *parts)
{
	struct reader *r = in->state;
	struct two_counts *pair;
	struct folded_parts first;
	size_t leaf;

	if (folded_parse(s, parts->stack_len, &first) != FOLDED_STACK)
		return false;
	r->pairs = array_grow(r->pairs, &r->cap_pairs, r->nr_pairs + 1, sizeof(*r->pairs));
	pair = &r->pairs[r->nr_pairs++];
	pair->stack = intern_stack(r, in->profile, s, first.stack_len);
	leaf = r->depth > 1 ? r->ends[r->depth - 2] + 1 : 0;
	pair->numbered = profile_push(in->profile, profile_stack_parent(in->profile, pair->stack),
				      intern_frame(in->profile, s + leaf, parts->stack_len - leaf,
						   r->depth == 1));
	pair->before = first.count;
	pair->count = parts->count;
	return true;
}

/* Adds what keep_pair() kept, read the one way or the other. */
static bool resolve_pairs(struct input *in, bool two_columns)
{
	struct reader *r = in->state;
	uint32_t before = 0;
	bool ok = true;

	if (two_columns)
		before = profile_event(in->profile, "before", "samples");
	for (size_t i = 0; ok && i < r->nr_pairs; i++) {
		const struct two_counts *pair = &r->pairs[i];

		ok = add(in, two_columns ? pair->stack : pair->numbered, 0, pair->count) &&
		     (!two_columns || add(in, pair->stack, before, pair->before));
	}
	r->two_columns = false;
	r->nr_pairs = 0;
	return ok;
}

static bool take_line(struct input *in, const char *s, size_t len)
{
	struct reader *r = in->state;
	struct folded_parts parts;

	r->number++;
	switch (folded_parse(s, len, &parts)) {
	case FOLDED_NOTHING:
		return true;
	case FOLDED_BAD:
		return bad_line(in, s, len);
	case FOLDED_STACK:
		break;
	}
	r->rounded += parts.rounded;
	r->good++;
	if (r->two_columns) {
		if (keep_pair(in, s, &parts))
			return true;
		if (!resolve_pairs(in, false))
			return false;
	}
	return add(in, intern_stack(r, in->profile, s, parts.stack_len), 0, parts.count);
}

static bool keep_part(struct input *in, const char *data, size_t len)
{
	struct reader *r = in->state;

	if (len > LINE_MAX_BYTES - r->len) {
		msg_error("%s:%llu: line longer than %u MiB: not folded stacks", in->name,
			  (unsigned long long)r->number + 1, LINE_MAX_BYTES >> 20);
		return false;
	}
	r->line = array_grow(r->line, &r->cap, r->len + len, 1);
	memcpy(r->line + r->len, data, len);
	r->len += len;
	return true;
}

static bool take_text(struct input *in, const char *data, size_t len)
{
	struct reader *r = in->state;

	while (len) {
		const char *end = memchr(data, '\n', len);
		size_t n = end ? (size_t)(end - data) : len;
		bool ok;

		if (!end)
			return keep_part(in, data, n);
		if (!r->len) {
			ok = take_line(in, data, n);
		} else {
			ok = keep_part(in, data, n) && take_line(in, r->line, r->len);
			r->len = 0;
		}
		if (!ok)
			return false;
		data += n + 1;
		len -= n + 1;
	}
	return true;
}

static size_t put_utf8(char *out, uint32_t cp)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

static uint32_t unit_at(const struct reader *r, size_t i)
{
	return r->encoding == ENCODING_UTF16LE ? r->odd[i] | (uint32_t)r->odd[i + 1] << 8 :
						 r->odd[i + 1] | (uint32_t)r->odd[i] << 8;
}

/* A lone surrogate becomes U+FFFD. */
static bool take_utf16(struct input *in, const char *data, size_t len)
{
	struct reader *r = in->state;
	char text[4];

	for (size_t i = 0; i < len; i++) {
		uint32_t unit, low = 0;

		r->odd[r->nr_odd++] = (unsigned char)data[i];
		if (r->nr_odd & 1)
			continue;
		unit = unit_at(r, 0);
		if (unit >= 0xd800 && unit < 0xdc00) {
			if (r->nr_odd < 4)
				continue;
			low = unit_at(r, 2);
			unit = low >= 0xdc00 && low < 0xe000 ?
			       0x10000 + ((unit & 0x3ff) << 10 | (low & 0x3ff)) : 0xfffd;
		} else if (unit >= 0xdc00 && unit < 0xe000) {
			unit = 0xfffd;
		}
		r->nr_odd = 0;
		if (!take_text(in, text, put_utf8(text, unit)))
			return false;
	}
	return true;
}

static size_t find_encoding(struct reader *r, const char *data, size_t len)
{
	r->encoding = ENCODING_UTF8;
	if (len >= 3 && !memcmp(data, "\xef\xbb\xbf", 3))
		return 3;
	if (len >= 2 && !memcmp(data, "\xff\xfe", 2))
		r->encoding = ENCODING_UTF16LE;
	else if (len >= 2 && !memcmp(data, "\xfe\xff", 2))
		r->encoding = ENCODING_UTF16BE;
	else
		return 0;
	return 2;
}

static int folded_probe(const char *head, size_t len, bool whole)
{
	unsigned int good = 0, bad = 0;

	if (len >= 2 && (!memcmp(head, "\xff\xfe", 2) || !memcmp(head, "\xfe\xff", 2)))
		return 20;
	if (len >= 3 && !memcmp(head, "\xef\xbb\xbf", 3)) {
		head += 3;
		len -= 3;
	}
	if (memchr(head, 0, len))
		return 0;
	while (len) {
		const char *end = memchr(head, '\n', len);
		size_t n = end ? (size_t)(end - head) : len;
		struct folded_parts parts;

		/* A line cut by the end of the head says little, unless it is all there is. */
		if (!end && !whole) {
			good += !good && !bad;
			break;
		}
		switch (folded_parse(head, n, &parts)) {
		case FOLDED_NOTHING:
			break;
		case FOLDED_STACK:
			good++;
			break;
		case FOLDED_BAD:
			bad++;
			break;
		}
		head += end ? n + 1 : n;
		len -= end ? n + 1 : n;
	}
	if (!good)
		return 0;
	return good >= bad ? 40 : 10;
}

static bool folded_begin(struct input *in)
{
	struct reader *r = xcalloc(1, sizeof(*r));

	r->two_columns = in->options->two_columns;
	in->state = r;
	profile_event(in->profile, "", "samples");
	if (in->options->keep_samples)
		profile_keep_samples(in->profile);
	return true;
}

static bool folded_feed(struct input *in, const char *data, size_t len)
{
	struct reader *r = in->state;
	size_t skip = 0;

	if (r->encoding == ENCODING_UNKNOWN)
		skip = find_encoding(r, data, len);
	if (r->encoding != ENCODING_UTF8)
		return take_utf16(in, data + skip, len - skip);
	return take_text(in, data + skip, len - skip);
}

static bool folded_finish(struct input *in)
{
	struct reader *r = in->state;

	if (r->len && !take_line(in, r->line, r->len))
		return false;
	if (r->two_columns && !resolve_pairs(in, true))
		return false;
	if (r->bad > BAD_SHOWN)
		msg_warn("%s: %llu lines in all are not of the form STACK COUNT", in->name,
			 (unsigned long long)r->bad);
	if (r->rounded)
		msg_warn("%s: %llu counts have a fraction and were rounded", in->name,
			 (unsigned long long)r->rounded);
	if (!r->good) {
		msg_error("%s: none of %llu lines is of the form STACK COUNT: nothing to read",
			  in->name, (unsigned long long)r->number);
		return false;
	}
	return true;
}

static void folded_end(struct input *in)
{
	struct reader *r = in->state;

	if (!r)
		return;
	free(r->pairs);
	free(r->line);
	free(r->previous);
	free(r->path);
	free(r->ends);
	free(r);
	in->state = NULL;
}

const struct input_format input_folded = {
	.name = "folded",
	.probe = folded_probe,
	.begin = folded_begin,
	.feed = folded_feed,
	.finish = folded_finish,
	.end = folded_end,
};
