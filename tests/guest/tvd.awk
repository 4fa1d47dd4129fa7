# SPDX-License-Identifier: GPL-2.0-only
#
# Total variation distances between profiles of self samples by function, given as
# files of "COUNT NAME" lines. Functions that have under 0.5 % of all samples of all
# files together are pooled. Prints "FILE FILE DISTANCE" (0 to 1) for each pair, and
# with -v top=N the N largest functions with their shares before.

{
	n = $1
	sub(/^[0-9]+ /, "")
	count[FILENAME, $0] += n
	total[FILENAME] += n
	both[$0] += n
	all += n
	if (!(FILENAME in index_of)) {
		index_of[FILENAME] = ++files
		file[files] = FILENAME
	}
}

function abs(x)
{
	return x < 0 ? -x : x
}

function share(i, name)
{
	return count[file[i], name] / total[file[i]]
}

END {
	if (files < 2) {
		print "tvd.awk: fewer than two profiles with samples" > "/dev/stderr"
		exit 1
	}
	for (name in both) {
		kept[name] = both[name] >= all / 200
		for (i = 1; i <= files; i++)
			if (!kept[name])
				pool[i] += share(i, name)
	}
	for (k = 1; k <= top; k++) {
		best = ""
		for (name in both)
			if (!(name in shown) && (best == "" || both[name] > both[best]))
				best = name
		if (best == "")
			break
		shown[best] = 1
		line = "#"
		for (i = 1; i <= files; i++)
			line = line sprintf(" %5.1f", 100 * share(i, best))
		print line "  " best
	}
	for (i = 1; i < files; i++)
		for (j = i + 1; j <= files; j++) {
			d = abs(pool[i] - pool[j])
			for (name in both)
				if (kept[name])
					d += abs(share(i, name) - share(j, name))
			printf "%s %s %.4f\n", file[i], file[j], d / 2
		}
}
