// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inlined functions by libdw. Addresses in perf script's text are those of the process,
 * which say nothing about a relocated object; a symbol and the offset in it do.
 */
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "input/perf_inline.h"
#include "symbol/demangle.h"
#include "util/mem.h"

#define NAMES_MAX	64

struct symbol {
	char *name;
	uint64_t address;
};

/* An object, opened once; @module NULL: it cannot be read. */
struct object {
	char *path;
	Dwfl *dwfl;
	Dwfl_Module *module;
	struct symbol *symbol;	/* sorted by name */
	size_t nr_symbols, cap_symbols;
};

struct perf_inline {
	bool context;
	struct object *object;
	size_t nr_objects, cap_objects;
	char *name[NAMES_MAX];
	size_t nr_names;
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct perf_inline *perf_inline_new(bool context)
{
	struct perf_inline *p = xcalloc(1, sizeof(*p));

	p->context = context;
	return p;
}

static void forget_names(struct perf_inline *p)
{
	while (p->nr_names)
		free(p->name[--p->nr_names]);
}

void perf_inline_free(struct perf_inline *p)
{
	if (!p)
		return;
	forget_names(p);
	for (size_t i = 0; i < p->nr_objects; i++) {
		for (size_t k = 0; k < p->object[i].nr_symbols; k++)
			free(p->object[i].symbol[k].name);
		free(p->object[i].symbol);
		free(p->object[i].path);
		dwfl_end(p->object[i].dwfl);
	}
	free(p->object);
	free(p);
}

static int compare_symbols(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void read_symbols(struct object *o)
{
	int nr = dwfl_module_getsymtab(o->module);

	for (int i = 1; i < nr; i++) {
		GElf_Sym sym;
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(o->module, i, &sym, &address, NULL, NULL,
							   NULL);

		if (!name || GELF_ST_TYPE(sym.st_info) != STT_FUNC || !sym.st_value)
			continue;
		o->symbol = array_grow(o->symbol, &o->cap_symbols, o->nr_symbols + 1,
				       sizeof(*o->symbol));
		o->symbol[o->nr_symbols++] = (struct symbol){ demangle(name), address };
	}
	if (o->nr_symbols)
		qsort(o->symbol, o->nr_symbols, sizeof(*o->symbol), compare_symbols);
}

static struct object *find_object(struct perf_inline *p, const struct text *path)
{
	struct object *o;

	for (size_t i = 0; i < p->nr_objects; i++)
		if (strlen(p->object[i].path) == path->len &&
		    !memcmp(p->object[i].path, path->s, path->len))
			return &p->object[i];
	p->object = array_grow(p->object, &p->cap_objects, p->nr_objects + 1, sizeof(*p->object));
	o = &p->object[p->nr_objects++];
	*o = (struct object){ .path = xstrndup(path->s, path->len) };
	o->dwfl = dwfl_begin(&callbacks);
	if (!o->dwfl)
		return o;
	o->module = dwfl_report_offline(o->dwfl, "", o->path, -1);
	dwfl_report_end(o->dwfl, NULL, NULL);
	if (o->module)
		read_symbols(o);
	return o;
}

static bool find_address(const struct object *o, const struct perf_frame *f, uint64_t *address)
{
	/* demangle() leaves parameters out too. */
	struct symbol key = { .name = xstrndup(f->symbol.s, perf_name_length(f->symbol.s,
									      f->symbol.len)) };
	const struct symbol *found = o->nr_symbols ?
		bsearch(&key, o->symbol, o->nr_symbols, sizeof(key), compare_symbols) : NULL;

	free(key.name);
	if (!found || !f->has_offset)
		return false;
	*address = found->address + f->offset;
	return true;
}

static void add_name(struct perf_inline *p, Dwarf_Die *die, const char *file, int line)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
	const char *slash = file ? strrchr(file, '/') : NULL;
	char *shown;

	if (!name)
		name = dwarf_diename(die);
	if (p->nr_names == NAMES_MAX)
		return;
	shown = demangle(name ? name : "[unknown]");
	if (p->context) {
		p->name[p->nr_names++] = xasprintf("%s:%s:%d", shown,
						   slash ? slash + 1 : file ? file : "??", line);
		free(shown);
	} else {
		p->name[p->nr_names++] = shown;
	}
}

/* The place of the call that @die is inlined at. */
static void call_place(Dwarf_Die *cu, Dwarf_Die *die, const char **file, int *line)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;
	Dwarf_Files *files;
	size_t nr;

	*file = NULL;
	*line = 0;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &value))
		*line = (int)value;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &value) &&
	    !dwarf_getsrcfiles(cu, &files, &nr) && value < nr)
		*file = dwarf_filesrc(files, value, NULL, NULL);
}

/*
 * The DIEs around an address, innermost first. dwarf_getscopes() leaves the inlined
 * instance for where it was written; those that it is inlined into are its parents.
 */
static int scopes_at(Dwarf_Die *cu, Dwarf_Addr address, Dwarf_Die **scopes)
{
	Dwarf_Die *around = NULL;
	int nr = dwarf_getscopes(cu, address, &around);

	if (nr > 0)
		nr = dwarf_getscopes_die(&around[0], scopes);
	free(around);
	return nr;
}

bool perf_inline_find(struct perf_inline *p, const struct perf_frame *f)
{
	struct object *o = f->dso.len && f->dso.s[0] == '/' ? find_object(p, &f->dso) : NULL;
	Dwarf_Die *scopes = NULL, *cu;
	Dwarf_Addr bias, address;
	const char *file = NULL;
	int nr, line = 0;
	Dwfl_Line *at;

	forget_names(p);
	if (!o || !o->module || !find_address(o, f, &address))
		return false;
	cu = dwfl_module_addrdie(o->module, address, &bias);
	if (!cu)
		return false;
	at = dwfl_module_getsrc(o->module, address);
	if (at)
		file = dwfl_lineinfo(at, NULL, &line, NULL, NULL, NULL);
	nr = scopes_at(cu, address - bias, &scopes);
	for (int i = 0; i < nr; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		add_name(p, &scopes[i], file, line);
		if (tag == DW_TAG_subprogram)
			break;
		call_place(cu, &scopes[i], &file, &line);
	}
	free(scopes);
	return p->nr_names;
}

bool perf_inline_name(const struct perf_inline *p, size_t i, struct text *name, bool *outer)
{
	if (i >= p->nr_names)
		return false;
	*name = (struct text){ p->name[i], strlen(p->name[i]) };
	*outer = i + 1 == p->nr_names;
	return true;
}
