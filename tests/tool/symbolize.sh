#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# flame symbolize from the outside, against nm: programs with and without symbols, with a
# separate debug file, C++ names, wrong and missing files. Compiles its programs.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
flame=${FLAME:-$top/build/flame}
data=$top/tests/data/symbolize
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
export LC_ALL=C HOME=$work XDG_CONFIG_HOME=$work
status=0

result()
{
	local good=$?

	if [ $good -eq 0 ]; then
		echo "ok - $1"
	else
		echo "not ok - $1"
		cat out err 2>/dev/null | sed 's/^/# /'
		status=1
	fi
}

for tool in gcc nm objcopy readelf; do
	command -v $tool >/dev/null || { echo "ok - symbolize # SKIP no $tool"; exit 0; }
done

# build FILE ID - the program under a build-id of our choice.
build()
{
	gcc -O1 -g0 -fno-inline -fPIE -pie "-Wl,--build-id=$2" \
		-Wl,--export-dynamic-symbol=exported -o "$1" "$data/prog.c" || exit 1
}

build prog sha1
id=$(readelf -n prog | sed -n 's/.*Build ID: //p')

# at FUNCTION PLUS - its file offset in prog. The text segment of such a program has equal
# offsets and addresses, which is checked below.
at() { printf '0x%x' $((0x$(nm prog | awk -v f="$1" '$3 == f { print $1 }') + $2)); }

readelf -lW prog | awk '$1 == "LOAD" && /R E/ { exit $2 != $3 }'
result "the program is laid out as this test takes it to be"

cat >in.folded <<END
app;prog+$(at main 5);prog+$(at exported 4);vfs_read_[k] 3
app;prog+$(at main 5);prog+$(at local_one 0) 2
app;prog+$(at main 9);prog+$(at local_one 3) 4
app;elsewhere+0x10 1
END

# named OBJECTS WANT NAME - symbolizes in.folded with that list.
named()
{
	echo "$1" >objects
	"$flame" symbolize --objects objects in.folded >out 2>err
	result_status=$?
	printf '%s\n' "$2" | cmp -s - out && [ $result_status -eq 0 ]
	result "$3"
}

named "prog $id $work/prog" "app;elsewhere+0x10 1
app;main;exported;vfs_read_[k] 3
app;main;local_one 6" "names of .symtab; lines that become equal are one"
named "prog - $work/prog" "app;elsewhere+0x10 1
app;main;exported;vfs_read_[k] 3
app;main;local_one 6" "without a build-id"

mv prog whole
objcopy --strip-all whole prog
cp in.folded full.folded
main='[prog]'+$(printf '0x%x' $((0x$(nm whole | awk '$3 == "main" { print $1 }'))))
one='[prog]'+$(printf '0x%x' $((0x$(nm whole | awk '$3 == "local_one" { print $1 }'))))
named "prog $id $work/prog" "app;$main;$one 6
app;$main;exported;vfs_read_[k] 3
app;elsewhere+0x10 1" "stripped: .dynsym names its own only, the others have a box each"

objcopy --only-keep-debug whole prog.debug
objcopy --add-gnu-debuglink=prog.debug prog
named "prog $id $work/prog" "app;elsewhere+0x10 1
app;main;exported;vfs_read_[k] 3
app;main;local_one 6" "a separate debug file beside it"
mkdir .debug && mv prog.debug .debug/
named "prog $id $work/prog" "app;elsewhere+0x10 1
app;main;exported;vfs_read_[k] 3
app;main;local_one 6" "a separate debug file in .debug"
build prog.other 0x0123456789abcdef
objcopy --only-keep-debug prog.other .debug/prog.debug
named "prog $id $work/prog" "app;$main;$one 6
app;$main;exported;vfs_read_[k] 3
app;elsewhere+0x10 1" "a debug file of another build is not used"
rm -r .debug
mv whole prog

# What is no file.
printf 'app;[vsyscall]+0x400;x_[k] 2\napp;[vsyscall]+0x0 1\n' >in.folded
named "[vsyscall] - -" "app;[vsyscall] 1
app;[vsyscall];x_[k] 2" "an object without a file"
cp full.folded in.folded

