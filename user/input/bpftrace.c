// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpftrace's maps keyed by stacks: `@name[`, the key's parts, `]: VALUE`. Stacks take a
 * line a frame; other parts (comm, pid) become root frames. A histogram counts as the
 * sum of its rows.
 */
#include <stdlib.h>
#include <string.h>
#include "input/frames.h"
#include "input/input.h"
#include "input/lines.h"
#include "input/perf_line.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/text.h"

#define WHAT		"a line of a bpftrace map"
#define PARTS_MAX	16
#define MAPS_MAX	64

/* A run of frames: one stack of the key, leaf first. */
struct part {
	size_t first, nr;
	bool kernel;
};

struct map {
	char *name;
	uint64_t entries;
};

enum where { OUTSIDE, IN_KEY, IN_VALUE };

struct bpftrace {
	struct lines lines;
	struct frames frames;		/* all stacks of the entry being read */
	struct frames keys;		/* its other parts */
	struct part part[PARTS_MAX];
	size_t nr_parts;
	bool part_ended;
	enum where where;
	size_t of_map;			/* of the entry being read */
	size_t chosen;			/* the first map with stacks; MAPS_MAX: none yet */
	uint64_t value;
	bool has_value;
	struct map map[MAPS_MAX];
	size_t nr_maps;
	uint64_t nr_stacks, nr_odd, nr_stackless;
};

static bool is_all(const struct input *in)
{
	return in->options->event && !strcmp(in->options->event, "all");
}

static size_t find_map(struct bpftrace *r, const char *name, size_t len)
{
	for (size_t i = 0; i < r->nr_maps; i++)
		if (strlen(r->map[i].name) == len && !memcmp(r->map[i].name, name, len))
			return i;
	/* A program has few; an input with ever new ones is none. */
	if (r->nr_maps == MAPS_MAX)
		return MAPS_MAX - 1;
	r->map[r->nr_maps] = (struct map){ .name = xstrndup(name, len) };
	return r->nr_maps++;
}

/* The first map that has stacks is read, or the one that is asked for. */
static bool is_wanted(const struct input *in, size_t map)
{
	const struct bpftrace *r = in->state;

	if (is_all(in))
		return true;
	return in->options->event ? !strcmp(r->map[map].name, in->options->event) :
				    map == r->chosen;
}

/* What only the kernel has at the root of a stack. */
static bool is_kernel_entry(const char *s, size_t len)
{
	static const char *const entries[] = {
		"entry_SYSCALL", "do_syscall_64", "ret_from_fork", "asm_", "el0", "secondary_startup",
		"start_secondary", "kthread+",
	};

	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (starts_with(s, len, entries[i]))
			return true;
	return false;
}

static bool add_frame(struct input *in, const char *s, size_t len)
{
	struct bpftrace *r = in->state;
	struct perf_frame perf;
	struct part *part;
	struct text object = { 0 };

	if (!r->nr_parts || r->part_ended) {
		if (r->nr_parts == PARTS_MAX)
			return false;
		r->part[r->nr_parts++] = (struct part){ .first = r->frames.nr };
		r->part_ended = false;
	}
	part = &r->part[r->nr_parts - 1];
	part->nr++;
	part->kernel |= is_kernel_entry(s, len);
	/* ustack(perf): with address and file. */
	if (len && s[len - 1] == ')' && perf_parse_frame(s, len, &perf) && perf.pc.s) {
		s = perf.symbol.s;
		len = perf.symbol.len;
		object = perf.dso;
	}
	if (!in->options->offsets)
		len = name_without_offset(s, len);
	return frames_add(&r->frames, s, len, FRAME_USER, object.s, object.len);
}

/* Parts of the key that are no stacks: `comm`, `123`, separated by ", ". */
static bool add_keys(struct bpftrace *r, const char *s, size_t len)
{
	while (len) {
		const char *comma = memmem(s, len, ", ", 2);
		size_t n = comma ? (size_t)(comma - s) : len, key = n;
		const char *text = trim(s, &key);

		if (key && text[key - 1] == ',')
			key--;
		if (key && !frames_add(&r->keys, text, key, FRAME_COMM, NULL, 0))
			return false;
		s += comma ? n + 2 : n;
		len -= comma ? n + 2 : n;
	}
	return true;
}

