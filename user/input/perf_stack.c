// SPDX-License-Identifier: GPL-2.0-only
/*
 * The frames of one `perf script` sample. The naming rules are those of
 * stackcollapse-perf.pl, with the differences that docs/formats.md lists.
 */
#include <stdlib.h>
#include <string.h>
#include "input/lines.h"
#include "input/perf_inline.h"
#include "input/perf_line.h"
#include "input/perf_stack.h"
#include "util/mem.h"

#define KNOWN_SLOTS	32768u		/* a power of two */
#define KNOWN_MAX	(KNOWN_SLOTS / 2)
#define KNOWN_TEXT_MAX	(4u << 20)
#define RECENT_SLOTS	65536u		/* a power of two */

/* A line behind its pc, and the frames it stands for: several if functions are inlined. */
struct known {
	uint64_t hash;
	uint32_t text, len;
	uint32_t first, nr;	/* in pool; leaf first */
};

struct recent {
	uint64_t hash;
	uint32_t stack;
};

struct perf_stack {
	struct profile *p;
	const struct input_options *options;
	struct perf_inline *inlines;	/* NULL: not asked for */
	bool java, cut;

	uint32_t *frames;	/* of the sample, leaf first */
	size_t nr, cap;
	uint64_t hash;		/* of them */

	struct known *known;
	size_t nr_known;
	char *text;
	size_t text_len, text_cap;
	uint32_t *pool;
	size_t nr_pool, cap_pool;

	struct recent *recent;
	char *scratch;		/* a name being tidied */
	size_t cap_scratch;
};

struct perf_stack *perf_stack_new(struct profile *p, const struct input_options *options)
{
	struct perf_stack *s = xcalloc(1, sizeof(*s));

	s->p = p;
	s->options = options;
	s->known = xcalloc(KNOWN_SLOTS, sizeof(*s->known));
	s->recent = xcalloc(RECENT_SLOTS, sizeof(*s->recent));
	if (options->inlines)
		s->inlines = perf_inline_new(options->context);
	return s;
}

void perf_stack_free(struct perf_stack *s)
{
	if (!s)
		return;
	perf_inline_free(s->inlines);
	free(s->frames);
	free(s->known);
	free(s->text);
	free(s->pool);
	free(s->recent);
	free(s->scratch);
	free(s);
}

void perf_stack_begin(struct perf_stack *s, bool java)
{
	s->java = java;
	s->cut = false;
	s->nr = 0;
	s->hash = 0;
}

static inline uint64_t mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)(a ^ 0x9e3779b97f4a7c15ull) *
				    (b ^ 0xe7037ed1a0b428dbull);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t word(const char *s)
{
	uint64_t w;

	memcpy(&w, s, sizeof(w));
	return w;
}

/* Of a line of at least 16 bytes without reading behind it; @seed tells ways to read it. */
static inline uint64_t hash_line(const char *s, size_t len, uint64_t seed)
{
	uint64_t h = mix(len, seed);

	if (len < 16)
		return mix(h, hash_bytes(s, len));
	for (size_t i = 0; i + 16 < len; i += 16)
		h = mix(word(s + i) ^ h, word(s + i + 8));
	return mix(word(s + len - 16) ^ h, word(s + len - 8));
}

/* memcmp() for lines, which are short: the call would cost more than the comparing. */
static inline bool same_line(const char *a, const char *b, size_t len)
{
	uint64_t different = 0;
	size_t i;

	if (len < 8)
		return !memcmp(a, b, len);
	for (i = 0; i + 8 < len; i += 8)
		different |= word(a + i) ^ word(b + i);
	return !(different | (word(a + len - 8) ^ word(b + len - 8)));
}

static void push_frame(struct perf_stack *s, uint32_t frame)
{
	if (s->cut)
		return;
	s->frames = array_grow(s->frames, &s->cap, s->nr + 1, sizeof(*s->frames));
	s->frames[s->nr++] = frame;
	s->hash = mix(s->hash, frame);
}

