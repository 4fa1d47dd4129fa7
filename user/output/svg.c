// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the picture: places boxes on the page, picks their colours, titles and labels,
 * and puts script and style beside them. Geometry follows flamegraph.pl, so that at the
 * same --width a box is where its users know it. All text from outside goes through
 * svg_text() or svg_json_string(); nothing here reads a file or talks to the user.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "flame.h"
#include "output/svg.h"
#include "output/svg_attrs.h"
#include "output/svg_buf.h"
#include "util/mem.h"
#include "web/web.h"

#define PAD_SIDE	10
#define MIN_LABEL_CHARS	3	/* one character and two dots */

/* Attributes that all boxes of a row have in common. */
struct row {
	char rect[40];
	char text[40];
};

struct picture {
	struct svg_buf *out;
	const struct svg_options *o;
	const char *countname;
	struct svg_boxes boxes;
	double total;		/* what the whole width stands for */
	double scale;		/* px per unit */
	double char_width;	/* px */
	double max_delta;	/* the largest change of one stack, at least 1; with inclusive
				 * changes of one box
				 */
	uint64_t total_before;
	uint64_t total_after;
	double pad_top;
	double pad_bottom;
	uint32_t width;		/* px */
	double height;		/* px */
	struct svg_background background;
	uint32_t separator;	/* depth of the one below the box in hand, 0: none */
	struct row *rows;
	char fill[40];		/* attributes up to the colour */
	bool kinds[FRAME_SPECIAL + 1];	/* those that occur */
};

void svg_options_init(struct svg_options *o)
{
	memset(o, 0, sizeof(*o));
	o->height = 16;
	o->minwidth = 0.1;
	o->fonttype = "Verdana";
	o->fontsize = 12;
	o->fontwidth = 0.59;
	o->nametype = "Function:";
	o->factor = 1;
	o->palette = PALETTE_KIND;
	o->vary = VARY_NAME;
}

static const char *title_of(const struct svg_options *o)
{
	if (o->title)
		return o->title;
	if (o->flamechart)
		return "Flame Chart";
	if (o->diff && o->inclusive)
		return o->inverted ? "Differential Icicle Graph" : "Differential Flame Graph";
	return o->inverted ? "Icicle Graph" : "Flame Graph";
}

/* The tree of an event to compare, which may be the drawn one's; NULL if none is. */
static struct tree *other_tree(const struct svg_options *o, const struct profile *p, uint32_t event,
			       uint32_t drawn, struct tree *tree)
{
	if (!o->diff)
		return NULL;
	return event == drawn ? tree : tree_build(p, event, o->reverse ? TREE_LEAF_FIRST : 0);
}

static void lay_out(struct picture *pic, const struct profile *p, uint32_t event)
{
	const struct svg_options *o = pic->o;
	double weight = (double)profile_total(p, event);
	double min;

	pic->total = o->total > weight ? o->total : weight;
	pic->width = o->width ? o->width : SVG_WIDTH;
	pic->scale = (pic->width - 2.0 * PAD_SIDE) / pic->total;
	pic->char_width = o->fontsize * o->fontwidth;
	min = o->minwidth_percent ? pic->total * o->minwidth / 100 : o->minwidth / pic->scale;
	if (o->flamechart) {
		svg_boxes_chart(&pic->boxes, p, event, o->reverse, min);
	} else {
		unsigned int flags = o->reverse ? TREE_LEAF_FIRST : 0;
		struct tree *tree = tree_build(p, event, flags);
		struct tree *before = other_tree(o, p, o->before, event, tree);
		struct tree *after = other_tree(o, p, o->after, event, tree);

		svg_boxes_graph(&pic->boxes, tree, before, after, o->sort, min);
		if (before != tree)
			tree_free(before);
		if (after != tree)
			tree_free(after);
		tree_free(tree);
	}
	pic->pad_top = o->fontsize * 3 + (o->subtitle ? o->fontsize * 2 : 0);
	pic->pad_bottom = o->fontsize * 2 + 10;
	pic->height = (pic->boxes.max_depth + 1.0) * o->height + pic->pad_top + pic->pad_bottom;
	for (size_t i = 1; i < pic->boxes.nr; i++)
		pic->kinds[pic->boxes.box[i].kind] = true;
}

