#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A session's life: who owns it, duration, reset, several in a row, what stays and
# what is cleared; folded text is in order and the same each time it is read.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module
put frequency 499

# The owner is named as long as it is on.
echo 1 > "$D/sampling_on"
check "stats: owner is this shell" grep -E "^owner: .*\\b$$\\b" "$D/stats"
equal "stats: sampling is 1" "$(stat_value sampling)" 1
equal "sampling_on reads 1" "$(cat "$D/sampling_on")" 1
"$P/shares" 1
echo 0 > "$D/sampling_on"
equal "sampling_on reads 0" "$(cat "$D/sampling_on")" 0
equal "stats: sampling is 0" "$(stat_value sampling)" 0
equal "stats: nobody owns what is off" "$(grep -Ec "^owner: .*\\b$$\\b" "$D/stats")" 0
first=$(total < "$D/folded")
at_least "a busy second leaves samples" "$first" 200

# Nothing is added once it is off.
"$P/shares" 0.5
equal "no sample is taken while off" "$(total < "$D/folded")" "$first"

# Folded text.
cat "$D/folded" > "$T/folded1"
cat "$D/folded" > "$T/folded2"
check "folded: twice the same bytes" cmp "$T/folded1" "$T/folded2"
check "folded: in order" sort -c "$T/folded1"
dd if="$D/folded" of="$T/folded3" bs=7 2>/dev/null
check "folded: the same in reads of 7 bytes" cmp "$T/folded1" "$T/folded3"
equal "folded: each line is frames, a blank and a count" \
	"$(grep -Evc '^[^;]+(;[^;]+)* [1-9][0-9]*$' "$T/folded1")" 0
equal "folded: no stack stands in two lines" \
	"$(sed 's/ [0-9]*$//' "$T/folded1" | sort | uniq -d | wc -l)" 0
check "folded: the program's user frames are OBJECT+0xOFFSET" \
	grep -Eq '^shares;.*;shares\+0x[0-9a-f]+' "$T/folded1"
check "folded: kernel frames have names that end in _[k]" \
	grep -Eq ';[A-Za-z_][A-Za-z0-9_.]*_\[k\] [0-9]+$' "$T/folded1"
equal "folded: no raw kernel address" "$(grep -Eic '(0x)?ffff[0-9a-f]{12}' "$T/folded1")" 0

# A second session adds to the profile of the first.
sample_while "$P/shares" 1
at_least "a second session adds to the first" "$(total < "$D/folded")" $((first + 200))
identity "identities hold after two sessions" 499 2

# objects: id, build-id, path.
check "objects: the program with its path" grep -F "$P/shares" "$D/objects"
id=$(readelf -n "$P/shares" | awk '/Build ID/ { print $3 }')
check "objects: its build-id is the one that readelf shows" \
	grep -E "(^|[^0-9a-f])$id([^0-9a-f]|\$).*/shares" "$D/objects"
equal "objects: no name twice" \
	"$(sed 1d "$D/objects" | awk '{ print $1 }' | sort | uniq -d | wc -l)" 0

# reset.
reset_all
equal "reset: folded is empty" "$(cat "$D/folded")" ""
equal "reset: ticks are 0" "$(stat_value ticks)" 0
equal "reset: recorded is 0" "$(stat_value recorded)" 0
equal "reset: time on is 0" "$(stat_value time_on_ns cpu0)" 0
equal "reset: settings stay" "$(cat "$D/frequency")" 499
equal "reset: any text is fine" "$("$W" "$D/reset" "whatever\n")" OK

# reset while on: sampling goes on, and the books are right afterwards.
put sampling_on 1
"$P/shares" 0.5
reset_all
equal "reset while on: stays on" "$(cat "$D/sampling_on")" 1
"$P/shares" 1
put sampling_on 0
at_least "reset while on: samples come in afterwards" "$(total < "$D/folded")" 200
identity "identities hold after a reset while on" 499 2

# What is read while on is already what was sampled.
reset_all
put sampling_on 1
"$P/shares" 1
while_on=$(total < "$D/folded")
put sampling_on 0
at_least "folded can be read while on" "$while_on" 100

# duration.
reset_all
put duration 2
put sampling_on 1
equal "duration: on at first" "$(cat "$D/sampling_on")" 1
wait_for 60 grep -q '^sampling: 0' "$D/stats"
equal "duration: off by itself" "$(cat "$D/sampling_on")" 0
time_on=$(stat_value time_on_ns cpu0)
between "duration: it was on for 2 s, as the counter has it" $((time_on / 1000000)) 2000 3999
equal "duration: keeps its value" "$(cat "$D/duration")" 2
identity "identities hold after a session ended by duration" 499 1
put sampling_on 1
equal "duration: can be started again" "$(cat "$D/sampling_on")" 1
put sampling_on 0
equal "duration: can be stopped before" "$(cat "$D/sampling_on")" 0
sleep 2.5
put duration 0
put sampling_on 1
sleep 1.5
equal "duration: an old one does not end a later session" "$(cat "$D/sampling_on")" 1
put sampling_on 0

# Any process may stop what another's write started.
sh -c "echo 1 > $D/sampling_on"
equal "sampling stays on after its writer has ended" "$(cat "$D/sampling_on")" 1
put sampling_on 0
equal "another process can stop it" "$(cat "$D/sampling_on")" 0

# Many short ones.
reset_all
for _ in 1 2 3 4 5 6 7 8 9 10; do
	put sampling_on 1
	"$P/shares" 0.1
	put sampling_on 0
done
identity "identities hold after ten starts" 499 10
