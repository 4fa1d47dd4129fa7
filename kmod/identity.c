// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose addresses are whose: process images and their executable mappings in time.
 * Process context, under the collector's mutex.
 *
 * An image is what a process runs between two execs; it is known by its thread group id
 * and the address of its mm. The address alone would not do, since a freed mm's memory
 * is used again at once; with the fork, exec and exit events in time order it does.
 *
 * Mappings carry the time from which they hold, so that samples and events need not be
 * merged into one order: all events that a pass of the collector sees are applied first,
 * then each sample looks at what held at its time. Replaced mappings stay until no
 * sample from before can come any more.
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "compat.h"
#include "events.h"
#include "filter.h"
#include "pid_set.h"
#include "profile.h"
#include "spaces.h"

#define MAPS_FIRST		16
#define MAPS_MAX		4096
#define COMPACT_ABOVE		128
/* A pass later no sample from before an image's end is left in any ring. */
#define PASSES_AFTER_DEATH	2
/* Not more often does an unknown address make us look at a process's mappings again. */
#define LEARN_AGAIN_NS		(200 * NSEC_PER_MSEC)
/* Processes looked at per hold of the RCU read lock. */
#define LEARN_BATCH		64

/* [@start, @end) shows @object from @offset on, as of time @from. */
struct flame_map {
	u64 start;
	u64 end;
	u64 offset;
	u64 from;
	u32 object;
	u32 reserved;
};

/* Mappings in the order they were made; shared by images until one of them changes. */
struct flame_maps {
	u32 refs;
	u32 nr;
	u32 capacity;
	struct flame_map map[];
};

struct flame_image {
	struct hlist_node by_pid;
	u32 pid;
	u32 passes_dead;	/* 0: alive */
	u64 mm;
	u64 born;
	u64 key;		/* for samples since key_from */
	u64 key_before;		/* for samples before */
	u64 key_from;
	u64 learnt;		/* when the mappings were last looked at, 0: never */
	struct flame_maps *maps;	/* NULL: none known */
};

static bool charge(struct flame_profile *profile, u64 bytes)
{
	if (bytes > profile->identity_limit - profile->identity_used) {
		profile->identity_refused++;
		return false;
	}
	profile->identity_used += bytes;
	return true;
}

static u64 maps_bytes(u32 capacity)
{
	return sizeof(struct flame_maps) + capacity * sizeof(struct flame_map);
}

static void maps_put(struct flame_profile *profile, struct flame_maps *maps)
{
	if (!maps || --maps->refs)
		return;
	profile->identity_used -= maps_bytes(maps->capacity);
	kvfree(maps);
}

/* Makes @image's mappings its own, with room for one more. False: no room. */
static bool maps_own(struct flame_profile *profile, struct flame_image *image)
{
	struct flame_maps *old = image->maps, *maps;
	u32 nr = old ? old->nr : 0, capacity = old ? old->capacity : 0;

	if (old && old->refs == 1 && nr < capacity)
		return true;
	if (nr >= capacity)
		capacity = capacity ? capacity * 2 : MAPS_FIRST;
	if (capacity > MAPS_MAX) {
		profile->identity_refused++;
		return false;
	}
	if (!charge(profile, maps_bytes(capacity)))
		return false;
	maps = kvmalloc(maps_bytes(capacity), GFP_KERNEL | __GFP_NOWARN);
	if (!maps) {
		profile->identity_used -= maps_bytes(capacity);
		return false;
	}
	maps->refs = 1;
	maps->nr = nr;
	maps->capacity = capacity;
	if (old)
		memcpy(maps->map, old->map, nr * sizeof(maps->map[0]));
	maps_put(profile, old);
	image->maps = maps;
	return true;
}

/* Drops mappings that later ones cover whole and that no sample before @time needs. */
static void maps_compact(struct flame_maps *maps, u64 time)
{
	u32 kept = 0, i, k;

	for (i = 0; i < maps->nr; i++) {
		const struct flame_map *map = &maps->map[i];
		bool covered = false;

		for (k = i + 1; k < maps->nr && !covered; k++)
			covered = maps->map[k].start <= map->start &&
				  maps->map[k].end >= map->end && maps->map[k].from < time;
		if (!covered)
			maps->map[kept++] = *map;
	}
	maps->nr = kept;
}

static struct hlist_head *bucket_of(struct flame_profile *profile, u32 pid)
{
	return &profile->by_pid[hash_32(pid, 10)];
}

static void free_image(struct flame_profile *profile, struct flame_image *image)
{
	hlist_del(&image->by_pid);
	maps_put(profile, image->maps);
	profile->identity_used -= sizeof(*image);
	kfree(image);
}

static struct flame_image *new_image(struct flame_profile *profile, u32 pid, u64 mm, u64 born)
{
	struct flame_image *image;

	if (!charge(profile, sizeof(*image)))
		return NULL;
	image = kzalloc(sizeof(*image), GFP_KERNEL | __GFP_NOWARN);
	if (!image) {
		profile->identity_used -= sizeof(*image);
		return NULL;
	}
	image->pid = pid;
	image->mm = mm;
	image->born = born;
	image->key = ++profile->next_key;
	image->key_before = image->key;
	hlist_add_head(&image->by_pid, bucket_of(profile, pid));
	return image;
}

