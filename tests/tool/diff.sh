#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame diff and flame svg --diff from the outside: the lines that difffolded.pl would
# print (sorted, equal stacks summed), what cannot be compared, and the picture's boxes.
# Expected lines are worked out by hand.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
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
		[ ! -s err ] || head -n 12 err | sed 's/^/# /'
		status=1
	fi
}

# prints ARGS... - flame diff prints what stands on stdin, and is silent but for err.
prints() { cat >expected; "$flame" diff "$@" >found 2>err && diff expected found >>err; }
says() { grep -q "^flame: .*$1" err; }

printf 'm;f 10\nm;f;old 5\nm;g 85\n' >a
printf 'm;f 20\nm;f;new 7\nm;g 73\n' >b

# ---- lines -----------------------------------------------------------------------

prints a b <<'EOF'
m;f 10 20
m;f;new 0 7
m;f;old 5 0
m;g 85 73
EOF
result "the union of stacks, sorted, 0 for what is missing"
[ ! -s err ]
result "equal totals: no warning"
gzip -c a >a.gz
"$flame" diff a b >x 2>err && "$flame" diff a.gz b >y 2>>err && cmp -s x y
result "compressed input gives the same"
"$flame" diff a - <b >y 2>err && cmp -s x y && "$flame" diff - b <a >y 2>err && cmp -s x y
result "stdin as either input"
"$flame" diff - - <a 2>err
[ $? -eq 2 ] && says 'only one of the inputs can be stdin'
result "stdin as both: usage error"
"$flame" diff a 2>err
[ $? -eq 2 ] && says 'two inputs are wanted'
result "one input: usage error"

printf 'a;b 5\na;b 7\nz 1\na;c 3\n' >dup
printf 'a;b 1\na;b 1\n' >dup2
prints dup2 dup <<'EOF'
a;b 2 12
a;c 0 3
z 0 1
EOF
result "equal stacks are summed first, input in any order"
printf 'm;foo 1\nm;foo.cold;y 1\nm;foo;x 1\n' >cold
prints cold cold <<'EOF'
m;foo 1 1
m;foo.cold;y 1 1
m;foo;x 1 1
EOF
result "lines are sorted as bytes"

# ---- -n: int(c1 * total2 / total1) -------------------------------------------------

printf 'a 1\nb 2\nc 4\n' >seven
printf 'a 10\nb 10\n' >twenty
# 1 * 20 / 7 = 2.86, 2 * 20 / 7 = 5.71, 4 * 20 / 7 = 11.43
prints -n seven twenty <<'EOF'
a 2 10
b 5 10
c 11 0
EOF
result "-n scales the counts before and cuts them"
"$flame" diff seven twenty >/dev/null 2>err && says 'totals differ: 7 before, 20 after; -n'
result "totals that differ: a warning that names -n"
printf 'a 49\nb 51\n' >hundred
printf 'a 49\nb 52\n' >hundred_one
"$flame" diff hundred hundred_one >/dev/null 2>err && [ ! -s err ]
result "1 % apart: no warning"
printf 'a;b 1\na;b 1\nc 1\n' >three
printf 'c 2\n' >two
# (1 + 1) * 2 / 3 = 1.33, not twice int(0.67)
prints -n three two <<'EOF'
a;b 1 0
c 0 2
EOF
result "-n scales sums, not lines"
printf 'a 9007199254740993\nb 1\n' >large
printf 'a 18014398509481988\n' >larger
prints -n large larger <<'EOF'
a 18014398509481986 18014398509481988
b 2 0
EOF
result "-n is exact where floating point is not"
: >empty
prints -n a empty <<'EOF'
m;f 10 0
m;f;old 5 0
m;g 85 0
EOF
result "-n against nothing: no scaling" && says 'empty has no samples'
prints -n empty b <<'EOF'
m;f 0 20
m;f;new 0 7
m;g 0 73
EOF
result "-n with nothing before: no scaling, no division by 0"

# ---- -s ----------------------------------------------------------------------------

printf 'a;lib+0x12f;g 1\na;lib+0x13;g 2\na;0x;0xZ 3\n' >hex
printf 'a;lib+0xdeadBEEF;g 6\n' >hex2
prints -s hex hex2 <<'EOF'
a;0x;0xZ 3 0
a;lib+0x...;g 3 6
EOF
result "-s makes 0x and digits 0x..., merged afterwards"

