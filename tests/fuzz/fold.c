// SPDX-License-Identifier: GPL-2.0-only
/*
 * The input as operations on a fold table with little memory: ids stay what they
 * are, the limit holds, no value is lost, the cache says what it was told last.
 */
/* sources: kmod/fold.c */
#include "fold.h"
#include "fuzz.h"

#define LIMIT	(192 * 1024)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u64 key[32] = { 0 }, hash, added = 0, sum = 0;
	struct flame_fold fold;
	u32 frames[255], id, i;

	if (flame_fold_init(&fold, LIMIT))
		return 0;
	while (size >= 4) {
		u8 op = data[0], n = data[1];
		u16 x = (u16)(data[2] | data[3] << 8);

		data += 4;
		size -= 4;
		switch (op % 5) {
		case 0:
			id = flame_fold_string(&fold, (const char *)data, min((u32)size, x));
			check(id == flame_fold_string(&fold, (const char *)data, min((u32)size, x)));
			break;
		case 1:
			id = flame_fold_frame(&fold, n % 5, x, op);
			check(id == flame_fold_frame(&fold, n % 5, x, op));
			break;
		case 2:
			for (i = 0; i < n; i++)
				frames[i] = x + i;
			id = flame_fold_stack(&fold, frames, n, op);
			check(id && id <= flame_fold_nr_stacks(&fold));
			check(id == flame_fold_stack(&fold, frames, n, op));
			flame_fold_stack_get(&fold, id)->value += n;
			added += n;
			break;
		case 3:
			/* Many at once, to get to the limit. */
			for (i = 0; i < x; i++)
				flame_fold_frame(&fold, FLAME_FRAME_USER, 1 + n, i);
			break;
		default:
			key[n % 32] = x;
			n = 8 * (1 + op % 32);
			hash = op & 1 ? flame_fold_hash(key, n) : x;
			id = flame_fold_cached(&fold, x % 3, key, n, hash);
			flame_fold_remember(&fold, x % 3, key, n, hash, x + 1);
			check(flame_fold_cached(&fold, x % 3, key, n, hash) == x + 1U);
			if (op == 254)
				flame_fold_forget(&fold);
		}
		check(fold.used <= fold.limit);
	}
	for (i = 1; i <= flame_fold_nr_stacks(&fold); i++)
		sum += flame_fold_stack_get(&fold, i)->value;
	check(sum == added);
	flame_fold_destroy(&fold);
	return 0;
}
