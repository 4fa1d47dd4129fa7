# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the scripts in tests/vm share: the cache folder, the table of kernels, and
# apt for another suite than the machine's own. Must never change what is installed.

VM=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd "$VM/../.." && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/flame
export VM TOP CACHE

die()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

# host_suite - the machine's own suite ("bookworm").
host_suite()
{
	sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# kernel_entry NAME - "SUITE PACKAGE" of the kernel called NAME, from the table.
kernel_entry()
{
	awk -v name="$1" '$1 == name { print $2, $3; found = 1 } END { exit !found }' "$VM/kernels" ||
		die "no kernel \"$1\"; known: $(awk '!/^#/ && NF { printf "%s ", $1 }' "$VM/kernels")or a path to a bzImage"
}

# repository SUFFIX - URI of the archive from which the machine's own suite with
# SUFFIX ("" or "-security") comes, as apt is configured here.
repository()
{
	local suite

	suite=$(host_suite)$1
	# shellcheck disable=SC2016 # apt expands these
	apt-get indextargets --format '$(CODENAME) $(SUITE) $(REPO_URI)' 'Created-By: Packages' |
		awk -v suite="$suite" '$1 == suite || $2 == suite { print $3; exit }'
}

# suite_sources SUITE - sources.list lines for SUITE, from the mirror that apt uses here.
# Signatures are checked, the age of the lists is not: a mirror may lag behind.
suite_sources()
{
	local main security
	local trust="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg check-valid-until=no]"

	main=$(repository "")
	security=$(repository -security)
	[ -n "$main" ] || die "apt has no source for $(host_suite) here; run apt-get update"
	echo "deb $trust $main $1 main"
	if [ "$1" != sid ] && [ -n "$security" ]; then
		echo "deb $trust $security $1-security main"
	fi
}

# suite_apt SUITE TOOL ARG... - apt-get or apt-cache, seeing the packages of SUITE.
# Of a foreign suite it keeps lists of its own in the cache, one day long.
suite_apt()
{
	local suite=$1 tool=$2 dir=$CACHE/apt/$1

	shift 2
	if [ "$suite" = "$(host_suite)" ]; then
		"$tool" -o APT::Sandbox::User=root "$@"
		return
	fi
	local options=(
		-o "Dir::Etc::SourceList=$dir/sources.list" -o "Dir::Etc::SourceParts=/dev/null"
		-o "Dir::Etc::Preferences=/dev/null" -o "Dir::Etc::PreferencesParts=/dev/null"
		-o "Dir::State=$dir/state" -o "Dir::State::status=/dev/null" -o "Dir::Cache=$dir/cache"
		-o APT::Sandbox::User=root -o Acquire::Languages=none
	)
	if [ -z "$(find "$dir/updated" -mmin -1440 2>/dev/null)" ]; then
		mkdir -p "$dir/state/lists/partial" "$dir/cache/archives/partial"
		suite_sources "$suite" >"$dir/sources.list"
		apt-get "${options[@]}" -qq update >&2 || die "cannot read the package lists of $suite"
		touch "$dir/updated"
	fi
	"$tool" "${options[@]}" "$@"
}
