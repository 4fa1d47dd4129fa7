// SPDX-License-Identifier: GPL-2.0-only
/*
 * One recording. What the module sends is checked like a file: a record that does not
 * make sense ends the recording and is never written.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "record/session.h"
#include "symbol/symbolize.h"
#include "unwind/loader.h"
#include "util/mem.h"
#include "util/msg.h"

#define READ_SIZE	(256u << 10)	/* more than a record can have */
#define FDS_SPARED	64		/* for everything but objects */
#define FDS_MAX		65536

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Raises the soft limit: each object held open keeps its names reachable. */
static size_t objects_allowed(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max < FDS_MAX ? limit.rlim_max : FDS_MAX;
		setrlimit(RLIMIT_NOFILE, &limit);
		getrlimit(RLIMIT_NOFILE, &limit);
	}
	if (limit.rlim_cur > FDS_MAX)
		limit.rlim_cur = FDS_MAX;
	return limit.rlim_cur > FDS_SPARED ? limit.rlim_cur - FDS_SPARED : 0;
}

void session_init(struct session *s, struct device *device, struct flame_writer *writer,
		  const struct input_options *options)
{
	*s = (struct session){
		.device = device, .writer = writer, .profile = profile_new(),
		.buf = xcalloc(1, READ_SIZE), .max_open = objects_allowed(),
	};
	s->records = records_new(s->profile, options);
}

void session_destroy(struct session *s)
{
	for (size_t i = 0; i < s->nr_object_fds; i++)
		if (s->object_fds[i] >= 0)
			close(s->object_fds[i]);
	loader_free(s->tables);
	free(s->object_fds);
	free(s->stats_before);
	free(s->buf);
	records_free(s->records);
	profile_free(s->profile);
	*s = (struct session){ 0 };
}

int session_set(struct session *s, const char *name, const char *value)
{
	char *text = xasprintf("%s %s\n", name, value);
	int err = s->device->ops->command(s->device, text);

	free(text);
	return err;
}

static void say_refused(struct session *s, const char *what, int err)
{
	char *why = device_last_error(s->device);

	msg_error("%s: %s%s%s", what, strerror(-err), *why ? ": " : "", why);
	free(why);
}

bool session_must_set(struct session *s, const char *name, const char *value)
{
	int err = session_set(s, name, value);

	if (err)
		say_refused(s, name, err);
	return !err;
}

void session_load_tables(struct session *s, const char *pids)
{
	if (!s->device->takes_tables)
		return;
	s->tables = loader_new(s->device->fd, NULL, NULL);
	loader_add_vdso(s->tables);
	if (!*pids) {
		loader_add_all(s->tables);
		return;
	}
	while (*pids) {
		char *end;
		long pid = strtol(pids, &end, 10);

		if (end == pids)
			return;
		loader_add_pid(s->tables, (pid_t)pid);
		pids = end + strspn(end, " ");
	}
}

bool session_start(struct session *s)
{
	int err;

	s->stats_before = s->device->ops->get(s->device, "stats");
	err = session_set(s, "sampling_on", "1");
	if (err)
		say_refused(s, "sampling does not start", err);
	else
		s->started_ns = now_ns();
	return !err;
}

void session_stop(struct session *s)
{
	if (s->ended_ns)
		return;
	s->ended_ns = now_ns();
	/* Refused only when it is off already. */
	(void)session_set(s, "sampling_on", "0");
}

/* The module may let go of a file at stop: its descriptor is taken at first sight. */
static void hold_object(struct session *s, uint32_t module_id)
{
	uint32_t id = records_nr_objects(s->records);
	int fd = -1;

	if (records_object(s->records, id)->kind == FLAME_OBJECT_FILE && s->nr_open < s->max_open)
		fd = s->device->ops->object_fd(s->device, module_id);
	if (fd < 0)
		fd = -1;
	else
		s->nr_open++;
	if (fd >= 0 && s->tables)
		loader_add_file(s->tables, fd, "");
	s->object_fds = array_grow(s->object_fds, &s->cap_object_fds, id, sizeof(*s->object_fds));
	s->object_fds[id - 1] = fd;
	s->nr_object_fds = id;
}

static bool take_record(struct session *s, struct flame_rec *rec)
{
	uint32_t id = 0;
	const char *wrong;

	if (rec->type == FLAME_REC_OBJECT && rec->size >= sizeof(struct flame_rec_object))
		id = ((const struct flame_rec_object *)rec)->id;
	wrong = records_add(s->records, rec);
	if (wrong) {
		msg_error("the module sent a damaged record: type %u %s; please report this",
			  rec->type, wrong);
		return false;
	}
	if (rec->type == FLAME_REC_OBJECT)
		hold_object(s, id);
	if (s->writer && !s->writer_failed)
		s->writer_failed = !flame_writer_add(s->writer, rec);
	return true;
}

