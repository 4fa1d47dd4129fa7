// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table walk against libdwfl, frame by frame, on running programs: each is stopped at
 * a random moment, both unwind the same registers and memory, then it goes on for some
 * single steps, which are compared too, so that prologues, epilogues and linkage tables
 * are met. Programs are the distribution's, without frame pointers, and those of
 * tests/progs, compiled here.
 *
 * FLAME_LONG=1: 100,000 samples and more. FLAME_WALK="NAME...": these programs only.
 */
/* sources: kmod/stack_table.c kmod/unwind_table.c kmod/buildid.c user/unwind/image.c user/unwind/cfi.c user/unwind/rule.c user/unwind/compile.c user/unwind/go.c user/util/mem.c user/util/msg.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "random.h"
#include "stack_table.h"
#include "unwind/compile.h"
#include "util/mem.h"

#define FRAMES_MAX	1023
#define STEPS		8	/* single steps after each stop */
#define TASK_LIMIT	0x7ffffffff000ull
#define CODES_MAX	512
#define THREADS_MAX	16

/* ---- the program being looked at ---------------------------------------------- */

/* A file's table, kept for all programs. */
struct object {
	dev_t dev;
	ino_t ino;
	struct unwind_table table;
	struct object *next;
};

static struct {
	pid_t pid;
	pid_t tids[THREADS_MAX];
	unsigned int nr_tids;
	int pending;			/* signal to deliver when it goes on */
	bool ended;
	int mem;			/* -1: none */
	Dwfl *dwfl;
	struct flame_code codes[CODES_MAX];
	unsigned int nr_codes;
	uint64_t gen;
} target = { .mem = -1 };

static struct object *objects;
static struct unwind_table vdso_table;
static struct flame_rule_cache rule_cache;
static uint64_t random_state = 42;

/* What was read of the program's memory since it stopped. */
#define PAGES	64

static struct {
	uint64_t page;
	uint64_t stop;
	bool readable;
	uint8_t bytes[4096];
} pages[PAGES];
static uint64_t stops;

bool test_access_begin(u64 end)
{
	return end <= TASK_LIMIT;
}

void test_access_end(void)
{
}

bool test_read_user(u64 addr, void *to, u32 bytes)
{
	uint64_t page = addr / 4096, in = addr % 4096;
	unsigned int i = page % PAGES;

	if (in + bytes > 4096)
		return pread(target.mem, to, bytes, (off_t)addr) == (ssize_t)bytes;
	if (pages[i].page != page || pages[i].stop != stops) {
		pages[i].page = page;
		pages[i].stop = stops;
		pages[i].readable = pread(target.mem, pages[i].bytes, 4096,
					  (off_t)(page * 4096)) == 4096;
	}
	if (pages[i].readable)
		memcpy(to, pages[i].bytes + in, bytes);
	return pages[i].readable;
}

static bool find_code(void *space, u64 addr, struct flame_code *code)
{
	(void)space;
	for (unsigned int i = 0; i < target.nr_codes; i++) {
		if (addr >= target.codes[i].start && addr < target.codes[i].end) {
			*code = target.codes[i];
			return true;
		}
	}
	return false;
}

static const struct flame_unwind_head *table_of(pid_t pid, uint64_t start, uint64_t end)
{
	struct object *o;
	struct image im;
	struct stat st;
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid, start,
		 end);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	for (o = objects; o && (o->dev != st.st_dev || o->ino != st.st_ino); o = o->next)
		;
	if (!o) {
		o = xcalloc(1, sizeof(*o));
		o->dev = st.st_dev;
		o->ino = st.st_ino;
		if (image_open(&im, fd) && !unwind_compile(&o->table, &im))
			assert_null(flame_unwind_check(o->table.head, o->table.head->bytes));
		o->next = objects;
		objects = o;
	}
	close(fd);
	return o->table.head;
}

