// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any run of records of a whole profile: none makes a profile that contradicts itself, and
 * nothing is read behind a record's end (each lies in memory of just its size).
 */
/* sources: user/input/profile_records.c user/profile/profile.c user/util/mem.c user/util/msg.c user/util/text.c */
#include <string.h>
#include "fuzz.h"
#include "input/profile_records.h"

static void check_profile(const struct profile *p)
{
	for (uint32_t e = 0; e < profile_nr_events(p); e++) {
		uint64_t sum = 0;

		for (uint32_t s = 0; s < profile_nr_stacks(p); s++)
			sum += profile_self(p, s, e);
		check(sum == profile_total(p, e));
	}
	for (uint32_t s = 1; s < profile_nr_stacks(p); s++) {
		check(profile_stack_parent(p, s) < s);
		check(profile_stack_frame(p, s) < profile_nr_frames(p));
	}
	for (uint32_t f = 0; f < profile_nr_frames(p); f++) {
		check(profile_frame_at(p, f)->kind <= FRAME_SPECIAL);
		check(!strchr(profile_text(p, profile_frame_at(p, f)->name), ';'));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile_records records = { 0 };
	struct profile *p = profile_new();

	profile_keep_samples(p);
	while (size >= sizeof(struct flame_rec)) {
		struct flame_rec head, *rec;

		/* One byte each for type and size, so that changes meet something. */
		memcpy(&head, data, sizeof(head));
		head.type = (uint16_t)(PROFILE_REC_EVENT + head.type % 6);
		head.size = 8 + head.size % 16 * 8;
		if (head.size > size)
			break;
		rec = malloc(head.size);
		memcpy(rec, data, head.size);
		*rec = head;
		profile_records_add(&records, p, rec);
		free(rec);
		data += head.size;
		size -= head.size;
	}
	check_profile(p);
	profile_records_free(&records);
	profile_free(p);
	return 0;
}
