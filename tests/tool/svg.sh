#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame svg from the outside: boxes worked out by hand (tests/data/svg), each option,
# well-formed XML whatever names and options hold, the same bytes twice, and what it
# says when there is nothing to draw. Needs xmllint.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
data=$top/tests/data/svg
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
		status=1
	fi
	return $good
}

svg() { "$flame" svg -q "$@"; }
# titles - the boxes' titles on stdin's picture, a line each.
titles() { sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p'; }
well_formed() { xmllint --noout --nonet "$@"; }

# boxes NAME OPTIONS... - tests/data/svg/NAME.folded against NAME.tsv.
boxes()
{
	local name=$1

	shift
	svg --width 1200 "$@" "$data/$name.folded" >out.svg &&
		awk -v fill=1 -f "$top/tests/tool/svg-boxes.awk" "$data/$name.tsv" out.svg >log &&
		well_formed out.svg
	result "boxes of $name as worked out by hand" || sed 's/^/# /' log
}

boxes kinds
boxes cold
boxes chart --flamechart
boxes reverse --reverse --inverted
boxes diff --colors hot
boxes numbers
boxes width --sort width
boxes hash --hash --colors hot

# ---- the same bytes -------------------------------------------------------------

svg "$data/kinds.folded" >a.svg
svg "$data/kinds.folded" >b.svg
cmp -s a.svg b.svg
result "the same input gives the same bytes"
sort -r "$data/kinds.folded" | svg - >b.svg
cmp -s a.svg b.svg
result "the order of the input's lines does not matter"
svg --random "$data/kinds.folded" >a.svg
svg --random "$data/kinds.folded" >b.svg
cmp -s a.svg b.svg
result "the same with --random"

# ---- options --------------------------------------------------------------------

svg --width 1200 "$data/kinds.folded" >out.svg
colors() { sed -n "s/.*<title>$1 .* fill=\"\([^\"]*\)\".*/\1/p" out.svg; }
test "$(for f in app main vfs_read step Foo::bar; do colors $f; done | sort -u | wc -l)" -eq 5
result "user, kernel, inlined, JIT and comm differ by default"
grep -q 'class="legend".*>user<.*>kernel<.*>inlined<.*>JIT<' out.svg
result "the legend names the kinds that occur"
svg --colors hot "$data/kinds.folded" | grep -q 'class="legend"'
test $? -eq 1
result "no legend for other palettes"

svg --title 'A "t" & <b>' --subtitle "it's" --width 640 --height 20 --fontsize 10 --fonttype 'M"y' \
	--countname 'a&b' --nametype '<x>:' --notes 'one -- two -' --bgcolors '#102030' \
	"$data/kinds.folded" >out.svg
well_formed out.svg
result "options that hold markup give well-formed XML"
test "$(xmllint --xpath 'string(//*[@id="title"])' out.svg)" = 'A "t" & <b>' &&
	test "$(xmllint --xpath 'string(//*[@id="subtitle"])' out.svg)" = "it's"
result "title and subtitle as given"
test "$(xmllint --xpath 'string(/*/@width)' out.svg)" = 640 &&
	test "$(xmllint --xpath 'string((//*[@id="frames"]/*)[1]/*[local-name()="rect"]/@height)' out.svg)" = 19.0
result "width and height as given"
# rows 6 x 20, top 3 x 10 + subtitle 2 x 10, bottom 2 x 10 + 10
test "$(xmllint --xpath 'string(/*/@height)' out.svg)" = 200
result "the page is as high as rows and fonts ask for"
titles <out.svg | grep -q '^main (100 a&amp;b, 50.00%)$'
result "countname as given"
grep -q 'stop-color="#102030"' out.svg && ! grep -q 'class="flame-graph auto"' out.svg
result "bgcolors as given, and not replaced on a dark page"

printf 'm;big 9989\nm;ten 10\nm;one 1\n' >narrow.folded
names() { svg --width 1200 "$@" narrow.folded | titles | sed 's/ (.*//' | sort | tr '\n' ' '; }
# 0.118 px a sample: one is 0.118 px wide, ten 1.18 px; 0.1 % of 10000 is 10
test "$(names)" = 'all big m one ten '
result "boxes of 0.1 px and more are drawn"
test "$(names --minwidth 1)" = 'all big m ten ' &&
	test "$(svg --minwidth 1 narrow.folded | grep -c 'data-self="0"><title>m ')" -eq 1
result "minwidth in px"
test "$(names --minwidth 0.1%)" = 'all big m ten ' && test "$(names --minwidth 0.11%)" = 'all big m '
result "minwidth in per cent, boxes just as wide stay"
printf 'm;big 99999\nm;one 1\n' >narrow.folded
test "$(names --minwidth 0)" = 'all big m one '
result "minwidth 0 draws all"

printf 'a;b 5\na;c 95\n' | svg --factor 0.1 --countname ms - | titles | grep -q '^b (0 ms, 5.00%)$'
result "a share is taken before a count is rounded"
printf 'a;b 3\na;c 7\n' | svg --factor 1000 - | titles | grep -q '^c (7,000 samples, 70.00%)$'
result "factor scales the counts shown"
printf 'a;b 25\n' | svg --total 100 --width 1200 - >out.svg
titles <out.svg | tr '\n' ' ' | grep -q '^all (100 samples, 100%) a (25 samples, 25.00%) b' &&
	grep '<title>a ' out.svg | grep -q 'width="295.0"'
result "total widens the root"
printf 'a;b 250\n' | "$flame" svg --total 100 - 2>err >out.svg
grep -q -- '--total 100 is less' err && titles <out.svg | grep -q '^all (250 samples, 100%)$'
result "a total too small is said and has no effect"

printf 'a;b 18446744073709551615\n' | svg --factor 1000 --width 1200 - >out.svg
well_formed out.svg && grep '<title>b (18,446,744,073,709,551,615 ' out.svg | grep -q 'width="1180.0"'
result "the largest count"
printf 'a;-;b 100\na;--;b 100\n' | svg - >out.svg
test "$(colors -)" = 'rgb(200,200,200)' && test "$(colors --)" = 'rgb(160,160,160)'
result "separators are grey"
printf 'a;b;--;w;x;--;y 60\na;c 40\n' | svg --colors chain --hash - >out.svg
# aqua is 50 + 60 v, 165 + 55 v twice; blue 80 + 60 v twice, 205 + 50 v
hue() { colors "$1" | awk -F '[(,)]' '{ print $3 == $4 ? "aqua" : $2 == $3 ? "blue" : "other" }'; }
test "$(for f in a b c w x y; do hue $f; done | tr '\n' ' ')" = 'blue blue blue aqua aqua aqua '
result "chain tells wakers apart"
printf 'a;b 5 3\na;b 7 9\n' | svg --colors hot --negate - | titles | grep -q '^b (12 samples, 100.00%; 0.00%)$'
result "repeated stacks of a difference add up, no change has no sign"
printf 'a;b 2 5\n' | svg --colors hot --negate - | grep '<title>b (5 samples, 100.00%; -60.00%)</title>' |
	grep -q 'rgb(0,0,255)'
result "negate turns sign and colour"

svg --cp "$data/kinds.folded" >a.svg
grep -q '^vfs_read_\[k\]->rgb(' palette.map && sort -c palette.map
result "cp writes a sorted palette.map"
printf 'main->rgb(1,2,3)\nbad line\na->b->rgb(4,5,6)\n' >palette.map
printf 'main;a->b 100\n' | svg --cp - >out.svg
test "$(colors main)" = 'rgb(1,2,3)' && test "$(colors 'a-&gt;b')" = 'rgb(4,5,6)' &&
	test "$(tr '\n' ' ' <palette.map)" = 'a->b->rgb(4,5,6) main->rgb(1,2,3) '
result "cp keeps the colours of palette.map, arrows in names included"

printf 'main\tid=m"1\tclass=c\thref=http://x/?a&b\ttitle=T<\tg_extra=data-k="1"\ta_extra=rel="x"\n' >attr
svg --nameattr attr "$data/kinds.folded" >out.svg && well_formed out.svg &&
	test "$(xmllint --xpath 'string(//*[@class="c"]/*[local-name()="title"])' out.svg)" = 'T<' &&
	test "$(xmllint --xpath 'string(//*[@data-k]/*[local-name()="a"]/@*[local-name()="href"])' out.svg)" = 'http://x/?a&b' &&
	test "$(xmllint --xpath 'string(//*[@data-k="1"]/@id)' out.svg)" = 'm"1'
result "nameattr gives boxes id, class, link, title and more"
printf 'main\tg_extra=onclick="x()"\thref=java\tunknown=1\nrun\thref=JavaScript:x()\tg_extra=a="<"\tg_extra=id="2"\n' >attr
"$flame" svg --nameattr attr "$data/kinds.folded" >out.svg 2>err && well_formed out.svg &&
	test "$(grep -c '^flame: .*attr:[12]: ' err)" -eq 5 && ! grep -q -i 'onclick=\|href="javascript' out.svg
result "nameattr lets neither scripts nor broken attributes in"
printf 'no tab here\n' >attr
"$flame" svg --nameattr attr "$data/kinds.folded" >out.svg 2>err
test $? -eq 1 && grep -q 'attr:1:' err && test ! -s out.svg
result "a nameattr file without tabs is refused with its line"

# ---- names ----------------------------------------------------------------------

for options in '' '--width 800' '--inverted --colors java' '--encoding iso-8859-1' '--flamechart'; do
	# shellcheck disable=SC2086 # several options
	svg $options "$data/hostile.folded" >out.svg && well_formed out.svg
	result "hostile names give well-formed XML${options:+ with $options}"
done
svg "$data/hostile.folded" >out.svg
test "$(xmllint --xpath 'count(//*[local-name()="script"])' out.svg)" = 1 &&
	test "$(xmllint --xpath 'count(//*[local-name()="img"])' out.svg)" = 0
result "no name becomes an element"
test "$(xmllint --xpath 'count(//@*[starts-with(name(), "on")])' out.svg)" = 0
result "no name becomes an attribute"
xmllint --xpath '//*[local-name()="title"]' out.svg | grep -q '&lt;/script&gt;&lt;img src=x onerror=hacked()&gt; (50'
result "the names stay readable"
all=$(for i in 1 2 3 4 5 6 7 8 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 127 128 192 237 255; do
	# shellcheck disable=SC2059 # the byte is made by the format
	printf "\\x$(printf %x $i)"; done; printf '\xed\xa0\x80\xef\xbf\xbe</script>]]>"-->')
svg --title "$all" --subtitle "$all" --countname "$all" --nametype "$all" --notes "$all" \
	--fonttype "$all" "$data/kinds.folded" >out.svg && well_formed out.svg &&
	xmllint --xpath 'string(/*/@data-flame)' out.svg >settings.json
result "any byte in options gives well-formed XML"
! command -v python3 >/dev/null || python3 -c 'import json; json.load(open("settings.json"))'
result "and settings that are JSON"
svg --encoding iso-8859-1 "$data/hostile.folded" >out.svg
test "$(LC_ALL=C tr -d '\000-\177' <out.svg | wc -c)" -eq 0
result "an encoding of another name is honoured by writing ASCII"
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "f%d;", i % 3; print "leaf 100" }' >deep.folded
svg deep.folded >out.svg && well_formed --huge out.svg && test "$(grep -c '^<g data-x' out.svg)" -eq 5002
result "a stack of 5001 frames"