/* The vDSO's table, out of the program's memory. */
static const struct flame_unwind_head *table_of_vdso(uint64_t start, uint64_t end)
{
	static uint8_t bytes[65536];
	struct image im;

	if (!vdso_table.head && end - start <= sizeof(bytes) &&
	    pread(target.mem, bytes, end - start, (off_t)start) == (ssize_t)(end - start) &&
	    image_open_memory(&im, bytes, end - start))
		unwind_compile(&vdso_table, &im);
	return vdso_table.head;
}

/* Mappings and memory as they are now: execve() changes all. */
static void read_maps(void)
{
	char path[64], *line = NULL;
	size_t cap = 0;
	FILE *fp;

	if (target.mem >= 0)
		close(target.mem);
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)target.pid);
	target.mem = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)target.pid);
	fp = fopen(path, "re");
	target.nr_codes = 0;
	target.gen++;
	while (fp && getline(&line, &cap, fp) > 0 && target.nr_codes < CODES_MAX) {
		struct flame_code *code = &target.codes[target.nr_codes];
		unsigned long long start, end, offset, ino;
		char perm[5];

		if (sscanf(line, "%llx-%llx %4s %llx %*s %llu", &start, &end, perm, &offset,
			   &ino) != 5 || perm[2] != 'x')
			continue;
		*code = (struct flame_code){ .start = start, .end = end, .offset = offset };
		if (ino)
			code->table = table_of(target.pid, start, end);
		else if (strstr(line, "[vdso]"))
			code->table = table_of_vdso(start, end);
		target.nr_codes++;
	}
	free(line);
	if (fp)
		fclose(fp);
	dwfl_report_begin(target.dwfl);
	dwfl_linux_proc_report(target.dwfl, target.pid);
	dwfl_report_end(target.dwfl, NULL, NULL);
}

/* ---- both ways to unwind ------------------------------------------------------- */

struct stack {
	u64 ips[FRAMES_MAX];
	bool exact[FRAMES_MAX];		/* libdwfl only */
	u32 n;
	bool whole;
	enum flame_walk how;		/* ours only */
	const char *error;		/* libdwfl only */
};

static void walk_tables(pid_t tid, struct stack *s)
{
	struct flame_table_walk walk = {
		.find = find_code,
		.gen = target.gen,
		.cache = &rule_cache,
		.limit = TASK_LIMIT,
		.fp_fallback = true,
	};
	struct user_regs_struct r;

	assert_false(ptrace(PTRACE_GETREGS, tid, NULL, &r));
	memcpy(walk.regs, (u64 [16]){ r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp,
				      r.r8, r.r9, r.r10, r.r11, r.r12, r.r13, r.r14, r.r15 },
	       sizeof(walk.regs));
	s->n = flame_stack_tables(&walk, r.rip, s->ips, FRAMES_MAX, &s->how);
	s->whole = s->how == FLAME_WALK_WHOLE;
}

static int take_frame(Dwfl_Frame *frame, void *arg)
{
	struct stack *s = arg;
	Dwarf_Addr pc;
	bool exact;

	if (s->n == FRAMES_MAX || !dwfl_frame_pc(frame, &pc, &exact))
		return DWARF_CB_ABORT;
	s->ips[s->n] = pc;
	s->exact[s->n++] = exact;
	return DWARF_CB_OK;
}

static void walk_dwfl(pid_t tid, struct stack *s)
{
	s->n = 0;
	s->error = NULL;
	s->whole = !dwfl_getthread_frames(target.dwfl, tid, take_frame, s);
	if (!s->whole)
		s->error = dwfl_errmsg(-1);
	/* A return address of 0 is the end for us; libdwfl makes it a frame. */
	if (s->n > 1 && !s->ips[s->n - 1]) {
		s->n--;
		s->whole = true;
	}
}

/*
 * Whether frame @i is the same. What a signal interrupted is raised by 1 in ours, and marked
 * in theirs, as is the frame of the restorer before it.
 */
