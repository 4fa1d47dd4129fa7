// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree that d3-flame-graph draws: {name, value, children}, with `libtype` for its
 * colours.
 */
#include <stdlib.h>
#include "output/export.h"
#include "output/json.h"
#include "profile/tree.h"
#include "util/mem.h"

/* What its colour mapper knows. */
static const char *libtype(enum frame_kind kind)
{
	switch (kind) {
	case FRAME_KERNEL:
		return "kernel";
	case FRAME_INLINED:
		return "inlined";
	case FRAME_JIT:
		return "jit";
	default:
		return "user";
	}
}

static void open_node(struct json *j, const struct tree_node *n, bool annotate)
{
	char *name = xasprintf("%s%s", n->name, annotate ? frame_annotation(n->kind) : "");

	json_open(j, '{');
	json_key_string(j, "name", n->parent == TREE_NONE ? "root" : name);
	json_key_u64(j, "value", n->total);
	if (n->parent != TREE_NONE)
		json_key_string(j, "libtype", libtype(n->kind));
	free(name);
}

static bool write_d3(FILE *fp, const struct profile *p, const struct export_options *o)
{
	struct json j = { .fp = fp };
	struct tree *tree = tree_build(p, o->event, 0);

	/* Nodes come in preorder: before each, all that do not hold it are closed. */
	for (uint32_t i = 0; i < tree->nr; i++) {
		const struct tree_node *n = &tree->nodes[i];

		if (i)
			json_newline(&j);
		open_node(&j, n, o->annotate);
		if (n->end > i + 1) {
			json_key(&j, "children");
			json_open(&j, '[');
			continue;
		}
		json_close(&j, '}');
		for (uint32_t at = n->parent; at != TREE_NONE && tree->nodes[at].end == i + 1;
		     at = tree->nodes[at].parent) {
			json_close(&j, ']');
			json_close(&j, '}');
		}
	}
	putc('\n', fp);
	tree_free(tree);
	return true;
}

const struct export_format export_d3 = {
	.name = "d3",
	.rounds = true,
	.max = EXPORT_MAX_DOUBLE,
	.write = write_d3,
};
