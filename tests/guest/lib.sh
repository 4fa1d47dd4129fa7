# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What every guest test starts with (`. "$(dirname "$0")/lib.sh"`): where the
# module, the tool and the control files are, and how a result is reported. Must
# never run on a machine that is not a test guest: it loads and unloads the module.
#
# A result is one line on stdout: "ok - NAME", "not ok - NAME" or
# "ok - NAME # SKIP reason". Lines that begin with "# " explain the result above them.

set -u

if [ ! -e /run/flame-guest ]; then
	echo "$0: not in a test guest; run it by: tests/guest/run-all ${0##*/}" >&2
	exit 2
fi

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export TOP
export FLAME_KO=${FLAME_KO:-$TOP/build/kmod-$(uname -r)/flame.ko}	# the module
export FLAME=${FLAME:-$TOP/build/flame}					# the tool
export FLAME_CORPUS=${FLAME_CORPUS:-$TOP/../shared/corpus}		# sample files, may be missing
export D=/sys/kernel/debug/flame					# the control files
export LC_ALL=C
T=$(mktemp -d /tmp/flame-test.XXXXXX)					# removed at the end
export T

results=0

# ok NAME - reports success.
ok()
{
	results=$((results + 1))
	printf 'ok - %s\n' "$1"
}

# not_ok NAME [DETAIL] - reports a failure; DETAIL may have several lines.
not_ok()
{
	results=$((results + 1))
	printf 'not ok - %s\n' "$1"
	[ -z "${2-}" ] || printf '%s\n' "$2" | head -n 40 | sed 's/^/# /'
}

# skip NAME REASON - reports that it could not be tried here.
skip()
{
	results=$((results + 1))
	printf 'ok - %s # SKIP %s\n' "$1" "$2"
}

# check NAME COMMAND [ARG...] - ok when COMMAND succeeds; its output explains a
# failure. Returns the command's status.
check()
{
	local name=$1 out status=0

	shift
	out=$("$@" 2>&1) || status=$?
	if [ "$status" -eq 0 ]; then
		ok "$name"
	else
		not_ok "$name" "exit status $status: $*
$out"
	fi
	return "$status"
}

# equal NAME GOT EXPECTED - ok when both strings are the same.
equal()
{
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "got:      $2
expected: $3"
	fi
}

# load [PARAM=VALUE...] - loads the module; status of insmod.
load()
{
	insmod "$FLAME_KO" "$@"
}

# unload - unloads the module if it is there; status of rmmod.
unload()
{
	[ ! -d /sys/module/flame ] || rmmod flame
}

# loaded - true while the module is loaded.
loaded()
{
	[ -d /sys/module/flame ]
}

# stat_value NAME [cpuN] - the number behind "NAME:" in stats, of all CPUs or one.
# Fails, saying so, when there is no such line.
stat_value()
{
	local file=$D/stats

	[ -z "${2-}" ] || file=$D/per_cpu/$2/stats
	awk -v name="$1:" '
		$1 == name { print $2; found = 1; exit }
		END { if (!found) { print "no \"" name "\" in " FILENAME > "/dev/stderr"; exit 1 } }
	' "$file"
}

# wait_for SECONDS COMMAND [ARG...] - repeats COMMAND until it succeeds; fails when
# it still does not after SECONDS. For what happens soon but not at once.
wait_for()
{
	local end=$((SECONDS + $1))

	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.05
	done
}

# as_nobody COMMAND [ARG...] - runs it without any privilege.
as_nobody()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all "$@"
}

guest_test_end()
{
	local status=$?
	local children

	children=$(jobs -p)
	# shellcheck disable=SC2086 # a list of process ids
	[ -z "$children" ] || kill -KILL $children 2>/dev/null
	[ "$status" -eq 0 ] || not_ok "$(basename "$0" .sh): runs to its end" "exit status $status"
	[ "$results" -ne 0 ] || not_ok "$(basename "$0" .sh): prints a result"
	unload || not_ok "$(basename "$0" .sh): module can be unloaded afterwards"
	rm -rf "$T"
}
trap guest_test_end EXIT
