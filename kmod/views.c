// SPDX-License-Identifier: GPL-2.0-only
/*
 * What can be read of the profile and the counters: `folded`, `objects`, `stats`.
 * Process context. An open of `folded` takes a snapshot (ids and sums) under the
 * collector's mutex and sorts it outside, so that a large profile holds nobody up.
 */
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include "collector.h"
#include "profile.h"
#include "session.h"
#include "stats.h"
#include "views.h"

struct line {
	const struct flame_stack *stack;
	u64 value;
};

/* A frame's text followed by what follows it in a line: ';', or ' ' for the last one. */
struct ranked {
	const char *text;
	u32 frame;
	char follower;
};

/**
 * struct view - the private data of an open view
 * @profile: a reference, so that a reset does not take it away; NULL for stats
 * @cpu: of per_cpu/cpuN/stats, else -1
 * @nr: lines of `folded`, objects
 * @lines: sorted, each text once
 * @texts: of frame id i at [i - 1]
 * @bytes: where the texts are
 * @objects: by id - 1; a copy, since a growing profile moves its array
 */
struct view {
	struct flame_profile *profile;
	int cpu;
	u32 nr;
	struct line *lines;
	const char **texts;
	char *bytes;
	struct flame_object **objects;
};

/* What sorting needs beside the lines: ranks of frame i at [2 * (i - 1)] and after. */
struct ranks {
	u32 *rank;
};

/* Sorting much takes long and the kernel's sort() never lets go: every so often, do. */
static void breathe(u32 step)
{
	if (!(step % 1024))
		cond_resched();
}

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	const u8 *s = (const u8 *)x->text, *t = (const u8 *)y->text;

	breathe(x->frame);
	while (*s && *s == *t) {
		s++;
		t++;
	}
	return (*s ? *s : x->follower) - (*t ? *t : y->follower);
}

static u32 rank_of(const struct ranks *ranks, const struct flame_stack *stack, u32 i)
{
	return ranks->rank[2 * (stack->frames[i] - 1) + (i + 1 == stack->nr)];
}

/* The order of the printed lines as bytes, short of the value. */
static int compare_lines(const void *a, const void *b, const void *priv)
{
	const struct flame_stack *x = ((const struct line *)a)->stack;
	const struct flame_stack *y = ((const struct line *)b)->stack;
	u32 i, s, t;

	breathe(x->hash);
	for (i = 0; i < x->nr && i < y->nr; i++) {
		s = rank_of(priv, x, i);
		t = rank_of(priv, y, i);
		if (s != t)
			return s < t ? -1 : 1;
	}
	return (int)x->nr - (int)y->nr;
}

/* Bytes that a frame's text takes at the most, with its NUL. */
static u32 text_room(const struct view *view, const struct flame_frame *frame)
{
	if (frame->kind == FLAME_FRAME_USER)
		return strlen(view->objects[frame->id - 1]->name) + sizeof("+0x") + 16;
	return strlen(flame_fold_text(&view->profile->fold, frame->id)) + sizeof("_[k]");
}

static u32 print_frame(const struct view *view, const struct flame_frame *frame, char *to,
		       u32 room)
{
	if (frame->kind == FLAME_FRAME_USER) {
		const struct flame_object *object = view->objects[frame->id - 1];

		if (object->kind >= FLAME_OBJECT_ANON)
			return scnprintf(to, room, "%s", object->name);
		return scnprintf(to, room, "%s+0x%llx", object->name, frame->offset);
	}
	return scnprintf(to, room, "%s%s", flame_fold_text(&view->profile->fold, frame->id),
			 frame->kind == FLAME_FRAME_KERNEL_MARKED ? "_[k]" : "");
}

