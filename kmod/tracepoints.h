/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel tracepoints by name: the kernel exports none of the ones we need as symbols,
 * so they are found with for_each_kernel_tracepoint(). Process context.
 */
#ifndef FLAME_TRACEPOINTS_H
#define FLAME_TRACEPOINTS_H

#include <linux/tracepoint.h>

/**
 * struct flame_probe - a tracepoint and what is to run there
 * @name: as in include/trace/events
 * @func: of the prototype that this kernel's tracepoint has (see compat.h)
 * @tp: found by flame_probes_find()
 * @registered: the probe is in place
 */
struct flame_probe {
	const char *name;
	void *func;
	struct tracepoint *tp;
	bool registered;
};

/* Finds the tracepoints of @nr probes. Returns the name of one that is missing, or NULL. */
const char *flame_probes_find(struct flame_probe *probes, int nr);

/* 0 or an errno of tracepoint_probe_register(). */
int flame_probe_register(struct flame_probe *probe);

/*
 * Takes the probe out. It may still be running somewhere until the caller has called
 * tracepoint_synchronize_unregister(). Not registered: nothing.
 */
void flame_probe_unregister(struct flame_probe *probe);

#endif /* FLAME_TRACEPOINTS_H */
