// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf.data by way of perf. The path is an argument, never part of a shell's command.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "input/perf_data.h"
#include "util/mem.h"
#include "util/msg.h"

bool perf_data_is(const char *head, size_t len)
{
	return len >= 8 && (!memcmp(head, "PERFILE2", 8) || !memcmp(head, "2ELIFREP", 8));
}

static int start(const char *path, int out, pid_t *pid)
{
	char *argv[] = { xstrdup("perf"), xstrdup("script"), xstrdup("--header"), xstrdup("-i"),
			 xstrdup(path), NULL };
	posix_spawn_file_actions_t actions;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	error = posix_spawnp(pid, "perf", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	for (size_t i = 0; argv[i]; i++)
		free(argv[i]);
	return error;
}

int perf_data_open(const char *path, pid_t *pid)
{
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC)) {
		msg_error("%s: %s", path, strerror(errno));
		return -1;
	}
	error = start(path, ends[1], pid);
	close(ends[1]);
	if (!error)
		return ends[0];
	close(ends[0]);
	if (error == ENOENT)
		msg_error("%s: perf.data, which perf itself must print, but there is no perf here: install it (Debian: linux-perf), or run perf script where it was recorded",
			  path);
	else
		msg_error("%s: cannot start perf script: %s", path, strerror(error));
	return -1;
}

bool perf_data_close(int fd, pid_t pid, const char *path)
{
	int status;

	close(fd);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return true;
	msg_error("%s: perf script failed: its message is above", path);
	return false;
}
