// SPDX-License-Identifier: GPL-2.0-only
/*
 * Colours of boxes and backgrounds. The formulas of flamegraph.pl's palettes are facts
 * about its pictures, kept so that `--colors hot` looks as people know it; the default
 * palette is our own. Nothing here knows where a box lies or what it weighs.
 */
#include <stdlib.h>
#include <string.h>
#include "output/svg_buf.h"
#include "output/svg_color.h"

static const char * const palette_names[NR_PALETTES] = {
	[PALETTE_KIND] = "kind",
	[PALETTE_HOT] = "hot",
	[PALETTE_MEM] = "mem",
	[PALETTE_IO] = "io",
	[PALETTE_WAKEUP] = "wakeup",
	[PALETTE_CHAIN] = "chain",
	[PALETTE_JAVA] = "java",
	[PALETTE_JS] = "js",
	[PALETTE_PERL] = "perl",
	[PALETTE_RED] = "red",
	[PALETTE_GREEN] = "green",
	[PALETTE_BLUE] = "blue",
	[PALETTE_YELLOW] = "yellow",
	[PALETTE_PURPLE] = "purple",
	[PALETTE_AQUA] = "aqua",
	[PALETTE_ORANGE] = "orange",
};

bool svg_palette_find(const char *name, enum svg_palette *palette)
{
	for (unsigned int i = 0; i < NR_PALETTES; i++) {
		if (!strcmp(palette_names[i], name)) {
			*palette = (enum svg_palette)i;
			return true;
		}
	}
	return false;
}

const char *svg_palette_name(unsigned int palette)
{
	return palette < NR_PALETTES ? palette_names[palette] : NULL;
}

/* The character that ends before @s, which must lie behind @start. */
static const char *prev_char(const char *start, const char *s, uint32_t *c)
{
	const char *from = s - 1;

	while (from > start && s - from < 4 && ((unsigned char)*from & 0xc0) == 0x80)
		from--;
	if (svg_char(from, c) != (size_t)(s - from)) {
		from = s - 1;
		*c = (unsigned char)*from;
	}
	return from;
}

#define HASH_CHARS	3

/*
 * flamegraph.pl's name hash over the first three characters: each taken modulo 10, 11,
 * 12 and scaled to [0, 1], weighing 1, 0.7, 0.49. Result in (0, 1].
 */
static double hash_chars(const uint32_t *chars, size_t nr)
{
	double vector = 0, weight = 1, max = 1;
	uint32_t mod = 10;

	for (size_t i = 0; i < nr; i++) {
		vector += (double)(chars[i] % mod) / (mod - 1) * weight;
		mod++;
		max += weight;
		weight *= 0.70;
	}
	return 1 - vector / max;
}

/* A module name and its backtick in front (MODULE`FUNCTION) do not count. */
static double hash_forward(const char *name, const char *suffix)
{
	uint32_t chars[HASH_CHARS];
	const char *s = name;
	const char *tick = *name ? strchr(name + 1, '`') : NULL;
	size_t nr = 0;

	if (tick)
		s = tick + 1;
	while (nr < HASH_CHARS && *s)
		s += svg_char(s, &chars[nr++]);
	while (nr < HASH_CHARS && *suffix)
		chars[nr++] = (unsigned char)*suffix++;
	return hash_chars(chars, nr);
}

/* The same of the name read backwards, annotation first. */
static double hash_backward(const char *name, const char *suffix)
{
	uint32_t chars[HASH_CHARS];
	const char *end = name + strlen(name);
	size_t suffix_len = strlen(suffix);
	const char *tick = NULL;
	size_t nr = 0;

	for (const char *s = name; s < end; s++)
		if (*s == '`' && (suffix_len || s + 1 < end))
			tick = s;
	if (tick)
		end = tick;
	else
		while (nr < HASH_CHARS && suffix_len)
			chars[nr++] = (unsigned char)suffix[--suffix_len];
	while (nr < HASH_CHARS && end > name)
		end = prev_char(name, end, &chars[nr++]);
	return hash_chars(chars, nr);
}

