#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Bad input to the control files: the right errno, one line in error_log that names
# the control, and the old value still in force. The last 8 refusals are kept.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module

# bad CONTROL "ERRNO..." LABEL WR-ARGUMENTS... - a write that must be refused. There are
# hundreds of them, so that it starts no program but the one that writes.
bad()
{
	local control=$1 errnos=$2 label=$3 before='' after='' answer log

	shift 3
	echo 1 > "$D/reset"
	IFS= read -r -d '' before < "$D/$control"
	"$W" "$D/$control" "$@" > "$T/answer"
	IFS= read -r -d '' after < "$D/$control"
	read -r answer < "$T/answer"
	mapfile -t log < "$D/error_log"
	if [[ " $errnos " == *" $answer "* ]] && [ "$before" = "$after" ] &&
	   [ ${#log[@]} -eq 1 ] && [[ ${log[0]} == *"${control##*/}"* ]]; then
		ok "$control refuses $label"
	else
		not_ok "$control refuses $label" "answer: $answer (expected one of: $errnos)
value before: \"${before:0:200}\" after: \"${after:0:200}\"
error_log (one line naming ${control##*/} expected):
$(printf '%s\n' "${log[@]}" | head -c 500)"
	fi
}

huge=1000000000000000000000000000000		# 10^30
head -c 1048576 /dev/zero | tr '\0' 7 > "$T/megabyte"

# Numbers: every kind of wrong, each against its own range.
while read -r control low high good; do
	bad "$control" EINVAL "letters" 'abc\n'
	bad "$control" EINVAL "a number with letters behind" '12x\n'
	bad "$control" EINVAL "two numbers" "$good $good\n"
	bad "$control" EINVAL "a fraction" '1.5\n'
	bad "$control" EINVAL "a negative number" '-1\n'
	bad "$control" ERANGE "10^30" "$huge\n"
	bad "$control" ERANGE "2^32 + 99, which is 99 to whoever looks at 32 bits" '4294967395\n'
	bad "$control" ERANGE "2^64 + 99, which is 99 to whoever looks at 64 bits" '18446744073709551715\n'
	bad "$control" EINVAL "an empty line" '\n'
	bad "$control" EINVAL "a NUL in the number" '9\09\n'
	bad "$control" E2BIG "1 MB of digits" - < "$T/megabyte"
	[ "$low" = - ] || bad "$control" ERANGE "$low, one below its range" "$low\n"
	[ "$high" = - ] || bad "$control" ERANGE "$high, one above its range" "$high\n"
done << 'END'
frequency 0 100001 98
duration - 86401 98
max_depth 0 1024 98
buffer_size_kb 3 65537 98
memory_limit_kb 255 1073741825 512
max_overhead - 1001 98
sampling_on - 2 1
END

for control in "$D"/options/*; do
	control=options/${control##*/}
	bad "$control" EINVAL "letters" 'yes please\n'
	bad "$control" ERANGE "2" '2\n'
	bad "$control" EINVAL "-1" '-1\n'
	bad "$control" EINVAL "an empty line" '\n'
	bad "$control" EINVAL "a NUL" '1\0\n'
done

# Words.
for control in stacks unwind threads current_source; do
	bad "$control" EINVAL "an unknown name" 'nosuchword\n'
	bad "$control" EINVAL "a number" '1\n'
	bad "$control" EINVAL "an empty line" '\n'
	bad "$control" EINVAL "a NUL" 'us\0er\n'
	bad "$control" E2BIG "1 MB" - < "$T/megabyte"
done
bad stacks EINVAL "a good name before an unknown one" 'kernel nosuchword\n'
bad stacks EINVAL "none together with kernel" 'none kernel\n'
bad current_source EINVAL "a good source before an unknown one" 'timer nosuchsource\n'
bad unwind EINVAL "two words" 'fp table\n'
bad threads EINVAL "two words" 'user kernel\n'

# CPU lists.
bad cpus EINVAL "letters" 'abc\n'
bad cpus EINVAL "a negative CPU" '-1\n'
bad cpus EINVAL "a range that goes down" '1-0\n'
bad cpus ERANGE "a CPU that cannot be" '0,100000\n'
bad cpus ERANGE "10^30" "$huge\n"
bad cpus EINVAL "a NUL" '0\0\n'
bad cpus E2BIG "1 MB" - < "$T/megabyte"

# Ids. The pid is one that was there and is gone.
sleep 0 & gone=$!
wait $gone
for control in set_pid set_tid; do
	echo $$ > "$D/$control"
	bad "$control" EINVAL "letters" 'abc\n'
	bad "$control" "ESRCH ERANGE" "0" '0\n'
	bad "$control" EINVAL "a negative id" '-1\n'
	bad "$control" "ERANGE ESRCH" "10^30" "$huge\n"
	bad "$control" "ERANGE ESRCH" "this very pid plus 2^32" "$((4294967296 + $$))\n"
	bad "$control" ESRCH "a pid that does not exist" "$gone\n"
	bad "$control" ESRCH "a list with one pid that does not exist, whole" "$$ $gone\n"
	bad "$control" EINVAL "a list with letters, whole" "1 abc\n"
	bad "$control" EINVAL "a NUL" "1\0\n"
	bad "$control" E2BIG "1 MB" - < "$T/megabyte"
	: > "$D/$control"
done
# A thread that leads no thread group is no pid.
"$P/threads" 1000 > "$T/threads" &
wait_for 20 grep -q blue "$T/threads"
tid=$(awk '$1 == "red" { print $2 }' "$T/threads")
bad set_pid ESRCH "the id of a thread that is not a process" "$tid\n"
equal "set_tid takes the id of a thread" \
	"$("$W" "$D/set_tid" "$tid\n"; cat "$D/set_tid")" "OK
$tid"
: > "$D/set_tid"
stop_background

bad set_comm EINVAL "a NUL" 'ab\0cd\n'
bad set_comm E2BIG "1 MB" - < "$T/megabyte"

# Partial writes: a value in two pieces is two values, never one put together.
reset_all
echo 99 > "$D/frequency"
answers=$("$W" "$D/frequency" 12 34 | paste -sd ' ')
value=$(cat "$D/frequency")
lines=$(wc -l < "$D/error_log")
case "$answers $value $lines" in
"OK OK 34 0" | "OK EINVAL 12 1")
	ok "frequency: two writes in one open are two values" ;;
*)
	not_ok "frequency: two writes in one open are two values" \
		"answers: $answers, value: $value, lines in error_log: $lines"
esac
reset_all
echo 99 > "$D/frequency"
answers=$("$W" "$D/frequency" 12 x4 | paste -sd ' ')
equal "frequency: a bad second write leaves the first and one line in error_log" \
	"$answers $(cat "$D/frequency") $(wc -l < "$D/error_log")" "OK EINVAL 12 1"
reset_all
echo 99 > "$D/frequency"
"$W" "$D/frequency" > /dev/null		# opens as ">" does and writes nothing
equal "frequency: opening it for writing alone changes nothing" "$(cat "$D/frequency")" 99

# The last 8 are kept, the newest among them.
reset_all
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$W" "$D/frequency" "wrong$i\n" > /dev/null
done
equal "error_log: keeps 8" "$(wc -l < "$D/error_log")" 8
equal "error_log: keeps the last 8, oldest first" \
	"$(grep -o 'wrong[0-9]*' "$D/error_log" | paste -sd ' ')" \
	"wrong3 wrong4 wrong5 wrong6 wrong7 wrong8 wrong9 wrong10"
reset_all
equal "error_log: reset clears it" "$(cat "$D/error_log")" ""

# What a refused write said cannot forge lines.
printf 'ab\nfrequency: fine\n' > "$T/two-lines"
reset_all
"$W" "$D/frequency" - < "$T/two-lines" > /dev/null
equal "error_log: a value of two lines takes one line" "$(wc -l < "$D/error_log")" 1
reset_all
printf 'a\033[31mb\n' > "$D/frequency" 2> /dev/null
equal "error_log: prints no control character" \
	"$(tr -d '\n' < "$D/error_log" | LC_ALL=C tr -dc '\001-\037\177' | wc -c)" 0

# While sampling is on every setting is refused, and sampling goes on.
# Each value differs from the one in force.
reset_all
put frequency 99
echo 1 > "$D/sampling_on"	# by this shell: it is the owner
while read -r control value; do
	before=$(cat "$D/$control")
	lines=$(wc -l < "$D/error_log")
	answer=$("$W" "$D/$control" "$value\n")
	after=$(cat "$D/$control")
	if [ "$answer" = EBUSY ] && [ "$before" = "$after" ] &&
	   [ "$(wc -l < "$D/error_log")" -eq $((lines < 8 ? lines + 1 : 8)) ] &&
	   tail -n 1 "$D/error_log" | grep -q "${control##*/}"; then
		ok "$control: refused while sampling is on"
	else
		not_ok "$control: refused while sampling is on" \
			"answer: $answer, before: \"$before\", after: \"$after\", error_log:
$(cat "$D/error_log")"
	fi
done << END
frequency 100
duration 5
stacks user
unwind fp
max_depth 5
set_pid $$
set_tid $$
set_comm x*
cpus 0
threads user
buffer_size_kb 4
memory_limit_kb 256
max_overhead 10
options/idle 1
options/annotate 0
options/comm 0
options/pid 1
options/tid 1
options/cpu 1
options/irq 1
options/offset 1
options/follow_children 1
options/overwrite 1
END
answer=$("$W" "$D/sampling_on" "1\n")
equal "sampling_on: 1 while on is EBUSY" "$answer" EBUSY
tail -n 1 "$D/error_log" > "$T/busy"
check "sampling_on: error_log names the owner's pid" grep -w $$ "$T/busy"
check "sampling_on: error_log names the owner's comm" grep -F "$(cat /proc/$$/comm)" "$T/busy"
check "stats: names the owner's pid" grep -E "^owner: .*\b$$\b" "$D/stats"
check "stats: names the owner's comm" grep -F "$(cat /proc/$$/comm)" "$D/stats"
equal "sampling is still on" "$(cat "$D/sampling_on")" 1
put sampling_on 0
equal "sampling_on: 0 while off is no error" "$("$W" "$D/sampling_on" "0\n")" OK
