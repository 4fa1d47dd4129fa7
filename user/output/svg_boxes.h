/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Layout: which boxes a picture has and where they lie, in the unit of the profile. The
 * two orders are a flame graph (siblings merged and sorted) and a flame chart (time runs
 * from left to right). It knows no pixels, colours or file formats.
 */
#ifndef FLAME_SVG_BOXES_H
#define FLAME_SVG_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "profile/profile.h"
#include "profile/tree.h"

/**
 * struct svg_box - a box to draw
 * @name: without annotation, "" for the root
 * @kind: of the frame
 * @depth: 0 for the root
 * @x: where it begins
 * @total: its width
 * @self: what of @total no frame above it accounts for
 * @delta: change of what the frame weighs itself; 0 where nothing is compared
 * @before: what it and all above it weighed before
 * @after: what they weigh after that
 * @pruned: a child was too narrow to be kept
 */
struct svg_box {
	const char *name;
	enum frame_kind kind;
	uint32_t depth;
	bool pruned;
	uint64_t x;
	uint64_t total;
	uint64_t self;
	int64_t delta;
	uint64_t before;
	uint64_t after;
};

/**
 * struct svg_boxes - all boxes, in preorder, from left to right
 * @max_depth: of a box that was kept
 */
struct svg_boxes {
	struct svg_box *box;
	size_t nr;
	size_t cap;
	uint32_t max_depth;
};

enum svg_sort {
	SORT_NAME,
	SORT_WIDTH,		/* the widest sibling first, equal ones by name */
};

/*
 * Lays out @tree as a flame graph. What a frame weighs itself lies left of its children,
 * and these are sorted as flamegraph.pl's lines would be (see svg_boxes.c). Boxes
 * narrower than @min are left out with all above them; the root stays. @before and @after
 * are the trees to compare, or NULL; one of them may be @tree.
 */
void svg_boxes_graph(struct svg_boxes *boxes, const struct tree *tree,
		     const struct tree *before, const struct tree *after,
		     enum svg_sort sort, double min);

/*
 * Lays out the samples of @event in their order as a flame chart: neighbours that begin
 * alike share boxes. @leaf_first turns the stacks round.
 */
void svg_boxes_chart(struct svg_boxes *boxes, const struct profile *p, uint32_t event,
		     bool leaf_first, double min);

void svg_boxes_free(struct svg_boxes *boxes);

#endif /* FLAME_SVG_BOXES_H */
