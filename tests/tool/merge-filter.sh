#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame merge and flame filter from the outside. The samples come from perf script text,
# which says time, CPU and ids; what must be left is counted by hand.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C HOME=$work XDG_CONFIG_HOME=$work
status=0

# result NAME - ok if the command before it succeeded.
result()
{
	local good=$?

	if [ $good -eq 0 ]; then
		echo "ok - $1"
	else
		echo "not ok - $1"
		[ ! -s err ] || head -n 12 err | sed 's/^/# /'
		status=1
	fi
}

# sample COMM PID TID CPU TIME PERIOD FRAME... - of perf script text, leaf first.
sample()
{
	printf '%s %d/%d [%03d] %s: %d cycles:\n' "$1" "$2" "$3" "$4" "$5" "$6"
	shift 6
	printf '\t10 %s+0x0 (/bin/p)\n' "$@"
	echo
}

{
	sample web 100 100 0 10.000 1 parse main
	sample web 100 101 1 10.500 2 send main
	sample db 200 200 0 11.000 4 scan main
	sample db 200 200 3 11.999 8 sort main
	sample db 200 200 2 12.000 16 parse main
} >one.perf

# keeps ARGS... - what flame filter leaves is on stdin.
keeps()
{
	cat >expected
	"$flame" filter "$@" one.perf >part.flame 2>err && "$flame" fold part.flame >found 2>>err &&
		diff expected found >>err
}

keeps --time 0.5..1.999 <<'EOF'
db;main;scan 4
web;main;send 2
EOF
result "filter --time: from the first sample on, the end excluded"
keeps --time ..1 <<'EOF'
web;main;parse 1
web;main;send 2
EOF
result "filter --time without a beginning"
keeps --time 1.999.. <<'EOF'
db;main;parse 16
db;main;sort 8
EOF
result "filter --time without an end"
keeps --comm 'w*' <<'EOF'
web;main;parse 1
web;main;send 2
EOF
result "filter --comm"
keeps --comm web --comm d? --cpu 0,2-3 <<'EOF'
db;main;parse 16
db;main;scan 4
db;main;sort 8
web;main;parse 1
EOF
result "filter --comm twice, --cpu"
keeps --pid 101,150-300 <<'EOF'
db;main;parse 16
db;main;scan 4
db;main;sort 8
web;main;send 2
EOF
result "filter --pid: processes, threads, ranges"
keeps --frame '^s(can|ort)$' <<'EOF'
db;main;scan 4
db;main;sort 8
EOF
result "filter --frame"
keeps --frame main --comm db --time 2.. <<'EOF'
db;main;parse 16
EOF
result "all conditions must hold"
"$flame" filter --cpu 0 one.perf 2>err | "$flame" filter --time 1.. -f folded 2>>err >found &&
	[ "$(cat found)" = 'db;main;scan 4' ]
result "what filter writes keeps its samples"
printf 'a;b_[k] 3\nc;d 4\n' >sums
"$flame" filter --frame '_\[k\]$' -f folded sums >found 2>err && [ "$(cat found)" = 'a;b_[k] 3' ]
result "sums by frame"
"$flame" filter --time 1.. sums >found 2>err
[ $? -eq 1 ] && [ ! -s found ] && grep -q 'holds sums only' err
result "sums by time: refused"
"$flame" filter --comm nobody one.perf >found 2>err
[ $? -eq 1 ] && [ ! -s found ] && grep -q 'nothing meets' err
result "nothing left: said, exit 1"
bad()
{
	"$flame" filter "$@" one.perf >found 2>err
	[ $? -eq 2 ] && [ ! -s found ]
}
bad --time 3..1 && bad --time 5 && bad --time x..y && bad --time 1..1e3 && bad --cpu 3-1 &&
	bad --cpu , && bad --pid 12a && bad --pid '' && bad --frame '(' && bad --format x
result "bad values: usage errors"

# ---- merge ------------------------------------------------------------------------------

"$flame" merge one.perf one.perf -o two.flame 2>err && "$flame" fold two.flame >found 2>>err &&
	"$flame" fold one.perf | awk '{ n = $NF * 2; sub(/ [0-9]+$/, ""); print $0, n }' | diff - found >>err
result "merge adds"
"$flame" export -f jsonl two.flame 2>err | grep -c '"time_ns"' >found && [ "$(cat found)" -eq 10 ]
result "samples stay when all have them"
# Folded text names no event: its counts are another event than cycles.
printf 'db;main;scan 5\nx 1\n' >sums
printf 'db;main;scan 4\n' >a
printf 'db;main;scan 5\n' >b
"$flame" merge -f folded a b sums >found 2>err && printf 'db;main;scan 14\nx 1\n' | diff - found >>err
result "sums are added to sums"
"$flame" merge one.perf sums -o mixed.flame 2>err && grep -q 'only sums are kept' err &&
	"$flame" export -f jsonl mixed.flame 2>>err | grep -q '"event":"cycles".*"value":4,"stack"' &&
	"$flame" export -f jsonl mixed.flame 2>>err | grep -q '"event":"".*"value":5,"stack"'
result "samples and sums: sums, events kept apart, and said"
printf 'a 18446744073709551615\n' >huge
"$flame" merge huge b >found 2>err
[ $? -eq 1 ] && [ ! -s found ] && grep -q 'b: with it the counts add up to more than 2^64 - 1' err
result "more than 64 bits: said, exit 1"
"$flame" merge 2>err </dev/null
[ $? -eq 2 ]
result "merge of nothing: usage error"
"$flame" merge a missing -o kept 2>err
[ $? -eq 1 ] && [ ! -e kept ] && grep -q missing err
result "an input that is missing: exit 1, nothing written"

# ---- the file -------------------------------------------------------------------------------

"$flame" merge one.perf -o whole.flame 2>err
size=$(stat -c %s whole.flame)
bad=0
for cut in $(seq 1 23 $((size - 1))); do
	head -c "$cut" whole.flame >cut.flame
	"$flame" fold cut.flame >found 2>err
	# A file that ends early is said to be cut, whatever could be read of it.
	grep -q "^flame: .*cut.flame" err || bad=1
done
[ $bad -eq 0 ]
result "a cut file: one that says where"
exit $status
