#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Box by box against the tables of what flamegraph.pl drew: name, place, width, row,
# title and fill. Needs a corpus folder ($FLAME_CORPUS or ../shared/corpus beside the
# source) with boxes/INPUT.OPTIONS.tsv; skips without.

set -u
export LC_ALL=C
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
corpus=${FLAME_CORPUS:-$top/../shared/corpus}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

if [ ! -d "$corpus/boxes" ]; then
	echo "ok - boxes as flamegraph.pl draws them # SKIP no corpus in $corpus"
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

draw() {
	# shellcheck disable=SC2086 # several options
	"$flame" svg -q --width 1200 --colors hot $1 "$2"
}

for table in "$corpus"/boxes/*.tsv; do
	name=$(basename "$table" .tsv)
	if input=$(input_of "${name%%.*}") && options=$(options_of "${name#*.}") &&
	   draw "$options" "$input" >"$work/out.svg" &&
	   awk -v fill=1 -f "$top/tests/tool/svg-boxes.awk" "$table" "$work/out.svg" >"$work/log"; then
		echo "ok - boxes of $name"
	else
		echo "not ok - boxes of $name"
		sed 's/^/# /' "$work/log"
		status=1
	fi
done
exit $status
