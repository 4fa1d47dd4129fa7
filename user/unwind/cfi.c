// SPDX-License-Identifier: GPL-2.0-only
/*
 * Call frame information: entries and their programs. Must never read outside its
 * section, and never take more than a bounded time for a byte of it.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include "unwind/cfi.h"
#include "util/mem.h"

/* GCC and clang nest none; assembly nests by hand. */
#define STATES_MAX	16

/* Bytes of an entry that are still to be read. */
struct cursor {
	const uint8_t *at, *end;
};

bool cfi_uleb(const uint8_t **p, const uint8_t *end, uint64_t *value)
{
	unsigned int shift = 0;
	uint64_t v = 0;

	while (*p < end) {
		uint8_t byte = *(*p)++;

		if (shift >= 64 || (shift == 63 && (byte & 0x7e)))
			return false;
		v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80)) {
			*value = v;
			return true;
		}
	}
	return false;
}

bool cfi_sleb(const uint8_t **p, const uint8_t *end, int64_t *value)
{
	unsigned int shift = 0;
	uint64_t v = 0;

	while (*p < end) {
		uint8_t byte = *(*p)++;

		if (shift >= 64)
			return false;
		v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80)) {
			if (shift < 64 && (byte & 0x40))
				v |= ~0ull << shift;
			*value = (int64_t)v;
			return true;
		}
	}
	return false;
}

static bool take(struct cursor *c, void *value, size_t bytes)
{
	if ((size_t)(c->end - c->at) < bytes)
		return false;
	memcpy(value, c->at, bytes);
	c->at += bytes;
	return true;
}

static bool take_uleb(struct cursor *c, uint64_t *value)
{
	return cfi_uleb(&c->at, c->end, value);
}

static bool take_sleb(struct cursor *c, int64_t *value)
{
	return cfi_sleb(&c->at, c->end, value);
}

/* An unsigned number of 1, 2, 4 or 8 bytes. */
static bool take_number(struct cursor *c, size_t bytes, uint64_t *value)
{
	*value = 0;
	return take(c, value, bytes);
}

/* A number in the format of a pointer encoding, without what it is relative to. */
static bool take_format(struct cursor *c, uint8_t format, uint64_t *value)
{
	int64_t s = 0;

	switch (format) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return take_number(c, 8, value);
	case DW_EH_PE_udata4:
		return take_number(c, 4, value);
	case DW_EH_PE_udata2:
		return take_number(c, 2, value);
	case DW_EH_PE_sdata4:
		if (!take_number(c, 4, value))
			return false;
		*value = (uint64_t)(int64_t)(int32_t)*value;
		return true;
	case DW_EH_PE_sdata2:
		if (!take_number(c, 2, value))
			return false;
		*value = (uint64_t)(int64_t)(int16_t)*value;
		return true;
	case DW_EH_PE_uleb128:
		return take_uleb(c, value);
	case DW_EH_PE_sleb128:
		if (!take_sleb(c, &s))
			return false;
		*value = (uint64_t)s;
		return true;
	default:
		return false;
	}
}

/* An encoded address. Only absolute ones and those relative to themselves are in use. */
static bool take_address(const struct cfi *cfi, struct cursor *c, uint8_t encoding,
			 uint64_t *value)
{
	uint64_t base = 0;

	if (encoding == DW_EH_PE_omit || (encoding & DW_EH_PE_indirect))
		return false;
	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		base = cfi->address + (uint64_t)(c->at - cfi->bytes);
	else if ((encoding & 0x70) != DW_EH_PE_absptr)
		return false;
	if (!take_format(c, encoding & 0x0f, value))
		return false;
	*value += base;
	return true;
}

