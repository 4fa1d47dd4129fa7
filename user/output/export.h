/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles in the formats of other tools (docs/formats.md). A format is one file with one
 * struct export_format in the table of export.c. All names in a profile are clean UTF-8,
 * which the writers rely on.
 */
#ifndef FLAME_EXPORT_H
#define FLAME_EXPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "profile/profile.h"

#define EXPORT_ALL_EVENTS	UINT32_MAX

/**
 * struct export_options - what goes into the file
 * @event: index of the event, EXPORT_ALL_EVENTS only where the format takes several
 * @annotate: names carry _[k], _[i], _[j], _[w]
 * @name: of the file, for messages
 */
struct export_options {
	uint32_t event;
	bool annotate;
	const char *name;
};

/**
 * struct export_format - one format
 * @name: as users call it
 * @binary: not for a terminal
 * @samples: it shows samples in time where the profile has them
 * @several: it takes several events
 * @max: the largest number its readers take exactly
 * @rounds: they round what is larger; else they would misread it
 * @write: writes the file. Write errors may be left in @fp for its owner to find; false if
 *	   one was said
 */
struct export_format {
	const char *name;
	bool binary;
	bool samples;
	bool several;
	bool rounds;
	uint64_t max;
	bool (*write)(FILE *fp, const struct profile *p, const struct export_options *options);
};

/* Readers in JavaScript count in floating point. */
#define EXPORT_MAX_DOUBLE	(1ull << 53)

/* NULL if there is none of that name. */
const struct export_format *export_find(const char *name);
/* The format at @index, NULL behind the last. */
const struct export_format *export_at(unsigned int index);

extern const struct export_format export_flame;
extern const struct export_format export_folded;
extern const struct export_format export_pprof;
extern const struct export_format export_speedscope;
extern const struct export_format export_firefox;
extern const struct export_format export_perf;
extern const struct export_format export_chrome;
extern const struct export_format export_callgrind;
extern const struct export_format export_d3;
extern const struct export_format export_jsonl;

#endif /* FLAME_EXPORT_H */
