#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# max_overhead: the sampler gives up ticks of its own, all CPUs at once, counts them
# as throttled, and leaves everybody else's rate alone.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module

others()
{
	cat /proc/sys/kernel/perf_event_max_sample_rate /proc/sys/kernel/perf_cpu_time_max_percent
}

before=$(others)
busy 1000
put frequency 20000
put max_overhead 1
sample 5
at_least "1 per mille at 20,000 Hz: ticks are given up" "$(stat_value throttled)" 1000
at_least "1 per mille at 20,000 Hz: some samples are left" "$(stat_value recorded)" 1
identity "throttled" 20000 1
equal "the setting itself is not changed" "$(cat "$D/frequency")" 20000
equal "perf's limits are not touched" "$(others)" "$before"

# The same with no limit gives up nothing.
reset_all
put max_overhead 0
put frequency 999
sample 3
equal "0 is off: nothing is given up" "$(stat_value throttled)" 0
identity "not throttled" 999 1

# A limit that is never reached.
reset_all
put frequency 99
put max_overhead 1000
sample 3
equal "1000 per mille at 99 Hz: nothing is given up" "$(stat_value throttled)" 0
identity "limit not reached" 99 1

# A later start begins with the full rate again.
reset_all
put frequency 20000
put max_overhead 1
sample 2
put max_overhead 0
put frequency 999
reset_all
sample 2
equal "a throttled session does not slow down the next one" "$(stat_value throttled)" 0
identity "the session after a throttled one" 999 1
stop_background