/* The augmentation data of a CIE: what `z` and the letters behind it say. */
static bool read_augmentation(struct cfi_cie *cie, const char *letters, struct cursor *c)
{
	struct cursor data;
	uint64_t len, skipped;
	uint8_t encoding;

	if (!*letters)
		return true;
	if (*letters != 'z' || !take_uleb(c, &len) || len > (uint64_t)(c->end - c->at))
		return false;
	cie->augmented = true;
	data = (struct cursor){ c->at, c->at + len };
	c->at += len;
	while (*++letters) {
		switch (*letters) {
		case 'R':
			if (!take(&data, &cie->encoding, 1))
				return false;
			break;
		case 'L':
			if (!take(&data, &encoding, 1))
				return false;
			break;
		case 'P':
			if (!take(&data, &encoding, 1) ||
			    !take_format(&data, encoding & 0x0f, &skipped))
				return false;
			break;
		case 'S':
			cie->signal = true;
			break;
		default:
			/* The length told where the program begins all the same. */
			return true;
		}
	}
	return true;
}

static bool execute(const struct cfi *cfi, const struct cfi_cie *cie, struct cursor c,
		    struct cfi_row *row, const struct cfi_fde *fde, cfi_row_fn fn, void *ctx);

static bool read_cie(const struct cfi *cfi, struct cfi_cie *cie, struct cursor c)
{
	uint8_t version, address_size, segment_size, byte;
	const char *letters = (const char *)c.at + 1;
	uint64_t ra;

	cie->encoding = DW_EH_PE_absptr;
	if (!take(&c, &version, 1) || (version != 1 && version != 3 && version != 4))
		return false;
	c.at = memchr(c.at, '\0', (size_t)(c.end - c.at));
	if (!c.at)
		return false;
	c.at++;
	if (version == 4 && (!take(&c, &address_size, 1) || address_size != 8 ||
			     !take(&c, &segment_size, 1) || segment_size))
		return false;
	if (!take_uleb(&c, &cie->code_align) || !take_sleb(&c, &cie->data_align))
		return false;
	if (version == 1) {
		if (!take(&c, &byte, 1))
			return false;
		ra = byte;
	} else if (!take_uleb(&c, &ra)) {
		return false;
	}
	cie->ra_is_rip = ra == DWARF_RA;
	if (!read_augmentation(cie, letters, &c))
		return false;
	return execute(cfi, cie, c, &cie->initial, NULL, NULL, NULL);
}

