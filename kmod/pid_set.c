// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets of struct pid. They hold references, so that an id used again by a later
 * process never matches. Looking one up happens for every sample: it reads a single
 * cache line and must never take a lock, allocate, or look behind the pointer.
 */
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/spinlock.h>
#include "pid_set.h"

#define SLOTS	8

struct pid_bucket {
	struct pid *slot[SLOTS];
};

/**
 * struct flame_pid_set - a set-associative hash of struct pid pointers
 * @refs: holders
 * @lock: serialises add and del; a raw one, as they run in tracepoints
 * @type: what the ids are, PIDTYPE_TGID or PIDTYPE_PID
 * @bits: there are 1 << @bits buckets
 * @nr: pids in it
 * @bucket: where they are; a slot is NULL or a pid with a reference
 */
struct flame_pid_set {
	refcount_t refs;
	raw_spinlock_t lock;
	enum pid_type type;
	u32 bits;
	u32 nr;
	struct pid_bucket *bucket;
};

static notrace struct pid_bucket *bucket_of(const struct flame_pid_set *set,
					    const struct pid *pid)
{
	/* hash_64() by 0 bits would shift by the width of its type. */
	return &set->bucket[set->bits ? hash_64((unsigned long)pid, set->bits) : 0];
}

bool notrace flame_pid_set_has(const struct flame_pid_set *set, const struct pid *pid)
{
	const struct pid_bucket *b = bucket_of(set, pid);
	int i;

	if (!pid)	/* of a task that was released already; a free slot is no match */
		return false;
	for (i = 0; i < SLOTS; i++)
		if (READ_ONCE(b->slot[i]) == pid)
			return true;
	return false;
}

/* Puts @pid into a free slot, without a reference. @set->lock held, or @set private. */
static notrace bool insert(struct flame_pid_set *set, struct pid *pid)
{
	struct pid_bucket *b = bucket_of(set, pid);
	int i;

	for (i = 0; i < SLOTS; i++) {
		if (b->slot[i])
			continue;
		WRITE_ONCE(b->slot[i], pid);
		set->nr++;
		return true;
	}
	return false;
}

bool notrace flame_pid_set_add(struct flame_pid_set *set, struct pid *pid)
{
	unsigned long flags;
	bool added = true;

	raw_spin_lock_irqsave(&set->lock, flags);
	if (!flame_pid_set_has(set, pid)) {
		added = insert(set, pid);
		if (added)
			get_pid(pid);
	}
	raw_spin_unlock_irqrestore(&set->lock, flags);
	return added;
}

bool notrace flame_pid_set_del(struct flame_pid_set *set, struct pid *pid)
{
	struct pid_bucket *b = bucket_of(set, pid);
	unsigned long flags;
	bool found = false;
	int i;

	raw_spin_lock_irqsave(&set->lock, flags);
	for (i = 0; i < SLOTS && !found; i++) {
		if (b->slot[i] != pid)
			continue;
		WRITE_ONCE(b->slot[i], NULL);
		set->nr--;
		found = true;
	}
	raw_spin_unlock_irqrestore(&set->lock, flags);
	if (found)
		put_pid(pid);
	return found;
}

struct flame_pid_set *flame_pid_set_get(struct flame_pid_set *set)
{
	if (set)
		refcount_inc(&set->refs);
	return set;
}

static void free_set(struct flame_pid_set *set)
{
	u32 i, j;

	for (i = 0; i < 1U << set->bits; i++)
		for (j = 0; j < SLOTS; j++)
			put_pid(set->bucket[i].slot[j]);
	flame_free(set->bucket);
	kfree(set);
}

void flame_pid_set_put(struct flame_pid_set *set)
{
	if (set && refcount_dec_and_test(&set->refs))
		free_set(set);
}

static struct flame_pid_set *alloc_set(u32 bits, enum pid_type type)
{
	struct flame_pid_set *set = kzalloc(sizeof(*set), GFP_KERNEL);

	if (!set)
		return NULL;
	set->bucket = flame_zalloc(sizeof(*set->bucket) << bits);
	if (!set->bucket) {
		kfree(set);
		return NULL;
	}
	refcount_set(&set->refs, 1);
	raw_spin_lock_init(&set->lock);
	set->type = type;
	set->bits = bits;
	return set;
}

/* Adds all of @from to the private @set. False if a bucket is full. */
static bool insert_all(struct flame_pid_set *set, const struct flame_pid_set *from)
{
	u32 i, j;

	for (i = 0; i < 1U << from->bits; i++)
		for (j = 0; j < SLOTS; j++)
			if (from->bucket[i].slot[j] &&
			    !flame_pid_set_add(set, from->bucket[i].slot[j]))
				return false;
	return true;
}

