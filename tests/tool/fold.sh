#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame fold and the manners of all commands, from the outside: options, streams, exit
# statuses, what is left behind, configuration files. Expected lines are written out.

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
		[ ! -s err ] || sed 's/^/# /' err
		status=1
	fi
}

# exits STATUS ARGS... - flame's status is STATUS; what it says is in out and err.
exits()
{
	local want=$1

	shift
	"$flame" "$@" >out 2>err </dev/null
	[ $? -eq "$want" ]
}

# says TEXT - one line on stderr that begins with "flame: " and holds TEXT.
says() { [ "$(wc -l <err)" -eq 1 ] && grep -q '^flame: ' err && grep -qF -- "$1" err; }

printf 'app;main;read;vfs_read_[k] 2\napp;main;f_[i] 1\napp;main;read 3\n' >in.folded

# ---- fold ---------------------------------------------------------------------

"$flame" fold in.folded >out 2>err
printf 'app;main;f_[i] 1\napp;main;read 3\napp;main;read;vfs_read_[k] 2\n' | cmp -s - out
result "fold sorts and keeps annotations"
"$flame" fold --no-annotate in.folded >out 2>err
printf 'app;main;f 1\napp;main;read 3\napp;main;read;vfs_read 2\n' | cmp -s - out
result "--no-annotate"
"$flame" fold --kernel in.folded >out 2>err
printf 'app;main;f 1\napp;main;read 3\napp;main;read;vfs_read_[k] 2\n' | cmp -s - out
result "--kernel"
"$flame" fold <in.folded >a 2>err && "$flame" fold - <in.folded >b 2>>err &&
	"$flame" fold a >c 2>>err && cmp -s a b && cmp -s a c
result "stdin, - and its own output give the same"
for pack in "gzip -c" "zstd -qc" "xz -c"; do
	$pack in.folded >packed && "$flame" fold packed 2>err | cmp -s - a
	result "input by ${pack%% *}"
done
gzip -c in.folded | head -c 30 >packed
exits 1 fold packed && says packed
result "compressed input cut short: exit 1"

printf 'a;b 1\nnonsense\n' >odd
"$flame" fold odd 2>err | grep -qx 'a;b 1' && exits 1 fold --strict odd && says odd:2:
result "--strict makes a line that is none an error"
exits 2 fold --from nosuch in.folded && says "not 'nosuch'" && "$flame" fold --from folded in.folded 2>err | cmp -s - a
result "--from"
printf 'a;b;b;b_[k] 1\na;b 2\nb;b;a;b 4\n' >rec
"$flame" fold --recursive rec >out 2>err && printf 'a;b 2\na;b;b_[k] 1\nb;a;b 4\n' | cmp -s - out
result "--recursive"

# ---- output -------------------------------------------------------------------

"$flame" fold -o new in.folded 2>err && cmp -s new a && [ "$(echo new*)" = new ]
result "-o writes the file and leaves nothing beside it"
exits 1 fold -o kept missing && says missing && [ ! -e kept ]
result "-o: no input, no output"
echo before >kept && exits 1 fold -o kept missing && [ "$(cat kept)" = before ]
result "-o: a failure keeps what was there"
exits 1 fold -o no/such/folder in.folded && says no/such/folder
result "-o: a folder that is not there"
exits 1 fold -o /dev/full in.folded && says "No space left"
result "-o /dev/full"
"$flame" fold in.folded >/dev/full 2>err
[ $? -eq 1 ] && says "No space left"
result "stdout full"
touch target && ln -s target link && "$flame" fold -o link in.folded 2>err && [ -L link ] && cmp -s target a
result "-o through the user's own link"
seq -f 'app;function_number_%.0f 1' 100000 >many.folded
{ "$flame" fold many.folded 2>err || true; } | head -n 1 >/dev/null && [ ! -s err ]
result "a reader that goes away: silence"
(
	trap '' PIPE
	"$flame" fold many.folded 2>err | true
) && [ ! -s err ]
result "the same with SIGPIPE ignored"

# ---- refusals -----------------------------------------------------------------

exits 1 fold missing && says "missing: No such file"
result "a file that is not there"
exits 1 fold . && says "Is a directory"
result "a folder"
: >empty && exits 1 fold empty && says empty
result "an empty file"
printf '\177ELF\2\1\1\0\0\0' >binary && exits 1 fold binary && says "binary: offset 0"
result "a file that is no profile"
printf 'a 18446744073709551615\nb 1\n' >huge && exits 1 fold huge && says huge:2:
result "counts beyond 64 bits name the line"
exits 2 fold --nosuch && says "--nosuch" && exits 2 fold -Z && says "-Z" &&
	exits 2 fold a b && says b && exits 2 fold -o && says "-o"
result "wrong usage: exit 2"
exits 2 fodl && says "'fold'" && exits 2 completelyelse && says "flame help" && exits 2
result "unknown command: the nearest one is named"
exits 1 report missing && says missing && exits 1 svg missing && says missing &&
	exits 1 symbolize missing && says missing
result "all commands refuse a missing file alike"

# ---- help ---------------------------------------------------------------------

for command in record fold symbolize svg report doctor; do
	exits 0 help $command && cp out help && grep -q "^usage: flame $command" help &&
		exits 0 $command --help && cmp -s out help && exits 0 $command -h &&
		cmp -s out help && exits 0 $command --version && grep -q '^flame .* abi ' out &&
		exits 0 help && grep -q "^  $command " out
	result "help of $command"
done

# ---- configuration ------------------------------------------------------------

mkdir -p "$work/flame"
printf '# defaults\nfold.no-annotate = true\nreport.rows = 1\nfold.kernel=false\n' >flame/config
"$flame" fold in.folded 2>err | grep -qx 'app;main;read;vfs_read 2'
result "a default from the configuration"
"$flame" fold --annotate in.folded 2>err | cmp -s - a
result "an option overrides it"
"$flame" report in.folded 2>err | grep -q '(.* more)'
result "a default with a value"
echo 'fold annotate' >flame/config
exits 2 fold in.folded && says flame/config:1
result "a line that is none names file and line"
exit $status
