// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g -D_GNU_SOURCE */
/*
 * Reads a stream of records, from /dev/flame as its owner or from a file such as
 * per_cpu/cpu0/raw, and checks every record against include/flame_abi.h: sizes, ids
 * defined once and before their use, counts inside their record. Knows
 * nothing of the flame tool. At the end it prints "NAME VALUE" lines:
 *	samples, kernel (with kernel frames), user (with user frames), lost (sum of LOST
 *	counts), stacks, names, objects, info, stats (records of the kind), bad (records
 *	that break a rule; each with a line on stderr)
 *
 * usage: stream [-n] SECONDS [COMMAND...]	writes "attach", the commands and
 *		"sampling_on 1" to /dev/flame, prints "ON", reads for SECONDS, writes
 *		"sampling_on 0", reads to the end; with -n it does not read until then
 *	  stream -f FILE SECONDS		reads FILE for SECONDS or until SIGTERM, and
 *		then what is left
 *	  stream -c COMMAND...			writes the commands, prints what "get" reads
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "flame_abi.h"
#include "spin.h"

#define DEVICE "/dev/flame"
#define ROOM (1 << 20)

static struct {
	unsigned long samples, kernel, user, lost, stacks, names, objects, info, stats, bad;
} seen;

/* What is known of ids of one kind: a byte for each, 0 for those that were not sent. */
struct ids {
	unsigned char *known;
	__u32 room;
};

#define ID_SENT		1
#define ID_KERNEL	2	/* of a stack: it has kernel frames */
#define ID_USER		4	/* it has user frames */
#define ID_LIMIT	(1U << 28)	/* ids are dense: one beyond is damage */

static struct ids names, objects, stacks;

static void bad(const struct flame_rec *rec, const char *what)
{
	seen.bad++;
	fprintf(stderr, "record of type %u, %u bytes: %s\n", rec->type, rec->size, what);
}

static unsigned char known(const struct ids *ids, __u32 id)
{
	return id < ids->room ? ids->known[id] : 0;
}

/* Notes that @id was sent. False if it is 0, was sent before, or is absurd. */
static int note_id(struct ids *ids, __u32 id, unsigned char what)
{
	if (!id || id > ID_LIMIT || known(ids, id))
		return 0;
	if (id >= ids->room) {
		__u32 room = id + id / 2 + 1024;

		ids->known = realloc(ids->known, room);
		if (!ids->known)
			exit(1);
		memset(ids->known + ids->room, 0, room - ids->room);
		ids->room = room;
	}
	ids->known[id] = what;
	return 1;
}

static void check_stack(const struct flame_rec_stack *r)
{
	const __u32 *kernel;
	size_t need = sizeof(*r) + r->nr_user * sizeof(r->user[0]) + r->nr_kernel * 4;
	int i;

	if (need > r->hdr.size) {
		bad(&r->hdr, "frames reach beyond the record");
		return;
	}
	for (i = 0; i < r->nr_user; i++)
		if (!known(&objects, r->user[i].object))
			bad(&r->hdr, "user frame of an object that was not sent");
	kernel = flame_stack_kernel(r);
	for (i = 0; i < r->nr_kernel; i++)
		if (!known(&names, kernel[i]))
			bad(&r->hdr, "kernel frame of a name that was not sent");
	seen.stacks++;
	if (!note_id(&stacks, r->id, ID_SENT | (r->nr_kernel ? ID_KERNEL : 0) |
		     (r->nr_user ? ID_USER : 0)))
		bad(&r->hdr, "stack id is 0 or was sent before");
}

static void check_sample(const struct flame_rec_sample *r)
{
	static __u64 last[1024];

	seen.samples++;
	if (r->hdr.size != sizeof(*r))
		bad(&r->hdr, "a sample has one size");
	if (!known(&stacks, r->stack))
		bad(&r->hdr, "sample of a stack that was not sent");
	seen.kernel += !!(known(&stacks, r->stack) & ID_KERNEL);
	seen.user += !!(known(&stacks, r->stack) & ID_USER);
	if (r->source != FLAME_SOURCE_TIMER || r->value != 1)
		bad(&r->hdr, "the timer is the only source, its value 1");
	if (r->cpu >= 1024 || r->time < last[r->cpu])
		bad(&r->hdr, "time goes back on a CPU");
	else
		last[r->cpu] = r->time;
	if (r->time > now(CLOCK_MONOTONIC))
		bad(&r->hdr, "sample from the future");
}

