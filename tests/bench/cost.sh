#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Added guest instructions per tick for an empty timer, perf without stacks, perf -g and
# flame, at one rate on one work of a fixed number of instructions, 24 frames deep.
# Runs in a guest with --icount, where a ns of CPU time is an instruction. Must never
# report a session that lost or missed a sample, or whose stacks are not whole.

set -u
cd "$(dirname "$0")/../.." || exit 1
P=$PWD/build/progs
KO=$PWD/build/kmod-$(uname -r)/flame.ko
D=/sys/kernel/debug/flame
OUT=${OUT:-/tmp}
HZ=${BENCH_HZ:-9999}
TURNS=${BENCH_TURNS:-600000000}		# turns of the work: two instructions each
REPEAT=${BENCH_REPEAT:-3}
DEPTH=21				# + work, main, libc's start = 24 frames
T=$(mktemp -d)

[ "$(nproc)" -eq 1 ] || { echo "cost.sh: needs a guest with one CPU (--icount)" >&2; exit 2; }
sysctl -q kernel.perf_event_max_sample_rate=100000 kernel.perf_cpu_time_max_percent=0
echo 0 > /proc/sys/kernel/nmi_watchdog 2> /dev/null

# CPU time that tasks have had so far, with the interrupts on top of them, in ns.
busy_ns()
{
	awk '/^cpu/ { n += $8 } END { printf "%.0f\n", n }' /proc/schedstat
}

# window COMMAND... - the CPU time from before to after it, in $spent. Idle time, as
# when a file is read for the first time, is not in it.
window()
{
	local before

	before=$(busy_ns)
	"$@" > "$T/out" 2>&1
	spent=$(($(busy_ns) - before))
}

work()
{
	"$P/depth" $DEPTH -n "$TURNS"
}

with_empty()
{
	insmod "$OUT/empty_timer/empty_timer.ko" hz="$HZ"
	work
	cat /sys/module/empty_timer/parameters/ticks > "$T/ticks"
	rmmod empty_timer
}

# perf at a rate: its cost is the difference to the same at 1 Hz, so that its start and
# the reading of its file at the end, which cost a second by themselves, cancel out.
with_perf()
{
	local hz=$1

	shift
	perf record -a -e cpu-clock -F "$hz" "$@" -o "$T/perf.data" -- "$P/depth" $DEPTH -n "$TURNS"
}

with_flame()
{
	echo 1 > $D/sampling_on
	work
	echo 0 > $D/sampling_on
	until grep -qx 'pending_bytes: 0' $D/stats; do
		sleep 0.01
	done
}

perf_ticks()
{
	perf script -i "$T/perf.data" -F time 2> /dev/null | grep -c .
}

stat()
{
	awk -v name="$1:" '$1 == name { print $2 }' $D/stats
}

# note KIND TICKS BASE - a measurement: the window in $spent against BASE, over TICKS.
note()
{
	echo "$1 $2 $((spent - $3)) $(((spent - $3 + $2 / 2) / $2))" >> "$T/results"
}

# Once through everything unmeasured: page cache, perf's own caches.
turns=$TURNS
TURNS=1000000
window work
with_perf "$HZ" -g > /dev/null 2>&1
TURNS=$turns

insmod "$KO" || exit 1
echo "$HZ" > $D/frequency
fails=
for ((i = 0; i < REPEAT; i++)); do
	window work
	base=$spent
	echo "base - - $base" >> "$T/results"

	window with_empty
	note empty "$(cat "$T/ticks")" "$base"

	window with_perf 1
	base_perf=$spent
	window with_perf "$HZ"
	note perf "$(perf_ticks)" "$base_perf"

	window with_perf 1 -g
	base_perf=$spent
	window with_perf "$HZ" -g
	note perf-g "$(perf_ticks)" "$base_perf"

	echo 1 > $D/reset
	window with_flame
	note flame "$(stat ticks)" "$base"
	for name in lost missed throttled user_failed truncated; do
		value=$(stat $name)
		[ "$value" = 0 ] || fails+="run $i: $name is $value, not 0
"
	done
	"$P/nameframes" "$P/depth" < $D/folded > "$T/folded"
	whole=$(awk '/^depth;/ { all += $NF; if (/;main;/) main += $NF }
		END { printf "%d %d\n", main, all }' "$T/folded")
	echo "flame-main $whole" >> "$T/results"
	# shellcheck disable=SC2086 # two numbers
	set -- $whole
	[ "$2" -gt 0 ] && [ $(($1 * 100)) -ge $(($2 * 99)) ] ||
		fails+="run $i: $1 of $2 user stacks reach main
"
done
cp $D/stats "$OUT/cost-stats.txt"
rmmod flame
cp "$T/results" "$OUT/cost-results.txt"

# median KIND COLUMN
median()
{
	awk -v kind="$1" -v c="$2" '$1 == kind { print $c }' "$T/results" | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

spread()
{
	awk -v kind="$1" '$1 == kind { print $4 }' "$T/results" | sort -n |
		awk 'NR == 1 { low = $1 } { high = $1 } END { print low " to " high }'
}

echo "Added guest instructions per tick, $HZ Hz, user stack of 24 frames, $REPEAT runs of"
echo "$(($(median base 4) / 1000000)) million instructions in one boot of $(uname -r):"
echo
printf '%-42s %8s %8s   %s\n' "" ticks median "lowest to highest"
while IFS='|' read -r kind label; do
	printf '%-42s %8d %8d   %s\n' "$label" "$(median "$kind" 2)" "$(median "$kind" 4)" "$(spread "$kind")"
done << 'END'
empty|empty hrtimer
perf|perf record -a -e cpu-clock
perf-g|perf record -a -e cpu-clock -g
flame|flame, to the last sample folded
END
echo
awk -v f="$(median flame 4)" -v p="$(median perf-g 4)" 'BEGIN {
	printf "flame / perf -g: %.2f (at most 0.60 wanted, 0.50 is the goal)\n", f / p }'
if [ -n "$fails" ]; then
	echo
	echo "NOT VALID:"
	printf '%s' "$fails"
	exit 1
fi
awk '$1 == "flame-main" { m += $2; n += $3 } END {
	printf "user stacks that reach main: %.2f %%; lost 0, missed 0, throttled 0\n", 100 * m / n }' "$T/results"
[ $((100 * $(median flame 4))) -le $((60 * $(median perf-g 4))) ]