enum session_state session_read(struct session *s)
{
	ssize_t n = s->device->ops->read(s->device, s->buf, READ_SIZE);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return SESSION_MORE;
	if (n < 0) {
		msg_error(DEVICE_PATH ": %s", strerror(errno));
		return SESSION_FAILED;
	}
	if (!n)
		return SESSION_ENDED;
	for (size_t at = 0; at < (size_t)n;) {
		struct flame_rec *rec = (struct flame_rec *)(s->buf + at);
		size_t left = (size_t)n - at;

		if (left < sizeof(*rec) || rec->size < sizeof(*rec) || rec->size > left ||
		    rec->size > FLAME_REC_SIZE_MAX || rec->size % 8) {
			msg_error("the module sent a record of an impossible size; please report this");
			return SESSION_FAILED;
		}
		if (!take_record(s, rec))
			return SESSION_FAILED;
		at += rec->size;
	}
	return s->writer_failed ? SESSION_FAILED : SESSION_MORE;
}

/* Counters run on from session to session: what counts here is the difference. */
static uint64_t count(const struct session *s, const char *after, const char *name)
{
	uint64_t end = 0, start = 0;

	records_text_u64(after, strlen(after), name, &end);
	if (s->stats_before)
		records_text_u64(s->stats_before, strlen(s->stats_before), name, &start);
	return end > start ? end - start : 0;
}

static void take_counts(struct session *s, const char *after)
{
	s->counts = (struct session_counts){
		.ticks = count(s, after, "ticks"),
		.idle = count(s, after, "idle"),
		.filtered = count(s, after, "filtered"),
		.recorded = count(s, after, "recorded"),
		.lost = count(s, after, "lost"),
		.overwritten = count(s, after, "overwritten"),
		.missed = count(s, after, "missed"),
		.throttled = count(s, after, "throttled"),
		.truncated = count(s, after, "truncated"),
		.user_failed = count(s, after, "user_failed"),
		.stream_lost = count(s, after, "stream_lost"),
	};
	if (s->counts.stream_lost < records_lost(s->records))
		s->counts.stream_lost = records_lost(s->records);
}

/* STATS: the counters of this recording, not those since the module was loaded. */
static bool write_stats(struct session *s, const char *after)
{
	const struct session_counts *c = &s->counts;
	uint64_t duration = s->ended_ns - s->started_ns, lost = c->lost + c->stream_lost;
	char *text = xasprintf("duration_ns: %llu\nsamples: %llu\nticks: %llu\nidle: %llu\nfiltered: %llu\nrecorded: %llu\nlost: %llu\nmissed: %llu\nthrottled: %llu\ntruncated: %llu\nuser_failed: %llu\nstream_lost: %llu\n",
			       (unsigned long long)duration,
			       (unsigned long long)records_nr_samples(s->records),
			       (unsigned long long)c->ticks, (unsigned long long)c->idle,
			       (unsigned long long)c->filtered, (unsigned long long)c->recorded,
			       (unsigned long long)lost,
			       (unsigned long long)c->missed, (unsigned long long)c->throttled,
			       (unsigned long long)c->truncated,
			       (unsigned long long)c->user_failed,
			       (unsigned long long)c->stream_lost);
	uint64_t frequency;
	char *all;
	bool ok;

	if (records_text_u64(after, strlen(after), "frequency", &frequency)) {
		all = xasprintf("%sfrequency: %llu\n", text, (unsigned long long)frequency);
		free(text);
		text = all;
	}
	ok = flame_writer_add_text(s->writer, FLAME_REC_STATS, s->ended_ns, text, strlen(text));
	free(text);
	return ok;
}

static int held_fd(void *arg, uint32_t id)
{
	struct session *s = arg;
	int fd = -1;

	if (id <= s->nr_object_fds) {
		fd = s->object_fds[id - 1];
		s->object_fds[id - 1] = -1;
	}
	return fd;
}

bool session_finish(struct session *s)
{
	char *after = s->device->ops->get(s->device, "stats");
	const char *text = after ? after : "";
	bool ok = true;

	take_counts(s, text);
	/* What was sampled is safe before names are looked for. */
	if (s->writer && !s->writer_failed)
		s->writer_failed = !write_stats(s, text) || !flame_writer_flush(s->writer);
	free(after);
	symbolize_records(s->records, held_fd, s);
	if (s->writer && !s->writer_failed)
		s->writer_failed = !flame_writer_add_symbols(s->writer, s->records) ||
				   !flame_writer_end(s->writer);
	if (s->writer_failed)
		ok = false;
	return ok;
}
