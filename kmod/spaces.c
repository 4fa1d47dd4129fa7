// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address spaces and unwind tables, as the walk in the interrupt needs them.
 *
 * A space is kept for each process (thread group). Its mm is noted beside it and must be
 * the current one for a walk to use it: after an exec the first mapping in the new mm
 * starts the space anew. A file is known by what does not change while it is mapped
 * (device, inode number, generation, size, time), so that nothing needs to be held for
 * a table to be found again.
 *
 * Handlers run with interrupts off and may hold mmap_lock or the run queue's lock; they
 * allocate nothing: all room is taken when a session starts.
 */
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include "compat.h"
#include "events.h"
#include "spaces.h"

#define SPACES_MIN		1024
#define SPACES_MAX		16384
#define SPACE_BUCKETS		4096
#define PIECES_MAX		84
#define FILES_MAX		8192
#define FILE_BUCKETS		4096
#define CHAIN_MAX		64
#define READ_TRIES		3

/* A piece of code in a space: addresses in bytes, the file by its index, 0: none. */
struct piece {
	u64 start;
	u64 end;
	u32 pgoff;
	u32 file;
};

struct space {
	seqcount_t seq;
	u32 next;		/* index + 1 in the chain, or of the next free one */
	u32 pid;		/* 0: free */
	u32 nr;
	u64 mm;
	u64 gen;		/* of this content; no other has had it */
	struct piece piece[PIECES_MAX];	/* sorted by start */
};

/* A file that code was mapped from, and its table once there is one. */
struct code_file {
	u64 ino;
	s64 size;
	s64 mtime;
	u32 dev;
	u32 generation;
	u32 next;		/* index in the chain; 0: its end */
	struct flame_unwind_head __rcu *table;
};

static struct space *spaces;
static u32 nr_spaces, free_space;
static u32 space_chain[SPACE_BUCKETS];	/* index + 1 */
static struct code_file *files;		/* index 0 is the vDSO's, never in a chain */
static u32 nr_files;
static u32 file_chain[FILE_BUCKETS];
static u64 last_gen, refused, table_bytes;
static u32 nr_tables;

#define VDSO_FILE	0
/* What a piece holds for its file: index + 1. */
#define FILE_REF(index)	((index) + 1)

static DEFINE_RAW_SPINLOCK(lock);
static DEFINE_MUTEX(tables_mutex);
static struct flame_rule_cache __percpu *rule_caches;	/* there while spaces are */

u64 flame_spaces_refused(void)
{
	return READ_ONCE(refused);
}

static notrace u32 *file_chain_of(u32 dev, u64 ino)
{
	return &file_chain[hash_64(ino ^ (u64)dev << 40, 12)];
}

static int files_alloc(void)
{
	if (files)
		return 0;
	files = flame_zalloc(FILES_MAX * sizeof(*files));
	if (!files)
		return -ENOMEM;
	nr_files = 1;	/* the vDSO */
	return 0;
}

/* Forgets files without a table when many are known. No space refers to any. */
static void files_compact(void)
{
	u32 i, kept = 1;

	if (nr_files < FILES_MAX / 2)
		return;
	memset(file_chain, 0, sizeof(file_chain));
	for (i = 1; i < nr_files; i++) {
		u32 *chain;

		if (!rcu_access_pointer(files[i].table))
			continue;
		files[kept] = files[i];
		chain = file_chain_of(files[i].dev, files[i].ino);
		files[kept].next = *chain;
		*chain = kept++;
	}
	memset(&files[kept], 0, (nr_files - kept) * sizeof(*files));
	nr_files = kept;
}

