// SPDX-License-Identifier: GPL-2.0-only
/*
 * Birth and end of a profile. Process context.
 */
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "profile.h"

struct flame_profile *flame_profile;

/* Of the limit, one part in IDENTITY_SHARE is for objects and images. */
#define IDENTITY_SHARE	4

struct flame_profile *flame_profile_create(u64 limit)
{
	struct flame_profile *profile = flame_zalloc(sizeof(*profile));

	if (!profile)
		return NULL;
	kref_init(&profile->ref);
	profile->limit = limit;
	profile->identity_limit = limit / IDENTITY_SHARE;
	if (flame_fold_init(&profile->fold, limit - profile->identity_limit)) {
		flame_free(profile);
		return NULL;
	}
	if (flame_objects_init(profile)) {
		flame_profile_put(profile);
		return NULL;
	}
	return profile;
}

bool flame_profile_is_empty(const struct flame_profile *profile)
{
	return flame_fold_nr_stacks(&profile->fold) == FLAME_FOLD_FULL_STACK &&
	       !flame_fold_stack_get(&profile->fold, FLAME_FOLD_FULL_STACK)->value;
}

void flame_profile_set_limit(struct flame_profile *profile, u64 limit)
{
	profile->limit = limit;
	profile->identity_limit = max(limit / IDENTITY_SHARE, profile->identity_used);
	profile->fold.limit = max(limit - limit / IDENTITY_SHARE, profile->fold.used);
}

static void destroy(struct kref *ref)
{
	struct flame_profile *profile = container_of(ref, struct flame_profile, ref);

	flame_identity_destroy(profile);
	flame_objects_destroy(profile);
	flame_fold_destroy(&profile->fold);
	flame_free(profile);
}

void flame_profile_put(struct flame_profile *profile)
{
	if (profile)
		kref_put(&profile->ref, destroy);
}
