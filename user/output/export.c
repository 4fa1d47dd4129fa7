// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of formats that profiles can be written in, and the two that need no file of
 * their own here.
 */
#include <string.h>
#include "output/export.h"
#include "output/flame_profile.h"
#include "output/folded.h"

static bool write_flame(FILE *fp, const struct profile *p, const struct export_options *o)
{
	return !fflush(fp) && flame_profile_write(fileno(fp), o->name, p);
}

const struct export_format export_flame = {
	.name = "flame",
	.binary = true,
	.samples = true,
	.several = true,
	.max = UINT64_MAX,
	.write = write_flame,
};

static bool write_folded(FILE *fp, const struct profile *p, const struct export_options *o)
{
	const struct folded_options how = { o->annotate, o->annotate, o->annotate };

	folded_write(fp, p, o->event, &how);
	return true;
}

const struct export_format export_folded = {
	.name = "folded",
	.max = UINT64_MAX,
	.write = write_folded,
};

static const struct export_format *const formats[] = {
	&export_folded, &export_pprof, &export_speedscope, &export_firefox, &export_perf,
	&export_chrome, &export_callgrind, &export_d3, &export_jsonl, &export_flame,
};

#define NR_FORMATS	(sizeof(formats) / sizeof(formats[0]))

const struct export_format *export_at(unsigned int index)
{
	return index < NR_FORMATS ? formats[index] : NULL;
}

const struct export_format *export_find(const char *name)
{
	for (size_t i = 0; i < NR_FORMATS; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}
