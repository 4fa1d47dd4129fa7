# SPDX-License-Identifier: GPL-2.0-only
#
# Self samples by function of one comm (-v comm=NAME) out of folded text, as
# "COUNT NAME" lines: the counterpart of perfself.c. A user frame without a name
# counts for its object; annotations and module names are taken off.

{
	n = $NF
	sub(/ [0-9]+$/, "")
	frames = split($0, frame, ";")
	if (frame[1] != comm)
		next
	leaf = frames > 1 ? frame[frames] : "[none]"
	if (leaf ~ /_\[k\]$/) {
		sub(/_\[k\]$/, "", leaf)
		sub(/ \[[^]]*\]$/, "", leaf)
	} else {
		sub(/\+0x[0-9a-f]+$/, "", leaf)
		if (leaf ~ /^\[.*\]$/ && leaf !~ /^\[(vdso|vsyscall|anon|jit|unknown)\]$/)
			leaf = substr(leaf, 2, length(leaf) - 2)
		sub(/memmove/, "memcpy", leaf)	# two names of one place in libc
	}
	count[leaf] += n
}

END {
	for (leaf in count)
		print count[leaf], leaf
}
