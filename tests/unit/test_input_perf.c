// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines of perf script taken apart, and the reader behind them: pieces cut anywhere,
 * samples in time, memory that does not grow. Expected values are worked out by hand.
 */
/* sources: user/input/[a-z]*.c user/symbol/demangle.c user/profile/profile.c user/util/mem.c user/util/msg.c user/util/text.c user/util/progress.c user/util/term.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "input/input.h"
#include "input/perf_line.h"
#include "util/msg.h"

static void check_text(struct text t, const char *want)
{
	if (!want) {
		assert_null(t.s);
		return;
	}
	assert_int_equal(t.len, strlen(want));
	assert_memory_equal(t.s, want, t.len);
}

static void test_header(void **state)
{
	static const struct {
		const char *line, *comm, *pid, *tid, *event, *rest;
		uint64_t time, period;
		uint32_t cpu;
	} cases[] = {
		{ "w 4711 [003] 12.345678: 5 cycles:u: ", "w", NULL, "4711", "cycles:u", "",
		  12345678000, 5, 3 },
		{ "V8 Worker 7 24636/25607 [000] 94564.109216: cycles:", "V8 Worker 7", "24636",
		  "25607", "cycles", "", 94564109216000, 0, 0 },
		{ "  q -1/-1 1.000000001: e:", "q", "-1", "-1", "e", "", 1000000001, 0,
		  PERF_NO_CPU },
		{ "node-v011 31912 cpu-clock: ", "node-v011", NULL, "31912", "cpu-clock", "",
		  PERF_NO_TIME, 0, PERF_NO_CPU },
		{ "1234 4711 [1023] 1.5: 9 cpu_core/cycles/:", "1234", NULL, "4711",
		  "cpu_core/cycles/", "", 1500000000, 9, 1023 },
		{ "a 1 [0] 1.5: kmem:kmalloc: ptr=0x1 n=2 ", "a", NULL, "1", "kmem:kmalloc",
		  "ptr=0x1 n=2", 1500000000, 0, 0 },
		{ "4711 1.5: e:", "", NULL, "4711", "e", "", 1500000000, 0, PERF_NO_CPU },
		{ "my app 1.5:", "my app", NULL, NULL, NULL, NULL, 1500000000, 0,
		  PERF_NO_CPU },
		{ "G\t25 [007] 1.5:\t\t10 t:u:", "G", NULL, "25", "t:u", "", 1500000000, 10, 7 },
	};
	static const char *const none[] = {
		"Processed 10 events and lost 3 chunks!", "Warning:", "", "a 1", "a;b 5",
		"a 1 [x] 2: 3", "12.5: e:", "w 1 1.: e",
	};
	struct perf_header h;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(perf_parse_header(cases[i].line, strlen(cases[i].line), &h));
		check_text(h.comm, cases[i].comm);
		check_text(h.pid, cases[i].pid);
		check_text(h.tid, cases[i].tid);
		check_text(h.event, cases[i].event);
		check_text(h.rest, cases[i].rest);
		assert_true(h.time == cases[i].time);
		assert_true(h.period == cases[i].period);
		assert_int_equal(h.cpu, cases[i].cpu);
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_false(perf_parse_header(none[i], strlen(none[i]), &h));
}

static void test_frame(void **state)
{
	static const struct {
		const char *line, *pc, *symbol, *dso;
	} cases[] = {
		{ "\t  a0 f+0x1f (/a)", "a0", "f", "/a" },
		{ " a0 main+0x1 (/opt/app (deleted))", "a0", "main", "/opt/app" },
		{ " a0 f (/opt/My App/x (1))", "a0", "f", "/opt/My App/x (1)" },
		{ " a0 f(int (*)(int)) (/a)", "a0", "f(int (*)(int))", "/a" },
		{ " a0 f (/odd)name)", "a0", "f", "/odd)name" },
		{ " main (/a)", NULL, "main", "/a" },
		{ " add (/a)", NULL, "add", "/a" },
		{ " 401b97 (/a)", "401b97", " ", "/a" },
		{ " 401b97", "401b97", "[unknown]", NULL },
		{ " a0 f+0x1", "a0", "f", NULL },
		{ " a0  (/a)", "a0", " ", "/a" },
		{ " a0 f+0x (/a)", "a0", "f+0x", "/a" },
	};
	static const char *const none[] = { "", "   ", " g", " g h", " a0 f (/cut/of", "a0x f" };
	struct perf_frame f;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(perf_parse_frame(cases[i].line, strlen(cases[i].line), &f));
		check_text(f.pc, cases[i].pc);
		check_text(f.symbol, cases[i].symbol);
		check_text(f.dso, cases[i].dso);
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_false(perf_parse_frame(none[i], strlen(none[i]), &f));
}

static void test_name(void **state)
{
	static const char *const cases[][2] = {
		{ "f(int)", "f" },
		{ "f", "f" },
		{ "box<(Kind)2>::put(int)", "box<(Kind)2>::put" },
		{ "A::operator()(int) const", "A::operator()" },
		{ "operator<(A, B)", "operator<" },
		{ "A::operator->()", "A::operator->" },
		{ "operator<< <char>(int)", "operator<< <char>" },
		{ "std::f<int (*)(int)>::g(x)", "std::f<int (*)(int)>::g" },
		{ "(anonymous namespace)::f(int)", "(anonymous namespace)::f" },
		{ "a::(anonymous namespace)::f(int)", "a::(anonymous namespace)::f" },
		{ "main::{lambda(int, int)#1}::operator()(int) const",
		  "main::{lambda(int, int)#1}::operator()" },
		{ "net/http.(*conn).serve", "net/http.(*conn).serve" },
		{ "decltype(auto) f<int>(x)", "decltype(auto) f<int>" },
		{ "a<b(c", "a<b" },
		{ "cooperate(int)", "cooperate" },
		{ "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(perf_name_length(cases[i][0], strlen(cases[i][0])),
				 strlen(cases[i][1]));
}

static void test_kinds(void **state)
{
	static const struct {
		const char *dso;
		enum perf_dso kind;
	} cases[] = {
		{ "[kernel.kallsyms]", PERF_DSO_KERNEL }, { "[nf_nat]", PERF_DSO_KERNEL },
		{ "/boot/vmlinux-6.1", PERF_DSO_KERNEL }, { "/x/fs/ext4.ko.xz", PERF_DSO_KERNEL },
		{ "bpf_prog_12_x", PERF_DSO_KERNEL }, { "[vdso]", PERF_DSO_USER },
		{ "[unknown]", PERF_DSO_USER }, { "/usr/bin/vm", PERF_DSO_USER },
		{ "", PERF_DSO_USER }, { "/tmp/perf-12.map", PERF_DSO_JIT },
		{ "/tmp/perf-.map", PERF_DSO_USER }, { "/tmp/perf-1x.map", PERF_DSO_USER },
		{ "/tmp/.debug/jit/jitted-1-2.so", PERF_DSO_JIT }, { "[JIT] tid 12", PERF_DSO_JIT },
	};
	static const char *const events[][2] = {
		{ "cycles", "cycles" }, { "cycles:u", "cycles" }, { "cycles:ppp", "cycles" },
		{ "cpu_core/cycles/u", "cycles" }, { "kmem:kfree", "kmem:kfree" },
		{ "cpu/event=0x3c,umask=0x0/", "cpu/event=0x3c,umask=0x0/" }, { "u", "u" },
		{ ":u", ":u" }, { "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(perf_dso_kind((struct text){ cases[i].dso, strlen(cases[i].dso) }),
				 cases[i].kind);
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		check_text(perf_event_base((struct text){ events[i][0], strlen(events[i][0]) }),
			   events[i][1]);
	assert_true(perf_is_srcline("  foo.c:10", 10));
	assert_true(perf_is_srcline("  libc.so.6[29d8f]", 18));
	assert_false(perf_is_srcline("  foo", 5));
	assert_false(perf_is_srcline("  :10", 5));
}

static const char two[] =
	"w 7 [002] 10.5: 3 cycles:\n\ta0 f (/a)\n\tb0 main (/a)\n\n"
	"v 8/9 [001] 12.25: 4 cycles:\n\ta0 f (/a)\n\tb0 main (/a)\n";

static void test_samples(void **state)
{
	const struct input_options options = { .keep_samples = true };
	struct profile *p = input_read_memory("test", two, sizeof(two) - 1, &options);
	const struct profile_sample *s;

	(void)state;
	assert_non_null(p);
	assert_int_equal(profile_nr_samples(p), 2);
	s = profile_sample_at(p, 0);
	assert_int_equal(s->time, 0);
	assert_int_equal(s->value, 3);
	assert_int_equal(s->cpu, 2);
	assert_int_equal(s->pid, 7);
	assert_int_equal(s->tid, 7);
	assert_string_equal(profile_text(p, s->comm), "w");
	s = profile_sample_at(p, 1);
	assert_int_equal(s->time, 1750000000);
	assert_int_equal(s->value, 4);
	assert_int_equal(s->pid, 8);
	assert_int_equal(s->tid, 9);
	assert_string_equal(profile_event_name(p, 0), "cycles");
	assert_string_equal(profile_event_unit(p, 0), "cycles");
	assert_int_equal(profile_total(p, 0), 7);
	profile_free(p);
}

/* The same profile however the input is cut. */
static void test_pieces(void **state)
{
	const struct input_options options = { 0 };

	(void)state;
	for (size_t cut = 1; cut < sizeof(two) - 1; cut++) {
		struct input in = { .name = "test", .options = &options, .format = &input_perf,
				    .profile = profile_new() };

		assert_true(input_perf.begin(&in));
		assert_true(input_perf.feed(&in, two, cut));
		assert_true(input_perf.feed(&in, two + cut, sizeof(two) - 1 - cut));
		assert_true(input_perf.finish(&in));
		input_perf.end(&in);
		assert_int_equal(profile_total(in.profile, 0), 7);
		assert_int_equal(profile_nr_stacks(in.profile), 7);
		profile_free(in.profile);
	}
}

/* More distinct lines and stacks than are remembered: forgetting changes nothing. */
static void test_forgetting(void **state)
{
	const struct input_options options = { 0 };
	struct input in = { .name = "test", .options = &options, .format = &input_perf,
			    .profile = profile_new() };
	const unsigned int nr = 40000;
	char text[256];

	(void)state;
	assert_true(input_perf.begin(&in));
	for (unsigned int i = 0; i < 2 * nr; i++) {
		int n = snprintf(text, sizeof(text), "w 1 1.0: 2 e:\n\ta0 function%u (/lib/a.so)\n\n",
				 i % nr);

		assert_true(input_perf.feed(&in, text, (size_t)n));
	}
	assert_true(input_perf.finish(&in));
	input_perf.end(&in);
	assert_int_equal(profile_total(in.profile, 0), 4 * nr);
	assert_int_equal(profile_nr_stacks(in.profile), nr + 2);
	for (uint32_t s = 2; s < nr + 2; s++)
		assert_int_equal(profile_self(in.profile, s, 0), 4);
	profile_free(in.profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_frame),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_forgetting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
