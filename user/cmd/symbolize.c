// SPDX-License-Identifier: GPL-2.0-only
/*
 * `flame symbolize`: names for OBJECT+0xOFFSET frames, in folded text or in a .flame
 * file.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cmd/cmd.h"
#include "input/flame_file.h"
#include "input/input.h"
#include "input/records.h"
#include "output/flame_writer.h"
#include "output/folded.h"
#include "symbol/object_list.h"
#include "symbol/symbolize.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/outfile.h"
#include "util/text.h"

#define OBJECTS_FILE	"/sys/kernel/debug/flame/objects"

static const char help[] =
	"usage: flame symbolize [options] [INPUT]\n"
	"\n"
	"Gives names to OBJECT+0xOFFSET frames. Folded text (stdin) comes out as folded\n"
	"text; a .flame file is rewritten with the names in it.\n"
	"\n"
	"      --objects FILE  which OBJECT is which file, as the control file `objects`\n"
	"                      tells (default: " OBJECTS_FILE ")\n"
	"  -o, --output FILE   write there instead of stdout, or of INPUT if it is .flame\n"
	"  -q, --quiet  -v, --verbose  -h, --help  --version\n";

enum { OPT_OBJECTS = CMD_OPT_OWN };

static const struct option long_options[] = {
	CMD_COMMON_LONG,
	{ "objects", required_argument, NULL, OPT_OBJECTS },
	{ 0 }
};

/* A frame of the input that has the form OBJECT+0xOFFSET. */
struct address_frame {
	const struct listed_object *object;
	uint64_t offset;
	uint32_t frame;
};

/* Takes OBJECT+0xOFFSET apart; false: the name has another form. */
static bool split_address(const char *name, size_t *object_len, uint64_t *offset)
{
	const char *plus = NULL, *next = name;
	char *end;

	while ((next = strstr(next, "+0x"))) {
		plus = next;
		next += 3;
	}
	if (!plus || plus == name || !strchr("0123456789abcdefABCDEF", plus[3]) || !plus[3])
		return false;
	errno = 0;
	*offset = strtoull(plus + 3, &end, 16);
	*object_len = (size_t)(plus - name);
	return !*end && !errno;
}

