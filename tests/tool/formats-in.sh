#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Reading perf script text, from the outside: what flame fold makes of the inputs that
# the field's collapsers are tested with, beside what those make of them, and of the
# inputs with which people have reported a collapser's faults. Expected lines of the
# latter are written out; the former need the corpus (FLAME_CORPUS).

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

# folds EXPECTED [OPTION...] - perf script text on stdin folds to these lines.
folds()
{
	local want=$1

	shift
	"$flame" fold --from perf "$@" - >out 2>err && printf '%s\n' "$want" | cmp -s - out
}

# sample [FRAME...] - one sample with period 5.
sample()
{
	echo 'worker 4711 [003] 12.345678: 5 cycles:u:'
	[ $# -eq 0 ] || printf '\t%s\n' "$@"
	echo
}

# ---- what people have reported (the number is the row of docs/formats.md) ----------

printf 'q 4711 [003] 12.3: 5 cycles:\n  a0 work+0x1 (/opt/q)\n\n' | folds 'q;work 5'
result "1: a thread name of one letter"
printf '      q  4711 [003] 12.3: 5 cycles:\n  a0 work+0x1 (/opt/q)\n\n' | folds 'q;work 5'
result "2: a thread name set to the right"
{ printf 'w 1 [0] 1.0: 5 cycles:\n\ta0 f (/a)\n'; printf '     worker  4711 [003] 12.3: 5 cycles:\n  a0 work+0x1 (/opt/q)\n\n'; } |
	folds $'w;f 5\nworker;work 5'
result "2: the same without a blank line before it"
printf 'worker 4711 [003] 12.3: kmem:kmalloc: ptr=0x1 bytes=32\n\tffff a ([kernel.kallsyms])\n\nworker 4711 [003] 12.3: kmem:kfree: ptr=0x1 (x)\n\tffff b ([kernel.kallsyms])\n\n' >tp
folds 'worker;a 1' <tp && grep -q 'left out: 1 samples of event kmem:kfree;' err
result "3: tracepoints with arguments are two events"
folds $'kmem:kfree;worker;b 1\nkmem:kmalloc;worker;a 1' --event all <tp && [ ! -s err ]
result "3: --event all keeps them apart"
folds 'worker;b 1' --event kmem:kfree <tp
result "3: --event picks one"
printf 'a;b 4711 [003] 12.3: 5 cycles:\n\ta0 f (/a)\n\n' | folds 'a:b;f 5'
result "6: a semicolon in a thread name"
sample 'a0 box<(Kind)2>::put(int)+0x4 (/a)' 'b0 std::function<void (int)>::x(int) const+0x1 (/a)' |
	folds 'worker;std::function<void (int)>::x;box<(Kind)2>::put 5'
result "8: brackets inside templates"
sample 'a0 Fn::operator()(int) const+0x1 (/a)' 'b0 operator<<(int, int)+0x1 (/a)' |
	folds 'worker;operator<<;Fn::operator() 5'
result "9: operator() and operator<<"
sample 'a0 Ptr<X>::operator->() const+0x1 (/a)' 'b0 fn(u8) -> u16+0x1 (/a)' |
	folds 'worker;fn;Ptr<X>::operator-> 5'
result "10: arrows that are no inlining"
sample 'a0 La/A;::f->Lb/B;::g->Lb/B;::h+0x1 (/tmp/perf-4711.map)' |
	folds 'worker;La/A:::f;Lb/B:::g_[i];Lb/B:::h_[i] 5'
result "10: arrows that are"
sample 'a0 drop<[u8; 32]>+0x1 (/a)' | folds 'worker;drop<[u8: 32]> 5'
result "11: a semicolon in a name"
sample 'a0 main+0x1 (/opt/app (deleted))' 'b0 [unknown] (/opt/app (deleted))' |
	folds 'worker;[app];main 5'
result "12: a file that was deleted"
sample 'a0 run ([JIT app cache])' 'b0 f+0x1 (/opt/My App/x)' | folds 'worker;f;run 5'
result "13: blanks in a file's name"
sample 'a0 [unknown] (/lib/libfoo.so.1)' 'b0 [unknown] ([unknown])' |
	folds 'worker;[unknown];[libfoo.so.1] 5'
result "14: the file's name for an unknown function"
sample 'a0 [unknown] (/lib/libfoo.so.1)' 'b0 [unknown] ([unknown])' |
	folds 'worker;[unknown <b0>];[libfoo.so.1 <a0>] 5' --addrs
result "14: --addrs with the address"
{ sample 'a0 f+0x1f (/a)'; sample 'a8 f+0x27 (/a)'; sample 'a8 a+0xzz (/a)'; } |
	folds $'worker;a+0xzz 5\nworker;f 10'
result "15: offsets are taken off, and nothing else"
{ sample 'a0 f (/a)'; sample 'a0 f (/a)' | sed 's/: 5 /: 999 /'; } >periods
folds 'worker;f 1004' <periods
result "16: a sample weighs its period"
folds 'worker;f 2' --count <periods
result "17: --count: or one"
{ sample 'a0 f (/a)'; sample 'a0 g (/a)' | sed 's/cycles:u/instructions/'
  sample 'a0 h (/a)' | sed 's/cycles:u/cpu_core\/cycles\/k/'; } >events
folds $'worker;f 5\nworker;h 5' <events && [ "$(wc -l <err)" -eq 1 ] &&
	grep -q 'left out: 1 samples of event instructions;' err
result "19: left-out events are named; modifiers and the PMU make no other event"
folds 'worker;f 5' --event cycles:u <events && folds $'worker;f 5\nworker;h 5' --event-filter cycles <events
result "19: --event with and without modifiers"
! "$flame" fold --event nosuch events >out 2>err && grep -q 'no sample of event nosuch' err
result "19: an event that is not there"
sample 'ff10 k (/lib/modules/6.1/kernel/fs/x.ko)' 'ff11 l (/boot/vmlinux-6.1.0)' \
	'ff12 bpf_prog_6deef7357e7b4530+0x1 (bpf_prog_6deef7357e7b4530)' '7f0 vd ([vdso])' \
	'ff13 e ([kernel.kallsyms])' >kernel
folds 'worker;e_[k];vd;bpf_prog_6deef7357e7b4530_[k];l_[k];k_[k] 5' --kernel <kernel
result "20: modules, vmlinux-VERSION and BPF programs are kernel, the vDSO is not"
folds 'worker;e;vd;bpf_prog_6deef7357e7b4530;l;k 5' <kernel
result "20: without --kernel nothing is marked"
sample 'a0 f+0x1 (/a)' '  foo.c:10' 'b0 main+0x1 (/a)' '  libc.so.6[29d8f]' >srcline
folds 'worker;main;f 5' <srcline && [ ! -s err ]
result "21: source lines are ignored"
folds 'worker;main:libc.so.6[29d8f];f:foo.c:10 5' --srcline <srcline
result "21: or taken with --srcline"
printf 'worker 4711 [003] 12.3: 5 cycles:u:\n\ta0 f (/a)' | folds 'worker;f 5'
result "23: a last sample without newline"
{ printf 'Warning:\nProcessed 10 events and lost 3 chunks!\n\n\n'; sample 'a0 f (/a)'; } >junk
folds 'worker;f 5' <junk && grep -q ':1: not a line of perf script, left out: Warning:' err &&
	grep -q ':2: .*Processed 10 events' err
result "24, 25: text before the first sample is shown and is no header"
! "$flame" fold --strict junk >out 2>err && [ "$(wc -l <err)" -eq 1 ] && grep -q 'junk:1: not a line' err
result "24: --strict makes it an error"
printf 'swapper \n\tffff a\n\tfffe b\n\n' >none
! "$flame" fold --from perf none >out 2>err && grep -q 'no sample in 4 lines' err && [ ! -s out ]
result "24: without time and event there is no sample"
sample "$(printf 'a0 f\xad\x1bg (/a)')" | folds 'worker;f\xad\x1bg 5'
result "27, 28: bytes that are no text"
{ for _ in 1 2 3 4 5; do echo junk junk; done; sample 'a0 f (/a)'; } | folds 'worker;f 5' &&
	[ "$(grep -c 'left out: junk' err)" -eq 3 ] && grep -q '5 lines in all' err
result "three lines are shown, all are counted"

# ---- field sets and options ---------------------------------------------------

{ echo 'my app 1/2 12.3: 7 cycles: '; printf '\ta0 f (/a)\n\n'; } >ids
folds 'my_app;f 7' <ids && folds 'my_app-1;f 7' --pid <ids && folds 'my_app-1/2;f 7' --tid <ids
result "--pid, --tid"
sample 'a0 f (/a)' >tid && folds 'worker-?;f 5' --pid <tid && folds 'worker-?/4711;f 5' --tid <tid
result "--pid, --tid where only the thread is known"
folds 'f 7' --no-comm <ids
result "--no-comm"
printf 'w 12.5: cycles:\n\ta0 f (/a)\n\n1/2 [001] 12.5: 3 cycles:\n\ta0 f (/a)\n\nv 9 cycles:\n\ta0 f+0x1\n\n' |
	folds $':2;f 3\nv;f 1\nw;f 1'
result "without ids, without a name, without time and file"
printf 'dd 29 6.7: 101 cpu-clock:  414b3b fsnotify+0x1 (/boot/vmlinux)\ndd 29 6.8: 101 cpu-clock:  414b3b f (/a)\n' |
	folds $'dd;f 101\ndd;fsnotify 101'
result "without callchains: the frame behind the event"
printf 'dd 29 6.7: 4 cycles:\r\n\ta0 f (/a)\r\n\r\n' | folds 'dd;f 4'
result "CRLF"
printf 'Gecko\t25 [007] 11.9:\t\t1000 task-clock:u:\n        b3cea6c4\tLock::unlock() (/system/lib/libc.so)\n\n' |
	folds 'Gecko;Lock::unlock 1000'
result "simpleperf's tabs"
sample | folds 'worker 5'
result "a sample without frames"
sample 'a0 c (/a)' 'b0 b (/a)' 'c0 a (/a)' 'd0 main (/a)' | folds 'worker;b;c 5' --skip-after b
result "--skip-after"
sample 'a0 f (/a)' 'b0 f (/a)' 'c0 g (/a)' 'd0 f (/a)' | folds 'worker;f;g;f 5' --recursive
result "--recursive"
sample 'a0 i (inlined)' 'a0 o+0x4 (/a)' 'b0 j (/tmp/perf-1.map)' 'b0 k (/tmp/jitted-1-2.so)' >kinds
folds 'worker;k;j;o;i 5' <kinds && folds 'worker;k_[j];j_[j];o;i 5' --all <kinds &&
	folds 'worker;k_[j];j_[j];o;i_[i] 5' --annotate <kinds
result "JIT and (inlined)"
printf 'java 1 1.0: 1 cycles:\n\ta0 Ljava/lang/A;.b(Ljava/lang/C;)V (/tmp/perf-1.map)\n\nj 1 1.0: 1 cycles:\n\ta0 Ljava/lang/A;.b (/tmp/perf-1.map)\n\n' |
	folds $'j;Ljava/lang/A:.b 1\njava;java/lang/A:.b 1'
result "class names of Java"
sample 'a0 net/http.(*conn).serve(0x1)+0x1 (/a)' 'b0 (anonymous namespace)::f(int)+0x1 (/a)' 'c0 (sshd) (/a)' |
	folds 'worker;(anonymous namespace)::f;net/http.(*conn).serve 5'
result "methods of Go, anonymous namespaces, process names"
printf 'worker %d 1.0: 18446744073709551615 cycles:\n' 1 2 >huge
! "$flame" fold --from perf huge >out 2>err && grep -q 'huge:2: .* more than 2^64' err
result "periods beyond 64 bits name the line"
{ echo 'w 1 1.0: 1 cycles:'; yes $'\ta0 f (/a)' | head -n 70000; } >deep
! "$flame" fold deep >out 2>err && [ "$(wc -l <err)" -eq 1 ] && grep -q 'deep:65538: more than' err
result "frames without end are refused"
printf 'w 1 1.0: 1 cycles:\n\ta0 f (/a)\n\nw 1 1.5: PERF_RECORD_LOST lost 7\n' | folds 'w;f 1' && [ ! -s err ]
result "records that are no samples"

# ---- --inline -----------------------------------------------------------------

cat >inl.c <<'END'
#include <stdlib.h>
volatile int sink;
static inline __attribute__((always_inline)) void innermost(int x)
{
	sink = x * 17;
}
static inline __attribute__((always_inline)) void middle(int x)
{
	innermost(x + 1);
}
int main(int argc, char **argv)
{
	middle(argc);
	return argv[0] == NULL;
}
END
if command -v gcc >/dev/null && command -v addr2line >/dev/null && gcc -O1 -g -o inl inl.c 2>err; then
	# The offset in main of a place that binutils says is in innermost().
	start=$((0x$(nm inl | sed -n 's/ T main$//p')))
	for offset in $(seq 0 64); do
		addr2line -i -f -e inl "$(printf '0x%x' $((start + offset)))" | head -n 1 | grep -qx innermost && break
	done
	sample "$(printf '55550 main+0x%x (%s)' "$offset" "$work/inl")" >place
	folds 'worker;main;middle_[i];innermost_[i] 5' --inline <place
	result "--inline: the functions that addr2line -i names"
	folds 'worker;main:inl.c:13;middle:inl.c:9_[i];innermost:inl.c:5_[i] 5' --inline --context <place
	result "--inline --context: file and line of each"
	folds 'worker;main 5' <place
	result "without --inline: as printed"
else
	echo "ok - --inline # SKIP no gcc or addr2line"
fi

# ---- perf.data ----------------------------------------------------------------

printf 'PERFILE2 and more' >perf.data
! "$flame" fold - <perf.data >out 2>err && [ "$(wc -l <err)" -eq 1 ] && grep -q 'give it as a file' err
result "perf.data from a pipe is refused"
# shellcheck disable=SC2016 # for the shell that runs it
mkdir bin && printf '#!/bin/sh\n[ "$1 $4" = "script perf.data" ] && exec cat samples\n' >bin/perf && chmod +x bin/perf
sample 'a0 f (/a)' >samples
PATH=$work/bin:$PATH "$flame" fold perf.data >out 2>err && echo 'worker;f 5' | cmp -s - out && [ ! -s err ]
result "perf.data is printed by perf script"
rm samples
! PATH=$work/bin:$PATH "$flame" fold perf.data >out 2>err && grep -q 'perf.data: perf script failed' err
result "perf script fails"
! PATH=$work "$flame" fold perf.data >out 2>err && [ "$(wc -l <err)" -eq 1 ] && grep -q 'there is no perf here' err
result "there is no perf"
# shellcheck disable=SC2016
if command -v perf >/dev/null && perf record -q -e cpu-clock -o real.data -- sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done' >err 2>&1; then
	perf script -i real.data 2>/dev/null | "$flame" fold - >want 2>err
	"$flame" fold real.data >out 2>>err && [ -s out ] && cmp -s want out
	result "perf.data of this machine"
else
	echo "ok - perf.data of this machine # SKIP perf records nothing here"
fi

# ---- the corpus ---------------------------------------------------------------

if [ ! -d "$corpus" ]; then
	echo "ok - perf inputs of the field # SKIP no corpus (FLAME_CORPUS)"
	exit $status
fi

# whole FILE - up to its last blank line: stackcollapse-perf.pl loses a sample at the
# end of file (row 23).
whole()
{
	case $1 in
	*.gz) gzip -dc "$1" ;;
	*) cat "$1" ;;
	esac | awk '{ held = held $0 "\n" } /^$/ { printf "%s", held; held = "" }'
}