# ---- warnings and refusals --------------------------------------------------------

printf 'a;b 12\n' | "$flame" svg - >out.svg 2>err
grep -q 'only 12 samples' err && grep -q 'class="warning.*Only 12 samples' out.svg
result "few samples are said, in the picture too"
printf 'a;b 12\n' | "$flame" svg --countname ms - 2>err | grep -q 'class="warning'
test $? -eq 1 && test ! -s err
result "but not of what is no sample"
printf 'a;b 100\n' | "$flame" svg - 2>err | grep -q 'class="warning'
test $? -eq 1 && test ! -s err
result "nor of 100"

refused()
{
	local want=$1 what=$2

	shift 2
	"$flame" svg "$@" >out.svg 2>err
	test $? -eq "$want" && test -s err && test ! -s out.svg
	result "$what: status $want, a message and no picture"
}
printf 'a;b 0\n' >zero.folded
: >empty
refused 1 "no counts but 0" zero.folded
refused 1 "an empty input" empty
refused 1 "an input that is not there" nowhere.folded
refused 2 "an unknown palette" --colors pink "$data/kinds.folded"
refused 2 "a background that is none" --bgcolors '#12345' "$data/kinds.folded"
refused 2 "a width in letters" --width wide "$data/kinds.folded"
refused 2 "a negative minwidth" --minwidth -1 "$data/kinds.folded"
refused 2 "an order that is none" --sort colour "$data/kinds.folded"
refused 2 "a factor of 0" --factor 0 "$data/kinds.folded"
refused 2 "an encoding that is not ASCII's kin" --encoding utf-16 "$data/kinds.folded"
refused 2 "an unknown option" --no-such "$data/kinds.folded"
refused 1 "an unknown event" --event nothing "$data/kinds.folded"
"$flame" svg -o out/no/such.svg "$data/kinds.folded" 2>err
test $? -eq 1 && grep -q 'no/such.svg' err
result "an output that cannot be written: status 1 and its name"
"$flame" svg -o file.svg "$data/kinds.folded" && well_formed file.svg && test "$(find . -name 'file.svg*' | wc -l)" -eq 1
result "-o writes the file and leaves nothing beside it"
exit $status
