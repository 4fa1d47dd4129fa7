#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Who may use the control files: the modes, users other than root, root without
# capabilities, and descriptors handed on by root.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module

equal "directory: mode" "$(stat -c %a "$D")" 700
equal "/dev/flame: mode and type" "$(stat -c '%a %F' /dev/flame)" "600 character special file"

expected()
{
	local f

	for f in README version available_sources error_log folded objects stats; do
		echo "400 $f"
	done
	for f in sampling_on current_source frequency duration stacks unwind max_depth set_pid \
		 set_tid set_comm cpus threads buffer_size_kb memory_limit_kb max_overhead; do
		echo "600 $f"
	done
	for f in idle annotate comm pid tid cpu irq offset follow_children overwrite; do
		echo "600 options/$f"
	done
	echo "200 reset"
	for f in $(seq 0 $(($(nproc) - 1))); do
		echo "400 per_cpu/cpu$f/stats"
		echo "400 per_cpu/cpu$f/raw"
	done
}
expected | sort > "$T/expected"
(cd "$D" && find . -type f -printf '%m %P\n') | sort > "$T/there"
while read -r mode name; do
	equal "$name: mode" "$(stat -c %a "$D/$name" 2>&1)" "$mode"
done < "$T/expected"
equal "no file has a mode beyond 0600" \
	"$(awk '$1 !~ /^(600|400|200)$/' "$T/there")" ""
# possible CPUs beyond the online ones have files too, and later issues add more.
equal "every file of the manual is there" "$(comm -23 "$T/expected" "$T/there")" ""

# Nobody gets anything.
# refused WHO FILE... - each of FILE refuses to be read and to be written by WHO, a
# function that runs a command with less privilege; adds to $fails.
refused()
{
	local who=$1 name answer

	shift
	for name; do
		answer=$("$who" "$W" -r "$name" 2>&1)
		[[ $answer =~ ^(EPERM|EACCES)$ ]] || fails+="$name for reading: $answer
"
		answer=$("$who" "$W" -w "$name" 2>&1)
		[[ $answer =~ ^(EPERM|EACCES)$ ]] || fails+="$name for writing: $answer
"
	done
}

fails=
while read -r _ name; do
	refused as_nobody "$D/$name"
done < "$T/there"
refused as_nobody /dev/flame
if [ -z "$fails" ]; then
	ok "nobody gets EACCES from every file"
else
	not_ok "nobody gets EACCES from every file" "$fails"
fi
equal "nobody cannot list the directory" \
	"$(as_nobody ls "$D" 2>&1 | grep -c 'Permission denied')" 1

# Root without capabilities owns the files and still must not: the module asks for
# CAP_SYS_ADMIN or CAP_PERFMON.
without_caps()
{
	setpriv --bounding-set=-all --inh-caps=-all "$@"
}
fails=
refused without_caps "$D/frequency" "$D/sampling_on" "$D/set_pid" "$D/options/idle" /dev/flame
for name in folded stats objects per_cpu/cpu0/raw; do
	answer=$(without_caps "$W" -r "$D/$name" 2>&1)
	[[ $answer =~ ^(EPERM|EACCES)$ ]] || fails+="$name: $answer
"
done
answer=$(without_caps "$W" "$D/reset" 1 2>&1)
[[ $answer =~ ^(EPERM|EACCES)$ ]] || fails+="reset: $answer
"
if [ -z "$fails" ]; then
	ok "root without capabilities is refused at open"
else
	not_ok "root without capabilities is refused at open" "$fails"
fi
answer=$(setpriv --bounding-set=-all,+perfmon --inh-caps=-all cat "$D/frequency" 2>&1)
equal "CAP_PERFMON alone is enough" "$answer" "$(cat "$D/frequency")"

# A write is judged by who opened the file.
as_nobody sh -c 'echo 77 >&3' 3> "$D/frequency"
equal "a descriptor that root opened works for whom it was given to" \
	"$(cat "$D/frequency")" 77

# What is not there cannot be made.
equal "an unknown control cannot be opened" "$("$W" "$D/nosuchcontrol")" ENOENT
check "no file can be created" sh -c "! touch $D/newfile 2>/dev/null"
