#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The A/B table: events a second of `sysbench cpu` with nothing beside it, with
# perf record -F 99 -a -g, with bcc's profile -F 99 and with flame at 99 Hz, each in per
# cent of the first. Runs in a guest with --icount: wall-clock time is instructions.

set -u
cd "$(dirname "$0")/../.." || exit 1
KO=$PWD/build/kmod-$(uname -r)/flame.ko
FLAME=$PWD/build/flame
EVENTS=${BENCH_EVENTS:-4000}
REPEAT=${BENCH_REPEAT:-3}
T=$(mktemp -d)

# events LABEL - runs sysbench, notes its events a second.
events()
{
	sysbench cpu --threads="$(nproc)" --time=0 --events="$EVENTS" run > "$T/sysbench"
	awk -v label="$1" '/events per second:/ { print label, $NF }' "$T/sysbench" >> "$T/results"
}

# until_there COMMAND... - waits for it to succeed, a minute at most.
until_there()
{
	local i

	for ((i = 0; i < 600; i++)); do
		! "$@" > /dev/null 2>&1 || return 0
		sleep 0.1
	done
	return 1
}

insmod "$KO" || exit 1
events warm-up
for ((i = 0; i < REPEAT; i++)); do
	events nothing

	perf record -F 99 -a -g -o "$T/perf.data" > "$T/perf.log" 2>&1 &
	tool=$!
	until_there test -s "$T/perf.data"
	sleep 2
	events perf
	kill -INT $tool
	wait $tool

	if profile-bpfcc --help > /dev/null 2>&1; then
		PYTHONUNBUFFERED=1 profile-bpfcc -F 99 > "$T/bcc.log" 2>&1 &
		tool=$!
		if until_there grep -q Sampling "$T/bcc.log"; then
			sleep 2
			events bcc
		else
			sed 's/^/bcc: /' "$T/bcc.log" >&2
		fi
		kill -INT $tool
		wait $tool
	fi

	"$FLAME" record -q -F 99 -o "$T/ab.flame" > "$T/flame.log" 2>&1 &
	tool=$!
	until_there grep -qx 'sampling: 1' /sys/kernel/debug/flame/stats
	sleep 2
	events flame
	kill -INT $tool
	wait $tool
done
rmmod flame
cp "$T/results" "${OUT:-/tmp}/ab-results.txt"

echo "sysbench cpu beside a profiler at 99 Hz, $(nproc) CPU, median of $REPEAT runs of $EVENTS events:"
echo
printf '%-42s %12s %10s\n' "" "events/s" "per cent"
sort -k1,1 -k2,2g "$T/results" | awk '
	{ n[$1]++; v[$1, n[$1]] = $2 }
	function show(key, label,    m) {
		if (!n[key]) {
			printf "%-42s %12s %10s\n", label, "not run", ""
			return
		}
		m = v[key, int((n[key] + 1) / 2)]
		if (key == "nothing")
			base = m
		printf "%-42s %12.2f %10.3f\n", label, m, 100 * m / base
	}
	END {
		show("nothing", "nothing")
		show("perf", "perf record -F 99 -a -g")
		show("bcc", "bcc profile -F 99")
		show("flame", "flame record -F 99")
	}'
