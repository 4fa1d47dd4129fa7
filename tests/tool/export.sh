#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame export: each format is read back by the tool that owns it, or by a reader of
# another kind (tests/tool/export.mjs), and must hold every stack and count of the input.
# Skips what needs go, node, valgrind, Chromium or an npm package that is not to be had.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
npm=${XDG_CACHE_HOME:-$HOME/.cache}/flame/npm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C.UTF-8 HOME=$work XDG_CONFIG_HOME=$work GOFLAGS=-mod=mod
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

skip() { echo "ok - $1 # SKIP $2"; }

# package NAME@VERSION... - the folder of npm packages at these versions, fetched once;
# the first one names it.
package()
{
	local dir=$npm/$1 name=${1%@*}

	if [ ! -d "$dir/node_modules/$name" ]; then
		command -v npm >/dev/null || return 1
		mkdir -p "$dir"
		npm install --prefix "$dir" --no-audit --no-fund "$@" >"$dir/install.log" 2>&1 || return 1
	fi
	echo "$dir/node_modules"
}

# Sorted as `sort` in the C locale sorts: the order in which the readers print.
cat >in.folded <<'EOF'
app;main;f 5
app;main;f;f;f 3
app;main;f;read;vfs_read_[k] 20
app;main;g_[i];h 7
app;main;jitted_[j] 9007199254000
my app;</script><b>"x"&\y;Ω→µ 11
my app;main;std::vector<int>::push_back(int const&) 4
EOF
LC_ALL=C sort in.folded >expected
LC_ALL=C sort -o in.folded in.folded

export_as() { "$flame" export --format "$1" -o "out.$1" in.folded 2>err; }
# same - stdin holds the stacks and counts of the input.
same() { LC_ALL=C sort | diff expected - >err; }

# ---- by flame itself ------------------------------------------------------------

export_as folded && cmp -s out.folded expected
result "folded is the input"
export_as flame && "$flame" fold out.flame 2>err | same
result "flame to folded keeps stacks and counts"
grep -v '[(<]' in.folded >perf.in && "$flame" export --format perf perf.in >out.perf 2>err &&
	"$flame" fold --no-annotate out.perf >found 2>>err &&
	sed -E 's/_\[[kij]\]//g; s/^my app/my_app/' perf.in | LC_ALL=C sort | diff - found >>err
result "perf text to folded keeps stacks and counts"
for format in pprof speedscope firefox chrome; do
	export_as $format
	"$flame" fold --annotate "out.$format" >found 2>err
	if grep -q 'not the beginning of a profile of a known format' err; then
		skip "$format to folded" "flame does not read $format"
	else
		# Of trace events the count is nanoseconds, a thousand for each of ours.
		[ $format != chrome ] || sed -i 's/000$//' found
		same <found
		result "$format to folded keeps stacks and counts"
	fi
done
printf 'x 9300000000000000000\n' >huge.folded
"$flame" export --format pprof huge.folded -o no 2>err
[ $? -eq 1 ] && [ ! -e no ] && grep -q 'pprof holds no more than 9223372036854775807' err
result "pprof refuses what 63 bits cannot hold"
"$flame" export --format d3 huge.folded >out 2>err && grep -q 'above 9007199254740992 readers of d3 round' err
result "JSON formats say where readers begin to round"
twice()
{
	local format

	for format in pprof speedscope firefox perf chrome callgrind d3 jsonl flame; do
		export_as $format && cp out.$format a && export_as $format &&
			cmp -s a out.$format || return 1
	done
}
twice
result "the same input gives the same bytes in every format"
"$flame" export --format nothing in.folded 2>err
[ $? -eq 2 ] && grep -q 'there are folded, pprof, speedscope' err
result "an unknown format: usage error that lists them"
"$flame" export --format d3 --no-annotate in.folded 2>err | grep -q '"name":"vfs_read","value":20,"libtype":"kernel"'
result "--no-annotate leaves kernel frames to libtype"

# ---- anonymize --------------------------------------------------------------------

printf 'redis-server;/opt/Our App/x.js:10;libsecret.so+0x12;[libsecret.so];main;do_sys_[k] 4\nredis-server;main 2\n' >names
"$flame" export -f folded --anonymize=key names >a 2>err && "$flame" export -f folded --anonymize=key names >b 2>>err &&
	"$flame" export -f folded --anonymize=other names >c 2>>err &&
	cmp -s a b && ! cmp -s a c && ! grep -qE 'redis|opt|App|x\.js|secret' a &&
	awk -F '[; ]' '
		NR == 2 { good += $1 == comm; object = $3; sub(/\+0x12$/, "", object)
			  good += $2 ~ /^object-[0-9a-f]+:10$/ &&
			       $4 == "[" object "]" && $5 == "main" && $6 == "do_sys_[k]" && $7 == 4 }
		NR == 1 { comm = $1; good += $1 ~ /^comm-[0-9a-f]+$/ && $2 == "main" && $3 == 2 }
		END { exit !(good == 3 && NR == 2) }' a
result "--anonymize hashes threads, paths and objects by the key, and nothing else"
"$flame" export -f folded --anonymize names >a 2>err && "$flame" export -f folded --anonymize names >b 2>>err && ! cmp -s a b
result "--anonymize without a key takes a new one each time"

# ---- pprof -------------------------------------------------------------------------