static bool same_frame(const struct stack *ours, const struct stack *theirs, u32 i)
{
	if (ours->ips[i] == theirs->ips[i])
		return true;
	return i && (theirs->exact[i] || theirs->exact[i - 1]) &&
	       ours->ips[i] == theirs->ips[i] + 1;
}

/* Frames, counted from the innermost, that are the same. */
static u32 common(const struct stack *ours, const struct stack *theirs)
{
	u32 i;

	for (i = 0; i < ours->n && i < theirs->n; i++)
		if (!same_frame(ours, theirs, i))
			break;
	return i;
}

/* ---- counting -------------------------------------------------------------------- */

enum outcome {
	SAME,		/* frame by frame, both to the end or both not */
	DW_NO_CFI,	/* ours came to the end, through code that has no CFI for libdwfl */
	DW_RBX,		/* ours came to the end, libdwfl lost rbx, by which the CFA is found */
	WE_STOP,	/* the same as far as ours came */
	DIFFERENT,
	NR_OUTCOMES,
};

struct count {
	uint64_t outcomes[NR_OUTCOMES];
	uint64_t samples, whole;
	unsigned int shown;
};

static bool has_cfi(uint64_t pc)
{
	Dwfl_Module *mod = dwfl_addrmodule(target.dwfl, pc);
	Dwarf_Addr bias;
	Dwarf_CFI *cfi = mod ? dwfl_module_eh_cfi(mod, &bias) : NULL;
	Dwarf_Frame *frame;

	if (!cfi || dwarf_cfi_addrframe(cfi, pc - bias, &frame))
		return false;
	free(frame);
	return true;
}

/*
 * libdw takes rbx for call-clobbered where nothing is said of it, and so finds no caller of
 * the dynamic linker's _dl_runtime_resolve from a callee that has not saved it yet.
 */
static bool needs_rbx(uint64_t pc)
{
	const struct flame_unwind_rule *rule;
	struct flame_code code;

	if (!find_code(NULL, pc, &code) || !code.table)
		return false;
	rule = flame_unwind_find(code.table, pc - code.start + code.offset);
	return rule && rule->cfa == FLAME_CFA_REG && rule->cfa_reg == 3;
}

static enum outcome judge(const struct stack *ours, const struct stack *theirs)
{
	u32 n = common(ours, theirs);

	if (n == ours->n && n == theirs->n && ours->whole == theirs->whole)
		return SAME;
	if (ours->whole && !theirs->whole && n &&
	    !has_cfi(theirs->ips[n - 1] - !theirs->exact[n - 1]))
		return DW_NO_CFI;
	if (ours->whole && n && n == theirs->n && needs_rbx(theirs->ips[n - 1] - 1))
		return DW_RBX;
	return n == ours->n && !ours->whole ? WE_STOP : DIFFERENT;
}

static const char *object_at(uint64_t pc)
{
	Dwfl_Module *mod = dwfl_addrmodule(target.dwfl, pc);

	return mod ? dwfl_module_info(mod, NULL, NULL, NULL, NULL, NULL, NULL, NULL) : "?";
}

/* Where two stacks part. */
static void show(const struct stack *ours, const struct stack *theirs, enum outcome outcome)
{
	static const char *const text[] = { "same", "no CFI for libdwfl", "rbx lost",
					    "ours stops", "different" };
	u32 n = common(ours, theirs), last = n ? n - 1 : 0;
	Dwfl_Module *mod = dwfl_addrmodule(target.dwfl, ours->ips[last]);
	const char *name = mod ? dwfl_module_addrname(mod, ours->ips[last]) : NULL;

	print_message("# %s after %u frames of ours %u (end %d) and theirs %u (%s), at %#" PRIx64
		      " %s of %s\n", text[outcome], n, ours->n, ours->how, theirs->n,
		      theirs->error ? theirs->error : "end", (uint64_t)ours->ips[last],
		      name ? name : "", object_at(ours->ips[last]));
}

