// SPDX-License-Identifier: GPL-2.0-only
/*
 * The control files as data, and the language in which they are written: parses a
 * value, prints it back, and says what is wrong with it and where. Shared with user
 * space; knows nothing of files, tasks or the session, and changes nothing but the
 * structure it is given.
 */
#include "command.h"
#include "glob.h"
#include "../include/flame_abi.h"

#define ERROR_VALUE_WIDTH	80	/* columns of a value in error_log */
#define ERROR_VALUE_BEFORE	40	/* of these at most before the caret */

#define FIELD(name)	offsetof(struct flame_settings, name)

static const struct flame_word unwind_words[] = {
	{ .word = "auto", .value = FLAME_UNWIND_AUTO },
	{ .word = "fp", .value = FLAME_UNWIND_FP },
	{ .word = "table", .value = FLAME_UNWIND_TABLE },
	{ .word = NULL }
};

static const struct flame_word threads_words[] = {
	{ .word = "all", .value = FLAME_THREADS_ALL },
	{ .word = "user", .value = FLAME_THREADS_USER },
	{ .word = "kernel", .value = FLAME_THREADS_KERNEL },
	{ .word = NULL }
};

const struct flame_source_name flame_source_names[] = {
	{ "timer", "each CPU, `frequency` times a second", 1U << FLAME_SOURCE_TIMER },
};

const unsigned int flame_nr_source_names = ARRAY_SIZE(flame_source_names);

#define NUMBER(_name, _help, _min, _max, _def) { \
	.name = #_name, .help = _help, .kind = FLAME_CTL_NUMBER, .mode = 0600, \
	.field = FIELD(_name), .min = _min, .max = _max, .def = _def }

#define OPTION(_name, _help, _bit, _def) { \
	.name = "options/" _name, .help = _help, .kind = FLAME_CTL_OPTION, .mode = 0600, \
	.field = _bit, .max = 1, .def = _def }

#define TEXT(_name, _help, _kind) { \
	.name = _name, .help = _help, .kind = _kind, .mode = 0400 }

const struct flame_control flame_controls[] = {
	TEXT("README", "this text", FLAME_CTL_README),
	TEXT("version", "version of the module and of its interface", FLAME_CTL_VERSION),
	TEXT("available_sources", "what can stand in current_source", FLAME_CTL_AVAILABLE_SOURCES),
	TEXT("error_log", "why the last writes were refused", FLAME_CTL_ERROR_LOG),
	{ .name = "sampling_on", .help = "1 starts sampling, 0 stops it", .range = "0, 1",
	  .kind = FLAME_CTL_SAMPLING_ON, .mode = 0600 },
	{ .name = "current_source", .help = "what triggers a sample", .range = "a list",
	  .kind = FLAME_CTL_SOURCES, .mode = 0600, .def = 1U << FLAME_SOURCE_TIMER },
	NUMBER(frequency, "samples a second on each CPU", 1, FLAME_HZ_MAX, 99),
	NUMBER(duration, "seconds after which sampling stops by itself, 0 never",
	       0, FLAME_DURATION_MAX, 0),
	{ .name = "stacks", .help = "which halves of a stack are taken",
	  .range = "kernel, user, kernel user, none", .kind = FLAME_CTL_STACKS, .mode = 0600,
	  .def = FLAME_STACKS_KERNEL | FLAME_STACKS_USER },
	{ .name = "unwind", .help = "how user stacks are walked", .range = "auto, fp, table",
	  .kind = FLAME_CTL_WORD, .words = unwind_words, .mode = 0600, .field = FIELD(unwind),
	  .def = FLAME_UNWIND_AUTO },
	NUMBER(max_depth, "frames of each half of a stack", 1, FLAME_DEPTH_MAX, 127),
	{ .name = "set_pid", .help = "only these processes", .range = "ids; > >>",
	  .kind = FLAME_CTL_PIDS, .mode = 0600 },
	{ .name = "set_tid", .help = "only these threads", .range = "ids; > >>",
	  .kind = FLAME_CTL_TIDS, .mode = 0600 },
	{ .name = "set_comm", .help = "only threads with such a name",
	  .range = "shell patterns, one a line; > >>", .kind = FLAME_CTL_COMMS, .mode = 0600 },
	{ .name = "cpus", .help = "only these CPUs", .range = "a list as 0-3,8; > >>",
	  .kind = FLAME_CTL_CPUS, .mode = 0600 },
	{ .name = "threads", .help = "which threads are sampled", .range = "all, user, kernel",
	  .kind = FLAME_CTL_WORD, .words = threads_words, .mode = 0600, .field = FIELD(threads),
	  .def = FLAME_THREADS_ALL },
	OPTION("annotate", "mark kernel frames with _[k]", FLAME_OPT_ANNOTATE, 1),
	OPTION("comm", "thread name as the outermost frame", FLAME_OPT_COMM, 1),
	OPTION("cpu", "CPU number as a frame", FLAME_OPT_CPU, 0),
	OPTION("follow_children", "set_pid and set_tid hold for later children too",
	       FLAME_OPT_FOLLOW_CHILDREN, 0),
	OPTION("idle", "sample the idle task too", FLAME_OPT_IDLE, 0),
	OPTION("irq", "interrupt work under a frame of its own", FLAME_OPT_IRQ, 0),
	OPTION("offset", "kernel frames with the offset in the function", FLAME_OPT_OFFSET, 0),
	OPTION("overwrite", "flight recorder: keep the newest samples only",
	       FLAME_OPT_OVERWRITE, 0),
	OPTION("pid", "process id as a frame", FLAME_OPT_PID, 0),
	OPTION("tid", "thread id as a frame", FLAME_OPT_TID, 0),
	{ .name = "buffer_size_kb", .help = "ring of each CPU, rounded up to a power of two",
	  .kind = FLAME_CTL_POWER_OF_TWO, .mode = 0600, .field = FIELD(buffer_size_kb),
	  .min = FLAME_BUFFER_KB_MIN, .max = FLAME_BUFFER_KB_MAX, .def = 1024 },
	NUMBER(memory_limit_kb, "bound on the profile and the mappings known",
	       FLAME_MEMORY_KB_MIN, FLAME_MEMORY_KB_MAX, 65536),
	NUMBER(max_overhead, "per mille of a CPU the sampler may use before it slows, 0 any",
	       0, FLAME_OVERHEAD_MAX, 0),
	{ .name = "reset", .help = "clears profile, counters and error_log", .range = "anything",
	  .kind = FLAME_CTL_RESET, .mode = 0200 },
	TEXT("folded", "the profile: a line for each stack, and its samples", FLAME_CTL_FOLDED),
	TEXT("objects", "the mapped files seen: id, build-id, path", FLAME_CTL_OBJECTS),
	TEXT("stats", "counters", FLAME_CTL_STATS),
};