if command -v go >/dev/null; then
	# The raw dump tells samples by location number and then the locations' names.
	go tool pprof -raw out.pprof 2>err | awk '
		/^Locations/ { part = "locations"; next }
		/^Mappings/ { part = ""; next }
		/^ *[0-9]+: ([0-9]+ )+$/ && !part { n++; v[n] = $1; sub(/:$/, "", v[n]); s[n] = $0; sub(/^ *[0-9]+: /, "", s[n]); next }
		part == "locations" && /^ *[0-9]+: 0x/ {
			number = $1; sub(/:$/, "", number); name = $0
			sub(/^ *[0-9]+: 0x[0-9a-f]+ (M=[0-9]+ )?/, "", name)
			if (name ~ / :0(:0)? s=0(\(.*\))?$/) {
				# A name that pprof shortens for people stands in full behind.
				full = name; sub(/^.* :0(:0)? s=0/, "", full)
				sub(/ :0(:0)? s=0.*$/, "", name)
				if (full != "") name = substr(full, 2, length(full) - 2)
			}
			names[number] = name
		}
		END { for (i = 1; i <= n; i++) { m = split(s[i], ids, " "); line = ""
			for (k = m; k > 0; k--) line = line (k < m ? ";" : "") names[ids[k]]
			print line, v[i] } }' | same
	result "go tool pprof reads every stack and count"
	go tool pprof -top -nodecount=3 out.pprof 2>err | grep -q 'jitted_\[j\]'
	result "go tool pprof -top"
else
	skip "pprof by its own tool" "no go: apt-get install golang-go"
fi

# ---- callgrind ---------------------------------------------------------------------

if command -v callgrind_annotate >/dev/null; then
	printf 'a;b;b;c 10\na;c 5\nd;b 2\n' | "$flame" export -f callgrind >cg 2>err
	callgrind_annotate --threshold=100 cg >self 2>>err
	callgrind_annotate --threshold=100 --inclusive=yes --tree=calling cg >tree 2>>err
	# self: c 10 + 5, b 2; inclusive: all 17, a 15, b 10 + 2 (the recursion once), c 15, d 2
	share() { awk -v f="$2" 'NF > 2 && ($NF == f || $(NF - 1) == f) { gsub(",", "", $1); print $1; exit }' "$1"; }
	[ "$(share self '???:c')" = 15 ] && [ "$(share self '???:b')" = 2 ] && grep -q '^17 .*PROGRAM TOTALS' self
	result "callgrind_annotate: self"
	grep -qE '^ *15 .*> .*\?\?\?:a ' tree && grep -qE '^ *10 .*> .*\?\?\?:b ' tree &&
		grep -qE '^ *2 .*> .*\?\?\?:d ' tree
	result "callgrind_annotate: calls, a recursion counted once"
else
	skip "callgrind by its own tool" "no callgrind_annotate: apt-get install valgrind"
fi

# ---- node ----------------------------------------------------------------------------

readback() { node "$top/tests/tool/export.mjs" "$1" "out.$1" 2>err; }
if command -v node >/dev/null; then
	readback firefox | same
	result "firefox: structure of version 48, every stack and count"
	readback jsonl | same
	result "jsonl: every stack and count"
	readback d3 | same
	result "d3: every stack and count"
	readback chrome | same
	result "chrome: balanced, in order, every stack and count"
	if modules=$(package pprof-format@2.3.2); then
		NODE_PATH=$modules readback pprof | same
		result "pprof-format reads every stack and count"
	else
		skip "pprof by pprof-format" "npm cannot fetch pprof-format@2.3.2"
	fi
else
	skip "firefox, jsonl, d3, chrome by node" "no node: apt-get install nodejs npm"
fi

# ---- in a browser ----------------------------------------------------------------------

if ! command -v node >/dev/null || ! CHROMIUM=$(command -v chromium); then
	skip "speedscope and d3-flame-graph in a browser" "no node or no chromium"
elif ! driver=$(package playwright-core@1.65.1); then
	skip "speedscope and d3-flame-graph in a browser" "npm cannot fetch playwright-core@1.65.1"
else
	export CHROMIUM NODE_PATH=$driver
	if modules=$(package speedscope@1.25.0); then
		release=$modules/speedscope/dist/release
		cp out.speedscope in.speedscope.json
		timeout 120 node "$top/tests/browser/speedscope.mjs" "$release" "$PWD/in.speedscope.json" 2>err |
			tee log | grep -v '^# ' | same && grep -qx '# samples, none' log
		result "speedscope opens its own format: every stack and count"
		# In microseconds, of which each unit of a count is one.
		cp out.chrome trace.json
		timeout 120 node "$top/tests/browser/speedscope.mjs" "$release" "$PWD/trace.json" 2>err |
			grep -v '^# ' | same
		result "speedscope opens trace events: every stack and count"
	else
		skip "speedscope in a browser" "npm cannot fetch speedscope@1.25.0"
	fi
	if modules=$(package d3-flame-graph@4.1.3 d3@7.9.0); then
		printf 'a;b;c_[k] 30\na;b 10\na;d 60\n' | "$flame" export -f d3 >d3.json 2>err
		timeout 120 node "$top/tests/browser/d3.mjs" "$modules" "$PWD/d3.json" >found 2>>err
		printf 'a 100\nb 40\nc_[k] 30\nd 60\nroot 100\n' | diff - found >>err
		result "d3-flame-graph draws every box as wide as it should"
	else
		skip "d3 in a browser" "npm cannot fetch d3-flame-graph@4.1.3"
	fi
fi
exit $status
