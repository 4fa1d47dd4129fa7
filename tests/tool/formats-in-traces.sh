#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Reading what SystemTap, DTrace, bcc and bpftrace print, from the outside: recognised by
# content, and folded to lines that are written out here, or that other tools made of the
# same input (FLAME_CORPUS).

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
corpus=${FLAME_CORPUS:-$top/../shared/corpus}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C HOME=$work XDG_CONFIG_HOME=$work
status=0

# result NAME - ok if the command before it succeeded.
result()
{
	local good=$?

	if [ $good -eq 0 ]; then
		echo "ok - $1"
	else
		echo "not ok - $1"
		[ ! -s out ] || head -n 5 out | cut -c 1-200 | sed 's/^/# out: /'
		[ ! -s err ] || head -n 5 err | cut -c 1-200 | sed 's/^/# err: /'
		status=1
	fi
}

# folds EXPECTED [OPTION...] - what is on stdin folds to these lines, without a message.
folds()
{
	local want=$1

	shift
	"$flame" fold "$@" - >out 2>err && printf '%s\n' "$want" | cmp -s - out && [ ! -s err ]
}

# ---- SystemTap ----------------------------------------------------------------

cat >stap <<'END'
 0xffffffff8113d1bf : fget_light+0x6a/0x89 [kernel]
 0x40 [/lib/x86_64-linux-gnu/libx.so.1+0x12/0x4000]
 0x401020 : operator++0x1/0x3 [/bin/app]
	4
 0x1 : foo%bar+0x1/0x2 [m]
	1
END
folds $'foo%bar 1\noperator+;[libx.so.1];fget_light 4' <stap
result "SystemTap: offsets off, % kept, the file of an unnamed frame"
folds $'foo%bar_[k] 1\noperator+;[libx.so.1];fget_light_[k] 4' --annotate <stap
result "SystemTap: --annotate"
{ echo 'WARNING: Missing unwind data'; cat stap; echo ' 0x2 : g+0x1/0x2'; } >odd
"$flame" fold odd >out 2>err && [ "$(wc -l <out)" -eq 2 ] && grep -q 'odd:1: .*WARNING' err &&
	grep -q 'odd:8: ends within a stack' err
result "SystemTap: warnings and a stack without count are shown"
! "$flame" fold --strict odd >out 2>err && [ "$(wc -l <err)" -eq 1 ] && grep -q 'odd:1: ' err
result "SystemTap: --strict"

# ---- DTrace -------------------------------------------------------------------

