// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unwind tables out of call frame information. Entries are translated to file offsets and
 * sorted; then one sweep writes rows page by page. What no entry describes gets rules
 * where the code itself is known (examine_gap()), else none.
 */
#include <stdlib.h>
#include <string.h>
#include "unwind/cfi.h"
#include "unwind/compile.h"
#include "unwind/go.h"
#include "util/mem.h"

#define ROWS_MAX	(FLAME_UNWIND_BYTES_MAX / sizeof(struct flame_unwind_row))
#define PAGES_MAX	(FLAME_UNWIND_BYTES_MAX / sizeof(uint32_t) / 4)
#define RULES_MAX	65535
#define RULE_SLOTS	(1u << 17)
/* _start of a dynamic linker or of a static program is not longer. */
#define ENTRY_BYTES	128
/* Less code than this without entries is not asked whether it keeps frame pointers. */
#define FRAMES_BYTES	4096
/* Functions begin at multiples of this; less than it between two of them is padding. */
#define ALIGNMENT	16

/* A described part of the file: by an entry, or by a rule that is known beforehand. */
struct part {
	uint64_t start, end;
	uint64_t delta;			/* from address to file offset */
	uint32_t fde;			/* index, or of fixed_rules */
	uint32_t source;		/* index of cfi, or FIXED */
};

#define FIXED	UINT32_MAX

struct build {
	const struct image *im;
	struct cfi cfi[2];		/* .eh_frame, .debug_frame */
	struct part *parts;
	size_t nr_parts, cap_parts;

	uint64_t base;
	uint32_t *pages;		/* rows before each page, filled up to @page */
	uint64_t nr_pages, page;
	struct flame_unwind_row *rows;
	size_t nr_rows, cap_rows;
	uint16_t rule;			/* that holds at the end of what is written */
	bool full;			/* too many rows */

	struct flame_unwind_rule *rules;
	size_t nr_rules, cap_rules;
	uint32_t *slots;		/* hash of rules: index + 1 */

	/* While an entry is executed. */
	uint64_t at;			/* file offset up to which rows are written */
	uint64_t end;			/* of the part */
	uint64_t delta;
	bool signal;
	struct unwind_stats *stats;
};

/* ---- rules and rows ------------------------------------------------------------ */

/* The index of a rule; 0, which is FLAME_CFA_NONE, when there are too many. */
static uint16_t rule_index(struct build *b, const struct flame_unwind_rule *rule)
{
	uint64_t i = hash_bytes(rule, sizeof(*rule));

	for (;; i++) {
		uint32_t *slot = &b->slots[i % RULE_SLOTS];

		if (!*slot) {
			if (b->nr_rules == RULES_MAX)
				return 0;
			b->rules = array_grow(b->rules, &b->cap_rules, b->nr_rules + 1,
					      sizeof(*rule));
			b->rules[b->nr_rules++] = *rule;
			*slot = (uint32_t)b->nr_rules;
			return (uint16_t)(*slot - 1);
		}
		if (!memcmp(&b->rules[*slot - 1], rule, sizeof(*rule)))
			return (uint16_t)(*slot - 1);
	}
}

static void push_row(struct build *b, uint16_t low, uint16_t rule)
{
	if (b->nr_rows == ROWS_MAX) {
		b->full = true;
		return;
	}
	b->rows = array_grow(b->rows, &b->cap_rows, b->nr_rows + 1, sizeof(*b->rows));
	b->rows[b->nr_rows++] = (struct flame_unwind_row){ low, rule };
}

/* Goes on to @page; each page begins with what holds there, if that is anything. */
static void turn_page(struct build *b, uint64_t page)
{
	while (b->page < page) {
		b->pages[++b->page] = (uint32_t)b->nr_rows;
		if (b->rule)
			push_row(b, 0, b->rule);
	}
}

/* From @offset on, which never falls, @rule holds. */
static void put_row(struct build *b, uint64_t offset, uint16_t rule)
{
	uint64_t page = (offset - b->base) / FLAME_UNWIND_PAGE;
	uint16_t low = offset % FLAME_UNWIND_PAGE;

	if (rule == b->rule || page >= b->nr_pages)
		return;
	turn_page(b, page);
	if (b->nr_rows > b->pages[page]) {
		if (!low)
			b->nr_rows--;
	} else if (low) {
		push_row(b, 0, 0);
	}
	push_row(b, low, rule);
	b->rule = rule;
}

