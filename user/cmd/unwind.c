// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame unwind`: compiles unwind tables of files into the cache, tells what they hold,
 * and loads those of running processes into the module.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmd/cmd.h"
#include "record/device.h"
#include "unwind/cache.h"
#include "unwind/loader.h"
#include "util/msg.h"
#include "util/outfile.h"
#include "util/text.h"

static const char help[] =
	"usage: flame unwind [--stats] FILE...\n"
	"       flame unwind --load [-p PID,... | -a] [FILE...]\n"
	"\n"
	"Compiles the unwind tables of programs and libraries into the cache\n"
	"(${XDG_CACHE_HOME:-~/.cache}/flame/unwind), so that stacks of programs without frame\n"
	"pointers are whole. flame record does by itself what is needed.\n"
	"\n"
	"      --stats         what each table holds, and which code it says nothing about\n"
	"      --load          give the tables to the module: of the FILEs, of all that the\n"
	"                      processes -p, or all (-a), have mapped, and of the vDSO\n"
	"  -p, --pid PID,...   these processes\n"
	"  -a, --all           all processes; the default without -p and FILE\n"
	"  -o, --output FILE   write there instead of stdout\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n";

enum { OPT_STATS = CMD_OPT_OWN, OPT_LOAD };

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "stats", no_argument, NULL, OPT_STATS },
	{ "load", no_argument, NULL, OPT_LOAD },
	{ "pid", required_argument, NULL, 'p' },
	{ "all", no_argument, NULL, 'a' },
	{ 0 }
};

struct unwind_cmd {
	struct cmd cmd;
	FILE *fp;
	const char *pids;
	bool stats, load, all;
	/* Of --load. */
	unsigned int nr_loaded, nr_without;
	uint64_t bytes;
};

static const char *const cfa_text[FLAME_CFA_NR] = {
	[FLAME_CFA_NONE] = "none",
	[FLAME_CFA_END] = "end of stack",
	[FLAME_CFA_SP] = "rsp",
	[FLAME_CFA_BP] = "rbp",
	[FLAME_CFA_REG] = "another register",
	[FLAME_CFA_BP_DEREF] = "behind rbp",
	[FLAME_CFA_PLT] = "procedure linkage table",
	[FLAME_CFA_SP_DEREF] = "behind rsp",
	[FLAME_CFA_SP_REG_DEREF] = "behind rsp and another register",
	[FLAME_CFA_SIGNAL] = "signal frame",
	[FLAME_CFA_FP] = "frame pointers",
};

static void print_stats(FILE *fp, const struct unwind_table *table)
{
	const struct unwind_stats *s = &table->stats;
	uint64_t none = 0;

	fprintf(fp, "  entries: %" PRIu64 "\n", s->entries);
	if (s->damaged)
		fprintf(fp, "  damaged entries: %" PRIu64 "\n", s->damaged);
	for (unsigned int i = 0; i < FLAME_CFA_NR; i++)
		if (s->rows[i])
			fprintf(fp, "  rows, %s: %" PRIu64 "\n", cfa_text[i], s->rows[i]);
	fprintf(fp, "  code bytes: %" PRIu64 "\n", s->code_bytes);
	for (unsigned int i = 0; i < UNWIND_NONE_NR; i++) {
		none += s->none_bytes[i];
		if (s->none_bytes[i])
			fprintf(fp, "  code bytes, %s: %" PRIu64 "\n", unwind_none_text[i],
				s->none_bytes[i]);
	}
	fprintf(fp, "  code bytes without a rule: %.2f %%\n",
		s->code_bytes ? 100.0 * (double)none / (double)s->code_bytes : 0.0);
}

/* False after saying why there is no table of the file. */
static bool compile_file(const struct unwind_cmd *u, const char *path)
{
	struct unwind_table table = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool cached = false;
	struct image im;
	const char *why;

	if (fd < 0) {
		msg_error("%s: %s", path, strerror(errno));
		return false;
	}
	if (!image_open(&im, fd))
		why = "is not an ELF file";
	else if (u->stats)
		why = unwind_compile(&table, &im);
	else
		why = unwind_cached(&table, &im, &cached);
	close(fd);
	if (why) {
		msg_error("%s: %s", path, why);
		return false;
	}
	fprintf(u->fp, "%s: %u rows, %u rules, %u bytes%s\n", path, table.head->nr_rows,
		table.head->nr_rules, table.head->bytes, cached ? ", from the cache" : "");
	if (u->stats)
		print_stats(u->fp, &table);
	unwind_table_free(&table);
	return true;
}

