// SPDX-License-Identifier: GPL-2.0-only
/*
 * A recording from start to end. All waiting is in one poll(2): on the stream, on signals
 * (by signalfd, so that none is missed or comes in between) and on the next time limit.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include "cmd/cmd.h"
#include "flame.h"
#include "output/folded.h"
#include "record/recfile.h"
#include "record/run.h"
#include "record/session.h"
#include "record/summary.h"
#include "record/workload.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/outfile.h"
#include "util/term.h"

#define SECOND		1000000000ull
#define DRAIN_MS	10000

struct run {
	const struct record_options *o;
	struct device *(*open)(void);
	struct workload workload;
	int signals;			/* signalfd */
	int signal;			/* that ended the recording; 0: none */
	bool pids_gone;			/* all of -p and -t have ended */
	uint64_t end_ns;		/* by -d; 0: none */
	unsigned int nr;		/* of the file, from 1 */
	uint64_t last_tick;
	bool progress;
};

/* One file's worth. */
struct part {
	struct session session;
	struct recfile file;
	struct flame_writer *writer;
	struct outfile folded;
	uint64_t end_ns;		/* by -d or --interval; 0: none */
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec;
}

static bool take_signals(struct run *run)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	signal(SIGPIPE, SIG_IGN);
	if (!sigprocmask(SIG_BLOCK, &set, NULL))
		run->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (run->signals >= 0)
		return true;
	msg_error("signalfd: %s", strerror(errno));
	return false;
}

/* From here on a second signal ends the program at once. */
static void release_signals(void)
{
	sigset_t set;

	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	sigemptyset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
}

static bool apply_unwind(struct session *s, const char *unwind)
{
	int err = session_set(s, "unwind", unwind);

	if (err == -EOPNOTSUPP) {
		msg_warn("this module has no unwind tables; frame pointers are followed instead");
		return session_must_set(s, "unwind", "auto");
	}
	return !err || session_must_set(s, "unwind", unwind);
}

/*
 * Every setting that decides what is sampled is set, so that what somebody wrote to the
 * control files before has no effect here. The sizes (buffer_size_kb, memory_limit_kb,
 * max_overhead) stay as the administrator has set them.
 */
static bool apply_settings(const struct run *run, struct session *s)
{
	const struct record_options *o = run->o;
	const bool own = run->workload.pid && !o->all && !*o->pids && !*o->tids;
	char frequency[16], depth[16], child[16];

	snprintf(frequency, sizeof(frequency), "%u", o->frequency);
	snprintf(depth, sizeof(depth), "%u", o->max_depth);
	snprintf(child, sizeof(child), "%d", (int)run->workload.pid);
	return session_must_set(s, "current_source", "timer") &&
	       session_must_set(s, "frequency", frequency) &&
	       session_must_set(s, "duration", "0") &&
	       session_must_set(s, "stacks", o->stacks) &&
	       apply_unwind(s, o->unwind) &&
	       session_must_set(s, "max_depth", depth) &&
	       session_must_set(s, "set_pid", own ? child : o->pids) &&
	       session_must_set(s, "set_tid", o->tids) &&
	       session_must_set(s, "set_comm", "") &&
	       session_must_set(s, "cpus", o->cpus) &&
	       session_must_set(s, "threads", o->threads) &&
	       session_must_set(s, "options/idle", o->idle ? "1" : "0") &&
	       session_must_set(s, "options/irq", "0") &&
	       session_must_set(s, "options/offset", "0") &&
	       session_must_set(s, "options/overwrite", "0") &&
	       session_must_set(s, "options/follow_children", own ? "1" : "0");
}

/* What the header says. No arguments of the command: they may hold secrets. */
static char *header_text(const struct record_options *o)
{
	const char *command = o->command ? o->command[0] : "", *slash = strrchr(command, '/');
	time_t now = time(NULL);
	struct utsname uts;
	char started[32] = "";
	struct tm tm;

	if (uname(&uts))
		memset(&uts, 0, sizeof(uts));
	if (gmtime_r(&now, &tm))
		strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return xasprintf("flame: %s\nhost: %s\nkernel: %s\nmachine: %s\nstarted: %s\nsources: timer\nfrequency: %u\nstacks: %s\ncommand: %s\n"
			 "stored: thread names, process and thread ids, times, CPU numbers, names of kernel functions, paths, build-ids and offsets of mapped files, names of user functions\n"
			 "not stored: kernel addresses, arguments and environment of processes, contents of memory\n",
			 FLAME_VERSION, uts.nodename, uts.release, uts.machine, started,
			 o->frequency, o->stacks, slash ? slash + 1 : command);
}