struct flame_pid_set *flame_pid_set_clone_for_children(const struct flame_pid_set *set,
						       u32 spare)
{
	/* One a bucket on average: of a million buckets, one then wants a ninth slot. */
	u32 bits = max_t(u32, set->bits, order_base_2(set->nr + spare));
	struct flame_pid_set *clone;

	for (;; bits++) {
		clone = alloc_set(bits, set->type);
		if (!clone)
			return NULL;
		if (insert_all(clone, set))
			return clone;
		free_set(clone);
	}
}

/* The pid of an id in the caller's namespace, with a reference, or an ERR_PTR. */
static struct pid *find_pid(const struct flame_id *id, enum pid_type type,
			    struct flame_error *e)
{
	const char *what = type == PIDTYPE_TGID ? "process" : "thread";
	bool other_type = false;
	struct pid *pid;

	rcu_read_lock();
	pid = find_vpid(id->id);
	if (pid && !pid_task(pid, type)) {
		other_type = pid_task(pid, PIDTYPE_PID);
		pid = NULL;
	}
	get_pid(pid);
	rcu_read_unlock();
	if (pid)
		return pid;
	if (other_type)
		flame_fail(e, -ESRCH, id->pos, "%u is a thread, not a process, write it to set_tid",
			   id->id);
	else
		flame_fail(e, -ESRCH, id->pos, "there is no %s %u in your pid namespace", what,
			   id->id);
	return ERR_PTR(-ESRCH);
}

static int insert_ids(struct flame_pid_set *set, const struct flame_ids *ids,
		      struct flame_error *e)
{
	u32 i;

	for (i = 0; i < ids->nr; i++) {
		struct pid *pid = find_pid(&ids->id[i], set->type, e);
		bool added;

		if (IS_ERR(pid))
			return PTR_ERR(pid);
		added = flame_pid_set_add(set, pid);
		put_pid(pid);
		if (!added)
			return -ENOSPC;
	}
	return 0;
}

struct flame_pid_set *flame_pid_set_parse(const struct flame_pid_set *old, const char *text,
					  size_t len, enum pid_type type, struct flame_error *e)
{
	struct flame_pid_set *set = NULL;
	struct flame_ids *ids;
	u32 bits;
	int err;

	err = flame_ids_parse(text, len, &ids, e);
	if (err)
		return ERR_PTR(err);
	if (!old && !ids->nr)
		goto out;
	/* Half full on average, and larger when a bucket happens to be full. */
	bits = order_base_2(DIV_ROUND_UP(ids->nr + (old ? old->nr : 0), SLOTS / 2));
	do {
		set = alloc_set(bits++, type);
		if (!set) {
			err = flame_fail(e, -ENOMEM, 0, "no memory for %u ids", ids->nr);
			break;
		}
		err = -ENOSPC;
		if (!old || insert_all(set, old))
			err = insert_ids(set, ids, e);
		if (err)
			free_set(set);
	} while (err == -ENOSPC);
out:
	flame_free(ids);
	return err ? ERR_PTR(err) : set;
}

static int compare_ids(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

/* The id of a pid in the reader's namespace; 0: it is gone, or not to be seen there. */
static u32 visible_id(struct pid *pid, enum pid_type type)
{
	u32 id = 0;

	rcu_read_lock();
	if (pid_task(pid, type))
		id = pid_nr_ns(pid, task_active_pid_ns(current));
	rcu_read_unlock();
	return id;
}

int flame_pid_set_show(struct seq_file *m, const struct flame_pid_set *set)
{
	u32 i, j, nr = 0;
	u32 *ids;

	if (!set) {
		seq_putc(m, '\n');
		return 0;
	}
	ids = flame_zalloc((size_t)set->nr * sizeof(*ids) + 1);
	if (!ids)
		return -ENOMEM;
	for (i = 0; i < 1U << set->bits; i++) {
		for (j = 0; j < SLOTS; j++) {
			struct pid *pid = set->bucket[i].slot[j];
			u32 id = pid ? visible_id(pid, set->type) : 0;

			if (id)
				ids[nr++] = id;
		}
	}
	sort(ids, nr, sizeof(*ids), compare_ids, NULL);
	for (i = 0; i < nr; i++)
		seq_printf(m, i ? " %u" : "%u", ids[i]);
	seq_putc(m, '\n');
	flame_free(ids);
	return 0;
}
