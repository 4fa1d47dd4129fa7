/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tree that renderers walk: stacks merged frame by frame (same name and kind: same
 * box), children sorted bytewise by name, nodes in preorder. Siblings `foo` and
 * `foo.cold` never split each other, because whole lines are never sorted.
 */
#ifndef FLAME_TREE_H
#define FLAME_TREE_H

#include "profile/profile.h"

#define TREE_NONE	UINT32_MAX

/**
 * struct tree_node - a box
 * @name: without annotation; "" for the root node
 * @object: of the first frame merged into it, "" if unknown
 * @kind: of the frame
 * @depth: 0 for the root node, whose children are the first frames
 * @parent: node index, TREE_NONE for the root
 * @end: index after the last node of this subtree: node + 1 == end means no children;
 *	 the first child is node + 1, its next sibling is nodes[node + 1].end, and so on
 * @self: value of stacks that end here
 * @total: @self and that of the whole subtree
 */
struct tree_node {
	const char *name;
	const char *object;
	enum frame_kind kind;
	uint32_t depth;
	uint32_t parent;
	uint32_t end;
	uint64_t self;
	uint64_t total;
};

struct tree {
	struct tree_node *nodes;	/* nodes[0] is the root: total of the profile */
	uint32_t nr;
	uint32_t max_depth;		/* of a node */
};

enum tree_flags {
	TREE_LEAF_FIRST	= 1 << 0,	/* stacks turned round: merged from the leaf */
};

/*
 * Builds the tree of one event. @p must outlive it (names point into it). A stack of
 * no frames weighs on the root node alone. Free with tree_free().
 */
struct tree *tree_build(const struct profile *p, uint32_t event, unsigned int flags);
void tree_free(struct tree *tree);

#endif /* FLAME_TREE_H */
