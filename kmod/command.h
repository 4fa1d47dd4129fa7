/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control files as data, and their language: names, ranges, parsing a value,
 * printing it back, saying where it is wrong (see command.c).
 */
#ifndef FLAME_COMMAND_H
#define FLAME_COMMAND_H

#include "port.h"
#include "settings.h"

#define FLAME_SCALAR_MAX	4095	/* bytes of a written value that is not a list */
#define FLAME_VALUE_MAX		65536	/* bytes of a written list */
#define FLAME_SPLIT_MIN		1024	/* see struct flame_intake */
#define FLAME_PRINT_MAX		256	/* bytes of a printed value that is not a list */
#define FLAME_PATTERN_MAX	64	/* bytes of a pattern of set_comm */
#define FLAME_PATTERNS_MAX	64	/* patterns of set_comm */
#define FLAME_ID_MAX		0x7fffffff	/* pid_t */

/* What is wrong with a value. */
struct flame_error {
	int err;		/* negative errno */
	size_t pos;		/* offset of the byte that is wrong */
	char msg[128];		/* what is wrong with it, and what would be right */
};

enum flame_control_kind {
	/* Settings of one value, held in struct flame_settings. */
	FLAME_CTL_NUMBER,
	FLAME_CTL_POWER_OF_TWO,	/* a number, rounded up */
	FLAME_CTL_OPTION,	/* 0 or 1 */
	FLAME_CTL_WORD,		/* one of a few words */
	FLAME_CTL_STACKS,
	FLAME_CTL_SOURCES,
	/* Settings that are lists, held in objects that struct flame_settings points to. */
	FLAME_CTL_PIDS,
	FLAME_CTL_TIDS,
	FLAME_CTL_COMMS,
	FLAME_CTL_CPUS,
	/* What acts. */
	FLAME_CTL_SAMPLING_ON,
	FLAME_CTL_RESET,
	/* What can only be read. */
	FLAME_CTL_README,
	FLAME_CTL_VERSION,
	FLAME_CTL_AVAILABLE_SOURCES,
	FLAME_CTL_ERROR_LOG,
	/* Of these, the views: snapshots of the profile and the counters (views.h). */
	FLAME_CTL_FOLDED,
	FLAME_CTL_OBJECTS,
	FLAME_CTL_STATS,
};

struct flame_word {
	const char *word;
	u8 value;
};

/**
 * struct flame_control - a control file
 * @name: below /sys/kernel/debug/flame/, and in commands
 * @help: what it means, a line for README
 * @range: what may be written, a few words for README; NULL: nothing
 * @words: what FLAME_CTL_WORD takes, ended by a NULL word
 * @mode: of the file
 * @field: offset of the u32 (numbers) or u8 (words) in struct flame_settings, or
 *	   the enum flame_option
 */
struct flame_control {
	const char *name;
	const char *help;
	const char *range;
	const struct flame_word *words;
	enum flame_control_kind kind;
	u16 mode;
	u16 field;
	u32 min, max, def;
};

extern const struct flame_control flame_controls[];
extern const unsigned int flame_nr_controls;

/* A thing that can trigger a sample, as a user names it. */
struct flame_source_name {
	const char *name;
	const char *help;
	u32 bit;		/* in flame_settings.sources */
};

extern const struct flame_source_name flame_source_names[];
extern const unsigned int flame_nr_source_names;

/* Part of flame_settings: true for all that cannot change while sampling is on. */
static inline bool flame_control_is_setting(const struct flame_control *c)
{
	return c->kind <= FLAME_CTL_CPUS;
}

/* Values that may be added to, and may be up to FLAME_VALUE_MAX bytes long. */
static inline bool flame_control_is_list(const struct flame_control *c)
{
	return c->kind >= FLAME_CTL_PIDS && c->kind <= FLAME_CTL_CPUS;
}

/* Printed by a view, not by control.c. */
static inline bool flame_control_is_view(const struct flame_control *c)
{
	return c->kind >= FLAME_CTL_FOLDED;
}

/* The control of this name (@len bytes), or NULL. Any context. */
const struct flame_control *flame_control_find(const char *name, size_t len);

/* The settings after loading; no filter is set. */
void flame_settings_defaults(struct flame_settings *s);

/**
 * flame_fail() - fill in a struct flame_error
 *
 * Returns @err, so that a parser can return it on.
 */
__printf(4, 5)
int flame_fail(struct flame_error *e, int err, size_t pos, const char *fmt, ...);

/**
 * flame_value_parse() - set a setting of one value from its text
 * @c: a setting that is not a list
 * @text: the value as written, not NUL-terminated
 * @len: its bytes
 * @s: receives it; unchanged when it is refused
 * @e: receives what is wrong with it
 *
 * Any context. Returns 0, -EINVAL (malformed) or -ERANGE (a number, but out of range).
 */
int flame_value_parse(const struct flame_control *c, const char *text, size_t len,
		      struct flame_settings *s, struct flame_error *e);

/* Parses 0 or 1. Returns it, or as flame_value_parse(). */
int flame_bool_parse(const char *text, size_t len, struct flame_error *e);

/*
 * The text of a setting that is not a list, with its newline; at most
 * FLAME_PRINT_MAX bytes. Returns its length. Any context.
 */