# ---- lenient, and the two ways agree --------------------------------------------------

printf 'no count here\na;b 5\n' >bad
printf 'a;b 5\n' >good
"$flame" diff bad good >found 2>err && [ "$(cat found)" = 'a;b 5 5' ] && says 'bad:1: not of the form'
result "a line that is none is said and left out, no empty stack"
printf 'a;worker 7 5\n' >numbered
prints numbered numbered <<'EOF'
a;worker 7 5 5
EOF
result "a number at the end of a name stays"
printf '\xef\xbb\xbfa;b 5\r\nc\t2\r\n# note 3\nd 1.6\n' >odd
prints good odd <<'EOF'
a;b 5 5
c 0 2
d 0 2
EOF
result "CRLF, tabs, comments, a mark and decimals are taken"
# Read as pprof's fields, "ja" would be a comment of 97 bytes, several times.
awk 'BEGIN { v = sprintf("%97s", ""); gsub(" ", "v", v); for (i = 0; i < 9; i++) printf "ja" v; print " 5" }' >java
"$flame" diff --event '' java java >found 2>err && [ "$(sed 's/.*v //' found)" = '5 5' ]
result "long names that begin as java does are text"
awk 'BEGIN { srand(7); for (i = 0; i < 3000; i++) { s = "p"
	for (k = 0; k < 3 + rand() * 5; k++) s = s ";f" int(rand() * 9) (rand() < .2 ? "_[k]" : "")
	print s, int(rand() * 50) } }' >r1
awk 'BEGIN { srand(8); for (i = 0; i < 3000; i++) { s = "p"
	for (k = 0; k < 3 + rand() * 5; k++) s = s ";f" int(rand() * 9) (rand() < .2 ? "_[k]" : "")
	print s, int(rand() * 50) + 1 } }' >r2
# A comment sends the input the long way.
(echo '# long'; cat r1) >r1c
"$flame" diff -q r1 r2 | awk '$NF || $(NF - 1)' >x
"$flame" diff -q r1c r2 >y
cmp -s x y && [ "$(wc -l <x)" -gt 1000 ]
result "lines compared as lines or frame by frame: the same"
awk '{ n = $NF; sub(/ [0-9]+$/, ""); if (FNR == NR) a[$0] += n; else b[$0] += n; all[$0] }
	END { for (s in all) if (a[s] + b[s]) print s, a[s] + 0, b[s] + 0 }' r1 r2 | sort >y
sort x | cmp -s - y
result "and what awk makes of it"

# ---- events ------------------------------------------------------------------------------

cat >cycles.perf <<'EOF'
p 1 [000] 1.0: 7 cycles:
	10 f+0x0 (/bin/p)

EOF
sed 's/cycles/faults/' cycles.perf >faults.perf
"$flame" diff cycles.perf faults.perf >found 2>err
[ $? -eq 1 ] && [ ! -s found ] && says "'cycles'.*'faults'.*--force"
result "different events are refused"
"$flame" diff --force cycles.perf faults.perf >found 2>err && [ "$(cat found)" = 'p;f 7 7' ] && says 'compared all the same'
result "--force compares them"
printf 'p;f 7\n' >p.folded
"$flame" diff cycles.perf p.folded >found 2>err && [ "$(cat found)" = 'p;f 7 7' ]
result "folded text, which names no event, can be compared with any"
"$flame" diff --event nope cycles.perf p.folded 2>err
[ $? -eq 1 ] && says 'cycles.perf: no sample of event nope'
result "an event that is not there: said"
printf 'q 1 [000] 1.0: 7 cycles:u:\n\t10 f+0x0 (/bin/q)\n\nq 1 [000] 1.1: 3 faults:\n\t10 g+0x0 (/bin/q)\n\n' >two.perf
"$flame" diff -q --event cycles two.perf two.perf >found 2>err && [ "$(cat found)" = 'q;f 7 7' ] &&
	"$flame" diff -q --event faults two.perf two.perf >found 2>err && [ "$(cat found)" = 'q;g 3 3' ]
