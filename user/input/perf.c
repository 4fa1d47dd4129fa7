// SPDX-License-Identifier: GPL-2.0-only
/*
 * `perf script` text: samples of any field set, one after the other. Only the frames of
 * one sample are held at a time.
 */
#include <stdlib.h>
#include <string.h>
#include "input/input.h"
#include "input/lines.h"
#include "input/perf_line.h"
#include "input/perf_stack.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/text.h"

#define WHAT		"a line of perf script"
#define EVENTS_MAX	256

/* An event that samples name: counted, or left out. */
struct event {
	char *name;
	size_t len;
	uint64_t samples;
	bool left_out;
};

struct perf {
	struct lines lines;
	struct perf_stack *stack;
	struct event *events;
	size_t nr_events, cap_events;
	struct event *last_event;	/* of the sample being read */
	bool in_sample;
	struct profile_sample sample;	/* being read */
	uint64_t first_time;
	uint32_t roots[2];		/* its event, its thread */
	uint64_t nr_samples;
	char *scratch;
	size_t cap_scratch;
};

static bool is_sample_of(struct text wanted, struct text event)
{
	struct text base = perf_event_base(event);

	/* A modifier that was asked for must be there; one that was not may be. */
	return (wanted.len == event.len && !memcmp(wanted.s, event.s, event.len)) ||
	       (wanted.len == base.len && !memcmp(wanted.s, base.s, base.len));
}

/* Periods of clocks are ns, those of counters are what they count. */
static const char *unit_of(struct text base, bool period)
{
	static char unit[64];

	if (!period)
		return "samples";
	if (ends_with(base.s, base.len, "cpu-clock") || ends_with(base.s, base.len, "task-clock"))
		return "ns";
	if (!base.len || base.len >= sizeof(unit) || memchr(base.s, ':', base.len))
		return "events";
	memcpy(unit, base.s, base.len);
	unit[base.len] = '\0';
	return unit;
}

static bool is_wanted(const struct perf *r, const struct input_options *o, struct text event)
{
	const struct event *first = r->events;

	if (o->event)
		return !strcmp(o->event, "all") ||
		       is_sample_of((struct text){ o->event, strlen(o->event) }, event);
	return !r->nr_events ||
	       is_sample_of(perf_event_base((struct text){ first->name, first->len }), event);
}

static bool all_events(const struct input *in)
{
	return in->options->event && !strcmp(in->options->event, "all");
}

/* The profile's only event goes by the first name that is met. */
static void name_profile_event(struct input *in, struct text name, bool period)
{
	struct text base = perf_event_base(name);
	char *text;

	if (profile_nr_events(in->profile))
		return;
	text = all_events(in) ? xstrdup("all") : xstrndup(base.s, base.len);
	profile_event(in->profile, text, all_events(in) ? "events" : unit_of(base, period));
	free(text);
}

/* The entry of the event a header names. */
static struct event *find_event(struct input *in, struct text name, bool period)
{
	struct perf *r = in->state;
	struct event *e;

	for (size_t i = 0; i < r->nr_events; i++) {
		e = &r->events[i];
		if (e->len == name.len && !memcmp(e->name, name.s, name.len))
			return e;
	}
	/* An input that names ever new events must not take ever more time and memory. */
	if (r->nr_events == EVENTS_MAX)
		return &r->events[EVENTS_MAX - 1];
	r->events = array_grow(r->events, &r->cap_events, r->nr_events + 1, sizeof(*r->events));
	e = &r->events[r->nr_events];
	*e = (struct event){ .len = name.len, .left_out = !is_wanted(r, in->options, name) };
	if (!e->left_out)
		name_profile_event(in, name, period && !in->options->count);
	e->name = xstrndup(name.s, name.len);
	r->nr_events++;
	return e;
}