static bool is_skip_after(const struct perf_stack *s, const char *name, size_t len)
{
	for (size_t i = 0; i < s->options->nr_skip_after; i++)
		if (strlen(s->options->skip_after[i]) == len &&
		    !memcmp(s->options->skip_after[i], name, len))
			return true;
	return false;
}

static enum frame_kind kind_of(const struct perf_stack *s, struct text dso)
{
	if (dso.len == 7 && !memcmp(dso.s, "inlined", 7))
		return s->options->inlined_plain ? FRAME_USER : FRAME_INLINED;
	switch (perf_dso_kind(dso)) {
	case PERF_DSO_KERNEL:
		return FRAME_KERNEL;
	case PERF_DSO_JIT:
		return FRAME_JIT;
	default:
		return FRAME_USER;
	}
}

/* An unnamed place goes by its object's name: [libfoo.so], with its pc if asked for. */
static size_t name_unknown(struct perf_stack *s, const struct perf_frame *f)
{
	const char *name = "unknown", *slash;
	size_t len = 7, n = 0;

	if (f->dso.len && !(f->dso.len == 9 && !memcmp(f->dso.s, "[unknown]", 9))) {
		slash = memrchr(f->dso.s, '/', f->dso.len);
		name = slash ? slash + 1 : f->dso.s;
		len = f->dso.len - (size_t)(name - f->dso.s);
	}
	s->scratch = array_grow(s->scratch, &s->cap_scratch, len + f->pc.len + 5, 1);
	s->scratch[n++] = '[';
	memcpy(s->scratch + n, name, len);
	n += len;
	if (s->options->addrs && f->pc.len) {
		memcpy(s->scratch + n, " <", 2);
		memcpy(s->scratch + n + 2, f->pc.s, f->pc.len);
		n += f->pc.len + 2;
		s->scratch[n++] = '>';
	}
	s->scratch[n++] = ']';
	return n;
}

/* A function's name without parameters, quotes and the L of a Java class. */
static size_t tidy_name(struct perf_stack *s, const char *name, size_t len)
{
	size_t n = 0;

	s->scratch = array_grow(s->scratch, &s->cap_scratch, len + 1, 1);
	len = perf_name_length(name, len);
	if (s->java && len && name[0] == 'L' && memchr(name, '/', len)) {
		name++;
		len--;
	}
	for (size_t i = 0; i < len; i++)
		if (name[i] != '"' && name[i] != '\'')
			s->scratch[n++] = name[i] == ';' ? ':' : name[i];
	return n;
}

static uint32_t intern(struct perf_stack *s, const struct perf_frame *f, const char *name,
		       size_t len, enum frame_kind kind)
{
	struct profile_frame frame = { .offset = PROFILE_NO_OFFSET, .kind = kind };
	bool known = f->dso.len && f->dso.s[0] != '[' && memchr(f->dso.s, '/', f->dso.len);

	frame.name = profile_name(s->p, name, len);
	if (known)
		frame.object = profile_string(s->p, f->dso.s, f->dso.len);
	return profile_frame(s->p, &frame);
}

static void keep(struct perf_stack *s, uint32_t frame)
{
	s->pool = array_grow(s->pool, &s->cap_pool, s->nr_pool + 1, sizeof(*s->pool));
	s->pool[s->nr_pool++] = frame;
}

static void keep_piece(struct perf_stack *s, const struct perf_frame *f, const char *name,
		       size_t len, bool inlined)
{
	bool unknown = len == 9 && !memcmp(name, "[unknown]", 9);
	size_t n = unknown ? name_unknown(s, f) : tidy_name(s, name, len);

	keep(s, intern(s, f, s->scratch, n, inlined ? FRAME_INLINED : kind_of(s, f->dso)));
}