int flame_spaces_alloc(void)
{
	struct task_struct *task;
	u32 nr = 0, i;
	int err;

	mutex_lock(&tables_mutex);
	err = files_alloc();
	if (!err)
		files_compact();
	mutex_unlock(&tables_mutex);
	if (err)
		return err;
	rcu_read_lock();
	for_each_process(task)
		nr += 2;
	rcu_read_unlock();
	nr = clamp_t(u32, nr, SPACES_MIN, SPACES_MAX);
	rule_caches = alloc_percpu(struct flame_rule_cache);
	if (!rule_caches)
		return -ENOMEM;
	spaces = flame_zalloc(nr * sizeof(*spaces));
	if (!spaces) {
		free_percpu(rule_caches);
		rule_caches = NULL;
		return -ENOMEM;
	}
	for (i = 0; i < nr; i++) {
		seqcount_init(&spaces[i].seq);
		spaces[i].next = i + 1 < nr ? i + 2 : 0;
	}
	memset(space_chain, 0, sizeof(space_chain));
	free_space = 1;
	nr_spaces = nr;
	refused = 0;
	return 0;
}

void flame_spaces_free(void)
{
	mutex_lock(&tables_mutex);	/* forget_rules() may be at work */
	flame_free(spaces);
	spaces = NULL;
	free_percpu(rule_caches);
	rule_caches = NULL;
	mutex_unlock(&tables_mutex);
	nr_spaces = 0;
	free_space = 0;
}

static notrace u32 *chain_of(u32 pid)
{
	return &space_chain[hash_32(pid, 12)];
}

/* Lock held, or interrupts off and the result checked by its sequence count. */
static notrace struct space *find_space(u32 pid)
{
	u32 i = READ_ONCE(*chain_of(pid)), steps = 0;

	while (i && steps++ < CHAIN_MAX) {
		struct space *space = &spaces[i - 1];

		if (READ_ONCE(space->pid) == pid)
			return space;
		i = READ_ONCE(space->next);
	}
	return NULL;
}

/* A new, empty space for @pid. Lock held. NULL: none left. */
static notrace struct space *new_space(u32 pid)
{
	struct space *space;
	u32 i = free_space;

	if (!i) {
		refused++;
		return NULL;
	}
	space = &spaces[i - 1];
	free_space = space->next;
	WRITE_ONCE(space->next, *chain_of(pid));
	WRITE_ONCE(space->pid, pid);
	WRITE_ONCE(*chain_of(pid), i);
	return space;
}

/* Lock held. */
static notrace void drop_space(u32 pid)
{
	u32 *at = chain_of(pid), steps;

	for (steps = 0; *at && steps < nr_spaces; steps++) {
		struct space *space = &spaces[*at - 1];
		u32 i = *at;

		if (space->pid == pid) {
			WRITE_ONCE(*at, space->next);
			raw_write_seqcount_begin(&space->seq);
			space->pid = 0;
			space->nr = 0;
			space->mm = 0;
			raw_write_seqcount_end(&space->seq);
			space->next = free_space;
			free_space = i;
			return;
		}
		at = &space->next;
	}
}

/* Index of the file that @inode is, made when new. Lock held. 0: no room. */
static notrace u32 file_of(const struct inode *inode)
{
	u32 dev = inode->i_sb->s_dev;
	u32 *chain = file_chain_of(dev, inode->i_ino);
	s64 size = i_size_read(inode), mtime = flame_inode_mtime_ns(inode);
	struct code_file *file;
	u32 i, steps = 0;

	for (i = *chain; i && steps < CHAIN_MAX; i = files[i].next, steps++) {
		file = &files[i];
		if (file->ino == inode->i_ino && file->dev == dev && file->size == size &&
		    file->mtime == mtime && file->generation == inode->i_generation)
			return i;
	}
	if (nr_files == FILES_MAX || steps == CHAIN_MAX) {
		refused++;
		return 0;
	}
	i = nr_files++;
	file = &files[i];
	file->ino = inode->i_ino;
	file->dev = dev;
	file->size = size;
	file->mtime = mtime;
	file->generation = inode->i_generation;
	file->next = *chain;
	*chain = i;
	return i;
}

/*
 * Puts [start, end) in its place, and cuts out of others what it covers. Lock held, in
 * a write section of the space.
 */