static int by_object(const void *a, const void *b)
{
	const struct address_frame *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* "[vsyscall]" and the like have neither file nor symbols; the vDSO has an image. */
static bool has_symbols(const struct listed_object *lo)
{
	return *lo->path != '[' || !strcmp(lo->path, "[vdso]");
}

/* names[frame]: string id in @out, for each frame that gets another name. */
static void resolve(struct address_frame *frames, size_t nr, struct profile *out, uint32_t *names)
{
	qsort(frames, nr, sizeof(*frames), by_object);
	for (size_t i = 0; i < nr;) {
		const struct listed_object *lo = frames[i].object;
		const bool symbols = has_symbols(lo);
		struct object *o = symbols ? symbolize_open(-1, lo->path, lo->build_id,
							    lo->build_id_len) : NULL;

		for (; i < nr && frames[i].object == lo; i++) {
			struct object_name name = { .name = NULL };

			if (!symbols)
				name.name = xstrdup(lo->path);
			else if (!o || !object_name_at(o, frames[i].offset, &name))
				continue;
			names[frames[i].frame] = profile_name(out, name.name, strlen(name.name));
			free(name.name);
		}
		object_close(o);
	}
}

static uint32_t *name_frames(const struct profile *p, struct profile *out,
			     const struct object_list *list)
{
	uint32_t nr = profile_nr_frames(p);
	uint32_t *names = xcalloc(nr, sizeof(*names));
	struct address_frame *frames = xcalloc(nr, sizeof(*frames));
	size_t nr_frames = 0, unlisted = 0;

	for (uint32_t i = 0; i < nr; i++) {
		const struct profile_frame *f = profile_frame_at(p, i);
		const char *name = profile_text(p, f->name);
		struct address_frame af = { .frame = i };
		size_t len;

		if (f->kind != FRAME_USER || !split_address(name, &len, &af.offset))
			continue;
		af.object = object_list_find(list, name, len);
		if (af.object)
			frames[nr_frames++] = af;
		else
			unlisted++;
	}
	if (nr_frames)
		resolve(frames, nr_frames, out, names);
	if (unlisted)
		msg_warn("%zu frames lie in objects that are not listed; was the profile reset since?",
			 unlisted);
	free(frames);
	return names;
}

/* The profile with the new names. */
static struct profile *renamed(const struct profile *p, const struct object_list *list)
{
	uint32_t nr_frames = profile_nr_frames(p), nr = profile_nr_stacks(p);
	struct profile *out = profile_new();
	uint32_t *names = name_frames(p, out, list);
	uint32_t *frames = xcalloc(nr_frames, sizeof(*frames));
	uint32_t *stacks = xcalloc(nr, sizeof(*stacks));

	for (uint32_t i = 0; i < nr_frames; i++) {
		struct profile_frame f = *profile_frame_at(p, i);
		const char *name = profile_text(p, f.name);

		f.name = names[i] != PROFILE_NO_STRING ? names[i] :
			 profile_string(out, name, strlen(name));
		frames[i] = profile_frame(out, &f);
	}
	profile_event(out, "", "samples");
	for (uint32_t s = 0; s < nr; s++) {
		if (s)
			stacks[s] = profile_push(out, stacks[profile_stack_parent(p, s)],
						 frames[profile_stack_frame(p, s)]);
		/* The same sum as in @p: it fits. */
		(void)profile_add(out, stacks[s], 0, profile_self(p, s, 0));
	}
	free(stacks);
	free(frames);
	free(names);
	return out;
}

static bool read_objects(struct object_list *list, const char *path)
{
	FILE *fp = fopen(path, "re");
	bool ok;

	if (!fp) {
		msg_error("%s: %s; it tells which OBJECT is which file: save it beside the folded text and give --objects FILE",
			  path, strerror(errno));
		return false;
	}
	ok = object_list_read(list, fp, path);
	fclose(fp);
	return ok;
}

static int symbolize_folded(const struct cmd *cmd, const struct profile *p, const char *objects)
{
	static const struct folded_options how = { true, true, true };
	struct object_list list;
	struct profile *named;
	struct outfile out;
	int status = EXIT_FAILED;

	if (!read_objects(&list, objects))
		return EXIT_FAILED;
	named = renamed(p, &list);
	if (outfile_open(&out, cmd->output, 0)) {
		folded_write(out.fp, named, 0, &how);
		status = outfile_commit(&out);
	}
	profile_free(named);
	object_list_free(&list);
	return status;
}

/* A recording on its way through: all records but old symbols are copied. */
struct rewrite {
	struct records *records;
	struct flame_writer *writer;
	bool failed;
};

static void copy_text(void *arg, const char *text, size_t len)
{
	struct rewrite *rw = arg;

	rw->failed |= !flame_writer_begin(rw->writer, text, len);
}

static const char *copy_record(void *arg, struct flame_rec *rec)
{
	struct rewrite *rw = arg;
	const char *wrong = records_add(rw->records, rec);

	if (!wrong && rec->type != FLAME_REC_SYMBOL)
		rw->failed |= !flame_writer_add(rw->writer, rec);
	return wrong;
}

static int symbolize_flame(const char *output, int fd, const char *name, const char *head,
			   size_t head_len)
{
	struct rewrite rw = { 0 };
	struct flame_file_sink sink = { copy_text, copy_record, &rw };
	struct profile *p = profile_new();
	struct outfile out;
	int status = EXIT_FAILED;

	if (outfile_open(&out, output, OUTFILE_BINARY | OUTFILE_PRIVATE)) {
		rw.records = records_new(p, NULL);
		rw.writer = flame_writer_new(fileno(out.fp), output ? output : "stdout");
		if (flame_file_read_fd(fd, name, head, head_len, &sink) && !rw.failed) {
			symbolize_records(rw.records, NULL, NULL);
			if (flame_writer_add_symbols(rw.writer, rw.records) &&
			    flame_writer_end(rw.writer))
				status = outfile_commit(&out);
		}
		outfile_abort(&out);
		flame_writer_free(rw.writer);
		records_free(rw.records);
	}
	profile_free(p);
	return status;
}

static size_t read_head(int fd, char *head, size_t size)
{
	size_t have = 0;
	ssize_t n;

	while (have < size && (n = read(fd, head + have, size - have)) != 0) {
		if (n > 0)
			have += (size_t)n;
		else if (errno != EINTR)
			break;
	}
	return have;
}

static int symbolize(const struct cmd *cmd, const char *input, const char *objects)
{
	static const struct input_options options;
	char head[sizeof(FLAME_FILE_MAGIC) - 1];
	const char *name = input, *output;
	int fd = input_open(&name), status = EXIT_FAILED;
	struct profile *p;
	size_t len;

	if (fd < 0)
		return EXIT_FAILED;
	len = read_head(fd, head, sizeof(head));
	if (len == sizeof(head) && !memcmp(head, FLAME_FILE_MAGIC, len)) {
		output = cmd->output;
		if (!output && strcmp(name, "(stdin)"))
			output = name;
		status = symbolize_flame(output, fd, name, head, len);
	} else {
		p = input_read_fd(fd, name, head, len, &options);
		if (p)
			status = symbolize_folded(cmd, p, objects);
		profile_free(p);
	}
	close(fd);
	return status;
}

int cmd_symbolize(int argc, char **argv)
{
	struct cmd cmd = { .name = "symbolize", .help = help };
	const char *objects = OBJECTS_FILE, *path;
	int opt, status;

	while ((opt = getopt_long(argc, argv, CMD_COMMON_SHORT, long_options, NULL)) != -1) {
		if (opt == OPT_OBJECTS) {
			objects = optarg;
			continue;
		}
		status = cmd_common_option(&cmd, opt, argv);
		if (status != CMD_GO_ON)
			return status;
	}
	status = cmd_one_input(&cmd, argc, argv, &path);
	if (status != CMD_GO_ON)
		return status;
	return symbolize(&cmd, path, objects);
}