static void check_record(const struct flame_rec *rec)
{
	const struct flame_rec_text *text = (const void *)rec;
	const struct flame_rec_name *name = (const void *)rec;
	const struct flame_rec_object *object = (const void *)rec;

	switch (rec->type) {
	case FLAME_REC_PAD:
		break;
	case FLAME_REC_INFO:
	case FLAME_REC_SETTINGS:
	case FLAME_REC_STATS:
		if (offsetof(struct flame_rec_text, text) + text->len > rec->size)
			bad(rec, "text reaches beyond the record");
		seen.info += rec->type == FLAME_REC_INFO;
		seen.stats += rec->type == FLAME_REC_STATS;
		break;
	case FLAME_REC_NAME:
		if (sizeof(*name) + name->len > rec->size || !name->len)
			bad(rec, "name reaches beyond the record or is empty");
		seen.names++;
		if (!note_id(&names, name->id, ID_SENT))
			bad(rec, "name id is 0 or was sent before");
		break;
	case FLAME_REC_OBJECT:
		if (sizeof(*object) + object->name_len + object->path_len > rec->size ||
		    !object->name_len || object->build_id_len > FLAME_BUILD_ID_MAX)
			bad(rec, "name, path or build-id does not fit");
		seen.objects++;
		if (!note_id(&objects, object->id, ID_SENT))
			bad(rec, "object id is 0 or was sent before");
		break;
	case FLAME_REC_STACK:
		check_stack((const void *)rec);
		break;
	case FLAME_REC_SAMPLE:
		check_sample((const void *)rec);
		break;
	case FLAME_REC_LOST:
		seen.lost += ((const struct flame_rec_lost *)rec)->count;
		break;
	default:
		bad(rec, "unknown type");
	}
}

/* One read. Returns what it returned; whole records are checked. */
static ssize_t take(int fd)
{
	static _Alignas(8) unsigned char buf[ROOM];
	ssize_t n = read(fd, buf, sizeof(buf)), at = 0;

	while (at < n) {
		const struct flame_rec *rec = (const void *)(buf + at);

		if (n - at < (ssize_t)sizeof(*rec) || rec->size < sizeof(*rec) ||
		    rec->size % 8 || rec->size > n - at) {
			bad(rec, "read did not return whole records");
			break;
		}
		check_record(rec);
		at += rec->size;
	}
	return n;
}

static volatile sig_atomic_t ended;

static void end_it(int sig)
{
	(void)sig;
	ended = 1;
}

/* Reads until @end, SIGTERM or the end of the stream. */
static void take_until(int fd, uint64_t end)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	uint64_t t;

	while (!ended && (t = now(CLOCK_MONOTONIC)) < end) {
		if (poll(&p, 1, (end - t) / 1000000 + 1) > 0 && take(fd) <= 0)
			return;
	}
	while (poll(&p, 1, 0) > 0 && take(fd) > 0)
		;
}

static int command(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) == (ssize_t)strlen(text))
		return 0;
	fprintf(stderr, "%s: %s\n", text, strerrorname_np(errno));
	return -1;
}

static void print_counts(void)
{
	printf("samples %lu\nkernel %lu\nuser %lu\nlost %lu\nstacks %lu\nnames %lu\n"
	       "objects %lu\ninfo %lu\nstats %lu\nbad %lu\n",
	       seen.samples, seen.kernel, seen.user, seen.lost, seen.stacks, seen.names,
	       seen.objects, seen.info, seen.stats, seen.bad);
}

static int run_commands(char **commands)
{
	int fd = open(DEVICE, O_RDWR), failed = 0;
	char buf[65536];
	ssize_t n;

	if (fd < 0) {
		perror(DEVICE);
		return 1;
	}
	for (; *commands; commands++) {
		if (command(fd, *commands) < 0) {
			failed = 1;
			continue;
		}
		if (strncmp(*commands, "get", 3) != 0)
			continue;
		while ((n = read(fd, buf, sizeof(buf))) > 0)
			fwrite(buf, 1, n, stdout);
		if (n < 0) {
			printf("%s\n", strerrorname_np(errno));
			failed = 1;
		}
	}
	return failed;
}

int main(int argc, char **argv)
{
	const char *file = NULL;
	int reading = 1, opt, fd, i;
	ssize_t n;

	while ((opt = getopt(argc, argv, "+nf:c")) != -1) {
		if (opt == 'c')
			return run_commands(argv + optind);
		if (opt == 'n')
			reading = 0;
		else if (opt == 'f')
			file = optarg;
		else
			return 2;
	}
	if (optind == argc) {
		fputs("usage: stream [-n] SECONDS [COMMAND...] | -f FILE SECONDS | -c COMMAND...\n",
		      stderr);
		return 2;
	}
	fd = open(file ? file : DEVICE, file ? O_RDONLY : O_RDWR);
	if (fd < 0) {
		perror(file ? file : DEVICE);
		return 1;
	}
	if (file) {
		signal(SIGTERM, end_it);
		puts("ON");
		fflush(stdout);
		take_until(fd, deadline(argv[optind]));
		print_counts();
		return seen.bad != 0;
	}
	if (command(fd, "attach") < 0)
		return 1;
	for (i = optind + 1; i < argc; i++)
		if (command(fd, argv[i]) < 0)
			return 1;
	if (command(fd, "sampling_on 1") < 0)
		return 1;
	puts("ON");
	fflush(stdout);
	if (reading) {
		take_until(fd, deadline(argv[optind]));
	} else {
		uint64_t end = deadline(argv[optind]);

		while (now(CLOCK_MONOTONIC) < end)
			usleep(10000);
	}
	command(fd, "sampling_on 0");
	while ((n = take(fd)) > 0)
		;
	if (n < 0) {
		fprintf(stderr, "read at the end: %s\n", strerrorname_np(errno));
		seen.bad++;
	}
	print_counts();
	return seen.bad != 0;
}
