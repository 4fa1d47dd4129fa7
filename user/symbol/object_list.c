// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the `objects` control file. Knows nothing of what the files hold.
 */
#include <stdlib.h>
#include <string.h>
#include "symbol/object_list.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/text.h"

static int hex(char c)
{
	const char *digits = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static bool parse_build_id(struct listed_object *o, const char *s)
{
	size_t len = strlen(s);

	if (!strcmp(s, "-"))
		return true;
	if (len % 2 || len / 2 > sizeof(o->build_id))
		return false;
	for (size_t i = 0; i < len / 2; i++) {
		int high = hex(s[2 * i]), low = hex(s[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		o->build_id[i] = (uint8_t)(high << 4 | low);
	}
	o->build_id_len = len / 2;
	return true;
}

static bool parse_line(struct object_list *list, char *line)
{
	struct listed_object o = { 0 };
	char *id, *path;

	id = strchr(line, ' ');
	if (!id || id == line)
		return false;
	*id++ = '\0';
	path = strchr(id, ' ');
	if (!path)
		return false;
	*path++ = '\0';
	if (!parse_build_id(&o, id))
		return false;
	path[text_unescape(path, strlen(path))] = '\0';
	o.name = xstrdup(line);
	/* What is no file has no path: "[vdso] - -". */
	o.path = xstrdup(strcmp(path, "-") ? path : line);
	list->at = array_grow(list->at, &list->cap, list->nr + 1, sizeof(*list->at));
	list->at[list->nr++] = o;
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct listed_object *x = a, *y = b;

	return strcmp(x->name, y->name);
}

bool object_list_read(struct object_list *list, FILE *fp, const char *name)
{
	unsigned int number = 0;
	char *line = NULL;
	size_t size = 0;
	bool ok = true;
	ssize_t n;

	*list = (struct object_list){ 0 };
	while (ok && (n = getline(&line, &size, fp)) > 0) {
		number++;
		if (line[n - 1] == '\n')
			line[--n] = '\0';
		if (n)
			ok = parse_line(list, line);
		if (!ok)
			msg_error("%s:%u: not of the form OBJECT BUILDID PATH", name, number);
	}
	free(line);
	if (ok && ferror(fp)) {
		msg_error("%s: cannot be read", name);
		ok = false;
	}
	if (ok && list->nr)
		qsort(list->at, list->nr, sizeof(*list->at), compare);
	if (!ok)
		object_list_free(list);
	return ok;
}

void object_list_free(struct object_list *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		free(list->at[i].name);
		free(list->at[i].path);
	}
	free(list->at);
	*list = (struct object_list){ 0 };
}

const struct listed_object *object_list_find(const struct object_list *list, const char *name,
					     size_t len)
{
	size_t lo = 0, hi = list->nr;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int d = strncmp(list->at[mid].name, name, len);

		if (!d && list->at[mid].name[len])
			d = 1;
		if (!d)
			return &list->at[mid];
		if (d < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}
