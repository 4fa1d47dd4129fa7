#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame record and doctor on a machine without the module: usage, what is said, what is
# left behind. The recording itself is tested in a guest (tests/guest/70-record.sh).

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C HOME=$work XDG_CONFIG_HOME=$work
status=0

result()
{
	local good=$?

	if [ $good -eq 0 ]; then
		echo "ok - $1"
	else
		echo "not ok - $1"
		cat out err | sed 's/^/# /'
		status=1
	fi
}

# usage SAYS ARGS... - is refused with status 2 and one line that holds SAYS.
usage()
{
	local says=$1

	shift
	"$flame" record "$@" >out 2>err </dev/null
	[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^flame: record: ' err &&
		grep -qF -- "$says" err
	result "record $* is refused"
}

usage 1 -F 0
usage 100000 -F 100001
usage abc -F abc
usage offcpu -e offcpu
usage kprobe:x -e timer,kprobe:x
usage x -p 1,x
usage 0 -p 0
usage "empty list" -p ""
usage "empty list" -t " , "
usage 0-3,8 -C 1-x
usage cgroup -G /sys/fs/cgroup/x
usage wait -m 5
usage wait --state D
usage hardware --call-graph lbr
usage fp --call-graph frame
usage 1023 --max-depth 1024
usage seconds -d 0
usage seconds -d 1e3
usage seconds -d -1
usage --interval --count 2
usage "exclude each other" -K -U
usage "whole machine" -a -p 1
usage --nosuch --nosuch

if [ ! -e /dev/flame ]; then
	echo before >prof.flame
	"$flame" record -F 99 -a -g -d 1 -- touch ran >out 2>err </dev/null
	[ $? -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'module' err
	result "no module: one line says so"
	[ ! -e ran ] && [ "$(cat prof.flame)" = before ] && [ ! -e prof.flame.old ]
	result "the command is not run, no file is touched"
	"$flame" record -C 0-1 --call-graph dwarf,8192 -p "1 2
3" -- true >out 2>err
	[ $? -eq 1 ]
	result "habit options and lists of pgrep are taken"
else
	echo "ok - no module # SKIP there is one here"
fi

"$flame" doctor >out 2>err
verdict=$?
if grep -q '^BAD ' out; then bad=1; else bad=0; fi
[ $verdict -eq $bad ] && ! grep -qv -E '^(ok  |note|BAD |   )|^Nothing stands' out
result "doctor: status 1 if anything is bad"
awk '/^(note|BAD )/ { if (want) exit 1; want = 1; next } /^   / { want = 0; next } want { exit 1 }
	END { exit want }' out
result "doctor: each finding has its remedy"
if [ -e /proc/modules ]; then
	! grep -q 'cannot load modules' out
else
	grep -q 'cannot load modules' out
fi
result "doctor: a kernel without modules is seen"
exit $status