/* flamegraph.pl seeds Perl's generator, which is drand48(), with the sum of all characters. */
static double seeded_by_name(const char *name, const char *suffix)
{
	unsigned short state[3] = { 0x330e };
	uint32_t sum = 0;

	while (*name) {
		uint32_t c;

		name += svg_char(name, &c);
		sum += c;
	}
	while (*suffix)
		sum += (unsigned char)*suffix++;
	state[1] = (unsigned short)sum;
	state[2] = (unsigned short)(sum >> 16);
	return erand48(state);
}

struct variation {
	double v1, v2, v3;
};

static struct variation vary_name(enum svg_vary vary, const char *name, const char *suffix)
{
	/* A fixed seed: the same input draws the same bytes with --random too. */
	static unsigned short random_state[3] = { 0x330e, 1, 0 };
	struct variation v;

	switch (vary) {
	case VARY_HASH:
		v.v1 = hash_forward(name, suffix);
		v.v2 = hash_backward(name, suffix);
		v.v3 = v.v2;
		return v;
	case VARY_RANDOM:
		v.v1 = erand48(random_state);
		v.v2 = erand48(random_state);
		v.v3 = erand48(random_state);
		return v;
	case VARY_NAME:
		break;
	}
	v.v1 = seeded_by_name(name, suffix);
	v.v2 = v.v1;
	v.v3 = v.v1;
	return v;
}

static struct svg_rgb rgb(double r, double g, double b)
{
	return (struct svg_rgb){ (uint8_t)r, (uint8_t)g, (uint8_t)b };
}

static bool is_java_package(const char *name)
{
	static const char * const packages[] = {
		"java", "javax", "jdk", "net", "org", "com", "io", "sun"
	};

	if (*name == 'L')
		name++;
	for (size_t i = 0; i < sizeof(packages) / sizeof(packages[0]); i++) {
		size_t len = strlen(packages[i]);

		if (!strncmp(name, packages[i], len) && name[len] == '/')
			return true;
	}
	return false;
}

static enum svg_palette java_hue(const char *name, enum frame_kind kind)
{
	if (kind == FRAME_JIT)
		return PALETTE_GREEN;
	if (kind == FRAME_INLINED)
		return PALETTE_AQUA;
	if (is_java_package(name) || strstr(name, ":::"))
		return PALETTE_GREEN;
	if (strstr(name, "::"))
		return PALETTE_YELLOW;
	return kind == FRAME_KERNEL ? PALETTE_ORANGE : PALETTE_RED;
}

static enum svg_palette js_hue(const char *name, enum frame_kind kind)
{
	const char *slash = strchr(name, '/');

	if (kind == FRAME_JIT)
		return slash ? PALETTE_GREEN : PALETTE_AQUA;
	if (strstr(name, "::"))
		return PALETTE_YELLOW;
	if (slash && strstr(slash + 1, ".js"))
		return PALETTE_GREEN;
	if (strchr(name, ':'))
		return PALETTE_AQUA;
	if (!strcmp(name, " "))
		return PALETTE_GREEN;
	return kind == FRAME_KERNEL ? PALETTE_ORANGE : PALETTE_RED;
}

static enum svg_palette perl_hue(const char *name, enum frame_kind kind)
{
	if (strstr(name, "::"))
		return PALETTE_YELLOW;
	if (strstr(name, "Perl") || strstr(name, ".pl"))
		return PALETTE_GREEN;
	return kind == FRAME_KERNEL ? PALETTE_ORANGE : PALETTE_RED;
}