static int compile_files(const struct unwind_cmd *u, int nr, char **paths)
{
	int status = EXIT_DONE;

	for (int i = 0; i < nr; i++)
		if (!compile_file(u, paths[i]))
			status = EXIT_FAILED;
	return status;
}

static void tell_loaded(void *ctx, const struct loaded *l)
{
	struct unwind_cmd *u = ctx;

	if (l->why) {
		u->nr_without++;
		fprintf(u->fp, "%s: no table: %s\n", l->path, l->why);
		return;
	}
	u->nr_loaded++;
	u->bytes += l->bytes;
	fprintf(u->fp, "%s: %zu bytes%s\n", l->path, l->bytes,
		l->cached ? ", from the cache" : "");
}

/* The processes of -p: numbers between commas, blanks or newlines, as pgrep prints them. */
static bool load_pids(const struct unwind_cmd *u, struct loader *l)
{
	const char *p = u->pids;
	bool ok = true;
	uint64_t pid;

	for (;;) {
		size_t len;

		p += strspn(p, ", \t\n");
		len = strcspn(p, ", \t\n");
		if (!len)
			return ok;
		if (!text_u64(p, len, INT32_MAX, &pid)) {
			msg_error("unwind: -p takes process ids, not '%.*s'", (int)len, p);
			return false;
		}
		if (!loader_add_pid(l, (pid_t)pid)) {
			msg_error("process %" PRIu64 ": %s", pid, strerror(errno));
			ok = false;
		}
		p += len;
	}
}

static bool load_files(struct loader *l, int nr, char **paths)
{
	bool ok = true;

	for (int i = 0; i < nr; i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK);

		if (fd < 0) {
			msg_error("%s: %s", paths[i], strerror(errno));
			ok = false;
			continue;
		}
		loader_add_file(l, fd, paths[i]);
		close(fd);
	}
	return ok;
}

static int load_tables(struct unwind_cmd *u, int nr, char **paths)
{
	int device = open(DEVICE_PATH, O_RDWR | O_CLOEXEC);
	struct loader *l;
	bool ok = true;

	if (device < 0) {
		msg_error("%s: %s; see 'flame doctor'", DEVICE_PATH, strerror(errno));
		return EXIT_FAILED;
	}
	l = loader_new(device, tell_loaded, u);
	loader_add_vdso(l);
	ok = load_files(l, nr, paths);
	if (u->pids)
		ok = load_pids(u, l) && ok;
	else if (u->all || !nr)
		ok = loader_add_all(l) && ok;
	loader_free(l);
	close(device);
	fprintf(u->fp, "%u tables loaded, %" PRIu64 " bytes; %u objects without one\n",
		u->nr_loaded, u->bytes, u->nr_without);
	return ok ? EXIT_DONE : EXIT_FAILED;
}

static int take_option(struct unwind_cmd *u, int opt, char **argv)
{
	switch (opt) {
	case OPT_STATS:
		u->stats = true;
		return CMD_GO_ON;
	case OPT_LOAD:
		u->load = true;
		return CMD_GO_ON;
	case 'p':
		u->pids = optarg;
		return CMD_GO_ON;
	case 'a':
		u->all = true;
		return CMD_GO_ON;
	default:
		return cmd_common_option(&u->cmd, opt, argv);
	}
}

int cmd_unwind(int argc, char **argv)
{
	struct unwind_cmd u = { .cmd = { .name = "unwind", .help = help } };
	struct outfile out;
	int opt, status;

	while ((opt = getopt_long(argc, argv, CMD_COMMON_SHORT "p:a", long_options,
				  NULL)) != -1) {
		status = take_option(&u, opt, argv);
		if (status != CMD_GO_ON)
			return status;
	}
	if ((u.pids || u.all) && !u.load)
		return cmd_usage(&u.cmd, "-p and -a go with --load");
	if (u.pids && u.all)
		return cmd_usage(&u.cmd, "either -p or -a");
	if (u.stats && u.load)
		return cmd_usage(&u.cmd, "either --stats or --load");
	if (!u.load && optind == argc)
		return cmd_usage(&u.cmd, "needs a FILE");
	if (!outfile_open(&out, u.cmd.output, 0))
		return EXIT_FAILED;
	u.fp = out.fp;
	if (u.load)
		status = load_tables(&u, argc - optind, argv + optind);
	else
		status = compile_files(&u, argc - optind, argv + optind);
	return outfile_commit(&out) == EXIT_DONE ? status : EXIT_FAILED;
}
