// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks that are printed a frame a line, leaf first, with their value on the line below:
 * what SystemTap's sample-bt, DTrace's aggregations and bcc's tools print. They differ in
 * how a frame is written and in what stands between the frames.
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

/* One stack of a report that may be replaced by a later one. */
struct kept {
	uint32_t stack;
	uint64_t value;
};

struct counted {
	struct lines lines;
	struct frames frames;
	char *comm;			/* of the stack being read, or NULL */
	bool waker;			/* frames belong to the thread that woke */
	bool leak;			/* memleak's: the value stands above the stack */
	uint64_t leak_value;
	struct kept *kept;
	size_t nr_kept, cap_kept;
	uint64_t nr_stacks;
};

static void forget_stack(struct counted *r)
{
	free(r->comm);
	r->comm = NULL;
	r->frames.nr = 0;
	r->waker = false;
}

static uint32_t push_stack(struct counted *r)
{
	size_t nr = r->frames.nr;
	uint32_t stack = PROFILE_ROOT_STACK;

	if (r->comm) {
		frames_add(&r->frames, r->comm, strlen(r->comm), FRAME_COMM, NULL, 0);
		stack = frames_push_leaf_first(&r->frames, stack, nr, r->frames.nr - nr);
	} else if (!nr) {
		frames_add(&r->frames, "[no stack]", 10, FRAME_SPECIAL, NULL, 0);
		nr = 1;
	}
	return frames_push_leaf_first(&r->frames, stack, 0, nr);
}

static bool end_stack(struct input *in, uint64_t value)
{
	struct counted *r = in->state;
	uint32_t stack = push_stack(r);

	forget_stack(r);
	r->nr_stacks++;
	return input_add(in, stack, 0, value, r->lines.number);
}

static bool add(struct input *in, const char *s, size_t len, enum frame_kind kind,
		struct text object)
{
	struct counted *r = in->state;

	if (memmem(s, len, "->", 2) ? frames_add_inlined(&r->frames, s, len, kind) :
				      frames_add(&r->frames, s, len, kind, object.s, object.len))
		return true;
	msg_error("%s:%llu: more than %d frames in one stack", in->name,
		  (unsigned long long)r->lines.number, FRAMES_MAX);
	return false;
}

static bool is_count(const char *s, size_t len, uint64_t *value)
{
	return text_u64(s, len, UINT64_MAX, value);
}

static bool bad(struct input *in, const char *s, size_t len, const char *what)
{
	struct counted *r = in->state;

	return lines_bad(&r->lines, in, s, len, what);
}

/* ---- SystemTap ---------------------------------------------------------------- */

#define STAP_WHAT	"a frame or count of SystemTap"

struct stap_frame {
	struct text name, module;
	bool unnamed;		/* @name is that of the module's file */
};

static struct text base_name(struct text path)
{
	const char *slash = path.len ? memrchr(path.s, '/', path.len) : NULL;

	return slash ? (struct text){ slash + 1, (size_t)(path.s + path.len - slash) - 1 } : path;
}

/* ` 0xADDR : sym+0xoff/0xsize [module]`, ` 0xADDR [module+0xoff/0xsize]`, ` 0xADDR` */
static bool parse_stap(const char *s, size_t len, struct stap_frame *f)
{
	const char *colon = memmem(s, len, " : ", 3), *bracket;
	size_t module;

	if (!starts_with(s, len, "0x"))
		return false;
	*f = (struct stap_frame){ .name = { s, len } };
	bracket = s[len - 1] == ']' ? memrchr(s, '[', len) : NULL;
	if (bracket) {
		module = (size_t)(s + len - bracket) - 2;
		f->module = (struct text){ bracket + 1, name_without_offset(bracket + 1, module) };
		f->unnamed = !colon && f->module.len && f->module.len < module;
	}
	if (f->unnamed)
		f->name = base_name(f->module);
	if (!colon)
		return true;
	f->name.s = colon + 3;
	f->name.len = (size_t)((bracket && bracket > colon ? bracket : s + len) - f->name.s);
	/* Nothing but the address again: the module is the better part of the name. */
	if (starts_with(f->name.s, f->name.len, "0x"))
		f->name.len = (size_t)(s + len - f->name.s);
	f->name.s = trim(f->name.s, &f->name.len);
	f->name.len = name_without_offset(f->name.s, f->name.len);
	return f->name.len;
}

static bool take_stap(struct input *in, const char *s, size_t len)
{
	const char *whole = s;
	size_t whole_len = len;
	enum frame_kind kind = FRAME_USER;
	struct stap_frame f;
	uint64_t value;
	char *text;
	bool ok;

	s = trim(s, &len);
	if (!len)
		return true;
	if (is_count(s, len, &value))
		return end_stack(in, value);
	if (!parse_stap(s, len, &f))
		return bad(in, whole, whole_len, STAP_WHAT);
	if (f.module.len && !memchr(f.module.s, '/', f.module.len))
		kind = FRAME_KERNEL;
	if (!f.unnamed)
		return add(in, f.name.s, f.name.len, kind, f.module);
	text = xasprintf("[%.*s]", (int)f.name.len, f.name.s);
	ok = add(in, text, strlen(text), kind, f.module);
	free(text);
	return ok;
}

