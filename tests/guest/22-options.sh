#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How folded text looks: the options annotate, comm, pid, tid, cpu, offset, irq,
# overwrite, and the control stacks.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module
put frequency 999
"$P/threads" 1000 > "$T/threads" &
wait_for 30 grep -q blue "$T/threads"
wait_for 30 grep -q red "$T/threads"
pid=$(awk '$1 == "pid" { print $2 }' "$T/threads")
tid=$(awk '$1 == "red" { print $2 }' "$T/threads")
# Something that works in the kernel most of the time.
dd if=/dev/zero of=/dev/null bs=1M 2>/dev/null &

# take OPTION VALUE - a profile with that option alone changed, in $T/folded.
take()
{
	local old

	old=$(cat "$D/$1")
	reset_all
	put "$1" "$2"
	sample 1.5
	cat "$D/folded" > "$T/folded"
	equal "$1 $2: folded holds what was recorded" "$(total < "$T/folded")" "$(stat_value recorded)"
	put "$1" "$old"
}

take options/annotate 1
check "annotate 1: kernel frames end in _[k]" grep -Eq '^dd;.*_\[k\] [0-9]+$' "$T/folded"
equal "annotate 1: user frames do not" "$(grep -Ec '\+0x[0-9a-f]+_\[k\]' "$T/folded")" 0
take options/annotate 0
equal "annotate 0: no frame ends in _[k]" "$(grep -c '_\[k\]' "$T/folded")" 0
check "annotate 0: kernel frames are there" grep -Eq '^dd;.*entry_SYSCALL_64_after_hwframe;' "$T/folded"

take options/comm 1
check "comm 1: lines begin with the name" grep -q '^red one;' "$T/folded"
take options/comm 0
equal "comm 0: no name in front" "$(grep -Ec '^(red one|green two|dd)(;| )' "$T/folded")" 0
check "comm 0: lines begin with the outermost frame" grep -Eq '^libc[^;]*\+0x[0-9a-f]+;' "$T/folded"
check "comm 0: threads of one function are one line of the same frames" \
	grep -Eq ';threads\+0x[0-9a-f]+ [0-9]+$' "$T/folded"

take options/pid 1
check "pid 1: shows the process id" grep -Eq "^red one[^;]*\\b$pid\\b" "$T/folded"
take options/pid 0
equal "pid 0: shows none" "$(grep -Ec "^[^;]*\\b$pid\\b" "$T/folded")" 0
take options/tid 1
check "tid 1: shows the thread id" grep -Eq "^red one[^;]*\\b$tid\\b" "$T/folded"
take options/tid 0
equal "tid 0: shows none" "$(grep -Ec "^[^;]*\\b$tid\\b" "$T/folded")" 0
take options/cpu 1
for cpu in $(seq 0 $(($(nproc) - 1))); do
	at_least "cpu 1: shows CPU $cpu" \
		"$(matching "(^|;)[^;]*(cpu|CPU)[^0-9;]*0*$cpu([^0-9]|\$)" < "$T/folded")" 100
done
take options/cpu 0
equal "cpu 0: shows none" "$(grep -Eic '(^|;)[[(]?cpu[ =:]?[0-9]' "$T/folded")" 0

take options/offset 1
check "offset 1: kernel frames have an offset in the function" \
	grep -Eq ';[A-Za-z_][A-Za-z0-9_.]*\+0x[0-9a-f]+' <(grep '^dd;' "$T/folded" | grep -o ';[^;]*_\[k\]')
take options/offset 0
equal "offset 0: kernel frames have none" \
	"$(grep -o ';[^;]*_\[k\]' "$T/folded" | grep -c '+0x')" 0

# stacks.
take stacks kernel
equal "stacks kernel: no user frame" "$(grep -Ec '(threads|dd|libc[^;]*)\+0x' "$T/folded")" 0
check "stacks kernel: kernel frames" grep -Eq '^dd;.*_\[k\] ' "$T/folded"
take stacks user
equal "stacks user: no kernel frame" "$(grep -c '_\[k\]' "$T/folded")" 0
check "stacks user: user frames" grep -Eq '^red one;.*threads\+0x' "$T/folded"
take stacks none
equal "stacks none: names alone" "$(grep -c ';' "$T/folded")" 0
check "stacks none: each name with its count" grep -Eq '^red one [0-9]+$' "$T/folded"
take stacks "kernel user"
check "stacks kernel user: both, user frames first" \
	grep -Eq '^dd;.*\+0x[0-9a-f]+;(.*;)?entry_SYSCALL_64_after_hwframe_\[k\];' "$T/folded"
equal "stacks kernel user: no user frame below a kernel frame" \
	"$(grep -Ec '_\[k\];.*(threads|dd|libc[^;]*)\+0x' "$T/folded")" 0

# overwrite: the ring keeps its newest samples, folded shows just those.
stop_background
reset_all
put options/overwrite 1
put buffer_size_kb 64
put sampling_on 1
taskset -c 0 "$P/parents" 3	# old
taskset -c 0 "$P/shares" 4	# new, on the same CPU: more than its ring holds
put sampling_on 0
cat "$D/folded" > "$T/folded"
at_least "overwrite: old samples were overwritten, and counted" "$(stat_value overwritten)" 100
equal "overwrite: what is newest is there, what is oldest is gone" \
	"$(($(matching '^shares;' < "$T/folded") > 50)) $(matching '^parents;' < "$T/folded")" "1 0"
equal "overwrite: folded holds what was recorded" "$(total < "$T/folded")" "$(stat_value recorded)"
identity "overwrite: identities" 999 1
put options/overwrite 0
put buffer_size_kb 1024

# irq: interrupt work has a frame of its own. Network packets over loopback are handled
# in a soft interrupt.
reset_all
put options/irq 1
busybox ifconfig lo up
put sampling_on 1
exec 3> /dev/udp/127.0.0.1/9
end=$((SECONDS + 4))
while [ $SECONDS -lt $end ]; do
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		echo datagram >&3
	done
done 2> /dev/null
exec 3>&-
put sampling_on 0
cat "$D/folded" > "$T/folded"
check "irq 1: soft interrupt work is under a frame of its own" \
	grep -Eq ';\[softirq\][^;]*;' "$T/folded"
check "irq 1: the handler of packets is in it" \
	grep -Eq '\[softirq\].*;net_rx_action' "$T/folded"
equal "irq 1: folded holds what was recorded" "$(total < "$T/folded")" "$(stat_value recorded)"
put options/irq 0
