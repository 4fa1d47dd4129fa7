// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines of `perf script` taken apart. Written by hand because this is where the time
 * goes; never allocates. The formats are those of builtin-script.c in tools/perf.
 */
#include <string.h>
#include "input/lines.h"
#include "input/perf_line.h"
#include "util/text.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static struct text next_token(const char *s, size_t len, size_t *at)
{
	struct text t;

	while (*at < len && is_blank(s[*at]))
		(*at)++;
	t.s = s + *at;
	while (*at < len && !is_blank(s[*at]))
		(*at)++;
	t.len = (size_t)(s + *at - t.s);
	return t;
}

static size_t digits(struct text t, size_t from)
{
	size_t i = from;

	while (i < t.len && is_digit(t.s[i]))
		i++;
	return i - from;
}

/* `TID`, `PID/TID`; perf prints -1 for tasks that are gone. */
static bool parse_ids(struct text t, struct perf_header *h)
{
	size_t at = t.len && t.s[0] == '-', n = digits(t, at), second;

	if (!n)
		return false;
	at += n;
	if (at == t.len) {
		h->pid = (struct text){ 0 };
		h->tid = t;
		return true;
	}
	if (t.s[at] != '/')
		return false;
	second = at + 1 + (at + 1 < t.len && t.s[at + 1] == '-');
	if (!digits(t, second) || second + digits(t, second) != t.len)
		return false;
	h->pid = (struct text){ t.s, at };
	h->tid = (struct text){ t.s + at + 1, t.len - at - 1 };
	return true;
}

/* `[003]`; with a thousand CPUs too. */
static bool parse_cpu(struct text t, uint32_t *cpu)
{
	uint64_t value;

	if (t.len < 3 || t.s[0] != '[' || t.s[t.len - 1] != ']' ||
	    !text_u64(t.s + 1, t.len - 2, UINT32_MAX - 1, &value))
		return false;
	*cpu = (uint32_t)value;
	return true;
}

/* `12.345678:`, in seconds, with any number of decimals. */
static bool parse_time(struct text t, uint64_t *ns)
{
	size_t whole = digits(t, 0), frac;
	uint64_t sec, part = 0;

	if (!whole || whole + 2 > t.len || t.s[whole] != '.' || t.s[t.len - 1] != ':')
		return false;
	frac = digits(t, whole + 1);
	if (!frac || whole + 1 + frac + 1 != t.len)
		return false;
	for (size_t i = 0; i < 9; i++)
		part = part * 10 + (i < frac ? (uint64_t)(t.s[whole + 1 + i] - '0') : 0);
	if (!text_u64(t.s, whole, (UINT64_MAX - 1) / 1000000000 - 1, &sec))
		return false;
	*ns = sec * 1000000000 + part;
	return true;
}

/* What follows the ids: [cpu] time: period event: rest. */
static bool parse_tail(const char *s, size_t len, size_t at, struct perf_header *h)
{
	struct text t = next_token(s, len, &at);
	size_t before;

	h->cpu = PERF_NO_CPU;
	h->time = PERF_NO_TIME;
	h->period = 0;
	h->event = h->rest = (struct text){ 0 };
	if (parse_cpu(t, &h->cpu))
		t = next_token(s, len, &at);
	if (parse_time(t, &h->time)) {
		if (at == len)
			return true;
		t = next_token(s, len, &at);
	}
	before = at;
	if (digits(t, 0) == t.len && t.len && text_u64(t.s, t.len, UINT64_MAX, &h->period)) {
		t = next_token(s, len, &at);
		if (!t.len)
			at = before;
	}
	/* "event:" may be followed by blanks alone, or by arguments. */
	if (t.len < 2 || t.s[t.len - 1] != ':' || is_digit(t.s[0]))
		return h->time != PERF_NO_TIME;
	h->event = (struct text){ t.s, t.len - 1 };
	h->rest.s = s + at;
	h->rest.len = len - at;
	h->rest.s = trim(h->rest.s, &h->rest.len);
	return true;
}

static struct text trimmed(const char *s, size_t len)
{
	struct text t = { NULL, len };

	t.s = trim(s, &t.len);
	return t;
}

