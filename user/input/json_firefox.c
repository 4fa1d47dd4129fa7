// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Firefox Profiler's processed format, of any version whose tables are columns: those
 * with tables in each thread and those (from 55) with tables in `shared`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "input/json.h"
#include "util/mem.h"

/* The columns that lead from a sample to a name. */
struct tables {
	const json_t *frame, *prefix;	/* of stackTable */
	const json_t *func;		/* of frameTable */
	const json_t *name;		/* of funcTable */
	const json_t *strings;
};

bool json_is_firefox(const json_t *root)
{
	return json_is_object(json_object_get(root, "meta")) &&
	       json_is_array(json_object_get(root, "threads"));
}

static const json_t *table(const json_t *thread, const json_t *shared, const char *name)
{
	const json_t *t = json_object_get(thread, name);

	return t ? t : json_object_get(shared, name);
}

static bool find_tables(const json_t *thread, const json_t *shared, struct tables *t)
{
	t->frame = json_object_get(table(thread, shared, "stackTable"), "frame");
	t->prefix = json_object_get(table(thread, shared, "stackTable"), "prefix");
	t->func = json_object_get(table(thread, shared, "frameTable"), "func");
	t->name = json_object_get(table(thread, shared, "funcTable"), "name");
	t->strings = table(thread, shared, "stringArray");
	if (!t->strings)
		t->strings = table(thread, shared, "stringTable");
	return json_is_array(t->frame) && json_is_array(t->prefix) && json_is_array(t->func) &&
	       json_is_array(t->name) && json_is_array(t->strings);
}

static const char *name_of_stack(const struct tables *t, size_t stack)
{
	long long frame = json_as_index(json_array_get(t->frame, stack), json_array_size(t->func));
	long long func, name;

	if (frame < 0)
		return NULL;
	func = json_as_index(json_array_get(t->func, (size_t)frame), json_array_size(t->name));
	if (func < 0)
		return NULL;
	name = json_as_index(json_array_get(t->name, (size_t)func), json_array_size(t->strings));
	return name < 0 ? NULL : json_string_value(json_array_get(t->strings, (size_t)name));
}

/* The frames of a stack, root first, below @root. */
static bool add_stack(struct json_reader *r, const struct tables *t, const json_t *index,
		      const char *root)
{
	size_t nr_stacks = json_array_size(t->frame), first, nr = 0;
	long long stack = json_as_index(index, nr_stacks);

	if (root && !json_add_name(r, root, true, NULL))
		return false;
	first = r->frames.nr;
	for (; stack >= 0; nr++) {
		long long parent = json_as_index(json_array_get(t->prefix, (size_t)stack), nr_stacks);

		if (!json_add_name(r, name_of_stack(t, (size_t)stack), !first && parent < 0, NULL))
			return false;
		/* Parents stand before their children, or the table has a circle. */
		if (parent >= stack)
			return json_wrong(r, "stack %lld has a parent that stands behind it", stack);
		stack = parent;
	}
	for (size_t i = 0; i < nr / 2; i++) {
		uint32_t swap = r->frames.frame[first + i];

		r->frames.frame[first + i] = r->frames.frame[first + nr - 1 - i];
		r->frames.frame[first + nr - 1 - i] = swap;
	}
	return true;
}

static bool read_thread(struct json_reader *r, const json_t *thread, const json_t *shared,
			const char *root)
{
	const json_t *samples = json_object_get(thread, "samples");
	const json_t *stacks = json_object_get(samples, "stack");
	const json_t *weights = json_object_get(samples, "weight");
	const char *type = json_string_value(json_object_get(samples, "weightType"));
	bool ms = type && !strcmp(type, "tracing-ms");
	struct tables t;
	uint32_t event;

	if (!json_array_size(stacks))
		return true;
	if (!find_tables(thread, shared, &t))
		return json_wrong(r, "a thread without its stack, frame, func or string table");
	event = profile_event(r->in->profile, "", ms ? "ns" : type && !strcmp(type, "bytes") ?
			      "bytes" : "samples");
	for (size_t i = 0; i < json_array_size(stacks); i++) {
		uint64_t weight = 1;

		if (json_is_array(weights) &&
		    !json_as_weight(r, json_array_get(weights, i), ms ? 1e6 : 1, &weight))
			return false;
		if (!add_stack(r, &t, json_array_get(stacks, i), root) ||
		    !json_add_root_first(r, event, weight))
			return false;
	}
	return true;
}

/* NAME, NAME-PID or NAME-PID/TID: what a thread's stacks are below. */
static char *thread_name(const struct input_options *o, const json_t *thread)
{
	const char *name = json_string_value(json_object_get(thread, "name"));
	char pid[32], tid[32];

	if (!name)
		name = "[unknown]";
	if (o->tid)
		return xasprintf("%s-%s/%s", name,
				 json_as_text(json_object_get(thread, "pid"), pid, sizeof(pid)),
				 json_as_text(json_object_get(thread, "tid"), tid, sizeof(tid)));
	if (o->pid)
		return xasprintf("%s-%s", name,
				 json_as_text(json_object_get(thread, "pid"), pid, sizeof(pid)));
	return xstrdup(name);
}

bool json_read_firefox(struct json_reader *r, const json_t *root)
{
	const json_t *threads = json_object_get(root, "threads");
	const char *product = json_string_value(json_object_get(json_object_get(root, "meta"),
								"product"));
	/* Of ours, and of a single thread, the stacks say it themselves. */
	bool named = json_array_size(threads) > 1 && !(product && !strcmp(product, "flame"));

	for (size_t i = 0; i < json_array_size(threads); i++) {
		const json_t *thread = json_array_get(threads, i);
		char *name = named && !r->in->options->no_comm ?
			     thread_name(r->in->options, thread) : NULL;
		bool ok = read_thread(r, thread, json_object_get(root, "shared"), name);

		free(name);
		if (!ok)
			return false;
	}
	return true;
}