static notrace void put_piece(struct space *space, const struct piece *new)
{
	struct piece *piece = space->piece;
	u32 i, kept = 0;

	/* Code that is mapped over in part loses the whole rest: rare, and safe. */
	for (i = 0; i < space->nr; i++) {
		if (piece[i].end <= new->start || piece[i].start >= new->end)
			piece[kept++] = piece[i];
	}
	space->nr = kept;
	if (kept == PIECES_MAX) {
		refused++;
		return;
	}
	for (i = kept; i && piece[i - 1].start > new->start; i--)
		piece[i] = piece[i - 1];
	piece[i] = *new;
	space->nr++;
}

bool flame_tables_in_use(void)
{
	return READ_ONCE(nr_tables);
}

notrace bool flame_spaces_map(const struct vm_area_struct *vma, u32 pid, bool learnt)
{
	u64 mm = (unsigned long)vma->vm_mm;
	struct piece piece = {
		.start = vma->vm_start,
		.end = vma->vm_end,
		.pgoff = vma->vm_pgoff,
	};
	struct space *space;
	unsigned long flags;
	bool wanting = false;

	if (!spaces)
		return false;
	raw_spin_lock_irqsave(&lock, flags);
	if (vma->vm_file) {
		u32 file = file_of(file_inode(vma->vm_file));

		piece.file = file ? FILE_REF(file) : 0;
		wanting = file && nr_tables && !rcu_access_pointer(files[file].table);
	} else if (flame_vma_kind(vma) == FLAME_OBJECT_VDSO) {
		piece.file = FILE_REF(VDSO_FILE);
		piece.pgoff = 0;
	}
	space = find_space(pid);
	if (!space)
		space = new_space(pid);
	/* What is learnt of an mm that was left meanwhile is older than what is known. */
	if (space && learnt && space->mm && space->mm != mm)
		space = NULL;
	if (space) {
		raw_write_seqcount_begin(&space->seq);
		if (space->mm != mm) {
			space->mm = mm;
			space->nr = 0;
		}
		put_piece(space, &piece);
		space->gen = ++last_gen;
		raw_write_seqcount_end(&space->seq);
	}
	raw_spin_unlock_irqrestore(&lock, flags);
	return wanting;
}

notrace void flame_spaces_fork(u32 parent, u32 child, u64 child_mm)
{
	struct space *from, *to;
	unsigned long flags;

	if (!spaces)
		return;
	raw_spin_lock_irqsave(&lock, flags);
	drop_space(child);	/* an id used again whose end was not seen */
	from = find_space(parent);
	to = from ? new_space(child) : NULL;
	if (to) {
		raw_write_seqcount_begin(&to->seq);
		memcpy(to->piece, from->piece, from->nr * sizeof(from->piece[0]));
		to->nr = from->nr;
		to->mm = child_mm;
		/* The same content at the same places: the rules known for it hold. */
		to->gen = from->gen;
		raw_write_seqcount_end(&to->seq);
	}
	raw_spin_unlock_irqrestore(&lock, flags);
}

notrace void flame_spaces_exit(u32 pid)
{
	unsigned long flags;

	if (!spaces)
		return;
	raw_spin_lock_irqsave(&lock, flags);
	drop_space(pid);
	raw_spin_unlock_irqrestore(&lock, flags);
}

