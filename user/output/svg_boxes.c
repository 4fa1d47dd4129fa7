// SPDX-License-Identifier: GPL-2.0-only
/*
 * Layout of flame graphs and flame charts. One pass over the tree or the samples;
 * memory is that of the boxes kept, not of the input. It never recurses: stacks can be
 * thousands of frames deep.
 */
#include <stdlib.h>
#include <string.h>
#include "output/svg_boxes.h"
#include "util/mem.h"

void svg_boxes_free(struct svg_boxes *boxes)
{
	free(boxes->box);
	memset(boxes, 0, sizeof(*boxes));
}

static void add_box(struct svg_boxes *boxes, const struct svg_box *box)
{
	boxes->box = array_grow(boxes->box, &boxes->cap, boxes->nr + 1, sizeof(*boxes->box));
	boxes->box[boxes->nr++] = *box;
	if (box->depth > boxes->max_depth)
		boxes->max_depth = box->depth;
}

/* A child that waits for its place: @tail is what follows its name in a folded line. */
struct sibling {
	const char *name;
	const char *tail;
	uint64_t weight;	/* by which to sort first; 0 for all where names decide */
	uint32_t node;
	uint32_t like[2];	/* its like in the trees to compare, TREE_NONE: there is none */
};

struct pending {
	uint32_t node;
	uint32_t like[2];
	uint64_t x;
};

enum { BEFORE, AFTER };

struct graph {
	const struct tree *tree;
	const struct tree *compared[2];
	enum svg_sort sort;
	double min;
	struct sibling *siblings;
	size_t siblings_cap;
	struct pending *stack;
	size_t stack_nr;
	size_t stack_cap;
};

/*
 * flamegraph.pl sorts whole lines, so behind a frame's name its annotation takes part,
 * and then the ';' before the next frame or the ' ' before the count. Following that
 * keeps our boxes where its users know them; but here a frame has one place only, by the
 * first of its lines, and is never split in two.
 */
static const char *line_tail(const struct tree_node *node, bool leaf)
{
	static const char * const tails[][2] = {
		[FRAME_USER] = { ";", " " },
		[FRAME_COMM] = { ";", " " },
		[FRAME_SPECIAL] = { ";", " " },
		[FRAME_KERNEL] = { "_[k];", "_[k] " },
		[FRAME_INLINED] = { "_[i];", "_[i] " },
		[FRAME_JIT] = { "_[j];", "_[j] " },
		[FRAME_WAKER] = { "_[w];", "_[w] " },
	};

	return tails[node->kind][leaf];
}

static int compare_siblings(const void *pa, const void *pb)
{
	const struct sibling *a = pa, *b = pb;
	const char *s = a->name, *t = b->name;
	bool s_tail = false, t_tail = false;

	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	for (;;) {
		if (!*s && !s_tail) {
			s = a->tail;
			s_tail = true;
		}
		if (!*t && !t_tail) {
			t = b->tail;
			t_tail = true;
		}
		if (*s != *t)
			return (unsigned char)*s < (unsigned char)*t ? -1 : 1;
		if (!*s)
			return (a->node > b->node) - (a->node < b->node);
		s++;
		t++;
	}
}

/* Children of all trees come in this order, so that one walk finds all pairs. */
static int compare_nodes(const struct tree_node *a, const struct tree_node *b)
{
	int order = strcmp(a->name, b->name);

	return order ? order : (int)a->kind - (int)b->kind;
}

/* Siblings of a tree to compare, @at the next one to look at. */
struct likes {
	const struct tree *tree;
	uint32_t at, end;
};

static struct likes children_of(const struct tree *tree, uint32_t node)
{
	if (node == TREE_NONE)
		return (struct likes){ tree, 0, 0 };
	return (struct likes){ tree, node + 1, tree->nodes[node].end };
}

/* The like of @node, or TREE_NONE. To be asked in the order of siblings. */
static uint32_t find_like(struct likes *l, const struct tree_node *node)
{
	while (l->at < l->end && compare_nodes(&l->tree->nodes[l->at], node) < 0)
		l->at = l->tree->nodes[l->at].end;
	if (l->at < l->end && !compare_nodes(&l->tree->nodes[l->at], node))
		return l->at;
	return TREE_NONE;
}

