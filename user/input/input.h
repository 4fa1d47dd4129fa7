/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading a profile of any known format, compressed or not, recognised by content.
 * A format is one file with one struct input_format in the table of input.c.
 */
#ifndef FLAME_INPUT_H
#define FLAME_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include "profile/profile.h"

/* What a command wants of the reader. Zeroed is the default. */
struct input_options {
	bool pid;		/* root frame is COMM-PID */
	bool tid;		/* root frame is COMM-PID/TID */
	bool no_comm;		/* no root frame unless @pid or @tid asks for one */
	bool addrs;		/* user frames keep OBJECT+0xOFFSET though a name is known */
	bool keep_samples;	/* profile_keep_samples(), where the format has samples */
	/*
	 * Folded text of which every line has two counts is a difference: event 0 is the
	 * second column, event 1 ("before") the first. Without: a number of the name.
	 */
	bool two_columns;
	const char *from;	/* name of the format; NULL: recognised by content */
	bool strict;		/* a line that cannot be read is an error */
	bool count;		/* every sample weighs 1, whatever its period */
	/* Of several events: "all" keeps them apart; NULL: the first that is met. */
	const char *event;
	bool inlined_plain;	/* frames perf calls (inlined) are as any other */
	bool inlines;		/* perf: inlined functions from the objects' DWARF */
	bool context;		/* with @inlines: names with file and line: f:file.c:10 */
	bool srcline;		/* names get the source line printed below them: f:file.c:10 */
	bool offsets;		/* bpftrace: names keep their offset: f+12 */
	const char *const *skip_after;	/* frames outside of one of these are cut */
	size_t nr_skip_after;
};

struct input_format;

/**
 * struct input - one source being read
 * @name: for messages: the path, or "(stdin)"
 * @options: never NULL
 * @profile: what is being filled
 * @format: the one being read
 * @offset: bytes fed before the current piece (after decompression)
 * @state: the format's own
 */
struct input {
	const char *name;
	const struct input_options *options;
	struct profile *profile;
	const struct input_format *format;
	unsigned long long offset;
	void *state;
};

/**
 * struct input_format - one format
 * @name: as users call it
 * @probe: how sure this is the format, judged by the first bytes (up to
 *	   INPUT_PROBE_SIZE, all of the input if @whole): 0 not at all, 100 certain
 * @begin: sets @state; false when refused
 * @feed: takes the next piece, of any size; false after saying what is wrong
 * @finish: the input is complete; false after saying what is missing
 * @end: frees @state, also after a failure
 */
struct input_format {
	const char *name;
	int (*probe)(const char *head, size_t len, bool whole);
	bool (*begin)(struct input *in);
	bool (*feed)(struct input *in, const char *data, size_t len);
	bool (*finish)(struct input *in);
	void (*end)(struct input *in);
};

#define INPUT_PROBE_SIZE	65536

/*
 * Reads @path into a new profile. NULL: stdin if that is a pipe or a file, else
 * prof.flame; "-": stdin. Returns NULL after saying what is wrong, naming file and
 * offset or line.
 */
struct profile *input_read(const char *path, const struct input_options *options);

/*
 * The two halves of input_read(), for a command that looks at the first bytes itself:
 * input_open() sets *@path to the name for messages and returns a descriptor or, after
 * saying why, -1; input_read_fd() takes what was read of it as @head.
 */
int input_open(const char **path);
struct profile *input_read_fd(int fd, const char *name, const char *head, size_t head_len,
			      const struct input_options *options);

/* The same from memory, for tests; @name stands for the path in messages. */
struct profile *input_read_memory(const char *name, const char *data, size_t len,
				  const struct input_options *options);

/* The format an input is of by its first bytes, or that users call @name; NULL: none. */
const struct input_format *input_recognise(const char *head, size_t len, bool whole);
const struct input_format *input_by_name(const char *name);
/* Names of all formats, separated by ", ". */
const char *input_format_names(void);

extern const struct input_format input_flame;
extern const struct input_format input_folded;
extern const struct input_format input_perf;
extern const struct input_format input_stap;
extern const struct input_format input_dtrace;
extern const struct input_format input_bcc;
extern const struct input_format input_bpftrace;
extern const struct input_format input_pprof;
extern const struct input_format input_pprof_raw;
extern const struct input_format input_callgrind;
extern const struct input_format input_json;
extern const struct input_format input_speedscope;
extern const struct input_format input_firefox;
extern const struct input_format input_cpuprofile;
extern const struct input_format input_chrome;

#endif /* FLAME_INPUT_H */