/* flame_find_code_fn over a space, which another CPU may be changing. */
static notrace bool find_code(void *ctx, u64 addr, struct flame_code *code)
{
	const struct space *space = ctx;
	u32 low = 0, high = min_t(u32, READ_ONCE(space->nr), PIECES_MAX);
	const struct piece *piece;
	u32 file;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (READ_ONCE(space->piece[middle].start) <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	piece = &space->piece[low - 1];
	if (addr >= READ_ONCE(piece->end))
		return false;
	file = READ_ONCE(piece->file);
	code->start = piece->start;
	code->end = piece->end;
	code->offset = (u64)piece->pgoff << PAGE_SHIFT;
	/* Interrupts are off: the table lives until after the tick. */
	code->table = NULL;
	if (file && file <= FILES_MAX)
		code->table = rcu_dereference_sched(files[file - 1].table);
	return true;
}

/* A walk of the current task in its space. False: the space is another's, or changing. */
static notrace bool walk_space(struct space *space, struct task_struct *task,
			       const struct pt_regs *regs, u64 limit, bool fp_fallback, u64 *ips,
			       u32 room, u32 *nr, enum flame_walk *how)
{
	struct flame_table_walk walk = {
		.space = space,
		.find = find_code,
		.cache = this_cpu_ptr(rule_caches),
		.regs = {	/* in the order of their DWARF numbers */
			regs->ax, regs->dx, regs->cx, regs->bx, regs->si, regs->di, regs->bp,
			regs->sp, regs->r8, regs->r9, regs->r10, regs->r11, regs->r12, regs->r13,
			regs->r14, regs->r15,
		},
		.limit = limit,
		.fp_fallback = fp_fallback,
	};
	unsigned int seq = raw_read_seqcount(&space->seq);

	walk.gen = space->gen;
	if ((seq & 1) || space->pid != task->tgid || space->mm != (unsigned long)task->mm)
		return false;
	*nr = flame_stack_tables(&walk, regs->ip, ips, room, how);
	return !read_seqcount_retry(&space->seq, seq);
}

notrace bool flame_spaces_walk(struct task_struct *task, const struct pt_regs *regs, u64 limit,
			       bool fp_fallback, u64 *ips, u32 room, u32 *nr,
			       enum flame_walk *how)
{
	struct space *space;
	u32 tries;

	if (!READ_ONCE(nr_tables))
		return false;
	space = find_space(task->tgid);
	if (!space)
		return false;
	for (tries = 0; tries < READ_TRIES; tries++) {
		if (walk_space(space, task, regs, limit, fp_fallback, ips, room, nr, how))
			return true;
	}
	return false;
}

static void forget_rules(void)
{
	int cpu;

	if (!rule_caches)
		return;
	/* A rule of the old table may be used once more by a walk that is under way. */
	for_each_possible_cpu(cpu) {
		struct flame_rule_cache *cache = per_cpu_ptr(rule_caches, cpu);
		u32 i;

		for (i = 0; i < FLAME_RULE_CACHE; i++)
			WRITE_ONCE(cache->slot[i].addr, 0);
	}
}

int flame_tables_load(struct file *file, struct flame_unwind_head *table)
{
	struct flame_unwind_head *old;
	unsigned long flags;
	u32 index = VDSO_FILE;
	int err;

	mutex_lock(&tables_mutex);
	err = files_alloc();
	if (err)
		goto out;
	if (file) {
		/* A mapping's file is the real one below an overlay. */
		raw_spin_lock_irqsave(&lock, flags);
		index = file_of(d_real_inode(file->f_path.dentry));
		raw_spin_unlock_irqrestore(&lock, flags);
		err = index ? 0 : -ENOSPC;
	}
	if (!err && table->bytes > FLAME_TABLES_BYTES_MAX - table_bytes)
		err = -ENOSPC;
	if (err)
		goto out;
	old = rcu_dereference_protected(files[index].table, lockdep_is_held(&tables_mutex));
	rcu_assign_pointer(files[index].table, table);
	table_bytes += table->bytes;
	nr_tables++;
	if (old) {
		table_bytes -= old->bytes;
		nr_tables--;
		synchronize_rcu();
		forget_rules();
		flame_free(old);
	}
out:
	mutex_unlock(&tables_mutex);
	return err;
}

void flame_tables_count(u32 *nr, u64 *bytes)
{
	mutex_lock(&tables_mutex);
	*nr = nr_tables;
	*bytes = table_bytes;
	mutex_unlock(&tables_mutex);
}

void flame_tables_drop(void)
{
	u32 i;

	mutex_lock(&tables_mutex);
	for (i = 0; i < nr_files; i++)
		flame_free(rcu_dereference_protected(files[i].table,
						     lockdep_is_held(&tables_mutex)));
	flame_free(files);
	files = NULL;
	nr_files = 0;
	nr_tables = 0;
	table_bytes = 0;
	memset(file_chain, 0, sizeof(file_chain));
	mutex_unlock(&tables_mutex);
	forget_rules();
}
