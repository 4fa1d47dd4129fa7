/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interactive flame graph: one SVG file with its script and style inside. The same
 * profile and options give the same bytes; the result is well-formed XML whatever names
 * and options hold, and none of them ever becomes markup or script.
 */
#ifndef FLAME_SVG_H
#define FLAME_SVG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "output/svg_boxes.h"
#include "output/svg_color.h"
#include "profile/profile.h"

struct svg_attrs;

/**
 * struct svg_options - flamegraph.pl's options under its names, and ours
 * @title: NULL: by the kind of picture
 * @subtitle: NULL: none
 * @width: px; 0: fluid, as wide as the page
 * @height: of a box, px
 * @minwidth: narrower boxes are left out: px, or % of the total if @minwidth_percent
 * @fonttype: font family
 * @fontsize: px
 * @fontwidth: average width of a character in units of @fontsize
 * @encoding: NULL: utf-8
 * @countname: NULL: the event's unit
 * @nametype: label in front of a name in the details line
 * @notes: an XML comment, NULL: none
 * @bgcolors: see svg_background_find(); NULL: by palette, and dark on a dark page
 * @total: makes the root this wide when more than the profile's total; 0: no
 * @factor: counts are multiplied by it where they are shown
 * @palette: colours
 * @vary: what varies them
 * @palette_map: --cp, or NULL
 * @attrs: --nameattr, or NULL
 * @reverse: stacks merged from the leaf
 * @inverted: root on top
 * @sort: order of siblings, but in a flame chart
 * @flamechart: in the order of the input, nothing sorted
 * @diff: boxes are coloured by the change between events @before and @after
 * @before: an event of the same profile
 * @after: likewise; the drawn event itself unless widths say something else
 * @inclusive: of a box the change of all above it counts too, and its title tells both
 *	       counts; else just its own, as flamegraph.pl draws it
 * @diff_palette: colours of an inclusive difference
 * @vanished: what frames that are no more weighed, where they are not drawn
 * @negate: a differential picture with red for less
 * @low_samples: the picture rests on so few samples that it says so itself; 0: it does not
 */
struct svg_options {
	const char *title;
	const char *subtitle;
	uint32_t width;
	uint32_t height;
	double minwidth;
	bool minwidth_percent;
	const char *fonttype;
	double fontsize;
	double fontwidth;
	const char *encoding;
	const char *countname;
	const char *nametype;
	const char *notes;
	const char *bgcolors;
	double total;
	double factor;
	enum svg_palette palette;
	enum svg_vary vary;
	struct svg_palette_map *palette_map;
	const struct svg_attrs *attrs;
	enum svg_sort sort;
	bool reverse;
	bool inverted;
	bool flamechart;
	bool diff;
	bool negate;
	bool inclusive;
	enum svg_diff_palette diff_palette;
	uint32_t before;
	uint32_t after;
	uint64_t vanished;
	uint64_t low_samples;
};

/* Width of a fluid picture until a script adapts it to its page. */
#define SVG_WIDTH	1200

/* What holds without any option. */
void svg_options_init(struct svg_options *options);

/*
 * Draws @event of @p, which must weigh more than 0. Write errors stay in @fp. With
 * @options->flamechart the profile must hold its samples (profile_keep_samples()).
 */
void svg_write(FILE *fp, const struct profile *p, uint32_t event,
	       const struct svg_options *options);

#endif /* FLAME_SVG_H */
