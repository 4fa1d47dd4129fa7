// SPDX-License-Identifier: GPL-2.0-only
/*
 * Callgrind's output, also as xdebug and others write it. It holds calls, not stacks: each
 * function's own cost, and what each of its calls cost in all. Stacks are made by giving
 * a caller its share of what the callee did, as every tree of a call graph must be; where
 * a function comes back to itself it is not followed again.
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

#define WHAT		"a line of callgrind"
#define COLUMNS_MAX	32
#define DEPTH_MAX	256
#define STACKS_MAX	(1u << 20)

struct function {
	uint32_t frame;
	double self, total;
	double called;		/* what its callers say it cost */
	size_t first, nr;	/* its calls, when they are sorted */
	bool open;		/* in the path that is being followed */
};

struct call {
	uint32_t caller, callee;
	double cost;
};

struct callgrind {
	struct lines lines;
	struct frames frames;
	struct function *function;
	size_t nr_functions, cap_functions;
	uint32_t *named;		/* by string id of name or "(id)": function + 1 */
	size_t cap_named;
	struct call *call;
	size_t nr_calls, cap_calls;
	uint32_t current, callee;
	bool in_function, in_call;
	size_t positions;		/* columns before the costs */
	uint64_t cost[COLUMNS_MAX];	/* of the last line: others are relative to it */
	size_t column, nr_columns;	/* the event that is read, and how many there are */
	bool events;
	double carry;			/* of rounding */
	uint64_t nr_stacks;
};

/* `(1) name` defines a number, `(1)` is what it stands for, `name` itself. */
static uint32_t find_function(struct input *in, const char *s, size_t len)
{
	struct callgrind *r = in->state;
	const char *close = len && s[0] == '(' ? memchr(s, ')', len) : NULL;
	struct text id = { s, close ? (size_t)(close - s) + 1 : 0 }, name = { s + id.len, len - id.len };
	uint32_t by_id, by_name, *slot;

	name.s = trim(name.s, &name.len);
	by_id = id.len ? profile_string(in->profile, id.s, id.len) : PROFILE_NO_STRING;
	if (!name.len && !id.len)
		name = (struct text){ "[unknown]", 9 };
	by_name = name.len ? profile_string(in->profile, name.s, name.len) : by_id;
	if (by_name >= r->cap_named || by_id >= r->cap_named) {
		size_t old = r->cap_named;

		r->named = array_grow(r->named, &r->cap_named,
				      (by_name > by_id ? by_name : by_id) + 1ul, sizeof(*r->named));
		memset(r->named + old, 0, (r->cap_named - old) * sizeof(*r->named));
	}
	slot = &r->named[by_name];
	if (!*slot) {
		r->frames.nr = 0;
		frames_add(&r->frames, name.len ? name.s : id.s, name.len ? name.len : id.len,
			   FRAME_USER, NULL, 0);
		r->function = array_grow(r->function, &r->cap_functions, r->nr_functions + 1,
					 sizeof(*r->function));
		r->function[r->nr_functions++] = (struct function){ .frame = r->frames.frame[0] };
		*slot = (uint32_t)r->nr_functions;
	}
	if (by_id != PROFILE_NO_STRING)
		r->named[by_id] = *slot;
	return *slot - 1;
}

static struct text next_word(const char **s, size_t *len)
{
	struct text w;

	*s = trim(*s, len);
	w = (struct text){ *s, 0 };
	while (w.len < *len && !is_blank(w.s[w.len]))
		w.len++;
	*s += w.len;
	*len -= w.len;
	return w;
}

static bool take_events(struct input *in, const char *s, size_t len)
{
	struct callgrind *r = in->state;
	const char *wanted = in->options->event;
	struct text first = { 0 };
	char *name;

	if (r->events)
		return true;
	for (;;) {
		struct text w = next_word(&s, &len);
		bool is = wanted && w.len == strlen(wanted) && !memcmp(w.s, wanted, w.len);

		if (!w.len)
			break;
		if (is || !r->nr_columns) {
			r->column = r->nr_columns;
			first = w;
		}
		r->nr_columns++;
	}
	if (!first.s || r->nr_columns >= COLUMNS_MAX - 2)
		return false;
	name = xstrndup(first.s, first.len);
	profile_event(in->profile, name, name);
	free(name);
	r->events = true;
	return true;
}