# same INPUT EXPECTED [OPTION...] - the same bytes, but for the vDSO, which is no
# kernel (row 20).
same()
{
	local input=$1 want=$2

	shift 2
	case $want in
	*.gz) gzip -dc "$want" ;;
	*) cat "$want" ;;
	esac | sed 's/\(;__vdso_[a-z_]*\)_\[k\]/\1/g' >expected
	whole "$input" | "$flame" fold --from perf "$@" >out 2>err && cmp -s expected out
}

F=$corpus/FlameGraph
for input in "$F"/perf/perf-*.txt; do
	name=$(basename "$input" .txt)
	for option in pid tid kernel jit all addrs; do
		# These eight are not what its script prints any more; ref/ has --tid anew.
		case $name-$option in
		perf-java-*-[pt]id|perf-vertx-*-[pt]id) continue ;;
		esac
		same "$input" "$F/perf/results/$name-collapsed-$option.txt" --$option
		result "$name --$option as stackcollapse-perf.pl"
	done
	same "$input" "$F/ref/$name.default.perl.folded"
	result "$name as stackcollapse-perf.pl"
	same "$input" "$F/ref/$name.tid.perl.folded" --tid
	result "$name --tid as stackcollapse-perf.pl today"
done
same "$F/perf/example-perf-stacks.txt.gz" "$F/ref/example-perf-stacks.default.perl.folded.gz"
result "example-perf-stacks as stackcollapse-perf.pl"
for name in simple-with-header simple-with-pid system-wide; do
	for option in all tid; do
		same "$corpus/speedscope/linux-perf/$name.linux-perf.txt" \
			"$corpus/speedscope/ref/$name.$option.perl.folded" --$option
		result "$name ($option) as stackcollapse-perf.pl"
	done