static void put_rule(struct build *b, uint64_t offset, const struct flame_unwind_rule *rule)
{
	uint16_t index = rule_index(b, rule);

	put_row(b, offset, index);
}

static void put_none(struct build *b, uint64_t start, uint64_t end, enum unwind_none why)
{
	b->stats->none_bytes[why] += end - start;
	put_row(b, start, 0);
}

/* ---- code whose rule is known without an entry ---------------------------------- */

enum fixed { FIXED_END, FIXED_SIGNAL, FIXED_CALLED, FIXED_PLT, FIXED_PLT_IBT, FIXED_PLT_0,
	     FIXED_PLT_0_PUSHED, FIXED_FP };	/* index of fixed_rules */

static const struct flame_unwind_rule fixed_rules[] = {
	[FIXED_END] = { .cfa = FLAME_CFA_END },
	[FIXED_SIGNAL] = { .cfa = FLAME_CFA_SIGNAL },
	[FIXED_CALLED] = { .cfa = FLAME_CFA_SP, .cfa_offset = 8 },
	[FIXED_PLT] = { .cfa = FLAME_CFA_PLT, .cfa_offset = 11 },
	[FIXED_PLT_IBT] = { .cfa = FLAME_CFA_PLT, .cfa_offset = 9 },
	[FIXED_PLT_0] = { .cfa = FLAME_CFA_SP, .cfa_offset = 16 },
	[FIXED_PLT_0_PUSHED] = { .cfa = FLAME_CFA_SP, .cfa_offset = 24 },
	[FIXED_FP] = { .cfa = FLAME_CFA_FP },
};

static void add_fixed(struct build *b, uint64_t start, uint64_t end, enum fixed rule)
{
	b->parts = array_grow(b->parts, &b->cap_parts, b->nr_parts + 1, sizeof(*b->parts));
	b->parts[b->nr_parts++] = (struct part){ .start = start, .end = end, .fde = rule,
						 .source = FIXED };
}

/* The system call rt_sigreturn, as C libraries and Go write their restorers. */
static size_t match_sigreturn(const uint8_t *p, size_t left)
{
	static const uint8_t rax[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 };
	static const uint8_t eax[] = { 0xb8, 15, 0, 0, 0, 0x0f, 0x05 };

	if (left >= sizeof(rax) && !memcmp(p, rax, sizeof(rax)))
		return sizeof(rax);
	if (left >= sizeof(eax) && !memcmp(p, eax, sizeof(eax)))
		return sizeof(eax);
	return 0;
}

/*
 * Restorers of signal handlers in [@start, @end). A handler returns to their first byte,
 * and a return address is looked up by the byte before it.
 */
static void find_restorers(struct build *b, uint64_t start, uint64_t end)
{
	uint8_t buf[16384];

	while (end - start >= 7) {
		size_t size = end - start < sizeof(buf) ? end - start : sizeof(buf), len;

		if (!image_read(b->im, start, buf, size))
			return;
		for (size_t i = 0; i + 7 <= size; i++) {
			len = match_sigreturn(buf + i, size - i);
			if (len)
				add_fixed(b, start + i - 1, start + i + len, FIXED_SIGNAL);
		}
		if (size < sizeof(buf))
			return;
		start += size - 8;
	}
}

/*
 * Whether [@start, @end) is code of many functions that keep frame pointers, as V8's
 * builtins are in node: where `push %rbp; mov %rsp,%rbp` stands once in 4 KiB or more.
 */
static bool keeps_frame_pointers(const struct build *b, uint64_t start, uint64_t end)
{
	static const uint8_t prologue[] = { 0x55, 0x48, 0x89, 0xe5 };
	uint64_t size = end - start, found = 0;
	uint8_t buf[16384], *p;

	if (b->im->is_go)
		return true;
	for (; end - start >= sizeof(prologue); start += sizeof(buf)) {
		size_t n = end - start < sizeof(buf) ? end - start : sizeof(buf);

		if (size < FRAMES_BYTES || !image_read(b->im, start, buf, n))
			return false;
		for (p = buf; (p = memmem(p, n - (size_t)(p - buf), prologue, sizeof(prologue)));
		     p += sizeof(prologue))
			found++;
		if (n < sizeof(buf))
			break;
	}
	return found >= size / FRAMES_BYTES;
}

