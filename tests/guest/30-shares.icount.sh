#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A program that spends 70 : 20 : 10 of its instructions in three functions is reported
# so within 2 points, by hand with echo and cat and by the tool. In a guest whose time is
# instructions the truth is exact.
# limit: 7200

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module

# shares_of NAME FOLDED-FILE - the three shares and where the stacks end.
shares_of()
{
	at_least "$1: enough samples to judge by" "$(matching '^shares;' < "$2")" 8000
	between "$1: seventy() has 70 % within 2 points" \
		"$(share ';seventy$' '^shares;' < "$2")" 680 720
	between "$1: twenty() has 20 % within 2 points" \
		"$(share ';twenty$' '^shares;' < "$2")" 180 220
	between "$1: ten() has 10 % within 2 points" \
		"$(share ';ten$' '^shares;' < "$2")" 80 120
	at_least "$1: all but a few of them are called by main" \
		"$(share ';main;(seventy|twenty|ten)$' ';(seventy|twenty|ten)$' < "$2")" 990
}

# By hand.
echo 999 > "$D/frequency"
echo 1 > "$D/sampling_on"
"$P/shares" 10
echo 0 > "$D/sampling_on"
named "$P/shares" < "$D/folded" > "$T/folded"
shares_of "by hand" "$T/folded"
identity "by hand: identities" 999 1
if [ -x "$FLAME" ]; then
	"$FLAME" symbolize < "$D/folded" > "$T/symbolized"
	shares_of "by hand, flame symbolize" "$T/symbolized"
fi

# By the tool.
if [ ! -x "$FLAME" ]; then
	not_ok "flame record" "no tool at $FLAME"
	exit 0
fi
"$FLAME" record -F 999 -o "$T/shares.flame" -- "$P/shares" 10 2> "$T/record.err"
equal "flame record: ends with the program's status" $? 0
"$FLAME" fold "$T/shares.flame" > "$T/folded"
shares_of "flame record" "$T/folded"
check "flame report names seventy first" \
	sh -c "'$FLAME' report '$T/shares.flame' | grep -m1 -E 'seventy|twenty|ten\\b' | grep seventy"
check "flame svg draws all three" \
	sh -c "'$FLAME' svg '$T/shares.flame' | grep -c -E 'seventy|twenty|>ten' | grep -qv '^0'"
equal "after flame record sampling is off" "$(cat "$D/sampling_on")" 0

# Straight to folded text.
"$FLAME" record -F 999 -f -- "$P/shares" 10 > "$T/folded" 2> "$T/record.err"
shares_of "flame record -f" "$T/folded"
