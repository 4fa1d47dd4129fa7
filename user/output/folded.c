// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes folded text. Lines are sorted as bytes, as `LC_ALL=C sort` would, because that
 * is what other tools of the format do. No line is put together for that: two lines
 * differ first in one frame's text or in what follows it, a ';' or the end of the stack,
 * so frames are ranked once, with either follower, and lines compared as ranks.
 */
#include <stdlib.h>
#include <string.h>
#include "output/folded.h"
#include "util/mem.h"

#define NO_EVENT	UINT32_MAX

/* A frame's printed text and what follows it. */
struct ranked {
	const char *text;
	uint32_t label;
	bool inner;		/* followed by ';' */
};

struct line {
	size_t at;		/* in ranks */
	uint32_t depth;
	uint64_t value, before;
};

struct writer {
	const struct profile *p;
	const struct folded_options *options;
	bool two;		/* lines have the count before, too */
	const char **texts;	/* by label */
	uint32_t nr_labels;
	uint32_t *label_of;	/* frame -> label */
	char **own;		/* texts put together here */
	size_t nr_own, cap_own;
	struct ranked *ranked;	/* by rank */
	uint32_t *rank;		/* 2 * label + inner -> rank */
	uint32_t *ranks;	/* of all lines */
	size_t nr_ranks, cap_ranks;
	struct line *lines;
	size_t nr_lines, cap_lines;
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

static const char *printed(struct writer *w, const struct profile_frame *f)
{
	const char *name = profile_text(w->p, f->name), *suffix = frame_annotation(f->kind);

	if (!*suffix || !wants_annotation(w->options, f->kind, name))
		return name;
	w->own = array_grow(w->own, &w->cap_own, w->nr_own + 1, sizeof(*w->own));
	w->own[w->nr_own] = xasprintf("%s%s", name, suffix);
	return w->own[w->nr_own++];
}

static int compare_text(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return strcmp(x->text, y->text);
}

/* As text + ';' against text + end of stack, where the end comes before every byte. */
static int compare_followed(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	const unsigned char *s = (const unsigned char *)x->text;
	const unsigned char *t = (const unsigned char *)y->text;
	int c, d;

	for (; *s && *s == *t; s++, t++)
		;
	c = *s ? *s : x->inner ? ';' : 0;
	d = *t ? *t : y->inner ? ';' : 0;
	return c - d;
}

/* Frames that print the same are one label. */
static void find_labels(struct writer *w)
{
	uint32_t nr = profile_nr_frames(w->p);
	struct ranked *frames = xcalloc(nr, sizeof(*frames));

	w->label_of = xcalloc(nr, sizeof(*w->label_of));
	w->texts = xcalloc(nr, sizeof(*w->texts));
	for (uint32_t i = 0; i < nr; i++)
		frames[i] = (struct ranked){ printed(w, profile_frame_at(w->p, i)), i, false };
	if (nr)
		qsort(frames, nr, sizeof(*frames), compare_text);
	for (uint32_t i = 0; i < nr; i++) {
		if (!i || strcmp(w->texts[w->nr_labels - 1], frames[i].text))
			w->texts[w->nr_labels++] = frames[i].text;
		w->label_of[frames[i].label] = w->nr_labels - 1;
	}
	free(frames);
}

static void rank_labels(struct writer *w)
{
	size_t nr = 2 * (size_t)w->nr_labels;

	w->ranked = xcalloc(nr, sizeof(*w->ranked));
	w->rank = xcalloc(nr, sizeof(*w->rank));
	for (uint32_t i = 0; i < nr; i++)
		w->ranked[i] = (struct ranked){ w->texts[i / 2], i / 2, i % 2 };
	if (nr)
		qsort(w->ranked, nr, sizeof(*w->ranked), compare_followed);
	for (uint32_t i = 0; i < nr; i++)
		w->rank[2 * w->ranked[i].label + w->ranked[i].inner] = i;
}

static void add_line(struct writer *w, uint32_t stack, uint64_t value, uint64_t before)
{
	struct line line = { .at = w->nr_ranks, .value = value, .before = before };

	for (uint32_t s = stack; s != PROFILE_ROOT_STACK; s = profile_stack_parent(w->p, s))
		line.depth++;
	w->ranks = array_grow(w->ranks, &w->cap_ranks, w->nr_ranks + line.depth,
			      sizeof(*w->ranks));
	w->nr_ranks += line.depth;
	for (size_t at = w->nr_ranks; at-- > line.at; stack = profile_stack_parent(w->p, stack)) {
		uint32_t label = w->label_of[profile_stack_frame(w->p, stack)];

		w->ranks[at] = w->rank[2 * label + (at + 1 < w->nr_ranks)];
	}
	w->lines = array_grow(w->lines, &w->cap_lines, w->nr_lines + 1, sizeof(*w->lines));
	w->lines[w->nr_lines++] = line;
}

static int compare_lines(const void *a, const void *b, void *arg)
{
	const struct line *x = a, *y = b;
	const uint32_t *ranks = arg;
	uint32_t n = x->depth < y->depth ? x->depth : y->depth;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t r = ranks[x->at + i], s = ranks[y->at + i];

		if (r != s)
			return r < s ? -1 : 1;
	}
	/* Only the stack of no frames is the beginning of another one. */
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static void print_line(FILE *fp, const struct writer *w, const struct line *line)
{
	bool any = false;

	for (uint32_t i = 0; i < line->depth; i++) {
		const struct ranked *r = &w->ranked[w->ranks[line->at + i]];

		fputs_unlocked(r->text, fp);
		if (r->inner)
			putc_unlocked(';', fp);
		any |= *r->text || r->inner;
	}
	/* A stack without a text must still be a line that can be read. */
	fputs_unlocked(any ? " " : "[unknown] ", fp);
	if (w->two)
		fprintf(fp, "%llu ", (unsigned long long)line->before);
	fprintf(fp, "%llu\n", (unsigned long long)line->value);
}

static void print_lines(FILE *fp, const struct writer *w)
{
	for (size_t i = 0; i < w->nr_lines;) {
		struct line sum = w->lines[i++];

		for (; i < w->nr_lines && !compare_lines(&sum, &w->lines[i], w->ranks); i++) {
			sum.value += w->lines[i].value;
			sum.before += w->lines[i].before;
		}
		print_line(fp, w, &sum);
	}
}

/* @before: event of the first of two columns, NO_EVENT for a single one. */
static void write_lines(FILE *fp, const struct profile *p, uint32_t event, uint32_t before,
			const struct folded_options *options)
{
	struct writer w = { .p = p, .options = options, .two = before != NO_EVENT };
	uint32_t nr = profile_nr_stacks(p);

	find_labels(&w);
	rank_labels(&w);
	for (uint32_t s = 0; s < nr; s++) {
		uint64_t self = profile_self(p, s, event);
		uint64_t then = w.two ? profile_self(p, s, before) : 0;

		if (self || then)
			add_line(&w, s, self, then);
	}
	if (w.nr_lines)
		qsort_r(w.lines, w.nr_lines, sizeof(*w.lines), compare_lines, w.ranks);
	print_lines(fp, &w);
	for (size_t i = 0; i < w.nr_own; i++)
		free(w.own[i]);
	free(w.own);
	free(w.texts);
	free(w.label_of);
	free(w.ranked);
	free(w.rank);
	free(w.ranks);
	free(w.lines);
}

void folded_write(FILE *fp, const struct profile *p, uint32_t event,
		  const struct folded_options *options)
{
	write_lines(fp, p, event, NO_EVENT, options);
}

void folded_write_diff(FILE *fp, const struct profile *p, uint32_t before, uint32_t after,
		       const struct folded_options *options)
{
	write_lines(fp, p, after, before, options);
}
