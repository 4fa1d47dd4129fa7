// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks merged into the tree that is drawn. Linear in the number of nodes but for one
 * sort of the distinct labels; recursion nowhere, so depth costs memory only.
 */
#include <stdlib.h>
#include <string.h>
#include "profile/tree.h"
#include "util/mem.h"

/* A label is what makes two frames the same box. Ranks order labels as children. */
struct label {
	const char *name;
	const char *object;
	enum frame_kind kind;
	uint32_t first;		/* lowest frame id with this label, by which it was found */
};

struct node {
	uint32_t parent;
	uint32_t label;
	uint64_t self;
};

struct builder {
	const struct profile *p;
	struct label *labels;
	uint32_t nr_labels;
	uint32_t *frame_label;		/* frame id -> rank of its label */
	struct node *nodes;
	size_t nr_nodes, cap_nodes;
	uint32_t *slots;		/* hash of node ids; 0 is free, as the root has no key */
	size_t mask;
};

static int compare_labels(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	int d = strcmp(x->name, y->name);

	if (d)
		return d;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Sorts one label per frame, then gives equal neighbours one rank. */
static void rank_labels(struct builder *b)
{
	uint32_t nr = profile_nr_frames(b->p), rank = 0;

	b->labels = xcalloc(nr, sizeof(*b->labels));
	b->frame_label = xcalloc(nr, sizeof(*b->frame_label));
	for (uint32_t i = 0; i < nr; i++) {
		const struct profile_frame *f = profile_frame_at(b->p, i);

		b->labels[i] = (struct label){ profile_text(b->p, f->name),
					       profile_text(b->p, f->object), f->kind, i };
	}
	if (nr)
		qsort(b->labels, nr, sizeof(*b->labels), compare_labels);
	for (uint32_t i = 0; i < nr; i++) {
		struct label l = b->labels[i];

		if (i && (strcmp(b->labels[rank].name, l.name) || b->labels[rank].kind != l.kind))
			b->labels[++rank] = l;
		b->frame_label[l.first] = rank;
	}
	b->nr_labels = nr ? rank + 1 : 0;
}

static void insert_node(struct builder *b, uint32_t id)
{
	size_t i = hash_pair(b->nodes[id].parent, b->nodes[id].label) & b->mask;

	while (b->slots[i])
		i = (i + 1) & b->mask;
	b->slots[i] = id;
}

static uint32_t add_node(struct builder *b, uint32_t parent, uint32_t label)
{
	b->nodes = array_grow(b->nodes, &b->cap_nodes, b->nr_nodes + 1, sizeof(*b->nodes));
	b->nodes[b->nr_nodes] = (struct node){ .parent = parent, .label = label };
	return (uint32_t)b->nr_nodes++;
}

static uint32_t child_of(struct builder *b, uint32_t parent, uint32_t label)
{
	size_t i;

	if (b->nr_nodes * 2 > b->mask) {
		b->mask = b->mask * 2 + 1;
		free(b->slots);
		b->slots = xcalloc(b->mask + 1, sizeof(*b->slots));
		for (uint32_t id = 1; id < b->nr_nodes; id++)
			insert_node(b, id);
	}
	for (i = hash_pair(parent, label) & b->mask; b->slots[i]; i = (i + 1) & b->mask) {
		const struct node *n = &b->nodes[b->slots[i]];

		if (n->parent == parent && n->label == label)
			return b->slots[i];
	}
	b->slots[i] = add_node(b, parent, label);
	return b->slots[i];
}

/*
 * Only stacks with a value below them become nodes: an event sees its own tree. Where no
 * two frames share a label, stacks are merged as they are.
 */
static void merge_root_first(struct builder *b, uint32_t event)
{
	uint32_t (*node)(struct builder *b, uint32_t parent, uint32_t label) =
		b->nr_labels == profile_nr_frames(b->p) ? add_node : child_of;
	uint32_t nr = profile_nr_stacks(b->p);
	uint32_t *node_of = xcalloc(nr, sizeof(*node_of));
	bool *wanted = xcalloc(nr, sizeof(*wanted));

	for (uint32_t s = nr; s-- > 1;) {
		if (profile_self(b->p, s, event))
			wanted[s] = true;
		if (wanted[s])
			wanted[profile_stack_parent(b->p, s)] = true;
	}
	for (uint32_t s = 1; s < nr; s++) {
		if (!wanted[s])
			continue;
		node_of[s] = node(b, node_of[profile_stack_parent(b->p, s)],
				  b->frame_label[profile_stack_frame(b->p, s)]);
		b->nodes[node_of[s]].self += profile_self(b->p, s, event);
	}
	free(wanted);
	free(node_of);
}

static void merge_leaf_first(struct builder *b, uint32_t event)
{
	uint32_t nr = profile_nr_stacks(b->p);

	for (uint32_t s = 1; s < nr; s++) {
		uint64_t self = profile_self(b->p, s, event);
		uint32_t node = 0;

		if (!self)
			continue;
		for (uint32_t at = s; at != PROFILE_ROOT_STACK;
		     at = profile_stack_parent(b->p, at))
			node = child_of(b, node, b->frame_label[profile_stack_frame(b->p, at)]);
		b->nodes[node].self += self;
	}
}

/*
 * Links nodes to their parents in descending order of rank, so that each child list
 * comes out ascending: a counting sort instead of one sort per node.
 */
static void link_children(const struct builder *b, uint32_t *first_child, uint32_t *next)
{
	size_t nr = b->nr_nodes;
	uint32_t *start = xcalloc((size_t)b->nr_labels + 1, sizeof(*start));
	uint32_t *order = xcalloc(nr, sizeof(*order));

	for (size_t i = 1; i < nr; i++)
		start[b->nodes[i].label + 1]++;
	for (uint32_t l = 0; l < b->nr_labels; l++)
		start[l + 1] += start[l];
	for (size_t i = 1; i < nr; i++)
		order[start[b->nodes[i].label]++] = (uint32_t)i;
	for (size_t i = 0; i < nr; i++)
		first_child[i] = next[i] = TREE_NONE;
	for (size_t i = nr - 1; i-- > 0;) {
		uint32_t id = order[i], parent = b->nodes[id].parent;

		next[id] = first_child[parent];
		first_child[parent] = id;
	}
	free(order);
	free(start);
}

static void emit_node(const struct builder *b, struct tree *tree, uint32_t id, uint32_t parent)
{
	struct tree_node *n = &tree->nodes[tree->nr];

	*n = (struct tree_node){
		.name = "", .object = "", .kind = FRAME_SPECIAL, .parent = parent,
		.self = b->nodes[id].self, .total = b->nodes[id].self,
	};
	if (id) {
		const struct label *l = &b->labels[b->nodes[id].label];

		n->name = l->name;
		n->object = l->object;
		n->kind = l->kind;
		n->depth = tree->nodes[parent].depth + 1;
		if (n->depth > tree->max_depth)
			tree->max_depth = n->depth;
	}
	tree->nr++;
}

/* Preorder without recursion: down to the first child, else to the next sibling above. */
static void emit_tree(const struct builder *b, struct tree *tree)
{
	uint32_t *first_child = xcalloc(b->nr_nodes, sizeof(*first_child));
	uint32_t *next = xcalloc(b->nr_nodes, sizeof(*next));
	uint32_t *place = xcalloc(b->nr_nodes, sizeof(*place));
	uint32_t id = 0;

	link_children(b, first_child, next);
	emit_node(b, tree, 0, TREE_NONE);
	for (;;) {
		if (first_child[id] != TREE_NONE) {
			id = first_child[id];
		} else {
			while (id && next[id] == TREE_NONE)
				id = b->nodes[id].parent;
			if (!id)
				break;
			id = next[id];
		}
		place[id] = tree->nr;
		emit_node(b, tree, id, place[b->nodes[id].parent]);
	}
	free(place);
	free(next);
	free(first_child);
}

/* Backwards: when a node is met, its subtree is summed and closed already. */
static void sum_up(struct tree *tree)
{
	for (uint32_t i = tree->nr; i-- > 0;) {
		struct tree_node *n = &tree->nodes[i], *parent;

		if (!n->end)
			n->end = i + 1;
		if (n->parent == TREE_NONE)
			break;
		parent = &tree->nodes[n->parent];
		parent->total += n->total;
		if (!parent->end)
			parent->end = n->end;
	}
}

struct tree *tree_build(const struct profile *p, uint32_t event, unsigned int flags)
{
	struct builder b = { .p = p, .mask = 1023 };
	struct tree *tree = xcalloc(1, sizeof(*tree));

	rank_labels(&b);
	b.slots = xcalloc(b.mask + 1, sizeof(*b.slots));
	b.nodes = array_grow(NULL, &b.cap_nodes, 1, sizeof(*b.nodes));
	b.nodes[0] = (struct node){ .parent = TREE_NONE,
				    .self = profile_self(p, PROFILE_ROOT_STACK, event) };
	b.nr_nodes = 1;
	if (flags & TREE_LEAF_FIRST)
		merge_leaf_first(&b, event);
	else
		merge_root_first(&b, event);
	tree->nodes = xcalloc(b.nr_nodes, sizeof(*tree->nodes));
	emit_tree(&b, tree);
	sum_up(tree);
	free(b.slots);
	free(b.nodes);
	free(b.labels);
	free(b.frame_label);
	return tree;
}

void tree_free(struct tree *tree)
{
	if (!tree)
		return;
	free(tree->nodes);
	free(tree);
}