static enum svg_palette hue_of(enum svg_palette palette, const char *name, enum frame_kind kind)
{
	switch (palette) {
	case PALETTE_JAVA:
		return java_hue(name, kind);
	case PALETTE_JS:
		return js_hue(name, kind);
	case PALETTE_PERL:
		return perl_hue(name, kind);
	case PALETTE_WAKEUP:
		return PALETTE_AQUA;
	case PALETTE_CHAIN:
		return kind == FRAME_WAKER ? PALETTE_AQUA : PALETTE_BLUE;
	default:
		return palette;
	}
}

/* [unknown], [libc.so.6]: what is in brackets has no name of its own. */
static bool is_bracketed(const char *name)
{
	size_t len = strlen(name);

	return len >= 2 && name[0] == '[' && name[len - 1] == ']';
}

/*
 * Our palette: the hue says what a frame is, the shade only tells neighbours apart.
 * All colours are light enough for black text and sit well on a dark page; warm user
 * and cool kernel frames differ for colour-blind readers too.
 */
static struct svg_rgb kind_color(const char *name, enum frame_kind kind, double v)
{
	static const struct {
		struct svg_rgb from, to;
	} shades[] = {
		[FRAME_USER] = { { 243, 156, 92 }, { 251, 208, 118 } },
		[FRAME_COMM] = { { 186, 192, 202 }, { 204, 209, 217 } },
		[FRAME_KERNEL] = { { 118, 166, 222 }, { 158, 203, 240 } },
		[FRAME_INLINED] = { { 184, 162, 226 }, { 210, 192, 241 } },
		[FRAME_JIT] = { { 118, 192, 140 }, { 168, 217, 150 } },
		[FRAME_WAKER] = { { 104, 196, 194 }, { 152, 217, 210 } },
		[FRAME_SPECIAL] = { { 214, 210, 203 }, { 225, 222, 215 } },
	};
	const struct svg_rgb *from, *to;

	if (kind == FRAME_USER && is_bracketed(name))
		kind = FRAME_SPECIAL;
	from = &shades[kind].from;
	to = &shades[kind].to;
	return rgb(from->r + (to->r - from->r) * v, from->g + (to->g - from->g) * v,
		   from->b + (to->b - from->b) * v);
}

struct svg_rgb svg_color_kind(enum frame_kind kind)
{
	return kind_color("", kind, 0.5);
}

struct svg_rgb svg_color(enum svg_palette palette, enum svg_vary vary, const char *name,
			 enum frame_kind kind)
{
	struct variation v = vary_name(vary, name, frame_annotation(kind));
	double v1 = v.v1;

	switch (hue_of(palette, name, kind)) {
	case PALETTE_KIND:
		return kind_color(name, kind, v1);
	case PALETTE_HOT:
		return rgb(205 + (int)(50 * v.v3), (int)(230 * v1), (int)(55 * v.v2));
	case PALETTE_MEM:
		return rgb(0, 190 + (int)(50 * v.v2), (int)(210 * v1));
	case PALETTE_IO:
		return rgb(80 + (int)(60 * v1), 80 + (int)(60 * v1), 190 + (int)(55 * v.v2));
	case PALETTE_RED:
		return rgb(200 + (int)(55 * v1), 50 + (int)(80 * v1), 50 + (int)(80 * v1));
	case PALETTE_GREEN:
		return rgb(50 + (int)(60 * v1), 200 + (int)(55 * v1), 50 + (int)(60 * v1));
	case PALETTE_BLUE:
		return rgb(80 + (int)(60 * v1), 80 + (int)(60 * v1), 205 + (int)(50 * v1));
	case PALETTE_YELLOW:
		return rgb(175 + (int)(55 * v1), 175 + (int)(55 * v1), 50 + (int)(20 * v1));
	case PALETTE_PURPLE:
		return rgb(190 + (int)(65 * v1), 80 + (int)(60 * v1), 190 + (int)(65 * v1));
	case PALETTE_AQUA:
		return rgb(50 + (int)(60 * v1), 165 + (int)(55 * v1), 165 + (int)(55 * v1));
	case PALETTE_ORANGE:
		return rgb(190 + (int)(65 * v1), 90 + (int)(65 * v1), 0);
	default:
		return rgb(0, 0, 0);
	}
}

