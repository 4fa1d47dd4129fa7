#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Idle is idle: with options/idle 0 a sampler at 999 Hz hits the idle task at most 5
# times a second on each CPU of an idle guest. Counted by the module (idle_hits: timer
# expiries that found the idle task running) and, independent of it, by the kernel's
# count of local timer interrupts, printed with the baseline.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module

# loc - local timer interrupts so far, one number a CPU.
loc()
{
	awk '/^ *LOC:/ { for (i = 2; i <= NF && $i ~ /^[0-9]+$/; i++) printf "%d ", $i }' /proc/interrupts
}

# rates BEFORE AFTER SECONDS - per second and CPU.
rates()
{
	awk -v a="$1" -v b="$2" -v s="$3" 'BEGIN { n = split(a, x, " "); split(b, y, " ")
		for (i = 1; i <= n; i++) printf "%.1f ", (y[i] - x[i]) / s }'
}

seconds=20
sleep 2			# what loading left to do
before=$(loc); sleep $seconds; after=$(loc)
baseline=$(rates "$before" "$after" $seconds)

put frequency 999
put sampling_on 1
sleep 2
hits=()
for cpu in $(seq 0 $(($(nproc) - 1))); do
	hits[cpu]=$(stat_value idle_hits "cpu$cpu")
done
before=$(loc); sleep $seconds; after=$(loc)
with=$(rates "$before" "$after" $seconds)
for cpu in $(seq 0 $(($(nproc) - 1))); do
	n=$(($(stat_value idle_hits "cpu$cpu") - hits[cpu]))
	echo "# cpu$cpu: $n expiries hit the idle task in $seconds s"
	at_most "CPU $cpu: at most 5 expiries a second hit the idle task" $n $((5 * seconds))
done
put sampling_on 0
echo "# local timer interrupts a second on each CPU: without $baseline; at 999 Hz $with"
# The idle task is found by 5 a second at most; what else wakes the CPU (this shell,
# the kernel's own timers) may be hit once more each, so the bound here is loose, and
# far from the 999 of a sampler that does not stop.
at_most "interrupts: far from one a tick" \
	"$(awk -v a="$baseline" -v b="$with" 'BEGIN { n = split(a, x, " "); split(b, y, " ")
		for (i = 1; i <= n; i++) if (y[i] - x[i] > m) m = y[i] - x[i]
		printf "%d", m }')" 100
identity "an idle guest: identities" 999 1
at_least "an idle guest: spared grid points are counted as idle" \
	"$(stat_value idle cpu0)" $((999 * seconds * 8 / 10))

# With options/idle 1 the idle task is sampled at the full rate: the kernel's count of
# interrupts shows it, so it would have shown it above.
reset_all
put options/idle 1
put sampling_on 1
before=$(loc); sleep 5; after=$(loc)
put sampling_on 0
at_least "options/idle 1: the timer runs on while the CPU is idle" \
	"$(rates "$before" "$after" 5 | cut -d. -f1)" 400
put options/idle 0

# A CPU with very many short idle periods is not made slower by the sampler: its
# switches still happen, its samples are there and the books are right.
reset_all
mkfifo "$T/ping" "$T/pong"
(while read -r x; do echo "$x"; done < "$T/ping" > "$T/pong") &
(exec 3> "$T/ping" 4< "$T/pong"; while :; do echo x >&3; read -r _ <&4; done) &
sample 3
stop_background
identity "ping-pong: identities" 999 1
at_least "ping-pong: it was sampled" "$(total < "$D/folded")" 100