/* `+3`, `-3` and `*` are relative to the line before, in any column. */
static bool take_number(uint64_t *last, const struct text *w)
{
	uint64_t value;

	if (w->len == 1 && w->s[0] == '*')
		return true;
	if (w->len > 1 && (w->s[0] == '+' || w->s[0] == '-')) {
		if (!text_u64(w->s + 1, w->len - 1, UINT64_MAX, &value))
			return false;
		if (w->s[0] == '+' ? value > UINT64_MAX - *last : value > *last)
			return false;
		*last = w->s[0] == '+' ? *last + value : *last - value;
		return true;
	}
	if (!text_u64(w->s, w->len, UINT64_MAX, &value))
		return false;
	*last = value;
	return true;
}

static bool take_cost(struct input *in, const char *s, size_t len)
{
	struct callgrind *r = in->state;
	double cost = 0;

	for (size_t i = 0;; i++) {
		struct text w = next_word(&s, &len);

		if (!w.len)
			break;
		if (i < r->positions)
			continue;
		if (i - r->positions >= r->nr_columns ||
		    !take_number(&r->cost[i - r->positions], &w))
			return false;
		if (i - r->positions == r->column)
			cost = (double)r->cost[r->column];
	}
	if (!r->in_call) {
		r->function[r->current].self += cost;
		return true;
	}
	r->in_call = false;
	r->call = array_grow(r->call, &r->cap_calls, r->nr_calls + 1, sizeof(*r->call));
	r->call[r->nr_calls++] = (struct call){ r->current, r->callee, cost };
	return true;
}