# Blanks in names and paths are \x20.
mkdir "my dir" && cp prog "my dir/my prog"
sed 's/prog+/my\\x20prog+/g' full.folded >in.folded
named "my\\x20prog $id $work/my\\x20dir/my\\x20prog" "app;elsewhere+0x10 1
app;main;exported;vfs_read_[k] 3
app;main;local_one 6" "blanks in object and path"
cp full.folded in.folded

# untouched OBJECTS WHY NAME - nothing is named, WHY is said, exit 0.
untouched()
{
	echo "$1" >objects
	"$flame" symbolize --objects objects in.folded >out 2>err &&
		"$flame" fold in.folded | cmp -s - out && grep -q "$2" err
	result "$3"
}
untouched "prog $id /no/such/prog" "/no/such/prog: No such file" "the file is gone: said, frames stay"
untouched "prog ${id/#??/00} $work/prog" "another build-id" "another build: said, frames stay"
untouched "prog $id $work/prog (deleted)" "gone" "a deleted file"
untouched "prog $id $work/in.folded" "not an ELF" "no ELF file"
mkfifo pipe
untouched "prog $id $work/pipe" "pipe" "a pipe under that name does not block"

"$flame" symbolize --objects nosuch in.folded >out 2>err
[ $? -eq 1 ] && grep -q '^flame: nosuch: ' err && [ ! -s out ]
result "no list of objects: exit 1"
echo 'prog' >objects
"$flame" symbolize --objects objects in.folded >out 2>err
[ $? -eq 1 ] && grep -q 'objects:1' err && [ ! -s out ]
result "a bad list names the line"

# A recording, written by another program after docs/format-flame.md.
if command -v python3 >/dev/null; then
	python3 "$data/flamefile.py" rec.flame "$work/prog" "$id" "$(at main 5)" \
		"$(at local_one 2)" || exit 1
	"$flame" fold rec.flame >out 2>err
	cat >want <<-END
	app;kept_name 1
	app;old_name;vfs_read_[k] 1
	app;prog+$(at local_one 2);vfs_read_[k] 1
	app;vfs_read_[k] 1
	END
	cmp -s want out && [ ! -s err ]
	result "a recording written after the documentation is read"
	chmod 644 rec.flame
	"$flame" symbolize rec.flame >out 2>err && [ ! -s out ] && "$flame" fold rec.flame >out
	cat >want <<-END
	app;kept_name 1
	app;local_one;vfs_read_[k] 1
	app;main;vfs_read_[k] 1
	app;vfs_read_[k] 1
	END
	cmp -s want out && [ "$(stat -c %a rec.flame)" = 600 ] && ! ls rec.flame.* 2>/dev/null
	result "symbolize rewrites a recording: better names in, others kept"
	"$flame" symbolize <rec.flame 2>err | "$flame" fold | cmp -s want -
	result "a recording from stdin to stdout"
	head -c 400 rec.flame >cut.flame && cp cut.flame before
	"$flame" symbolize -o new.flame cut.flame >out 2>err
	[ $? -le 1 ] && grep -q '^flame: .*cut.flame' err && cmp -s cut.flame before
	result "a recording that is cut stays as it is"
	printf 'x' | dd of=rec.flame bs=1 seek=100 conv=notrunc 2>/dev/null
	cp rec.flame before
	"$flame" symbolize rec.flame >out 2>err
	[ $? -eq 1 ] && grep -q 'rec.flame: damaged at offset' err && cmp -s rec.flame before
	result "a damaged recording is refused and stays as it is"
fi

if command -v g++ >/dev/null; then
	g++ -O1 -fno-inline -o cxx "$data/prog.cc" || exit 1
	: >in.folded
	for symbol in _ZN12_GLOBAL__N_17Counter3addEi _ZN5shape6CircleclEi _Z5twiceIiET_S0_; do
		a=$(nm cxx | awk -v f=$symbol '$3 == f { print $1 }')
		printf 'c;cxx+0x%x 1\n' $((0x$a + 1)) >>in.folded
	done
	named "cxx - $work/cxx" "c;(anonymous namespace)::Counter::add 1
c;shape::Circle::operator() 1
c;twice<int> 1" "C++ names without parameters"
fi
exit $status