/*
 * The newest image of @pid and @mm that was born by @time; failing that the oldest, for
 * a sample between an exec and its first event. NULL: none.
 */
static struct flame_image *find_image(struct flame_profile *profile, u32 pid, u64 mm, u64 time)
{
	struct flame_image *image, *last = NULL;

	hlist_for_each_entry(image, bucket_of(profile, pid), by_pid) {
		if (image->pid != pid || image->mm != mm)
			continue;
		last = image;
		if (image->born <= time)
			break;
	}
	return last;
}

/* All images of @pid but @but have ended. */
static void bury_images(struct flame_profile *profile, u32 pid, const struct flame_image *but)
{
	struct flame_image *image;

	hlist_for_each_entry(image, bucket_of(profile, pid), by_pid) {
		if (image->pid == pid && image != but && !image->passes_dead)
			image->passes_dead = 1;
	}
}

u64 flame_image_key(const struct flame_image *image, u64 time)
{
	return time < image->key_from ? image->key_before : image->key;
}

static const struct flame_map *find_map(const struct flame_maps *maps, u64 addr, u64 time)
{
	const struct flame_map *first = NULL;
	u32 i;

	for (i = maps ? maps->nr : 0; i--; ) {
		const struct flame_map *map = &maps->map[i];

		if (addr < map->start || addr >= map->end)
			continue;
		if (map->from <= time)
			return map;
		first = map;
	}
	return first;
}

/* The mapping @map is there now; where it takes another's place, addresses change meaning. */
static void add_map(struct flame_profile *profile, struct flame_image *image,
		    const struct flame_map *map)
{
	struct flame_maps *maps = image->maps;
	bool replaces = false;
	u32 i;

	for (i = maps ? maps->nr : 0; i--; ) {
		const struct flame_map *old = &maps->map[i];

		if (old->end <= map->start || old->start >= map->end)
			continue;
		if (old->object == map->object &&
		    (map->object == FLAME_OBJECT_ID_JIT ||
		     old->start - old->offset == map->start - map->offset)) {
			/* The same content: nothing new if all of it was known. */
			if (!replaces && old->start <= map->start && old->end >= map->end)
				return;
			continue;
		}
		replaces = true;
	}
	if (!maps_own(profile, image))
		return;
	maps = image->maps;
	maps->map[maps->nr++] = *map;
	if (replaces) {
		image->key_before = image->key;
		image->key = ++profile->next_key;
		image->key_from = map->from;
	}
	if (maps->nr > COMPACT_ABOVE && maps->nr == maps->capacity)
		maps_compact(maps, image->key_from);
}

static u32 object_of_kind(u32 kind)
{
	return kind == FLAME_OBJECT_VDSO ? FLAME_OBJECT_ID_VDSO : FLAME_OBJECT_ID_JIT;
}

static void event_map(struct flame_profile *profile, const struct flame_event *event)
{
	struct flame_image *image = find_image(profile, event->pid, event->mm, event->time);
	struct file *file = (struct file *)(unsigned long)event->file;
	struct flame_map map = {
		.start = event->start,
		.end = event->end,
		.offset = event->pgoff,
		.from = event->time,
	};

	if (!image || image->passes_dead) {
		/* The first mapping of an exec, or a process nobody told us of. */
		image = new_image(profile, event->pid, event->mm, event->time);
		bury_images(profile, event->pid, image);
	}
	if (file) {
		map.object = flame_object_of_file(profile, file);
	} else {
		map.object = object_of_kind(event->kind);
		map.offset = 0;
	}
	if (image)
		add_map(profile, image, &map);
}

static void event_fork(struct flame_profile *profile, const struct flame_event *event)
{
	struct flame_image *parent = find_image(profile, event->parent_pid, event->parent_mm,
						event->time);
	struct flame_image *image = new_image(profile, event->pid, event->mm, event->time);

	bury_images(profile, event->pid, image);
	if (!image || !parent || !parent->maps)
		return;
	image->maps = parent->maps;
	image->maps->refs++;
	image->learnt = parent->learnt;
}

void flame_identity_event(struct flame_profile *profile, const struct flame_event *event)
{
	switch (event->type) {
	case FLAME_EVENT_MAP:
		event_map(profile, event);
		break;
	case FLAME_EVENT_FORK:
		event_fork(profile, event);
		break;
	case FLAME_EVENT_EXIT:
		bury_images(profile, event->pid, NULL);
		break;
	}
}

struct learning {
	struct flame_profile *profile;
	struct flame_image *image;
	u64 from;
};

/* Takes in a mapping that a process has now. Its mmap_lock is held for reading. */
static void learn_vma(const struct vm_area_struct *vma, void *ctx)
{
	const struct learning *l = ctx;
	struct flame_map map = {
		.start = vma->vm_start,
		.end = vma->vm_end,
		.from = l->from,
	};

	if (!(vma->vm_flags & VM_EXEC))
		return;
	if (vma->vm_file) {
		map.offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
		map.object = flame_object_of_file(l->profile, get_file(vma->vm_file));
	} else {
		map.object = object_of_kind(flame_vma_kind(vma));
	}
	flame_spaces_map(vma, l->image->pid, true);
	add_map(l->profile, l->image, &map);
}

