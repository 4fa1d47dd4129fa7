#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# CPU hotplug while sampling: a CPU that goes and comes is sampled again, one that is
# away is not, one that was away at the start is sampled when it comes, and the books
# are right.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module
online=/sys/devices/system/cpu/cpu1/online
if [ ! -w $online ]; then
	skip "hotplug" "this guest has no CPU that can be taken away"
	exit 0
fi
put frequency 999

# on_cpu1 SECONDS - a program on CPU 1 alone.
on_cpu1()
{
	taskset -c 1 "$P/shares" "$1"
}

# Away and back.
put sampling_on 1
on_cpu1 1
before=$(stat_value recorded cpu1)
at_least "CPU 1 is sampled before" "$before" 100
echo 0 > $online
away=$(stat_value ticks cpu1)
on=$(stat_value time_on_ns cpu1)
sleep 1
equal "CPU 1 has no tick while it is away" "$(stat_value ticks cpu1)" "$away"
equal "CPU 1's time on stands still while it is away" "$(stat_value time_on_ns cpu1)" "$on"
equal "CPU 1's timer did not move to CPU 0: still one tick a period" \
	"$(awk '{ v[$1] = $2 } END { d = v["ticks:"] + v["missed:"] - v["time_on_ns:"] * 999 / 1e9
		print (d > -2 && d < 2) ? "yes" : "no: off by " d }' "$D/per_cpu/cpu0/stats")" yes
echo 1 > $online
on_cpu1 1
at_least "CPU 1 is sampled again when it is back" "$(stat_value recorded cpu1)" $((before + 100))
put sampling_on 0
# Twice started on CPU 1.
identity "away and back: identities" 999 2

# Over and over, under load.
reset_all
busy 1000
put sampling_on 1
for _ in 1 2 3 4 5 6 7 8; do
	echo 0 > $online
	sleep 0.1
	echo 1 > $online
	sleep 0.2
done
put sampling_on 0
stop_background
identity "eight rounds under load: identities" 999 9
equal "eight rounds under load: on until it was turned off" "$(stat_value sampling)" 0

# Away when it starts.
reset_all
echo 0 > $online
put sampling_on 1
sleep 0.5
equal "away at the start: no tick" "$(stat_value ticks cpu1)" 0
echo 1 > $online
on_cpu1 1
put sampling_on 0
at_least "away at the start: sampled when it comes" "$(stat_value recorded cpu1)" 100
identity "away at the start: identities" 999 1

# Away when it stops.
reset_all
put sampling_on 1
on_cpu1 1
recorded=$(stat_value recorded cpu1)
echo 0 > $online
put sampling_on 0
at_least "away at the stop: it had recorded something" "$recorded" 50
at_least "away at the stop: its samples are in folded" "$(matching '^shares(;|$)' < "$D/folded")" 10
echo 1 > $online
identity "away at the stop: identities" 999 1
sleep 0.5
identity "a CPU that comes while off is not sampled" 999 1

# cpus: only the one that is away.
reset_all
echo 1 > "$D/cpus"
echo 0 > $online
answer=$("$W" "$D/sampling_on" 1)
equal "cpus names only a CPU that is away: ENODEV" "$answer" ENODEV
equal "cpus names only a CPU that is away: off" "$(cat "$D/sampling_on")" 0
echo 1 > $online
put sampling_on 1
on_cpu1 0.5
put sampling_on 0
at_least "cpus: started when it is back" "$(stat_value recorded cpu1)" 100
: > "$D/cpus"

# Unload while a CPU is away, and load again.
echo 0 > $online
check "unload while a CPU is away" rmmod flame
check "load while a CPU is away" load
echo 1 > $online
sample 1
identity "loaded while a CPU was away: identities" 99 1
