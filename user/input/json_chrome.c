// SPDX-License-Identifier: GPL-2.0-only
/*
 * Chrome's trace events: B/E and X events of each thread, nested by time, or the samples
 * and stackFrames of the same format. Several threads stand each below its name, unless
 * flame wrote them.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "input/json.h"
#include "util/mem.h"
#include "util/msg.h"

#define DEPTH_MAX	FRAMES_MAX

/* An event that begins or ends a call. Times in ns. */
struct call {
	size_t thread;		/* index */
	uint64_t at, end;	/* @end: of X */
	size_t order;
	char phase;
	const char *name;
};

struct thread {
	char *pid, *tid, *name;
};

struct open {
	uint32_t stack;
	uint64_t end;		/* UINT64_MAX: until its E */
};

struct chrome {
	struct json_reader *r;
	struct thread *thread;
	size_t nr_threads, cap_threads;
	json_t *index;		/* of threads, by "pid/tid" */
	struct call *call;
	size_t nr_calls, cap_calls;
	struct open *open;
	size_t nr_open, cap_open;
	uint64_t now;
	uint32_t event;
	uint64_t nr_odd;
	bool named;
};

static const json_t *events_of(const json_t *root)
{
	return json_is_array(root) ? root : json_object_get(root, "traceEvents");
}

bool json_is_chrome(const json_t *root)
{
	const json_t *events = events_of(root);

	return json_is_array(events) &&
	       (!json_is_array(root) || json_object_get(json_array_get(events, 0), "ph"));
}

static size_t find_thread(struct chrome *c, const json_t *event)
{
	char pid_buf[32], tid_buf[32];
	const char *pid = json_as_text(json_object_get(event, "pid"), pid_buf, sizeof(pid_buf));
	const char *tid = json_as_text(json_object_get(event, "tid"), tid_buf, sizeof(tid_buf));

	char *key = xasprintf("%s/%s", pid, tid);
	const json_t *known = json_object_get(c->index, key);

	if (!known)
		json_object_set_new(c->index, key, json_integer((json_int_t)c->nr_threads));
	free(key);
	if (known)
		return (size_t)json_integer_value(known);
	c->thread = array_grow(c->thread, &c->cap_threads, c->nr_threads + 1, sizeof(*c->thread));
	c->thread[c->nr_threads] = (struct thread){ .pid = xstrdup(pid), .tid = xstrdup(tid) };
	return c->nr_threads++;
}

/* Microseconds, perhaps with a fraction or as a text, as ns. */
static uint64_t time_of(const json_t *event, const char *key)
{
	double us = json_as_number(json_object_get(event, key), -1);

	return us >= 0 && us < 1e16 ? (uint64_t)(us * 1000 + 0.5) : UINT64_MAX;
}

static void take_name(struct chrome *c, const json_t *event)
{
	const char *what = json_string_value(json_object_get(event, "name"));
	const char *name = json_string_value(json_object_get(json_object_get(event, "args"), "name"));
	size_t thread;

	if (!what || !name || strcmp(what, "thread_name") != 0)
		return;
	thread = find_thread(c, event);
	assert(c->thread);
	free(c->thread[thread].name);
	c->thread[thread].name = xstrdup(name);
}

static bool take_event(struct chrome *c, const json_t *event, size_t order)
{
	const char *phase = json_string_value(json_object_get(event, "ph"));
	uint64_t at = time_of(event, "ts"), length;
	struct call *call;

	if (!phase || !*phase || phase[1])
		return json_wrong(c->r, "trace event %zu has no phase", order);
	if (*phase == 'M') {
		take_name(c, event);
		return true;
	}
	if (!strchr("BEX", *phase))
		return true;
	if (at == UINT64_MAX)
		return json_wrong(c->r, "trace event %zu has no time", order);
	length = *phase == 'X' ? time_of(event, "dur") : 0;
	c->call = array_grow(c->call, &c->cap_calls, c->nr_calls + 1, sizeof(*c->call));
	call = &c->call[c->nr_calls++];
	*call = (struct call){
		.thread = find_thread(c, event), .at = at, .order = order, .phase = *phase,
		.end = length == UINT64_MAX ? at : at + length,
		.name = json_string_value(json_object_get(event, "name")),
	};
	return true;
}