done
same "$corpus/flamescope/perf.test01.txt" "$corpus/flamescope/ref/perf.test01.default.perl.folded"
result "perf.test01 as stackcollapse-perf.pl"
same "$corpus/inferno/perf/java-inline.txt" "$corpus/inferno/ref/java-inline.all.perl.folded" --all
result "java-inline --all as stackcollapse-perf.pl"
"$flame" fold "$corpus/inferno/perf/empty-line.txt" >out 2>err && [ "$(wc -l <err)" -eq 1 ] &&
	cmp -s out "$corpus/inferno/ref/empty-line.default.perl.folded"
result "empty-line as stackcollapse-perf.pl, with a warning"
"$flame" fold "$corpus/inferno/perf/weird-stack-line.txt" >out 2>err && [ "$(wc -l <err)" -eq 1 ] &&
	{ echo 'inline-counter 250000'; cat "$corpus/inferno/ref/weird-stack-line.default.perl.folded"; } |
	cmp -s - out
result "weird-stack-line as stackcollapse-perf.pl, with a warning and the last sample (23)"
# Where the samples at the end of file count, it is inferno that has them.
for name in dd-stacks-01 iperf-stacks-pidtid-01 vertx-stacks-01 java-stacks-01; do
	"$flame" fold "$F/perf/perf-$name.txt" 2>err >out && cmp -s out "$F/ref/perf-$name.default.inferno.folded"
	result "perf-$name as inferno"