static uint32_t push_entry(struct input *in)
{
	struct bpftrace *r = in->state;
	uint32_t stack = PROFILE_ROOT_STACK;

	if (is_all(in)) {
		const char *name = r->map[r->of_map].name;
		size_t nr = r->keys.nr;

		frames_add(&r->keys, name, strlen(name), FRAME_SPECIAL, NULL, 0);
		stack = frames_push_root_first(&r->keys, stack, nr, r->keys.nr - nr);
		r->keys.nr = nr;
	}
	if (!in->options->no_comm)
		stack = frames_push_root_first(&r->keys, stack, 0, r->keys.nr);
	/* The kernel's half is innermost: known by its entry, else written first. */
	for (int kernel = 0; kernel < 2; kernel++)
		for (size_t i = r->nr_parts; i-- > 0;)
			if (r->part[i].kernel == kernel)
				stack = frames_push_leaf_first(&r->frames, stack, r->part[i].first,
							       r->part[i].nr);
	return stack;
}

static bool end_entry(struct input *in)
{
	struct bpftrace *r = in->state;
	bool whole = r->where == IN_VALUE, ok = true;

	if (whole && !r->nr_parts) {
		r->nr_stackless++;
	} else if (whole && !r->has_value) {
		r->nr_odd++;
	} else if (whole) {
		if (r->chosen == MAPS_MAX)
			r->chosen = r->of_map;
		r->map[r->of_map].entries++;
		if (is_wanted(in, r->of_map)) {
			r->nr_stacks++;
			ok = input_add(in, push_entry(in), 0, r->value, r->lines.number);
		}
	}
	r->frames.nr = r->keys.nr = r->nr_parts = 0;
	r->part_ended = r->has_value = false;
	r->where = OUTSIDE;
	return ok;
}

/* `VALUE`, or for stats() `count N, average N, total N`. */
static void take_value(struct bpftrace *r, const char *s, size_t len)
{
	const char *total;

	s = trim(s, &len);
	total = memmem(s, len, "total ", 6);
	if (total) {
		len -= (size_t)(total + 6 - s);
		s = total + 6;
	}
	r->has_value = text_u64(s, len, UINT64_MAX, &r->value);
	if (!r->has_value)
		r->value = 0;
	r->where = IN_VALUE;
}

/* One line of a histogram, `[64K, 128K)   12 |@@@ |`. */
static bool take_row(struct bpftrace *r, const char *s, size_t len)
{
	const char *close = memchr(s, ')', len), *bar = memrchr(s, '|', len);
	uint64_t value;
	size_t n;

	if (!close)
		close = memchr(s, ']', len);
	bar = close ? memchr(close, '|', (size_t)(s + len - close)) : bar;
	if (s[0] != '[' && s[0] != '(')
		return false;
	if (!close || !bar)
		return false;
	n = (size_t)(bar - close) - 1;
	close = trim(close + 1, &n);
	if (!text_u64(close, n, UINT64_MAX - r->value, &value))
		return false;
	r->value += value;
	r->has_value = true;
	return true;
}

/* Where the `]:` that ends the key stands in @s; NULL: not in this line. */
static const char *find_key_end(const char *s, size_t len)
{
	for (size_t i = len; i-- > 1;)
		if (s[i] == ':' && s[i - 1] == ']')
			return s + i - 1;
	return NULL;
}

static bool too_many(const struct input *in)
{
	const struct bpftrace *r = in->state;

	msg_error("%s:%llu: too many frames or key parts in one entry", in->name,
		  (unsigned long long)r->lines.number);
	return false;
}

/* A line inside `[ ... ]:`, or what of the first line stands behind the bracket. */
static bool take_key(struct input *in, const char *s, size_t len, bool frame)
{
	struct bpftrace *r = in->state;
	const char *end = find_key_end(s, len);
	size_t key = end && !(frame && is_blank(*s)) ? (size_t)(end - s) : len;
	const char *text = s;

	if (!frame || !is_blank(*s))
		frame = false;
	if (frame)
		end = NULL;
	text = trim(text, &key);
	if (frame && key) {
		if (!add_frame(in, text, key))
			return too_many(in);
		return true;
	}
	if (key) {
		r->part_ended = true;
		if (text[0] == ',') {
			text++;
			key--;
			text = trim(text, &key);
		}
		if (key && !add_keys(r, text, key))
			return too_many(in);
	}
	if (end)
		take_value(r, end + 2, (size_t)(s + len - end) - 2);
	return true;
}