/* CIEs were met in rising order. */
static bool find_cie(const struct cfi *cfi, uint64_t offset, uint32_t *index)
{
	size_t lo = 0, hi = cfi->nr_cies;

	/* Most entries belong to the one before them, or to the first. */
	if (hi && cfi->cies[hi - 1].offset == offset)
		lo = hi - 1;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (cfi->cies[mid].offset == offset) {
			*index = (uint32_t)mid;
			return true;
		}
		if (cfi->cies[mid].offset < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

static bool read_fde(struct cfi *cfi, uint64_t cie_offset, struct cursor c)
{
	struct cfi_fde fde;
	const struct cfi_cie *cie;
	uint64_t length, skip;

	if (!find_cie(cfi, cie_offset, &fde.cie) || !cfi->cies[fde.cie].usable)
		return false;
	cie = &cfi->cies[fde.cie];
	/* The length has the format of the start, without sign and base. */
	if (!take_address(cfi, &c, cie->encoding, &fde.start) ||
	    !take_format(&c, cie->encoding & 0x07, &length) || length > UINT64_MAX - fde.start)
		return false;
	if (cie->augmented) {
		if (!take_uleb(&c, &skip) || skip > (uint64_t)(c.end - c.at))
			return false;
		c.at += skip;
	}
	if (!length)
		return true;
	fde.end = fde.start + length;
	fde.program = c.at;
	fde.program_len = (uint32_t)(c.end - c.at);
	cfi->fdes = array_grow(cfi->fdes, &cfi->cap_fdes, cfi->nr_fdes + 1, sizeof(fde));
	cfi->fdes[cfi->nr_fdes++] = fde;
	return true;
}

static bool read_entry(struct cfi *cfi, uint64_t at, struct cursor c, size_t id_size)
{
	uint64_t id, id_at = (uint64_t)(c.at - cfi->bytes), is_cie;

	if (!take_number(&c, id_size, &id))
		return false;
	if (cfi->is_eh)
		is_cie = id == 0;
	else
		is_cie = id == (id_size == 4 ? UINT32_MAX : UINT64_MAX);
	if (is_cie) {
		struct cfi_cie *cie;

		cfi->cies = array_grow(cfi->cies, &cfi->cap_cies, cfi->nr_cies + 1, sizeof(*cie));
		cie = &cfi->cies[cfi->nr_cies++];
		*cie = (struct cfi_cie){ .offset = at };
		cie->usable = read_cie(cfi, cie, c) && cie->ra_is_rip;
		return cie->usable;
	}
	/* In .eh_frame it is the way back from the id itself. */
	if (cfi->is_eh) {
		if (id > id_at)
			return false;
		id = id_at - id;
	}
	return read_fde(cfi, id, c);
}

void cfi_read(struct cfi *cfi, const uint8_t *bytes, size_t size, uint64_t address, bool is_eh)
{
	struct cursor c = { bytes, bytes + size };

	*cfi = (struct cfi){ .bytes = bytes, .size = size, .address = address, .is_eh = is_eh };
	for (;;) {
		uint64_t at = (uint64_t)(c.at - bytes), length;
		size_t id_size = 4;

		if (!take_number(&c, 4, &length))
			return;
		/* A zero ends .eh_frame. */
		if (!length && is_eh)
			return;
		if (length == UINT32_MAX) {
			if (!take_number(&c, 8, &length))
				return;
			/* The id has 8 bytes in .debug_frame, and still 4 in .eh_frame. */
			if (!is_eh)
				id_size = 8;
		}
		if (length > (uint64_t)(c.end - c.at)) {
			cfi->damaged++;
			return;
		}
		if (length > UINT32_MAX || !read_entry(cfi, at, (struct cursor){ c.at,
						       c.at + length }, id_size))
			cfi->damaged++;
		c.at += length;
	}
}

void cfi_free(struct cfi *cfi)
{
	free(cfi->cies);
	free(cfi->fdes);
	*cfi = (struct cfi){ 0 };
}

/* ---- programs ---------------------------------------------------------------- */

/* A program being executed. */
struct run {
	const struct cfi *cfi;
	const struct cfi_cie *cie;
	struct cursor c;
	struct cfi_row *row;
	struct cfi_row states[STATES_MAX];
	unsigned int nr_states;
};

static struct cfi_place *place_of(struct run *r, uint64_t reg)
{
	switch (reg) {
	case DWARF_RBX:
		return &r->row->regs[CFI_RBX];
	case DWARF_RBP:
		return &r->row->regs[CFI_RBP];
	case DWARF_RSP:
		return &r->row->regs[CFI_RSP];
	case DWARF_RA:
		return &r->row->regs[CFI_RA];
	default:
		return NULL;
	}
}

static void put(struct run *r, uint64_t reg, enum cfi_how how, int64_t value)
{
	struct cfi_place *place = place_of(r, reg);

	if (place)
		*place = (struct cfi_place){ .how = how, .value = value };
}

/* What the CIE said of the register. */
static void restore(struct run *r, uint64_t reg)
{
	struct cfi_place *place = place_of(r, reg);

	if (place)
		*place = r->cie->initial.regs[place - r->row->regs];
}

/* Products of hostile numbers wrap, quietly: rules with impossible offsets are refused later. */
static int64_t scale(int64_t factor, uint64_t value)
{
	return (int64_t)((uint64_t)factor * value);
}

static bool take_block(struct run *r, const uint8_t **bytes, uint32_t *len)
{
	uint64_t n;

	if (!take_uleb(&r->c, &n) || n > (uint64_t)(r->c.end - r->c.at))
		return false;
	*bytes = r->c.at;
	*len = (uint32_t)n;
	r->c.at += n;
	return true;
}

static bool put_block(struct run *r, enum cfi_how how)
{
	struct cfi_place place = { .how = how }, *to;
	uint64_t reg;

	if (!take_uleb(&r->c, &reg) || !take_block(r, &place.expr, &place.expr_len))
		return false;
	to = place_of(r, reg);
	if (to)
		*to = place;
	return true;
}

static bool put_factored(struct run *r, enum cfi_how how, bool is_signed)
{
	uint64_t reg, value;
	int64_t s = 0;

	if (!take_uleb(&r->c, &reg))
		return false;
	if (is_signed ? !take_sleb(&r->c, &s) : !take_uleb(&r->c, &value))
		return false;
	put(r, reg, how, scale(r->cie->data_align, is_signed ? (uint64_t)s : value));
	return true;
}

static bool def_cfa(struct run *r, bool is_signed)
{
	uint64_t reg, value;
	int64_t s = 0;

	if (!take_uleb(&r->c, &reg))
		return false;
	if (is_signed ? !take_sleb(&r->c, &s) : !take_uleb(&r->c, &value))
		return false;
	r->row->cfa_known = true;
	r->row->cfa_expr = NULL;
	r->row->cfa_reg = reg > UINT32_MAX ? UINT32_MAX : (uint32_t)reg;
	r->row->cfa_offset = is_signed ? scale(r->cie->data_align, (uint64_t)s) : (int64_t)value;
	return true;
}

/* Changes the half of a CFA of register and offset; there must be such a one. */
static bool def_cfa_part(struct run *r, uint8_t op)
{
	uint64_t value;
	int64_t s;

	if (!r->row->cfa_known || r->row->cfa_expr)
		return false;
	if (op == DW_CFA_def_cfa_offset_sf) {
		if (!take_sleb(&r->c, &s))
			return false;
		r->row->cfa_offset = scale(r->cie->data_align, (uint64_t)s);
		return true;
	}
	if (!take_uleb(&r->c, &value))
		return false;
	if (op == DW_CFA_def_cfa_offset)
		r->row->cfa_offset = (int64_t)value;
	else
		r->row->cfa_reg = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
	return true;
}

/* Remembering in a CIE's program means nothing; a state too many is damage. */
static bool remember(struct run *r)
{
	if (r->nr_states == STATES_MAX)
		return false;
	r->states[r->nr_states++] = *r->row;
	return true;
}

static bool recall(struct run *r)
{
	if (!r->nr_states)
		return false;
	*r->row = r->states[--r->nr_states];
	return true;
}

/* The instructions that change what holds; advancing is done by execute(). */
static bool change(struct run *r, uint8_t op)
{
	uint64_t reg, value;

	switch (op) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_offset_extended:
		return put_factored(r, CFI_OFFSET, false);
	case DW_CFA_offset_extended_sf:
		return put_factored(r, CFI_OFFSET, true);
	case DW_CFA_val_offset:
		return put_factored(r, CFI_VAL_OFFSET, false);
	case DW_CFA_val_offset_sf:
		return put_factored(r, CFI_VAL_OFFSET, true);
	case DW_CFA_GNU_negative_offset_extended:
		if (!take_uleb(&r->c, &reg) || !take_uleb(&r->c, &value))
			return false;
		put(r, reg, CFI_OFFSET, scale(r->cie->data_align, 0 - value));
		return true;
	case DW_CFA_restore_extended:
		if (!take_uleb(&r->c, &reg))
			return false;
		restore(r, reg);
		return true;
	case DW_CFA_undefined:
	case DW_CFA_same_value:
		if (!take_uleb(&r->c, &reg))
			return false;
		put(r, reg, op == DW_CFA_undefined ? CFI_UNDEFINED : CFI_SAME, 0);
		return true;
	case DW_CFA_register:
		if (!take_uleb(&r->c, &reg) || !take_uleb(&r->c, &value))
			return false;
		put(r, reg, CFI_REGISTER, value > INT32_MAX ? INT32_MAX : (int64_t)value);
		return true;
	case DW_CFA_remember_state:
		return remember(r);
	case DW_CFA_restore_state:
		return recall(r);
	case DW_CFA_def_cfa:
		return def_cfa(r, false);
	case DW_CFA_def_cfa_sf:
		return def_cfa(r, true);
	case DW_CFA_def_cfa_register:
	case DW_CFA_def_cfa_offset:
	case DW_CFA_def_cfa_offset_sf:
		return def_cfa_part(r, op);
	case DW_CFA_def_cfa_expression:
		r->row->cfa_known = true;
		return take_block(r, &r->row->cfa_expr, &r->row->cfa_expr_len);
	case DW_CFA_expression:
		return put_block(r, CFI_EXPRESSION);
	case DW_CFA_val_expression:
		return put_block(r, CFI_VAL_EXPRESSION);
	case DW_CFA_GNU_args_size:
		return take_uleb(&r->c, &value);
	default:
		return false;
	}
}

/* Advances *@loc if @op does that; *@advanced says so. */
static bool advance(struct run *r, uint8_t op, uint64_t *loc, bool *advanced)
{
	uint64_t delta;

	*advanced = true;
	switch (op) {
	case DW_CFA_advance_loc1:
		if (!take_number(&r->c, 1, &delta))
			return false;
		break;
	case DW_CFA_advance_loc2:
		if (!take_number(&r->c, 2, &delta))
			return false;
		break;
	case DW_CFA_advance_loc4:
		if (!take_number(&r->c, 4, &delta))
			return false;
		break;
	case DW_CFA_set_loc:
		return take_address(r->cfi, &r->c, r->cie->encoding, loc);
	default:
		*advanced = (op & 0xc0) == DW_CFA_advance_loc;
		if (!*advanced)
			return true;
		delta = op & 0x3f;
		break;
	}
	*loc += delta * r->cie->code_align;
	return true;
}

static bool step(struct run *r, uint8_t op)
{
	uint64_t value;

	switch (op & 0xc0) {
	case DW_CFA_offset:
		if (!take_uleb(&r->c, &value))
			return false;
		put(r, op & 0x3f, CFI_OFFSET, scale(r->cie->data_align, value));
		return true;
	case DW_CFA_restore:
		restore(r, op & 0x3f);
		return true;
	default:
		return change(r, op);
	}
}

/*
 * Executes the bytes of @c on @row. With @fn, for each range of @fde's addresses; without,
 * for a CIE, where no address is known.
 */
static bool execute(const struct cfi *cfi, const struct cfi_cie *cie, struct cursor c,
		    struct cfi_row *row, const struct cfi_fde *fde, cfi_row_fn fn, void *ctx)
{
	struct run r;
	uint64_t start = fde ? fde->start : 0, loc = start;
	bool advanced;
	uint8_t op;

	r.cfi = cfi;
	r.cie = cie;
	r.c = c;
	r.row = row;
	r.nr_states = 0;
	while (take(&r.c, &op, 1)) {
		if (!advance(&r, op, &loc, &advanced))
			return false;
		if (!advanced) {
			if (!step(&r, op))
				return false;
			continue;
		}
		if (!fn || loc < start)
			return false;
		if (loc >= fde->end)
			break;
		if (loc > start)
			fn(ctx, start, loc, row);
		start = loc;
	}
	if (fn)
		fn(ctx, start, fde->end, row);
	return true;
}

bool cfi_execute(const struct cfi *cfi, const struct cfi_fde *fde, cfi_row_fn fn, void *ctx)
{
	const struct cfi_cie *cie = &cfi->cies[fde->cie];
	struct cfi_row row = cie->initial;

	return execute(cfi, cie, (struct cursor){ fde->program, fde->program + fde->program_len },
		       &row, fde, fn, ctx);
}