struct svg_rgb svg_color_delta(double delta, double max)
{
	double rest = max > 0 ? 1 - (delta < 0 ? -delta : delta) / max : 1;
	int weak;

	/* A box of several stacks may change by more than any one of them did. */
	if (rest < 0)
		rest = 0;
	weak = (int)(210 * rest);
	if (delta > 0)
		return rgb(255, weak, weak);
	if (delta < 0)
		return rgb(weak, weak, 255);
	return rgb(255, 255, 255);
}

/* From faint to strong, light enough for dark text all the way. */
struct svg_rgb svg_color_change(enum svg_diff_palette palette, enum svg_change change,
				double strength)
{
	static const struct {
		struct svg_rgb from, to;
	} shades[][CHANGE_NEW + 1] = {
		[DIFF_RED_BLUE] = {
			[CHANGE_NONE] = { { 222, 222, 219 }, { 222, 222, 219 } },
			[CHANGE_MORE] = { { 253, 226, 222 }, { 243, 92, 84 } },
			[CHANGE_LESS] = { { 224, 232, 253 }, { 96, 142, 243 } },
			[CHANGE_NEW] = { { 255, 194, 61 }, { 255, 194, 61 } },
		},
		[DIFF_COLORBLIND] = {
			[CHANGE_NONE] = { { 222, 222, 219 }, { 222, 222, 219 } },
			[CHANGE_MORE] = { { 253, 233, 211 }, { 235, 120, 30 } },
			[CHANGE_LESS] = { { 230, 226, 242 }, { 152, 128, 208 } },
			[CHANGE_NEW] = { { 255, 224, 64 }, { 255, 224, 64 } },
		},
	};
	const struct svg_rgb *from = &shades[palette][change].from;
	const struct svg_rgb *to = &shades[palette][change].to;

	return rgb(from->r + (to->r - from->r) * strength, from->g + (to->g - from->g) * strength,
		   from->b + (to->b - from->b) * strength);
}

static const char *default_background(enum svg_palette palette)
{
	switch (palette) {
	case PALETTE_KIND:
		return "plain";
	case PALETTE_MEM:
		return "green";
	case PALETTE_IO:
	case PALETTE_WAKEUP:
	case PALETTE_CHAIN:
		return "blue";
	case PALETTE_RED:
	case PALETTE_GREEN:
	case PALETTE_BLUE:
	case PALETTE_AQUA:
	case PALETTE_YELLOW:
	case PALETTE_PURPLE:
	case PALETTE_ORANGE:
		return "grey";
	default:
		return "yellow";
	}
}

bool svg_background_find(const char *name, enum svg_palette palette,
			 struct svg_background *background)
{
	static const struct {
		const char *name;
		struct svg_background colors;
	} backgrounds[] = {
		{ "plain", { "#fdfdfc", "#f5f5f2" } },
		{ "yellow", { "#eeeeee", "#eeeeb0" } },
		{ "blue", { "#eeeeee", "#e0e0ff" } },
		{ "green", { "#eef2ee", "#e0ffe0" } },
		{ "grey", { "#f8f8f8", "#e8e8e8" } },
	};

	if (!name)
		name = default_background(palette);
	if (name[0] == '#' && strlen(name) == 7 && strspn(name + 1, "0123456789abcdefABCDEF") == 6) {
		memcpy(background->top, name, sizeof(background->top));
		memcpy(background->bottom, name, sizeof(background->bottom));
		return true;
	}
	for (size_t i = 0; i < sizeof(backgrounds) / sizeof(backgrounds[0]); i++) {
		if (!strcmp(backgrounds[i].name, name)) {
			*background = backgrounds[i].colors;
			return true;
		}
	}
	return false;
}
