/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records of include/flame_abi.h built by hand, one after the other in a buffer, for the
 * tests of what reads them.
 */
#ifndef FLAME_TEST_RECORDS_H
#define FLAME_TEST_RECORDS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "flame_abi.h"

struct record_buf {
	_Alignas(8) char bytes[1 << 16];
	size_t len;
};

static inline void *put_record(struct record_buf *b, uint16_t type, uint16_t flags, size_t size)
{
	struct flame_rec *rec = (struct flame_rec *)(b->bytes + b->len);

	size = (size + 7) & ~(size_t)7;
	assert(size <= sizeof(b->bytes) - b->len);
	memset(rec, 0, size);
	rec->type = type;
	rec->flags = flags;
	rec->size = (uint32_t)size;
	b->len += size;
	return rec;
}

static inline void put_name(struct record_buf *b, uint32_t id, const char *name)
{
	size_t len = strlen(name);
	struct flame_rec_name *rec = put_record(b, FLAME_REC_NAME, 0, sizeof(*rec) + len);

	rec->id = id;
	rec->len = (uint32_t)len;
	memcpy(rec->name, name, len);
}

static inline void put_object(struct record_buf *b, uint32_t id, enum flame_object_kind kind,
			      const char *name, const char *path)
{
	size_t name_len = strlen(name), path_len = strlen(path);
	struct flame_rec_object *rec = put_record(b, FLAME_REC_OBJECT, 0,
						  sizeof(*rec) + name_len + path_len);

	rec->id = id;
	rec->kind = (uint8_t)kind;
	rec->name_len = (uint16_t)name_len;
	rec->path_len = (uint16_t)path_len;
	memcpy(rec->bytes, name, name_len);
	memcpy(rec->bytes + name_len, path, path_len);
}

/* @user: object, offset pairs, innermost first; @kernel: name ids, innermost first. */
static inline void put_stack(struct record_buf *b, uint32_t id, uint16_t flags,
			     const uint64_t *user, size_t nr_user, const uint32_t *kernel,
			     size_t nr_kernel)
{
	struct flame_rec_stack *rec = put_record(b, FLAME_REC_STACK, flags,
						 sizeof(*rec) + nr_user * sizeof(rec->user[0]) +
						 nr_kernel * sizeof(*kernel));
	char *after;

	rec->id = id;
	rec->nr_user = (uint16_t)nr_user;
	rec->nr_kernel = (uint16_t)nr_kernel;
	for (size_t i = 0; i < nr_user; i++) {
		rec->user[i].object = (uint32_t)user[2 * i];
		rec->user[i].offset = user[2 * i + 1];
	}
	after = (char *)&rec->user[nr_user];
	if (nr_kernel)
		memcpy(after, kernel, nr_kernel * sizeof(*kernel));
}

static inline void put_sample(struct record_buf *b, uint32_t stack, const char *comm,
			      uint32_t pid, uint32_t tid, uint64_t time)
{
	struct flame_rec_sample *rec = put_record(b, FLAME_REC_SAMPLE, 0, sizeof(*rec));
	size_t len = strlen(comm);

	rec->time = time;
	rec->value = 1;
	rec->stack = stack;
	rec->pid = pid;
	rec->tid = tid;
	rec->source = FLAME_SOURCE_TIMER;
	memcpy(rec->comm, comm, len < FLAME_COMM_LEN ? len : FLAME_COMM_LEN);
}

static inline void put_symbol(struct record_buf *b, uint32_t object, uint64_t offset,
			      const char *name)
{
	size_t len = strlen(name);
	struct flame_rec_symbol *rec = put_record(b, FLAME_REC_SYMBOL, 0, sizeof(*rec) + len);

	rec->object = object;
	rec->offset = offset;
	rec->start = UINT64_MAX;
	rec->name_len = (uint32_t)len;
	memcpy(rec->name, name, len);
}

static inline void put_text(struct record_buf *b, uint16_t type, const char *text)
{
	size_t len = strlen(text);
	struct flame_rec_text *rec = put_record(b, type, 0, sizeof(*rec) + len);

	rec->len = (uint32_t)len;
	memcpy(rec->text, text, len);
}

/*
 * A small recording: two tasks, a file, a JIT, kernel frames, marks. Ids are not dense,
 * as the module's are not. Folded it is SMALL_RECORDING.
 */
static inline void put_small_recording(struct record_buf *b)
{
	static const uint64_t user[] = { 7, 0x1234, 7, 0x1000 };
	static const uint64_t jit[] = { 3, 0x7f0000001000, 7, 0x1000 };
	static const uint32_t kernel[] = { 9, 5 };

	put_text(b, FLAME_REC_INFO, "frequency: 99\nunit: samples\n");
	put_name(b, 5, "entry_SYSCALL_64");
	put_name(b, 9, "vfs_read");
	put_object(b, 7, FLAME_OBJECT_FILE, "app", "/opt/app");
	put_object(b, 3, FLAME_OBJECT_JIT, "[jit]", "");
	put_stack(b, 40, 0, user, 2, kernel, 2);
	put_stack(b, 41, FLAME_STACK_USER_TRUNCATED, jit, 2, NULL, 0);
	put_stack(b, 42, FLAME_STACK_IRQ | FLAME_STACK_KERNEL_TRUNCATED, NULL, 0, kernel, 1);
	put_sample(b, 40, "app", 100, 101, 1000);
	put_sample(b, 40, "app", 100, 102, 2000);
	put_sample(b, 41, "app", 100, 101, 3000);
	put_sample(b, 42, "a;b", 200, 200, 4000);
	put_symbol(b, 7, 0x1000, "main");
	put_text(b, FLAME_REC_STATS, "lost: 3\nmissed: 4\nduration_ns: 5000000000\n");
}

#define SMALL_RECORDING \
	"a\\x3bb;[hardirq];[truncated];vfs_read_[k] 1\n" \
	"app;[truncated];main;[jit] 1\n" \
	"app;main;app+0x1234;entry_SYSCALL_64_[k];vfs_read_[k] 2\n"
#define SMALL_RECORDING_SAMPLES	4

#endif /* FLAME_TEST_RECORDS_H */