/* Java's a->b->c means that c is inlined into b, and that into a. C++ has other arrows. */
static bool has_inlined(const struct perf_frame *f)
{
	const struct text *name = &f->symbol;

	if (!memmem(name->s, name->len, "->", 2))
		return false;
	return perf_dso_kind(f->dso) == PERF_DSO_JIT ||
	       !(memchr(name->s, '<', name->len) || memchr(name->s, '(', name->len) ||
		 memchr(name->s, ' ', name->len) || memmem(name->s, name->len, "operator", 8));
}

static void keep_frames(struct perf_stack *s, const struct perf_frame *f)
{
	const char *name = f->symbol.s;
	size_t len = f->symbol.len;

	while (has_inlined(f)) {
		size_t at = len;

		while (at > 1 && !(name[at - 2] == '-' && name[at - 1] == '>'))
			at--;
		if (at <= 1)
			break;
		if (at < len)
			keep_piece(s, f, name + at, len - at, true);
		len = at - 2;
	}
	keep_piece(s, f, name, len, false);
}

/* The functions that the object's DWARF has at the place. */
static bool keep_inlined(struct perf_stack *s, const struct perf_frame *f)
{
	struct text name;
	bool outer;

	if (!perf_inline_find(s->inlines, f))
		return false;
	for (size_t i = 0; perf_inline_name(s->inlines, i, &name, &outer); i++) {
		size_t n = s->options->context ? 0 : tidy_name(s, name.s, name.len);

		keep(s, intern(s, f, n ? s->scratch : name.s, n ? n : name.len,
			       outer ? kind_of(s, f->dso) : FRAME_INLINED));
	}
	return true;
}

/* perf prints the process's name in brackets on a line of its own in some modes. */
static bool is_process_name(const struct text *symbol)
{
	return symbol->s[0] == '(' && !starts_with(symbol->s, symbol->len, "(anonymous ");
}

static bool read_frame(struct perf_stack *s, const char *line, size_t len)
{
	struct perf_frame f;

	if (!perf_parse_frame(line, len, &f))
		return false;
	if (is_process_name(&f.symbol))
		return true;
	if (!s->inlines || !keep_inlined(s, &f))
		keep_frames(s, &f);
	return true;
}

static void forget_known(struct perf_stack *s)
{
	memset(s->known, 0, KNOWN_SLOTS * sizeof(*s->known));
	s->nr_known = 0;
	s->text_len = 0;
	s->nr_pool = 0;
}

static void push_known(struct perf_stack *s, const struct known *k)
{
	for (uint32_t i = 0; i < k->nr; i++) {
		uint32_t frame = s->pool[k->first + i];

		push_frame(s, frame);
		if (s->options->nr_skip_after) {
			const char *name = profile_text(s->p, profile_frame_at(s->p, frame)->name);

			s->cut |= is_skip_after(s, name, strlen(name));
		}
	}
}

/* What is remembered of a line does not hold its pc, unless that is part of the name. */
static bool pc_matters(const struct perf_stack *s, const char *rest, size_t len)
{
	return s->options->addrs && starts_with(rest, len, "[unknown]");
}

