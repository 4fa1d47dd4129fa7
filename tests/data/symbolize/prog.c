// SPDX-License-Identifier: GPL-2.0-only
/* A few functions for tests/tool/symbolize.sh; it is never run. */
int exported(int x);
int exported(int x)
{
	return x * x + 3;
}

static int local_one(int x)
{
	return x / 7 + exported(x);
}

int main(int argc, char **argv)
{
	(void)argv;
	return local_one(argc) + exported(argc);
}
