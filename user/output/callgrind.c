// SPDX-License-Identifier: GPL-2.0-only
/*
 * The callgrind format (valgrind's manual, "Callgrind Format Specification") for KCachegrind
 * and callgrind_annotate: what each function weighs itself, and each pair of caller and
 * callee with all below it. Stacks themselves cannot be told in it.
 */
#include <stdlib.h>
#include <string.h>
#include "flame.h"
#include "output/export.h"
#include "profile/tree.h"
#include "util/mem.h"

struct function {
	const char *name;
	const char *object;
	enum frame_kind kind;
	uint64_t self;
};

/* @open: how many frames of the stack in hand are this call */
struct call {
	uint32_t caller, callee;
	uint32_t open;
	uint64_t total;
};

struct writer {
	const struct tree *tree;
	struct function *functions;
	uint32_t nr;
	uint32_t *of;			/* function, by node */
	struct call *calls;
	size_t nr_calls, cap_calls;
	uint32_t *call_of;		/* call, by node: from the parent's function to its own */
	uint32_t *slots;		/* hash of calls: index + 1 */
	size_t mask;
};

struct named_node {
	const struct tree_node *node;
	uint32_t index;
};

static int compare_names(const void *a, const void *b)
{
	const struct named_node *x = a, *y = b;
	int d = strcmp(x->node->name, y->node->name);

	if (d || x->node->kind != y->node->kind)
		return d ? d : x->node->kind < y->node->kind ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* Boxes of one name and kind are one function; the root node is "all". */
static void find_functions(struct writer *w)
{
	uint32_t nr = w->tree->nr;
	struct named_node *named = xcalloc(nr, sizeof(*named));

	w->of = xcalloc(nr, sizeof(*w->of));
	w->functions = xcalloc(nr, sizeof(*w->functions));
	for (uint32_t i = 0; i < nr; i++)
		named[i] = (struct named_node){ &w->tree->nodes[i], i };
	qsort(named, nr, sizeof(*named), compare_names);
	for (uint32_t i = 0; i < nr; i++) {
		const struct tree_node *n = named[i].node;
		struct function *f = w->nr ? &w->functions[w->nr - 1] : NULL;

		if (!f || strcmp(f->name, n->name) || f->kind != n->kind) {
			f = &w->functions[w->nr++];
			*f = (struct function){ n->name, n->object, n->kind, 0 };
		}
		f->self += n->self;
		w->of[named[i].index] = w->nr - 1;
	}
	free(named);
}

static size_t find_slot(const struct writer *w, uint32_t caller, uint32_t callee)
{
	size_t i = hash_pair(caller, callee) & w->mask;

	while (w->slots[i] && (w->calls[w->slots[i] - 1].caller != caller ||
			       w->calls[w->slots[i] - 1].callee != callee))
		i = (i + 1) & w->mask;
	return i;
}

static uint32_t find_call(struct writer *w, uint32_t caller, uint32_t callee)
{
	size_t i;

	if (!w->slots || w->nr_calls * 2 > w->mask) {
		w->mask = w->slots ? w->mask * 2 + 1 : 1023;
		free(w->slots);
		w->slots = xcalloc(w->mask + 1, sizeof(*w->slots));
		for (uint32_t c = 0; c < w->nr_calls; c++)
			w->slots[find_slot(w, w->calls[c].caller, w->calls[c].callee)] = c + 1;
	}
	i = find_slot(w, caller, callee);
	if (!w->slots[i]) {
		w->calls = array_grow(w->calls, &w->cap_calls, w->nr_calls + 1,
				      sizeof(*w->calls));
		w->calls[w->nr_calls++] = (struct call){ .caller = caller, .callee = callee };
		w->slots[i] = (uint32_t)w->nr_calls;
	}
	return w->slots[i] - 1;
}

/* A call that stands several times in one stack counts by its outermost frame only. */
static void find_calls(struct writer *w)
{
	const struct tree *tree = w->tree;
	uint32_t last = TREE_NONE;

	w->call_of = xcalloc(tree->nr, sizeof(*w->call_of));
	for (uint32_t i = 1; i < tree->nr; i++) {
		const struct tree_node *n = &tree->nodes[i];
		struct call *call;

		/* The stack ends at the parent now: close what was open above it. */
		for (; last != TREE_NONE && last != n->parent; last = tree->nodes[last].parent)
			if (last)
				w->calls[w->call_of[last]].open--;
		w->call_of[i] = find_call(w, w->of[n->parent], w->of[i]);
		call = &w->calls[w->call_of[i]];
		if (!call->open++)
			call->total += n->total;
		last = i;
	}
}

static int compare_calls(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return (x->callee > y->callee) - (x->callee < y->callee);
}

/* Names stand in full where they occur first: "(ID) NAME", later "(ID)". */
struct printer {
	FILE *fp;
	const struct writer *w;
	bool annotate;
	bool *told;		/* by function */
};

static void put_name(struct printer *pr, const char *what, uint32_t function)
{
	const struct function *f = &pr->w->functions[function];

	fprintf(pr->fp, "%sob=%s\n", *what == 'c' ? "c" : "", *f->object ? f->object : "???");
	fprintf(pr->fp, "%s=(%u)", what, function + 1);
	if (!pr->told[function])
		fprintf(pr->fp, " %s%s", *f->name ? f->name : function ? "[unknown]" : "all",
			pr->annotate ? frame_annotation(f->kind) : "");
	pr->told[function] = true;
	putc('\n', pr->fp);
}

static void print(FILE *fp, const struct writer *w, bool annotate)
{
	struct printer pr = { fp, w, annotate, xcalloc(w->nr, sizeof(*pr.told)) };
	size_t c = 0;

	fputs("\nfl=(1) ???\n", fp);
	for (uint32_t i = 0; i < w->nr; i++) {
		const struct function *f = &w->functions[i];

		put_name(&pr, "fn", i);
		fprintf(fp, "0 %llu\n", (unsigned long long)f->self);
		for (; c < w->nr_calls && w->calls[c].caller == i; c++) {
			put_name(&pr, "cfn", w->calls[c].callee);
			fprintf(fp, "calls=1 0\n0 %llu\n", (unsigned long long)w->calls[c].total);
		}
		putc('\n', fp);
	}
	free(pr.told);
}

/* A word of the "events:" line. */
static void put_event(FILE *fp, const char *name)
{
	for (; *name; name++)
		putc(strchr(" \t:,=", *name) ? '_' : *name, fp);
}

static bool write_callgrind(FILE *fp, const struct profile *p, const struct export_options *o)
{
	const char *name = profile_event_name(p, o->event);
	struct tree *tree = tree_build(p, o->event, 0);
	struct writer w = { .tree = tree };

	find_functions(&w);
	find_calls(&w);
	if (w.nr_calls)
		qsort(w.calls, w.nr_calls, sizeof(*w.calls), compare_calls);
	fputs("# callgrind format\nversion: 1\ncreator: flame " FLAME_VERSION "\n", fp);
	fputs("positions: line\nevents: ", fp);
	put_event(fp, *name ? name : profile_event_unit(p, o->event));
	fprintf(fp, "\nsummary: %llu\n", (unsigned long long)profile_total(p, o->event));
	print(fp, &w, o->annotate);
	fprintf(fp, "totals: %llu\n", (unsigned long long)profile_total(p, o->event));
	free(w.functions);
	free(w.of);
	free(w.calls);
	free(w.call_of);
	free(w.slots);
	tree_free(tree);
	return true;
}

const struct export_format export_callgrind = {
	.name = "callgrind",
	.max = UINT64_MAX,
	.write = write_callgrind,
};