static void compare(pid_t tid, struct count *count)
{
	static struct stack ours, theirs;
	enum outcome outcome;

	for (int try = 0; ; try++) {
		stops++;
		walk_tables(tid, &ours);
		walk_dwfl(tid, &theirs);
		outcome = judge(&ours, &theirs);
		if ((outcome == SAME && ours.whole) || try)
			break;
		/* The mappings may have changed since they were read. */
		read_maps();
	}
	count->samples++;
	count->whole += ours.whole;
	count->outcomes[outcome]++;
	if ((outcome >= WE_STOP || !ours.whole) && count->shown++ < 5)
		show(&ours, &theirs, outcome);
}

/* ---- stopping and going on -------------------------------------------------------- */

static void pause_random(uint64_t max_us)
{
	struct timespec ts = { 0, (long)below(&random_state, max_us * 1000) };

	nanosleep(&ts, NULL);
}

static void forget_thread(pid_t tid)
{
	for (unsigned int i = 0; i < target.nr_tids; i++)
		if (target.tids[i] == tid)
			target.tids[i--] = target.tids[--target.nr_tids];
	if (tid == target.pid)
		target.ended = true;
}

/*
 * Waits until @tid stops for us: by PTRACE_INTERRUPT, or after a single step. Signals and
 * events on the way are passed on. False: it has ended.
 */
static bool wait_stop(pid_t tid, bool step)
{
	for (;;) {
		int status, sig, event;

		if (waitpid(tid, &status, __WALL) != tid || !WIFSTOPPED(status)) {
			forget_thread(tid);
			return false;
		}
		sig = WSTOPSIG(status);
		event = status >> 16;
		if (event == PTRACE_EVENT_EXEC)
			read_maps();
		if (event == PTRACE_EVENT_STOP || (step && sig == SIGTRAP && !event))
			return true;
		if (event)
			sig = 0;
		if (ptrace(step ? PTRACE_SINGLESTEP : PTRACE_CONT, tid, NULL,
			   (void *)(uintptr_t)sig)) {
			forget_thread(tid);
			return false;
		}
		/* Another stop has used up the request. */
		if (!step) {
			pause_random(500);
			ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
		}
	}
}

/* Whether it was stopped in a system call: a step would last as long as that does. */
static bool in_syscall(pid_t tid)
{
	struct user_regs_struct r;

	return ptrace(PTRACE_GETREGS, tid, NULL, &r) || (long)r.orig_rax >= 0;
}

static void go_on(pid_t tid)
{
	ptrace(PTRACE_CONT, tid, NULL, NULL);
}

static bool is_known(pid_t tid)
{
	for (unsigned int i = 0; i < target.nr_tids; i++)
		if (target.tids[i] == tid)
			return true;
	return false;
}

/* Threads that have come since: each is attached to on its own. */
static void find_threads(void)
{
	const struct dirent *entry;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)target.pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (tid > 0 && target.nr_tids < THREADS_MAX && !is_known(tid) &&
		    !ptrace(PTRACE_SEIZE, tid, NULL, NULL))
			target.tids[target.nr_tids++] = tid;
	}
	if (dir)
		closedir(dir);
}

static int no_debuginfo(Dwfl_Module *mod, void **data, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **path)
{
	(void)mod; (void)data; (void)name; (void)base;
	(void)file; (void)link; (void)crc; (void)path;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = no_debuginfo,
};