/* Prints the texts of the first @nr frames once. @view->profile's ids do not move. */
static int print_frames(struct view *view, u32 nr)
{
	const struct flame_fold *fold = &view->profile->fold;
	u64 bytes = 0, at = 0;
	u32 i;

	for (i = 1; i <= nr; i++)
		bytes += text_room(view, flame_fold_frame_get(fold, i));
	view->bytes = flame_zalloc(bytes);
	view->texts = flame_zalloc((nr + 1) * sizeof(*view->texts));
	if (!view->bytes || !view->texts)
		return -ENOMEM;
	for (i = 1; i <= nr; i++) {
		view->texts[i - 1] = view->bytes + at;
		at += print_frame(view, flame_fold_frame_get(fold, i), view->bytes + at,
				  bytes - at) + 1;
		breathe(i);
	}
	return 0;
}

/* Ranks of all frames' texts, equal ones for equal texts. NULL: no memory. */
static u32 *rank_frames(const struct view *view, u32 nr)
{
	struct ranked *all = flame_zalloc((2 * nr + 1) * sizeof(*all));
	u32 *rank = flame_zalloc((2 * nr + 1) * sizeof(*rank));
	u32 i, r = 0;

	if (!all || !rank) {
		flame_free(all);
		flame_free(rank);
		return NULL;
	}
	for (i = 0; i < 2 * nr; i++) {
		all[i].text = view->texts[i / 2];
		all[i].frame = i;
		all[i].follower = i % 2 ? ' ' : ';';
	}
	sort(all, 2 * nr, sizeof(*all), compare_ranked, NULL);
	for (i = 0; i < 2 * nr; i++) {
		if (i && compare_ranked(&all[i - 1], &all[i]))
			r++;
		rank[all[i].frame] = r;
	}
	flame_free(all);
	return rank;
}

/* Sorts the lines and adds up those that read the same. */
static int sort_lines(struct view *view, u32 nr_frames)
{
	struct ranks ranks = { rank_frames(view, nr_frames) };
	u32 i, kept = 0;

	if (!ranks.rank)
		return -ENOMEM;
	sort_r(view->lines, view->nr, sizeof(*view->lines), compare_lines, NULL, &ranks);
	for (i = 0; i < view->nr; i++) {
		if (kept && !compare_lines(&view->lines[kept - 1], &view->lines[i], &ranks))
			view->lines[kept - 1].value += view->lines[i].value;
		else
			view->lines[kept++] = view->lines[i];
	}
	view->nr = kept;
	flame_free(ranks.rank);
	return 0;
}

static void free_view(struct view *view)
{
	flame_profile_put(view->profile);
	flame_free(view->lines);
	flame_free(view->texts);
	flame_free(view->bytes);
	flame_free(view->objects);
	kfree(view);
}

/* A reference on the profile and a copy of its array of objects. Collector's mutex held. */
static int take_profile(struct view *view)
{
	size_t bytes = flame_profile->nr_objects * sizeof(*view->objects);

	view->objects = flame_zalloc(bytes);
	if (!view->objects)
		return -ENOMEM;
	memcpy(view->objects, flame_profile->objects, bytes);
	kref_get(&flame_profile->ref);
	view->profile = flame_profile;
	return 0;
}

/* Takes the sums of all stacks as they are now. The number of frames, or an errno. */
static int snapshot(struct view *view)
{
	struct flame_profile *profile;
	int nr_frames, err;
	u32 i, nr;

	flame_collector_drain(false);
	mutex_lock(&flame_collector_mutex);
	profile = flame_profile;
	nr = flame_fold_nr_stacks(&profile->fold);
	nr_frames = flame_fold_nr_frames(&profile->fold);
	view->lines = flame_zalloc(nr * sizeof(*view->lines));
	err = view->lines ? take_profile(view) : -ENOMEM;
	if (err)
		goto out;
	for (i = 1; i <= nr; i++) {
		const struct flame_stack *stack = flame_fold_stack_get(&profile->fold, i);

		if (!stack->value)
			continue;
		view->lines[view->nr].stack = stack;
		view->lines[view->nr++].value = stack->value;
	}
out:
	mutex_unlock(&flame_collector_mutex);
	return err ? err : nr_frames;
}