/*
 * Looks at the mappings of a live process. Never waits for mmap_lock: its holder may
 * wait for us, or for ever. Returns false when the process or its image is gone, or
 * busy just now.
 */
static bool learn_task(struct flame_profile *profile, struct flame_image *image,
		       struct task_struct *task, u64 from)
{
	struct learning learning = { profile, image, from };
	struct mm_struct *mm = get_task_mm(task);
	bool done = false;

	if (!mm)
		return false;
	if ((unsigned long)mm == image->mm && mmap_read_trylock(mm)) {
		flame_visit_vmas(mm, learn_vma, &learning);
		mmap_read_unlock(mm);
		done = true;
	}
	/* Perhaps the last user by now: its teardown is not ours to wait for. */
	mmput_async(mm);
	return done;
}

static void learn_again(struct flame_profile *profile, struct flame_image *image, u64 time)
{
	struct task_struct *task;
	struct pid *pid;

	if (image->passes_dead || (image->learnt && time < image->learnt + LEARN_AGAIN_NS))
		return;
	image->learnt = time;
	rcu_read_lock();
	pid = find_pid_ns(image->pid, &init_pid_ns);
	task = pid ? pid_task(pid, PIDTYPE_TGID) : NULL;
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	if (!task)
		return;
	learn_task(profile, image, task, image->maps ? time : 0);
	put_task_struct(task);
}

struct flame_image *flame_identity_image(struct flame_profile *profile, u32 pid, u64 mm, u64 time)
{
	struct flame_image *image = find_image(profile, pid, mm, time);

	return image ? image : new_image(profile, pid, mm, time);
}

u32 flame_identity_place(struct flame_profile *profile, struct flame_image *image, u64 addr,
			 u64 time, u64 *offset)
{
	const struct flame_map *map;

	*offset = 0;
	if ((addr & PAGE_MASK) == VSYSCALL_ADDR) {
		*offset = addr - VSYSCALL_ADDR;
		return FLAME_OBJECT_ID_VSYSCALL;
	}
	if (!image)
		return FLAME_OBJECT_ID_UNKNOWN;
	map = find_map(image->maps, addr, time);
	if (!map) {
		learn_again(profile, image, time);
		map = find_map(image->maps, addr, time);
	}
	if (!map)
		return FLAME_OBJECT_ID_UNKNOWN;
	if (map->object != FLAME_OBJECT_ID_JIT)
		*offset = addr - map->start + map->offset;
	return map->object;
}

/* Learns one process; @time is when its image counts as born. */
static void learn_process(struct flame_profile *profile, struct task_struct *task)
{
	struct flame_image *image;
	u64 mm = (unsigned long)READ_ONCE(task->mm);	/* a token; may change before we look */

	if (!mm || (task->flags & PF_KTHREAD))
		return;
	image = find_image(profile, task->tgid, mm, 0);
	if (!image)
		image = new_image(profile, task->tgid, mm, 0);
	if (image && !learn_task(profile, image, task, 0) && !image->maps)
		free_image(profile, image);
	cond_resched();
}

void flame_identity_learn_all(struct flame_profile *profile)
{
	struct task_struct **batch, *task;
	u32 done = 0, nr, seen, i;

	batch = kcalloc(LEARN_BATCH, sizeof(*batch), GFP_KERNEL | __GFP_NOWARN);
	if (!batch)
		return;		/* each process is then learnt when first sampled */
	do {
		nr = 0;
		seen = 0;
		rcu_read_lock();
		for_each_process(task) {
			if (seen++ < done || nr == LEARN_BATCH)
				continue;
			if (flame_filter.pids &&
			    !flame_pid_set_has(flame_filter.pids, task_tgid(task)))
				continue;
			get_task_struct(task);
			batch[nr++] = task;
			done = seen;
		}
		rcu_read_unlock();
		for (i = 0; i < nr; i++) {
			learn_process(profile, batch[i]);
			put_task_struct(batch[i]);
		}
	} while (nr == LEARN_BATCH);
	kfree(batch);
}

void flame_identity_age(struct flame_profile *profile)
{
	struct flame_image *image;
	struct hlist_node *next;
	int i;

	for (i = 0; i < FLAME_PID_BUCKETS; i++) {
		hlist_for_each_entry_safe(image, next, &profile->by_pid[i], by_pid) {
			if (image->passes_dead && image->passes_dead++ > PASSES_AFTER_DEATH)
				free_image(profile, image);
		}
	}
}

void flame_identity_destroy(struct flame_profile *profile)
{
	struct flame_image *image;
	struct hlist_node *next;
	int i;

	for (i = 0; i < FLAME_PID_BUCKETS; i++) {
		hlist_for_each_entry_safe(image, next, &profile->by_pid[i], by_pid)
			free_image(profile, image);
	}
}
