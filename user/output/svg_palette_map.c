// SPDX-License-Identifier: GPL-2.0-only
/*
 * --cp: a file that remembers which colour a function had, so that it keeps it from one
 * picture to the next. Lines that make no sense are counted and dropped, never drawn.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "output/svg_color.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/outfile.h"
#include "util/text.h"

struct entry {
	char *name;
	struct svg_rgb color;
};

/* Open addressing; a power of two, at most half full. */
struct svg_palette_map {
	struct entry *slots;
	size_t size;
	size_t nr;
};

static struct entry *find_slot(const struct svg_palette_map *map, const char *name)
{
	size_t i = hash_bytes(name, strlen(name)) & (map->size - 1);

	while (map->slots[i].name && strcmp(map->slots[i].name, name))
		i = (i + 1) & (map->size - 1);
	return &map->slots[i];
}

static void grow(struct svg_palette_map *map)
{
	struct svg_palette_map old = *map;

	map->size = old.size ? old.size * 2 : 64;
	map->slots = xcalloc(map->size, sizeof(*map->slots));
	for (size_t i = 0; i < old.size; i++)
		if (old.slots[i].name)
			*find_slot(map, old.slots[i].name) = old.slots[i];
	free(old.slots);
}

/* The slot of @name, new if its name is NULL. */
static struct entry *slot_for(struct svg_palette_map *map, const char *name)
{
	if (map->nr * 2 >= map->size)
		grow(map);
	return find_slot(map, name);
}

static void insert(struct svg_palette_map *map, const char *name, struct svg_rgb color)
{
	struct entry *slot = slot_for(map, name);

	if (!slot->name) {
		slot->name = xstrdup(name);
		map->nr++;
	}
	slot->color = color;
}

static bool parse_channel(const char **s, char end, uint8_t *channel)
{
	size_t len = strspn(*s, "0123456789");
	uint64_t value;

	if (!text_u64(*s, len, UINT8_MAX, &value) || (*s)[len] != end)
		return false;
	*channel = (uint8_t)value;
	*s += len + 1;
	return true;
}

static bool read_line(struct svg_palette_map *map, char *line)
{
	char *arrow = NULL;
	struct svg_rgb color;
	const char *s;

	line[strcspn(line, "\r\n")] = '\0';
	for (char *at = strstr(line, "->"); at; at = strstr(at + 2, "->"))
		arrow = at;
	if (!arrow || strncmp(arrow, "->rgb(", 6))
		return false;
	s = arrow + 6;
	if (!parse_channel(&s, ',', &color.r) || !parse_channel(&s, ',', &color.g) ||
	    !parse_channel(&s, ')', &color.b) || *s)
		return false;
	*arrow = '\0';
	insert(map, line, color);
	return true;
}

struct svg_palette_map *svg_palette_map_read(const char *path)
{
	struct svg_palette_map *map = xcalloc(1, sizeof(*map));
	unsigned long bad = 0;
	char *line = NULL;
	size_t cap = 0;
	bool ok;
	FILE *fp = fopen(path, "r");

	if (!fp && errno == ENOENT)
		return map;
	if (!fp) {
		msg_error("%s: %s; --cp keeps colours in this file", path, strerror(errno));
		svg_palette_map_free(map);
		return NULL;
	}
	while (getline(&line, &cap, fp) >= 0)
		bad += *line != '\n' && !read_line(map, line);
	ok = !ferror(fp);
	free(line);
	fclose(fp);
	if (!ok) {
		msg_error("%s: cannot read: %s", path, strerror(errno));
		svg_palette_map_free(map);
		return NULL;
	}
	if (bad)
		msg_warn("%s: %lu lines are not NAME->rgb(R,G,B) and will be dropped", path, bad);
	return map;
}

struct svg_rgb svg_palette_map_color(struct svg_palette_map *map, const char *name,
				     const char *annotation, struct svg_rgb color)
{
	char *key = xasprintf("%s%s", name, annotation);
	struct entry *slot = slot_for(map, key);

	if (slot->name)
		color = slot->color;
	else
		insert(map, key, color);
	free(key);
	return color;
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strcmp(x->name, y->name);
}

bool svg_palette_map_write(struct svg_palette_map *map, const char *path)
{
	struct entry *sorted = xcalloc(map->nr + 1, sizeof(*sorted));
	struct outfile out;
	size_t nr = 0;

	if (!outfile_open(&out, path, 0)) {
		free(sorted);
		return false;
	}
	for (size_t i = 0; i < map->size; i++)
		if (map->slots[i].name)
			sorted[nr++] = map->slots[i];
	qsort(sorted, nr, sizeof(*sorted), compare_entries);
	for (size_t i = 0; i < nr; i++)
		fprintf(out.fp, "%s->rgb(%u,%u,%u)\n", sorted[i].name, sorted[i].color.r,
			sorted[i].color.g, sorted[i].color.b);
	free(sorted);
	return outfile_commit(&out) == 0;
}

void svg_palette_map_free(struct svg_palette_map *map)
{
	if (!map)
		return;
	for (size_t i = 0; i < map->size; i++)
		free(map->slots[i].name);
	free(map->slots);
	free(map);
}
