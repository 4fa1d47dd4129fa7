#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame record against the module: what it leaves, its exit status, signals, filters,
# what it says when nothing was recorded or something was lost, a disk that is full.
# limit: 1200

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module
if [ ! -x "$FLAME" ]; then
	not_ok "flame record" "no tool at $FLAME"
	exit 0
fi
cd "$T" || exit 1
export HOME=$T XDG_CACHE_HOME=$T/cache

# record ARGS... - flame record; status in $status, what it said in err.
record()
{
	"$FLAME" record "$@" > out 2> err
	status=$?
}

# samples FILE - how many the file holds.
samples()
{
	"$FLAME" fold "$1" 2> /dev/null | total
}

# The file.
record -F 999 -- "$P/shares" 2
equal "without -o it is prof.flame; status 0" "$status $(ls ./*.flame)" "0 ./prof.flame"
equal "it is for its owner alone" "$(stat -c %a prof.flame)" 600
at_least "it has samples" "$(samples prof.flame)" 50
equal "nothing goes to stdout" "$(cat out)" ""
cp prof.flame first
record -F 999 -- "$P/shares" 1
check "an older one becomes .old" cmp first prof.flame.old
record -F 999 -o named.flame -- "$P/shares" 1
at_least "-o names it" "$(samples named.flame)" 50
equal "no temporary file is left" "$(find . -newer first -type f -name '*flame*' | sort | paste -sd ' ')" \
	"./named.flame ./prof.flame"
mkdir owned
chown 1234:1234 owned
SUDO_UID=1234 SUDO_GID=1234 "$FLAME" record -q -F 999 -o owned/x.flame -- "$P/shares" 0.2 2> /dev/null
equal "under sudo it belongs to the one who asked" "$(stat -c %u owned/x.flame)" 1234
ln -s /etc/flame-test-target link.flame
record -F 999 -o link.flame -- "$P/shares" 0.2
equal "a symbolic link is not followed" "$(ls /etc/flame-test-target 2> /dev/null)" ""

# The command's own status.
record -- sh -c 'exit 7'
equal "ends with the command's status" $status 7
record -- sh -c 'kill -KILL $$'
equal "128 and the signal" $status 137
record -- /nonexistent/command
at_least "a command that cannot be run: not 0" $status 1
check "a command that cannot be run: says so" grep -q nonexistent err
equal "a command that cannot be run: sampling is off" "$(cat "$D/sampling_on")" 0

# Usage.
for args in "-F 0" "-F abc" "-F 100001" "-e nosuchsource" "--nosuchoption" "-C 99999" "--max-depth 0"; do
	# shellcheck disable=SC2086 # several words
	record $args -o usage.flame -- true
	if [[ $status =~ ^[12]$ ]] && [ -s err ] && [ ! -e usage.flame ]; then
		ok "$args: refused, with a reason, no file"
	else
		not_ok "$args: refused, with a reason, no file" "status $status: $(cat err)"
	fi
done
record -F 99 -a -g -o habit.flame -- sleep 1
equal "-F 99 -a -g -- sleep works as habit has it" $status 0

# Signals end a recording well.
for sig in INT TERM HUP; do
	rm -f sig.flame
	"$FLAME" record -F 999 -o sig.flame 2> err &
	recorder=$!
	wait_for 30 grep -qx 'sampling: 1' "$D/stats"
	"$P/shares" 1
	kill -$sig $recorder
	wait $recorder
	equal "$sig: status" $? 0
	at_least "$sig: the file is whole" "$(samples sig.flame)" 50
	equal "$sig: sampling is off" "$(cat "$D/sampling_on")" 0
done
timeout 3 "$FLAME" record -F 999 -o sig.flame -- "$P/shares" 1000 2> err
at_least "timeout 3: the file is whole" "$(samples sig.flame)" 50
"$FLAME" record -F 999 -o kill.flame 2> err &
recorder=$!
wait_for 30 grep -qx 'sampling: 1' "$D/stats"
kill -KILL $recorder
wait $recorder 2> /dev/null
check "KILL: sampling turns off" wait_for 20 grep -qx 0 "$D/sampling_on"
equal "KILL: settings are the defaults" "$(cat "$D/frequency")" 99

