// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile by function. Walks the tree in its preorder with the path kept aside, so
 * recursion in a stack is counted once.
 */
#include <stdlib.h>
#include <string.h>
#include "output/functions.h"
#include "util/mem.h"

/* The path from the root to the node in hand. */
struct path {
	uint32_t *nodes;
	uint32_t *functions;	/* index of each node's function */
	uint32_t depth;
};

static uint64_t key_of(const char *name, enum frame_kind kind)
{
	return hash_pair(hash_bytes(name, strlen(name)), kind);
}

static size_t find(struct functions *f, const char *name, enum frame_kind kind)
{
	size_t i;

	if (!f->index || f->nr * 2 > f->mask) {
		f->mask = f->index ? f->mask * 2 + 1 : 1023;
		free(f->index);
		f->index = xcalloc(f->mask + 1, sizeof(*f->index));
		for (size_t k = 0; k < f->nr; k++) {
			i = key_of(f->at[k].name, f->at[k].kind) & f->mask;
			while (f->index[i])
				i = (i + 1) & f->mask;
			f->index[i] = k + 1;
		}
	}
	for (i = key_of(name, kind) & f->mask; f->index[i]; i = (i + 1) & f->mask) {
		const struct function *known = &f->at[f->index[i] - 1];

		if (known->kind == kind && !strcmp(known->name, name))
			return f->index[i] - 1;
	}
	f->at = array_grow(f->at, &f->cap, f->nr + 1, sizeof(*f->at));
	f->at[f->nr] = (struct function){ .name = name, .kind = kind };
	f->index[i] = f->nr + 1;
	return f->nr++;
}

static void path_begin(struct path *path, const struct tree *tree)
{
	*path = (struct path){
		.nodes = xcalloc((size_t)tree->max_depth + 1, sizeof(*path->nodes)),
		.functions = xcalloc((size_t)tree->max_depth + 1, sizeof(*path->functions)),
	};
}

static void path_end(struct path *path)
{
	free(path->nodes);
	free(path->functions);
}

void functions_of_tree(struct functions *f, const struct tree *tree)
{
	uint32_t *active = NULL;	/* how often a function is on the path */
	size_t cap_active = 0;
	struct path path;

	*f = (struct functions){ 0 };
	path_begin(&path, tree);
	for (uint32_t i = 1; i < tree->nr; i++) {
		const struct tree_node *n = &tree->nodes[i];
		size_t before = f->nr, at;

		while (path.depth && tree->nodes[path.nodes[path.depth - 1]].end <= i)
			active[path.functions[--path.depth]]--;
		at = find(f, n->name, n->kind);
		active = array_grow(active, &cap_active, f->nr, sizeof(*active));
		if (f->nr > before)
			active[at] = 0;
		f->at[at].self += n->self;
		if (!active[at]++)
			f->at[at].total += n->total;
		path.nodes[path.depth] = i;
		path.functions[path.depth++] = (uint32_t)at;
	}
	free(active);
	path_end(&path);
}

static bool is_named(const struct tree_node *n, const char *name)
{
	size_t len = strlen(n->name);

	return !strncmp(n->name, name, len) &&
	       (!name[len] || !strcmp(name + len, frame_annotation(n->kind)));
}

static void add_relation(struct functions *f, const struct tree *tree, const struct path *path,
			 uint32_t other, uint64_t weight, const char *none)
{
	size_t at;

	if (other < path->depth) {
		const struct tree_node *n = &tree->nodes[path->nodes[other]];

		at = find(f, n->name, n->kind);
	} else {
		at = find(f, none, FRAME_SPECIAL);
	}
	f->at[at].self += weight;
	f->at[at].total += weight;
}

uint64_t functions_around(struct functions *f, const struct tree *tree, const char *name,
			  bool callers)
{
	uint64_t total = 0;
	struct path path;

	*f = (struct functions){ 0 };
	path_begin(&path, tree);
	for (uint32_t i = 1; i < tree->nr; i++) {
		const struct tree_node *n = &tree->nodes[i];
		uint32_t found = UINT32_MAX;

		while (path.depth && tree->nodes[path.nodes[path.depth - 1]].end <= i)
			path.depth--;
		path.nodes[path.depth++] = i;
		if (!n->self)
			continue;
		for (uint32_t d = 0; d < path.depth; d++) {
			if (!is_named(&tree->nodes[path.nodes[d]], name))
				continue;
			found = d;
			if (callers)
				break;
		}
		if (found == UINT32_MAX)
			continue;
		total += n->self;
		/* The caller of the root wraps round to no place on the path. */
		add_relation(f, tree, &path, callers ? found - 1 : found + 1, n->self,
			     callers ? "(root)" : "(self)");
	}
	path_end(&path);
	return total;
}

static int compare(uint64_t x, uint64_t y, const struct function *a, const struct function *b)
{
	int d;

	if (x != y)
		return x > y ? -1 : 1;
	d = strcmp(a->name, b->name);
	return d ? d : (int)a->kind - (int)b->kind;
}

static int by_self(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return compare(x->self, y->self, x, y);
}

static int by_total(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	return compare(x->total, y->total, x, y);
}

/* The hash does not survive sorting. */
static void sort(struct functions *f, int (*order)(const void *, const void *))
{
	free(f->index);
	f->index = NULL;
	if (f->nr)
		qsort(f->at, f->nr, sizeof(*f->at), order);
}

void functions_sort_self(struct functions *f)
{
	sort(f, by_self);
}

void functions_sort_total(struct functions *f)
{
	sort(f, by_total);
}

void functions_free(struct functions *f)
{
	free(f->at);
	free(f->index);
	*f = (struct functions){ 0 };
}
