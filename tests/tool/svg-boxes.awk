# SPDX-License-Identifier: GPL-2.0-only
#
# Compares the boxes of an SVG by `flame svg` (second file) with a table of the boxes
# that flamegraph.pl drew (first file: x, y, width, height, fill, title, label, with a
# heading). Boxes are matched by row, title and place, each within 0.1 px; fills are
# compared with -v fill=1, but where the table says "-". Prints what differs and exits 1 if anything does.

function unescape(s)
{
	gsub(/&lt;/, "<", s)
	gsub(/&gt;/, ">", s)
	gsub(/&quot;/, "\"", s)
	gsub(/&#39;/, "'", s)
	gsub(/&amp;/, "\\&", s)
	return s
}

function attr(s, name)
{
	if (!match(s, " " name "=\"[^\"]*\""))
		return ""
	return substr(s, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
}

function near(a, b)
{
	a -= b
	return a < 0.1001 && a > -0.1001
}

function differ(text)
{
	if (++bad <= 10)
		print "  " text
}

BEGIN { FS = "\t" }

FNR == 1 { file++ }

file == 1 && FNR > 1 {
	key = $2 SUBSEP $6
	n = ++want[key]
	x[key, n] = $1
	w[key, n] = $3
	h[key, n] = $4
	color[key, n] = $5
	wanted++
}

file == 2 && /<rect x=/ && match($0, /<title>.*<\/title>/) {
	title = unescape(substr($0, RSTART + 7, RLENGTH - 15))
	rect = substr($0, RSTART + RLENGTH)
	key = attr(rect, "y") SUBSEP title
	drawn++
	found = 0
	for (i = 1; i <= want[key] && !found; i++) {
		if (!near(attr(rect, "x"), x[key, i]) || taken[key, i])
			continue
		found = taken[key, i] = 1
		if (!near(attr(rect, "width"), w[key, i]))
			differ(title ": width " attr(rect, "width") ", not " w[key, i])
		if (attr(rect, "height") != h[key, i])
			differ(title ": height " attr(rect, "height") ", not " h[key, i])
		if (fill && color[key, i] != "-" && attr(rect, "fill") != color[key, i])
			differ(title ": fill " attr(rect, "fill") ", not " color[key, i])
	}
	if (!found)
		differ("no such box wanted at x " attr(rect, "x") ", y " attr(rect, "y") ": " title)
}

END {
	if (!wanted || drawn != wanted)
		differ((drawn + 0) " boxes drawn, " (wanted + 0) " wanted")
	if (bad > 10)
		print "  ... " bad " differences in all"
	exit bad > 0
}