struct probe {
	unsigned int frames, counts, others, marks;
	bool last_was_frame;
};

static bool probe_stap_line(void *arg, const char *s, size_t len)
{
	struct probe *p = arg;
	struct stap_frame f;
	uint64_t value;

	s = trim(s, &len);
	if (!len)
		return true;
	if (is_count(s, len, &value))
		p->counts++;
	else if (parse_stap(s, len, &f))
		p->frames++;
	else
		p->others++;
	return p->counts < 64;
}

static int stap_probe(const char *head, size_t len, bool whole)
{
	struct probe p = { 0 };

	if (memchr(head, '\0', len < 256 ? len : 256))
		return 0;
	lines_of_head(head, len, whole, probe_stap_line, &p);
	return p.frames > p.others && (p.counts || !whole) ? 75 : 0;
}

/* ---- DTrace ------------------------------------------------------------------- */

#define DTRACE_WHAT	"a frame or count of DTrace"

/* What dtrace prints without -q: `CPU     ID   FUNCTION:NAME`, `  0  64091   :tick-60s`. */
static bool is_dtrace_head(const char *s, size_t len)
{
	size_t fields = 0, at = 0;

	if (starts_with(s, len, "CPU ") && memmem(s, len, "FUNCTION:NAME", 13))
		return true;
	if (starts_with(s, len, "dtrace: "))
		return true;
	while (at < len && fields < 2) {
		size_t begin = at;

		while (at < len && s[at] >= '0' && s[at] <= '9')
			at++;
		if (at == begin || at == len || !is_blank(s[at]))
			return false;
		while (at < len && is_blank(s[at]))
			at++;
		fields++;
	}
	return fields == 2 && memchr(s + at, ':', len - at);
}

static bool take_dtrace(struct input *in, const char *s, size_t len)
{
	struct counted *r = in->state;
	const char *whole = s, *tick;
	size_t whole_len = len;
	struct text object = { 0 };
	uint64_t value;

	s = trim(s, &len);
	/* A blank line parts stack() from ustack(): it ends nothing. */
	if (!len || is_dtrace_head(s, len))
		return true;
	if (is_count(s, len, &value)) {
		if (!r->frames.nr && !r->nr_stacks && !is_blank(*whole))
			return bad(in, whole, whole_len, DTRACE_WHAT);
		return end_stack(in, value);
	}
	if (!is_blank(*whole))
		return bad(in, whole, whole_len, DTRACE_WHAT);
	len = name_without_offset(s, len);
	if (memmem(s, len, "::", 2)) {
		len = perf_name_length(s, len);
		s = trim(s, &len);
	}
	tick = memchr(s, '`', len);
	if (tick)
		object = (struct text){ s, (size_t)(tick - s) };
	return add(in, s, len, FRAME_USER, object);
}

static bool probe_dtrace_line(void *arg, const char *s, size_t len)
{
	struct probe *p = arg;
	bool blank = len && is_blank(*s);
	uint64_t value;

	s = trim(s, &len);
	if (!len)
		return true;
	if (is_dtrace_head(s, len)) {
		p->marks += starts_with(s, len, "CPU ");
	} else if (blank && is_count(s, len, &value)) {
		p->counts += p->last_was_frame;
		p->last_was_frame = false;
	} else if (blank) {
		p->frames++;
		p->marks += memchr(s, '`', len) != NULL;
		p->last_was_frame = true;
	} else {
		p->others++;
	}
	return p->counts < 64;
}

static int dtrace_probe(const char *head, size_t len, bool whole)
{
	struct probe p = { 0 };

	if (memchr(head, '\0', len < 256 ? len : 256))
		return 0;
	lines_of_head(head, len, whole, probe_dtrace_line, &p);
	if (p.marks && (p.counts || (!whole && p.frames) || !p.frames))
		return 70;
	/* Without a mark of its own; what begins with a brace is a program's data. */
	return p.counts && p.frames > p.others && head[0] != '{' ? 20 : 0;
}

/* ---- bcc ---------------------------------------------------------------------- */

#define BCC_WHAT	"a frame, task or count of bcc"

