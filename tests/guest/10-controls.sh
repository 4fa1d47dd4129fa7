#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Control files: what stands in them after loading, and that each good value that is
# written is the one that is read back.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module

# good NAME VALUE [READ-BACK] - VALUE can be set and reads back.
good()
{
	local answer got

	answer=$("$W" "$D/$1" "$2\n" | tail -n 1)
	got=$(cat "$D/$1")
	if [ "$answer" = OK ] && [ "$got" = "${3-$2}" ]; then
		ok "$1: takes \"$2\""
	else
		not_ok "$1: takes \"$2\"" "write: $answer; reads back: \"$got\"; expected: \"${3-$2}\""
	fi
}

# Defaults, as the manual has them.
while read -r name value; do
	equal "$name: default" "$(cat "$D/$name" 2>&1)" "$value"
done << 'END'
sampling_on 0
current_source timer
frequency 99
duration 0
stacks kernel user
unwind auto
max_depth 127
set_pid
set_tid
set_comm
threads all
buffer_size_kb 1024
memory_limit_kb 65536
max_overhead 0
options/idle 0
options/annotate 1
options/comm 1
options/pid 0
options/tid 0
options/cpu 0
options/irq 0
options/offset 0
options/follow_children 0
options/overwrite 0
END

# Each control ends its value with a newline.
for name in frequency stacks set_pid options/idle cpus; do
	equal "$name: ends with a newline" "$(tail -c 1 "$D/$name" | od -An -tx1 | tr -d ' ')" 0a
done

for v in 1 99 999 10000 100000; do good frequency "$v"; done
for v in 0 1 3600 86400; do good duration "$v"; done
for v in kernel user "kernel user" none; do good stacks "$v"; done
good stacks "user kernel" "kernel user"
for v in table fp auto; do good unwind "$v"; done
for v in 1 2 127 1023; do good max_depth "$v"; done
for v in user kernel all; do good threads "$v"; done
for v in 256 65536 1048576 1073741824; do good memory_limit_kb "$v"; done
for v in 0 1 50 1000; do good max_overhead "$v"; done
for v in 4 64 1024 65536; do good buffer_size_kb "$v"; done
good buffer_size_kb 5 8
good buffer_size_kb 1000 1024
good buffer_size_kb 1025 2048
good current_source timer
for name in "$D"/options/*; do
	name=options/${name##*/}
	old=$(cat "$D/$name")
	good "$name" $((1 - old))
	good "$name" "$old"
done

# CPU lists.
last=$(($(nproc) - 1))
all=$(cat "$D/cpus")
good cpus 0
if [ "$last" -gt 0 ]; then
	good cpus "0-$last"
	good cpus "0,1" "0-1"
	good cpus "1,0" "0-1"
fi
: > "$D/cpus"
equal "cpus: empty means all again" "$(cat "$D/cpus")" "$all"

# A value without a newline at its end, as printf writes it.
equal "frequency: takes a value without newline" \
	"$("$W" "$D/frequency" 250; cat "$D/frequency")" "OK
250"

# Lists of ids: ">" replaces, ">>" adds, empty clears.
sleep 1000 & a=$!
sleep 1000 & b=$!
sleep 1000 & c=$!
for list in set_pid set_tid; do
	echo $a > "$D/$list"
	equal "$list: > sets" "$(cat "$D/$list")" "$a"
	echo $b >> "$D/$list"
	equal "$list: >> adds" "$(sorted "$(cat "$D/$list")")" "$(sorted "$a $b")"
	echo $b >> "$D/$list"
	equal "$list: >> of what is there changes nothing" \
		"$(sorted "$(cat "$D/$list")")" "$(sorted "$a $b")"
	echo $c > "$D/$list"
	equal "$list: > replaces" "$(cat "$D/$list")" "$c"
	echo "$a $b  $c" > "$D/$list"
	equal "$list: takes several in one write" \
		"$(sorted "$(cat "$D/$list")")" "$(sorted "$a $b $c")"
	printf '%s\n%s\n' $a $b > "$D/$list"
	equal "$list: takes newlines between ids, as pgrep prints them" \
		"$(sorted "$(cat "$D/$list")")" "$(sorted "$a $b")"
	{ echo $b; echo $c; } > "$D/$list"
	equal "$list: one open with > and several writes: all of them" \
		"$(sorted "$(cat "$D/$list")")" "$(sorted "$b $c")"
	echo > "$D/$list"
	equal "$list: an empty line clears" "$(cat "$D/$list")" ""
	echo "$a" > "$D/$list"
	: > "$D/$list"
	equal "$list: > without a write clears" "$(cat "$D/$list")" ""
done

# Ids are the writer's, shown as the reader's.
inside=$(unshare --pid --fork --mount-proc sh -c "
	sleep 1000 & echo \$! > $D/set_pid && echo \$! && cat $D/set_pid; kill \$!")
equal "set_pid: id of a pid namespace reads back the same inside" \
	"$(sed -n 2p <<< "$inside")" "$(sed -n 1p <<< "$inside")"
unshare --pid --fork --mount-proc sh -c 'sleep 1001; :' &
wait_for 20 pgrep -f 'sleep 1001' > /dev/null
outer=$(pgrep -x -f 'sleep 1001')
inner=$(awk '/^NSpid:/ { print $NF }' "/proc/$outer/status")
nsenter --target "$outer" --pid sh -c "echo $inner > $D/set_pid"
equal "set_pid: id of a pid namespace is the host's id outside" "$(cat "$D/set_pid")" "$outer"
: > "$D/set_pid"

# Patterns on thread names, one a line, blanks in them.
printf 'red one\n' > "$D/set_comm"
equal "set_comm: a name with a blank" "$(cat "$D/set_comm")" "red one"
printf 'green*\n' >> "$D/set_comm"
equal "set_comm: >> adds a line" "$(cat "$D/set_comm")" "red one
green*"
printf '[ab]?c*\nx y z\n' > "$D/set_comm"
equal "set_comm: two patterns in one write" "$(cat "$D/set_comm")" "[ab]?c*
x y z"
: > "$D/set_comm"
equal "set_comm: empty clears" "$(cat "$D/set_comm")" ""

# What can only be read.
check "README: says how to start" grep -q sampling_on "$D/README"
check "version: has a number" grep -q '[0-9]' "$D/version"
check "available_sources: has timer" grep -q '^timer' "$D/available_sources"
equal "error_log: no refusal so far" "$(cat "$D/error_log")" ""
equal "folded: empty before the first session" "$(cat "$D/folded")" ""
equal "stats: sampling is off" "$(stat_value sampling)" 0
for name in ticks idle filtered recorded lost lost_ring_full missed throttled truncated \
	    user_failed overwritten overhead_ns max_handler_ns time_on_ns idle_hits; do
	check "stats: has $name" stat_value $name
	check "per_cpu/cpu0/stats: has $name" stat_value $name cpu0
done
for name in stacks memory_bytes memory_limit_bytes pending_bytes stream_lost; do
	check "stats: has $name" stat_value $name
done
