#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Whom a sample belongs to when processes are short, forked, exec'ed, 32-bit, deep or
# deleted: frames stay OBJECT+0xOFFSET, comm and frames are of the same moment.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module
put frequency 999

# Processes that live 20 ms and are gone when folded is read.
put sampling_on 1
for _ in $(seq 60); do
	"$P/short"
done
put sampling_on 0
named "$P/short" < "$D/folded" > "$T/folded"
at_least "20 ms processes: samples" "$(matching '^short;.*;brief(;|$)' < "$T/folded")" 100
at_least "20 ms processes: the function where they spend their life is named" \
	"$(share ';brief(;|$)' '^short;.*;main(;|$)' < "$T/folded")" 950
at_least "20 ms processes: its caller too" \
	"$(share ';main;brief(;|$)' ';brief(;|$)' < "$T/folded")" 990
at_most "20 ms processes: next to none is unknown" \
	"$(share '\[(unknown|anon)\]' '^short;' < "$T/folded")" 50
identity "20 ms processes: identities" 999 1
check "20 ms processes: the object stands in objects" grep -F "$P/short" "$D/objects"
id=$(readelf -n "$P/short" | awk '/Build ID/ { print $3 }')
check "20 ms processes: with its build-id" grep -F "$id" "$D/objects"

# A program whose file is deleted while it runs.
reset_all
cp "$P/shares" "$T/deleted"
put sampling_on 1
"$T/deleted" 2 &
sleep 0.2
rm "$T/deleted"
wait $!
put sampling_on 0
check "a deleted program: frames have the object and offset" \
	grep -Eq '^deleted;.*;deleted[^;]*\+0x[0-9a-f]+' "$D/folded"
sed 's/;deleted[^;+]*+0x/;shares+0x/g' "$D/folded" | named "$P/shares" > "$T/folded"
between "a deleted program: the offsets are right" \
	"$(share ';seventy$' '^deleted;' < "$T/folded")" 550 850

# Two programs of one name are two objects.
reset_all
mkdir "$T/a" "$T/b"
cp "$P/shares" "$T/a/twin"
cp "$P/parents" "$T/b/twin"
put sampling_on 1
"$T/a/twin" 1
"$T/b/twin" 1
put sampling_on 0
equal "two programs of one name: both in objects" "$(grep -Ec "$T/[ab]/twin" "$D/objects")" 2
equal "two programs of one name: two names in folded" \
	"$(grep '^twin;' "$D/folded" | grep -Eo ';[^;+]*twin[^;+]*\+0x' | sort -u | wc -l)" 2

# fork and exec: each name only with the functions it had.
reset_all
ln -s "$P/forkexec" "$T/execed"
put sampling_on 1
"$P/forkexec" 4 "$T/execed"
put sampling_on 0
named "$P/forkexec" < "$D/folded" > "$T/folded"
at_least "fork: the parent's work" "$(matching '^forkexec;.*;parent_work' < "$T/folded")" 100
at_least "fork: the child's work" "$(matching '^forkexec;.*;child_work' < "$T/folded")" 100
at_least "exec: the new program's work under its new name" \
	"$(matching '^execed;.*;exec_work' < "$T/folded")" 100
equal "exec: nothing of before under the new name" \
	"$(matching '^execed;.*;(parent|child)_work' < "$T/folded")" 0
equal "exec: nothing of after under the old name" \
	"$(matching '^forkexec;.*;exec_work' < "$T/folded")" 0
identity "fork and exec: identities" 999 1

# 32 bit.
if [ -x "$P/b32" ]; then
	reset_all
	sample_while "$P/b32" 2
	named "$P/b32" < "$D/folded" > "$T/folded"
	if [ "$(matching '^b32' < "$T/folded")" -eq 0 ] && ! "$P/b32" 0; then
		skip "a 32-bit program" "this kernel runs none"
	else
		at_least "a 32-bit program: samples in its function" \
			"$(matching '^b32;.*;inner32$' < "$T/folded")" 500
		at_least "a 32-bit program: its callers, in order" \
			"$(share ';main;outer32;inner32$' ';inner32$' < "$T/folded")" 990
	fi
fi

# Deeper than max_depth: marked at the root side, the leaf's side is whole.
reset_all
put max_depth 20
sample_while "$P/depth" 100 2
put max_depth 127
named "$P/depth" < "$D/folded" > "$T/folded"
tail20=$(printf ';deeper%.0s' $(seq 19))
at_least "deeper than max_depth: the leaf's 20 frames behind [truncated]" \
	"$(share "^depth;\\[truncated\\]$tail20;work\$" ';work$' < "$T/folded")" 990
at_least "deeper than max_depth: counted" "$(stat_value truncated)" 500
reset_all
sample_while "$P/depth" 90 1
named "$P/depth" < "$D/folded" > "$T/folded"
equal "not deeper than max_depth: no mark" "$(matching '^depth;.*\[truncated\]' < "$T/folded")" 0
deep=$(printf ';deeper%.0s' $(seq 90))
at_least "not deeper than max_depth: whole" \
	"$(share ";main$deep;work\$" ';work$' < "$T/folded")" 990
reset_all
put max_depth 1023
sample_while "$P/depth" 1000 1
named "$P/depth" < "$D/folded" > "$T/folded"
at_least "1000 calls deep with max_depth 1023: whole" \
	"$(awk '/^depth;.*;work / { all += $NF; whole = /;main;deeper/
		if (gsub(/;deeper/, "") == 1000 && whole) good += $NF }
		END { printf "%d\n", all ? 1000 * good / all : 0 }' "$T/folded")" 990

# One leaf called from two parents, roughly (the exact test counts instructions).
reset_all
put max_depth 127
sample_while "$P/parents" 3
named "$P/parents" < "$D/folded" > "$T/folded"
at_least "a leaf of two parents: the first" "$(matching ';often;leaf$' < "$T/folded")" 100
at_least "a leaf of two parents: the second" "$(matching ';seldom;leaf$' < "$T/folded")" 50
at_least "a leaf of two parents: it has one of them" \
	"$(share ';(often|seldom);leaf$' ';leaf$' < "$T/folded")" 990

# Kernel names although kptr_restrict hides addresses.
reset_all
echo 2 > /proc/sys/kernel/kptr_restrict
put sampling_on 1
dd if=/dev/zero of=/dev/null bs=1M count=3000 2> /dev/null
put sampling_on 0
check "kptr_restrict 2: kernel frames have names" \
	grep -Eq '^dd;.*;entry_SYSCALL_64_after_hwframe_\[k\];.*_\[k\] ' "$D/folded"
echo 0 > /proc/sys/kernel/kptr_restrict

# JIT: memory that is executable and no file, is [jit], not one stack for each address.
if [ -x "$P/jit" ]; then
	reset_all
	sample_while "$P/jit" 2
	at_least "code in anonymous memory is [jit]" \
		"$(share '^jit;.*\[jit\]' '^jit;' < "$D/folded")" 900
	at_most "code in anonymous memory: few lines however many addresses" \
		"$(grep -c '^jit;' "$D/folded")" 50
fi
