/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a picture of a difference shows: how wide its boxes are, and where stacks stand
 * that are no more.
 */
#ifndef FLAME_SVG_DIFF_H
#define FLAME_SVG_DIFF_H

#include <stdbool.h>
#include <stdint.h>
#include "profile/profile.h"

enum svg_widths {
	WIDTHS_AFTER,		/* by the counts after */
	WIDTHS_BEFORE,		/* by those before */
	WIDTHS_BOTH,		/* by what stacks gained plus what stacks lost */
};

enum svg_view_event { VIEW_AFTER, VIEW_BEFORE, VIEW_WIDTH };

/* Root of the stacks that are no more, with @elided. */
#define SVG_VANISHED	"[vanished]"

/*
 * A profile with the events of enum svg_view_event. @elided: frames that have no samples
 * after stand once more under SVG_VANISHED, as wide as they were before; there only their
 * width tells that.
 */
struct profile *svg_diff_view(const struct profile *p, uint32_t after, uint32_t before,
			      enum svg_widths widths, bool elided);

/* What the frames that have no samples after weighed before. */
uint64_t svg_diff_vanished(const struct profile *p, uint32_t after, uint32_t before);

#endif /* FLAME_SVG_DIFF_H */
