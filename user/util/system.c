// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is known of the machine.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "util/system.h"

bool system_read_line(const char *path, char *buf, size_t size)
{
	FILE *fp = fopen(path, "re");
	bool ok;

	if (!fp)
		return false;
	ok = fgets(buf, (int)size, fp);
	fclose(fp);
	if (ok)
		buf[strcspn(buf, "\n")] = '\0';
	return ok;
}

bool system_has_modules(void)
{
	return !access("/proc/modules", F_OK);
}

/* The file shows all levels, the one in force in brackets: "none [integrity] ...". */
const char *system_lockdown(void)
{
	static char level[64];
	char line[128], *open, *close;

	level[0] = '\0';
	if (!system_read_line("/sys/kernel/security/lockdown", line, sizeof(line)))
		return level;
	open = strchr(line, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close && (size_t)(close - open) < sizeof(level)) {
		memcpy(level, open + 1, (size_t)(close - open) - 1);
		level[close - open - 1] = '\0';
	}
	return level;
}

bool system_locked_down(void)
{
	const char *level = system_lockdown();

	return *level && strcmp(level, "none");
}
