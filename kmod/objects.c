// SPDX-License-Identifier: GPL-2.0-only
/*
 * The mapped files seen: their identity, build-ids and unique names. While sampling is
 * on the files themselves are held, so that the tool can read a program that was
 * deleted or replaced since. Process context, under the collector's mutex.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/pagemap.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include "buildid.h"
#include "compat.h"
#include "objects.h"
#include "profile.h"

#define FILES_HELD_MAX		4096
#define OBJECTS_FIRST		64
#define NAME_MAX_BYTES		200

/*
 * Reads from the page cache alone, so that it never waits for a disk or a server; the
 * first page of what is mapped and running is there.
 */
static bool read_cached(void *ctx, u64 offset, void *buf, u32 bytes)
{
	struct address_space *mapping = ctx;

	while (bytes) {
		u32 in_page = offset & ~PAGE_MASK;
		u32 part = min_t(u32, bytes, PAGE_SIZE - in_page);
		struct page *page = find_get_page(mapping, offset >> PAGE_SHIFT);
		void *from;

		if (!page)
			return false;
		if (!PageUptodate(page)) {
			put_page(page);
			return false;
		}
		from = flame_map_page(page);
		memcpy(buf, from + in_page, part);
		flame_unmap_page(from);
		put_page(page);
		offset += part;
		buf += part;
		bytes -= part;
	}
	return true;
}

static struct hlist_head *name_bucket(struct flame_profile *profile, const char *name)
{
	return &profile->by_name[full_name_hash(NULL, name, strlen(name)) % FLAME_NAME_BUCKETS];
}

static bool name_taken(struct flame_profile *profile, const char *name)
{
	const struct flame_object *object;

	hlist_for_each_entry(object, name_bucket(profile, name), by_name) {
		if (!strcmp(object->name, name))
			return true;
	}
	return false;
}

/*
 * The OBJECT token for @path: its last part, escaped. When taken, with the object's id
 * behind a '#': no search for a free number, however many files have one name.
 */
static char *unique_name(struct flame_profile *profile, const char *path)
{
	static const char deleted[] = " (deleted)";
	const char *base = strrchr(path, '/');
	char name[NAME_MAX_BYTES + 32];
	u32 len;

	base = base ? base + 1 : path;
	len = strlen(base);
	if (len > sizeof(deleted) - 1 && !strcmp(base + len - (sizeof(deleted) - 1), deleted))
		len -= sizeof(deleted) - 1;
	len = flame_escape(name, NAME_MAX_BYTES, base, len, true);
	while (name_taken(profile, name) && len < NAME_MAX_BYTES + 16)
		len += scnprintf(name + len, sizeof(name) - len, "#%u", profile->nr_objects + 1);
	return kstrdup(name, GFP_KERNEL | __GFP_NOWARN);
}

static bool charge(struct flame_profile *profile, u64 bytes)
{
	if (bytes > profile->identity_limit - profile->identity_used) {
		profile->identity_refused++;
		return false;
	}
	profile->identity_used += bytes;
	return true;
}

static bool room_for_object(struct flame_profile *profile)
{
	u32 capacity = profile->objects_capacity ? profile->objects_capacity * 2 : OBJECTS_FIRST;
	struct flame_object **bigger;

	if (profile->nr_objects < profile->objects_capacity)
		return true;
	if (!charge(profile, (u64)(capacity - profile->objects_capacity) * sizeof(*bigger)))
		return false;
	bigger = flame_zalloc(capacity * sizeof(*bigger));
	if (!bigger) {
		profile->identity_used -= (u64)(capacity - profile->objects_capacity) *
					  sizeof(*bigger);
		return false;
	}
	if (profile->objects)
		memcpy(bigger, profile->objects, profile->nr_objects * sizeof(*bigger));
	flame_free(profile->objects);
	profile->objects = bigger;
	profile->objects_capacity = capacity;
	return true;
}

static void free_object(struct flame_object *object)
{
	if (!object)
		return;
	kfree(object->name);
	kfree(object->path);
	kfree(object);
}

/* Makes an object and gives it the next id; NULL: no room. */
static struct flame_object *add_object(struct flame_profile *profile, u8 kind, const char *path)
{
	u64 bytes = sizeof(struct flame_object) + 2 * strlen(path);
	struct flame_object *object;

