#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# One tiny leaf called from two parents, 70 : 30: seen so within 5 points although a
# good part of the samples falls on the leaf's first and last instructions, where its
# frame does not stand yet or any more.
# limit: 7200

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module
put frequency 999
sample_while "$P/parents" 10
named "$P/parents" < "$D/folded" > "$T/folded"
at_least "samples in the leaf" "$(matching '^parents;.*;leaf$' < "$T/folded")" 3000
between "of the leaf's samples 70 % are called by often()" \
	"$(share ';often;leaf$' ';leaf$' < "$T/folded")" 650 750
between "of the leaf's samples 30 % are called by seldom()" \
	"$(share ';seldom;leaf$' ';leaf$' < "$T/folded")" 250 350
at_least "nearly all of the leaf's samples have a caller of the two" \
	"$(share ';(often|seldom);leaf$' ';leaf$' < "$T/folded")" 990
at_least "and main above it" \
	"$(share ';main;(often|seldom);leaf$' ';leaf$' < "$T/folded")" 990
identity "identities" 999 1

# A deep program: every
# frame from main down to the work is there, none twice.
reset_all
sample_while "$P/depth" 22 3
named "$P/depth" < "$D/folded" > "$T/folded"
deep=$(printf ';deeper%.0s' $(seq 22))
at_least "22 calls deep: the whole stack in order" \
	"$(share ";main$deep;work\$" ';work$' < "$T/folded")" 990
