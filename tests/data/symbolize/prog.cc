// SPDX-License-Identifier: GPL-2.0-only
/* A few C++ functions for tests/tool/symbolize.sh; it is never run. */
namespace {
struct Counter {
	int n;
	__attribute__((noinline)) int add(int x);
};

int Counter::add(int x)
{
	return n += x;
}
}

namespace shape {
struct Circle {
	int r;
	__attribute__((noinline)) int operator()(int x);
};

int Circle::operator()(int x)
{
	return r * x * x;
}
}

template <class T> __attribute__((noinline)) T twice(T x)
{
	return x + x * x;
}

int main(int argc, char **)
{
	Counter c{ argc };
	shape::Circle s{ argc };

	return c.add(argc) + s(argc) + twice(argc);
}
