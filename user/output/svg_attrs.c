// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads --nameattr files: lines of NAME, a tab, and KEY=VALUE pieces with tabs between.
 * It trusts nothing in them: extra attributes are kept only when well-formed, and event
 * handlers and script links never.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "output/svg_attrs.h"
#include "util/mem.h"
#include "util/msg.h"

struct svg_attrs {
	struct svg_attr *attr;
	size_t nr;
	size_t cap;
};

static const char *skip_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return s;
	while (isalnum((unsigned char)*s) || strchr("-_.:", *s)) {
		if (!*s)
			break;
		s++;
	}
	return s;
}

/* A value in quotes, without the characters that XML forbids there. */
static const char *skip_value(const char *s)
{
	char quote = *s;
	uint32_t c;

	if (quote != '"' && quote != '\'')
		return NULL;
	for (s++; *s != quote; s += svg_char(s, &c)) {
		if (!*s || *s == '<' || (unsigned char)*s < 0x20)
			return NULL;
		if (*s == '&') {
			size_t len = strspn(s + 1, "abcdefghijklmnopqrstuvwxyz#0123456789");
			static const char * const known[] = { "amp", "lt", "gt", "quot", "apos" };
			bool ok = false;

			for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
				ok |= len == strlen(known[i]) && !strncmp(s + 1, known[i], len);
			if (!ok || s[1 + len] != ';')
				return NULL;
		} else if ((unsigned char)*s >= 0x80 && svg_char(s, &c) == 1) {
			return NULL;
		}
	}
	return s + 1;
}

/* Names that we write ourselves, would run a script, or have no declared prefix. */
static bool is_refused(const char *name, size_t len)
{
	static const char * const ours[] = {
		"id", "class", "data-x", "data-w", "data-self", "xlink:href", "target", "href"
	};

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (len == strlen(ours[i]) && !strncmp(name, ours[i], len))
			return true;
	if (!strncasecmp(name, "on", 2))
		return true;
	return memchr(name, ':', len) && strncmp(name, "xlink:", 6) && strncmp(name, "xml:", 4);
}

static bool has_twice(const char *start, const char *name, size_t len)
{
	for (const char *s = start; s < name;) {
		const char *end = skip_name(s);

		if ((size_t)(end - s) == len && !strncmp(s, name, len))
			return true;
		s = skip_value(end + 1);
		s += strspn(s, " ");
	}
	return false;
}

/* NAME="VALUE" NAME='VALUE' ...: an empty string is none. */
static bool is_well_formed(const char *extra)
{
	const char *s = extra;

	while (*s) {
		const char *end = skip_name(s);
		size_t len = (size_t)(end - s);

		if (!len || end[-1] == ':' || *end != '=' || is_refused(s, len) ||
		    has_twice(extra, s, len))
			return false;
		end = skip_value(end + 1);
		if (!end || (*end && *end != ' '))
			return false;
		s = end + strspn(end, " ");
	}
	return true;
}

/* Browsers skip blanks and control characters in front of and inside the scheme. */
static bool runs_script(const char *href)
{
	static const char * const schemes[] = { "javascript:", "vbscript:", "data:" };
	char scheme[16];
	size_t len = 0;

	for (const char *s = href; *s && len < sizeof(scheme) - 1; s++)
		if ((unsigned char)*s > ' ')
			scheme[len++] = (char)tolower((unsigned char)*s);
	scheme[len] = '\0';
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (!strncmp(scheme, schemes[i], strlen(schemes[i])))
			return true;
	return false;
}

static bool set_attr(struct svg_attr *attr, char *piece, const char *path, unsigned long line)
{
	const struct {
		const char *key;
		char **value;
	} keys[] = {
		{ "id", &attr->id }, { "class", &attr->class }, { "href", &attr->href },
		{ "target", &attr->target }, { "title", &attr->title },
		{ "g_extra", &attr->g_extra }, { "a_extra", &attr->a_extra },
	};
	char *value = strchr(piece, '=');

	if (!value) {
		msg_error("%s:%lu: '%s' is not KEY=VALUE", path, line, piece);
		return false;
	}
	*value++ = '\0';
	if (!strcmp(piece, "href") && runs_script(value)) {
		msg_warn("%s:%lu: a link that would run a script is left out", path, line);
		return true;
	}
	if (strstr(piece, "_extra") && !is_well_formed(value)) {
		msg_warn("%s:%lu: %s left out: wants NAME=\"VALUE\" pairs, no event handlers and nothing that flame sets itself",
			 path, line, piece);
		return true;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!strcmp(keys[i].key, piece)) {
			free(*keys[i].value);
			*keys[i].value = xstrdup(value);
			return true;
		}
	}
	msg_warn("%s:%lu: unknown attribute '%s'; known are id, class, href, target, title, g_extra and a_extra",
		 path, line, piece);
	return true;
}

static bool read_line(struct svg_attrs *attrs, char *text, const char *path, unsigned long line)
{
	struct svg_attr attr = { 0 };
	char *piece = text;
	bool ok = true;

	text[strcspn(text, "\r\n")] = '\0';
	if (!*text)
		return true;
	strsep(&piece, "\t");
	if (!piece) {
		msg_error("%s:%lu: a name, a tab and KEY=VALUE pieces with tabs between are wanted; there is no tab",
			  path, line);
		return false;
	}
	attr.name = xstrdup(text);
	while (ok && piece) {
		char *one = strsep(&piece, "\t");

		if (*one)
			ok = set_attr(&attr, one, path, line);
	}
	attrs->attr = array_grow(attrs->attr, &attrs->cap, attrs->nr + 1, sizeof(attr));
	attrs->attr[attrs->nr++] = attr;
	return ok;
}

static int compare_attrs(const void *a, const void *b)
{
	const struct svg_attr *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct svg_attrs *svg_attrs_read(const char *path)
{
	struct svg_attrs *attrs;
	unsigned long line = 0;
	char *text = NULL;
	size_t cap = 0;
	bool ok = true;
	FILE *fp = fopen(path, "r");

	if (!fp) {
		msg_error("%s: %s; --nameattr wants a readable file", path, strerror(errno));
		return NULL;
	}
	attrs = xcalloc(1, sizeof(*attrs));
	while (ok && getline(&text, &cap, fp) >= 0)
		ok = read_line(attrs, text, path, ++line);
	if (ok && ferror(fp)) {
		msg_error("%s: cannot read: %s", path, strerror(errno));
		ok = false;
	}
	free(text);
	fclose(fp);
	if (!ok) {
		svg_attrs_free(attrs);
		return NULL;
	}
	if (attrs->nr)
		qsort(attrs->attr, attrs->nr, sizeof(*attrs->attr), compare_attrs);
	return attrs;
}

void svg_attrs_free(struct svg_attrs *attrs)
{
	if (!attrs)
		return;
	for (size_t i = 0; i < attrs->nr; i++) {
		struct svg_attr *attr = &attrs->attr[i];

		free(attr->name);
		free(attr->id);
		free(attr->class);
		free(attr->href);
		free(attr->target);
		free(attr->title);
		free(attr->g_extra);
		free(attr->a_extra);
	}
	free(attrs->attr);
	free(attrs);
}

const struct svg_attr *svg_attrs_find(const struct svg_attrs *attrs, const char *name)
{
	struct svg_attr key = { .name = (char *)name };

	if (!attrs || !attrs->nr)
		return NULL;
	return bsearch(&key, attrs->attr, attrs->nr, sizeof(*attrs->attr), compare_attrs);
}