static bool open_output(struct run *run, struct part *part)
{
	const struct record_options *o = run->o;
	const char *path = o->output ? o->output : o->folded ? "-" : "prof.flame";
	char *name = o->interval_ns && strcmp(path, "-") ? recfile_numbered(path, run->nr) :
							   xstrdup(path);
	bool ok;

	if (o->folded)
		ok = outfile_open(&part->folded, name, OUTFILE_PRIVATE);
	else
		ok = recfile_open(&part->file, name);
	free(name);
	return ok;
}

static bool begin_part(struct run *run, struct part *part)
{
	struct device *device = run->open();
	char *text;
	bool ok = true;

	*part = (struct part){ .file.fd = -1 };
	if (!device)
		return false;
	session_init(&part->session, device, NULL, NULL);
	if (!apply_settings(run, &part->session) || !open_output(run, part))
		return false;
	if (!run->o->folded) {
		part->writer = flame_writer_new(part->file.fd, part->file.path);
		part->session.writer = part->writer;
		text = header_text(run->o);
		ok = flame_writer_begin(part->writer, text, strlen(text));
		free(text);
	}
	if (ok && strcmp(run->o->unwind, "fp") && strstr(run->o->stacks, "user"))
		session_load_tables(&part->session, run->o->pids);
	return ok && session_start(&part->session);
}

static void end_part(struct part *part, bool keep)
{
	struct device *device = part->session.device;

	recfile_close(&part->file, keep);
	outfile_abort(&part->folded);
	flame_writer_free(part->writer);
	if (!device)
		return;
	session_destroy(&part->session);
	device->ops->close(device);
}

/* Whether a signal says that the recording is over. */
static bool signals_end_it(struct run *run)
{
	struct signalfd_siginfo info;
	bool end = false;

	while (read(run->signals, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			end |= workload_ended(&run->workload);
			continue;
		}
		run->signal = (int)info.ssi_signo;
		/* The terminal has sent it to the command as well. */
		if (info.ssi_code != SI_KERNEL)
			workload_signal(&run->workload, run->signal);
		end = true;
	}
	return end;
}

/* Whether no process or thread of the blank-separated list is there any more. */
static bool all_gone(const char *list)
{
	if (!*list)
		return false;
	while (*list) {
		char *end;
		long id = strtol(list, &end, 10);

		if (end == list || !kill((pid_t)id, 0) || errno != ESRCH)
			return false;
		list = end + strspn(end, " ");
	}
	return true;
}

/* What is due once a second. */
static void tick(struct run *run, struct part *part, uint64_t now)
{
	const struct record_options *o = run->o;

	if (now - run->last_tick < SECOND)
		return;
	run->last_tick = now;
	if (part->writer && !part->session.writer_failed)
		part->session.writer_failed = !flame_writer_flush(part->writer);
	run->pids_gone = (*o->pids && all_gone(o->pids) && (!*o->tids || all_gone(o->tids))) ||
			 (!*o->pids && all_gone(o->tids));
	if (run->progress)
		fprintf(stderr, "\r%llu s, %llu samples ",
			(unsigned long long)((now - part->session.started_ns) / SECOND),
			(unsigned long long)records_nr_samples(part->session.records));
}

static int poll_timeout(const struct part *part, uint64_t now)
{
	uint64_t wait = SECOND;

	if (part->end_ns && part->end_ns < now + wait)
		wait = part->end_ns > now ? part->end_ns - now : 0;
	return (int)((wait + 999999) / 1000000);
}

/* Until something ends it; false: after an error that was said. */
static bool stream(struct run *run, struct part *part)
{
	struct pollfd fds[2] = {
		{ .fd = part->session.device->fd, .events = POLLIN },
		{ .fd = run->signals, .events = POLLIN },
	};

	for (;;) {
		uint64_t now = now_ns();
		enum session_state state = SESSION_MORE;

		if (part->end_ns && now >= part->end_ns)
			return true;
		tick(run, part, now);
		if (run->pids_gone)
			return true;
		if (part->session.writer_failed)
			return false;
		if (poll(fds, 2, poll_timeout(part, now)) < 0 && errno != EINTR) {
			msg_error("poll: %s", strerror(errno));
			return false;
		}
		if (fds[0].revents)
			state = session_read(&part->session);
		if (state != SESSION_MORE)
			return state == SESSION_ENDED;
		if (fds[1].revents && signals_end_it(run))
			return true;
	}
}