/* flamegraph.pl's measure: of single stacks, those that vanished included. */
static double find_max_delta(const struct profile *p, uint32_t event, uint32_t before)
{
	uint32_t nr = profile_nr_stacks(p);
	double max = 1;

	for (uint32_t i = 0; i < nr; i++)
		max = fmax(max, fabs((double)profile_self(p, i, event) -
				     (double)profile_self(p, i, before)));
	return max;
}

/* In an inclusive picture: of boxes, but for the root, whose change is that of the total. */
static double find_max_change(const struct svg_boxes *boxes)
{
	double max = 1;

	for (size_t i = 1; i < boxes->nr; i++)
		max = fmax(max, fabs((double)boxes->box[i].after - (double)boxes->box[i].before));
	return max;
}

static void put_color(struct svg_buf *out, struct svg_rgb color)
{
	svg_puts(out, "rgb(");
	svg_u64(out, color.r);
	svg_puts(out, ",");
	svg_u64(out, color.g);
	svg_puts(out, ",");
	svg_u64(out, color.b);
	svg_puts(out, ")");
}

/* Of a value that is not negative; what 64 bits cannot hold becomes the largest they can. */
static uint64_t to_u64(double value)
{
	return value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
}

static uint64_t scaled(const struct picture *pic, double value)
{
	/* To nearest, ties to even, as printf("%.0f") does. */
	return to_u64(rint(value * pic->o->factor));
}

/*
 * Share of the whole in per cent. flamegraph.pl takes it of the scaled and rounded
 * count, which makes small ones 0; here rounding comes last.
 */
static void put_percent(const struct picture *pic, uint64_t value)
{
	double percent = 100.0 * (double)value / pic->total;

	/* With a factor the counts shown are rounded ties to even, so are their shares. */
	if (pic->o->factor != 1)
		percent = rint(10000.0 * (double)value / pic->total) / 100;
	svg_fixed2(pic->out, percent);
}

static void put_share(const struct picture *pic, uint64_t value, uint64_t total)
{
	svg_u64_commas(pic->out, scaled(pic, (double)value));
	if (!total)
		return;
	svg_puts(pic->out, ", ");
	svg_fixed2(pic->out, 100.0 * (double)value / (double)total);
	svg_puts(pic->out, "%");
}

/*
 * " (1,234 samples, 12.34%; before 1,000, 10.00%: +234, +23.40%)": counts after and before
 * with their shares, the change and its share of the count before.
 */
static void put_change(const struct picture *pic, const struct svg_box *box)
{
	struct svg_buf *out = pic->out;
	bool more = box->after > box->before;
	uint64_t change = more ? box->after - box->before : box->before - box->after;

	svg_puts(out, " (");
	svg_u64_commas(out, scaled(pic, (double)box->after));
	svg_puts(out, " ");
	svg_text(out, pic->countname);
	if (pic->total_after) {
		svg_puts(out, ", ");
		svg_fixed2(out, 100.0 * (double)box->after / (double)pic->total_after);
		svg_puts(out, "%");
	}
	svg_puts(out, "; before ");
	put_share(pic, box->before, pic->total_before);
	svg_puts(out, ": ");
	if (!change) {
		svg_puts(out, "unchanged)");
		return;
	}
	svg_puts(out, more != pic->o->negate ? "+" : "-");
	svg_u64_commas(out, scaled(pic, (double)change));
	if (!box->before || !box->after) {
		svg_puts(out, box->before ? ", vanished)" : ", new)");
		return;
	}
	svg_puts(out, more != pic->o->negate ? ", +" : ", -");
	svg_fixed2(out, 100.0 * (double)change / (double)box->before);
	svg_puts(out, "%)");
}