/*
 * Procedure linkage tables of linkers that describe none (lld), by the System V ABI for
 * AMD64, section 5.2: entry 0 pushes and jumps, the others jump, push, jump.
 */
static void find_plts(struct build *b, uint64_t start, uint64_t end)
{
	for (unsigned int i = 0; i < b->im->nr_plts; i++) {
		uint64_t at = b->im->plts[i].offset, stop = at + b->im->plts[i].size;
		uint8_t code[32];

		if (at < start || stop > end || stop - at < sizeof(code) ||
		    !image_read(b->im, at, code, sizeof(code)))
			continue;
		if (code[0] != 0xff || code[1] != 0x35) {	/* .plt.sec, .plt.got */
			add_fixed(b, at, stop, FIXED_CALLED);
			continue;
		}
		add_fixed(b, at, at + 6, FIXED_PLT_0);
		add_fixed(b, at + 6, at + 16, FIXED_PLT_0_PUSHED);
		add_fixed(b, at + 16, stop, code[16] == 0xf3 ? FIXED_PLT_IBT : FIXED_PLT);
	}
}

/*
 * The instructions of the C library's clone() from the system call on, for which no entry
 * can be true of both parent and child; the parent has its return address on top. A
 * thread that was never in user mode yet is the only one that is taken for a parent.
 */
static bool begins_with_clone(const struct build *b, uint64_t start, uint64_t end)
{
	static const uint8_t code[] = { 0x0f, 0x05, 0x48, 0x85, 0xc0 };	/* syscall; test rax,rax */
	uint8_t buf[sizeof(code)];

	return end - start >= sizeof(code) && image_read(b->im, start, buf, sizeof(buf)) &&
	       !memcmp(buf, code, sizeof(code));
}

/* Is it nothing but what a linker puts between two functions? */
static bool is_padding(uint64_t start, uint64_t end)
{
	return end - start < ALIGNMENT && !(end % ALIGNMENT);
}

/* What is known of [@start, @end), of which no entry says anything. */
static void examine_gap(struct build *b, uint64_t start, uint64_t end)
{
	uint64_t entry, left;

	if (start >= end || is_padding(start, end))
		return;
	if (b->im->entry && image_offset(b->im, b->im->entry, &entry, &left) &&
	    entry >= start && entry < end)
		add_fixed(b, entry, end - entry > ENTRY_BYTES ? entry + ENTRY_BYTES : end,
			  FIXED_END);
	if (begins_with_clone(b, start, end))
		add_fixed(b, start, end, FIXED_CALLED);
	find_plts(b, start, end);
	if (!b->im->is_go)
		find_restorers(b, start, end);
}

/* Looks at all that lies between the parts, which are sorted, and behind the last. */
static void examine_gaps(struct build *b)
{
	size_t nr = b->nr_parts, i = 0;

	for (unsigned int s = 0; s < b->im->nr_code; s++) {
		uint64_t at = b->im->code[s].offset, end = at + b->im->code[s].size;

		/* Go describes its restorer like any function. */
		if (b->im->is_go)
			find_restorers(b, at, end);
		for (i = 0; i < nr && b->parts[i].end <= at; i++)
			;
		for (; i < nr && b->parts[i].start < end; i++) {
			examine_gap(b, at, b->parts[i].start);
			if (b->parts[i].end > at)
				at = b->parts[i].end;
		}
		examine_gap(b, at, end);
	}
}

/* ---- the sweep --------------------------------------------------------------- */

static void take_row(void *ctx, uint64_t start, uint64_t end, const struct cfi_row *row)
{
	struct flame_unwind_rule rule;
	struct build *b = ctx;
	enum unwind_none why;
	bool known;

	start += b->delta;
	end += b->delta;
	if (start < b->at)
		start = b->at;
	if (end > b->end)
		end = b->end;
	if (start >= end)
		return;
	known = unwind_rule(&rule, row, b->signal, &why);
	if (!known)
		put_none(b, start, end, why);
	else
		put_rule(b, start, &rule);
	if (known && !b->rule)
		b->stats->none_bytes[UNWIND_NONE_RULES] += end - start;
	b->at = end;
}