const unsigned int flame_nr_controls = ARRAY_SIZE(flame_controls);

/* A value while it is read word by word. */
struct lexer {
	const char *text;
	size_t len;
	size_t at;		/* where to go on */
	size_t word;		/* where the last word begins */
	size_t word_len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Finds the next word. Returns false, and an empty word at the end, if there is none. */
static bool next_word(struct lexer *lex)
{
	while (lex->at < lex->len && is_blank(lex->text[lex->at]))
		lex->at++;
	lex->word = lex->at;
	while (lex->at < lex->len && !is_blank(lex->text[lex->at]))
		lex->at++;
	lex->word_len = lex->at - lex->word;
	return lex->word_len;
}

static bool word_is(const struct lexer *lex, const char *word)
{
	return lex->word_len == strlen(word) &&
	       !memcmp(lex->text + lex->word, word, lex->word_len);
}

int flame_fail(struct flame_error *e, int err, size_t pos, const char *fmt, ...)
{
	va_list args;

	e->err = err;
	e->pos = pos;
	va_start(args, fmt);
	vsnprintf(e->msg, sizeof(e->msg), fmt, args);
	va_end(args);
	return err;
}

const struct flame_control *flame_control_find(const char *name, size_t len)
{
	unsigned int i;

	for (i = 0; i < flame_nr_controls; i++) {
		const char *known = flame_controls[i].name;

		if (strlen(known) == len && !memcmp(known, name, len))
			return &flame_controls[i];
	}
	return NULL;
}

static u32 *field_u32(const struct flame_control *c, struct flame_settings *s)
{
	return (u32 *)((char *)s + c->field);
}

static u8 *field_u8(const struct flame_control *c, struct flame_settings *s)
{
	return (u8 *)s + c->field;
}

static void set_option(struct flame_settings *s, unsigned int bit, bool value)
{
	if (value)
		s->options |= 1UL << bit;
	else
		s->options &= ~(1UL << bit);
}

void flame_settings_defaults(struct flame_settings *s)
{
	const struct flame_control *c;

	memset(s, 0, sizeof(*s));
	for (c = flame_controls; c < flame_controls + flame_nr_controls; c++) {
		switch (c->kind) {
		case FLAME_CTL_NUMBER:
		case FLAME_CTL_POWER_OF_TWO:
			*field_u32(c, s) = c->def;
			break;
		case FLAME_CTL_OPTION:
			set_option(s, c->field, c->def);
			break;
		case FLAME_CTL_WORD:
			*field_u8(c, s) = c->def;
			break;
		case FLAME_CTL_STACKS:
			s->stacks = c->def;
			break;
		case FLAME_CTL_SOURCES:
			s->sources = c->def;
			break;
		default:
			break;
		}
	}
}

/* Parses decimal digits at @pos of @text, all @len of them. */
static int parse_digits(const char *text, size_t pos, size_t len, u32 min, u32 max, u32 *value,
			struct flame_error *e)
{
	u64 n = 0;
	size_t i;

