#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame and perf, at the same time on the same run: self time by function of flame is
# no further from perf's than one perf recording is from another, plus 0.02 (total
# variation distance). On a program of known shares and on redis under its benchmark, in a
# guest whose time is instructions: where the emulator's speed is the time, three samplers
# at once miss so many ticks that perf disagrees with anything.
# boot: --icount
# limit: 7200

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

here=$TOP/tests/guest
need_module
if ! command -v perf > /dev/null; then
	skip "flame agrees with perf" "no perf (package linux-perf)"
	exit 0
fi
if [ ! -x "$FLAME" ]; then
	not_ok "flame agrees with perf" "no tool at $FLAME"
	exit 0
fi
# In this order: no rate can be set once the limit of time is off.
sysctl -q kernel.perf_event_max_sample_rate=100000 kernel.perf_cpu_time_max_percent=0

# agree NAME COMM SECONDS - two perf recordings and one of flame while COMM runs.
agree()
{
	local name=$1 comm=$2 seconds=$3 one two perf_perf flame_perf

	perf record -q -a -e cpu-clock -g -F 999 -o "$T/1.data" 2> "$T/1.err" & one=$!
	perf record -q -a -e cpu-clock -g -F 999 -o "$T/2.data" 2> "$T/2.err" & two=$!
	wait_for 60 test -s "$T/1.data"
	wait_for 60 test -s "$T/2.data"
	sleep 3
	"$FLAME" record -q -F 999 -d "$seconds" -o "$T/x.flame" 2> "$T/flame.err"
	kill -INT $one $two
	wait $one $two
	perf script -i "$T/1.data" -F comm,ip,sym,dso 2> /dev/null | "$P/perfself" "$comm" > "$T/perf-1"
	perf script -i "$T/2.data" -F comm,ip,sym,dso 2> /dev/null | "$P/perfself" "$comm" > "$T/perf-2"
	"$FLAME" fold "$T/x.flame" > "$T/folded" 2> "$T/fold.err"
	awk -v comm="$comm" -f "$here/selfnames.awk" "$T/folded" > "$T/flame"
	at_least "$name: flame has enough samples to judge by" \
		"$(awk '{ n += $1 } END { print n + 0 }' "$T/flame")" $((seconds * 300))
	at_least "$name: perf has enough samples to judge by" \
		"$(awk '{ n += $1 } END { print n + 0 }' "$T/perf-1")" $((seconds * 300))
	(cd "$T" && awk -v top=25 -f "$here/tvd.awk" perf-1 perf-2 flame) > "$T/tvd" 2>&1
	perf_perf=$(awk '$1 == "perf-1" && $2 == "perf-2" { print $3 }' "$T/tvd")
	flame_perf=$(awk '$2 == "flame" { n++; sum += $3 } END { if (n) print sum / n }' "$T/tvd")
	echo "# $name: perf to perf ${perf_perf:-none}, flame to perf ${flame_perf:-none} (mean of two)"
	if awk -v a="${flame_perf:-9}" -v b="${perf_perf:--1}" \
	       'BEGIN { exit !(b >= 0 && a <= b + 0.02) }'; then
		ok "$name: flame is as near to perf as perf to itself, plus 0.02"
	else
		not_ok "$name: flame is as near to perf as perf to itself, plus 0.02" \
			"$(cat "$T/tvd" "$T/flame.err" "$T/fold.err")"
	fi
}

run_in_background "$P/shares" 1000
agree "known shares" shares 10
stop_background

server=$(command -v redis-check-rdb)
if [ -z "$server" ] || ! command -v redis-benchmark > /dev/null; then
	skip "redis" "no redis-tools"
	exit 0
fi
# Debian's redis-check-rdb is the server's program under another name.
mkdir "$T/redis"
ln -s "$server" "$T/redis/redis-server"
"$T/redis/redis-server" --port 0 --unixsocket "$T/redis/sock" --dir "$T/redis" --save '' \
	> "$T/redis/log" 2>&1 &
if ! wait_for 60 test -S "$T/redis/sock"; then
	not_ok "redis: server starts" "$(tail -n 5 "$T/redis/log")"
	exit 0
fi
run_in_background redis-benchmark -s "$T/redis/sock" -t set,get,lpush,lpop,sadd,lrange_100 -l -q -n 20000
sleep 3
agree "redis" redis-server 20
redis=$(cat "$T/folded")
check "redis: the picture has its functions by name" grep -q ';[^;]*dictFind' <<< "$redis"
check "redis: whole kernel stacks, from the system call down to the socket" \
	grep -Eq 'entry_SYSCALL_64_after_hwframe_\[k\];.*unix_stream_(send|recv)msg_\[k\]' <<< "$redis"
stop_background