int flame_value_print(const struct flame_control *c, const struct flame_settings *s,
		      char *buf, size_t size);

/* The numbers of set_pid and set_tid, each with its place in the text. */
struct flame_id {
	u32 id;
	u32 pos;
};

struct flame_ids {
	u32 nr;
	struct flame_id id[];
};

/*
 * Parses a blank-separated list of ids. 0 with @ids (flame_free() it), or -EINVAL,
 * -ERANGE, -ENOMEM. May sleep.
 */
int flame_ids_parse(const char *text, size_t len, struct flame_ids **ids,
		    struct flame_error *e);

#define FLAME_CPU_ALL		0xffffffffU

/* A piece of a CPU list; "all" is 0 to FLAME_CPU_ALL. */
struct flame_cpu_range {
	u32 first, last;
	size_t pos;		/* where it stands in the text */
};

/**
 * flame_cpu_range_next() - the next piece of a CPU list as in "0-3,8"
 * @text: the list; commas and blanks separate, and "all" means every CPU
 * @len: its bytes
 * @at: where to go on, 0 at first
 * @nr_cpus: CPU numbers are below
 * @range: receives the piece
 * @e: receives what is wrong
 *
 * Any context. Returns 1, 0 at the end, -EINVAL or -ERANGE.
 */
int flame_cpu_range_next(const char *text, size_t len, size_t *at, u32 nr_cpus,
			 struct flame_cpu_range *range, struct flame_error *e);

/**
 * flame_pattern_next() - the next pattern of set_comm
 * @text: patterns, one a line; empty lines do not count
 * @len: its bytes
 * @at: where to go on, 0 at first
 * @pattern: receives where it begins
 * @pattern_len: receives its bytes, 1 to FLAME_PATTERN_MAX
 * @e: receives what is wrong
 *
 * Any context. Returns 1, 0 at the end, -EINVAL or -ENAMETOOLONG.
 */
int flame_pattern_next(const char *text, size_t len, size_t *at, const char **pattern,
		       size_t *pattern_len, struct flame_error *e);

/**
 * struct flame_intake - puts together a value that arrives in several writes
 * @held: what has arrived of it, from flame_zalloc()
 * @held_len: its bytes
 * @ended: the last write was one that ends a value
 * @failed: negative errno: refuse the rest of a value
 *
 * stdio splits what is longer than its buffer at arbitrary bytes. So a write to a
 * list file of FLAME_SPLIT_MIN bytes or more that does not end in a newline is the
 * beginning of a value: it is kept until a shorter one, a newline at the end of one,
 * or the close of the file says that the value is whole. When such a long write is
 * refused, what follows up to that point is the rest of it and is refused too.
 */
struct flame_intake {
	char *held;
	size_t held_len;
	bool ended;
	int failed;
};

/**
 * flame_intake_feed() - take one write
 * @in: zeroed at first; the caller serialises
 * @c: the control written to
 * @chunk: the first FLAME_VALUE_MAX + 1 bytes of the write, or all if it is shorter;
 *	   from flame_zalloc(), belongs to @in from now on
 * @len: bytes of the write
 * @last: its last byte, 0 if it has none
 * @e: receives why it is refused
 *
 * May sleep. Returns 0: more is to come; 1: @in->held is a whole value; or -E2BIG,
 * -ENOMEM: it is refused, @in->held is there for the error log. After anything but 0
 * the caller calls flame_intake_done(). The rest of a value refused before gets the
 * errno of then, and leaves @e->msg empty: it was said already.
 */
int flame_intake_feed(struct flame_intake *in, const struct flame_control *c, char *chunk,
		      size_t len, char last, struct flame_error *e);

/* Drops what is held. @err: why the value was refused, or 0. */
void flame_intake_done(struct flame_intake *in, int err);

/* A line of the language of /dev/flame. */
enum flame_verb { FLAME_VERB_SET, FLAME_VERB_ADD, FLAME_VERB_GET, FLAME_VERB_ATTACH };

struct flame_command {
	enum flame_verb verb;
	const char *name;	/* of a control; not NUL-terminated */
	size_t name_len;
	const char *value;
	size_t value_len;
};

/**
 * flame_command_next() - the next command
 * @text: commands, one a line: "NAME VALUE", "NAME += VALUE", "get NAME", "attach"
 * @len: its bytes
 * @at: where to go on, 0 at first
 * @cmd: receives the command, pointing into @text
 * @e: receives what is wrong, with the position in the line at @cmd->value
 *
 * Any context. Returns 1, 0 at the end, or -EINVAL.
 */
int flame_command_next(const char *text, size_t len, size_t *at, struct flame_command *cmd,
		       struct flame_error *e);

/**
 * flame_error_line() - a line for error_log, without time and newline
 * @buf: receives "NAME: MESSAGE (ERRNO): VALUE", NUL-terminated, with a caret in
 *	 VALUE before the byte that is wrong; VALUE is escaped, and shortened around it
 * @size: bytes at @buf
 * @name: the control
 * @e: what is wrong
 * @text: the value, not NUL-terminated
 * @len: its bytes
 *
 * Any context. Returns the length.
 */
size_t flame_error_line(char *buf, size_t size, const char *name, const struct flame_error *e,
			const char *text, size_t len);

#endif /* FLAME_COMMAND_H */