	for (i = pos; i < pos + len; i++) {
		if (!is_digit(text[i]))
			return flame_fail(e, -EINVAL, i, "not a whole number in %u-%u", min, max);
		/* Once too large it stays so: no overflow, however long it is. */
		if (n <= max)
			n = n * 10 + (text[i] - '0');
	}
	if (n < min || n > max)
		return flame_fail(e, -ERANGE, pos, "out of range %u-%u", min, max);
	*value = n;
	return 0;
}

/* Refuses whatever follows the one word that has been read. */
static int parse_end(struct lexer *lex, struct flame_error *e)
{
	if (next_word(lex))
		return flame_fail(e, -EINVAL, lex->word, "only one value can be given");
	return 0;
}

static int parse_number(const char *text, size_t len, u32 min, u32 max, u32 *value,
			struct flame_error *e)
{
	struct lexer lex = { .text = text, .len = len };
	int err, end_err;
	u32 n = 0;

	if (!next_word(&lex))
		return flame_fail(e, -EINVAL, 0, "empty, expected a whole number in %u-%u",
				  min, max);
	err = parse_digits(text, lex.word, lex.word_len, min, max, &n, e);
	if (err == -EINVAL)
		return err;
	/* A malformed value is called that before its number is called out of range. */
	end_err = parse_end(&lex, e);
	if (end_err)
		return end_err;
	if (!err)
		*value = n;
	return err;
}

int flame_bool_parse(const char *text, size_t len, struct flame_error *e)
{
	u32 value = 0;
	int err = parse_number(text, len, 0, 1, &value, e);

	return err ? err : (int)value;
}

/* Lists what @c takes, as "a, b or c", for a message. */
static void list_words(const struct flame_word *words, char *buf, size_t size)
{
	const struct flame_word *w;
	size_t at = 0;

	for (w = words; w->word; w++) {
		const char *between = w == words ? "" : w[1].word ? ", " : " or ";

		at += snprintf(buf + at, size - at, "%s%s", between, w->word);
	}
}

static int parse_word(const struct flame_control *c, const char *text, size_t len, u8 *value,
		      struct flame_error *e)
{
	struct lexer lex = { .text = text, .len = len };
	const struct flame_word *w;
	char words[64];
	int err;

	list_words(c->words, words, sizeof(words));
	if (!next_word(&lex))
		return flame_fail(e, -EINVAL, 0, "empty, expected %s", words);
	for (w = c->words; w->word; w++)
		if (word_is(&lex, w->word))
			break;
	if (!w->word)
		return flame_fail(e, -EINVAL, lex.word, "unknown word, expected %s", words);
	err = parse_end(&lex, e);
	if (!err)
		*value = w->value;
	return err;
}

static int parse_stacks(const char *text, size_t len, u8 *value, struct flame_error *e)
{
	struct lexer lex = { .text = text, .len = len };
	u8 stacks = FLAME_STACKS_NONE;
	bool none = false;
	size_t words;

	for (words = 0; next_word(&lex); words++) {
		bool is_none = word_is(&lex, "none");

		if (none || (is_none && words))
			return flame_fail(e, -EINVAL, lex.word, "none stands alone");
		if (word_is(&lex, "kernel"))
			stacks |= FLAME_STACKS_KERNEL;
		else if (word_is(&lex, "user"))
			stacks |= FLAME_STACKS_USER;
		else if (!is_none)
			return flame_fail(e, -EINVAL, lex.word,
					  "unknown word, expected kernel, user or none");
		none = is_none;
	}
	if (!words)
		return flame_fail(e, -EINVAL, 0, "empty, expected kernel, user or none");
	*value = stacks;
	return 0;
}

static int parse_sources(const char *text, size_t len, u32 *value, struct flame_error *e)
{
	struct lexer lex = { .text = text, .len = len };
	u32 sources = 0;
	unsigned int i;

	while (next_word(&lex)) {
		for (i = 0; i < flame_nr_source_names; i++)
			if (word_is(&lex, flame_source_names[i].name))
				break;
		if (i == flame_nr_source_names)
			return flame_fail(e, -EINVAL, lex.word,
					  "unknown source, available_sources lists them");
		sources |= flame_source_names[i].bit;
	}
	if (!sources)
		return flame_fail(e, -EINVAL, 0, "empty, expected a source of available_sources");
	*value = sources;
	return 0;
}

/* @n is at most 1 << 31. */
static u32 round_up_to_power_of_two(u32 n)
{
	u32 power = 1;

	while (power < n)
		power <<= 1;
	return power;
}

int flame_value_parse(const struct flame_control *c, const char *text, size_t len,
		      struct flame_settings *s, struct flame_error *e)
{
	u32 value = 0;
	int err;

