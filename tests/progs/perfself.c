// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g */
/*
 * Self samples by function of one comm out of `perf script -F comm,ip,sym,dso`, as
 * "COUNT NAME" lines: the counterpart of selfnames.awk. Kernel addresses are named
 * from /proc/kallsyms by the kernel's own rule (the nearest symbol at or below, the
 * first of several at one address), for perf prefers other aliases; what perf has no
 * name for, and PLT stubs, count for their object.
 *
 * usage: perfself COMM < script
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL_START 0xffff800000000000ULL

struct ksym {
	unsigned long long addr;
	unsigned int order;
	char name[124];
};

struct count {
	char name[200];
	unsigned long n;
};

static struct ksym *ksyms;
static size_t nr_ksyms;
static struct count counts[65536];
static size_t nr_counts;

static int by_addr(const void *a, const void *b)
{
	const struct ksym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int read_kallsyms(void)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	size_t room = 0;
	char line[512];

	if (!f) {
		perror("/proc/kallsyms");
		return -1;
	}
	while (fgets(line, sizeof(line), f)) {
		struct ksym k = { .order = nr_ksyms };
		char type;

		if (sscanf(line, "%llx %c %123s", &k.addr, &type, k.name) != 3 ||
		    k.addr < KERNEL_START)
			continue;
		if (nr_ksyms == room) {
			room = room ? room * 2 : 65536;
			ksyms = realloc(ksyms, room * sizeof(*ksyms));
			if (!ksyms)
				return -1;
		}
		ksyms[nr_ksyms++] = k;
	}
	fclose(f);
	qsort(ksyms, nr_ksyms, sizeof(*ksyms), by_addr);
	return 0;
}

static const char *kernel_name(unsigned long long addr)
{
	size_t low = 0, high = nr_ksyms;

	while (high - low > 1) {
		size_t mid = (low + high) / 2;

		if (ksyms[mid].addr <= addr)
			low = mid;
		else
			high = mid;
	}
	while (low && ksyms[low - 1].addr == ksyms[low].addr)
		low--;
	return nr_ksyms ? ksyms[low].name : "[unknown]";
}

static void add(const char *name)
{
	size_t i;

	for (i = 0; i < nr_counts && strcmp(counts[i].name, name) != 0; i++)
		;
	if (i == nr_counts) {
		if (i == 65536)
			exit(1);
		nr_counts++;
		snprintf(counts[i].name, sizeof(counts[i].name), "%s", name);
	}
	counts[i].n++;
}

/* A line of the leaf: "  ADDRESS SYMBOL (DSO)". */
static void add_leaf(char *line)
{
	unsigned long long addr;
	char *sym, *dso, *end, *slash, *alias;

	addr = strtoull(line, &sym, 16);
	if (addr >= KERNEL_START) {
		add(kernel_name(addr));
		return;
	}
	while (*sym == ' ')
		sym++;
	dso = strrchr(sym, '(');
	if (dso && dso > sym) {
		dso[-1] = '\0';
		dso++;
		end = strrchr(dso, ')');
		if (end)
			*end = '\0';
	}
	if (dso && (strncmp(sym, "[unknown]", 9) == 0 || strstr(sym, "@plt"))) {
		slash = strrchr(dso, '/');
		sym = slash ? slash + 1 : dso;
	}
	alias = strstr(sym, "memmove");
	if (alias) {	/* two names of one place in libc */
		memcpy(alias, "memcpy", 6);
		memmove(alias + 6, alias + 7, strlen(alias + 7) + 1);
	}
	add(sym);
}

int main(int argc, char **argv)
{
	char *line = NULL, *end;
	size_t size = 0, i;
	int wanted = 0;

	if (argc != 2 || read_kallsyms() < 0)
		return 2;
	while (getline(&line, &size, stdin) > 0) {
		end = line + strlen(line);
		while (end > line && (end[-1] == '\n' || end[-1] == ' '))
			*--end = '\0';
		if (!*line) {
			wanted = 0;
		} else if (line[0] != ' ' && line[0] != '\t') {
			wanted = strcmp(line, argv[1]) == 0;
		} else if (wanted) {
			add_leaf(line + strspn(line, " \t"));
			wanted = 0;
		}
	}
	for (i = 0; i < nr_counts; i++)
		printf("%lu %s\n", counts[i].n, counts[i].name);
	return 0;
}
