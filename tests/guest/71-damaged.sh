#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Damaged .flame and folded files: for every one a clear line naming file and place or
# a result with a warning, never a crash, never half an output file. The file that is
# damaged was recorded a moment before.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module
if [ ! -x "$FLAME" ]; then
	not_ok "damaged files" "no tool at $FLAME"
	exit 0
fi
cd "$T" || exit 1
export HOME=$T XDG_CACHE_HOME=$T/cache
"$FLAME" record -q -F 999 -o good.flame -- "$P/shares" 1 2> /dev/null
whole=$("$FLAME" fold good.flame | total)
at_least "the file to damage is good" "$whole" 200
size=$(stat -c %s good.flame)

# judge LABEL FILE [PARTIAL] - reads FILE with each command. With PARTIAL a result of
# fewer samples is fine if a warning names the file.
judge()
{
	local label=$1 file=$2 partial=${3-} command status

	for command in fold svg report; do
		rm -f result
		"$FLAME" $command -o result "$file" > out 2> err < /dev/null
		status=$?
		case $status in
		1)
			[ "$(wc -l < err)" -eq 1 ] && grep -qF "$file" err && grep -q '[0-9]' err ||
				fails+="$label: $command: not one line with file and place: $(head -c 300 err)
"
			[ ! -e result ] || fails+="$label: $command: left a result behind
" ;;
		0)
			[ -n "$partial" ] && grep -qF "$file" err ||
				fails+="$label: $command: took it without a word
" ;;
		*)
			fails+="$label: $command: status $status: $(head -c 300 err)
" ;;
		esac
	done
}

report()
{
	if [ -z "$fails" ]; then ok "$1"; else not_ok "$1" "$fails"; fi
	fails=
}

fails=
for at in 0 1 7 8 9 15 16 17 31 32 64 100 $((size / 4)) $((size / 2)) $((size * 3 / 4)) \
	  $((size - 9)) $((size - 8)) $((size - 4)) $((size - 1)); do
	[ "$at" -ge 0 ] || continue
	head -c "$at" good.flame > cut.flame
	judge "cut at $at of $size" cut.flame partial
done
report "a .flame file cut anywhere"

for at in 0 4 8 12 16 20 24 32 40 48 64 96 128 $((size / 3)) $((size / 2)) $((size - 5)); do
	for byte in '\000' '\377'; do
		cp good.flame flip.flame
		printf '%b' "$byte" | dd of=flip.flame bs=1 seek="$at" conv=notrunc 2> /dev/null
		! cmp -s good.flame flip.flame || continue
		judge "byte $at of $size is $byte" flip.flame partial
	done
done
report "a .flame file with a byte changed"

for at in 8 16 24 32 64 128 256; do
	cp good.flame wild.flame
	head -c 64 /dev/urandom | dd of=wild.flame bs=1 seek=$at conv=notrunc 2> /dev/null
	judge "64 random bytes at $at" wild.flame partial
done
report "a .flame file with random bytes in it"

{ head -c 64 good.flame; head -c 100000 /dev/zero; } > zeros.flame
judge "zeros behind the header" zeros.flame partial
{ cat good.flame; head -c 1000 /dev/urandom; } > tail.flame
judge "rubbish behind the end" tail.flame partial
head -c 100000 /dev/urandom > random.flame
judge "random bytes alone" random.flame
: > empty.flame
judge "an empty file" empty.flame
report "files that are no .flame at all"

printf 'a;b;c 10\na;b twelve\na;d 3\n' > words.folded
judge "a count that is no number" words.folded partial
printf 'a;b;c 10\na;b 99999999999999999999999999\n' > huge.folded
judge "a count beyond 2^64" huge.folded partial
printf 'a;b;c 10\na;b -5\n' > negative.folded
judge "a negative count" negative.folded partial
printf 'a;b\0c 10\n' > nul.folded
printf 'a;b;c 10\na;b' > short.folded
judge "a last line without a count" short.folded partial
report "folded text with bad lines"

# These must only not crash; what they mean is the tool's to say.
"$FLAME" fold nul.folded > out 2> err
at_most "a NUL in folded text: no crash" $? 1
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "f%d;", i; print "leaf 1" }' > deep.folded
"$FLAME" svg -o deep.svg deep.folded > out 2> err
at_most "100,000 frames deep: no crash" $? 1