/* Go's own code keeps frame pointers even where its .debug_frame was stripped. */
static void put_gap(struct build *b, uint64_t start, uint64_t end)
{
	if (is_padding(start, end))
		return;
	if (keeps_frame_pointers(b, start, end))
		put_rule(b, start, &fixed_rules[FIXED_FP]);
	else
		put_none(b, start, end, UNWIND_NONE_GAP);
}

static void sweep_entry(struct build *b, const struct part *p)
{
	const struct cfi *cfi = &b->cfi[p->source];
	const struct cfi_fde *fde = &cfi->fdes[p->fde];

	b->signal = cfi->cies[fde->cie].signal;
	b->delta = p->delta;
	b->stats->entries++;
	if (!cfi_execute(cfi, fde, take_row, b))
		b->stats->damaged++;
	if (b->at < b->end)
		put_none(b, b->at, b->end, UNWIND_NONE_DAMAGED);
}

static void sweep(struct build *b)
{
	b->at = b->parts[0].start;
	for (size_t i = 0; i < b->nr_parts && !b->full; i++) {
		const struct part *p = &b->parts[i];

		b->end = p->end;
		/* A restorer takes the byte before it from the function there. */
		if (i + 1 < b->nr_parts && p[1].source == FIXED && p[1].start < b->end)
			b->end = p[1].start;
		if (b->end <= b->at || b->end <= p->start)
			continue;
		if (p->start > b->at) {
			put_gap(b, b->at, p->start);
			b->at = p->start;
		}
		if (p->source == FIXED)
			put_rule(b, b->at, &fixed_rules[p->fde]);
		else
			sweep_entry(b, p);
		b->at = b->end;
	}
}

/* Of parts that begin together a fixed one is the best, then the entry in .eh_frame. */
static int compare_parts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->source != y->source)
		return x->source == FIXED || (y->source != FIXED && x->source < y->source) ?
		       -1 : 1;
	return (x->fde > y->fde) - (x->fde < y->fde);
}

/* The entries of a section whose code is in the file. */
static void add_parts(struct build *b, uint32_t which)
{
	const struct cfi *cfi = &b->cfi[which];

	b->stats->damaged += cfi->damaged;
	for (size_t i = 0; i < cfi->nr_fdes; i++) {
		const struct cfi_fde *fde = &cfi->fdes[i];
		uint64_t offset, left;

		if (!image_offset(b->im, fde->start, &offset, &left) ||
		    fde->end - fde->start > left)
			continue;
		b->parts = array_grow(b->parts, &b->cap_parts, b->nr_parts + 1,
				      sizeof(*b->parts));
		b->parts[b->nr_parts++] = (struct part){
			.start = offset,
			.end = offset + (fde->end - fde->start),
			.delta = offset - fde->start,
			.fde = (uint32_t)i,
			.source = which,
		};
	}
}

static void sort_parts(struct build *b)
{
	for (size_t i = 1; i < b->nr_parts; i++) {
		if (compare_parts(&b->parts[i - 1], &b->parts[i]) > 0) {
			qsort(b->parts, b->nr_parts, sizeof(*b->parts), compare_parts);
			return;
		}
	}
}

/* Lays the parts of the table behind each other. */
static void assemble(struct build *b, struct unwind_table *table)
{
	size_t pages_size = (b->nr_pages + 1) * sizeof(*b->pages);
	size_t rows_size = b->nr_rows * sizeof(*b->rows);
	size_t rules_size = b->nr_rules * sizeof(*b->rules);
	struct flame_unwind_head *head;
	uint8_t *p;

	head = xcalloc(1, sizeof(*head) + pages_size + rows_size + rules_size);
	head->magic = FLAME_UNWIND_MAGIC;
	head->version = FLAME_UNWIND_VERSION;
	head->bytes = (uint32_t)(sizeof(*head) + pages_size + rows_size + rules_size);
	head->nr_pages = (uint32_t)b->nr_pages;
	head->nr_rows = (uint32_t)b->nr_rows;
	head->nr_rules = (uint32_t)b->nr_rules;
	head->base = b->base;
	p = (uint8_t *)(head + 1);
	memcpy(p, b->pages, pages_size);
	memcpy(p + pages_size, b->rows, rows_size);
	memcpy(p + pages_size + rows_size, b->rules, rules_size);
	table->head = head;
	for (size_t i = 0; i < b->nr_rows; i++)
		table->stats.rows[b->rules[b->rows[i].rule].cfa]++;
}

