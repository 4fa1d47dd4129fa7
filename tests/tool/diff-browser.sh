#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame svg --diff in Chromium (tests/browser/diff.mjs). Screenshots stay in
# build/test/screenshots. Skips where node, npm, Chromium or its driver is missing.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
driver=playwright-core@1.65.1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/flame/npm/$driver
shots=$top/build/test/screenshots

skip() { echo "ok - a difference in a browser # SKIP $1"; exit 0; }

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
printf 'm;f 10\nm;f;old 5\nm;g 85\n' >"$work/a"
printf 'm;f 20\nm;f;new 7\nm;g 73\n' >"$work/b"
"$flame" svg -q --diff --elided -o "$work/diff.svg" "$work/a" "$work/b" || exit
NODE_PATH=$cache/node_modules CHROMIUM=$browser \
	timeout -k 10 120 node "$top/tests/browser/diff.mjs" "$work/diff.svg" "$shots"