done
"$flame" fold "$corpus/inferno/perf/versioned-vmlinux.txt" 2>err >out &&
	cmp -s out "$corpus/inferno/ref/versioned-vmlinux.default.inferno.folded"
result "versioned-vmlinux as inferno"
"$flame" fold --kernel "$corpus/inferno/perf/versioned-vmlinux.txt" 2>err >out &&
	sed 's/uni_l4lb/&_[k]/' "$corpus/inferno/perf/results/versioned-vmlinux-collapsed-kernel.txt" | cmp -s - out
result "versioned-vmlinux --kernel as inferno, and the BPF program (20)"
"$flame" fold "$corpus/inferno/perf/cpp-stacks-std-function.txt" 2>err >out &&
	sed 's/>::operator;/>::operator();/' "$corpus/inferno/perf/results/cpp-stacks-std-function-collapsed.txt" | cmp -s - out
result "cpp-stacks-std-function as inferno, and operator() (9)"
"$flame" fold "$corpus/firefox-profiler/simple-perf.txt.gz" >out 2>err && [ ! -s err ] &&
	awk '{ n += $NF } END { printf "%d\n", n }' out >sum &&
	gzip -dc "$corpus/firefox-profiler/simple-perf.txt.gz" |
	awk -F '\t' '/^[^ ]/ { split($NF, f, " "); n += f[1] } END { printf "%d\n", n }' | cmp -s - sum
result "simpleperf: every sample's period is counted"
exit $status
