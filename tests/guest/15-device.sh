#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# /dev/flame: the command language, and the attached stream that owns a session:
# its records by the book, its end at close and at SIGKILL, the settings that come
# back, slow readers. Also per_cpu/cpuN/raw, which is the same for one CPU.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module
S=$P/stream

# counted NAME - a number that stream printed to $T/stream.
counted()
{
	awk -v name="$1" '$1 == name { print $2 }' "$T/stream"
}

# The command language.
equal "get: a control" "$("$S" -c 'get frequency')" 99
equal "get: what can only be read" "$("$S" -c 'get version')" "$(cat "$D/version")"
equal "get: a file in options/" "$("$S" -c 'get options/annotate')" 1
check "get: a file of one CPU" "$S" -c 'get per_cpu/cpu0/stats'
equal "NAME VALUE sets" "$("$S" -c 'frequency 250' 'get frequency')" 250
equal "NAME VALUE sets the control file too" "$(cat "$D/frequency")" 250
equal "a newline at the end is fine" "$("$S" -c $'frequency 251\n' 'get frequency')" 251
equal "settings of a plain write stay after close" "$(cat "$D/frequency")" 251
equal "an option" "$("$S" -c 'options/idle 1' 'get options/idle')" 1
"$S" -c 'options/idle 0'
sleep 1000 & a=$!
sleep 1000 & b=$!
equal "NAME VALUE of a list replaces" "$("$S" -c "set_pid $a" "set_pid $b" 'get set_pid')" "$b"
equal "NAME += VALUE adds" \
	"$(sorted "$("$S" -c "set_pid $a" "set_pid += $b" 'get set_pid')")" "$(sorted "$a $b")"
equal "NAME alone clears a list" "$("$S" -c "set_pid" 'get set_pid')" ""
equal "a pattern with a blank" "$("$S" -c "set_comm red one" 'get set_comm')" "red one"
"$S" -c set_comm
equal "two gets, one after the other, on one open file" \
	"$("$S" -c 'get frequency' 'get duration' | paste -sd ' ')" "251 0"
equal "folded by get is folded by cat" "$("$S" -c 'get folded')" "$(cat "$D/folded")"

# refused LABEL "ERRNO..." TEXT - a write that must fail and leave a line in error_log.
refused()
{
	local before answer after

	reset_all
	before=$(cat "$D/frequency" "$D/set_pid")
	answer=$("$W" -w /dev/flame "$3")
	after=$(cat "$D/frequency" "$D/set_pid")
	if [[ " $2 " == *" $answer "* ]] && [ "$before" = "$after" ] &&
	   [ "$(wc -l < "$D/error_log")" -eq 1 ]; then
		ok "refuses $1"
	else
		not_ok "refuses $1" "answer: $answer (expected one of: $2), error_log:
$(cat "$D/error_log")"
	fi
}

head -c 1048576 /dev/zero | tr '\0' x > "$T/megabyte"
refused "an unknown name" ENOENT 'nosuchcontrol 1'
refused "an unknown option" ENOENT 'options/nosuch 1'
refused "get of an unknown name" ENOENT 'get nosuchcontrol'
refused "get of nothing" "EINVAL ENOENT" 'get'
refused "a bad value" EINVAL 'frequency abc'
refused "a value out of range" ERANGE 'frequency 100001'
refused "no value" EINVAL 'frequency'
refused "+= to what is no list" EINVAL 'frequency += 1'
refused "a write to what can only be read" EACCES 'folded 1'
refused "a path out of the directory" ENOENT 'get ../frequency'
refused "get of what cannot be read" EACCES 'get reset'
refused "a NUL" EINVAL 'frequency 9\09'
refused "an empty line" EINVAL '\n'
refused "a good list with a bad id behind it, whole" ESRCH "set_pid $$ 4194305"
equal "two commands in one write are done in order" \
	"$("$W" -w /dev/flame 'frequency 10\nfrequency 11\n'; cat "$D/frequency")" "OK
11"
equal "a refused command ends a write; those before it are done" \
	"$("$W" -w /dev/flame 'frequency 12\nfrequency abc\nfrequency 13\n'; cat "$D/frequency")" "EINVAL
12"
reset_all
equal "refuses 1 MB" "$("$W" -w /dev/flame - < "$T/megabyte")" E2BIG
equal "1 MB leaves one line in error_log, cut short" \
	"$(wc -l < "$D/error_log") $(($(wc -c < "$D/error_log") < 2000))" "1 1"

# An attached stream under load.
put frequency 99
put max_depth 100
busy 1000
"$S" 3 'frequency 997' 'max_depth 50' "set_comm shares" > "$T/stream" 2> "$T/stream.err"
status=$?
recorded=$(stat_value recorded)
equal "stream: every record is by the book" "$status $(cat "$T/stream.err")" "0 "
at_least "stream: samples" "$(counted samples)" 1000
equal "stream: samples + lost are what stats calls recorded" \
	$(($(counted samples) + $(counted lost))) "$recorded"
