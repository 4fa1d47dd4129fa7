#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Reading other profilers' files, from the outside: pprof, speedscope, Firefox, Chrome
# traces, V8. Small inputs are written here with the lines they fold to; those of the
# field need FLAME_CORPUS; go tool pprof says what it makes of the same.

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

# refuses TEXT - what is on stdin is refused with one line that holds TEXT.
refuses()
{
	! "$flame" fold - >out 2>err && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$1" err && [ ! -s out ]
}

# ---- speedscope ---------------------------------------------------------------

# speedscope PROFILE... - a file with frames a, b, c_[k] and these profiles.
speedscope()
{
	local IFS=,

	echo "{\"\$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":
		[{\"name\":\"a\"},{\"name\":\"b\",\"file\":\"b.c\"},{\"name\":\"c_[k]\"}]},\"profiles\":[$*]}"
}
one='{"type":"sampled","name":"t1","unit":"none","startValue":0,"endValue":9,"samples":[[0,1],[0],[0,1,2]],"weights":[2,3,4]}'
two='{"type":"evented","name":"t2","unit":"none","startValue":10,"endValue":19,"events":[
	{"type":"O","frame":0,"at":10},{"type":"O","frame":1,"at":13},{"type":"C","frame":1,"at":15},{"type":"C","frame":0,"at":15},
	{"type":"O","frame":2,"at":18},{"type":"C","frame":2,"at":19}]}'
speedscope "$one" | folds $'a 3\na;b 2\na;b;c_[k] 4' --annotate
result "speedscope: sampled"
speedscope "$two" | folds $'a 3\na;b 2\nc_[k] 1' --annotate
result "speedscope: evented"
speedscope "$one" "$two" | folds $'t1;a 3\nt1;a;b 2\nt1;a;b;c 4\nt2;a 3\nt2;a;b 2\nt2;c 1'
result "speedscope: threads below their names"
speedscope "${one/\"none\"/\"milliseconds\"}" | sed 's/\[2,3,4\]/[0.5,3,4]/' | folds $'a 3000000\na;b 500000\na;b;c 4000000'
result "speedscope: times become ns"
speedscope "${one/\[0\]/[7]}" | refuses "a frame that is not in shared.frames"
result "speedscope: a frame that is not there"
speedscope "${one/2,3,4/2,3}" | refuses "not as many"
result "speedscope: a weight is missing"
speedscope "${one/2,3,4/2,-3,4}" | refuses "negative"
result "speedscope: a negative weight"
speedscope "${two/\"O\",\"frame\":2/\"C\",\"frame\":2}" | refuses "event 4 closes a frame"
result "speedscope: a frame closed that is not open"

# ---- Firefox ------------------------------------------------------------------

tables='"stackTable":{"length":3,"frame":[0,1,2],"prefix":[null,0,1]},"frameTable":{"length":3,"func":[0,1,1]},
	"funcTable":{"length":2,"name":[1,0]},"stringArray":["leaf","main"]'
echo "{\"meta\":{\"version\":24},\"threads\":[{\"name\":\"T\",$tables,\"samples\":{\"length\":4,\"stack\":[1,null,0,2]}}]}" |
	folds $'[no stack] 1\nmain 1\nmain;leaf 1\nmain;leaf;leaf 1'
result "Firefox: tables in the thread"
thread='"samples":{"stack":[1,0],"weight":[5,6],"weightType":"samples"}'
echo "{\"meta\":{},\"shared\":{$tables},\"threads\":[{\"name\":\"T\",\"pid\":\"7\",\"tid\":8,$thread},{\"name\":\"U\",$thread}]}" >shared
folds $'T;main 6\nT;main;leaf 5\nU;main 6\nU;main;leaf 5' <shared
result "Firefox: shared tables, weights, several threads"
"$flame" fold --tid shared 2>err | grep -qx 'T-7/8;main 6'
result "Firefox: --tid"
echo "{\"meta\":{},\"shared\":{${tables/null,0,1/2,0,1}},\"threads\":[{$thread}]}" | refuses "has a parent that stands behind it"
result "Firefox: a circle of parents"

# ---- V8 -----------------------------------------------------------------------

nodes='"nodes":[{"id":1,"callFrame":{"functionName":"(root)"},"children":[2,3]},
	{"id":2,"hitCount":2,"callFrame":{"functionName":"f","url":"f.js"},"children":[4]},
	{"id":3,"hitCount":1,"callFrame":{"functionName":""}},{"id":4,"callFrame":{"functionName":"g"}}]'
