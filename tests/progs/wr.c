// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g */
/*
 * Opens a file and writes to it exactly as told, one write(2) an argument, so
 * that a test can see what the kernel answers. Prints one word a step: "OK" or the
 * name of the errno; "SHORT" when fewer bytes were taken than given. Opens as the
 * shell does for ">" (O_WRONLY|O_TRUNC); never creates a file.
 *
 * usage: wr [-a | -r | -w] [-h] FILE [TEXT...]
 *   -a   as the shell's ">>": O_APPEND instead of O_TRUNC
 *   -r   open for reading only and read to the end (no TEXT)
 *   -w   O_RDWR without O_TRUNC, as for a device
 *   -h   then hold the file open until killed (prints "HELD" first)
 *   TEXT a backslash stands for itself but in \n, \0 and \\; "-" means what
 *	  stdin holds, up to 2 MiB, in one write
 *
 * Exit status: 0 all steps OK, 1 not.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX (2 << 20)

static int failed;

static void say(ssize_t ret, size_t want)
{
	const char *name = ret < 0 ? strerrorname_np(errno) : NULL;

	if (ret < 0)
		puts(name ? name : "E?");
	else
		puts((size_t)ret == want ? "OK" : "SHORT");
	fflush(stdout);
	failed |= ret < 0 || (size_t)ret != want;
}

/* The bytes that @text stands for, into @buf. Returns how many. */
static size_t bytes_of(const char *text, char *buf)
{
	size_t n = 0;

	if (strcmp(text, "-") == 0) {
		ssize_t got;

		while (n < TEXT_MAX && (got = read(0, buf + n, TEXT_MAX - n)) > 0)
			n += got;
		return n;
	}
	for (; *text && n < TEXT_MAX; text++) {
		if (text[0] == '\\' && text[1] == 'n')
			buf[n++] = '\n', text++;
		else if (text[0] == '\\' && text[1] == '0')
			buf[n++] = '\0', text++;
		else if (text[0] == '\\' && text[1] == '\\')
			buf[n++] = '\\', text++;
		else
			buf[n++] = *text;
	}
	return n;
}

static void read_all(int fd)
{
	char buf[65536];
	ssize_t n;

	while ((n = read(fd, buf, sizeof(buf))) > 0)
		;
	say(n, 0);
}

int main(int argc, char **argv)
{
	int flags = O_WRONLY | O_TRUNC, hold = 0, reading = 0, opt, fd;
	char *buf = malloc(TEXT_MAX);

	while ((opt = getopt(argc, argv, "+arwh")) != -1) {
		switch (opt) {
		case 'a':
			flags = O_WRONLY | O_APPEND;
			break;
		case 'r':
			flags = O_RDONLY;
			reading = 1;
			break;
		case 'w':
			flags = O_RDWR;
			break;
		case 'h':
			hold = 1;
			break;
		default:
			return 2;
		}
	}
	if (!buf || optind == argc) {
		fputs("usage: wr [-a | -r | -w] [-h] FILE [TEXT...]\n", stderr);
		return 2;
	}
	fd = open(argv[optind++], flags | O_CLOEXEC);
	if (fd < 0) {
		say(-1, 0);
		return 1;
	}
	if (reading && !hold)
		read_all(fd);
	for (; optind < argc; optind++) {
		size_t n = bytes_of(argv[optind], buf);

		say(write(fd, buf, n), n);
	}
	if (hold) {
		puts("HELD");
		fflush(stdout);
		pause();
	}
	if (close(fd) < 0)
		say(-1, 0);
	return failed;
}
