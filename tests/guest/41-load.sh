#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Loading and unloading: while idle, while sampling, while a file is held open; and
# twenty rounds that leave nothing behind.
# limit: 1200
# shellcheck disable=SC2119 # load without parameters is meant

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"
. "$(dirname "$0")/rounds.sh"

need_module
busy 100000

# While sampling.
put frequency 9999
put sampling_on 1
sleep 1
check "rmmod while sampling" rmmod flame
equal "nothing is left in debugfs and /dev" "$(ls -d "$D" /dev/flame 2>/dev/null)" ""

# Ids and patterns are held by the module; they must go with it.
load
echo $$ > "$D/set_pid"
echo $$ > "$D/set_tid"
echo 'a*' > "$D/set_comm"
echo 0 > "$D/cpus"
check "rmmod with filters set" rmmod flame

# A reader held: EBUSY, and everything goes on.
load
put frequency 999
for name in folded stats per_cpu/cpu0/raw frequency objects; do
	reset_all
	"$W" -r -h "$D/$name" > "$T/held" &
	holder=$!
	wait_for 20 grep -q HELD "$T/held"
	put sampling_on 1
	equal "rmmod with $name held open is refused" \
		"$(rmmod flame 2>&1 | grep -c 'in use')" 1
	"$P/shares" 0.5
	put sampling_on 0
	at_least "$name held, rmmod refused: samples still come" "$(total < "$D/folded")" 100
	identity "$name held, rmmod refused: identities" 999 1
	kill $holder
	wait $holder 2> /dev/null
done
"$P/stream" 1000 > "$T/held" &
holder=$!
wait_for 20 grep -q ON "$T/held"
equal "rmmod with a stream attached is refused" "$(rmmod flame 2>&1 | grep -c 'in use')" 1
equal "rmmod refused: the stream's session goes on" "$(cat "$D/sampling_on")" 1
kill -KILL $holder
wait $holder 2> /dev/null
check "rmmod once nobody holds a file" rmmod flame

# Loaded twice is refused, and the first one is unharmed.
load
equal "loading it twice is refused" "$(load 2>&1 | grep -c 'File exists')" 1
check "the first one goes on" cat "$D/version"
unload
stop_background

# Processes that come and go all the time while it is unloaded at random moments.
(while :; do "$P/short" 3; done) & churn=$!
fails=
for i in 1 2 3 4 5 6 7 8; do
	load || fails+="load $i; "
	put frequency 9999 || fails+="frequency $i; "
	put sampling_on 1 || fails+="on $i; "
	sleep 0.$((i * 7 % 10))
	rmmod flame || fails+="rmmod $i; "
done
kill $churn
wait $churn 2> /dev/null
equal "rmmod while processes come and go" "$fails" ""

rounds 20
