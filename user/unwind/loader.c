// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads unwind tables. A file is opened through /proc/PID/map_files, never by its path:
 * what is mapped may have been deleted, replaced, or lie in another mount namespace.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "flame_abi.h"
#include "unwind/cache.h"
#include "unwind/loader.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/text.h"

/*
 * A file, as maps or fstat() name it: the two differ on overlayfs, so each has its own
 * entries. @size and @mtime are 0 for the former.
 */
struct file_key {
	uint64_t dev, ino, size, mtime;
};

struct loader {
	int device;
	loaded_fn fn;
	void *ctx;
	struct file_key *known;	/* open addressing, a power of two; ino 0: empty */
	size_t nr_known, cap_known;
};

struct loader *loader_new(int device, loaded_fn fn, void *ctx)
{
	struct loader *l = xcalloc(1, sizeof(*l));

	l->device = device;
	l->fn = fn;
	l->ctx = ctx;
	l->cap_known = 256;
	l->known = xcalloc(l->cap_known, sizeof(*l->known));
	return l;
}

void loader_free(struct loader *l)
{
	if (!l)
		return;
	free(l->known);
	free(l);
}

static struct file_key *slot_of(struct loader *l, const struct file_key *key)
{
	size_t mask = l->cap_known - 1, i = hash_bytes(key, sizeof(*key)) & mask;

	while (l->known[i].ino && memcmp(&l->known[i], key, sizeof(*key)))
		i = (i + 1) & mask;
	return &l->known[i];
}

/* Whether a file is met for the first time; it is known from then on. */
static bool is_new(struct loader *l, const struct file_key *key)
{
	struct file_key *slot;

	if (l->nr_known * 2 >= l->cap_known) {
		struct file_key *old = l->known;
		size_t nr = l->cap_known;

		l->cap_known *= 2;
		l->known = xcalloc(l->cap_known, sizeof(*l->known));
		for (size_t i = 0; i < nr; i++)
			if (old[i].ino)
				*slot_of(l, &old[i]) = old[i];
		free(old);
	}
	slot = slot_of(l, key);
	if (slot->ino)
		return false;
	*slot = *key;
	l->nr_known++;
	return true;
}

static const char *hand_over(struct loader *l, int fd, const struct unwind_table *table)
{
	struct flame_ioc_unwind arg = {
		.fd = fd,
		.table = (uintptr_t)table->head,
		.bytes = table->head->bytes,
	};

	if (!ioctl(l->device, FLAME_IOC_UNWIND, &arg))
		return NULL;
	switch (errno) {
	case EINVAL:
		return "was refused by the module; see its error_log";
	case ENOSPC:
		return "does not fit any more beside the tables that are loaded";
	case ENOTTY:
		return "cannot be loaded: this module has no unwind tables";
	default:
		return strerror(errno);
	}
}

static void load(struct loader *l, int fd, const struct image *im, const char *path)
{
	struct unwind_table table = { 0 };
	struct loaded loaded = { .path = path };

	loaded.why = unwind_cached(&table, im, &loaded.cached);
	if (!loaded.why) {
		loaded.bytes = table.head->bytes;
		loaded.why = hand_over(l, fd, &table);
	}
	if (l->fn)
		l->fn(l->ctx, &loaded);
	unwind_table_free(&table);
}

bool loader_add_file(struct loader *l, int fd, const char *path)
{
	struct file_key key = { 0 };
	struct image im;
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	key.dev = st.st_dev;
	key.ino = st.st_ino;
	key.size = (uint64_t)st.st_size;
	key.mtime = (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec;
	if (!key.ino || !is_new(l, &key))
		return false;
	if (image_open(&im, fd)) {
		load(l, fd, &im, path);
	} else if (l->fn) {
		struct loaded loaded = { .path = path, .why = "is not an ELF file" };

		l->fn(l->ctx, &loaded);
	}
	return true;
}

/* Size of the mapping at @address of this process; 0: there is none. */
static size_t mapping_size(uintptr_t address)
{
	FILE *fp = fopen("/proc/self/maps", "re");
	uintptr_t start, end;
	size_t size = 0, cap = 0;
	char *line = NULL;

	if (!fp)
		return 0;
	while (!size && getline(&line, &cap, fp) > 0) {
		char *dash;

		start = strtoull(line, &dash, 16);
		end = *dash == '-' ? strtoull(dash + 1, NULL, 16) : 0;
		if (start == address && end > start)
			size = end - start;
	}
	free(line);
	fclose(fp);
	return size;
}

void loader_add_vdso(struct loader *l)
{
	uintptr_t address = getauxval(AT_SYSINFO_EHDR);
	size_t size = address ? mapping_size(address) : 0;
	struct image im;

	/* The kernel put the address there. */
	if (size && image_open_memory(&im, (const void *)address, size)) /* NOLINT */
		load(l, -1, &im, "[vdso]");
}

/* `START-END PERM OFFSET MAJOR:MINOR INODE PATH` of proc(5); false: not executable code. */
struct map_line {
	uint64_t start, end;
	struct file_key key;
	char *path;
};

static bool parse_map(char *line, struct map_line *map)
{
	uint64_t major;
	char *p = line;

	*map = (struct map_line){ 0 };
	map->start = strtoull(p, &p, 16);
	if (*p++ != '-')
		return false;
	map->end = strtoull(p, &p, 16);
	if (strlen(p) < 6 || p[0] != ' ' || p[3] != 'x')
		return false;
	p = strchr(p + 1, ' ');
	if (!p)
		return false;
	strtoull(p, &p, 16);
	major = strtoull(p, &p, 16);
	if (*p++ != ':')
		return false;
	map->key.dev = major << 32 | strtoull(p, &p, 16);
	map->key.ino = strtoull(p, &p, 10);
	p += strspn(p, " ");
	p[strcspn(p, "\n")] = '\0';
	map->path = p;
	return map->key.ino != 0;
}

static void add_mapping(struct loader *l, pid_t pid, const struct map_line *map)
{
	char path[96];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid,
		 map->start, map->end);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		struct loaded loaded = { .path = map->path, .why = strerror(errno) };

		/* A mapping that went away meanwhile is no news. */
		if (errno != ENOENT && l->fn)
			l->fn(l->ctx, &loaded);
		return;
	}
	loader_add_file(l, fd, map->path);
	close(fd);
}

bool loader_add_pid(struct loader *l, pid_t pid)
{
	size_t cap = 0, nr = 0;
	struct map_line map;
	char *line = NULL;
	char path[64];
	FILE *fp;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	fp = fopen(path, "re");
	if (!fp)
		return false;
	while (getline(&line, &cap, fp) > 0) {
		nr++;
		if (parse_map(line, &map) && is_new(l, &map.key))
			add_mapping(l, pid, &map);
	}
	free(line);
	fclose(fp);
	/* Of a process that is ending, and of a kernel thread, maps is empty. */
	errno = ESRCH;
	return nr != 0;
}

bool loader_add_all(struct loader *l)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	uint64_t pid;

	if (!dir) {
		msg_error("/proc: %s", strerror(errno));
		return false;
	}
	while ((entry = readdir(dir)))	/* NOLINT(concurrency-mt-unsafe) */
		if (text_number(entry->d_name, 1, INT32_MAX, &pid))
			loader_add_pid(l, (pid_t)pid);
	closedir(dir);
	return true;
}