static bool end_sample(struct input *in)
{
	struct perf *r = in->state;
	struct profile_sample *sample = &r->sample;

	if (!r->in_sample)
		return true;
	r->in_sample = false;
	r->last_event->samples++;
	if (r->last_event->left_out)
		return true;
	sample->stack = perf_stack_end(r->stack, r->roots);
	r->nr_samples++;
	if (in->options->keep_samples ? profile_add_sample(in->profile, sample) :
	    profile_add(in->profile, sample->stack, sample->event, sample->value))
		return true;
	msg_error("%s:%llu: the values up to here add up to more than 2^64 - 1", in->name,
		  (unsigned long long)r->lines.number);
	return false;
}

/* COMM, COMM-PID or COMM-PID/TID, as stackcollapse-perf.pl writes them. */
static uint32_t root_frame(struct input *in, const struct perf_header *h, size_t comm)
{
	const struct input_options *o = in->options;
	struct perf *r = in->state;
	struct profile_frame frame = { .offset = PROFILE_NO_OFFSET, .kind = FRAME_COMM };
	struct text pid = h->pid.s ? h->pid : (struct text){ "?", 1 };
	size_t n = comm;

	if (o->no_comm)
		n = 0;
	if ((o->pid || o->tid) && h->tid.s) {
		if (n)
			r->scratch[n++] = '-';
		memcpy(r->scratch + n, pid.s, pid.len);
		n += pid.len;
	}
	if (o->tid && h->tid.s) {
		r->scratch[n++] = '/';
		memcpy(r->scratch + n, h->tid.s, h->tid.len);
		n += h->tid.len;
	}
	if (!n)
		return PERF_NO_ROOT;
	frame.name = profile_name(in->profile, r->scratch, n);
	return profile_frame(in->profile, &frame);
}

/* With all events each has a tower of its own. */
static uint32_t event_frame(struct input *in, struct text name)
{
	struct profile_frame frame = { .offset = PROFILE_NO_OFFSET, .kind = FRAME_SPECIAL };

	frame.name = profile_name(in->profile, name.s, name.len);
	return profile_frame(in->profile, &frame);
}

/* The thread's name into scratch: blanks as '_', ';' as ':'. Returns its length. */
static size_t take_comm(struct perf *r, const struct perf_header *h)
{
	struct text comm = h->comm;

	r->scratch = array_grow(r->scratch, &r->cap_scratch,
				comm.len + h->pid.len + h->tid.len + 8, 1);
	if (!comm.len && h->tid.s) {
		r->scratch[0] = ':';
		memcpy(r->scratch + 1, h->tid.s, h->tid.len);
		return h->tid.len + 1;
	}
	for (size_t i = 0; i < comm.len; i++)
		r->scratch[i] = is_blank(comm.s[i]) ? '_' : comm.s[i] == ';' ? ':' : comm.s[i];
	return comm.len;
}

static uint32_t number_of(struct text t)
{
	uint64_t value;

	return t.s && text_u64(t.s, t.len, UINT32_MAX, &value) ? (uint32_t)value : 0;
}

/* Without callchains the only frame stands in the header's line, where arguments may be. */
static bool is_frame_behind_event(struct text rest)
{
	struct perf_frame f;

	return rest.len && rest.s[rest.len - 1] == ')' && perf_parse_frame(rest.s, rest.len, &f) &&
	       f.pc.len >= 4;
}