# -d, and that settings are given back.
put frequency 123
record -F 999 -d 2 -o dur.flame
equal "-d: ends by itself" $status 0
equal "-d: frequency is what it was" "$(cat "$D/frequency")" 123
put frequency 99

# Filters.
"$P/threads" 1000 > threads &
wait_for 30 grep -q blue threads
wait_for 30 grep -q red threads
pid=$(awk '$1 == "pid" { print $2 }' threads)
red=$(awk '$1 == "red" { print $2 }' threads)
run_in_background "$P/shares" 1000
record -F 999 -d 2 -p "$pid" -o p.flame
"$FLAME" fold p.flame > folded
at_least "-p: the process" "$(matching '^red one;' < folded)" 50
equal "-p: nothing else" "$(matching '^shares' < folded)" 0
record -F 999 -d 2 -t "$red" -o t.flame
"$FLAME" fold t.flame > folded
at_least "-t: the thread" "$(matching '^red one;' < folded)" 50
equal "-t: nothing else" "$(matching '^(shares|green|blue)' < folded)" 0
record -F 999 -d 2 -K -o k.flame
equal "-K: kernel stacks alone" "$("$FLAME" fold k.flame | grep -vc '^[^;]*\(;[^;]*_\[k\]\)* [0-9]*$')" 0
record -F 999 -d 2 -U -o u.flame
equal "-U: user stacks alone" "$("$FLAME" fold u.flame | grep -c '_\[k\]')" 0
at_least "-U: has samples" "$(samples u.flame)" 50
stop_background

# Nothing recorded.
sleep 1000 & sleeper=$!
record -F 99 -d 1 -p $sleeper -o nothing.flame
equal "a sleeping process: exit 1" $status 1
check "a sleeping process: says what to do" grep -Eqi 'sle|off-?cpu|asleep' err
kill $sleeper
wait $sleeper 2> /dev/null
record -F 99 -d 1 -p $sleeper -o nothing.flame
equal "a process that is gone: exit 1" $status 1
check "a process that is gone: names it" grep -q "$sleeper" err

# Somebody else samples.
put sampling_on 1
record -F 99 -d 1 -o busy.flame
equal "busy: exit 1" $status 1
check "busy: names who" grep -Eq 'wr|[0-9]+' err
equal "busy: the other one goes on" "$(cat "$D/sampling_on")" 1
put sampling_on 0

# What was lost is said, with the control to change.
put buffer_size_kb 4
put frequency 10000
echo 900000 > /proc/sys/kernel/sched_rt_runtime_us
for cpu in $(seq 0 $(($(nproc) - 1))); do
	run_in_background taskset -c "$cpu" chrt -f 50 "$P/depth" 24 1000
done
record -F 10000 -d 4 -o lost.flame
stop_background
check "lost samples are said" grep -Eqi 'lost' err
check "and the control to change is named" grep -q buffer_size_kb err
put buffer_size_kb 1024
put frequency 99

# A disk that is full.
mkdir full
mount -t tmpfs -o size=96k none full
run_in_background "$P/stacks" 17 1000
record -F 4999 -d 6 -o full/x.flame
stop_background
at_least "disk full: not 0" $status 1
check "disk full: said" grep -Eqi 'space|full' err
check "disk full: the file is named" grep -q 'full/x.flame' err
kept=$(find full -type f | head -n 1)
at_least "disk full: what was written before stays readable" "$(samples "${kept:-/nonexistent}")" 1
equal "disk full: sampling is off" "$(cat "$D/sampling_on")" 0
umount full

# EPIPE is silent.
"$FLAME" fold prof.flame 2> err | head -n 1 > /dev/null
equal "a reader that goes away: silence" "$(cat err)" ""