	if (!room_for_object(profile) || !charge(profile, bytes))
		return NULL;
	object = kzalloc(sizeof(*object), GFP_KERNEL | __GFP_NOWARN);
	if (!object) {
		profile->identity_used -= bytes;
		return NULL;
	}
	object->kind = kind;
	object->name = unique_name(profile, path);
	object->path = kstrdup(kind == FLAME_OBJECT_FILE ? path : "", GFP_KERNEL | __GFP_NOWARN);
	if (!object->name || !object->path) {
		free_object(object);
		profile->identity_used -= bytes;
		return NULL;
	}
	hlist_add_head(&object->by_name, name_bucket(profile, object->name));
	profile->objects[profile->nr_objects++] = object;
	object->id = profile->nr_objects;
	return object;
}

int flame_objects_init(struct flame_profile *profile)
{
	static const struct {
		u8 kind;
		const char *name;
	} specials[] = {	/* in the order of FLAME_OBJECT_ID_* */
		{ FLAME_OBJECT_VDSO, "[vdso]" },
		{ FLAME_OBJECT_VSYSCALL, "[vsyscall]" },
		{ FLAME_OBJECT_ANON, "[anon]" },
		{ FLAME_OBJECT_JIT, "[jit]" },
		{ FLAME_OBJECT_UNKNOWN, "[unknown]" },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(specials); i++) {
		if (!add_object(profile, specials[i].kind, specials[i].name))
			return -ENOMEM;
	}
	return 0;
}

void flame_objects_release_files(struct flame_profile *profile)
{
	u32 i;

	for (i = 0; i < profile->nr_objects; i++) {
		struct flame_object *object = profile->objects[i];

		if (object->file)
			fput(object->file);
		object->file = NULL;
		object->inode = NULL;
	}
	profile->files_held = 0;
}

void flame_objects_destroy(struct flame_profile *profile)
{
	u32 i;

	flame_objects_release_files(profile);
	for (i = 0; i < profile->nr_objects; i++)
		free_object(profile->objects[i]);
	flame_free(profile->objects);
}

/* Keeps the reference on @file, or drops it when enough are held. */
static void hold_file(struct flame_profile *profile, struct flame_object *object,
		      struct file *file)
{
	if (object->file || profile->files_held >= FILES_HELD_MAX) {
		fput(file);
		return;
	}
	object->file = file;
	object->inode = file_inode(file);
	profile->files_held++;
}

u32 flame_object_of_file(struct flame_profile *profile, struct file *file)
{
	const struct inode *inode = file_inode(file);
	u32 dev = inode->i_sb->s_dev;
	struct hlist_head *bucket = &profile->by_ino[hash_64(inode->i_ino, 8)];
	struct flame_object *object;
	char *buf, *path;

	hlist_for_each_entry(object, bucket, by_ino) {
		if (object->ino != inode->i_ino || object->dev != dev)
			continue;
		/* An inode that is held cannot be another file; else all must agree. */
		if (object->file ? object->inode == inode :
		    object->generation == inode->i_generation &&
		    object->size == i_size_read(inode) &&
		    object->mtime == flame_inode_mtime_ns(inode)) {
			hold_file(profile, object, file);
			return object->id;
		}
	}

	buf = (char *)__get_free_page(GFP_KERNEL | __GFP_NOWARN);
	path = buf ? d_path(&file->f_path, buf, PAGE_SIZE) : NULL;
	if (IS_ERR_OR_NULL(path))
		path = "[path too long]";
	object = add_object(profile, FLAME_OBJECT_FILE, path);
	free_page((unsigned long)buf);
	if (!object) {
		fput(file);
		return FLAME_OBJECT_ID_UNKNOWN;
	}
	object->dev = dev;
	object->ino = inode->i_ino;
	object->generation = inode->i_generation;
	object->size = i_size_read(inode);
	object->mtime = flame_inode_mtime_ns(inode);
	object->build_id_len = flame_build_id(read_cached, file->f_mapping, object->build_id,
					      FLAME_BUILD_ID_MAX);
	hlist_add_head(&object->by_ino, bucket);
	hold_file(profile, object, file);
	return object->id;
}

int flame_object_get_fd(u32 id)
{
	struct file *held = NULL, *file;
	int fd, err = -ENOENT;

	mutex_lock(&flame_collector_mutex);
	if (id && id <= flame_profile->nr_objects) {
		err = -ESTALE;
		held = flame_profile->objects[id - 1]->file;
		if (held)
			get_file(held);
	}
	mutex_unlock(&flame_collector_mutex);
	if (!held)
		return err;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0) {
		fput(held);
		return fd;
	}
	/* A new open: whatever the mapping's file was opened for, this one only reads. */
	file = dentry_open(&held->f_path, O_RDONLY | O_LARGEFILE, current_cred());
	fput(held);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	fd_install(fd, file);
	return fd;
}
