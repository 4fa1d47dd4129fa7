#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame svg in a real browser: Chromium drives every interaction (tests/browser/svg.mjs).
# Screenshots stay in build/test/screenshots. Skips where node, npm or Chromium is
# missing, or the driver (playwright-core, kept in the cache folder) cannot be fetched.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
data=$top/tests/data/svg
driver=playwright-core@1.65.1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/flame/npm/$driver
shots=$top/build/test/screenshots

skip() { echo "ok - svg in a browser # SKIP $1"; exit 0; }

command -v node >/dev/null || skip "no node: apt-get install nodejs npm"
browser=$(command -v chromium) || skip "no chromium: apt-get install chromium"
if [ ! -d "$cache/node_modules/playwright-core" ]; then
	command -v npm >/dev/null || skip "no npm: apt-get install npm"
	mkdir -p "$cache"
	npm install --prefix "$cache" --no-audit --no-fund "$driver" >"$cache/install.log" 2>&1 ||
		skip "npm cannot fetch $driver: $cache/install.log"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$shots"
draw() { "$flame" svg -q -o "$work/$1.svg" "${@:2}" || echo "not ok - flame svg draws $1"; }

draw kinds "$data/kinds.folded"
draw fixed --width 800 "$data/kinds.folded"
draw hot --colors hot --title Hot "$data/kinds.folded"
draw icicle --inverted "$data/kinds.folded"
draw diff --colors hot "$data/diff.folded"
draw hostile --title '</script><script>hacked()</script>' --nametype '"});hacked();//' \
	--countname 'x)</title><script>hacked()</script>' "$data/hostile.folded"
awk 'BEGIN { for (i = 0; i < 120; i++) { s = s "f" i ";"; print s "leaf" i, 10 } }' >"$work/tall.folded"
draw tall "$work/tall.folded"
printf 'main\thref=#there\n' >"$work/attr"
draw links --nameattr "$work/attr" "$data/kinds.folded"

# Two pictures inline on one page, as a report would have them.
{
	echo '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>two</title></head>'
	echo '<body><p><input id="mine" aria-label="mine"></p>'
	tail -n +2 "$work/kinds.svg"
	tail -n +2 "$work/hot.svg"
	echo '</body></html>'
} >"$work/two.html"
{
	echo '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>hostile</title></head><body>'
	tail -n +2 "$work/hostile.svg"
	echo '</body></html>'
} >"$work/hostile.html"

NODE_PATH=$cache/node_modules CHROMIUM=$browser PICTURES=$work SCREENSHOTS=$shots \
	timeout -k 10 300 node "$top/tests/browser/svg.mjs"