static bool begin_sample(struct input *in, const struct perf_header *h)
{
	struct perf *r = in->state;
	struct text name = h->event.s ? h->event : (struct text){ "", 0 };
	size_t comm;

	if (!r->last_event || r->last_event->len != name.len ||
	    memcmp(r->last_event->name, name.s, name.len))
		r->last_event = find_event(in, name, h->period);
	r->in_sample = true;
	if (r->last_event->left_out)
		return true;
	comm = take_comm(r, h);
	r->sample.value = in->options->count || !h->period ? 1 : h->period;
	if (in->options->keep_samples) {
		if (r->first_time == PERF_NO_TIME)
			r->first_time = h->time;
		r->sample.time = h->time != PERF_NO_TIME && h->time > r->first_time ?
				 h->time - r->first_time : 0;
		r->sample.cpu = h->cpu != PERF_NO_CPU ? h->cpu : 0;
		r->sample.tid = number_of(h->tid);
		r->sample.pid = h->pid.s ? number_of(h->pid) : r->sample.tid;
		r->sample.comm = profile_name(in->profile, r->scratch, comm);
	}
	perf_stack_begin(r->stack, starts_with(r->scratch, comm, "java"));
	r->roots[0] = r->roots[1] = PERF_NO_ROOT;
	if (all_events(in))
		r->roots[0] = event_frame(in, name);
	r->roots[1] = root_frame(in, h, comm);
	if (is_frame_behind_event(h->rest))
		perf_stack_line(r->stack, h->rest.s, h->rest.len);
	return true;
}

static void take_comment(struct input *in, const char *s, size_t len)
{
	struct profile_meta *meta = profile_meta(in->profile);
	static const char host[] = "# hostname : ", kernel[] = "# os release : ";

	if (starts_with(s, len, host))
		memcpy(meta->host, s + sizeof(host) - 1, len - sizeof(host) + 1 <
		       sizeof(meta->host) ? len - sizeof(host) + 1 : sizeof(meta->host) - 1);
	if (starts_with(s, len, kernel))
		memcpy(meta->kernel, s + sizeof(kernel) - 1, len - sizeof(kernel) + 1 <
		       sizeof(meta->kernel) ? len - sizeof(kernel) + 1 : sizeof(meta->kernel) - 1);
}

/* Records that are no samples, printed with --show-lost-events and the like. */
static bool take_record(struct input *in, const char *s, size_t len)
{
	const char *at = memmem(s, len, "PERF_RECORD_", 12), *lost;
	uint64_t value = 0;

	if (!at)
		return false;
	lost = memmem(at, (size_t)(s + len - at), "PERF_RECORD_LOST lost ", 22);
	if (lost) {
		for (lost += 22; lost < s + len && *lost >= '0' && *lost <= '9'; lost++)
			value = value * 10 + (uint64_t)(*lost - '0');
		profile_meta(in->profile)->lost += value;
	}
	return true;
}

static bool take_header(struct input *in, const char *s, size_t len, bool *taken)
{
	struct perf_header h;

	*taken = perf_parse_header(s, len, &h);
	if (!*taken)
		return true;
	if (!h.event.s && take_record(in, s, len))
		return end_sample(in);
	return end_sample(in) && begin_sample(in, &h);
}

/* A frame's symbol does not begin with a digit, an id does: `  comm 4711 ...`. */
static bool may_be_header(const char *s, size_t len)
{
	size_t at = 0;

	while (at < len && is_blank(s[at]))
		at++;
	while (at < len && !is_blank(s[at]))
		at++;
	while (at < len && is_blank(s[at]))
		at++;
	return at < len && s[at] >= '0' && s[at] <= '9';
}

static bool take_inside(struct input *in, const char *s, size_t len)
{
	struct perf *r = in->state;
	bool taken;

	if (r->last_event->left_out)
		return true;
	if (s[0] == ' ' && may_be_header(s, len)) {
		if (!take_header(in, s, len, &taken))
			return false;
		if (taken)
			return true;
	}
	switch (perf_stack_line(r->stack, s, len)) {
	case PERF_ADDED:
		return true;
	case PERF_TOO_DEEP:
		msg_error("%s:%llu: more than %d frames in one sample: not perf script", in->name,
			  (unsigned long long)r->lines.number, PERF_DEPTH_MAX);
		return false;
	case PERF_NO_FRAME:
		break;
	}
	if (!perf_is_srcline(s, len))
		return lines_bad(&r->lines, in, s, len, WHAT);
	s = trim(s, &len);
	if (in->options->srcline)
		perf_stack_srcline(r->stack, s, len);
	return true;
}