/* " (1,234 samples, 12.34%)", and behind that "; +1.23%" in a differential picture */
static void put_counts(const struct picture *pic, const struct svg_box *box)
{
	struct svg_buf *out = pic->out;

	if (pic->o->diff && pic->o->inclusive) {
		put_change(pic, box);
		return;
	}
	svg_puts(out, " (");
	svg_u64_commas(out, scaled(pic, box->depth ? (double)box->total : pic->total));
	svg_puts(out, " ");
	svg_text(out, pic->countname);
	svg_puts(out, ", ");
	if (box->depth)
		put_percent(pic, box->total);
	else
		svg_puts(out, "100");
	if (pic->o->diff && box->depth) {
		double delta = (double)box->delta * (pic->o->negate ? -1 : 1);

		svg_printf(out, "%%; %s%.2f", delta > 0 ? "+" : "",
			   delta ? 100 * delta / pic->total : 0);
	}
	svg_puts(out, "%)");
}

/*
 * In chain graphs what stands above the first separator is another thread's stack, the
 * waker's. Boxes come in preorder.
 */
static enum frame_kind kind_in_chain(struct picture *pic, const struct svg_box *box)
{
	if (pic->separator && box->depth > pic->separator)
		return FRAME_WAKER;
	pic->separator = strcmp(box->name, "--") ? 0 : box->depth;
	return box->kind;
}

/* The root of a square makes small changes visible beside large ones. */
static struct svg_rgb change_color(const struct picture *pic, const struct svg_box *box)
{
	double delta = (double)box->after - (double)box->before;
	enum svg_change change = CHANGE_NONE;

	if (box->after && !box->before)
		change = CHANGE_NEW;
	else if (delta != 0)
		change = (delta > 0) != pic->o->negate ? CHANGE_MORE : CHANGE_LESS;
	return svg_color_change(pic->o->diff_palette, change,
				sqrt(fmin(fabs(delta) / pic->max_delta, 1)));
}

static struct svg_rgb box_color(struct picture *pic, const struct svg_box *box)
{
	const struct svg_options *o = pic->o;
	enum frame_kind kind = o->palette == PALETTE_CHAIN ? kind_in_chain(pic, box) : box->kind;
	struct svg_rgb color;

	/* Separators of joined stacks (chain graphs, grey frames of merged inputs). */
	if (!strcmp(box->name, "--"))
		return (struct svg_rgb){ 160, 160, 160 };
	if (!strcmp(box->name, "-"))
		return (struct svg_rgb){ 200, 200, 200 };
	if (o->diff && o->inclusive)
		return change_color(pic, box);
	if (o->diff)
		return svg_color_delta((double)(o->negate ? -box->delta : box->delta), pic->max_delta);
	color = svg_color(o->palette, o->vary, box->name, kind);
	if (!o->palette_map || !box->depth)
		return color;
	return svg_palette_map_color(o->palette_map, box->name, frame_annotation(kind), color);
}

/* As much of @name as fits @fit characters, ".." for the rest. */
static void put_label(const struct picture *pic, const char *name, double fit)
{
	size_t chars = svg_utf8_count(name);
	const char *end = name;
	uint32_t c;

	if (fit >= (double)chars) {
		svg_text(pic->out, name);
		return;
	}
	for (size_t i = (size_t)fit - 2; i; i--)
		end += svg_char(end, &c);
	svg_textn(pic->out, name, (size_t)(end - name));
	svg_puts(pic->out, "..");
}

/*
 * Boxes of a row have their height in common, and formatting it takes longer than all
 * the rest of a box.
 */
