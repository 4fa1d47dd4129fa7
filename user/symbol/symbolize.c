// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names for the user frames of a recording. Decides which file stands for an object;
 * how names are found in it is object.c's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "symbol/symbolize.h"
#include "util/mem.h"
#include "util/msg.h"

static bool is_deleted(const char *path)
{
	static const char suffix[] = " (deleted)";
	size_t len = strlen(path);

	return len > strlen(suffix) && !strcmp(path + len - strlen(suffix), suffix);
}

/* A device or a pipe under that name is not the file that was mapped. */
static int open_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

struct object *symbolize_open(int fd, const char *path, const uint8_t *build_id,
			      size_t build_id_len)
{
	const char *why = "no vDSO in this process";
	struct object *o;
	int own = -1;

	if (!strcmp(path, "[vdso]")) {
		o = object_open_vdso();
	} else {
		if (fd < 0 && is_deleted(path)) {
			msg_warn("%s: gone before its symbols were read; its functions stay unnamed",
				 path);
			return NULL;
		}
		if (fd < 0) {
			own = open_path(path);
			fd = own;
		}
		if (fd < 0) {
			msg_warn("%s: %s; its functions stay unnamed", path, strerror(errno));
			return NULL;
		}
		o = object_open(fd, path, &why);
	}
	if (own >= 0)
		close(own);
	if (!o) {
		msg_warn("%s: %s; its functions stay unnamed", path, why);
		return NULL;
	}
	if (!object_matches(o, build_id, build_id_len)) {
		msg_warn("%s: has another build-id than the file that was sampled; its functions stay unnamed",
			 path);
		object_close(o);
		return NULL;
	}
	return o;
}

static void name_place(struct records *r, struct object *o, uint32_t index)
{
	const struct record_place *place = records_place(r, index);
	struct object_name name;

	if (!object_name_at(o, place->offset, &name))
		return;
	records_name_place(r, index, name.name, strlen(name.name), name.start);
	free(name.name);
}

static struct object *open_object(struct records *r, uint32_t id, object_fd_fn get_fd, void *arg)
{
	const struct record_object *ro = records_object(r, id);
	struct object *o;
	int fd;

	if (ro->kind == FLAME_OBJECT_VDSO)
		return symbolize_open(-1, "[vdso]", ro->build_id, ro->build_id_len);
	if (ro->kind != FLAME_OBJECT_FILE)
		return NULL;
	fd = get_fd ? get_fd(arg, id) : -1;
	o = symbolize_open(fd, ro->path, ro->build_id, ro->build_id_len);
	if (fd >= 0)
		close(fd);
	return o;
}

struct by_object {
	uint32_t object;
	uint32_t place;
};

static int compare(const void *a, const void *b)
{
	const struct by_object *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

void symbolize_records(struct records *r, object_fd_fn get_fd, void *arg)
{
	uint32_t nr = records_nr_places(r);
	struct by_object *order = xcalloc(nr, sizeof(*order));

	for (uint32_t i = 0; i < nr; i++)
		order[i] = (struct by_object){ records_place(r, i)->object, i };
	if (nr)
		qsort(order, nr, sizeof(*order), compare);
	for (uint32_t i = 0; i < nr;) {
		uint32_t id = order[i].object;
		const bool vsyscall = records_object(r, id)->kind == FLAME_OBJECT_VSYSCALL;
		struct object *o = open_object(r, id, get_fd, arg);

		for (; i < nr && order[i].object == id; i++) {
			if (o)
				name_place(r, o, order[i].place);
			else if (vsyscall)
				records_name_place(r, order[i].place, "[vsyscall]",
						   strlen("[vsyscall]"), OBJECT_NO_START);
		}
		object_close(o);
	}
	free(order);
}