static size_t skip_pc(const char *s, size_t len)
{
	/* What perf prints an address with; a table, as this runs for every line. */
	static const bool hex[256] = {
		['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1, ['6'] = 1,
		['7'] = 1, ['8'] = 1, ['9'] = 1, ['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1,
		['e'] = 1, ['f'] = 1,
	};
	size_t at = 0, begin;

	while (at < len && is_blank(s[at]))
		at++;
	begin = at;
	while (at < len && hex[(unsigned char)s[at]])
		at++;
	if (at == begin || at == len || !is_blank(s[at]))
		return 0;
	while (at < len && is_blank(s[at]))
		at++;
	/* "add (/lib/x)" is not a pc alone: see perf_parse_frame(). */
	return at < len && s[at] != '(' ? at : 0;
}

enum perf_added perf_stack_line(struct perf_stack *s, const char *line, size_t len)
{
	size_t at = skip_pc(line, len);
	const char *rest;
	uint64_t hash;
	struct known *k;
	size_t i;

	if (at && pc_matters(s, line + at, len - at))
		at = 0;
	rest = line + at;
	len -= at;
	hash = hash_line(rest, len, (uint64_t)s->java << 1 | !at);
	if (s->nr >= PERF_DEPTH_MAX)
		return PERF_TOO_DEEP;
	for (i = hash & (KNOWN_SLOTS - 1); s->known[i].len; i = (i + 1) & (KNOWN_SLOTS - 1)) {
		k = &s->known[i];
		if (k->hash == hash && k->len == len && same_line(s->text + k->text, rest, len)) {
			push_known(s, k);
			return PERF_ADDED;
		}
	}
	if (s->nr_known >= KNOWN_MAX || s->text_len + len > KNOWN_TEXT_MAX) {
		forget_known(s);
		i = hash & (KNOWN_SLOTS - 1);
	}
	k = &s->known[i];
	k->first = (uint32_t)s->nr_pool;
	if (!len || !read_frame(s, line, at + len))
		return PERF_NO_FRAME;
	s->text = array_grow(s->text, &s->text_cap, s->text_len + len, 1);
	memcpy(s->text + s->text_len, rest, len);
	*k = (struct known){
		.hash = hash, .text = (uint32_t)s->text_len, .len = (uint32_t)len,
		.first = k->first, .nr = (uint32_t)(s->nr_pool - k->first),
	};
	s->text_len += len;
	s->nr_known++;
	push_known(s, k);
	return PERF_ADDED;
}

void perf_stack_srcline(struct perf_stack *s, const char *text, size_t len)
{
	struct profile_frame frame;
	const char *name;
	size_t n;

	if (!s->nr || s->cut)
		return;
	frame = *profile_frame_at(s->p, s->frames[s->nr - 1]);
	name = profile_text(s->p, frame.name);
	n = strlen(name);
	s->scratch = array_grow(s->scratch, &s->cap_scratch, n + len + 1, 1);
	memcpy(s->scratch, name, n);
	s->scratch[n++] = ':';
	memcpy(s->scratch + n, text, len);
	frame.name = profile_name(s->p, s->scratch, n + len);
	s->frames[s->nr - 1] = profile_frame(s->p, &frame);
	s->hash = mix(s->hash, s->frames[s->nr - 1]);
}

/* Whether @stack has just the frames of the sample, and @roots. */
static bool is_stack(const struct perf_stack *s, uint32_t stack, const uint32_t *roots)
{
	size_t nr_roots = 2;

	for (size_t i = 0; i < s->nr + nr_roots; i++) {
		uint32_t frame = i < s->nr ? s->frames[i] : roots[s->nr + nr_roots - 1 - i];

		if (i >= s->nr && frame == PERF_NO_ROOT)
			continue;
		if (stack == PROFILE_ROOT_STACK || profile_stack_frame(s->p, stack) != frame)
			return false;
		stack = profile_stack_parent(s->p, stack);
	}
	return stack == PROFILE_ROOT_STACK;
}

uint32_t perf_stack_end(struct perf_stack *s, const uint32_t roots[2])
{
	uint64_t hash = mix(mix(s->hash, roots[0]), roots[1]);
	struct recent *r = &s->recent[hash & (RECENT_SLOTS - 1)];
	uint32_t stack = PROFILE_ROOT_STACK;

	if (r->hash == hash && is_stack(s, r->stack, roots))
		return r->stack;
	for (size_t i = 0; i < 2; i++)
		if (roots[i] != PERF_NO_ROOT)
			stack = profile_push(s->p, stack, roots[i]);
	for (size_t i = s->nr; i-- > 0;)
		stack = profile_push(s->p, stack, s->frames[i]);
	*r = (struct recent){ .hash = hash, .stack = stack };
	return stack;
}
