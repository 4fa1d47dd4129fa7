// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes folded text. Lines are sorted as bytes, as `LC_ALL=C sort` would, because that
 * is what other tools of the format do.
 */
#include <stdlib.h>
#include <string.h>
#include "output/folded.h"
#include "util/mem.h"

/* All lines' stack texts in one piece of memory. */
struct line {
	size_t at;
	size_t len;
	uint64_t value;
};

struct lines {
	char *text;
	size_t len, cap;
	struct line *line;
	size_t nr, cap_line;
	uint32_t *path;		/* frames of one stack, leaf first */
	size_t cap_path;
};

static bool wants_annotation(const struct folded_options *o, enum frame_kind kind,
			     const char *name)
{
	switch (kind) {
	case FRAME_KERNEL:
		return o->kernel;
	case FRAME_JIT:
		/* "[jit]" says it already. */
		return o->jit && *name != '[';
	default:
		return o->other;
	}
}

static void append(struct lines *l, const char *s)
{
	size_t n = strlen(s);

	l->text = array_grow(l->text, &l->cap, l->len + n + 1, 1);
	memcpy(l->text + l->len, s, n);
	l->len += n;
}

static void add_line(struct lines *l, const struct profile *p, uint32_t stack, uint64_t value,
		     const struct folded_options *o)
{
	struct line line = { .at = l->len, .value = value };
	size_t depth = 0;

	for (uint32_t s = stack; s != PROFILE_ROOT_STACK; s = profile_stack_parent(p, s)) {
		l->path = array_grow(l->path, &l->cap_path, depth + 1, sizeof(*l->path));
		l->path[depth++] = profile_stack_frame(p, s);
	}
	for (size_t i = depth; i-- > 0;) {
		const struct profile_frame *f = profile_frame_at(p, l->path[i]);

		append(l, profile_text(p, f->name));
		if (wants_annotation(o, f->kind, profile_text(p, f->name)))
			append(l, frame_annotation(f->kind));
		if (i)
			append(l, ";");
	}
	/* A stack without frames must still be a line that can be read. */
	if (l->len == line.at)
		append(l, "[unknown]");
	line.len = l->len - line.at;
	l->line = array_grow(l->line, &l->cap_line, l->nr + 1, sizeof(*l->line));
	l->line[l->nr++] = line;
}

static int compare_lines(const void *a, const void *b, void *text)
{
	const struct line *x = a, *y = b;
	size_t n = x->len < y->len ? x->len : y->len;
	int d = memcmp((const char *)text + x->at, (const char *)text + y->at, n);

	if (d)
		return d;
	return x->len < y->len ? -1 : x->len > y->len;
}

static void print_lines(FILE *fp, const struct lines *l)
{
	for (size_t i = 0; i < l->nr;) {
		uint64_t value = 0;
		size_t first = i;

		for (; i < l->nr && !compare_lines(&l->line[first], &l->line[i], l->text); i++)
			value += l->line[i].value;
		fwrite(l->text + l->line[first].at, 1, l->line[first].len, fp);
		fprintf(fp, " %llu\n", (unsigned long long)value);
	}
}

void folded_write(FILE *fp, const struct profile *p, uint32_t event,
		  const struct folded_options *options)
{
	uint32_t nr = profile_nr_stacks(p);
	struct lines l = { 0 };

	for (uint32_t s = 0; s < nr; s++) {
		uint64_t self = profile_self(p, s, event);

		if (self)
			add_line(&l, p, s, self, options);
	}
	if (l.nr)
		qsort_r(l.line, l.nr, sizeof(*l.line), compare_lines, l.text);
	print_lines(fp, &l);
	free(l.text);
	free(l.line);
	free(l.path);
}
