// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as the language of /dev/flame, and each value as that of every control:
 * what is refused changes nothing and has a message and a place within the value;
 * what is taken prints as something that is taken again, with the same result.
 */
/* sources: kmod/command.c kmod/glob.c */
#include "command.h"
#include "glob.h"
#include "fuzz.h"

static void check_error(const struct flame_error *e, int err, const char *text, size_t len)
{
	char line[512];

	check(err < 0 && e->err == err && e->msg[0] && e->pos <= len);
	check(flame_error_line(line, sizeof(line), "name", e, text, len) < sizeof(line));
}

static void try_value(const struct flame_control *c, const char *text, size_t len)
{
	char printed[FLAME_PRINT_MAX], again[FLAME_PRINT_MAX];
	struct flame_settings s, before;
	struct flame_error e = { 0 };
	int err, n;

	memset(&s, 0, sizeof(s));
	flame_settings_defaults(&s);
	before = s;
	err = flame_value_parse(c, text, len, &s, &e);
	if (err) {
		check_error(&e, err, text, len);
		check(!memcmp(&s, &before, sizeof(s)));
		return;
	}
	n = flame_value_print(c, &s, printed, sizeof(printed));
	check(n > 0 && n <= FLAME_PRINT_MAX && printed[n - 1] == '\n');
	check(!flame_value_parse(c, printed, (size_t)n, &before, &e));
	check(flame_value_print(c, &before, again, sizeof(again)) == n);
	check(!memcmp(printed, again, (size_t)n));
}

static void try_lists(const char *text, size_t len)
{
	struct flame_error e = { 0 };
	struct flame_cpu_range range;
	struct flame_ids *ids = NULL;
	const char *pattern;
	size_t at = 0, pattern_len;
	int err;

	err = flame_ids_parse(text, len, &ids, &e);
	if (err)
		check_error(&e, err, text, len);
	else
		flame_free(ids);
	while ((err = flame_cpu_range_next(text, len, &at, 64, &range, &e)) > 0)
		check(at <= len && range.pos <= len && range.first <= range.last);
	if (err)
		check_error(&e, err, text, len);
	at = 0;
	while ((err = flame_pattern_next(text, len, &at, &pattern, &pattern_len, &e)) > 0)
		check(at <= len && pattern_len && pattern >= text &&
		      pattern + pattern_len <= text + len);
	if (err)
		check_error(&e, err, text, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct flame_error e = { 0 };
	struct flame_command cmd;
	size_t at = 0, last = 0;
	unsigned int i;
	int err;

	while ((err = flame_command_next(text, size, &at, &cmd, &e)) > 0) {
		check(at > last && at <= size);
		last = at;
		flame_control_find(cmd.name, cmd.name_len);
	}
	check(!err || (err < 0 && e.msg[0]));
	for (i = 0; i < flame_nr_controls; i++) {
		const struct flame_control *c = &flame_controls[i];

		if (flame_control_is_setting(c) && !flame_control_is_list(c))
			try_value(c, text, size);
	}
	try_lists(text, size);
	return 0;
}
