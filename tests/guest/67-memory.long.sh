#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Ten million samples of at least a hundred thousand distinct stacks, unread: at most
# 1 KiB for each, nothing lost from the count.
# limit: 7200
# boot: --mem 4096

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module
wanted=10000000
put frequency 20000
put memory_limit_kb 1048576
put options/idle 0
for cpu in $(seq 0 $(($(nproc) - 1))); do
	run_in_background taskset -c "$cpu" "$P/stacks" 17 100000
done
put sampling_on 1
while recorded=$(stat_value recorded) && [ "$recorded" -lt $wanted ] && [ $SECONDS -lt 7000 ]; do
	sleep 10
done
put sampling_on 0
stop_background
recorded=$(stat_value recorded)
stacks=$(stat_value stacks)
memory=$(stat_value memory_bytes)
echo "# $recorded samples, $stacks distinct stacks, $memory bytes: $((memory / stacks)) each"
at_least "ten million samples" "$recorded" $wanted
at_least "a hundred thousand distinct stacks" "$stacks" 100000
at_most "at most 1 KiB for each distinct stack" $((memory / stacks)) 1024
identity "ten million samples: identities" 20000 1
