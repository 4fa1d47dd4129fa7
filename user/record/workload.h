/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command that `flame record -- CMD` runs: forked early so that its id is known,
 * started only when sampling is on.
 */
#ifndef FLAME_WORKLOAD_H
#define FLAME_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

struct workload {
	pid_t pid;		/* 0: none */
	int gate;		/* write end: one byte lets it go */
	int failure;		/* read end: errno of a failed exec; nothing if it went well */
	bool ended;
	int status;		/* of wait(2), once ended */
};

/* Forks; the child waits at the gate. False after saying why. */
bool workload_fork(struct workload *w, char **argv);

/* Lets the child go. False after saying why it could not be executed; it has ended then. */
bool workload_start(struct workload *w, const char *name);

/* Whether it has ended; does not wait. */
bool workload_ended(struct workload *w);

/* Sends @sig if it is still there. */
void workload_signal(const struct workload *w, int sig);

/* Waits up to @ms for the end; false: still there. */
bool workload_wait(struct workload *w, int ms);

/* Exit status as a shell would tell it: 128 + signal. */
int workload_exit_status(const struct workload *w);

/* A child that was never let go ends. Closes what is open. */
void workload_free(struct workload *w);

#endif /* FLAME_WORKLOAD_H */