equal "stream: LOST records are what stats calls stream_lost" \
	"$(counted lost)" "$(stat_value stream_lost)"
equal "stream: folded holds the same number" "$(total < "$D/folded")" "$recorded"
at_least "stream: begins with INFO" "$(counted info)" 1
equal "stream: ends with STATS" "$(counted stats)" 1
at_least "stream: user frames in nearly all" $((1000 * $(counted user) / $(counted samples))) 950
at_least "stream: objects" "$(counted objects)" 1
equal "stream: settings come back at close: frequency" "$(cat "$D/frequency")" 99
equal "stream: settings come back at close: max_depth" "$(cat "$D/max_depth")" 100
equal "stream: settings come back at close: set_comm" "$(cat "$D/set_comm")" ""
equal "stream: sampling is off" "$(cat "$D/sampling_on")" 0
identity "stream: identities" 997 1

# SIGKILL.
"$S" 1000 'frequency 997' > "$T/stream" &
victim=$!
wait_for 30 grep -q ON "$T/stream"
equal "killed stream: was on" "$(cat "$D/sampling_on")" 1
equal "killed stream: its setting is in force meanwhile" "$(cat "$D/frequency")" 997
check "killed stream: stats names the owner" grep -E "^owner: .*\\b$victim\\b" "$D/stats"
reset_log=$(wc -l < "$D/error_log")
equal "killed stream: nobody else can start" "$("$W" "$D/sampling_on" 1)" EBUSY
check "killed stream: the refusal names the owner" \
	grep -w "$victim" <(tail -n $(($(wc -l < "$D/error_log") - reset_log)) "$D/error_log")
equal "killed stream: a second stream cannot start" \
	"$("$S" 1 2>&1 | tail -n 1 | grep -o EBUSY)" EBUSY
equal "killed stream: a second stream's close leaves the first on" "$(cat "$D/sampling_on")" 1
kill -KILL $victim
wait $victim 2>/dev/null
check "killed stream: sampling turns off" wait_for 20 grep -qx 0 "$D/sampling_on"
equal "killed stream: settings come back" "$(cat "$D/frequency")" 99
identity "killed stream: identities" 997 2	# after the stream above

# SIGKILL while files that were not seen before wait in the ring: the end of the session
# learns them in a process that is exiting and has no file system context any more.
for i in 1 2 3 4 5; do
	"$S" 1000 'frequency 4999' > "$T/stream" &
	victim=$!
	wait_for 30 grep -q ON "$T/stream"
	cp "$P/short" "$T/unseen-$i"
	"$T/unseen-$i"
	kill -KILL $victim
	wait $victim 2>/dev/null
	wait_for 20 grep -qx 0 "$D/sampling_on"
done
check "killed stream: programs of its last moment are in objects" grep -F "$T/unseen-" "$D/objects"

# A stream that does not read for a while loses of its own copy, folded loses nothing.
reset_all
"$S" -n 4 'frequency 9997' 'buffer_size_kb 4096' > "$T/stream" 2> "$T/stream.err"
equal "slow stream: records by the book" "$(cat "$T/stream.err")" ""
equal "slow stream: samples + lost are what stats calls recorded" \
	$(($(counted samples) + $(counted lost))) "$(stat_value recorded)"
equal "slow stream: lost is stream_lost" "$(counted lost)" "$(stat_value stream_lost)"
equal "slow stream: the rings lost nothing" "$(stat_value lost)" 0
identity "slow stream: identities" 9997 1

# raw, of one CPU, by a reader that owns nothing.
reset_all
put frequency 997
"$S" -f "$D/per_cpu/cpu0/raw" 1000 > "$T/stream" 2> "$T/stream.err" &
reader=$!
wait_for 30 grep -q ON "$T/stream"
sample 2
kill -TERM $reader	# it takes what is left, and ends
wait $reader
equal "raw: records by the book" "$? $(cat "$T/stream.err")" "0 "
equal "raw: the CPU's samples and no other's" \
	$(($(counted samples) + $(counted lost))) "$(stat_value recorded cpu0)"
equal "raw: its reader's end leaves sampling alone" "$(stat_value lost)" 0
identity "raw: identities" 997 1
stop_background

# A reader of raw that goes away while sampling is on.
reset_all
busy 1000
put sampling_on 1
"$S" -f "$D/per_cpu/cpu0/raw" 1000 > "$T/stream" &
reader=$!
wait_for 30 grep -q ON "$T/stream"
kill -KILL $reader
wait $reader 2>/dev/null
equal "raw: sampling stays on when the reader is killed" "$(cat "$D/sampling_on")" 1
sleep 1
put sampling_on 0
identity "raw: identities after a killed reader" 997 1

# A plain write of sampling_on through the device stays on after close.
"$S" -c 'sampling_on 1'
equal "device without attach: sampling stays on after close" "$(cat "$D/sampling_on")" 1
"$S" -c 'sampling_on 0'
equal "device without attach: off again" "$(cat "$D/sampling_on")" 0
