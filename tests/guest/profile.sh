# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What tests of sampling have in common: setting controls, sampling for a while,
# questions to folded text, and the two identities of the accounting. Sourced after
# lib.sh. Must never judge by how long something took.

P=$TOP/build/progs	# the test programs
W=$P/wr			# writes exactly what it is told, prints errno names

# Loads the module with its defaults or ends the test with a failure.
need_module()
{
	load && [ -d "$D" ] && return
	not_ok "$(basename "$0" .sh): module loads" "$(dmesg | tail -n 5)"
	exit 0
}

# put NAME VALUE - sets a control; says so when it is refused.
put()
{
	local answer

	answer=$("$W" "$D/$1" "$2\n" | tail -n 1)
	[ "$answer" = OK ] || echo "# setting $1 to \"$2\": $answer"
	[ "$answer" = OK ]
}

# sample SECONDS - samples for that long.
sample()
{
	put sampling_on 1 || return 1
	sleep "$1"
	put sampling_on 0
}

# sample_while COMMAND [ARG...] - samples while COMMAND runs; its output goes to $T/out.
sample_while()
{
	put sampling_on 1 || return 1
	"$@" > "$T/out"
	put sampling_on 0
}

# reset_all - clears profile, counters and error log.
reset_all()
{
	put reset 1
}

# total < folded - the sum of the counts.
total()
{
	awk '{ n += $NF } END { printf "%.0f\n", n }'
}

# matching REGEX < folded - the sum of the counts of the lines that match.
matching()
{
	awk -v re="$1" '{ line = $0; sub(/ [0-9]+$/, "", line); if (line ~ re) n += $NF }
		END { printf "%.0f\n", n }'
}

# share REGEX REGEX_OF_ALL < folded - per mille of the second that the first is.
share()
{
	awk -v re="$1" -v all="$2" '{
		line = $0; sub(/ [0-9]+$/, "", line)
		if (line ~ all) { sum += $NF; if (line ~ re) n += $NF }
	} END { printf "%d\n", sum ? 1000 * n / sum + 0.5 : -1 }'
}

# at_least NAME GOT LEAST, at_most NAME GOT MOST, between NAME GOT LOW HIGH - numbers.
at_least()
{
	if [ "$2" -ge "$3" ] 2>/dev/null; then ok "$1"; else not_ok "$1" "got $2, expected at least $3"; fi
}

at_most()
{
	if [ "$2" -le "$3" ] 2>/dev/null; then ok "$1"; else not_ok "$1" "got $2, expected at most $3"; fi
}

between()
{
	if [ "$2" -ge "$3" ] && [ "$2" -le "$4" ]; then
		ok "$1"
	else
		not_ok "$1" "got $2, expected $3 to $4"
	fi 2>/dev/null
}

# sorted WORDS - the words of a line in order, for lists whose order does not matter.
sorted()
{
	tr -s ' \t' '\n' <<< "$1" | sed '/^$/d' | sort | paste -sd ' '
}

# named PROGRAM... < folded - user frames named from the programs' own symbol tables.
named()
{
	"$P/nameframes" "$@"
}

# identity NAME HZ STARTS - after a stop: on each CPU
#	ticks = idle + filtered + recorded + lost, lost is the sum of its causes, and
#	ticks + missed + throttled is the time that sampling was on times HZ, within
#	one tick a start; the CPUs sum up to `stats`; `folded` holds what was recorded.
identity()
{
	local name=$1 hz=$2 starts=$3 wrong

	cat "$D"/folded > "$T/identity.folded"
	# awk numbers are doubles: whole up to 2^53, far above any of these.
	wrong=$(awk -v hz="$hz" -v starts="$starts" -v folded="$(total < "$T/identity.folded")" '
		FNR == 1 { file = FILENAME; files[file] = 1 }
		{ key = $1; sub(/:$/, "", key); v[file, key] = $2
		  if (key ~ /^(lost_.*|overwritten)$/) causes[file] += $2
		  if (file ~ /per_cpu/ && key ~ /^(ticks|idle|filtered|recorded|lost|lost_.*|missed|throttled|truncated|user_failed|user_failed_.*|overwritten|stream_lost)$/)
			sum[key] += $2 }
		END {
			for (f in files) {
				if (v[f, "ticks"] != v[f, "idle"] + v[f, "filtered"] + v[f, "recorded"] + v[f, "lost"])
					printf "%s: ticks %d is not idle %d + filtered %d + recorded %d + lost %d\n",
						f, v[f, "ticks"], v[f, "idle"], v[f, "filtered"], v[f, "recorded"], v[f, "lost"]
				if (v[f, "lost"] != causes[f])
					printf "%s: lost %d is not the sum of its causes %d\n", f, v[f, "lost"], causes[f]
				if (f !~ /per_cpu/)
					continue
				d = v[f, "ticks"] + v[f, "missed"] + v[f, "throttled"] - v[f, "time_on_ns"] * hz / 1e9
				if (d > starts || -d > starts)
					printf "%s: ticks %d + missed %d + throttled %d differ by %.3f from %.6f s at %d Hz, %d start(s)\n",
						f, v[f, "ticks"], v[f, "missed"], v[f, "throttled"], d, v[f, "time_on_ns"] / 1e9, hz, starts
			}
			for (k in sum)
				if (sum[k] != v[ARGV[1], k])
					printf "%s is %d on the CPUs together but %d in stats\n", k, sum[k], v[ARGV[1], k]
			if (folded != v[ARGV[1], "recorded"])
				printf "folded holds %d samples but %d were recorded\n", folded, v[ARGV[1], "recorded"]
			if (v[ARGV[1], "ticks"] == 0)
				print "there was no tick at all"
		}' "$D/stats" "$D"/per_cpu/cpu*/stats 2>&1)
	if [ -z "$wrong" ]; then ok "$name"; else not_ok "$name" "$wrong"; fi
}

# run_in_background COMMAND [ARG...] - starts it without output; its pid in $!.
run_in_background()
{
	"$@" > /dev/null 2>&1 &
}

# busy SECONDS - one program of known shares on each CPU, in the background.
busy()
{
	local cpu

	for cpu in $(seq 0 $(($(nproc) - 1))); do
		run_in_background taskset -c "$cpu" "$P/shares" "$1"
	done
}

# stop_background - ends what was started in the background and takes its status.
stop_background()
{
	local children

	children=$(jobs -p)
	# shellcheck disable=SC2086 # a list of process ids
	[ -z "$children" ] || kill $children 2>/dev/null
	wait 2>/dev/null
}