static void *view_start(struct seq_file *m, loff_t *pos)
{
	struct view *view = m->private;

	return *pos < view->nr ? pos : NULL;
}

static void *view_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return view_start(m, pos);
}

static void view_stop(struct seq_file *m, void *v)
{
}

static int open_view(struct file *file, const struct seq_operations *ops, struct view *view)
{
	int err = seq_open(file, ops);

	if (err)
		free_view(view);
	else
		((struct seq_file *)file->private_data)->private = view;
	return err;
}

int flame_view_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	free_view(m->private);
	return seq_release(inode, file);
}

static int folded_show(struct seq_file *m, void *v)
{
	const struct view *view = m->private;
	const struct line *line = &view->lines[*(loff_t *)v];
	u32 i;

	for (i = 0; i < line->stack->nr; i++) {
		if (i)
			seq_putc(m, ';');
		seq_puts(m, view->texts[line->stack->frames[i] - 1]);
	}
	seq_printf(m, " %llu\n", line->value);
	return 0;
}

static const struct seq_operations folded_ops = {
	.start = view_start,
	.next = view_next,
	.stop = view_stop,
	.show = folded_show,
};

int flame_folded_open(struct inode *inode, struct file *file)
{
	struct view *view = kzalloc(sizeof(*view), GFP_KERNEL);
	int err, nr_frames;

	if (!view)
		return -ENOMEM;
	nr_frames = snapshot(view);
	err = min(nr_frames, 0);
	if (!err)
		err = print_frames(view, nr_frames);
	if (!err)
		err = sort_lines(view, nr_frames);
	if (err) {
		free_view(view);
		return err;
	}
	return open_view(file, &folded_ops, view);
}

static int objects_show(struct seq_file *m, void *v)
{
	const struct view *view = m->private;
	const struct flame_object *object = view->objects[*(loff_t *)v];
	char path[512];

	seq_printf(m, "%s ", object->name);
	if (object->build_id_len)
		seq_printf(m, "%*phN ", object->build_id_len, object->build_id);
	else
		seq_puts(m, "- ");
	flame_escape(path, sizeof(path), object->path, strlen(object->path), true);
	seq_printf(m, "%s\n", path[0] ? path : "-");
	return 0;
}

static const struct seq_operations objects_ops = {
	.start = view_start,
	.next = view_next,
	.stop = view_stop,
	.show = objects_show,
};

int flame_objects_open(struct inode *inode, struct file *file)
{
	struct view *view = kzalloc(sizeof(*view), GFP_KERNEL);
	int err;

	if (!view)
		return -ENOMEM;
	flame_collector_drain(false);
	mutex_lock(&flame_collector_mutex);
	err = take_profile(view);
	view->nr = flame_profile->nr_objects;
	mutex_unlock(&flame_collector_mutex);
	if (err) {
		free_view(view);
		return err;
	}
	return open_view(file, &objects_ops, view);
}

static int stats_show(struct seq_file *m, void *v)
{
	const struct view *view = m->private;
	char *text = kmalloc(FLAME_STATS_SIZE, GFP_KERNEL);

	if (!text)
		return -ENOMEM;
	if (view->cpu >= 0) {
		flame_stats_print_cpu(view->cpu, text, FLAME_STATS_SIZE);
	} else {
		mutex_lock(&flame_session_mutex);
		flame_stats_print(text, FLAME_STATS_SIZE);
		mutex_unlock(&flame_session_mutex);
	}
	seq_puts(m, text);
	kfree(text);
	return 0;
}

static const struct seq_operations stats_ops = {
	.start = view_start,
	.next = view_next,
	.stop = view_stop,
	.show = stats_show,
};

int flame_stats_open(struct inode *inode, struct file *file, int cpu)
{
	struct view *view = kzalloc(sizeof(*view), GFP_KERNEL);

	if (!view)
		return -ENOMEM;
	view->cpu = cpu;
	view->nr = 1;
	return open_view(file, &stats_ops, view);
}
