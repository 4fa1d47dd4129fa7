// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames by the text that is shown.
 */
#include <stdlib.h>
#include <string.h>
#include "output/labels.h"
#include "util/mem.h"

struct shown {
	const char *text;
	uint32_t frame;
};

static int compare(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;
	int d = strcmp(x->text, y->text);

	return d ? d : (x->frame > y->frame) - (x->frame < y->frame);
}

static const char *shown_text(struct labels *l, const struct profile *p, uint32_t frame,
			      bool annotate)
{
	const struct profile_frame *f = profile_frame_at(p, frame);
	const char *name = profile_text(p, f->name), *suffix = frame_annotation(f->kind);

	/* "[jit]" says it already. */
	if (!annotate || !*suffix || (f->kind == FRAME_JIT && *name == '['))
		return name;
	l->own[l->nr_own] = xasprintf("%s%s", name, suffix);
	return l->own[l->nr_own++];
}

void labels_of_profile(struct labels *l, const struct profile *p, bool annotate)
{
	uint32_t nr = profile_nr_frames(p);
	struct shown *shown = xcalloc(nr, sizeof(*shown));

	*l = (struct labels){ .own = xcalloc(nr, sizeof(*l->own)) };
	l->text = xcalloc(nr, sizeof(*l->text));
	l->frame = xcalloc(nr, sizeof(*l->frame));
	l->of = xcalloc(nr, sizeof(*l->of));
	for (uint32_t i = 0; i < nr; i++)
		shown[i] = (struct shown){ shown_text(l, p, i, annotate), i };
	if (nr)
		qsort(shown, nr, sizeof(*shown), compare);
	for (uint32_t i = 0; i < nr; i++) {
		if (!i || strcmp(l->text[l->nr - 1], shown[i].text)) {
			l->text[l->nr] = shown[i].text;
			l->frame[l->nr++] = shown[i].frame;
		}
		l->of[shown[i].frame] = l->nr - 1;
	}
	free(shown);
}

void labels_free(struct labels *l)
{
	for (uint32_t i = 0; i < l->nr_own; i++)
		free(l->own[i]);
	free(l->own);
	free(l->text);
	free(l->frame);
	free(l->of);
}
