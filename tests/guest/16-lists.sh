#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Lists that arrive in pieces, several commands in one write to /dev/flame, the words
# of error_log, and the settings of several attached files.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module

sleep 1000 & a=$!
sleep 1000 & b=$!
sleep 0 & gone=$!
wait $gone

# ids COUNT - a and b in turn, COUNT times, blank-separated, without a newline.
ids()
{
	local i

	for ((i = 0; i < $1; i++)); do
		printf '%s %s ' "$a" "$b"
	done
}

# pieces SIZE - stdin to set_pid in writes of SIZE bytes through one open file.
pieces()
{
	dd of="$D/set_pid" bs="$1" iflag=fullblock 2>&1
}

both=$(sorted "$a $b")
lines()
{
	wc -l < "$D/error_log"
}

# The pieces of 1025 to 1031 bytes cut ids in two at every place.
for size in 1025 1026 1027 1028 1029 1030 1031; do
	echo "$$" > "$D/set_pid"
	(ids 600; echo) | pieces $size > /dev/null
	equal "a list in pieces of $size bytes is one value" "$(sorted "$(cat "$D/set_pid")")" "$both"
done
echo "$$" > "$D/set_pid"
ids 600 | pieces 1027 > /dev/null
equal "a list in pieces without newline takes effect at close" \
	"$(sorted "$(cat "$D/set_pid")")" "$both"
equal "no piece was refused" "$(lines)" 0

echo "$$" > "$D/set_pid"
check "a list in pieces is refused by its last one" \
	grep -q 'No such process' <((ids 600; echo "$gone") | pieces 1500)
equal "a list refused in its last piece leaves the old one, and one line" \
	"$(cat "$D/set_pid") $(lines)" "$$ 1"
reset_all
(printf '%s ' "$gone"; ids 600) | pieces 1500 > /dev/null
equal "a list refused at close leaves the old one, and one line" \
	"$(cat "$D/set_pid") $(lines)" "$$ 1"
reset_all
check "more than 64 KiB in pieces are refused" \
	grep -q 'Argument list too long' <((ids 20000; echo) | pieces 4096)
equal "what was refused for its length leaves the old list, and one line" \
	"$(cat "$D/set_pid") $(lines)" "$$ 1"

# What a shell does with its descriptors.
reset_all
{ echo "$gone"; echo "$a"; } > "$D/set_pid" 2> /dev/null
equal "after a refused write the next one replaces" "$(cat "$D/set_pid")" "$a"
echo "$gone" 2> /dev/null > "$D/set_pid"
equal "opening with > and a refused write clear nothing" "$(cat "$D/set_pid")" "$a"
exec 3> "$D/set_pid"
equal "opening with > alone clears nothing yet" "$(cat "$D/set_pid")" "$a"
exec 3>&-
equal "the close does" "$(cat "$D/set_pid")" ""
exec 3<> "$D/frequency"
echo 333 >&3
equal "what was written is read through the same open file" "$(cat <&3)" 333
exec 3>&-
echo 99 > "$D/frequency"

sleep 1000 & c=$!
wait_for 20 grep -qx sleep /proc/$c/comm	# before that it is this shell, with its traps
echo "$a $c" > "$D/set_pid"
kill $c
wait $c 2> /dev/null
equal "a process that is gone is not shown" "$(cat "$D/set_pid")" "$a"
kill $a
wait $a 2> /dev/null
equal "a list of which all are gone is shown empty" "$(cat "$D/set_pid")" ""
echo "$b" >> "$D/set_pid"
: > "$D/set_pid"

# error_log shows the place.
reset_all
for line in "frequency 200000" "set_pid $b $gone" "set_comm x[yz" "cpus 0,9z" "stacks kernel all"; do
	echo "${line#* }" 2> /dev/null > "$D/${line%% *}"
done
equal "error_log: control, reason, errno, and a caret at the place" \
	"$(sed 's/^\[ *[0-9]*\.[0-9]\{6\}\] //' "$D/error_log")" \
	"frequency: out of range 1-100000 (ERANGE): ^200000
set_pid: there is no process $gone in your pid namespace (ESRCH): $b ^$gone
set_comm: this bracket is not closed (EINVAL): x^[yz
cpus: $([ "$(nproc)" -gt 9 ] && echo "not a CPU list, expected one as 0-3,8 (EINVAL): 0,9^z" ||
	echo "out of range 0-$(($(sed 's/.*-//' /sys/devices/system/cpu/possible))) (ERANGE): 0,^9z")
stacks: unknown word, expected kernel, user or none (EINVAL): kernel ^all"

# Commands.
reset_all
"$W" -w /dev/flame 'frequency 101\n\nduration 7\n' > "$T/answer"
equal "several commands in one write" \
	"$(cat "$T/answer" "$D/frequency" "$D/duration" | paste -sd ' ')" "OK 101 7"
"$W" -w /dev/flame 'frequency 102\nduration x\nmax_depth 9\n' > "$T/answer"
equal "the first that is refused ends the write" \
	"$(cat "$T/answer" "$D/frequency" "$D/duration" "$D/max_depth" | paste -sd ' ')" \
	"EINVAL 102 7 127"
equal "a command of 1 KiB without newline may have been cut" \
	"$("$W" -w /dev/flame "set_pid $(printf '%1024s' "$b")"; cat "$D/set_pid")" EINVAL
equal "with one it is whole" \
	"$("$W" -w /dev/flame "set_pid $(printf '%1024s' "$b")\n"; cat "$D/set_pid")" "OK
$b"
"$W" -w /dev/flame 'set_pid' 'duration 0' 'frequency 99' > /dev/null
exec 3<> /dev/flame
equal "a read without a get" "$(cat <&3 2>&1)" "cat: -: No data available"
echo 'get frequency' >&3
equal "a get" "$(cat <&3)" 99
equal "behind the end is the end" "$(cat <&3 2>&1)" ""

# Attached.
echo attach >&3
equal "a second attach on one open file" \
	"$( (echo attach >&3) 2>&1 | grep -o 'Device or resource busy')" "Device or resource busy"
echo 'frequency 500' >&3
exec 4<> /dev/flame
echo attach >&4
echo 'frequency 600' >&4
exec 3>&-
equal "two attached: the first one's close leaves the second one's settings" \
	"$(cat "$D/frequency")" 600
exec 4>&-
equal "two attached: the last close brings back what the first found" \
	"$(cat "$D/frequency")" 99
stop_background
