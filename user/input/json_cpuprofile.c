// SPDX-License-Identifier: GPL-2.0-only
/*
 * V8's .cpuprofile: a tree of nodes, the node of each sample, and the time between the
 * samples. A sample lasts until the next one.
 */
#include <stdlib.h>
#include <string.h>
#include "input/json.h"
#include "util/mem.h"

struct node {
	long long id;
	const json_t *json;
	size_t parent;		/* index; the node's own: none */
};

struct tree {
	struct node *node;
	size_t nr;
};

bool json_is_cpuprofile(const json_t *root)
{
	const json_t *first = json_array_get(json_object_get(root, "nodes"), 0);

	return json_is_object(json_object_get(first, "callFrame"));
}

static int compare_nodes(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static struct node *find_node(const struct tree *t, const json_t *id)
{
	const struct node key = { .id = json_integer_value(id) };

	return json_is_integer(id) ? bsearch(&key, t->node, t->nr, sizeof(key), compare_nodes) : NULL;
}

static bool read_tree(struct json_reader *r, const json_t *nodes, struct tree *t)
{
	t->nr = json_array_size(nodes);
	t->node = xcalloc(t->nr, sizeof(*t->node));
	for (size_t i = 0; i < t->nr; i++) {
		t->node[i].json = json_array_get(nodes, i);
		t->node[i].id = json_integer_value(json_object_get(t->node[i].json, "id"));
	}
	qsort(t->node, t->nr, sizeof(*t->node), compare_nodes);
	for (size_t i = 0; i < t->nr; i++)
		t->node[i].parent = i;
	for (size_t i = 0; i < t->nr; i++) {
		const json_t *children = json_object_get(t->node[i].json, "children");
		const struct node *parent = find_node(t, json_object_get(t->node[i].json, "parent"));

		if (parent)
			t->node[i].parent = (size_t)(parent - t->node);
		for (size_t k = 0; k < json_array_size(children); k++) {
			struct node *child = find_node(t, json_array_get(children, k));

			if (!child)
				return json_wrong(r, "node %lld has a child that is not there",
						  t->node[i].id);
			child->parent = i;
		}
	}
	return true;
}

/* The frames of a node, root first; "(root)" itself is none. */
static bool add_node(struct json_reader *r, const struct tree *t, const struct node *node)
{
	size_t i = (size_t)(node - t->node), depth = 0;

	for (;; depth++) {
		const json_t *call = json_object_get(t->node[i].json, "callFrame");
		const char *name = json_string_value(json_object_get(call, "functionName"));

		if (depth > t->nr)
			return json_wrong(r, "node %lld is its own parent", t->node[i].id);
		if ((!name || strcmp(name, "(root)") != 0) &&
		    !json_add_name(r, name && *name ? name : "(anonymous)", false,
				   json_string_value(json_object_get(call, "url"))))
			return false;
		if (t->node[i].parent == i)
			break;
		i = t->node[i].parent;
	}
	for (i = 0; i < r->frames.nr / 2; i++) {
		uint32_t swap = r->frames.frame[i];

		r->frames.frame[i] = r->frames.frame[r->frames.nr - 1 - i];
		r->frames.frame[r->frames.nr - 1 - i] = swap;
	}
	return true;
}

/* Microseconds from the sample to the next, or to the end. */
static uint64_t sample_time(const json_t *root, const json_t *deltas, size_t i, size_t nr,
			    double *passed)
{
	double delta;

	*passed += json_as_number(json_array_get(deltas, i), 0);
	if (i + 1 < nr)
		delta = json_as_number(json_array_get(deltas, i + 1), 0);
	else
		delta = json_as_number(json_object_get(root, "endTime"), 0) -
			json_as_number(json_object_get(root, "startTime"), 0) - *passed;
	/* Clocks of several threads: a sample may seem to come before the last. */
	return delta > 0 && delta < 1e15 ? (uint64_t)(delta + 0.5) : 0;
}

static bool read_samples(struct json_reader *r, const struct tree *t, const json_t *root)
{
	const json_t *samples = json_object_get(root, "samples");
	const json_t *deltas = json_object_get(root, "timeDeltas");
	size_t nr = json_array_size(samples);
	uint32_t event = profile_event(r->in->profile, "", r->in->options->count ? "samples" : "µs");
	double passed = 0;

	if (json_array_size(deltas) != nr)
		return json_wrong(r, "%zu samples but %zu timeDeltas", nr, json_array_size(deltas));
	for (size_t i = 0; i < nr; i++) {
		const struct node *node = find_node(t, json_array_get(samples, i));

		if (!node)
			return json_wrong(r, "sample %zu is of a node that is not there", i);
		if (!add_node(r, t, node) ||
		    !json_add_root_first(r, event, sample_time(root, deltas, i, nr, &passed)))
			return false;
	}
	return true;
}

static bool read_hits(struct json_reader *r, const struct tree *t)
{
	uint32_t event = profile_event(r->in->profile, "", "samples");

	for (size_t i = 0; i < t->nr; i++) {
		const json_t *hits = json_object_get(t->node[i].json, "hitCount");

		if (json_integer_value(hits) <= 0)
			continue;
		if (!add_node(r, t, &t->node[i]) ||
		    !json_add_root_first(r, event, (uint64_t)json_integer_value(hits)))
			return false;
	}
	return true;
}

bool json_read_cpuprofile(struct json_reader *r, const json_t *root)
{
	struct tree t;
	bool ok;

	if (!read_tree(r, json_object_get(root, "nodes"), &t))
		ok = false;
	else if (json_object_get(root, "timeDeltas"))
		ok = read_samples(r, &t, root);
	else
		ok = read_hits(r, &t);
	free(t.node);
	return ok;
}