result "--event picks one of several, its modifiers need not be named"
"$flame" diff --from folded two.perf a >found 2>err
[ $? -eq 1 ] && says 'none of 6 lines'
result "--from forces a format"
"$flame" diff --negate a b >x 2>err && "$flame" diff b a >y 2>>err && cmp -s x y
result "--negate changes the places"
"$flame" diff a missing -o kept 2>err
[ $? -eq 1 ] && [ ! -e kept ] && says missing
result "a file that is missing: exit 1, nothing written"

# ---- the picture ------------------------------------------------------------------------

draw() { "$flame" svg -q --diff --width 1200 "$@" >out.svg 2>err; }
# box NAME - title, width and fill of its box.
box()
{
	sed -n "s/.*<title>\($1 .*\)<\/title>.* width=\"\([0-9.]*\)\".* fill=\"\([^\"]*\)\".*/\1 | \2 | \3/p" out.svg
}
more='rgb(243,92,84)' neutral='rgb(222,222,219)' new='rgb(255,194,61)'

draw a b && xmllint --noout out.svg
result "svg --diff is well-formed"
# 1180 px for 100 samples; of the largest change, 12, all have the root of their part.
[ "$(box f)" = "f (27 samples, 27.00%; before 15, 15.00%: +12, +80.00%) | 318.6 | $more" ]
result "an inner frame has the change of all above it"
[ "$(box new)" = "new (7 samples, 7.00%; before 0, 0.00%: +7, new) | 82.6 | $new" ]
result "a new frame has a colour of its own"
[ "$(box g)" = "g (73 samples, 73.00%; before 85, 85.00%: -12, -14.12%) | 861.4 | rgb(96,142,243)" ]
result "less is blue"
[ "$(box m)" = "m (100 samples, 100.00%; before 100, 100.00%: unchanged) | 1180.0 | $neutral" ]
result "no change is grey"
[ -z "$(box old)" ] && grep -q 'vanished, not drawn: 5, 5.00%' out.svg
result "what vanished is told"
# 1180 px for 100 + 5; blue is 224 - 128 s, 232 - 90 s, 253 - 10 s with s the root of 5 / 12.
draw --elided a b && [ "$(box old)" = "old (0 samples, 0.00%; before 5, 5.00%: -5, vanished) | 56.2 | rgb(141,173,246)" ] &&
	box '\[vanished\]' | grep -q 'before 5, 5.00%: -5, vanished) | 56.2 ' &&
	box all | grep -q '^all (100 samples, 100.00%; before 100, 100.00%: unchanged) | 1180.0'
result "--elided draws it beside the rest"
draw --widths before a b && box old | grep -q '| 59.0 |' && box f | grep -q '| 177.0 |' && [ -z "$(box new)" ]
result "--widths before"
# |20 - 10| + 7 + 5 + |73 - 85| = 34: f has 22 of them
draw --widths both a b && box f | grep -q '| 763.5 |' && box new | grep -q '| 242.9 |' && box old | grep -q '| 173.5 |'
result "--widths both: gains and losses added up"
draw --negate a b && [ "$(box f)" = "f (27 samples, 27.00%; before 15, 15.00%: -12, -80.00%) | 318.6 | rgb(96,142,243)" ]
result "--negate turns signs and colours"
draw --colorblind a b && box f | grep -q 'rgb(235,120,30)' && box g | grep -q 'rgb(152,128,208)'
result "--colorblind: orange and purple"
draw --delta self a b && box f | grep -q '^f (27 samples, 27.00%; +10.00%) '
result "--delta self as flamegraph.pl"
draw a b && cp out.svg x && "$flame" diff --svg -q --width 1200 a b >y 2>err && cmp -s x y &&
	"$flame" diff -q a b | "$flame" svg -q --width 1200 >y 2>>err && cmp -s x y
result "svg --diff, diff --svg and diff | svg draw the same"
draw -n seven twenty && box c | grep -q . ; [ -z "$(box c)" ] && box a | grep -q 'a (10 samples, 50.00%; before 2, 11.11%: +8, +400.00%)'
result "-n goes with the picture"
"$flame" svg --widths both --delta self --diff a b 2>err
[ $? -eq 2 ]
result "--widths without total changes: usage error"
draw --widths both a a
[ $? -eq 1 ] && says 'nothing to draw'
result "no change at all and --widths both: said, exit 1"
exit $status