/* Python's b'...', and the address that -v puts before it. */
static const char *bcc_name(const char *s, size_t *len)
{
	size_t hex = 0;

	if (starts_with(s, *len, "0x"))
		hex = 2;
	while (hex < *len && ((s[hex] >= '0' && s[hex] <= '9') || (s[hex] >= 'a' && s[hex] <= 'f')))
		hex++;
	if (hex >= 8 && hex < *len && is_blank(s[hex])) {
		s += hex;
		*len -= hex;
		s = trim(s, len);
	}
	if (*len >= 3 && s[0] == 'b' && (s[1] == '\'' || s[1] == '"') && s[*len - 1] == s[1]) {
		s += 2;
		*len -= 3;
	}
	return s;
}

/* `comm (pid)` or `comm [pid]`; the length of comm, 0 if it is none. */
static size_t task_length(const char *s, size_t len)
{
	char close = len ? s[len - 1] : 0;
	size_t i = len;

	if (close != ')' && close != ']')
		return 0;
	for (i--; i && s[i - 1] >= '0' && s[i - 1] <= '9'; i--)
		;
	if (i + 1 >= len || i < 3 || s[i - 1] != (close == ')' ? '(' : '[') || !is_blank(s[i - 2]))
		return 0;
	for (i -= 2; i && is_blank(s[i - 1]); i--)
		;
	return i;
}

static void set_comm(struct input *in, const char *s, size_t len)
{
	struct counted *r = in->state;
	size_t comm = task_length(s, len);

	free(r->comm);
	r->comm = NULL;
	if (in->options->no_comm)
		return;
	if (comm && (in->options->pid || in->options->tid)) {
		const char *pid = memrchr(s, s[len - 1] == ')' ? '(' : '[', len);

		r->comm = xasprintf("%.*s-%.*s", (int)comm, s, (int)(s + len - pid) - 2, pid + 1);
	} else {
		r->comm = xstrndup(s, comm ? comm : len);
	}
}

/* memleak's `N bytes in M allocations from stack`. */
static bool is_leak(const char *s, size_t len, uint64_t *value)
{
	const char *bytes = memmem(s, len, " bytes in ", 10);

	return bytes && ends_with(s, len, " from stack") &&
	       text_u64(s, (size_t)(bytes - s), UINT64_MAX, value);
}

static void end_leak(struct input *in)
{
	struct counted *r = in->state;

	if (!r->leak)
		return;
	r->kept = array_grow(r->kept, &r->cap_kept, r->nr_kept + 1, sizeof(*r->kept));
	r->kept[r->nr_kept++] = (struct kept){ push_stack(r), r->leak_value };
	r->nr_stacks++;
	r->leak = false;
	forget_stack(r);
}

/* What is no frame: marks between stacks, and the lines that say whose they are. */
static bool take_bcc_mark(struct input *in, const char *s, size_t len)
{
	struct counted *r = in->state;
	struct text rest = { s, len };

	if (starts_with(s, len, "waker:") || starts_with(s, len, "target:")) {
		rest.s = memchr(s, ':', len);
		rest.s++;
		rest.len -= (size_t)(rest.s - s);
		rest.s = trim(rest.s, &rest.len);
		r->waker = s[0] == 'w';
		if (r->waker)
			frames_add(&r->frames, rest.s, rest.len, FRAME_WAKER, NULL, 0);
		else
			set_comm(in, rest.s, rest.len);
		return true;
	}
	if (s[0] != '-' || (len > 2 && !is_blank(s[1])))
		return false;
	rest.s++;
	rest.len--;
	rest.s = trim(rest.s, &rest.len);
	if (rest.len && !(rest.len == 1 && rest.s[0] == '-')) {
		set_comm(in, rest.s, rest.len);
		return true;
	}
	/* Between waker and target, or between the kernel's half and the user's. */
	if (r->waker)
		frames_add(&r->frames, "--", 2, FRAME_SPECIAL, NULL, 0);
	for (size_t i = 0; i < r->frames.nr && !r->waker; i++) {
		struct profile_frame f = *profile_frame_at(in->profile, r->frames.frame[i]);

		f.kind = FRAME_KERNEL;
		r->frames.frame[i] = profile_frame(in->profile, &f);
	}
	r->waker = false;
	return true;
}

static bool take_bcc(struct input *in, const char *s, size_t len)
{
	struct counted *r = in->state;
	const char *whole = s, *bracket;
	size_t whole_len = len;
	struct text object = { 0 };
	uint64_t value;

	s = trim(s, &len);
	if (!len)
		return true;
	if (is_leak(s, len, &value)) {
		end_leak(in);
		r->leak = true;
		r->leak_value = value;
		forget_stack(r);
		return true;
	}
	/* Each report of memleak is of all that is left then: the last one counts. */
	if (s[0] == '[' && memmem(s, len, "] Top ", 6)) {
		end_leak(in);
		r->nr_kept = 0;
		return true;
	}
	if (!is_blank(*whole)) {
		end_leak(in);
		forget_stack(r);
		return bad(in, whole, whole_len, BCC_WHAT);
	}
	if (!r->leak && is_count(s, len, &value))
		return end_stack(in, value);
	if (take_bcc_mark(in, s, len))
		return true;
	s = bcc_name(s, &len);
	if (task_length(s, len) && s[len - 1] == ']' && !r->leak) {
		set_comm(in, s, len);
		return true;
	}
	bracket = len && s[len - 1] == ']' ? memrchr(s, '[', len) : NULL;
	if (bracket && bracket > s && is_blank(bracket[-1])) {
		object = (struct text){ bracket + 1, (size_t)(s + len - bracket) - 2 };
		len = (size_t)(bracket - s);
		s = trim(s, &len);
	}
	len = name_without_offset(s, len);
	return add(in, s, len, r->waker ? FRAME_WAKER : FRAME_USER, object);
}

