/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Colours: the palettes of flamegraph.pl under their own names, our default palette
 * `kind`, the scale of differential pictures and the backgrounds. Pure functions of a
 * name; the only state is that of --random and of a palette map.
 */
#ifndef FLAME_SVG_COLOR_H
#define FLAME_SVG_COLOR_H

#include <stdbool.h>
#include <stdint.h>
#include "profile/profile.h"

struct svg_rgb {
	uint8_t r, g, b;
};

enum svg_palette {
	PALETTE_KIND,		/* ours: kernel, user, inlined, JIT each a hue of its own */
	PALETTE_HOT,
	PALETTE_MEM,
	PALETTE_IO,
	PALETTE_WAKEUP,
	PALETTE_CHAIN,
	PALETTE_JAVA,
	PALETTE_JS,
	PALETTE_PERL,
	PALETTE_RED,
	PALETTE_GREEN,
	PALETTE_BLUE,
	PALETTE_YELLOW,
	PALETTE_PURPLE,
	PALETTE_AQUA,
	PALETTE_ORANGE,
	NR_PALETTES
};

/* Where the numbers come from that vary a colour within its hue. */
enum svg_vary {
	VARY_NAME,		/* the name, as flamegraph.pl seeds its generator with it */
	VARY_HASH,		/* --hash: similar names, similar colours */
	VARY_RANDOM,		/* --random: another one for each box */
};

/* False if there is no palette of that name. */
bool svg_palette_find(const char *name, enum svg_palette *palette);
/* NULL behind the last. */
const char *svg_palette_name(unsigned int palette);

/*
 * The colour of a frame. flamegraph.pl judges the annotated name, so @kind takes part
 * as the suffix of @name does there.
 */
struct svg_rgb svg_color(enum svg_palette palette, enum svg_vary vary, const char *name,
			 enum frame_kind kind);

/* What stands for @kind in a legend of the palette `kind`: the middle of its shades. */
struct svg_rgb svg_color_kind(enum frame_kind kind);

/* Red for more, blue for less, white for the same; @max is the largest |delta|. */
struct svg_rgb svg_color_delta(double delta, double max);

/* The colours of a difference whose inner frames are compared too. */
enum svg_change {
	CHANGE_NONE,
	CHANGE_MORE,
	CHANGE_LESS,
	CHANGE_NEW,		/* there was nothing before */
};

enum svg_diff_palette {
	DIFF_RED_BLUE,
	DIFF_COLORBLIND,	/* orange and purple, which nobody confuses */
};

/* @strength: 0 to 1; of no meaning for CHANGE_NONE and CHANGE_NEW. */
struct svg_rgb svg_color_change(enum svg_diff_palette palette, enum svg_change change,
				double strength);

/**
 * struct svg_background - a vertical gradient
 * @top: upper colour, "#rrggbb"
 * @bottom: lower colour
 */
struct svg_background {
	char top[8];
	char bottom[8];
};

/*
 * @name: yellow, blue, green, grey, #rrggbb, or NULL for the palette's own. False if
 * it is none of them.
 */
bool svg_background_find(const char *name, enum svg_palette palette,
			 struct svg_background *background);

/*
 * --cp: the colours of earlier pictures, one "name->rgb(r,g,b)" a line. The last "->"
 * of a line is the separator, so that names may hold one.
 */
struct svg_palette_map;

/*
 * Reads @path; an empty map if it does not exist. NULL after saying why it cannot be
 * read.
 */
struct svg_palette_map *svg_palette_map_read(const char *path);
/* The map's colour of @name with @annotation; it becomes @color if it has none. */
struct svg_rgb svg_palette_map_color(struct svg_palette_map *map, const char *name,
				     const char *annotation, struct svg_rgb color);
/* Writes it sorted by name. False after saying why not. */
bool svg_palette_map_write(struct svg_palette_map *map, const char *path);
void svg_palette_map_free(struct svg_palette_map *map);

#endif /* FLAME_SVG_COLOR_H */
