/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * --nameattr: attributes that a file gives to the boxes of a function. What it says is
 * checked before it becomes part of a picture: it cannot break the XML nor run a script.
 */
#ifndef FLAME_SVG_ATTRS_H
#define FLAME_SVG_ATTRS_H

#include "output/svg_buf.h"

/**
 * struct svg_attr - attributes of one function; NULL where the file gives none
 * @name: the function, without annotation
 * @id: of its <g>
 * @class: of its <g>
 * @href: makes its boxes links
 * @target: of the link
 * @title: instead of name and counts
 * @g_extra: more attributes of the <g>, well-formed
 * @a_extra: more attributes of the <a>, well-formed
 */
struct svg_attr {
	char *name;
	char *id;
	char *class;
	char *href;
	char *target;
	char *title;
	char *g_extra;
	char *a_extra;
};

struct svg_attrs;

/* NULL after saying why the file cannot be used, with its line. */
struct svg_attrs *svg_attrs_read(const char *path);
void svg_attrs_free(struct svg_attrs *attrs);

/* NULL if there are none for @name; @attrs may be NULL. */
const struct svg_attr *svg_attrs_find(const struct svg_attrs *attrs, const char *name);

#endif /* FLAME_SVG_ATTRS_H */
