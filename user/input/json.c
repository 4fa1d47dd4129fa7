// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON inputs: held, parsed by jansson, told apart by what the document holds. The order
 * of a document's members is free, so nothing can be read of it before its end.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "input/json.h"
#include "input/lines.h"
#include "util/mem.h"
#include "util/msg.h"

struct kind {
	const char *name;
	bool (*is)(const json_t *root);
	bool (*read)(struct json_reader *r, const json_t *root);
};

static const struct kind kinds[] = {
	{ "speedscope", json_is_speedscope, json_read_speedscope },
	{ "firefox", json_is_firefox, json_read_firefox },
	{ "cpuprofile", json_is_cpuprofile, json_read_cpuprofile },
	{ "chrome", json_is_chrome, json_read_chrome },
};

#define NR_KINDS	(sizeof(kinds) / sizeof(kinds[0]))

bool json_wrong(const struct json_reader *r, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	msg_error("%s: %s", r->in->name, text);
	return false;
}

double json_as_number(const json_t *value, double otherwise)
{
	const char *text = json_string_value(value);
	char *end;
	double number;

	if (json_is_number(value))
		return json_number_value(value);
	if (!text || !*text)
		return otherwise;
	number = strtod(text, &end);
	return *end || !isfinite(number) ? otherwise : number;
}

const char *json_as_text(const json_t *value, char *buf, size_t size)
{
	if (json_is_string(value))
		return json_string_value(value);
	buf[0] = '\0';
	if (json_is_integer(value))
		snprintf(buf, size, "%lld", (long long)json_integer_value(value));
	return buf;
}

bool json_as_weight(const struct json_reader *r, const json_t *value, double factor,
		    uint64_t *weight)
{
	double number;

	if (json_is_integer(value) && factor == 1 && json_integer_value(value) >= 0) {
		*weight = (uint64_t)json_integer_value(value);
		return true;
	}
	number = json_as_number(value, -1) * factor;
	if (number < 0)
		return json_wrong(r, "sample %llu: a weight that is negative or no number",
				  (unsigned long long)r->nr_samples + 1);
	if (number >= 18446744073709549568.0)
		return json_wrong(r, "sample %llu: a weight above 2^64 - 1",
				  (unsigned long long)r->nr_samples + 1);
	*weight = (uint64_t)(number + 0.5);
	return true;
}

long long json_as_index(const json_t *value, size_t nr)
{
	if (!json_is_integer(value) || json_integer_value(value) < 0 ||
	    (unsigned long long)json_integer_value(value) >= nr)
		return -1;
	return json_integer_value(value);
}

bool json_add_name(struct json_reader *r, const char *name, bool root, const char *object)
{
	if (!name || !*name)
		name = "[unknown]";
	if (frames_add_shown(&r->frames, name, strlen(name), root, FRAME_USER, object,
			     object ? strlen(object) : 0))
		return true;
	return json_wrong(r, "sample %llu: more than %d frames",
			  (unsigned long long)r->nr_samples + 1, FRAMES_MAX);
}

bool json_add_root_first(struct json_reader *r, uint32_t event, uint64_t value)
{
	uint32_t stack;

	if (!r->frames.nr)
		frames_add(&r->frames, "[no stack]", 10, FRAME_SPECIAL, NULL, 0);
	stack = frames_push_root_first(&r->frames, PROFILE_ROOT_STACK, 0, r->frames.nr);
	r->frames.nr = 0;
	r->nr_samples++;
	return input_add(r->in, stack, event, r->in->options->count ? 1 : value, 0);
}

static const struct kind *find_kind(const struct input *in, const json_t *root)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		if (in->options->from && !strcmp(in->options->from, kinds[i].name))
			return &kinds[i];
	for (size_t i = 0; i < NR_KINDS; i++)
		if (kinds[i].is(root))
			return &kinds[i];
	return NULL;
}

static bool read_document(struct json_reader *r, const json_t *root)
{
	const struct kind *kind = find_kind(r->in, root);
	struct profile_meta *meta = profile_meta(r->in->profile);

	if (!kind)
		return json_wrong(r, "JSON, but no profile of a known format (speedscope, Firefox, Chrome trace, .cpuprofile)");
	snprintf(meta->format, sizeof(meta->format), "%s", kind->name);
	if (!kind->read(r, root))
		return false;
	if (r->nr_samples)
		return true;
	return json_wrong(r, "%s profile without a sample: nothing to read", kind->name);
}

static bool json_finish(struct input *in)
{
	struct json_reader *r = in->state;
	size_t skip = starts_with(r->held.bytes, r->held.len, "\xef\xbb\xbf") ? 3 : 0;
	json_error_t error;
	json_t *root = json_loadb(r->held.bytes + skip, r->held.len - skip, 0, &error);
	bool ok;

	if (!root) {
		msg_error("%s:%d: offset %d: %s", in->name, error.line, error.position, error.text);
		return false;
	}
	held_free(&r->held);
	ok = read_document(r, root);
	json_decref(root);
	return ok;
}

static int json_probe(const char *head, size_t len, bool whole)
{
	(void)whole;
	if (starts_with(head, len, "\xef\xbb\xbf")) {
		head += 3;
		len -= 3;
	}
	while (len && (is_blank(*head) || *head == '\n' || *head == '\r')) {
		head++;
		len--;
	}
	if (!len || (*head != '{' && *head != '['))
		return 0;
	/* Folded text may begin with a bracket too: `[unknown];f 5`. */
	for (size_t i = 1; i < len; i++) {
		if (is_blank(head[i]) || head[i] == '\n' || head[i] == '\r')
			continue;
		return head[i] == '"' || (*head == '[' && head[i] == '{') ? 70 : 0;
	}
	return 0;
}

static int no_probe(const char *head, size_t len, bool whole)
{
	(void)head;
	(void)len;
	(void)whole;
	return 0;
}

static bool json_begin(struct input *in)
{
	struct json_reader *r = xcalloc(1, sizeof(*r));

	r->in = in;
	r->frames.p = in->profile;
	in->state = r;
	if (in->options->keep_samples)
		profile_keep_samples(in->profile);
	return true;
}

static bool json_feed(struct input *in, const char *data, size_t len)
{
	struct json_reader *r = in->state;

	return held_add(&r->held, in, data, len);
}

static void json_end(struct input *in)
{
	struct json_reader *r = in->state;

	if (!r)
		return;
	held_free(&r->held);
	frames_free(&r->frames);
	free(r);
	in->state = NULL;
}

#define JSON_FORMAT(id, called, prober)							\
const struct input_format id = {							\
	.name = called, .probe = prober, .begin = json_begin, .feed = json_feed,	\
	.finish = json_finish, .end = json_end,						\
}

/* The first recognises them all; the others are names for --from. */
JSON_FORMAT(input_json, "json", json_probe);
JSON_FORMAT(input_speedscope, "speedscope", no_probe);
JSON_FORMAT(input_firefox, "firefox", no_probe);
JSON_FORMAT(input_cpuprofile, "cpuprofile", no_probe);
JSON_FORMAT(input_chrome, "chrome", no_probe);