static void build_rows(struct build *b)
{
	static const struct flame_unwind_rule none = { .cfa = FLAME_CFA_NONE };
	uint64_t first = b->parts[0].start, end = 0;

	for (size_t i = 0; i < b->nr_parts; i++)
		if (b->parts[i].end > end)
			end = b->parts[i].end;
	b->base = first - first % FLAME_UNWIND_PAGE;
	b->nr_pages = (end - b->base + FLAME_UNWIND_PAGE - 1) / FLAME_UNWIND_PAGE;
	if (b->nr_pages > PAGES_MAX) {
		b->full = true;
		return;
	}
	b->pages = xcalloc(b->nr_pages + 1, sizeof(*b->pages));
	b->slots = xcalloc(RULE_SLOTS, sizeof(*b->slots));
	rule_index(b, &none);
	b->stats->code_bytes = end - first;
	sweep(b);
	put_row(b, end, 0);
	turn_page(b, b->nr_pages - 1);
	b->pages[b->nr_pages] = (uint32_t)b->nr_rows;
}

/* Functions of Go's runtime that end a stack, whatever their entries say. */
static void take_go_end(void *ctx, uint64_t start, uint64_t end)
{
	struct build *b = ctx;
	uint64_t offset, left;

	if (image_offset(b->im, start, &offset, &left) && end - start <= left)
		add_fixed(b, offset, offset + (end - start), FIXED_END);
}

/* The table has to reach over all of Go's code, described or not. */
static void add_go(struct build *b)
{
	for (unsigned int i = 0; i < b->im->nr_code; i++) {
		uint64_t start = b->im->code[i].offset, end = start + b->im->code[i].size;

		add_fixed(b, start, start + 1, FIXED_FP);
		add_fixed(b, end - 1, end, FIXED_FP);
	}
	go_ends(b->im, take_go_end, b);
}

static const char *build_table(struct build *b, struct unwind_table *table)
{
	for (uint32_t i = 0; i < 2; i++)
		add_parts(b, i);
	if (b->im->is_go)
		add_go(b);
	if (!b->nr_parts)
		return "has no unwind information";
	sort_parts(b);
	examine_gaps(b);
	sort_parts(b);
	build_rows(b);
	if (b->full || sizeof(struct flame_unwind_head) + (b->nr_pages + 1) * sizeof(*b->pages) +
	    b->nr_rows * sizeof(*b->rows) + b->nr_rules * sizeof(*b->rules) >
	    FLAME_UNWIND_BYTES_MAX)
		return "needs a larger table than there may be";
	if (!b->nr_rows)
		return "has no unwind information that can be used";
	assemble(b, table);
	return NULL;
}

const char *unwind_compile(struct unwind_table *table, const struct image *im)
{
	struct build b = { .im = im, .stats = &table->stats };
	uint8_t *eh_frame, *debug_frame;
	const char *why;
	size_t size;

	*table = (struct unwind_table){ 0 };
	if (!im->is_64bit)
		return "is no x86-64 object";
	eh_frame = image_part_bytes(im, &im->eh_frame);
	if (eh_frame)
		cfi_read(&b.cfi[0], eh_frame, im->eh_frame.size, im->eh_frame.address, true);
	debug_frame = image_debug_frame(im, &size);
	if (debug_frame)
		cfi_read(&b.cfi[1], debug_frame, size, 0, false);
	why = build_table(&b, table);
	cfi_free(&b.cfi[0]);
	cfi_free(&b.cfi[1]);
	free(eh_frame);
	free(debug_frame);
	free(b.parts);
	free(b.pages);
	free(b.rows);
	free(b.rules);
	free(b.slots);
	return why;
}

void unwind_table_free(struct unwind_table *table)
{
	free(table->head);
	*table = (struct unwind_table){ 0 };
}
