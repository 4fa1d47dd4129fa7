/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The profile: everything that was folded since the last reset, and what is needed to
 * name it. One at a time is filled; a reader of `folded` may hold an older one.
 *
 * Everything in it is changed under flame_collector_mutex only, in process context.
 * Ids of the fold table and objects never move or change while the profile lives.
 */
#ifndef FLAME_PROFILE_H
#define FLAME_PROFILE_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include "escape.h"
#include "fold.h"
#include "raw.h"

struct file;
struct inode;
struct mm_struct;

/**
 * struct flame_object - what user frames lie in
 * @id: its place in the profile, from 1
 * @kind: enum flame_object_kind
 * @build_id_len: 0: none
 * @name: OBJECT token of `folded`, escaped, unique
 * @path: as d_path() gave it; empty for what is no file
 * @file: held while sampling (bounded), else NULL
 * @inode: of @file, only compared
 * @dev, @ino, @generation, @size, @mtime: what tells it from other files once @file
 *	is not held any more
 */
struct flame_object {
	u32 id;
	u8 kind;
	u8 build_id_len;
	u8 build_id[FLAME_BUILD_ID_MAX];
	char *name;
	char *path;
	struct file *file;
	const struct inode *inode;
	u32 dev;
	u32 generation;
	u64 ino;
	s64 size;
	s64 mtime;
	struct hlist_node by_ino;
	struct hlist_node by_name;
};

/* Ids of the objects that are no files; they exist from the start. */
enum {
	FLAME_OBJECT_ID_VDSO = 1,
	FLAME_OBJECT_ID_VSYSCALL,
	FLAME_OBJECT_ID_ANON,
	FLAME_OBJECT_ID_JIT,
	FLAME_OBJECT_ID_UNKNOWN,
};

#define FLAME_PID_BUCKETS	1024
#define FLAME_INO_BUCKETS	256
#define FLAME_NAME_BUCKETS	1024
#define FLAME_NAME_CACHE	4096

struct flame_name_cache_slot {
	u64 addr;
	u32 frame;
};

struct flame_profile {
	struct kref ref;
	u64 limit;		/* bytes it was last told to stay within */
	struct flame_fold fold;
	u64 identity_limit;	/* bytes for objects and images */
	u64 identity_used;
	u64 identity_refused;	/* what found no room there */
	struct flame_object **objects;	/* by id - 1 */
	u32 nr_objects;
	u32 objects_capacity;
	u32 files_held;
	struct hlist_head by_ino[FLAME_INO_BUCKETS];
	struct hlist_head by_name[FLAME_NAME_BUCKETS];
	struct hlist_head by_pid[FLAME_PID_BUCKETS];	/* struct flame_image */
	u64 next_key;
	struct flame_name_cache_slot names[FLAME_NAME_CACHE];
};

/* Guards the profile, the consumers' side of the rings, and the list of streams. */
extern struct mutex flame_collector_mutex;

/* The profile being filled. Changed under the session's and the collector's mutex. */
extern struct flame_profile *flame_profile;

/* An empty profile with one reference, or NULL. @limit: bytes. */
struct flame_profile *flame_profile_create(u64 limit);
void flame_profile_put(struct flame_profile *profile);

/* Has nothing been folded into it yet? */
bool flame_profile_is_empty(const struct flame_profile *profile);

/* Changes the limit of a profile that may already be in use. */
void flame_profile_set_limit(struct flame_profile *profile, u64 limit);

/* objects.c */

/* Makes the objects that are no files. 0 or -ENOMEM. */
int flame_objects_init(struct flame_profile *profile);
void flame_objects_destroy(struct flame_profile *profile);

/**
 * flame_object_of_file() - id of the object that @file is
 * @file: with a reference that the profile takes over: kept, or dropped here
 *
 * Returns FLAME_OBJECT_ID_UNKNOWN when there is no room for another.
 */
u32 flame_object_of_file(struct flame_profile *profile, struct file *file);

/* Drops the files held; the objects stay. */
void flame_objects_release_files(struct flame_profile *profile);

/* identity.c */

struct flame_image;

void flame_identity_event(struct flame_profile *profile, const struct flame_event *event);

/**
 * flame_identity_image() - the process image that a sample was taken in
 * @pid: thread group id
 * @mm: token of its mm; not 0
 * @time: of the sample
 *
 * Never fails but by returning NULL for want of memory.
 */
struct flame_image *flame_identity_image(struct flame_profile *profile, u32 pid, u64 mm, u64 time);

/* What makes raw addresses of @image at @time comparable: equal keys, equal mappings. */
u64 flame_image_key(const struct flame_image *image, u64 time);

/**
 * flame_identity_place() - where a user address lies
 * @image: of the process, or NULL
 * @offset: receives the offset in the object
 *
 * Returns an object id.
 */
u32 flame_identity_place(struct flame_profile *profile, struct flame_image *image, u64 addr,
			 u64 time, u64 *offset);

/*
 * Learns the mappings of all processes that run already (those of the filter's pids,
 * where it has any). May take long on a machine with many: process context.
 */
void flame_identity_learn_all(struct flame_profile *profile);

/* A pass of the collector has ended: forgets images that are gone since the last one. */
void flame_identity_age(struct flame_profile *profile);
void flame_identity_destroy(struct flame_profile *profile);

/* names.c */

/**
 * flame_kernel_frame() - frame id of a kernel address
 * @addr: for a return address, already less 1
 * @marked: to be printed with "_[k]"
 * @offset: with the offset in the function
 *
 * Process context: looks the symbol up, or finds it in a small cache. 0: no room.
 */
u32 flame_kernel_frame(struct flame_profile *profile, u64 addr, bool marked, bool offset);

/* Addresses got another meaning, or are to be printed another way. */
void flame_names_forget(struct flame_profile *profile);

#endif /* FLAME_PROFILE_H */