cat >dtrace <<'END'
CPU     ID                    FUNCTION:NAME
  0  64091                        :tick-60s 


              genunix`open+0x25
              unix`sys_syscall+0x17a

              libc.so.1`__open+0xa
              app`ns::run(int)+0x4
              app`a->b->c+0x1
                3
END
folds "app\`a;b_[i];c_[i];app\`ns::run;libc.so.1\`__open;unix\`sys_syscall;genunix\`open 3" <dtrace
result "DTrace: kernel's and user's stack are one"

# ---- bcc ----------------------------------------------------------------------

cat >profile <<'END'
Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.
^C
    vfs_read
    sys_read
    --
    read
    main
    -                dd of=x (25036)
        4

    [unknown]
    -                cp (9036)
        1
END
"$flame" fold profile >out 2>err && printf 'cp;[unknown] 1\ndd of=x;main;read;sys_read;vfs_read 4\n' | cmp -s - out &&
	grep -q 'profile:1: .*Sampling' err
result "bcc profile"
"$flame" fold --pid --kernel profile 2>err | grep -qx 'dd of=x-25036;main;read;sys_read_\[k\];vfs_read_\[k\] 4'
result "bcc profile: --pid, and -d tells what is kernel"
cat >offwake <<'END'
    waker:           swapper/0
    ffffffff8137897c hrtimer_wakeup
    ffffffff8137897d __hrtimer_run_queues
    -                -
    ffffffff81785085 schedule
    ffffffff81787e16 do_nanosleep
    target:          vmstat
        56529
END
folds 'vmstat;do_nanosleep;schedule;--;__hrtimer_run_queues_[w];hrtimer_wakeup_[w];swapper/0_[w] 56529' <offwake
result "bcc offwaketime"
printf "  b'submit_bio'\n  b'submit_bh'+0x1\n    tar [123]\n    38\n\n  f\n    2\n" | sed "s/'+0x1/+0x1'/" |
	folds $'f 2\ntar;submit_bh;submit_bio 38'
result "bcc stackcount"
{ printf '[11:16:33] Top 2 stacks with outstanding allocations:\n\t10 bytes in 1 allocations from stack\n\t\tmain+0x6d [app]\n'
  printf '[11:16:34] Top 2 stacks with outstanding allocations:\n\t20 bytes in 2 allocations from stack\n\t\tmain+0x6d [app]\n\t\t__libc_start_main+0xf0 [libc-2.21.so]\n'
} | folds '__libc_start_main;main 20'
result "bcc memleak: the last report counts"
printf 'swapper/0;rest_init;-;a 5\napp;b 3\n' | folds $'app;b 3\nswapper/0;rest_init;-;a 5'
result "bcc -f is folded text"

# ---- bpftrace -----------------------------------------------------------------

cat >maps <<'END'
Attaching 2 probes...

@n: 12
@by[comm]: 5
@start[
    vfs_read+12
    entry_SYSCALL_64_after_hwframe+3
, 
    read+1
    main+44
, comm, 12]: 7
@start[worker,
    drop<[u8; 4]>+1
]: 2
@start[worker,
    drop<[u8; 4]>+9
]: 1
@other[
    z
]: count 3, average 4, total 12
END
one=$'comm;12;main;read;entry_SYSCALL_64_after_hwframe;vfs_read 7\nworker;drop<[u8: 4]> 3'
"$flame" fold maps >out 2>err && echo "$one" | cmp -s - out && [ "$(wc -l <err)" -eq 2 ] &&
	grep -q 'left out: 1 entries of map @other' err && grep -q '1 entries whose key has no stack' err
result "bpftrace: keys at the root, kernel innermost, the other map is named"
"$flame" fold --event @other maps 2>err | grep -qx 'z 12'
result "bpftrace: --event"
"$flame" fold -q --event all maps >out 2>err && printf '%s\n' '@other;z 12' "@start;${one//$'\n'/$'\n'@start;}" | cmp -s - out
result "bpftrace: --event all"
"$flame" fold -q --offset maps | grep -qx 'worker;drop<\[u8: 4\]>+9 1'
result "bpftrace: --offset"
printf '@h[\n    f+1\n]:\n[64K, 128K)   1 |@@@ |\n[128K, 256K)  3 |@  |\n\n@h[\n    g\n]: text\n' >hist
"$flame" fold hist >out 2>err && echo 'f 4' | cmp -s - out && grep -q '1 stacks whose value is not a number' err
result "bpftrace: a histogram counts as its rows' sum"
printf '@[\n    f+1\n]: 1\n@[\n    g\n' >part
"$flame" fold part >out 2>err && echo 'f 1' | cmp -s - out && grep -q 'part:5: ends within' err
result "bpftrace: cut short"

printf '{\n  name: "a",\n  value:\n    5\n  x:\n    y\n    7\n}\n' >object
! "$flame" fold object >out 2>err && [ "$(wc -l <err)" -eq 1 ] && grep -q 'object: offset 0' err
result "indented data are no stacks"

# ---- the corpus ---------------------------------------------------------------

if [ ! -d "$corpus" ]; then
	echo "ok - traces of the field # SKIP no corpus (FLAME_CORPUS)"
	exit $status
fi
# A count without a stack has a name with us, none there.
"$flame" fold "$corpus/ariava-flamegraph/out.stap-stacks.txt" >out 2>err && [ ! -s err ] &&
	sed 's/^ 248$/[no stack] 248/' "$corpus/ariava-flamegraph/ref/out.stap-stacks.perl.folded" | sort >want &&
	sort out | cmp -s - want
result "out.stap-stacks as stackcollapse-stap.pl"
"$flame" fold "$corpus/FlameGraph/dtrace/example-dtrace-stacks.txt" >out 2>err && [ ! -s err ] &&
	cmp -s out "$corpus/FlameGraph/ref/example-dtrace-stacks.perl.folded"
result "example-dtrace-stacks as stackcollapse.pl"
"$flame" fold --from dtrace "$corpus/inferno/dtrace/java.txt" 2>err | cmp -s - "$corpus/inferno/dtrace/results/java.txt"
result "dtrace java as inferno"
"$flame" fold "$corpus/inferno/dtrace/flamegraph-bug.txt" 2>err | cmp -s - "$corpus/inferno/ref/flamegraph-bug.perl.folded"
result "dtrace flamegraph-bug as stackcollapse.pl"
# Both cut names at a bracket: stackcollapse.pl at the last, inside of templates (8).
"$flame" fold "$corpus/inferno/dtrace/rust-names.txt" 2>err >out && [ ! -s err ] &&
	sed 's/ ;/;/g; s/  / /' "$corpus/inferno/ref/rust-names.perl.folded" | cmp -s - out
result "dtrace rust-names as stackcollapse.pl, without its trailing blanks"
"$flame" fold "$corpus/inferno/dtrace/stack-ustack.txt" 2>err |
	awk '{ n += $NF; f += gsub(";", ";") } END { print NR, n, f }' >out
awk '{ n += $NF; f += gsub(";", ";") } END { print NR, n, f }' "$corpus/inferno/dtrace/results/stack-ustack.txt" | cmp -s - out
result "dtrace stack-ustack: stacks, counts and frames as inferno"
! "$flame" fold "$corpus/inferno/dtrace/only-header-lines.txt" >out 2>err && [ "$(wc -l <err)" -eq 1 ]
result "dtrace without a stack is refused"
# stackcollapse-bpftrace.pl adds nothing up.
"$flame" fold --offset "$corpus/derived/bpftrace-vertx.txt" 2>err >out &&
	awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (s in sum) print s, sum[s] }' \
		"$corpus/derived/ref/bpftrace-vertx.perl.folded" | sort | cmp -s - out
result "bpftrace-vertx as stackcollapse-bpftrace.pl"
"$flame" fold "$corpus/bpftrace/biostacks_example.txt" 2>err >out &&
	[ "$(awk '{ n += $NF } END { print n }' out)" = "$(sed -n 's/^\[.*) *\([0-9]*\) |.*/\1/p' "$corpus/bpftrace/biostacks_example.txt" | awk '{ n += $1 } END { print n }')" ]
result "bpftrace biostacks: all of its histograms' rows"
for name in profile offcputime offwaketime stackcount; do
	"$flame" fold "$corpus/bcc/${name}_example.txt" >out 2>err && [ -s out ] && grep -q 'lines in all' err
	result "bcc $name: a transcript with prose"
done
! "$flame" fold "$corpus/inferno/guess/unknown-format.txt" >out 2>err && [ "$(wc -l <err)" -eq 1 ]
result "a format nobody knows is refused"
exit $status