/* Starts a program, output and input nowhere, and stops it before its first instruction. */
static void start(char **argv)
{
	int status, gate[2];
	char byte;

	assert_false(pipe2(gate, O_CLOEXEC));
	target.pid = fork();
	assert_true(target.pid >= 0);
	if (!target.pid) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		/* Until the parent has attached. */
		close(gate[1]);
		if (!read(gate[0], &byte, 1))
			execv(argv[0], argv);
		_exit(127);
	}
	assert_false(ptrace(PTRACE_SEIZE, target.pid, NULL,
			    (void *)(uintptr_t)(PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)));
	target.tids[0] = target.pid;
	target.nr_tids = 1;
	target.ended = false;
	target.dwfl = dwfl_begin(&callbacks);
	close(gate[0]);
	close(gate[1]);
	/* To the stop after execve(). */
	for (;;) {
		assert_int_equal(waitpid(target.pid, &status, __WALL), target.pid);
		assert_true(WIFSTOPPED(status));
		if (status >> 16 == PTRACE_EVENT_EXEC)
			break;
		ptrace(PTRACE_CONT, target.pid, NULL, NULL);
	}
	read_maps();
	assert_true(target.mem >= 0);
	assert_false(dwfl_linux_proc_attach(target.dwfl, target.pid, true));
	go_on(target.pid);
}

static void finish(void)
{
	int status;

	if (!target.ended)
		kill(target.pid, SIGKILL);
	while (waitpid(-1, &status, __WALL) > 0 || errno == EINTR)
		;
	dwfl_end(target.dwfl);
	close(target.mem);
	target.mem = -1;
}

/* Samples a program, started again when it ends, until there are @samples. */
static void sample_program(char **argv, uint64_t samples, struct count *count)
{
	while (count->samples < samples) {
		uint64_t before = count->samples;

		start(argv);
		pause_random(20000);
		while (!target.ended && count->samples < samples) {
			pid_t tid;

			find_threads();
			tid = target.tids[below(&random_state, target.nr_tids)];
			if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) || !wait_stop(tid, false))
				continue;
			compare(tid, count);
			for (unsigned int i = 0; i < STEPS && count->samples < samples; i++) {
				if (in_syscall(tid) || ptrace(PTRACE_SINGLESTEP, tid, NULL, NULL) ||
				    !wait_stop(tid, true))
					break;
				compare(tid, count);
			}
			go_on(tid);
			pause_random(500);
		}
		finish();
		/* A program that is not there ends at once. */
		if (count->samples == before)
			return;
	}
}

/* ---- the programs ------------------------------------------------------------------ */

static const char python[] =
	"import re,json,functools\n"
	"def f(n): return n if n<2 else f(n-1)+f(n-2)\n"
	"class A:\n"
	" def __eq__(s,o): return sorted([3,1,2],key=lambda x:-x)==[3,2,1]\n"
	" __hash__=None\n"
	"while True:\n"
	" f(12); re.sub(r'(a+)b', lambda m: m[1].upper(), 'aaab'*50)\n"
	" json.loads(json.dumps({'a':[1,2,{'b':list(range(50))}]}))\n"
	" functools.reduce(lambda a,b:a+b, map(str,range(100))); A()==A(); [A()].index(A())\n";

static const char perl[] =
	"sub f { my $n = shift; $n < 2 ? $n : f($n-1) + f($n-2) } "
	"while (1) { f(10); my @a = sort { $a->{k} <=> $b->{k} } map { +{ k => $_ * 7 % 31 } } "
	"1..60; my $s = join ',', map { $_->{k} } @a; $s =~ s/(\\d),(\\d)/$2,$1/g; }";

static char folder[] = "/tmp/flame-walk-XXXXXX";
static char prog_c[64], prog_cc[64];

