// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ownership of recordings. Looks at the environment only when running as root: nobody
 * else could give a file away.
 */
#include <stdlib.h>
#include <unistd.h>
#include "util/owner.h"
#include "util/text.h"

bool owner_take(int fd)
{
	const char *uid = getenv("SUDO_UID"), *gid = getenv("SUDO_GID");
	uint64_t u, g;

	if (geteuid() || !uid || !gid)
		return true;
	if (!text_number(uid, 0, UINT32_MAX - 1, &u) || !text_number(gid, 0, UINT32_MAX - 1, &g))
		return true;
	return !fchown(fd, (uid_t)u, (gid_t)g);
}