static int compare_calls(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	/* Of calls that begin together the longer one is the caller. */
	if (x->phase == 'X' && y->phase == 'X' && x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool pass_time(struct chrome *c, uint64_t at)
{
	uint64_t passed = at > c->now ? at - c->now : 0;

	c->now = at > c->now ? at : c->now;
	if (!c->nr_open || !passed)
		return true;
	c->r->nr_samples++;
	return input_add(c->r->in, c->open[c->nr_open - 1].stack, c->event, passed, 0);
}

/* Ends the X events whose time is over. */
static bool end_until(struct chrome *c, uint64_t at)
{
	while (c->nr_open && c->open[c->nr_open - 1].end <= at) {
		if (!pass_time(c, c->open[c->nr_open - 1].end))
			return false;
		c->nr_open--;
	}
	return pass_time(c, at);
}

static bool push(struct chrome *c, const char *name, uint64_t end)
{
	uint32_t parent = c->nr_open ? c->open[c->nr_open - 1].stack : PROFILE_ROOT_STACK;
	struct frames *f = &c->r->frames;

	if (c->nr_open == DEPTH_MAX)
		return json_wrong(c->r, "more than %d calls open at a time", DEPTH_MAX);
	f->nr = 0;
	if (!json_add_name(c->r, name, parent == PROFILE_ROOT_STACK, NULL))
		return false;
	c->open = array_grow(c->open, &c->cap_open, c->nr_open + 1, sizeof(*c->open));
	c->open[c->nr_open].stack = frames_push_root_first(f, parent, 0, f->nr);
	c->open[c->nr_open++].end = end;
	f->nr = 0;
	return true;
}

/* NAME, NAME-PID or NAME-PID/TID; without a name the ids. */
static bool push_thread(struct chrome *c, const struct thread *t)
{
	const struct input_options *o = c->r->in->options;
	char *name;
	bool ok;

	if (!c->named || o->no_comm)
		return true;
	if (o->tid || !t->name)
		name = xasprintf("%s%s%s/%s", t->name ? t->name : "", t->name ? "-" : "", t->pid,
				 t->tid);
	else
		name = xasprintf("%s%s%s", t->name, o->pid ? "-" : "", o->pid ? t->pid : "");
	ok = push(c, name, UINT64_MAX);
	free(name);
	return ok;
}

static bool take_call(struct chrome *c, const struct call *call, size_t floor)
{
	if (!end_until(c, call->at))
		return false;
	if (call->phase != 'E')
		return push(c, call->name, call->phase == 'X' ? call->end : UINT64_MAX);
	if (c->nr_open > floor)
		c->nr_open--;
	else
		c->nr_odd++;
	return true;
}

static bool read_calls(struct chrome *c)
{
	for (size_t i = 0; i < c->nr_calls;) {
		size_t thread = c->call[i].thread, floor;

		c->nr_open = 0;
		if (!push_thread(c, &c->thread[thread]))
			return false;
		floor = c->nr_open;
		c->now = UINT64_MAX;
		for (; i < c->nr_calls && c->call[i].thread == thread; i++) {
			/* Between calls nothing is known: that time is the thread's nobody. */
			if (c->nr_open == floor)
				c->now = c->call[i].at;
			if (!take_call(c, &c->call[i], floor))
				return false;
		}
		while (c->nr_open > floor && c->open[c->nr_open - 1].end != UINT64_MAX)
			if (!end_until(c, c->open[c->nr_open - 1].end))
				return false;
		c->nr_odd += c->nr_open - floor;
	}
	return true;
}

/* ---- samples and stackFrames --------------------------------------------------- */

static const json_t *stack_frame(const json_t *frames, const json_t *id)
{
	char buf[32];

	return json_object_get(frames, json_as_text(id, buf, sizeof(buf)));
}

static bool read_sample(struct chrome *c, const json_t *frames, const json_t *sample)
{
	struct frames *f = &c->r->frames;
	const size_t thread = find_thread(c, sample);
	const json_t *frame = stack_frame(frames, json_object_get(sample, "sf"));
	const json_t *weight = json_object_get(sample, "weight");
	json_t *number;
	uint64_t value;
	bool ok;

	number = json_real(json_as_number(weight, 1));
	ok = json_as_weight(c->r, number, 1, &value);
	json_decref(number);
	if (!ok)
		return false;
	f->nr = 0;
	for (; frame; frame = stack_frame(frames, json_object_get(frame, "parent")))
		if (!json_add_name(c->r, json_string_value(json_object_get(frame, "name")), false,
				   NULL))
			return false;
	if (c->named && !c->r->in->options->no_comm &&
	    !json_add_name(c->r, c->thread[thread].name ? c->thread[thread].name :
							     c->thread[thread].tid, true, NULL))
		return false;
	for (size_t i = 0; i < f->nr / 2; i++) {
		uint32_t swap = f->frame[i];

		f->frame[i] = f->frame[f->nr - 1 - i];
		f->frame[f->nr - 1 - i] = swap;
	}
	return json_add_root_first(c->r, c->event, value);
}

static bool read_samples(struct chrome *c, const json_t *root)
{
	const json_t *samples = json_object_get(root, "samples");
	const json_t *frames = json_object_get(root, "stackFrames");

	for (size_t i = 1; i < json_array_size(samples); i++)
		c->named |= find_thread(c, json_array_get(samples, i)) !=
			    find_thread(c, json_array_get(samples, 0));
	c->event = profile_event(c->r->in->profile, "", "samples");
	for (size_t i = 0; i < json_array_size(samples); i++)
		if (!read_sample(c, frames, json_array_get(samples, i)))
			return false;
	return true;
}

static bool read_events(struct chrome *c, const json_t *root)
{
	const json_t *events = events_of(root);
	size_t threads = 0;

	for (size_t i = 0; i < json_array_size(events); i++)
		if (!take_event(c, json_array_get(events, i), i))
			return false;
	if (json_is_array(json_object_get(root, "samples")))
		return read_samples(c, root);
	if (c->nr_calls)
		qsort(c->call, c->nr_calls, sizeof(*c->call), compare_calls);
	for (size_t i = 0; i < c->nr_calls; i++)
		threads += !i || c->call[i].thread != c->call[i - 1].thread;
	c->named = threads > 1 &&
		   !json_is_string(json_object_get(json_object_get(root, "otherData"), "flame"));
	c->event = profile_event(c->r->in->profile, "", "ns");
	return read_calls(c);
}

bool json_read_chrome(struct json_reader *r, const json_t *root)
{
	struct chrome c = { .r = r, .index = json_object() };
	bool ok = read_events(&c, root);

	if (c.nr_odd)
		msg_warn("%s: %llu begin or end events without the other half", r->in->name,
			 (unsigned long long)c.nr_odd);
	for (size_t i = 0; i < c.nr_threads; i++) {
		free(c.thread[i].pid);
		free(c.thread[i].tid);
		free(c.thread[i].name);
	}
	json_decref(c.index);
	free(c.thread);
	free(c.call);
	free(c.open);
	return ok;
}
