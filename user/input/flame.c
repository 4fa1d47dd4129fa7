// SPDX-License-Identifier: GPL-2.0-only
/*
 * The .flame file as an input format: joins its frame (flame_file.c) and its records
 * (records.c).
 */
#include <stdlib.h>
#include <string.h>
#include "input/flame_file.h"
#include "input/input.h"
#include "input/records.h"
#include "util/mem.h"
#include "util/msg.h"

struct state {
	struct flame_file_reader *file;
	struct flame_file_sink sink;
	struct records *records;
	struct profile *profile;
};

static void copy_value(char *out, size_t size, const char *text, size_t len, const char *name)
{
	size_t name_len = strlen(name);

	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len;

		if (n > name_len && !memcmp(text, name, name_len)) {
			size_t value = n - name_len < size ? n - name_len : size - 1;

			memcpy(out, text + name_len, value);
			out[value] = '\0';
			return;
		}
		text += end ? n + 1 : n;
		len -= end ? n + 1 : n;
	}
}

static void take_text(void *arg, const char *text, size_t len)
{
	struct state *s = arg;
	struct profile_meta *meta = profile_meta(s->profile);

	copy_value(meta->host, sizeof(meta->host), text, len, "host: ");
	copy_value(meta->kernel, sizeof(meta->kernel), text, len, "kernel: ");
}

static const char *take_record(void *arg, struct flame_rec *rec)
{
	struct state *s = arg;

	return records_add(s->records, rec);
}

static int flame_probe(const char *head, size_t len, bool whole)
{
	const size_t magic_len = strlen(FLAME_FILE_MAGIC);
	size_t same = 0;

	(void)whole;
	for (size_t i = 0; i < len && i < magic_len; i++)
		same += head[i] == FLAME_FILE_MAGIC[i];
	/* Damaged, or cut short, it is this format all the same: the reader says where. */
	return same == magic_len ? 100 : same >= magic_len - 2 ? 60 : 0;
}

static bool flame_begin(struct input *in)
{
	struct state *s = xcalloc(1, sizeof(*s));

	s->sink = (struct flame_file_sink){ .text = take_text, .record = take_record, .arg = s };
	s->profile = in->profile;
	s->records = records_new(in->profile, in->options);
	s->file = flame_file_reader_new(in->name, &s->sink);
	in->state = s;
	return true;
}

static bool flame_feed(struct input *in, const char *data, size_t len)
{
	struct state *s = in->state;

	return flame_file_feed(s->file, data, len);
}

static bool flame_finish(struct input *in)
{
	struct state *s = in->state;
	const char *wrong;

	switch (flame_file_finish(s->file)) {
	case FLAME_FILE_BAD:
		return false;
	case FLAME_FILE_CUT:
		if (!records_nr_samples(s->records)) {
			msg_error("%s: cut off at offset %llu, before its first sample: nothing to read",
				  in->name, flame_file_offset(s->file));
			return false;
		}
		flame_file_warn_cut(s->file);
		break;
	case FLAME_FILE_WHOLE:
		break;
	}
	wrong = records_finish(s->records);
	if (!wrong)
		return true;
	msg_error("%s: %s", in->name, wrong);
	return false;
}

static void flame_end(struct input *in)
{
	struct state *s = in->state;

	if (!s)
		return;
	flame_file_reader_free(s->file);
	records_free(s->records);
	free(s);
	in->state = NULL;
}

const struct input_format input_flame = {
	.name = "flame",
	.probe = flame_probe,
	.begin = flame_begin,
	.feed = flame_feed,
	.finish = flame_finish,
	.end = flame_end,
};
