// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hashes instead of names. Objects are hashed by the last part of their path, so that
 * "/usr/lib/libc.so.6" and the frame "libc.so.6+0x1234" stay the same thing.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "profile/anonymize.h"
#include "profile/merge.h"
#include "util/mem.h"

#define HASH_BITS	48

struct siphash_key anonymize_key(const char *text)
{
	const struct siphash_key first = { 0, 0 }, second = { 1, 0 };
	size_t len = strlen(text);

	return (struct siphash_key){ siphash(&first, text, len), siphash(&second, text, len) };
}

/* "comm-0123456789ab" */
static char *hashed(const struct siphash_key *key, const char *prefix, const char *name, size_t len)
{
	return xasprintf("%s-%012" PRIx64, prefix, siphash(key, name, len) >> (64 - HASH_BITS));
}

static uint32_t hashed_comm(const struct siphash_key *key, struct profile *to, const char *name)
{
	char *text;
	uint32_t id;

	if (!*name)
		return PROFILE_NO_STRING;
	text = hashed(key, "comm", name, strlen(name));
	id = profile_string(to, text, strlen(text));
	free(text);
	return id;
}

/* Other numbers for ids; 0, the idle tasks', stays. */
static uint32_t hashed_id(const struct siphash_key *key, uint32_t id)
{
	return id ? (uint32_t)(siphash(key, &id, sizeof(id)) & 0x7ffffffe) + 1 : 0;
}

/* What stands in brackets and is no object. */
static bool is_mark(const char *name, size_t len)
{
	static const char *const marks[] = {
		"[unknown]", "[vdso]", "[vsyscall]", "[jit]", "[anon]", "[heap]", "[stack]",
		"[kernel.kallsyms]", "[kernel]", "[cpu ",
	};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (len >= strlen(marks[i]) && !memcmp(name, marks[i], strlen(marks[i])))
			return true;
	return false;
}

static char *hashed_object(const struct siphash_key *key, const char *path, size_t len)
{
	const char *slash = memrchr(path, '/', len);

	if (slash && slash + 1 < path + len) {
		len -= (size_t)(slash + 1 - path);
		path = slash + 1;
	}
	return hashed(key, "object", path, len);
}

/*
 * Bytes at @s that are an absolute path: 0 if none begins there. A blank belongs to it
 * when another '/' follows.
 */
static size_t path_length(const char *s)
{
	size_t len, slash = 0;

	if (s[0] != '/' || !s[1] || !(isalnum((unsigned char)s[1]) || strchr("._~-", s[1])))
		return 0;
	len = strcspn(s, "\t()[]<>\"',:");
	for (size_t i = 0; i < len; i++)
		if (s[i] == '/')
			slash = i;
	for (size_t i = slash; i < len; i++)
		if (s[i] == ' ')
			return i;
	return len;
}

/* Absolute paths inside a name, which stand at its start or behind a separator. */
static char *without_paths(const struct siphash_key *key, const char *name)
{
	char *out = xstrdup("");

	for (const char *s = name; *s;) {
		bool begins = s == name || strchr(" \t()[]<>\"',:@=", s[-1]);
		size_t path = begins ? path_length(s) : 0;
		char *piece = path ? hashed_object(key, s, path) : NULL, *longer;

		longer = xasprintf("%s%.*s", out, piece ? (int)strlen(piece) : 1, piece ? piece : s);
		free(out);
		free(piece);
		out = longer;
		s += path ? path : 1;
	}
	return out;
}

/* "OBJECT+0xOFFSET", "[OBJECT]", "[OBJECT]+0xSTART", or a name that may hold paths. */
static char *hashed_name(const struct siphash_key *key, const char *name)
{
	const char *plus = strrchr(name, '+');
	size_t len = strlen(name), token;
	char *object, *text;
	bool brackets;

	if (plus && (plus == name || strncmp(plus, "+0x", 3) ||
		     strspn(plus + 3, "0123456789abcdef") != strlen(plus + 3)))
		plus = NULL;
	token = plus ? (size_t)(plus - name) : len;
	brackets = token > 2 && name[0] == '[' && name[token - 1] == ']';
	if (brackets && is_mark(name, token))
		return xstrdup(name);
	if (!brackets && !plus)
		return strchr(name, '/') ? without_paths(key, name) : xstrdup(name);
	object = hashed_object(key, name + brackets, token - 2 * (size_t)brackets);
	text = xasprintf("%s%s%s%s", brackets ? "[" : "", object, brackets ? "]" : "",
			 plus ? plus : "");
	free(object);
	return text;
}

static struct profile_frame change(void *arg, struct profile *to, const struct profile *from,
				   struct profile_frame frame)
{
	const struct siphash_key *key = arg;
	const char *name = profile_text(from, frame.name);
	const char *object = profile_text(from, frame.object);
	char *text;

	if (frame.kind == FRAME_COMM) {
		frame.name = hashed_comm(key, to, name);
	} else if (frame.kind == FRAME_SPECIAL || frame.kind == FRAME_KERNEL) {
		frame.name = profile_string(to, name, strlen(name));
	} else {
		text = hashed_name(key, name);
		frame.name = profile_string(to, text, strlen(text));
		free(text);
	}
	frame.object = PROFILE_NO_STRING;
	if (*object) {
		text = is_mark(object, strlen(object)) ? xstrdup(object) :
		       hashed_object(key, object, strlen(object));
		frame.object = profile_string(to, text, strlen(text));
		free(text);
	}
	return frame;
}

struct profile *profile_anonymize(const struct profile *p, const struct siphash_key *key)
{
	struct profile *to = profile_new();
	struct siphash_key copy = *key;
	struct stack_map *m = stack_map_new(to, p, change, &copy);
	uint32_t nr = profile_nr_stacks(p), nr_events = profile_nr_events(p);
	bool samples = profile_nr_samples(p) > 0;

	*profile_meta(to) = *profile_meta((struct profile *)p);
	profile_meta(to)->host[0] = '\0';
	/* A fresh profile numbers events as this one does. */
	for (uint32_t e = 0; e < nr_events; e++)
		profile_event(to, profile_event_name(p, e), profile_event_unit(p, e));
	for (uint32_t e = 0; e < nr_events && !samples; e++)
		for (uint32_t s = 0; s < nr; s++)
			if (profile_self(p, s, e))
				profile_add(to, stack_map_get(m, s), e, profile_self(p, s, e));
	if (samples)
		profile_keep_samples(to);
	for (size_t i = 0; i < profile_nr_samples(p); i++) {
		struct profile_sample s = *profile_sample_at(p, i);

		s.stack = stack_map_get(m, s.stack);
		s.comm = hashed_comm(key, to, profile_text(p, s.comm));
		s.pid = hashed_id(key, s.pid);
		s.tid = hashed_id(key, s.tid);
		profile_add_sample(to, &s);
	}
	stack_map_free(m);
	return to;
}
