/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of `perf script` taken apart, as pure functions: which field set was printed
 * is found out from each line itself.
 */
#ifndef FLAME_PERF_LINE_H
#define FLAME_PERF_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of a line; @s NULL: not there. */
struct text {
	const char *s;
	size_t len;
};

#define PERF_NO_CPU	UINT32_MAX
#define PERF_NO_TIME	UINT64_MAX

/**
 * struct perf_header - the line that begins a sample
 * @comm: thread name, blanks inside kept
 * @pid: digits; not there when only one id was printed, which is @tid then
 * @event: without its colon; not there when only a time was printed
 * @rest: what follows the event: arguments of a tracepoint, or the only frame
 * @time: ns
 * @period: 0: none
 */
struct perf_header {
	struct text comm, pid, tid, event, rest;
	uint64_t time;
	uint64_t period;
	uint32_t cpu;
};

/*
 * `comm pid[/tid] [cpu] time: period event: ...` with any of the fields missing but for a
 * time or an event, and one of comm and id.
 */
bool perf_parse_header(const char *s, size_t len, struct perf_header *h);

/* `pc symbol+0xoff (dso)`; without the pc, the offset, or the dso. */
struct perf_frame {
	struct text pc, symbol, dso;
	uint64_t offset;
	bool has_offset;
};

/* False: the line is none. The symbol comes without its offset. */
bool perf_parse_frame(const char *s, size_t len, struct perf_frame *f);

/* `file.c:10`, `??:0` or `lib.so[1f]` alone: the source line of the frame before. */
bool perf_is_srcline(const char *s, size_t len);

/* Length of the event's name without modifiers: of "cycles:u", "cpu_core/cycles/". */
struct text perf_event_base(struct text event);

enum perf_dso { PERF_DSO_USER, PERF_DSO_KERNEL, PERF_DSO_JIT };
enum perf_dso perf_dso_kind(struct text dso);

/*
 * How many bytes of a function's name stand before its top-level parameter list:
 * template arguments, operator(), Go's receivers and anonymous namespaces stay.
 */
size_t perf_name_length(const char *s, size_t len);

#endif /* FLAME_PERF_LINE_H */
