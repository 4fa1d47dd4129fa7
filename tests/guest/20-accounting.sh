#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Accounting (docs: both identities) under load, over several starts, with filters,
# with idle CPUs, with a ring too small, with user stacks that cannot be read.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module

# Under load, at several rates.
for hz in 1 99 999 4999; do
	reset_all
	put frequency $hz
	busy 3
	sample 2
	stop_background
	if [ $hz -gt 1 ]; then
		identity "load at $hz Hz" $hz 1
	else
		# No tick may fall into so short a time: the identity alone is asked for.
		at_most "load at 1 Hz: two ticks a CPU at most" "$(stat_value ticks)" $((3 * $(nproc)))
	fi
done

# Stops and starts add up.
reset_all
put frequency 999
busy 1000
for _ in 1 2 3 4 5 6; do
	put sampling_on 1
	sleep 0.5
	put sampling_on 0
	sleep 0.2
done
identity "six starts under load" 999 6
stop_background

# Idle CPUs, spared and not.
reset_all
put options/idle 0
sample 3
identity "idle guest, options/idle 0" 999 1
at_least "idle guest: idle grid points are counted" "$(stat_value idle)" 1000
equal "idle guest: no idle task in folded" "$(grep -c '^swapper' "$D/folded")" 0
reset_all
put options/idle 1
sample 3
identity "idle guest, options/idle 1" 999 1
equal "options/idle 1: nothing counts as idle, it is recorded" "$(stat_value idle)" 0
at_least "options/idle 1: the idle task is in folded" \
	"$(matching '^swapper' < "$D/folded")" 500
put options/idle 0

# While on, the first identity holds too whenever it is read.
reset_all
busy 1000
put sampling_on 1
fails=
for _ in 1 2 3 4 5 6 7 8 9 10; do
	sleep 0.2
	wrong=$(awk '{ v[$1] = $2 } END {
		if (v["ticks:"] != v["idle:"] + v["filtered:"] + v["recorded:"] + v["lost:"])
			print v["ticks:"], v["idle:"], v["filtered:"], v["recorded:"], v["lost:"] }' \
		"$D/per_cpu/cpu0/stats")
	[ -z "$wrong" ] || fails+="$wrong
"
done
put sampling_on 0
if [ -z "$fails" ]; then
	ok "ticks are idle + filtered + recorded + lost while on"
else
	not_ok "ticks are idle + filtered + recorded + lost while on" "$fails"
fi
identity "after reading stats while on" 999 1

# Reading folded over and over while on loses nothing and changes nothing.
reset_all
put sampling_on 1
last=0
fails=
for _ in 1 2 3 4 5 6 7 8; do
	n=$(total < "$D/folded")
	[ "$n" -ge "$last" ] || fails+="$last, then $n; "
	last=$n
done
put sampling_on 0
equal "folded only grows while on" "$fails" ""
identity "after reading folded while on" 999 1
stop_background

# Filtered.
reset_all
busy 1000
printf 'no such thread\n' > "$D/set_comm"
sample 2
identity "everything filtered" 999 1
equal "everything filtered: nothing is recorded" "$(stat_value recorded)" 0
at_least "everything filtered: counted" "$(stat_value filtered)" 1000
: > "$D/set_comm"

# A ring of 4 kB at a rate that it cannot hold between two visits of the collector.
# A real-time program on each CPU keeps the collector away for a part of each period.
reset_all
put buffer_size_kb 4
put frequency 10000
echo 900000 > /proc/sys/kernel/sched_rt_runtime_us
for cpu in $(seq 0 $(($(nproc) - 1))); do
	run_in_background taskset -c "$cpu" chrt -f 50 "$P/depth" 24 1000
done
sample 4
stop_background
at_least "4 kB ring: samples are lost" "$(stat_value lost)" 1
equal "4 kB ring: lost for the ring, and it says so" \
	"$(stat_value lost_ring_full)" "$(stat_value lost)"
identity "4 kB ring" 10000 1
put buffer_size_kb 1024
put frequency 999

# Depth: cut stacks are counted and marked.
reset_all
put max_depth 10
run_in_background "$P/depth" 200 1000
sample 2
stop_background
at_least "max_depth: cut stacks are counted" "$(stat_value truncated)" 100
identity "max_depth" 999 1
put max_depth 127

# Two CPUs with different shares of idle.
if [ "$(nproc)" -ge 2 ]; then
	reset_all
	run_in_background taskset -c 0 "$P/shares" 1000
	run_in_background taskset -c 1 "$P/burst" 1000
	sample 3
	stop_background
	identity "one busy CPU, one with bursts" 999 1
	at_least "the CPU with bursts was idle most of the time" \
		$((1000 * $(stat_value idle cpu1) / $(stat_value ticks cpu1))) 500
	at_most "the busy CPU was not idle" "$(stat_value idle cpu0)" $(($(stat_value ticks cpu0) / 20))
fi

# The counters about the sampler itself.
at_least "overhead_ns counts" "$(stat_value overhead_ns)" 1000
at_least "max_handler_ns counts" "$(stat_value max_handler_ns)" 100
at_most "max_handler_ns of all CPUs is one of theirs" "$(stat_value max_handler_ns)" \
	"$(cat "$D"/per_cpu/cpu*/stats | awk '$1 == "max_handler_ns:" && $2 > m { m = $2 } END { print m }')"
at_most "overhead is part of the time" "$(stat_value overhead_ns cpu0)" "$(stat_value time_on_ns cpu0)"