echo "{$nodes,\"startTime\":100,\"endTime\":160,\"samples\":[2,4,2,3],\"timeDeltas\":[0,10,20,5]}" >v8
folds $'(anonymous) 25\nf 15\nf;g 20' <v8
result ".cpuprofile: a sample lasts until the next"
folds $'(anonymous) 1\nf 2\nf;g 1' --count <v8
result ".cpuprofile: --count"
echo "{$nodes}" | folds $'(anonymous) 1\nf 2'
result ".cpuprofile: hit counts"
echo "{${nodes/2,3/2,9}}" | refuses "node 1 has a child that is not there"
result ".cpuprofile: a child that is not there"

# ---- Chrome traces ------------------------------------------------------------

echo '[{"ph":"B","pid":1,"tid":1,"ts":0,"name":"a"},{"ph":"X","pid":1,"tid":1,"ts":2,"dur":3.5,"name":"b"},
	{"ph":"E","pid":1,"tid":1,"ts":10},{"ph":"i","pid":1,"tid":1,"ts":1,"name":"mark"},
	{"ph":"X","pid":1,"tid":1,"ts":3,"dur":1,"name":"c"}]' | folds $'a 6500\na;b 2500\na;b;c 1000'
result "Chrome trace: calls nested by time"
echo '{"traceEvents":[{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"io"}},
	{"ph":"X","pid":1,"tid":2,"ts":0,"dur":1,"name":"r"},{"ph":"X","pid":1,"tid":1,"ts":0,"dur":2,"name":"m"}]}' |
	folds $'1/1;m 2000\nio;r 1000'
result "Chrome trace: several threads"
echo '{"traceEvents":[],"stackFrames":{"1":{"name":"root"},"2":{"name":"f","parent":1}},
	"samples":[{"pid":1,"tid":"1","sf":2,"weight":"2"},{"pid":1,"tid":"1","sf":1}]}' | folds $'root 1\nroot;f 2'
result "Chrome trace: samples"
echo '[{"ph":"E","pid":1,"tid":1,"ts":1},{"ph":"X","pid":1,"tid":1,"ts":2,"dur":1,"name":"b"}]' >odd
"$flame" fold odd >out 2>err && echo 'b 1000' | cmp -s - out && grep -q '1 begin or end events' err
result "Chrome trace: an end without beginning is counted"

# ---- pprof -raw, callgrind ------------------------------------------------------

cat >raw <<'END'
PeriodType: cpu nanoseconds
Period: 10
Samples:
samples/count cpu/nanoseconds
          1         10: 1 2
                bytes:[4]
          2         20: 2
Locations
     1: 0x4 M=1 main.f /a/b c.go:1:0 s=1
             std::g<int> x/c.go:1:0 s=3
     2: 0x5 M=1
Mappings
1: 0x400000/0x500000/0x0 /bin/x
END
folds $'0x5 20\n0x5;std::g<int>;main.f /a/b_[i] 10' <raw
result "pprof -raw: inlined functions, unnamed places, labels"
folds $'0x5 2\n0x5;std::g<int>;main.f /a/b_[i] 1' --count <raw
result "pprof -raw: --count takes the samples"
sed '/ 2: 0x5/d' raw | refuses "sample 1 refers to a location that is not there"
result "pprof -raw: a location is missing"
cat >calls <<'END'
# callgrind format
positions: line
events: Ir Dr
fl=(1) a.c
fn=(1) main
1 20 1
cfn=(2) f
calls=3 10
* 60 0
cfn=(3) g
calls=1 10
* 40 0
fn=(2)
+9 20 0
cfn=(3)
calls=2 10
* 40 0
fn=(3)
+1 80 7
END
"$flame" fold calls >out 2>err && printf 'main 20\nmain;f 20\nmain;f;g 40\nmain;g 40\n' | cmp -s - out &&
	grep -q 'left out: 1 other events' err
result "callgrind: callees shared among their callers"
"$flame" fold -q --event Dr calls | head -n 1 | grep -qx 'g 7'
result "callgrind: --event"
printf 'events: Ir\nfn=f\n1 10\ncfn=f\ncalls=1 1\n1 5\n' | folds $'f 10\nf;f 5'
result "callgrind: recursion"

# ---- what is none ---------------------------------------------------------------

echo '{"some":"json"}' | refuses "no profile of a known format"
result "JSON of another kind"
printf '{"a":[\n1,2,,3]}' | refuses "(stdin):2: offset"
result "JSON that is none: line and offset"
{ printf '{"a":'; printf '[%.0s' $(seq 5000); } | refuses "(stdin):1: offset"
result "JSON of endless depth"
printf '[unknown];f 5\n' | folds '[unknown];f 5'
result "folded text that begins with a bracket"

