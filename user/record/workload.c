// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command under `flame record -- CMD`. Two pipes: the gate holds the child back until
 * sampling is on, the other brings back the errno of an exec that failed (it closes by
 * itself when the exec succeeds).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "record/workload.h"
#include "util/msg.h"

static void run_child(char **argv, int gate, int failure)
{
	const char *slash = strrchr(argv[0], '/');
	sigset_t none;
	char byte;
	int err;

	if (read(gate, &byte, 1) != 1)
		_exit(127);
	/* The exec itself is sampled too: under the name of what is being started. */
	prctl(PR_SET_NAME, slash ? slash + 1 : argv[0]);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	execvp(argv[0], argv);
	err = errno;
	if (write(failure, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(err == ENOENT ? 127 : 126);
}

bool workload_fork(struct workload *w, char **argv)
{
	int gate[2], failure[2];

	*w = (struct workload){ .gate = -1, .failure = -1 };
	if (pipe2(gate, O_CLOEXEC)) {
		msg_error("pipe: %s", strerror(errno));
		return false;
	}
	if (pipe2(failure, O_CLOEXEC)) {
		msg_error("pipe: %s", strerror(errno));
		close(gate[0]);
		close(gate[1]);
		return false;
	}
	w->pid = fork();
	if (!w->pid) {
		close(gate[1]);
		close(failure[0]);
		run_child(argv, gate[0], failure[1]);
	}
	close(gate[0]);
	close(failure[1]);
	w->gate = gate[1];
	w->failure = failure[0];
	if (w->pid > 0)
		return true;
	msg_error("fork: %s", strerror(errno));
	w->pid = 0;
	workload_free(w);
	return false;
}

bool workload_start(struct workload *w, const char *name)
{
	ssize_t n;
	int err;

	if (write(w->gate, "", 1) != 1) {
		msg_error("%s: ended before it could be started", name);
		return false;
	}
	do
		n = read(w->failure, &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	if (n != (ssize_t)sizeof(err))
		return true;
	msg_error("%s: %s", name, strerror(err));
	workload_wait(w, 1000);
	return false;
}

bool workload_ended(struct workload *w)
{
	if (w->pid && !w->ended && waitpid(w->pid, &w->status, WNOHANG) == w->pid)
		w->ended = true;
	return w->ended;
}

void workload_signal(const struct workload *w, int sig)
{
	if (w->pid && !w->ended)
		kill(w->pid, sig);
}

bool workload_wait(struct workload *w, int ms)
{
	const struct timespec step = { .tv_nsec = 10000000 };

	for (; !workload_ended(w) && ms > 0; ms -= 10)
		nanosleep(&step, NULL);
	return w->ended;
}

int workload_exit_status(const struct workload *w)
{
	if (!w->ended)
		return 128 + SIGTERM;
	return WIFSIGNALED(w->status) ? 128 + WTERMSIG(w->status) : WEXITSTATUS(w->status);
}

void workload_free(struct workload *w)
{
	if (w->gate >= 0)
		close(w->gate);
	if (w->failure >= 0)
		close(w->failure);
	if (w->pid && !w->ended)
		workload_wait(w, 100);
	*w = (struct workload){ .gate = -1, .failure = -1 };
}
