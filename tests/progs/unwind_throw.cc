// SPDX-License-Identifier: GPL-2.0-only
/* cflags: -O2 -g -fomit-frame-pointer */
/*
 * Throws through 20 frames with destructors, for ever: the time goes to the C++ runtime's
 * own unwinder, whose stacks are what is unwound here.
 */
#include <stdexcept>
#include <string>

static volatile unsigned long sink;

struct Guard {
	unsigned long n;

	explicit Guard(unsigned long v) : n(v) {}
	~Guard() { sink = sink + n; }
};

__attribute__((noinline, noipa))
static unsigned long descend(unsigned int depth, unsigned long x)
{
	Guard guard(x);

	if (!depth)
		throw std::runtime_error("bottom " + std::to_string(x));
	return descend(depth - 1, x * 31 + depth) + guard.n;
}

int main()
{
	for (unsigned long i = 0;; i++) {
		try {
			sink = descend(20, i);
		} catch (const std::exception &e) {
			sink = sink + e.what()[0];
		}
	}
}