static bool take_line(struct input *in, const char *s, size_t len)
{
	struct perf *r = in->state;
	bool taken;

	while (len && is_blank(s[len - 1]))
		len--;
	if (!len)
		return end_sample(in);
	if (r->in_sample && is_blank(s[0]))
		return take_inside(in, s, len);
	if (s[0] == '#') {
		take_comment(in, s, len);
		return true;
	}
	if (!take_header(in, s, len, &taken))
		return false;
	if (taken || take_record(in, s, len))
		return true;
	return end_sample(in) && lines_bad(&r->lines, in, s, len, WHAT);
}

struct probe {
	unsigned int headers, frames, others;
	bool was_header, captured;
};

static bool probe_line(void *arg, const char *s, size_t len)
{
	struct probe *p = arg;
	struct perf_header h;
	struct perf_frame f;
	size_t n = len;

	trim(s, &n);
	if (!n)
		return true;
	if (s[0] == '#') {
		p->captured |= starts_with(s, len, "# captured on");
	} else if (is_blank(s[0]) && p->was_header && perf_parse_frame(s, len, &f)) {
		p->frames++;
	} else if (perf_parse_header(s, len, &h)) {
		p->headers++;
		p->was_header = true;
	} else {
		p->others++;
	}
	return p->headers < 64;
}

static int perf_probe(const char *head, size_t len, bool whole)
{
	struct probe p = { 0 };

	if (memchr(head, '\0', len < 256 ? len : 256))
		return 0;
	lines_of_head(head, len, whole, probe_line, &p);
	if (p.headers && p.frames)
		return p.frames > p.others ? 80 : 50;
	if (p.headers)
		return p.headers > p.others ? 60 : 30;
	return p.captured ? 45 : 0;
}

static bool perf_begin(struct input *in)
{
	struct perf *r = xcalloc(1, sizeof(*r));

	r->stack = perf_stack_new(in->profile, in->options);
	r->first_time = PERF_NO_TIME;
	in->state = r;
	if (in->options->keep_samples)
		profile_keep_samples(in->profile);
	return true;
}

static bool perf_feed(struct input *in, const char *data, size_t len)
{
	struct perf *r = in->state;

	return lines_feed(&r->lines, in, take_line, data, len);
}

/* Says what other events there were; stackcollapse-perf.pl leaves them out silently. */
static void say_left_out(const struct input *in)
{
	const struct perf *r = in->state;

	for (size_t i = 0; i < r->nr_events; i++) {
		const struct event *e = &r->events[i];

		if (e->left_out)
			msg_warn("%s: left out: %llu samples of event %s; --event NAME picks another, --event all keeps all apart",
				 in->name, (unsigned long long)e->samples, e->name);
	}
}

static bool perf_finish(struct input *in)
{
	struct perf *r = in->state;

	if (!lines_finish(&r->lines, in, take_line) || !end_sample(in))
		return false;
	lines_sum(&r->lines, in, WHAT);
	say_left_out(in);
	if (r->nr_samples)
		return true;
	if (in->options->event && r->nr_events)
		msg_error("%s: no sample of event %s", in->name, in->options->event);
	else
		msg_error("%s: no sample in %llu lines: nothing to read (record with perf record -g, print with perf script)",
			  in->name, (unsigned long long)r->lines.number);
	return false;
}

static void perf_end(struct input *in)
{
	struct perf *r = in->state;

	if (!r)
		return;
	for (size_t i = 0; i < r->nr_events; i++)
		free(r->events[i].name);
	free(r->events);
	perf_stack_free(r->stack);
	lines_free(&r->lines);
	free(r->scratch);
	free(r);
	in->state = NULL;
}

const struct input_format input_perf = {
	.name = "perf",
	.probe = perf_probe,
	.begin = perf_begin,
	.feed = perf_feed,
	.finish = perf_finish,
	.end = perf_end,
};
