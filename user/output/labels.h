/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frames of a profile as the viewers of other formats see them: by the text that is
 * shown. Frames of the same text are one label.
 */
#ifndef FLAME_LABELS_H
#define FLAME_LABELS_H

#include <stdbool.h>
#include <stdint.h>
#include "profile/profile.h"

/**
 * struct labels - all labels, sorted bytewise by text
 * @nr: how many there are
 * @text: what is shown, by label
 * @frame: the frame with the lowest id that is shown so, by label
 * @of: label, by frame id
 */
struct labels {
	uint32_t nr;
	const char **text;
	uint32_t *frame;
	uint32_t *of;
	char **own;
	uint32_t nr_own;
};

/* @annotate: texts carry _[k], _[i], _[j], _[w], as in folded text. Valid while @p is. */
void labels_of_profile(struct labels *l, const struct profile *p, bool annotate);
void labels_free(struct labels *l);

#endif /* FLAME_LABELS_H */
