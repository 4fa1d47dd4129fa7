// SPDX-License-Identifier: GPL-2.0-only
/* Any bytes as an input of format bpftrace: see input_target.h. */
/* sources: user/input/[a-z]*.c user/symbol/demangle.c user/profile/profile.c user/util/mem.c user/util/msg.c user/util/progress.c user/util/text.c build/proto/profile.pb-c.c */
/* libs: -lelf -ldw -liberty -lz -lzstd -llzma -lprotobuf-c -ljansson -lm */
#include "input_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_input("bpftrace", data, size);
}