static void format_rows(struct picture *pic)
{
	const struct svg_options *o = pic->o;
	size_t nr = (size_t)pic->boxes.max_depth + 1;

	pic->rows = xcalloc(nr, sizeof(*pic->rows));
	for (size_t i = 0; i < nr; i++) {
		struct row *row = &pic->rows[i];
		double y;

		if (o->inverted)
			y = pic->pad_top + (double)i * o->height;
		else
			y = pic->height - pic->pad_bottom - ((double)i + 1) * o->height + 1;
		snprintf(row->rect, sizeof(row->rect), "\" y=\"%g\" width=\"", y);
		snprintf(row->text, sizeof(row->text), "\" y=\"%g\">",
			 3 + y + (o->height - 1.0) / 2);
	}
	snprintf(pic->fill, sizeof(pic->fill), "\" height=\"%.1f\" fill=\"", o->height - 1.0);
}

static void put_attr(struct svg_buf *out, const char *key, const char *value)
{
	if (!value)
		return;
	svg_puts(out, key);
	svg_puts(out, "=\"");
	svg_text(out, value);
	svg_puts(out, "\" ");
}

static void put_group_attrs(struct svg_buf *out, const struct svg_attr *attr)
{
	put_attr(out, "id", attr->id);
	put_attr(out, "class", attr->class);
	if (attr->g_extra) {
		/* svg_attrs_read() has seen to it that this is well-formed. */
		svg_puts(out, attr->g_extra);
		svg_puts(out, " ");
	}
}

static void put_link(struct svg_buf *out, const struct svg_attr *attr)
{
	svg_puts(out, "<a ");
	put_attr(out, "xlink:href", attr->href);
	put_attr(out, "target", attr->target ? attr->target : "_top");
	if (attr->a_extra)
		svg_puts(out, attr->a_extra);
	svg_puts(out, ">");
}

/* A place on the page, given from the left edge of the boxes: in tenths of a px. */
static uint64_t tenths(double x)
{
	return (uint64_t)((PAD_SIDE + x) * 10 + 0.5);
}

static void put_box(struct picture *pic, const struct svg_box *box)
{
	struct svg_buf *out = pic->out;
	const struct svg_attr *attr = svg_attrs_find(pic->o->attrs, box->name);
	double total = box->depth ? (double)box->total : pic->total;
	/* The edges are rounded, not the width, so that neighbours meet. */
	uint64_t x1 = tenths((double)box->x * pic->scale);
	uint64_t x2 = tenths(((double)box->x + total) * pic->scale);
	double fit = (double)(x2 - x1) / 10 / pic->char_width;

	svg_puts(out, "<g ");
	if (attr)
		put_group_attrs(out, attr);
	svg_puts(out, "data-x=\"");
	svg_u64(out, box->x);
	svg_puts(out, "\" data-w=\"");
	svg_u64(out, to_u64(total));
	if (box->pruned) {
		svg_puts(out, "\" data-self=\"");
		svg_u64(out, box->self);
	}
	svg_puts(out, "\"><title>");
	if (attr && attr->title) {
		svg_text(out, attr->title);
	} else {
		svg_text(out, box->depth ? box->name : "all");
		put_counts(pic, box);
	}
	svg_puts(out, "</title>");
	if (attr && attr->href)
		put_link(out, attr);
	svg_puts(out, "<rect x=\"");
	svg_tenths(out, x1);
	svg_puts(out, pic->rows[box->depth].rect);
	svg_tenths(out, x2 - x1);
	svg_puts(out, pic->fill);
	put_color(out, box_color(pic, box));
	svg_puts(out, "\" rx=\"2\"/>");
	if (fit >= MIN_LABEL_CHARS) {
		svg_puts(out, "<text x=\"");
		svg_tenths(out, x1 + 30);
		svg_puts(out, pic->rows[box->depth].text);
		put_label(pic, box->depth ? box->name : "all", fit);
		svg_puts(out, "</text>");
	}
	svg_puts(out, attr && attr->href ? "</a></g>\n" : "</g>\n");
}