/* `comm time: ...` or `comm [cpu] time: ...` of a field set without ids. */
static bool parse_without_ids(const char *s, size_t len, struct perf_header *h)
{
	size_t at = 0, begin;

	next_token(s, len, &at);
	while (at < len) {
		struct text t;
		uint64_t ns;
		uint32_t cpu;

		begin = at;
		t = next_token(s, len, &at);
		if ((parse_cpu(t, &cpu) || parse_time(t, &ns)) && parse_tail(s, len, begin, h) &&
		    h->time != PERF_NO_TIME) {
			h->comm = trimmed(s, begin);
			h->pid = h->tid = (struct text){ 0 };
			return true;
		}
	}
	return false;
}

bool perf_parse_header(const char *s, size_t len, struct perf_header *h)
{
	size_t at = 0, begin;

	while (at < len) {
		struct text t;

		begin = at;
		t = next_token(s, len, &at);
		if (t.len && (is_digit(t.s[0]) || t.s[0] == '-') && parse_ids(t, h) &&
		    parse_tail(s, len, at, h)) {
			h->comm = trimmed(s, begin);
			return true;
		}
	}
	return parse_without_ids(s, len, h);
}

/* Where the "(dso)" at the end begins, its brackets balanced; @len: there is none. */
static size_t find_dso(const char *s, size_t len)
{
	size_t depth = 0;

	if (!len || s[len - 1] != ')')
		return len;
	for (size_t i = len; i-- > 0;) {
		depth += s[i] == ')';
		depth -= s[i] == '(';
		if (!depth)
			return !i || is_blank(s[i - 1]) ? i : len;
	}
	/* A path with an odd bracket in it: the last that follows a blank. */
	for (size_t i = len; i-- > 1;)
		if (s[i] == '(' && is_blank(s[i - 1]))
			return i;
	return len;
}

/* Takes off `+0x1f`, which perf prints since 4.8. */
static void strip_offset(struct perf_frame *f)
{
	struct text *t = &f->symbol;
	size_t i = t->len;

	while (i && is_hex(t->s[i - 1]))
		i--;
	if (i == t->len || i <= 3 || memcmp(t->s + i - 3, "+0x", 3) != 0)
		return;
	f->has_offset = true;
	for (size_t k = i; k < t->len; k++)
		f->offset = f->offset << 4 | (is_digit(t->s[k]) ? (uint64_t)(t->s[k] - '0') :
							 (uint64_t)((t->s[k] | 0x20) - 'a' + 10));
	t->len = i - 3;
}

bool perf_parse_frame(const char *s, size_t len, struct perf_frame *f)
{
	size_t dso, pc = 0, after;

	s = trim(s, &len);
	dso = find_dso(s, len);
	*f = (struct perf_frame){ 0 };
	while (pc < dso && is_hex(s[pc]))
		pc++;
	after = pc;
	while (after < dso && is_blank(s[after]))
		after++;
	/* "add (/lib/x)" without a pc: all hex digits, and yet a name. */
	if (pc && (after > pc || after == len) &&
	    (after < dso || dso == len || strcspn(s, "0123456789") < pc))
		f->pc = (struct text){ s, pc };
	else
		after = 0;
	if (dso < len) {
		f->dso = (struct text){ s + dso + 1, len - dso - 2 };
		if (ends_with(f->dso.s, f->dso.len, " (deleted)"))
			f->dso.len -= strlen(" (deleted)");
	} else if (!f->pc.s || memmem(s, len, " (/", 3) || memmem(s, len, " ([", 3)) {
		return false;	/* the dso is cut off */
	}
	f->symbol = trimmed(s + after, dso - after);
	strip_offset(f);
	f->symbol.len = trimmed(f->symbol.s, f->symbol.len).len;
	/* A symbol without a name is a blank, as with stackcollapse-perf.pl. */
	if (!f->symbol.len)
		f->symbol = f->dso.s ? (struct text){ " ", 1 } : (struct text){ "[unknown]", 9 };
	return true;
}

bool perf_is_srcline(const char *s, size_t len)
{
	size_t i;

	s = trim(s, &len);
	i = len;
	while (i && is_digit(s[i - 1]))
		i--;
	if (i < len && i > 1 && s[i - 1] == ':')
		return true;
	i = len;
	if (i < 4 || s[i - 1] != ']')
		return false;
	for (i--; i && is_hex(s[i - 1]); i--)
		;
	return i > 1 && s[i - 1] == '[';
}

struct text perf_event_base(struct text event)
{
	const char *slash = memchr(event.s, '/', event.len), *end;
	size_t i = event.len;

