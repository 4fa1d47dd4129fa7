# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Rounds of load, sample, unload, and what must not be left of them: used by a short
# and a long test. Sourced after lib.sh and profile.sh.

# memory - what the module could leave behind: pages it had mapped, and slab objects of
# the caches it could allocate from, one "NAME NUMBER" a line.
memory()
{
	sync
	echo 3 > /proc/sys/vm/drop_caches
	awk '/flame/ { n++ } END { print "vmalloc-areas-of-flame", n + 0 }' /proc/vmallocinfo
	awk '$1 == "Percpu:" || $1 == "SUnreclaim:" || $1 == "VmallocUsed:" { print $1, $2 }' /proc/meminfo
	awk '/^(task_struct|mm_struct|filp|dentry|pid|kmalloc-(cg-)?[0-9k]+|debugfs_inode_cache|seq_file) / {
		print $1, $2 }' /proc/slabinfo
}

# round N - one life of the module; each third one is unloaded while it samples.
round()
{
	local wait

	load || return 1
	put frequency 4999
	put sampling_on 1
	"$P/shares" 0.1
	"$P/short" 5
	wait=$(total < "$D/folded")
	[ "$wait" -gt 0 ] || echo "round $1: nothing was sampled"
	[ $(($1 % 3)) -eq 0 ] || put sampling_on 0
	rmmod flame || { echo "round $1: rmmod failed"; return 1; }
}

# rounds N - N of them with programs running, then judges.
rounds()
{
	local n=$1 i said

	busy 100000
	for i in 1 2 3; do	# caches fill
		round "$i" > /dev/null
	done
	memory > "$T/before"
	said=$(for ((i = 1; i <= n; i++)); do round "$i" || break; done)
	memory > "$T/after"
	stop_background
	equal "$n rounds of load, sample, unload all go well" "$said" ""
	equal "$n rounds: no vmalloc area is left" \
		"$(awk '$1 == "vmalloc-areas-of-flame" { print $2 }' "$T/after")" 0
	# What leaks once a round leaks at least $n objects; other work moves these numbers
	# by a few. Kilobytes: a page a round.
	equal "$n rounds: no cache has grown with them" "$(join "$T/before" "$T/after" | awk -v n="$n" '
		$1 ~ /:$/ { if ($3 - $2 > n * 4) print $1, $2, "kB to", $3, "kB"; next }
		$1 ~ /^(mm_struct|task_struct|filp|pid|seq_file|debugfs_inode_cache)$/ { if ($3 - $2 > n / 2) print $1, $2, "to", $3 }
		$1 ~ /^kmalloc/ { if ($3 - $2 > 4 * n + 100) print $1, $2, "to", $3 }')" ""
	equal "$n rounds: no file of flame in debugfs or /dev" \
		"$(ls -d /sys/kernel/debug/flame /dev/flame 2>/dev/null)" ""
	check "$n rounds: it can be loaded again" load
}