static bool take_line(struct input *in, const char *s, size_t len)
{
	struct bpftrace *r = in->state;
	const char *open;
	size_t text_len = len;
	const char *text = trim(s, &text_len);

	if (r->where == IN_KEY && text_len && s[0] != '@')
		return take_key(in, s, len, true);
	if (!text_len)
		return r->where == IN_KEY || end_entry(in);
	if (r->where == IN_VALUE && take_row(r, text, text_len))
		return true;
	if (s[0] != '@') {
		if (starts_with(s, len, "Attach") || starts_with(s, len, "Tracing ") ||
		    starts_with(s, len, "Sampling "))
			return end_entry(in);
		return end_entry(in) && lines_bad(&r->lines, in, s, len, WHAT);
	}
	if (!end_entry(in))
		return false;
	open = memchr(s, '[', len);
	if (!open)
		return true;	/* a map without keys has no stack */
	r->of_map = find_map(r, s, (size_t)(open - s));
	r->where = IN_KEY;
	return take_key(in, open + 1, (size_t)(s + len - open) - 1, false);
}

struct probe {
	unsigned int opened, closed, frames;
};

static bool probe_line(void *arg, const char *s, size_t len)
{
	struct probe *p = arg;

	if (len && s[0] == '@' && memchr(s, '[', len)) {
		p->opened++;
		p->closed += find_key_end(s, len) != NULL;
	} else if (len && is_blank(s[0])) {
		p->frames += p->opened > 0;
	} else if (p->opened && find_key_end(s, len)) {
		p->closed++;
	}
	return p->closed < 64;
}

static int bpftrace_probe(const char *head, size_t len, bool whole)
{
	struct probe p = { 0 };

	if (memchr(head, '\0', len < 256 ? len : 256))
		return 0;
	lines_of_head(head, len, whole, probe_line, &p);
	if (p.opened && p.frames && (p.closed || !whole))
		return 85;
	return p.closed ? 45 : 0;
}

static bool bpftrace_begin(struct input *in)
{
	struct bpftrace *r = xcalloc(1, sizeof(*r));

	r->frames.p = r->keys.p = in->profile;
	r->chosen = MAPS_MAX;
	in->state = r;
	profile_event(in->profile, "", "samples");
	if (in->options->keep_samples)
		profile_keep_samples(in->profile);
	return true;
}

static bool bpftrace_feed(struct input *in, const char *data, size_t len)
{
	struct bpftrace *r = in->state;

	return lines_feed(&r->lines, in, take_line, data, len);
}

static void say_left_out(const struct input *in)
{
	const struct bpftrace *r = in->state;

	for (size_t i = 0; i < r->nr_maps; i++)
		if (r->map[i].entries && !is_wanted(in, i))
			msg_warn("%s: left out: %llu entries of map %s; --event NAME picks another, --event all keeps all apart",
				 in->name, (unsigned long long)r->map[i].entries, r->map[i].name);
	if (r->nr_stackless)
		msg_warn("%s: left out: %llu entries whose key has no stack", in->name,
			 (unsigned long long)r->nr_stackless);
	if (r->nr_odd)
		msg_warn("%s: left out: %llu stacks whose value is not a number", in->name,
			 (unsigned long long)r->nr_odd);
}

static bool bpftrace_finish(struct input *in)
{
	struct bpftrace *r = in->state;
	bool cut;

	if (!lines_finish(&r->lines, in, take_line))
		return false;
	cut = r->where == IN_KEY;
	if (!end_entry(in))
		return false;
	lines_sum(&r->lines, in, WHAT);
	say_left_out(in);
	if (cut)
		msg_warn("%s:%llu: ends within a stack: its value is missing, left out", in->name,
			 (unsigned long long)r->lines.number);
	if (r->nr_stacks && !(cut && in->options->strict))
		return true;
	if (!r->nr_stacks)
		msg_error("%s: no map with stacks in %llu lines: nothing to read", in->name,
			  (unsigned long long)r->lines.number);
	return false;
}

static void bpftrace_end(struct input *in)
{
	struct bpftrace *r = in->state;

	if (!r)
		return;
	for (size_t i = 0; i < r->nr_maps; i++)
		free(r->map[i].name);
	lines_free(&r->lines);
	frames_free(&r->frames);
	frames_free(&r->keys);
	free(r);
	in->state = NULL;
}

const struct input_format input_bpftrace = {
	.name = "bpftrace", .probe = bpftrace_probe, .begin = bpftrace_begin,
	.feed = bpftrace_feed, .finish = bpftrace_finish, .end = bpftrace_end,
};