	switch (c->kind) {
	case FLAME_CTL_NUMBER:
		return parse_number(text, len, c->min, c->max, field_u32(c, s), e);
	case FLAME_CTL_POWER_OF_TWO:
		err = parse_number(text, len, c->min, c->max, &value, e);
		if (!err)
			*field_u32(c, s) = round_up_to_power_of_two(value);
		return err;
	case FLAME_CTL_OPTION:
		err = flame_bool_parse(text, len, e);
		if (err < 0)
			return err;
		set_option(s, c->field, err);
		return 0;
	case FLAME_CTL_WORD:
		return parse_word(c, text, len, field_u8(c, s), e);
	case FLAME_CTL_STACKS:
		return parse_stacks(text, len, &s->stacks, e);
	case FLAME_CTL_SOURCES:
		return parse_sources(text, len, &s->sources, e);
	default:
		return flame_fail(e, -EINVAL, 0, "not a setting of one value");
	}
}

static const char *print_stacks(u8 stacks)
{
	switch (stacks) {
	case FLAME_STACKS_NONE:
		return "none";
	case FLAME_STACKS_KERNEL:
		return "kernel";
	case FLAME_STACKS_USER:
		return "user";
	default:
		return "kernel user";
	}
}

static int print_sources(u32 sources, char *buf, size_t size)
{
	unsigned int i;
	int at = 0;

	for (i = 0; i < flame_nr_source_names; i++)
		if (sources & flame_source_names[i].bit)
			at += snprintf(buf + at, size - at, "%s%s", at ? " " : "",
				       flame_source_names[i].name);
	return at + snprintf(buf + at, size - at, "\n");
}

int flame_value_print(const struct flame_control *c, const struct flame_settings *s,
		      char *buf, size_t size)
{
	const struct flame_word *w;

	switch (c->kind) {
	case FLAME_CTL_NUMBER:
	case FLAME_CTL_POWER_OF_TWO:
		return snprintf(buf, size, "%u\n", *(const u32 *)((const char *)s + c->field));
	case FLAME_CTL_OPTION:
		return snprintf(buf, size, "%d\n", flame_option(s, c->field));
	case FLAME_CTL_WORD:
		for (w = c->words; w[1].word; w++)
			if (w->value == *((const u8 *)s + c->field))
				break;
		return snprintf(buf, size, "%s\n", w->word);
	case FLAME_CTL_STACKS:
		return snprintf(buf, size, "%s\n", print_stacks(s->stacks));
	case FLAME_CTL_SOURCES:
		return print_sources(s->sources, buf, size);
	default:
		return snprintf(buf, size, "\n");
	}
}

int flame_ids_parse(const char *text, size_t len, struct flame_ids **ids,
		    struct flame_error *e)
{
	struct lexer lex = { .text = text, .len = len };
	struct flame_ids *list;
	size_t nr = 0;
	int err;

	while (next_word(&lex))
		nr++;
	list = flame_zalloc(sizeof(*list) + nr * sizeof(list->id[0]));
	if (!list)
		return flame_fail(e, -ENOMEM, 0, "no memory for %zu ids", nr);
	lex.at = 0;
	while (next_word(&lex)) {
		struct flame_id *id = &list->id[list->nr++];

		id->pos = lex.word;
		err = parse_digits(text, lex.word, lex.word_len, 1, FLAME_ID_MAX, &id->id, e);
		if (err) {
			flame_free(list);
			return err;
		}
	}
	*ids = list;
	return 0;
}

/* Parses the digits at *@at, up to the first other byte, as the number of a CPU. */
static int parse_cpu(const char *text, size_t len, size_t *at, u32 nr_cpus, u32 *cpu,
		     struct flame_error *e)
{
	size_t start = *at;

