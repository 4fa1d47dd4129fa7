#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame unwind from the outside: tables of files, the cache, usage, and no module.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C HOME=$work XDG_CONFIG_HOME=$work XDG_CACHE_HOME=$work/cache
status=0

result()
{
	local good=$?

	if [ $good -eq 0 ]; then
		echo "ok - $1"
	else
		echo "not ok - $1"
		sed 's/^/# /' out
		status=1
	fi
}

# fails STATUS TEXT COMMAND... - ends with that status and says TEXT.
fails()
{
	local want=$1 text=$2 got=0

	shift 2
	"$@" >out 2>&1 || got=$?
	[ "$got" -eq "$want" ] && grep -qF -- "$text" out
}

libc=/lib/x86_64-linux-gnu/libc.so.6
"$flame" unwind $libc >out 2>&1
grep -qE "^$libc: [0-9]+ rows, [0-9]+ rules, [0-9]+ bytes$" out
result "a table is compiled"
"$flame" unwind $libc >out 2>&1
grep -qE "^$libc: .* bytes, from the cache$" out
result "and is in the cache then"
id=$(readelf -n $libc | sed -n 's/.*Build ID: //p')
[ -n "$id" ] && [ "$(stat -c %a "cache/flame/unwind/$id")" = 600 ]
result "under its build-id, for its owner only"

# Entries: what readelf counts.
entries=$(readelf --debug-dump=frames $libc 2>/dev/null | grep -c ' FDE ')
"$flame" unwind --stats $libc >out 2>&1
grep -qx "  entries: $entries" out
result "--stats counts the entries that readelf counts"
awk '/code bytes without a rule:/ { found = $6 <= 0.5 } END { exit !found }' out
result "libc has a rule for 99.5 % of its code"

fails 1 "/etc/passwd: is not an ELF file" "$flame" unwind /etc/passwd $libc && grep -q "^$libc:" out
result "what is no object is said, the others are compiled"
fails 1 "nowhere: No such file or directory" "$flame" unwind nowhere
result "a file that is not there"
objcopy -R .eh_frame -R .eh_frame_hdr /bin/true bare 2>/dev/null
fails 1 "bare: has no unwind information" "$flame" unwind bare
result "an object without unwind information"
head -c 10000 $libc >short.so
fails 1 "short.so: " "$flame" unwind short.so
result "an object cut short"

for args in "" "-p 1 $libc" "-a $libc" "--load -a -p 1" "--load --stats" "--nonsense"; do
	# shellcheck disable=SC2086
	fails 2 "see 'flame help unwind'" "$flame" unwind $args
	result "usage: flame unwind $args"
done
if [ ! -e /dev/flame ]; then
	fails 1 "/dev/flame: No such file or directory; see 'flame doctor'" "$flame" unwind --load -a
	result "--load without the module"
fi
exit $status