# ---- round trips ----------------------------------------------------------------

printf 'app;main;read;vfs_read_[k] 2\napp;main;f_[i] 18446744073\napp;"q\\x22 \xc3\xa9";g_[j] 3\n' | sort >in.folded
for format in pprof speedscope firefox flame; do
	"$flame" export --format $format -o "round.$format" in.folded 2>err &&
		"$flame" fold --annotate "round.$format" >out 2>>err && cmp -s in.folded out
	result "folded, $format, folded: every stack and count"
done
"$flame" export --format pprof -o x.pb.gz in.folded && gzip -dc x.pb.gz >x.pb && head -c 60 x.pb | refuses "damaged at offset"
result "pprof cut short names the offset"

# ---- the corpus ---------------------------------------------------------------

if [ ! -d "$corpus" ]; then
	echo "ok - profiles of the field # SKIP no corpus (FLAME_CORPUS)"
	exit $status
fi
S=$corpus/speedscope
for file in 0.0.1/simple.speedscope.json 0.0.1/simple-no-pretty-print.speedscope.json; do
	folds $'a;b 5\na;b;c 5\na;b;d 4' <"$S/speedscope/$file"
	result "speedscope $file"
done
folds $'a;b 5000000000\na;b;c 5000000000\na;b;d 4000000000' <"$S/speedscope/0.1.2/simple-sampled.speedscope.json"
result "speedscope 0.1.2/simple-sampled"
refuses "1 frames are still open" <"$S/speedscope/invalid/incomplete-trace.json"
result "speedscope incomplete-trace is refused"
"$flame" fold "$corpus/firefox-profiler/processed-1.json" >out 2>err &&
	[ "$(awk '$0 ~ /^Compositor;/ { n += $NF } END { print n }' out)" -eq 7 ]
result "Firefox processed-1: 7 samples a thread"
for name in burn/out.perf-folded.txt FlameGraph/perf/results/perf-vertx-stacks-01-collapsed-all.txt; do
	"$flame" fold "$corpus/$name" >want 2>err
	for format in pprof speedscope firefox flame; do
		"$flame" export --format $format -o round "$corpus/$name" 2>err &&
			"$flame" fold --annotate round >out 2>>err && cmp -s want out
		result "$(basename "$name"), $format and back"
	done
done
for name in example subposition-compression; do
	folds $'main 20\nmain;func1 100\nmain;func1;func2 300\nmain;func2 400' <"$S/callgrind/callgrind.$name.log"
	result "callgrind $name"
done
folds $'alpha 10\nalpha;beta 10\nalpha;delta 10\nalpha;delta;gamma 10\nalpha;gamma 10' <"$S/callgrind/callgrind.cfn-reset.log"
result "callgrind cfn-reset"
for name in cppbench.cpu gobench.cpu gobench.heap; do
	"$flame" fold "$corpus/pprof/profile/$name.string" >out 2>err && [ ! -s err ] &&
		awk -F : '/^Locations/ { exit } /^ *[0-9][0-9 ]*:/ { split($1, v, " "); n += v[length(v)] }
			END { printf "%d\n", n }' "$corpus/pprof/profile/$name.string" >want
	awk '{ n += $NF } END { printf "%d\n", n }' out | cmp -s - want
	result "pprof -raw $name: all of its values"
done
if ! command -v go >/dev/null; then
	echo "ok - pprof beside go tool pprof # SKIP no go"
	exit $status
fi
# sums FILE - total and number of samples as go tool pprof -raw prints them.
sums()
{
	go tool pprof -raw "$1" 2>/dev/null |
		awk '/^Locations/ { exit } /^ *[0-9]+ +[0-9]+: / { sub(":", "", $2); n += $2 } END { printf "%d\n", n }'
}
for file in "$corpus/pprof/large.cpu" "$S/pprof/simple.prof"; do
	"$flame" fold "$file" 2>err >out && [ ! -s err ] && sums "$file" >want &&
		awk '{ n += $NF } END { printf "%d\n", n }' out | cmp -s - want
	result "pprof $(basename "$file"): the total of go tool pprof"
	go tool pprof -raw "$file" 2>/dev/null | "$flame" fold >raw 2>err && cmp -s raw out
	result "pprof $(basename "$file"): the same from go tool pprof -raw"
done
exit $status