	while (*at < len && is_digit(text[*at]))
		++*at;
	if (*at == start)
		return flame_fail(e, -EINVAL, start, "not a CPU list, expected one as 0-3,8");
	return parse_digits(text, start, *at - start, 0, nr_cpus - 1, cpu, e);
}

static bool is_cpu_separator(char c)
{
	return c == ',' || is_blank(c);
}

int flame_cpu_range_next(const char *text, size_t len, size_t *at, u32 nr_cpus,
			 struct flame_cpu_range *range, struct flame_error *e)
{
	int err;

	while (*at < len && is_cpu_separator(text[*at]))
		++*at;
	if (*at == len)
		return 0;
	range->pos = *at;
	if (len - *at >= 3 && !memcmp(text + *at, "all", 3)) {
		*at += 3;
		range->first = 0;
		range->last = FLAME_CPU_ALL;
	} else {
		err = parse_cpu(text, len, at, nr_cpus, &range->first, e);
		if (err)
			return err;
		range->last = range->first;
		if (*at < len && text[*at] == '-') {
			++*at;
			err = parse_cpu(text, len, at, nr_cpus, &range->last, e);
			if (err)
				return err;
		}
	}
	if (*at < len && !is_cpu_separator(text[*at]))
		return flame_fail(e, -EINVAL, *at, "not a CPU list, expected one as 0-3,8");
	if (range->last < range->first)
		return flame_fail(e, -EINVAL, range->pos, "this range runs backwards");
	return 1;
}

int flame_pattern_next(const char *text, size_t len, size_t *at, const char **pattern,
		       size_t *pattern_len, struct flame_error *e)
{
	const char *newline;
	const char *why;
	size_t start, size, pos;

	while (*at < len && text[*at] == '\n')
		++*at;
	if (*at == len)
		return 0;
	start = *at;
	newline = memchr(text + start, '\n', len - start);
	size = newline ? (size_t)(newline - text) - start : len - start;
	*at = start + size;
	if (size > FLAME_PATTERN_MAX)
		return flame_fail(e, -ENAMETOOLONG, start + FLAME_PATTERN_MAX,
				  "a pattern has at most %u bytes", FLAME_PATTERN_MAX);
	why = flame_glob_check(text + start, size, &pos);
	if (why)
		return flame_fail(e, -EINVAL, start + pos, "%s", why);
	*pattern = text + start;
	*pattern_len = size;
	return 1;
}

/* Puts @chunk behind what is held. Keeps of an overlong value just what shows that. */
static int intake_join(struct flame_intake *in, char *chunk, size_t len, size_t limit)
{
	size_t total = min(in->held_len + len, limit + 1);
	char *joined;

	if (!in->held) {
		in->held = chunk;
		in->held_len = total;
		return 0;
	}
	joined = flame_zalloc(total);
	if (joined) {
		memcpy(joined, in->held, in->held_len);
		memcpy(joined + in->held_len, chunk, total - in->held_len);
		flame_free(in->held);
		in->held = joined;
		in->held_len = total;
	}
	flame_free(chunk);
	return joined ? 0 : -ENOMEM;
}

int flame_intake_feed(struct flame_intake *in, const struct flame_control *c, char *chunk,
		      size_t len, char last, struct flame_error *e)
{
	size_t limit = flame_control_is_list(c) ? FLAME_VALUE_MAX : FLAME_SCALAR_MAX;

	in->ended = len < FLAME_SPLIT_MIN || last == '\n';
	if (in->failed) {
		flame_free(chunk);
		e->msg[0] = '\0';
		return in->failed;
	}
	if (intake_join(in, chunk, len, limit))
		return flame_fail(e, -ENOMEM, 0, "no memory for a value of this size");
	if (in->held_len > limit)
		return flame_fail(e, -E2BIG, limit, "a value has at most %zu bytes", limit);
	return in->ended || !flame_control_is_list(c);
}

void flame_intake_done(struct flame_intake *in, int err)
{
	flame_free(in->held);
	in->held = NULL;
	in->held_len = 0;
	in->failed = in->ended ? 0 : err;
}

int flame_command_next(const char *text, size_t len, size_t *at, struct flame_command *cmd,
		       struct flame_error *e)
{
	struct lexer lex = { .text = text, .at = *at };
	const char *newline;

