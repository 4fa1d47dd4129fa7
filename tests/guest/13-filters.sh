#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What is sampled: set_pid, set_tid, set_comm, cpus, threads, follow_children, each
# against programs that must be seen and programs that must not.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module
put frequency 999

clear_filters()
{
	local f

	for f in set_pid set_tid set_comm cpus; do
		: > "$D/$f"
	done
	put threads all
	put options/follow_children 0
	reset_all
}

# start_threads - the program with three threads and one of another name.
start_threads()
{
	: > "$T/threads"
	"$P/threads" 1000 > "$T/threads" &
	run_in_background "$P/shares" 1000
	wait_for 30 grep -q blue "$T/threads"
	wait_for 30 grep -q green "$T/threads"
	wait_for 30 grep -q red "$T/threads"
	pid=$(awk '$1 == "pid" { print $2 }' "$T/threads")
	red=$(awk '$1 == "red" { print $2 }' "$T/threads")
	green=$(awk '$1 == "green" { print $2 }' "$T/threads")
}

# only NAME REGEX... - the last profile has samples of each REGEX and of nothing else.
only()
{
	local name=$1 all got

	shift
	all=$(total < "$T/folded")
	got=0
	for re; do
		n=$(matching "$re" < "$T/folded")
		got=$((got + n))
		[ "$n" -gt 0 ] || not_ok "$name: samples of $re" "none in:
$(head -n 20 "$T/folded")"
	done
	equal "$name: nothing else" "$got" "$all"
	identity "$name: identities" 999 1
}

take()
{
	sample 2
	cat "$D/folded" > "$T/folded"
}

start_threads
clear_filters
take
for re in '^red one;' '^green two;' '^blue[^;]*three;' '^shares;'; do
	at_least "no filter: sees $re" "$(matching "$re" < "$T/folded")" 50
done
equal "no filter: nothing is filtered" "$(stat_value filtered)" 0
check "the blank in a name stays" grep -q '^red one;' "$T/folded"
equal "the semicolon in a name is escaped: it opens no frame" \
	"$(grep -c '^blue;' "$T/folded")" 0

clear_filters
echo "$pid" > "$D/set_pid"
take
only "set_pid: all threads of the process" '^red one;' '^green two;' '^blue[^;]*three;'
at_least "set_pid: the others' ticks are counted as filtered" "$(stat_value filtered)" 50

clear_filters
echo "$red" > "$D/set_tid"
take
only "set_tid: one thread" '^red one;'
at_least "set_tid: the others' ticks are counted as filtered" "$(stat_value filtered)" 50

clear_filters
echo "$red $green" > "$D/set_tid"
take
only "set_tid: two threads" '^red one;' '^green two;'

clear_filters
printf 'red*\ngreen tw?\n' > "$D/set_comm"
take
only "set_comm: patterns, names with blanks" '^red one;' '^green two;'

clear_filters
printf '[rg]*\n' > "$D/set_comm"
take
equal "set_comm: a class of letters does not see others" \
	"$(matching '^(blue|shares)' < "$T/folded")" 0
at_least "set_comm: a class of letters sees its own" "$(matching '^(red|green)' < "$T/folded")" 50

clear_filters
echo 'red' > "$D/set_comm"
take
equal "set_comm: a pattern matches the whole name, not a part" "$(total < "$T/folded")" 0
at_least "set_comm: all of it filtered" "$(stat_value filtered)" 100

clear_filters
echo "$pid" > "$D/set_pid"
printf 'red*\nshares\n' > "$D/set_comm"
take
only "set_pid and set_comm together: what passes both" '^red one;'

# threads.
clear_filters
put threads user
take
at_least "threads user: sees programs" "$(matching '^(red|green|shares)' < "$T/folded")" 50
stop_background

if [ -e /sys/kernel/mm/ksm/run ]; then
	run_in_background "$P/ksm"
	run_in_background "$P/shares" 1000
	echo 200 > /sys/kernel/mm/ksm/pages_to_scan
	echo 1 > /sys/kernel/mm/ksm/sleep_millisecs
	echo 1 > /sys/kernel/mm/ksm/run
	clear_filters
	put threads kernel
	take
	at_least "threads kernel: sees ksmd" "$(matching '^ksmd;' < "$T/folded")" 50
	equal "threads kernel: sees no program" "$(matching '^(shares|ksm)(;|$)' < "$T/folded")" 0
	equal "a kernel thread has no user frames" "$(grep '^ksmd;' "$T/folded" | grep -c '+0x')" 0
	at_least "a kernel thread's stack reaches ret_from_fork" \
		"$(share '^ksmd;ret_from_fork' '^ksmd;' < "$T/folded")" 990
	identity "threads kernel: identities" 999 1
	clear_filters
	put threads user
	take
	equal "threads user: does not see ksmd" "$(matching '^ksmd(;|$)' < "$T/folded")" 0
	at_least "threads user: sees the program" "$(matching '^shares;' < "$T/folded")" 50
	echo 0 > /sys/kernel/mm/ksm/run
	stop_background
else
	skip "threads: user and kernel" "this kernel has no KSM to keep a kernel thread busy"
fi

# cpus.
if [ "$(nproc)" -ge 2 ]; then
	run_in_background taskset -c 0 "$P/shares" 1000
	run_in_background taskset -c 1 "$P/parents" 1000
	clear_filters
	echo 1 > "$D/cpus"
	take
	at_least "cpus 1: sees what runs there" "$(matching '^parents;' < "$T/folded")" 100
	equal "cpus 1: does not see what runs elsewhere" "$(matching '^shares(;|$)' < "$T/folded")" 0
	equal "cpus 1: CPU 0 has no tick at all" "$(stat_value ticks cpu0)" 0
	# The shell itself may be on CPU 1 when it stops, so ids, not absence, are tested.
	identity "cpus 1: identities" 999 1
	clear_filters
	echo 0-1 > "$D/cpus"
	take
	at_least "cpus 0-1: sees CPU 0" "$(matching '^shares;' < "$T/folded")" 100
	at_least "cpus 0-1: sees CPU 1" "$(matching '^parents;' < "$T/folded")" 100
	stop_background
else
	skip "cpus" "one CPU"
fi

# follow_children: a child by fork and what it becomes by exec, and not before it is asked.
ln -s "$P/forkexec" "$T/execed"
children()
{
	"$P/forkexec" 1000 "$T/execed" &
	echo $! > "$D/set_pid"
	sample 3
	stop_background
	named "$P/forkexec" "$T/execed" < "$D/folded" > "$T/folded"
}
clear_filters
children
at_least "follow_children 0: sees the parent" "$(matching 'parent_work' < "$T/folded")" 50
equal "follow_children 0: sees no child" "$(matching '(child|exec)_work' < "$T/folded")" 0
clear_filters
put options/follow_children 1
children
at_least "follow_children 1: sees the parent" "$(matching 'parent_work' < "$T/folded")" 50
at_least "follow_children 1: sees the child after fork" "$(matching 'child_work' < "$T/folded")" 50
at_least "follow_children 1: sees the child after exec" "$(matching '^execed;.*exec_work' < "$T/folded")" 50
identity "follow_children: identities" 999 1

# A filter that matches nothing.
clear_filters
sleep 1000 &
echo $! > "$D/set_pid"
run_in_background "$P/shares" 1000
take
equal "set_pid of a sleeper: folded is empty" "$(cat "$T/folded")" ""
at_least "set_pid of a sleeper: the rest was filtered" "$(stat_value filtered)" 50
identity "set_pid of a sleeper: identities" 999 1
stop_background
