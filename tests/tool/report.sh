#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame report from the outside: tables whose numbers are worked out by hand.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C HOME=$work XDG_CONFIG_HOME=$work
status=0

result()
{
	local good=$?

	if [ $good -eq 0 ]; then
		echo "ok - $1"
	else
		echo "not ok - $1"
		sed 's/^/# /' out
		status=1
	fi
}

# rows TITLE - of that table: share, margin, count, name.
rows() { awk -v t="$1" '$0 == t { on = 1; getline; next } !NF { on = 0 } on && $2 == "%" { print $1, $3, $4, $5 }' out; }

# 100 samples; 1.96 sqrt(0.2 0.8 / 100) = 7.84 %, of 0.5: 9.80 %, of 0.1: 5.88 %
cat >in.folded <<'END'
app;main;work 20
app;main;read;vfs_read_[k] 50
app;main;work;work 20
app;other 10
END
"$flame" report in.folded >out 2>&1
rows "Top self" >got
cat >want <<'END'
50.00 9.80 50 vfs_read_[k]
40.00 9.60 40 work
10.00 5.88 10 other
END
cmp -s got want
result "top self, with margins"
rows "Top total" >got
cat >want <<'END'
90.00 5.88 90 main
50.00 9.80 50 read
50.00 9.80 50 vfs_read_[k]
40.00 9.60 40 work
10.00 5.88 10 other
END
cmp -s got want
result "top total: recursion counts once"
head -n 1 out | grep -qx '100 samples'
result "the header tells the total"
"$flame" report -n 1 in.folded >out 2>&1
[ "$(rows "Top self")" = "50.00 9.80 50 vfs_read_[k]" ] && grep -q '(2 more)' out
result "-n"
"$flame" report --callers work in.folded >out 2>&1
[ "$(rows "Callers of work (40 samples)")" = "100.00 0.00 40 main" ]
result "--callers takes the outermost call"
"$flame" report --callees main in.folded >out 2>&1
rows "Callees of main (90 samples)" | cut -d' ' -f3- >got
printf '50 read\n40 work\n' | cmp -s - got
result "--callees"
"$flame" report --callees vfs_read in.folded >out 2>&1
rows "Callees of vfs_read (50 samples)" | grep -qx '100.00 0.00 50 (self)'
result "--callees of a leaf: itself; a name without its annotation is enough"
"$flame" report --callers nobody in.folded >out 2>&1
[ $? -eq 1 ] && grep -q "'nobody'" out
result "an unknown function: exit 1"
"$flame" report --color always in.folded | grep -q $'\033\[1mTop self' &&
	! "$flame" report in.folded | grep -q $'\033' &&
	"$flame" report --color never in.folded | grep -qx 'Top self'
result "--color"
exit $status