/* What the script needs to know and cannot read off the boxes. */
static void put_settings(const struct picture *pic)
{
	const struct svg_options *o = pic->o;
	struct svg_buf *out = pic->out;

	svg_puts(out, " data-flame=\"{&quot;countname&quot;:");
	svg_json_string(out, pic->countname);
	svg_puts(out, ",&quot;nametype&quot;:");
	svg_json_string(out, o->nametype);
	svg_printf(out, ",&quot;fluid&quot;:%s,&quot;inverted&quot;:%s", o->width ? "false" : "true",
		   o->inverted ? "true" : "false");
	svg_printf(out, ",&quot;factor&quot;:%.17g,&quot;fontsize&quot;:%g,&quot;fontwidth&quot;:%g",
		   o->factor, o->fontsize, o->fontwidth);
	svg_printf(out, ",&quot;width&quot;:%u,&quot;height&quot;:%u,&quot;pad&quot;:%d}\"",
		   pic->width, o->height, PAD_SIDE);
}

static void put_head(const struct picture *pic)
{
	const struct svg_options *o = pic->o;
	struct svg_buf *out = pic->out;

	svg_puts(out, "<?xml version=\"1.0\" encoding=\"");
	svg_text(out, o->encoding ? o->encoding : "utf-8");
	svg_puts(out, "\" standalone=\"no\"?>\n<svg version=\"1.1\" class=\"flame-graph");
	svg_puts(out, o->bgcolors ? "" : " auto");
	svg_printf(out, "\" width=\"%u\" height=\"%g\" viewBox=\"0 0 %u %g\"", pic->width,
		   pic->height, pic->width, pic->height);
	svg_puts(out, " xmlns=\"http://www.w3.org/2000/svg\"");
	svg_puts(out, " xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
	svg_printf(out, " font-size=\"%g\" font-family=\"", o->fontsize);
	svg_text(out, o->fonttype);
	svg_printf(out, ", 'DejaVu Sans', sans-serif\" style=\"background:%s\" aria-label=\"",
		   pic->background.bottom);
	svg_text(out, title_of(o));
	svg_puts(out, "\"");
	put_settings(pic);
	svg_puts(out, ">\n<!-- flame " FLAME_VERSION ", a flame graph tool -->\n");
}

/* "--" may not occur in a comment, nor "-" at its end. */
static void put_notes(struct svg_buf *out, const char *notes)
{
	if (!notes)
		return;
	svg_puts(out, "<!-- NOTES: ");
	while (*notes) {
		size_t dash = strcspn(notes, "-");

		svg_textn(out, notes, dash);
		notes += dash;
		if (*notes == '-') {
			svg_puts(out, notes[1] == '-' ? "- " : "-");
			notes++;
		}
	}
	svg_puts(out, " -->\n");
}

static void put_background(const struct picture *pic)
{
	struct svg_buf *out = pic->out;
	const char *top = pic->background.top + 1, *bottom = pic->background.bottom + 1;

	/* Named by what it holds: several pictures on one page may share it. */
	svg_printf(out, "<defs><linearGradient id=\"background-%s-%s\" y1=\"0\" y2=\"1\" x1=\"0\" x2=\"0\">",
		   top, bottom);
	svg_printf(out, "<stop stop-color=\"#%s\" offset=\"5%%\"/><stop stop-color=\"#%s\" offset=\"95%%\"/>",
		   top, bottom);
	svg_puts(out, "</linearGradient></defs>\n");
	svg_printf(out, "<rect class=\"background\" width=\"100%%\" height=\"%g\" fill=\"url(#background-%s-%s)\"/>\n",
		   pic->height, top, bottom);
}

/* What the script puts behind header and footer while it keeps them in sight. */
static void put_strip(const struct picture *pic, double y, double height, const char *fill)
{
	svg_printf(pic->out, "<rect class=\"strip\" display=\"none\" y=\"%g\" width=\"100%%\" height=\"%g\" fill=\"%s\"/>\n",
		   y, height, fill);
}

/* A square of @color and what it means; returns where the next one begins. */
static double put_legend_entry(const struct picture *pic, double x, struct svg_rgb color,
			       const char *label)
{
	struct svg_buf *out = pic->out;
	double size = pic->o->fontsize - 2;
	double y = pic->height - pic->pad_bottom / 2;

	svg_printf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"2\" fill=\"", x,
		   y - size + 1, size, size);
	put_color(out, color);
	svg_printf(out, "\"/><text x=\"%g\" y=\"%g\">%s</text>", x + size + 4, y, label);
	return x + size + 4 + ((double)strlen(label) + 2) * pic->char_width;
}

