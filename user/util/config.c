// SPDX-License-Identifier: GPL-2.0-only
/*
 * Defaults from configuration files, as options. It does not know which options there
 * are: a name that the command does not know is refused by the command.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "util/config.h"
#include "util/mem.h"
#include "util/msg.h"

#define CONFIG_SYSTEM	"/etc/flame.conf"

static char *trim(char *s)
{
	size_t len;

	s += strspn(s, " \t");
	len = strlen(s);
	while (len && strchr(" \t\r\n", s[len - 1]))
		s[--len] = '\0';
	return s;
}

static void add_option(struct config_args *args, size_t *cap, char *option)
{
	args->argv = array_grow(args->argv, cap, (size_t)args->argc + 2, sizeof(char *));
	args->argv[args->argc++] = option;
	args->own = xreallocarray(args->own, (size_t)args->nr_own + 1, sizeof(char *));
	args->own[args->nr_own++] = option;
}

/* `true` switches a flag on, `false` leaves it alone, all else is the option's value. */
static bool parse_line(struct config_args *args, size_t *cap, const char *command, char *line)
{
	char *key = trim(line), *value, *dot;

	if (!*key || *key == '#')
		return true;
	value = strchr(key, '=');
	if (!value)
		return false;
	*value++ = '\0';
	key = trim(key);
	value = trim(value);
	dot = strchr(key, '.');
	if (!dot || dot == key || !dot[1])
		return false;
	*dot = '\0';
	if (strcmp(key, command) || !strcmp(value, "false"))
		return true;
	if (!strcmp(value, "true"))
		add_option(args, cap, xasprintf("--%s", dot + 1));
	else
		add_option(args, cap, xasprintf("--%s=%s", dot + 1, value));
	return true;
}

static bool read_file(struct config_args *args, size_t *cap, const char *command,
		      const char *path)
{
	unsigned int number = 0;
	char *line = NULL;
	size_t size = 0;
	bool ok = true;
	FILE *fp;

	fp = fopen(path, "re");
	if (!fp) {
		if (errno != ENOENT && errno != ENOTDIR)
			msg_warn("%s: %s; its defaults are not used", path, strerror(errno));
		return true;
	}
	while (ok && getline(&line, &size, fp) > 0) {
		number++;
		ok = parse_line(args, cap, command, line);
		if (!ok)
			msg_error("%s:%u: not of the form COMMAND.OPTION = VALUE", path, number);
	}
	free(line);
	fclose(fp);
	return ok;
}

static char *user_config(void)
{
	const char *dir = getenv("XDG_CONFIG_HOME");

	if (dir && *dir == '/')
		return xasprintf("%s/flame/config", dir);
	dir = getenv("HOME");
	return dir && *dir == '/' ? xasprintf("%s/.config/flame/config", dir) : NULL;
}

bool config_args(struct config_args *args, const char *command, int argc, char **argv)
{
	char *path = user_config();
	size_t cap = 0;
	bool ok;

	*args = (struct config_args){ 0 };
	args->argv = array_grow(NULL, &cap, 2, sizeof(char *));
	args->argv[args->argc++] = argv[0];
	ok = read_file(args, &cap, command, CONFIG_SYSTEM) &&
	     (!path || read_file(args, &cap, command, path));
	free(path);
	if (!ok) {
		config_args_free(args);
		return false;
	}
	args->argv = array_grow(args->argv, &cap, (size_t)args->argc + (size_t)argc,
				sizeof(char *));
	for (int i = 1; i < argc; i++)
		args->argv[args->argc++] = argv[i];
	args->argv[args->argc] = NULL;
	return true;
}

void config_args_free(struct config_args *args)
{
	for (int i = 0; i < args->nr_own; i++)
		free(args->own[i]);
	free(args->own);
	free(args->argv);
	*args = (struct config_args){ 0 };
}