static const struct program {
	const char *name;
	const char *argv[8];
} programs[] = {
	{ "python3", { "/usr/bin/python3", "-c", python } },
	{ "perl", { "/usr/bin/perl", "-e", perl } },
	{ "gzip", { "/bin/gzip", "-9", "-c", "/lib/x86_64-linux-gnu/libc.so.6" } },
	{ "openssl rsa", { "/usr/bin/openssl", "speed", "-seconds", "3", "rsa2048" } },
	{ "openssl sha", { "/usr/bin/openssl", "speed", "-seconds", "3", "sha256" } },
	{ "openssl ec", { "/usr/bin/openssl", "speed", "-seconds", "3", "ecdsap256" } },
	{ "openssl aes", { "/usr/bin/openssl", "speed", "-seconds", "3", "-evp",
			   "aes-128-gcm" } },
	{ "sqlite3", { "/usr/bin/sqlite3", ":memory:",
		       "with recursive c(x) as (select 1 union all select x+1 from c limit 3000000) "
		       "select sum(abs(x)*length(hex(x))) from c group by x%7 order by 1" } },
	{ "git", { "/usr/bin/git", "-c", "safe.directory=*", "--no-pager", "log", "-p" } },
	{ "sort", { prog_c, "sort" } },
	{ "signal", { prog_c, "signal" } },
	{ "altstack", { prog_c, "altstack" } },
	{ "threads", { prog_c, "threads" } },
	{ "realign", { prog_c, "realign" } },
	{ "alloca", { prog_c, "alloca" } },
	{ "spawn", { prog_c, "spawn" } },
	{ "exec", { prog_c, "exec" } },
	{ "throw", { prog_cc } },
};

/* Whether the programs of tests/progs could be built. */
static bool build(const char *compiler, const char *source, char *out, size_t size)
{
	char command[512];

	snprintf(out, size, "%s/%s", folder, strstr(source, ".cc") ? "throw" : "unwind");
	snprintf(command, sizeof(command), "%s -O2 -fomit-frame-pointer -pthread -o %s %s",
		 compiler, out, source);
	return !system(command);	/* NOLINT: a fixed command */
}

static void test_walk(void **state)
{
	const char *only = getenv("FLAME_WALK");
	uint64_t samples = getenv("FLAME_LONG") ? 6000 : 400;
	struct count all = { 0 };

	(void)state;
	assert_non_null(mkdtemp(folder));
	if (!build("gcc", "tests/progs/unwind.c", prog_c, sizeof(prog_c)) ||
	    !build("g++", "tests/progs/unwind_throw.cc", prog_cc, sizeof(prog_cc)))
		print_message("# programs that could not be built are left out\n");
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		const struct program *p = &programs[i];
		struct count count = { 0 };

		if ((only && !strstr(only, p->name)) || access(p->argv[0], X_OK))
			continue;
		sample_program((char **)(uintptr_t)p->argv, samples, &count);
		print_message("# %s: %" PRIu64 " samples, %.2f %% whole, %" PRIu64 " same, %" PRIu64
			      " no CFI for libdwfl, %" PRIu64 " it loses rbx, %" PRIu64
			      " ours stops, %" PRIu64 " different\n", p->name, count.samples,
			      100.0 * (double)count.whole / (double)count.samples,
			      count.outcomes[SAME], count.outcomes[DW_NO_CFI],
			      count.outcomes[DW_RBX], count.outcomes[WE_STOP],
			      count.outcomes[DIFFERENT]);
		all.samples += count.samples;
		for (unsigned int k = 0; k < NR_OUTCOMES; k++)
			all.outcomes[k] += count.outcomes[k];
	}
	unlink(prog_c);
	unlink(prog_cc);
	rmdir(folder);
	assert_true(all.samples > samples);
	print_message("# all: %" PRIu64 " samples, %.3f %% same of those that libdwfl finished\n",
		      all.samples, 100.0 * (double)all.outcomes[SAME] /
		      (double)(all.samples - all.outcomes[DW_NO_CFI] -
			       all.outcomes[DW_RBX]));
	/* 99.9 % of what libdwfl could unwind. */
	assert_true((all.outcomes[WE_STOP] + all.outcomes[DIFFERENT]) * 1000 <= all.samples);
}

static int free_tables(void **state)
{
	(void)state;
	while (objects) {
		struct object *o = objects;

		objects = o->next;
		unwind_table_free(&o->table);
		free(o);
	}
	unwind_table_free(&vdso_table);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_walk, free_tables),
	};

	return cmocka_run_group_tests_name("the table walk against libdwfl", tests, NULL, NULL);
}