/* The same for a difference, with what it cannot show. */
static void put_diff_legend(const struct picture *pic)
{
	static const char *const labels[] = {
		[CHANGE_NONE] = "unchanged", [CHANGE_MORE] = "more", [CHANGE_LESS] = "less",
		[CHANGE_NEW] = "new",
	};
	const struct svg_options *o = pic->o;
	struct svg_buf *out = pic->out;
	double x = PAD_SIDE;

	svg_puts(out, "<g class=\"legend\">");
	for (int i = CHANGE_NONE; i <= CHANGE_NEW; i++)
		x = put_legend_entry(pic, x, svg_color_change(o->diff_palette, (enum svg_change)i, 1),
				     labels[i]);
	if (o->vanished) {
		svg_printf(out, "<text x=\"%g\" y=\"%g\">vanished, not drawn: ", x,
			   pic->height - pic->pad_bottom / 2);
		put_share(pic, o->vanished, pic->total_before);
		svg_puts(out, "</text>");
	}
	svg_puts(out, "</g>\n");
}

/*
 * What the hues mean, in the place of the details line while nothing is pointed at. Only
 * for kinds that occur, and only when there are two to tell apart.
 */
static void put_legend(const struct picture *pic)
{
	static const struct {
		enum frame_kind kind;
		const char *label;
	} entries[] = {
		{ FRAME_USER, "user" },
		{ FRAME_KERNEL, "kernel" },
		{ FRAME_INLINED, "inlined" },
		{ FRAME_JIT, "JIT" },
		{ FRAME_WAKER, "waker" },
	};
	struct svg_buf *out = pic->out;
	double x = PAD_SIDE;
	unsigned int nr = 0;

	if (pic->o->diff && pic->o->inclusive)
		put_diff_legend(pic);
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		nr += pic->kinds[entries[i].kind];
	if (pic->o->palette != PALETTE_KIND || pic->o->diff || nr < 2)
		return;
	svg_puts(out, "<g class=\"legend\">");
	for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]); i++)
		if (pic->kinds[entries[i].kind])
			x = put_legend_entry(pic, x, svg_color_kind(entries[i].kind),
					     entries[i].label);
	svg_puts(out, "</g>\n");
}

/*
 * A share p of n samples has a standard error of sqrt(p (1 - p) / n), at most
 * 1 / (2 sqrt(n)); 1.96 of these on each side are 95 % confidence.
 */
static void put_warning(const struct picture *pic)
{
	uint64_t n = pic->o->low_samples;

	if (!n)
		return;
	svg_printf(pic->out, "<text class=\"warning small\" x=\"%d\" y=\"%g\" font-size=\"%g\">",
		   PAD_SIDE, pic->height - 5, pic->o->fontsize - 2);
	svg_printf(pic->out, "Only %llu sample%s: a share may be off by %.0f points</text>\n",
		   (unsigned long long)n, n == 1 ? "" : "s", 98 / sqrt((double)n));
}

static void put_header(const struct picture *pic)
{
	const struct svg_options *o = pic->o;
	struct svg_buf *out = pic->out;
	double size = o->fontsize;

	svg_puts(out, "<g class=\"header\">\n");
	put_strip(pic, 0, pic->pad_top, pic->background.top);
	svg_printf(out, "<text id=\"title\" class=\"title\" x=\"%u\" y=\"%g\" font-size=\"%g\" text-anchor=\"middle\">",
		   pic->width / 2, size * 2, size + 5);
	svg_text(out, title_of(o));
	svg_puts(out, "</text>\n");
	if (o->subtitle) {
		svg_printf(out, "<text id=\"subtitle\" class=\"subtitle\" x=\"%u\" y=\"%g\" text-anchor=\"middle\">",
			   pic->width / 2, size * 4);
		svg_text(out, o->subtitle);
		svg_puts(out, "</text>\n");
	}
	/* Hidden where there is no script to act on them. */
	svg_printf(out, "<text id=\"unzoom\" class=\"unzoom control\" display=\"none\" x=\"%d\" y=\"%g\">Reset Zoom</text>\n",
		   PAD_SIDE, size * 2);
	svg_printf(out, "<text id=\"search\" class=\"search control\" display=\"none\" x=\"%u\" y=\"%g\" text-anchor=\"end\">Search</text>\n",
		   pic->width - PAD_SIDE, size * 2);
	svg_puts(out, "</g>\n");
}

