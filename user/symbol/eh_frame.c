// SPDX-License-Identifier: GPL-2.0-only
/*
 * Function bounds out of .eh_frame. libdw steps through the entries; the encoded start
 * and length of each are read here (LSB 5.0 Core, "Exception Frames"). Every read is
 * bounded by its entry.
 */
#include <dwarf.h>
#include <stdbool.h>
#include <string.h>
#include "symbol/eh_frame.h"

/* What a CIE says about the pointers of its FDEs; 0xff: cannot be read. */
static uint8_t fde_encoding(const Dwarf_CIE *cie)
{
	const char *aug = cie->augmentation;
	const uint8_t *p = cie->augmentation_data;
	size_t left = cie->augmentation_data_size;

	if (!aug || *aug != 'z')
		return aug && !*aug ? DW_EH_PE_absptr : DW_EH_PE_omit;
	while (*++aug && left) {
		switch (*aug) {
		case 'R':
			return *p;
		case 'L':
			p++;
			left--;
			break;
		case 'S':
		case 'B':
			break;
		default:
			/* 'P' holds a pointer of an encoding of its own. */
			if (*aug != 'P')
				return DW_EH_PE_omit;
			switch (*p & 0x07) {
			case DW_EH_PE_absptr:
			case DW_EH_PE_udata8:
				if (left < 9)
					return DW_EH_PE_omit;
				p += 9;
				left -= 9;
				break;
			case DW_EH_PE_udata4:
				if (left < 5)
					return DW_EH_PE_omit;
				p += 5;
				left -= 5;
				break;
			default:
				return DW_EH_PE_omit;
			}
		}
	}
	return DW_EH_PE_absptr;
}

static bool read_value(const uint8_t **p, const uint8_t *end, uint8_t format, bool is64,
		       uint64_t *value)
{
	uint64_t u8;
	uint32_t u4;
	uint16_t u2;

	if (format == DW_EH_PE_absptr)
		format = is64 ? DW_EH_PE_udata8 : DW_EH_PE_udata4;
	switch (format) {
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		if (end - *p < 8)
			return false;
		memcpy(&u8, *p, 8);
		*p += 8;
		*value = u8;
		return true;
	case DW_EH_PE_udata4:
	case DW_EH_PE_sdata4:
		if (end - *p < 4)
			return false;
		memcpy(&u4, *p, 4);
		*p += 4;
		*value = format == DW_EH_PE_sdata4 ? (uint64_t)(int64_t)(int32_t)u4 : u4;
		return true;
	case DW_EH_PE_udata2:
	case DW_EH_PE_sdata2:
		if (end - *p < 2)
			return false;
		memcpy(&u2, *p, 2);
		*p += 2;
		*value = format == DW_EH_PE_sdata2 ? (uint64_t)(int64_t)(int16_t)u2 : u2;
		return true;
	default:
		return false;
	}
}

static void add_fde(struct ranges *r, const Dwarf_FDE *fde, uint8_t encoding, bool is64,
		    const uint8_t *section, uint64_t address)
{
	const uint8_t *p = fde->start;
	uint64_t start, length, base = 0;

	if (encoding == DW_EH_PE_omit || (encoding & DW_EH_PE_indirect))
		return;
	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		base = address + (uint64_t)(p - section);
	else if ((encoding & 0x70) != DW_EH_PE_absptr)
		return;
	/* The length has the format of the start, without sign and base. */
	if (!read_value(&p, fde->end, encoding & 0x0f, is64, &start) ||
	    !read_value(&p, fde->end, encoding & 0x07, is64, &length))
		return;
	start += base;
	if (!is64)
		start &= UINT32_MAX;
	if (length && length <= UINT64_MAX - start)
		ranges_add(r, start, start + length, NULL, 0);
}

/* The encoding of the CIE at @at. */
static uint8_t cie_encoding(const unsigned char *e_ident, Elf_Data *data, Dwarf_Off at)
{
	Dwarf_CFI_Entry cie;
	Dwarf_Off next;

	if (dwarf_next_cfi(e_ident, data, true, at, &next, &cie) || !dwarf_cfi_cie_p(&cie))
		return DW_EH_PE_omit;
	return fde_encoding(&cie.cie);
}

void eh_frame_ranges(struct ranges *r, const unsigned char *e_ident, Elf_Data *data,
		     uint64_t address)
{
	bool is64 = e_ident[EI_CLASS] == ELFCLASS64;
	Dwarf_Off cie_at = (Dwarf_Off)-1, at = 0, next;
	uint8_t encoding = DW_EH_PE_omit;

	for (;; at = next) {
		Dwarf_CFI_Entry entry;
		int ret;

		next = at;
		ret = dwarf_next_cfi(e_ident, data, true, at, &next, &entry);
		if (ret > 0 || next <= at)
			break;
		/* An entry of a kind that libdw cannot read is stepped over. */
		if (ret || dwarf_cfi_cie_p(&entry))
			continue;
		if (entry.fde.CIE_pointer != cie_at) {
			cie_at = entry.fde.CIE_pointer;
			encoding = cie_encoding(e_ident, data, cie_at);
		}
		add_fde(r, &entry.fde, encoding, is64, data->d_buf, address);
	}
}
