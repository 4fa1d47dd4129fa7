/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile that can be shown to strangers: names of threads, paths and ids become
 * hashes with a secret key, equal ones equal hashes. Function names stay: they are what
 * the profile is about.
 */
#ifndef FLAME_ANONYMIZE_H
#define FLAME_ANONYMIZE_H

#include "profile/profile.h"
#include "util/siphash.h"

/* The key that a text stands for. */
struct siphash_key anonymize_key(const char *text);

/*
 * A new profile: names of threads become comm-HASH, objects, and what names of frames
 * say of objects and absolute paths, object-HASH, process and thread ids other numbers;
 * the host's name is left out. Marks in brackets ([unknown], [vdso]) stay.
 */
struct profile *profile_anonymize(const struct profile *p, const struct siphash_key *key);

#endif /* FLAME_ANONYMIZE_H */