	while (lex.at < len && is_blank(text[lex.at]))
		lex.at++;
	if (lex.at == len)
		return 0;
	newline = memchr(text + lex.at, '\n', len - lex.at);
	lex.len = newline ? (size_t)(newline - text) : len;
	*at = lex.len;

	next_word(&lex);
	cmd->verb = FLAME_VERB_SET;
	cmd->name = text + lex.word;
	cmd->name_len = lex.word_len;
	if (word_is(&lex, "attach")) {
		cmd->verb = FLAME_VERB_ATTACH;
	} else if (word_is(&lex, "get")) {
		cmd->verb = FLAME_VERB_GET;
		next_word(&lex);
		cmd->name = text + lex.word;
		cmd->name_len = lex.word_len;
	}
	/* What the word before is followed by: "+=", a value, or nothing. */
	next_word(&lex);
	cmd->value = text + lex.word;
	cmd->value_len = lex.len - lex.word;
	if (cmd->verb != FLAME_VERB_SET) {
		if (!cmd->name_len)
			return flame_fail(e, -EINVAL, 0, "expected the name of a file");
		if (cmd->value_len)
			return flame_fail(e, -EINVAL, 0, "nothing can follow here");
	} else if (word_is(&lex, "+=")) {
		cmd->verb = FLAME_VERB_ADD;
		next_word(&lex);
		cmd->value = text + lex.word;
		cmd->value_len = lex.len - lex.word;
	}
	return 1;
}

static const char *errno_name(int err)
{
	static const struct {
		int err;
		const char *name;
	} names[] = {
		{ EPERM, "EPERM" }, { ENOENT, "ENOENT" }, { ESRCH, "ESRCH" }, { EIO, "EIO" },
		{ E2BIG, "E2BIG" }, { EAGAIN, "EAGAIN" }, { ENOMEM, "ENOMEM" },
		{ EACCES, "EACCES" }, { EFAULT, "EFAULT" }, { EBUSY, "EBUSY" },
		{ ENODEV, "ENODEV" }, { EINVAL, "EINVAL" }, { ENOSPC, "ENOSPC" },
		{ ERANGE, "ERANGE" }, { ENAMETOOLONG, "ENAMETOOLONG" },
		{ EOPNOTSUPP, "EOPNOTSUPP" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].err == -err)
			return names[i].name;
	return "error";
}

/* Prints a byte so that it is one line of ASCII. @buf has 5 bytes. Returns its width. */
static size_t escape(char *buf, unsigned char c)
{
	if (c == '\n')
		return snprintf(buf, 5, "\\n");
	if (c == '\t')
		return snprintf(buf, 5, "\\t");
	if (c == '\\')
		return snprintf(buf, 5, "\\\\");
	if (c < ' ' || c > '~')
		return snprintf(buf, 5, "\\x%02x", c);
	return snprintf(buf, 5, "%c", c);
}

/* Where to begin to print @text, so that @pos has ERROR_VALUE_BEFORE columns before it. */
static size_t excerpt_start(const char *text, size_t pos)
{
	char buf[5];
	size_t width = 0;

	while (pos) {
		width += escape(buf, text[pos - 1]);
		if (width > ERROR_VALUE_BEFORE)
			break;
		pos--;
	}
	return pos;
}

size_t flame_error_line(char *buf, size_t size, const char *name, const struct flame_error *e,
			const char *text, size_t len)
{
	char piece[5];
	size_t pos, i, at, width = 0;

	if (len && text[len - 1] == '\n')
		len--;
	pos = min(e->pos, len);
	i = excerpt_start(text, pos);
	at = snprintf(buf, size, "%s: %s (%s): %s", name, e->msg, errno_name(e->err),
		      i ? "..." : "");
	/* What did not fit is cut; the value below gets what room there is. */
	at = min(at, size - 1);
	for (; i <= len; i++) {
		if (i == pos && at + 1 < size)
			buf[at++] = '^';
		if (i == len)
			break;
		width += escape(piece, text[i]);
		if (width > ERROR_VALUE_WIDTH || at + strlen(piece) + 4 > size)
			break;
		memcpy(buf + at, piece, strlen(piece));
		at += strlen(piece);
	}
	if (i < len && at + 3 < size) {
		memcpy(buf + at, "...", 3);
		at += 3;
	}
	buf[at] = '\0';
	return at;
}
