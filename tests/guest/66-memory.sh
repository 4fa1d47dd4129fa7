#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Memory of a session that nobody reads: at most 1 KiB for each distinct stack, no more
# with time; at memory_limit_kb new stacks go to one line and every sample still counts.
# limit: 1200

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module

# Many distinct stacks.
put frequency 9999
put memory_limit_kb 262144
busy_stacks()
{
	local cpu

	for cpu in $(seq 0 $(($(nproc) - 1))); do
		run_in_background taskset -c "$cpu" "$P/stacks" "$1" 100000
	done
}
busy_stacks 20
sample 10
stop_background
stacks=$(stat_value stacks)
memory=$(stat_value memory_bytes)
echo "# $stacks distinct stacks, $memory bytes, $(stat_value recorded) samples"
at_least "many stacks: there are many" "$stacks" 5000
at_most "many stacks: at most 1 KiB each" $((memory / stacks)) 1024
equal "many stacks: folded has as many lines" "$(grep -c . "$D/folded")" "$stacks"
identity "many stacks: identities" 9999 1
equal "many stacks: none was turned away" "$(grep -c '\[table full\]' "$D/folded")" 0

# Time alone costs nothing.
reset_all
put memory_limit_kb 65536
busy_stacks 6
sample 3
first=$(stat_value memory_bytes)
first_stacks=$(stat_value stacks)
sample 9
stop_background
second=$(stat_value memory_bytes)
grown=$(($(stat_value stacks) - first_stacks))
echo "# $first bytes for $first_stacks stacks, then $second for $grown more"
at_most "memory grows with new stacks, not with time" $((second - first)) $((1024 * grown + 4096))
identity "few stacks: identities" 9999 2

# The limit. What a profile holds already it keeps: a lower limit needs a reset.
put memory_limit_kb 256
reset_all
busy_stacks 20
sample 8
stop_background
cat "$D/folded" > "$T/folded"
equal "memory_limit_kb: one line for what found no room" "$(grep -c '\[table full\]' "$T/folded")" 1
at_least "memory_limit_kb: it has samples" "$(matching '\[table full\]' < "$T/folded")" 1000
at_most "memory_limit_kb: kept" "$(stat_value memory_bytes)" "$(stat_value memory_limit_bytes)"
equal "memory_limit_bytes is memory_limit_kb" "$(stat_value memory_limit_bytes)" $((256 * 1024))
at_least "memory_limit_kb: known stacks are kept" "$(grep -vc '\[table full\]' "$T/folded")" 50
identity "memory_limit_kb: identities, the total is exact" 9999 1

# Known stacks go on counting when the table is full.
reset_all
run_in_background "$P/shares" 1000
put sampling_on 1
sleep 2
known=$(matching '^shares;' < "$D/folded")
busy_stacks 20
sleep 5
stop_background
run_in_background "$P/shares" 2
wait
put sampling_on 0
at_least "memory_limit_kb: the table is full" "$(matching '\[table full\]' < "$D/folded")" 1
at_least "memory_limit_kb: known stacks go on counting" \
	"$(matching '^shares;' < "$D/folded")" $((known + 1000))
identity "memory_limit_kb, known stacks: identities" 9999 1

# reset gives the memory back.
reset_all
at_most "reset: memory is given back" "$(stat_value memory_bytes)" 131072
equal "reset: no stacks" "$(stat_value stacks)" 0
