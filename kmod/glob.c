// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shell pattern matching: ? * [a-z] [!a] [^a] and backslash, on bytes, as
 * fnmatch(3) without flags does it in the C locale. Shared with user space. It is
 * called for every sample: it must never allocate, recurse, or take more steps than
 * the product of both lengths.
 */
#include "glob.h"

/* The byte at *@p, a backslash taken off; moves *@p behind it. */
static __always_inline unsigned char glob_byte(const char **p)
{
	if (**p == '\\' && (*p)[1])
		(*p)++;
	return *(*p)++;
}

/*
 * Matches @c against the bracket expression whose '[' @p points behind. Stores the
 * place behind its ']' in @end.
 */
static notrace bool glob_bracket(const char *p, unsigned char c, const char **end)
{
	bool negated = *p == '!' || *p == '^';
	bool found = false;
	bool first = true;

	if (negated)
		p++;
	/* A ']' that comes first stands for itself. */
	for (; *p && (first || *p != ']'); first = false) {
		unsigned char low = glob_byte(&p);
		unsigned char high = low;

		if (*p == '-' && p[1] && p[1] != ']') {
			p++;
			high = glob_byte(&p);
		}
		if (low <= c && c <= high)
			found = true;
	}
	*end = *p ? p + 1 : p;
	return found != negated;
}

/* Matches one byte against the pattern element at *@p, and moves *@p behind it. */
static notrace bool glob_element(const char **p, unsigned char c)
{
	switch (**p) {
	case '\0':
		return false;
	case '?':
		(*p)++;
		return true;
	case '[':
		return glob_bracket(*p + 1, c, p);
	default:
		return glob_byte(p) == c;
	}
}

bool notrace flame_glob_match(const char *pat, const char *str, size_t len)
{
	const char *star = NULL;	/* behind the last '*' met */
	size_t star_at = 0;		/* where in @str that '*' ends for now */
	size_t at = 0;

	/*
	 * What follows a '*' is tried at each later place. Only the last '*' needs
	 * this: a match for what is before it never gets better by starting later.
	 */
	while (at < len || *pat) {
		if (*pat == '*') {
			star = ++pat;
			star_at = at;
			continue;
		}
		/* All but '*' takes exactly one byte, so a later start helps no more. */
		if (at == len)
			return false;
		if (glob_element(&pat, str[at])) {
			at++;
			continue;
		}
		if (!star)
			return false;
		pat = star;
		at = ++star_at;
	}
	return true;
}

/* Checks a bracket expression from *@at, the place behind '[', and moves behind it. */
static const char *glob_check_bracket(const char *pat, size_t len, size_t *at)
{
	size_t i = *at;
	size_t first;

	if (i < len && (pat[i] == '!' || pat[i] == '^'))
		i++;
	for (first = i; i < len && (i == first || pat[i] != ']'); i++) {
		if (pat[i] == '[' && i + 1 < len && strchr(":.=", pat[i + 1])) {
			*at = i;
			return "classes such as [:alpha:] are not known, list the characters";
		}
		if (pat[i] == '\\')
			i++;
	}
	if (i >= len) {
		*at -= 1;
		return "this bracket is not closed";
	}
	*at = i + 1;
	return NULL;
}

const char *flame_glob_check(const char *pat, size_t len, size_t *pos)
{
	const char *nul = memchr(pat, '\0', len);
	const char *why;
	size_t i = 0;

	if (nul) {
		*pos = nul - pat;
		return "a NUL byte cannot be part of a pattern";
	}
	while (i < len) {
		*pos = i;
		switch (pat[i++]) {
		case '\\':
			if (i == len)
				return "nothing follows this backslash";
			i++;
			break;
		case '[':
			why = glob_check_bracket(pat, len, &i);
			if (why) {
				*pos = i;
				return why;
			}
			break;
		}
	}
	return NULL;
}