/* After the stop: what is left in the rings. */
static bool drain(struct part *part)
{
	struct pollfd fd = { .fd = part->session.device->fd, .events = POLLIN };

	for (;;) {
		int n = poll(&fd, 1, DRAIN_MS);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			msg_warn("the module did not end its stream; the last samples may be missing");
			return true;
		}
		switch (session_read(&part->session)) {
		case SESSION_ENDED:
			return true;
		case SESSION_FAILED:
			return false;
		case SESSION_MORE:
			break;
		}
	}
}

/* Folded text, or the last of the file. */
static int complete(struct run *run, struct part *part)
{
	static const struct folded_options how = { true, true, true };
	struct session *s = &part->session;
	bool ok = session_finish(s);
	const char *wrong;

	if (!run->o->folded)
		return ok ? EXIT_DONE : EXIT_FAILED;
	wrong = records_finish(s->records);
	if (wrong) {
		msg_error("%s", wrong);
		return EXIT_FAILED;
	}
	folded_write(part->folded.fp, s->profile, 0, &how);
	return outfile_commit(&part->folded);
}

/* The rest of a part that ran: returns the exit status as far as the recording goes. */
static int finish_part(struct run *run, struct part *part, bool ok, bool last)
{
	struct session *s = &part->session;
	int status;

	session_stop(s);
	if (last)
		release_signals();
	if (run->progress)
		fputs("\r\033[K", stderr);
	ok = drain(part) && ok;
	status = complete(run, part);
	if (!ok)
		status = EXIT_FAILED;
	if (!records_nr_samples(s->records)) {
		summary_nothing(s, run->o, run->pids_gone, run->workload.ended);
		return EXIT_FAILED;
	}
	summary_print(s, run->o->folded ? NULL : part->file.path,
		      part->writer ? flame_writer_size(part->writer) : 0);
	return status;
}

static bool over(const struct run *run, bool ok)
{
	const struct record_options *o = run->o;

	return !ok || !o->interval_ns || run->signal || run->pids_gone || run->workload.ended ||
	       (o->count && run->nr >= o->count) || (run->end_ns && now_ns() >= run->end_ns);
}

static int run_parts(struct run *run)
{
	const struct record_options *o = run->o;
	int status = EXIT_DONE;
	bool last = false;

	for (run->nr = 1; !last; run->nr++) {
		struct part part;
		bool ok = begin_part(run, &part);
		int part_status;

		if (ok && run->nr == 1) {
			if (o->duration_ns)
				run->end_ns = part.session.started_ns + o->duration_ns;
			if (run->workload.pid && !workload_start(&run->workload, o->command[0])) {
				end_part(&part, false);
				return workload_exit_status(&run->workload);
			}
		}
		if (!ok) {
			end_part(&part, false);
			return EXIT_FAILED;
		}
		part.end_ns = run->end_ns;
		if (o->interval_ns && (!part.end_ns ||
				       part.session.started_ns + o->interval_ns < part.end_ns))
			part.end_ns = part.session.started_ns + o->interval_ns;
		ok = stream(run, &part);
		last = over(run, ok);
		part_status = finish_part(run, &part, ok, last);
		if (part_status != EXIT_DONE && (last || records_nr_samples(part.session.records)))
			status = part_status;
		if (o->folded && !last)
			puts("");
		end_part(&part, records_nr_samples(part.session.records));
	}
	return status;
}

/*
 * A command that is still there when its recording is over (-d, a signal) ends too. Its
 * own end is not the recording's failure when -d asked for it.
 */
static int end_workload(struct run *run, int status)
{
	bool by_itself = workload_ended(&run->workload);
	int own;

	if (!by_itself) {
		workload_signal(&run->workload, SIGTERM);
		workload_wait(&run->workload, 2000);
	}
	if (!by_itself && !run->signal)
		return status;
	own = workload_exit_status(&run->workload);
	return own ? own : status;
}

int record_run(const struct record_options *o, struct device *(*open)(void))
{
	struct run run = {
		.o = o, .open = open, .signals = -1, .workload = { .gate = -1, .failure = -1 },
		.progress = !o->command && msg_level > MSG_QUIET && isatty(STDERR_FILENO),
	};
	int status;

	if (!take_signals(&run))
		return EXIT_FAILED;
	run.last_tick = now_ns();
	if (o->command && !workload_fork(&run.workload, o->command)) {
		close(run.signals);
		return EXIT_FAILED;
	}
	status = run_parts(&run);
	/* Started at all? Its gate is still closed when the device was not to be had. */
	if (o->command && run.nr > 1)
		status = end_workload(&run, status);
	workload_free(&run.workload);
	close(run.signals);
	return status;
}