/* Fills graph->siblings with the children of @parent, sorted; returns how many. */
static size_t sort_children(struct graph *g, const struct pending *parent)
{
	const struct tree_node *nodes = g->tree->nodes;
	uint32_t index = parent->node;
	uint32_t end = nodes[index].end;
	struct likes before = children_of(g->compared[BEFORE], parent->like[BEFORE]);
	struct likes after = children_of(g->compared[AFTER], parent->like[AFTER]);
	size_t nr = 0;
	bool sorted = true;

	for (uint32_t child = index + 1; child < end; child = nodes[child].end) {
		bool leaf = nodes[child].self || nodes[child].end == child + 1;
		struct sibling *s;

		g->siblings = array_grow(g->siblings, &g->siblings_cap, nr + 1,
					 sizeof(*g->siblings));
		s = &g->siblings[nr++];
		s->name = nodes[child].name;
		s->tail = line_tail(&nodes[child], leaf);
		s->weight = g->sort == SORT_WIDTH ? nodes[child].total : 0;
		s->node = child;
		s->like[BEFORE] = find_like(&before, &nodes[child]);
		s->like[AFTER] = find_like(&after, &nodes[child]);
		if (nr > 1 && sorted)
			sorted = compare_siblings(s - 1, s) < 0;
	}
	if (!sorted)
		qsort(g->siblings, nr, sizeof(*g->siblings), compare_siblings);
	return nr;
}

/* Gives the children of @parent their places; returns whether one is left out. */
static bool place_children(struct graph *g, const struct pending *parent)
{
	const struct tree_node *nodes = g->tree->nodes;
	size_t nr = sort_children(g, parent);
	size_t kept = 0;
	bool pruned = false;
	uint64_t x = parent->x + nodes[parent->node].total;

	g->stack = array_grow(g->stack, &g->stack_cap, g->stack_nr + nr, sizeof(*g->stack));
	/* From right to left: the leftmost is then on top of the stack and comes next. */
	for (size_t i = nr; i-- > 0;) {
		const struct sibling *s = &g->siblings[i];
		const struct tree_node *child = &nodes[s->node];

		x -= child->total;
		if ((double)child->total < g->min || !child->total) {
			pruned = true;
			continue;
		}
		g->stack[g->stack_nr + kept++] = (struct pending){
			s->node, { s->like[BEFORE], s->like[AFTER] }, x,
		};
	}
	g->stack_nr += kept;
	return pruned;
}

/*
 * What a box is compared by; 0 where it has no like. One that has none in both trees
 * stands for what has vanished (see svg_diff.h), and is as wide as that was.
 */
static void compare_box(struct svg_box *box, const struct graph *g, const uint32_t *like)
{
	uint64_t self[2] = { 0 }, total[2] = { 0 };

	if (!g->compared[BEFORE] || !g->compared[AFTER])
		return;
	if (like[BEFORE] == TREE_NONE && like[AFTER] == TREE_NONE)
		total[BEFORE] = box->total;

	for (int i = BEFORE; i <= AFTER; i++) {
		if (like[i] == TREE_NONE)
			continue;
		self[i] = g->compared[i]->nodes[like[i]].self;
		total[i] = g->compared[i]->nodes[like[i]].total;
	}
	box->delta = (int64_t)(self[AFTER] - self[BEFORE]);
	box->before = total[BEFORE];
	box->after = total[AFTER];
}

void svg_boxes_graph(struct svg_boxes *boxes, const struct tree *tree,
		     const struct tree *before, const struct tree *after,
		     enum svg_sort sort, double min)
{
	struct graph g = { .tree = tree, .compared = { before, after }, .sort = sort, .min = min };

	memset(boxes, 0, sizeof(*boxes));
	g.stack = array_grow(NULL, &g.stack_cap, 1, sizeof(*g.stack));
	g.stack[g.stack_nr++] = (struct pending){
		0, { before ? 0 : TREE_NONE, after ? 0 : TREE_NONE }, 0,
	};
	while (g.stack_nr) {
		struct pending next = g.stack[--g.stack_nr];
		const struct tree_node *node = &tree->nodes[next.node];
		struct svg_box box = {
			.name = node->name,
			.kind = next.node ? node->kind : FRAME_SPECIAL,
			.depth = node->depth,
			.x = next.x,
			.total = node->total,
			.self = node->self,
		};

		compare_box(&box, &g, next.like);
		box.pruned = place_children(&g, &next);
		add_box(boxes, &box);
	}
	free(g.siblings);
	free(g.stack);
}

