#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# rmmod is done within 2 s of guest time at whatever moment it comes while sampling, with
# programs running, coming and going. In a guest whose time is instructions.
# boot: --icount
# limit: 7200
# shellcheck disable=SC2119 # load without parameters is meant

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

# uptime_ms - the guest's clock in ms, without starting a program.
uptime_ms()
{
	local up

	read -r up _ < /proc/uptime
	REPLY=$((10#${up/./} * 10))
}

run_in_background "$P/shares" 100000
(while :; do "$P/short" 3; done) & churn=$!
longest=0
fails=
for i in 1 2 3 4 5 6; do
	load || fails+="load $i; "
	put frequency 9999 || fails+="frequency $i; "
	put sampling_on 1 || fails+="on $i; "
	sleep 0.$((i * 7 % 10))
	uptime_ms
	start=$REPLY
	rmmod flame || fails+="rmmod $i; "
	uptime_ms
	[ $((REPLY - start)) -le $longest ] || longest=$((REPLY - start))
done
kill $churn
wait $churn 2> /dev/null
stop_background
equal "rmmod while sampling succeeds at any moment" "$fails" ""
echo "# the longest took $longest ms of guest time"
at_most "rmmod while sampling takes 2 s of guest time at most" "$longest" 2000
