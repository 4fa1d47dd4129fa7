// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finding, registering and unregistering tracepoint probes. Process context, may sleep.
 */
#include <linux/string.h>
#include "tracepoints.h"

struct search {
	struct flame_probe *probes;
	int nr;
};

static void look_at(struct tracepoint *tp, void *data)
{
	struct search *search = data;
	int i;

	for (i = 0; i < search->nr; i++) {
		if (!strcmp(tp->name, search->probes[i].name))
			search->probes[i].tp = tp;
	}
}

const char *flame_probes_find(struct flame_probe *probes, int nr)
{
	struct search search = { probes, nr };
	int i;

	for_each_kernel_tracepoint(look_at, &search);
	for (i = 0; i < nr; i++) {
		if (!probes[i].tp)
			return probes[i].name;
	}
	return NULL;
}

int flame_probe_register(struct flame_probe *probe)
{
	int err = tracepoint_probe_register(probe->tp, probe->func, NULL);

	probe->registered = !err;
	return err;
}

void flame_probe_unregister(struct flame_probe *probe)
{
	if (!probe->registered)
		return;
	tracepoint_probe_unregister(probe->tp, probe->func, NULL);
	probe->registered = false;
}
