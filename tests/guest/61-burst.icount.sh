#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Short bursts out of idle are not missed: a program that runs 400 us every 10 ms gets
# at 99 Hz the share of samples that its CPU time asks for, within 3 sigma. In a guest
# whose time is instructions; CPU time as the kernel counts it.
# limit: 7200

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"

need_module

# burst HZ - samples of it at that rate against its CPU time.
burst()
{
	local ns got

	reset_all
	put frequency "$1"
	sample_while "$P/burst" 40
	ns=$(cat "$T/out")
	got=$(matching '^burst(;|$)' < "$D/folded")
	echo "# $1 Hz: $((ns / 1000)) us of CPU time, $got samples, $(awk -v ns="$ns" -v hz="$1" \
		'BEGIN { printf "%.1f", ns * hz / 1e9 }') expected"
	between "$1 Hz: samples of 400 us bursts are as many as their CPU time asks for, 3 sigma" \
		$((1000 * got)) \
		"$(awk -v ns="$ns" -v hz="$1" 'BEGIN { e = ns * hz / 1e9; printf "%d", 1000 * (e - 3 * sqrt(e)) }')" \
		"$(awk -v ns="$ns" -v hz="$1" 'BEGIN { e = ns * hz / 1e9; printf "%d", 1000 * (e + 3 * sqrt(e)) }')"
	identity "$1 Hz: identities" "$1" 1
	at_least "$1 Hz: the CPU was idle most of the time" \
		$((1000 * $(stat_value idle) / $(stat_value ticks))) 800
}

burst 99
burst 499