/*
 * A chart as it grows: open[0..depth] are the boxes of the newest sample, by index.
 * Boxes are added when they open, so they are in preorder; those too narrow are only
 * known when they close and are taken out at the end.
 */
struct chart {
	const struct profile *p;
	struct svg_boxes *boxes;
	uint32_t *frames;	/* of the sample in hand, root first */
	size_t frames_cap;
	size_t *open;
	size_t open_nr;
	size_t open_cap;
};

static size_t load_frames(struct chart *c, uint32_t stack, bool leaf_first)
{
	size_t nr = 0;

	for (uint32_t s = stack; s != PROFILE_ROOT_STACK; s = profile_stack_parent(c->p, s)) {
		c->frames = array_grow(c->frames, &c->frames_cap, nr + 1, sizeof(*c->frames));
		c->frames[nr++] = profile_stack_frame(c->p, s);
	}
	if (leaf_first)
		return nr;
	for (size_t i = 0; i < nr / 2; i++) {
		uint32_t frame = c->frames[i];

		c->frames[i] = c->frames[nr - 1 - i];
		c->frames[nr - 1 - i] = frame;
	}
	return nr;
}

static void open_box(struct chart *c, const char *name, enum frame_kind kind, uint64_t x)
{
	struct svg_box box = {
		.name = name,
		.kind = kind,
		.depth = (uint32_t)c->open_nr,
		.x = x,
	};

	c->open = array_grow(c->open, &c->open_cap, c->open_nr + 1, sizeof(*c->open));
	c->open[c->open_nr++] = c->boxes->nr;
	add_box(c->boxes, &box);
}

static void add_to_chart(struct chart *c, uint64_t x, uint64_t value, size_t nr)
{
	size_t same = 0;

	while (same < nr && same + 1 < c->open_nr) {
		const struct svg_box *box = &c->boxes->box[c->open[same + 1]];
		const struct profile_frame *frame = profile_frame_at(c->p, c->frames[same]);

		if (box->kind != frame->kind || strcmp(box->name, profile_text(c->p, frame->name)))
			break;
		same++;
	}
	c->open_nr = same + 1;
	for (; same < nr; same++) {
		const struct profile_frame *frame = profile_frame_at(c->p, c->frames[same]);

		open_box(c, profile_text(c->p, frame->name), frame->kind, x);
	}
	for (size_t i = 0; i < c->open_nr; i++)
		c->boxes->box[c->open[i]].total += value;
	c->boxes->box[c->open[c->open_nr - 1]].self += value;
}

static void prune(struct svg_boxes *boxes, double min)
{
	size_t kept = 0;
	size_t parent = 0;	/* the newest box kept that is lower than the one in hand */

	boxes->max_depth = 0;
	for (size_t i = 0; i < boxes->nr; i++) {
		struct svg_box *box = &boxes->box[i];

		if (i && ((double)box->total < min || !box->total)) {
			while (boxes->box[parent].depth >= box->depth)
				parent--;
			/* What hangs on a box left out is narrower still. */
			if (boxes->box[parent].depth + 1 == box->depth)
				boxes->box[parent].pruned = true;
			continue;
		}
		if (box->depth > boxes->max_depth)
			boxes->max_depth = box->depth;
		parent = kept;
		boxes->box[kept++] = *box;
	}
	boxes->nr = kept;
}

void svg_boxes_chart(struct svg_boxes *boxes, const struct profile *p, uint32_t event,
		     bool leaf_first, double min)
{
	struct chart c = { .p = p, .boxes = boxes };
	size_t nr = profile_nr_samples(p);
	uint64_t x = 0;

	memset(boxes, 0, sizeof(*boxes));
	open_box(&c, "", FRAME_SPECIAL, 0);
	for (size_t i = 0; i < nr; i++) {
		const struct profile_sample *sample = profile_sample_at(p, i);

		if (sample->event != event)
			continue;
		add_to_chart(&c, x, sample->value, load_frames(&c, sample->stack, leaf_first));
		x += sample->value;
	}
	prune(boxes, min);
	free(c.frames);
	free(c.open);
}
