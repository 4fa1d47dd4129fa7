// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of kernel addresses, through the kernel's own exported symbol printer. Process
 * context, under the collector's mutex. No raw address leaves: what has no name is
 * "[unknown]".
 */
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/string.h>
#include "profile.h"

/* "name [module]", "name+0x1/0x2 [module]" or "0x…" becomes a name; its length. */
static u32 trim(char *symbol, bool offset)
{
	char *end;

	if (!strncmp(symbol, "0x", 2))
		return 0;
	end = strpbrk(symbol, offset ? "/ " : "+ ");
	if (end)
		*end = '\0';
	return strlen(symbol);
}

static u32 look_up(struct flame_profile *profile, u64 addr, bool marked, bool offset)
{
	static const char unknown[] = "[unknown]";
	char symbol[KSYM_SYMBOL_LEN], name[KSYM_SYMBOL_LEN];
	u32 len, string;

	if (offset)
		sprint_symbol(symbol, addr);
	else
		sprint_symbol_no_offset(symbol, addr);
	len = trim(symbol, offset);
	if (len) {
		len = flame_escape(name, sizeof(name), symbol, len, false);
		string = flame_fold_string(&profile->fold, name, len);
	} else {
		string = flame_fold_string(&profile->fold, unknown, sizeof(unknown) - 1);
	}
	return flame_fold_frame(&profile->fold, marked ? FLAME_FRAME_KERNEL_MARKED :
							 FLAME_FRAME_KERNEL, string, 0);
}

u32 flame_kernel_frame(struct flame_profile *profile, u64 addr, bool marked, bool offset)
{
	struct flame_name_cache_slot *slot = &profile->names[hash_64(addr, 12)];

	if (slot->addr != addr || !slot->frame) {
		slot->addr = addr;
		slot->frame = look_up(profile, addr, marked, offset);
	}
	return slot->frame;
}

void flame_names_forget(struct flame_profile *profile)
{
	memset(profile->names, 0, sizeof(profile->names));
}