static bool probe_bcc_line(void *arg, const char *s, size_t len)
{
	struct probe *p = arg;
	bool blank = len && is_blank(*s);
	uint64_t value;

	s = trim(s, &len);
	if (!len)
		return true;
	if (is_leak(s, len, &value)) {
		p->marks++;
		p->counts++;
	} else if (blank && is_count(s, len, &value)) {
		p->counts += p->last_was_frame;
		p->last_was_frame = false;
	} else if (blank) {
		p->frames++;
		p->last_was_frame = true;
		p->marks += (s[0] == '-' && len > 2 && is_blank(s[1])) ||
			    starts_with(s, len, "waker:") || starts_with(s, len, "target:");
	} else {
		p->others++;
	}
	return p->counts < 64;
}

static int bcc_probe(const char *head, size_t len, bool whole)
{
	struct probe p = { 0 };

	if (memchr(head, '\0', len < 256 ? len : 256))
		return 0;
	lines_of_head(head, len, whole, probe_bcc_line, &p);
	if (p.marks && p.counts)
		return 65;
	return p.counts && p.frames > p.others && head[0] != '{' ? 30 : 0;
}

/* ---- what the three have in common ---------------------------------------------- */

static bool counted_begin(struct input *in)
{
	struct counted *r = xcalloc(1, sizeof(*r));

	r->frames.p = in->profile;
	in->state = r;
	profile_event(in->profile, "", "samples");
	if (in->options->keep_samples)
		profile_keep_samples(in->profile);
	return true;
}

static bool stap_feed(struct input *in, const char *data, size_t len)
{
	struct counted *r = in->state;

	return lines_feed(&r->lines, in, take_stap, data, len);
}

static bool dtrace_feed(struct input *in, const char *data, size_t len)
{
	struct counted *r = in->state;

	return lines_feed(&r->lines, in, take_dtrace, data, len);
}

static bool bcc_feed(struct input *in, const char *data, size_t len)
{
	struct counted *r = in->state;

	return lines_feed(&r->lines, in, take_bcc, data, len);
}

static bool finish(struct input *in, line_taker take, const char *what)
{
	struct counted *r = in->state;

	if (!lines_finish(&r->lines, in, take))
		return false;
	end_leak(in);
	for (size_t i = 0; i < r->nr_kept; i++)
		if (!input_add(in, r->kept[i].stack, 0, r->kept[i].value, r->lines.number))
			return false;
	lines_sum(&r->lines, in, what);
	if (r->frames.nr) {
		msg_warn("%s:%llu: ends within a stack: its count is missing, left out", in->name,
			 (unsigned long long)r->lines.number);
		if (in->options->strict)
			return false;
	}
	if (r->nr_stacks)
		return true;
	msg_error("%s: no stack with its count in %llu lines: nothing to read", in->name,
		  (unsigned long long)r->lines.number);
	return false;
}

static bool stap_finish(struct input *in)
{
	return finish(in, take_stap, STAP_WHAT);
}

static bool dtrace_finish(struct input *in)
{
	return finish(in, take_dtrace, DTRACE_WHAT);
}

static bool bcc_finish(struct input *in)
{
	return finish(in, take_bcc, BCC_WHAT);
}

static void counted_end(struct input *in)
{
	struct counted *r = in->state;

	if (!r)
		return;
	forget_stack(r);
	lines_free(&r->lines);
	frames_free(&r->frames);
	free(r->kept);
	free(r);
	in->state = NULL;
}

const struct input_format input_stap = {
	.name = "systemtap", .probe = stap_probe, .begin = counted_begin, .feed = stap_feed,
	.finish = stap_finish, .end = counted_end,
};

const struct input_format input_dtrace = {
	.name = "dtrace", .probe = dtrace_probe, .begin = counted_begin, .feed = dtrace_feed,
	.finish = dtrace_finish, .end = counted_end,
};

const struct input_format input_bcc = {
	.name = "bcc", .probe = bcc_probe, .begin = counted_begin, .feed = bcc_feed,
	.finish = bcc_finish, .end = counted_end,
};
