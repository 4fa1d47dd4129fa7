#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Box by box against the tables of what flamegraph.pl drew: name, place, width, row,
# title and fill. Needs a corpus folder ($FLAME_CORPUS or ../shared/corpus beside the
# source) with boxes/INPUT.OPTIONS.tsv; skips without.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
corpus=${FLAME_CORPUS:-$top/../shared/corpus}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

if [ ! -d "$corpus/boxes" ]; then
	echo "SKIP svg-boxes: no corpus of flamegraph.pl's boxes in $corpus"
	exit 0
fi

input_of() {
	results=$corpus/FlameGraph/perf/results
	case $1 in
	vertx | java | js) echo "$results/perf-$1-stacks-01-collapsed-all.txt" ;;
	iperf) echo "$results/perf-iperf-stacks-pidtid-01-collapsed-tid.txt" ;;
	firefox) echo "$corpus/firefox-profiler/flamegraph.txt" ;;
	diff) echo "$corpus/inferno/flamegraph/differential/perf-cycles-instructions-01-collapsed-all-diff.txt" ;;
	grey) echo "$corpus/inferno/flamegraph/grey-frames/grey-frames.txt" ;;
	*) return 1 ;;
	esac
}

options_of() {
	case $1 in
	default) echo ;;
	hash) echo "--hash" ;;
	hash-*) echo "--hash --colors ${1#hash-}" ;;
	inverted-hash | reverse-hash | flamechart-hash) echo "--hash --${1%-hash}" ;;
	minwidth2) echo "--hash --minwidth 2" ;;
	minwidth1pct) echo "--hash --minwidth 1%" ;;
	dims) echo "--hash --width 900 --height 20 --fontsize 10 --fontwidth 0.7" ;;
	total-factor) echo "--hash --total 20000 --factor 0.5 --countname ms" ;;
	negate) echo "--negate" ;;
	*) return 1 ;;
	esac
}

for table in "$corpus"/boxes/*.tsv; do
	name=$(basename "$table" .tsv)
	input=$(input_of "${name%%.*}") && options=$(options_of "${name#*.}") || {
		echo "FAIL svg-boxes $name: unknown input or options"
		failed=$((failed + 1))
		continue
	}
	# shellcheck disable=SC2086 # several options
	if "$flame" svg -q --width 1200 --colors hot $options "$input" >"$work/out.svg" &&
	   awk -v fill=1 -f "$top/tests/tool/svg-boxes.awk" "$table" "$work/out.svg" >"$work/log"; then
		passed=$((passed + 1))
	else
		echo "FAIL svg-boxes $name"
		cat "$work/log"
		failed=$((failed + 1))
	fi
done
echo "svg-boxes: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
