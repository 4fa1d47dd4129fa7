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
LOW_HZ=99				# what a rate's own cost is measured against
TURNS=${BENCH_TURNS:-1000000000}		# turns of the work: two instructions each
REPEAT=${BENCH_REPEAT:-3}
DEPTH=21				# + work, main, libc's start = 24 frames
T=$(mktemp -d)
mkfifo "$T/ctl" "$T/ack"

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

# Each with_TOOL HZ [OPTION...] samples the work at that rate, from the start of
# sampling until everything is folded, or written to perf's file.

with_empty()
{
	echo 1 > /sys/module/empty_timer/parameters/run
	work
	echo 0 > /sys/module/empty_timer/parameters/run
}

# start_perf HZ [OPTION...] - perf made ready, not yet sampling: what it does to get there
# (a second of instructions) is no part of a sample. -B spares it going through its file
# at the end for the build-ids of what was hit, half a second that comes or does not come
# with the first sample in the kernel; this is in perf's favour.
start_perf()
{
	local hz=$1 i

	shift
	rm -f "$T/perf.data"
	perf record -B -N -D -1 --control "fifo:$T/ctl,$T/ack" -a -e cpu-clock -F "$hz" "$@" \
		-o "$T/perf.data" > "$T/perf.log" 2>&1 &
	perf_pid=$!
	exec 8<> "$T/ctl" 9<> "$T/ack"
	for ((i = 0; i < 100; i++)); do
		[ ! -s "$T/perf.data" ] || break
		sleep 0.1
	done
	tell_perf ping
}

# tell_perf COMMAND - and waits until perf has done it.
tell_perf()
{
	echo "$1" >&8
	read -r -t 600 _ <&9
}

with_perf()
{
	tell_perf enable
	work
	echo stop >&8
	wait $perf_pid
}

with_flame()
{
	echo "$1" > $D/frequency
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

# Grid points of an idle CPU, as while a file is read, cost nothing: not counted.
flame_ticks()
{
	echo $(($(stat ticks) - $(stat idle)))
}

stat()
{
	awk -v name="$1:" '$1 == name { print $2 }' $D/stats
}

# note KIND TICKS LOW-SPENT LOW-TICKS - a measurement: the window in $spent, in which
# there were TICKS, beside one at the low rate and beside no sampler ($base).
note()
{
	awk -v kind="$1" -v ticks="$2" -v low="$3" -v low_ticks="$4" -v spent="$spent" -v base="$base" '
		BEGIN { printf "%s %d %.0f %.0f\n", kind, ticks, (spent - low) / (ticks - low_ticks),
			(spent - base) / ticks }' >> "$T/results"
}

# Once through everything unmeasured: page cache, perf's own caches.
turns=$TURNS
TURNS=1000000
work
for _ in 1 2; do
	start_perf "$HZ"
	with_perf
	start_perf "$HZ" -g
	with_perf
done
TURNS=$turns

insmod "$OUT/empty_timer/empty_timer.ko" hz="$HZ" || exit 1
insmod "$KO" || exit 1
with_flame 99
fails=
for ((i = 0; i < REPEAT; i++)); do
	window work
	base=$spent
	echo "base - - $base" >> "$T/results"

	before=$(cat /sys/module/empty_timer/parameters/ticks)
	window with_empty
	note empty $(($(cat /sys/module/empty_timer/parameters/ticks) - before)) "$base" 0

	for kind in perf perf-g; do
		option=${kind#perf}
		# shellcheck disable=SC2086 # empty is no option
		start_perf $LOW_HZ $option
		window with_perf
		low=$spent
		low_ticks=$(perf_ticks)
		# shellcheck disable=SC2086
		start_perf "$HZ" $option
		window with_perf
		note $kind "$(perf_ticks)" "$low" "$low_ticks"
	done

	echo 1 > $D/reset
	window with_flame $LOW_HZ
	low=$spent
	low_ticks=$(flame_ticks)
	echo 1 > $D/reset
	window with_flame "$HZ"
	note flame "$(flame_ticks)" "$low" "$low_ticks"
	for name in lost missed throttled; do
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
rmmod empty_timer
cp "$T/results" "$OUT/cost-results.txt"

# median KIND COLUMN, spread KIND - the median of all runs, and the lowest and highest.
median()
{
	awk -v kind="$1" -v c="$2" '$1 == kind { print $c }' "$T/results" | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

spread()
{
	awk -v kind="$1" '$1 == kind { print $3 }' "$T/results" | sort -n |
		awk 'NR == 1 { low = $1 } { high = $1 } END { print low " to " high }'
}

echo "Added guest instructions per tick at $HZ Hz, user stack of 24 frames; work of"
echo "$(($(median base 4) / 1000000)) million instructions, $REPEAT runs in one boot of $(uname -r):"
echo
printf '%-38s %7s %9s  %-16s %12s\n' "" ticks "per tick" "(all runs)" "with start"
while IFS='|' read -r kind label; do
	printf '%-38s %7d %9d  %-16s %12d\n' "$label" "$(median "$kind" 2)" "$(median "$kind" 3)" \
		"($(spread "$kind"))" "$(median "$kind" 4)"
done << 'END'
empty|empty hrtimer
perf|perf record -a -e cpu-clock
perf-g|perf record -a -e cpu-clock -g
flame|flame, until all is folded
END
echo
echo "per tick: against the same tool at $LOW_HZ Hz, so that what starting and ending cost once"
echo "cancels out. with start: against no sampler at all, everything from start to end."
echo
awk -v f="$(median flame 3)" -v p="$(median perf-g 3)" 'BEGIN {
	printf "flame / perf -g: %.2f (at most 0.60 wanted, 0.50 is the goal)\n", f / p }'
if [ -n "$fails" ]; then
	echo
	echo "NOT VALID:"
	printf '%s' "$fails"
	exit 1
fi
awk '$1 == "flame-main" { m += $2; n += $3 } END {
	printf "user stacks that reach main: %.2f %%; lost 0, missed 0, throttled 0\n", 100 * m / n }' "$T/results"
[ $((100 * $(median flame 3))) -le $((60 * $(median perf-g 3))) ]