	/* PMU/NAME/MODIFIERS; a list of terms in NAME is no name. */
	if (slash) {
		size_t left = event.len - (size_t)(slash + 1 - event.s);

		end = memchr(slash + 1, '/', left);
		if (end && !memchr(slash + 1, '=', (size_t)(end - slash - 1)))
			return (struct text){ slash + 1, (size_t)(end - slash - 1) };
		return event;
	}
	while (i && strchr("ukhIGHpPSDWeb", event.s[i - 1]))
		i--;
	if (i > 1 && i < event.len && event.s[i - 1] == ':')
		event.len = i - 1;
	return event;
}

static bool is_kernel_name(const char *s, size_t len)
{
	static const char *const user[] = {
		"[vdso]", "[vsyscall]", "[heap]", "[stack", "[anon", "[unknown]", "[JIT]",
		"[uprobes]", "[JIT app",
	};

	if (len && s[0] == '[') {
		for (size_t i = 0; i < sizeof(user) / sizeof(user[0]); i++)
			if (starts_with(s, len, user[i]))
				return false;
		return true;
	}
	return starts_with(s, len, "vmlinux") || starts_with(s, len, "bpf_prog_") ||
	       ends_with(s, len, ".ko") || ends_with(s, len, ".ko.xz") ||
	       ends_with(s, len, ".ko.gz") || ends_with(s, len, ".ko.zst") ||
	       ends_with(s, len, "vmlinux");
}

enum perf_dso perf_dso_kind(struct text dso)
{
	const char *slash = dso.len ? memrchr(dso.s, '/', dso.len) : NULL;
	const char *base = slash ? slash + 1 : dso.s;
	size_t len = dso.len - (size_t)(base - dso.s), n;

	if (!dso.len)
		return PERF_DSO_USER;
	if (starts_with(base, len, "perf-") && ends_with(base, len, ".map")) {
		n = digits((struct text){ base, len }, 5);
		if (n && 5 + n + 4 == len)
			return PERF_DSO_JIT;
	}
	if ((starts_with(base, len, "jitted-") && ends_with(base, len, ".so")) ||
	    starts_with(base, len, "[JIT]"))
		return PERF_DSO_JIT;
	return is_kernel_name(base, len) ? PERF_DSO_KERNEL : PERF_DSO_USER;
}

/* The length of an operator's symbol behind the word "operator": "()", "<=>", "->". */
static size_t operator_length(const char *s, size_t len)
{
	size_t n = 0;

	if (starts_with(s, len, "()") || starts_with(s, len, "[]"))
		return 2;
	while (n < len && n < 3 && strchr("<>=-+*/%^&|~!,", s[n]) && s[n])
		n++;
	return n;
}

/* @s is at "(": the bytes up to its ")", if this bracket belongs to the name. */
static size_t bracket_in_name(const char *s, size_t len, const char *begin)
{
	static const char decltype[] = "decltype", anonymous[] = "(anonymous ";
	const size_t n = sizeof(decltype) - 1;
	size_t depth = 0, i;

	if (starts_with(s, len, anonymous) ||
	    ((size_t)(s - begin) >= n && !memcmp(s - n, decltype, n)) ||
	    (s > begin && s[-1] == '.' && memmem(s, len, ").", 2))) {
		for (i = 0; i < len; i++) {
			depth += s[i] == '(';
			depth -= s[i] == ')';
			if (!depth)
				return i + 1;
		}
	}
	return 0;
}

size_t perf_name_length(const char *s, size_t len)
{
	const char *first = memchr(s, '(', len);
	size_t depth = 0, n;

	if (!first)
		return len;
	for (size_t i = 0; i < len; i++) {
		switch (s[i]) {
		case 'o':
			if (!starts_with(s + i, len - i, "operator"))
				break;
			i += 8;
			i += operator_length(s + i, len - i);
			i--;
			break;
		case '<':
		case '{':
			depth++;
			break;
		case '>':
		case '}':
			depth -= depth && (s[i] == '}' || !i || s[i - 1] != '-');
			break;
		case '(':
			n = bracket_in_name(s + i, len - i, s);
			if (!n && !depth)
				return i;
			i += n ? n - 1 : 0;
			break;
		default:
			break;
		}
	}
	/* Never balanced: not C++; the first bracket is as good as any. */
	return depth ? (size_t)(first - s) : len;
}
