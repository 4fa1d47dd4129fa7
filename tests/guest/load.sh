# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Nothing is lost at 10,000 Hz: used by a short and a long test. Sourced after lib.sh
# and profile.sh.

# nothing_lost SECONDS - every CPU busy, default buffers, no max_overhead.
nothing_lost()
{
	local cpu missed

	equal "buffers are the default" "$(cat "$D/buffer_size_kb")" 1024
	equal "max_overhead is the default" "$(cat "$D/max_overhead")" 0
	put frequency 10000
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		run_in_background taskset -c "$cpu" "$P/depth" 22 100000
	done
	sample "$1"
	stop_background
	equal "$1 s at 10,000 Hz: nothing is lost" "$(stat_value lost)" 0
	equal "$1 s at 10,000 Hz: nothing is throttled" "$(stat_value throttled)" 0
	identity "$1 s at 10,000 Hz: identities" 10000 1
	missed=$(awk '{ v[$1] = $2 } END { printf "%.2f", 100 * v["missed:"] / (v["missed:"] + v["ticks:"]) }' \
		"$D/stats")
	echo "# missed: $missed % of $(($(stat_value ticks) + $(stat_value missed))) ticks"
	export MISSED_PERCENT=$missed
}