static void put_footer(const struct picture *pic)
{
	struct svg_buf *out = pic->out;
	double y = pic->height - pic->pad_bottom / 2;

	svg_puts(out, "<g class=\"footer\">\n");
	put_strip(pic, pic->height - pic->pad_bottom, pic->pad_bottom, pic->background.bottom);
	put_legend(pic);
	svg_printf(out, "<text id=\"details\" class=\"details\" x=\"%d\" y=\"%g\"> </text>\n",
		   PAD_SIDE, y);
	svg_printf(out, "<text class=\"shares small\" x=\"%d\" y=\"%g\" font-size=\"%g\"> </text>\n",
		   PAD_SIDE, pic->height - 5, pic->o->fontsize - 2);
	put_warning(pic);
	svg_printf(out, "<text id=\"matched\" class=\"matched\" x=\"%u\" y=\"%g\" text-anchor=\"end\"> </text>\n",
		   pic->width - PAD_SIDE, y);
	svg_puts(out, "</g>\n");
}

/* A CDATA section ends at "]]>": where the text holds one, a new section begins inside. */
static void put_embedded(struct svg_buf *out, const char *element, const char *type,
			 const char *text, size_t len)
{
	const char *end = text + len;
	const char *stop;

	svg_printf(out, "<%s type=\"%s\"><![CDATA[\n", element, type);
	while ((stop = memmem(text, (size_t)(end - text), "]]>", 3))) {
		svg_put(out, text, (size_t)(stop - text));
		svg_puts(out, "]]]]><![CDATA[>");
		text = stop + 3;
	}
	svg_put(out, text, (size_t)(end - text));
	svg_printf(out, "]]></%s>\n", element);
}

void svg_write(FILE *fp, const struct profile *p, uint32_t event,
	       const struct svg_options *options)
{
	struct svg_buf *out = xcalloc(1, sizeof(*out));
	struct picture pic = {
		.out = out,
		.o = options,
		.countname = options->countname ? options->countname : profile_event_unit(p, event),
	};

	out->fp = fp;
	out->ascii = options->encoding && strcasecmp(options->encoding, "utf-8");
	svg_background_find(options->bgcolors, options->palette, &pic.background);
	lay_out(&pic, p, event);
	if (options->diff) {
		pic.total_before = profile_total(p, options->before);
		pic.total_after = profile_total(p, options->after);
		pic.max_delta = options->inclusive ? find_max_change(&pic.boxes) :
				find_max_delta(p, event, options->before);
	}
	put_head(&pic);
	put_notes(out, options->notes);
	put_embedded(out, "style", "text/css", web_svg_css, web_svg_css_len);
	put_background(&pic);
	svg_puts(out, "<g id=\"frames\" class=\"frames\">\n");
	format_rows(&pic);
	for (size_t i = 0; i < pic.boxes.nr; i++)
		put_box(&pic, &pic.boxes.box[i]);
	svg_puts(out, "</g>\n");
	put_header(&pic);
	put_footer(&pic);
	put_embedded(out, "script", "text/ecmascript", web_svg_js, web_svg_js_len);
	svg_puts(out, "</svg>\n");
	svg_buf_flush(out);
	svg_boxes_free(&pic.boxes);
	free(pic.rows);
	free(out);
}