static bool is_position(char c)
{
	return (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '*';
}

/* `name=value` and `name: value`. False: unknown. */
static bool take_named(struct input *in, const char *s, size_t len)
{
	static const char *const ignored[] = {
		"fl=", "fi=", "fe=", "ob=", "cob=", "cfi=", "cfl=", "jump=", "jcnd=", "jfi=", "jfn=",
		"version:", "creator:", "pid:", "cmd:", "part:", "desc:", "event:", "summary:",
		"totals:", "thread:", "callgrind", "rec:", "frfn=",
	};
	struct callgrind *r = in->state;

	if (starts_with(s, len, "fn=")) {
		r->current = find_function(in, s + 3, len - 3);
		r->in_function = true;
		r->in_call = false;
		return true;
	}
	if (starts_with(s, len, "cfn=")) {
		r->callee = find_function(in, s + 4, len - 4);
		return true;
	}
	if (starts_with(s, len, "calls=")) {
		r->in_call = r->in_function;
		return r->in_function;
	}
	if (starts_with(s, len, "events:"))
		return take_events(in, s + 7, len - 7);
	if (starts_with(s, len, "positions:")) {
		r->positions = 1 + (memmem(s, len, "instr", 5) && memmem(s, len, "line", 4));
		return true;
	}
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		if (starts_with(s, len, ignored[i]))
			return true;
	return false;
}

static bool take_line(struct input *in, const char *s, size_t len)
{
	struct callgrind *r = in->state;
	const char *whole = s;
	size_t whole_len = len;

	s = trim(s, &len);
	if (!len || s[0] == '#')
		return true;
	if (is_position(s[0]) && r->in_function && r->events ? take_cost(in, s, len) :
							       take_named(in, s, len))
		return true;
	return lines_bad(&r->lines, in, whole, whole_len, WHAT);
}

static int compare_calls(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return (x->callee > y->callee) - (x->callee < y->callee);
}

/* All calls of one function by another are one. */
static void merge_calls(struct callgrind *r)
{
	size_t nr = 0;

	if (r->nr_calls)
		qsort(r->call, r->nr_calls, sizeof(*r->call), compare_calls);
	for (size_t i = 0; i < r->nr_calls; i++) {
		if (nr && !compare_calls(&r->call[nr - 1], &r->call[i]))
			r->call[nr - 1].cost += r->call[i].cost;
		else
			r->call[nr++] = r->call[i];
	}
	r->nr_calls = nr;
	for (size_t i = 0; i < r->nr_functions; i++)
		r->function[i].total = r->function[i].self;
	for (size_t i = 0; i < nr; i++) {
		struct function *caller = &r->function[r->call[i].caller];

		if (!caller->nr++)
			caller->first = i;
		caller->total += r->call[i].cost;
		if (r->call[i].caller != r->call[i].callee)
			r->function[r->call[i].callee].called += r->call[i].cost;
	}
}

/* Rounds so that the errors of many small shares do not add up. */
static bool add_share(struct input *in, uint32_t stack, double share)
{
	struct callgrind *r = in->state;
	uint64_t value;

	r->carry += share;
	value = r->carry > 0 && r->carry < 1e19 ? (uint64_t)(r->carry + 0.5) : 0;
	r->carry -= (double)value;
	if (!value)
		return true;
	r->nr_stacks++;
	return input_add(in, stack, 0, value, 0);
}

/* @share of what @f cost in all goes to it below @parent. */
static bool follow(struct input *in, uint32_t index, double share, uint32_t parent,
		   unsigned int depth)
{
	struct callgrind *r = in->state;
	struct function *f = &r->function[index];
	uint32_t stack = profile_push(in->profile, parent, f->frame);
	double ratio = f->total > 0 ? share / f->total : 0;
	bool ok = true;

	if (f->open || depth == DEPTH_MAX || profile_nr_stacks(in->profile) > STACKS_MAX)
		return add_share(in, stack, share);
	if (!add_share(in, stack, f->self * ratio))
		return false;
	f->open = true;
	for (size_t i = 0; ok && i < f->nr; i++) {
		const struct call *call = &r->call[f->first + i];

		if (call->cost * ratio < 0.5)
			ok = add_share(in, stack, call->cost * ratio);
		else
			ok = follow(in, call->callee, call->cost * ratio, stack, depth + 1);
	}
	f->open = false;
	return ok;
}

static bool callgrind_finish(struct input *in)
{
	struct callgrind *r = in->state;

	if (!lines_finish(&r->lines, in, take_line))
		return false;
	lines_sum(&r->lines, in, WHAT);
	merge_calls(r);
	for (size_t i = 0; i < r->nr_functions; i++) {
		double own = r->function[i].total - r->function[i].called;

		if (own >= 0.5 && !follow(in, (uint32_t)i, own, PROFILE_ROOT_STACK, 0))
			return false;
	}
	if (r->nr_columns > 1)
		msg_warn("%s: left out: %zu other events of the events: line; --event NAME picks another",
			 in->name, r->nr_columns - 1);
	if (r->nr_stacks)
		return true;
	msg_error("%s: no cost of any function in %llu lines: nothing to read", in->name,
		  (unsigned long long)r->lines.number);
	return false;
}

struct probe {
	bool events, functions, mark;
};

static bool probe_line(void *arg, const char *s, size_t len)
{
	struct probe *p = arg;

	p->mark |= starts_with(s, len, "# callgrind format");
	p->events |= starts_with(s, len, "events:");
	p->functions |= starts_with(s, len, "fn=");
	return !(p->events && p->functions);
}

static int callgrind_probe(const char *head, size_t len, bool whole)
{
	struct probe p = { 0 };

	lines_of_head(head, len, whole, probe_line, &p);
	return p.events && p.functions ? 90 : p.mark ? 80 : 0;
}

static bool callgrind_begin(struct input *in)
{
	struct callgrind *r = xcalloc(1, sizeof(*r));

	r->frames.p = in->profile;
	r->positions = 1;
	in->state = r;
	if (in->options->keep_samples)
		profile_keep_samples(in->profile);
	return true;
}

static bool callgrind_feed(struct input *in, const char *data, size_t len)
{
	struct callgrind *r = in->state;

	return lines_feed(&r->lines, in, take_line, data, len);
}

static void callgrind_end(struct input *in)
{
	struct callgrind *r = in->state;

	if (!r)
		return;
	lines_free(&r->lines);
	frames_free(&r->frames);
	free(r->function);
	free(r->named);
	free(r->call);
	free(r);
	in->state = NULL;
}

const struct input_format input_callgrind = {
	.name = "callgrind", .probe = callgrind_probe, .begin = callgrind_begin,
	.feed = callgrind_feed, .finish = callgrind_finish, .end = callgrind_end,
};
