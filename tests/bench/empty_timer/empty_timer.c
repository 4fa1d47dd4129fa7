// SPDX-License-Identifier: GPL-2.0-only
/*
 * The floor that samplers are compared with: one pinned hard hrtimer on each online
 * CPU that does nothing at each expiry but count it. For `make bench` alone; never
 * part of an installation.
 *
 *	insmod empty_timer.ko hz=9999
 *	echo 1 > /sys/module/empty_timer/parameters/run	starts it, 0 stops it
 *	cat /sys/module/empty_timer/parameters/ticks
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/version.h>

static unsigned int hz = 9999;
module_param(hz, uint, 0400);
MODULE_PARM_DESC(hz, "expiries a second on each CPU");

static DEFINE_PER_CPU(struct hrtimer, timer);
static DEFINE_PER_CPU(unsigned long, expiries);
static ktime_t period;

/* Interrupt. */
static enum hrtimer_restart expire(struct hrtimer *t)
{
	this_cpu_inc(expiries);
	hrtimer_forward_now(t, period);
	return HRTIMER_RESTART;
}

/* Interrupts off, on the CPU whose timer it starts. */
static void start_here(void *unused)
{
	struct hrtimer *t = this_cpu_ptr(&timer);

	hrtimer_start(t, period, HRTIMER_MODE_REL_PINNED_HARD);
}

static bool running;

static void stop_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu(timer, cpu));
}

/* Process context; the kernel's own lock on parameters keeps writers apart. */
static int run_set(const char *val, const struct kernel_param *kp)
{
	int err = param_set_bool(val, kp);

	if (err)
		return err;
	if (running)
		on_each_cpu(start_here, NULL, 1);
	else
		stop_all();
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set, .get = param_get_bool };
module_param_cb(run, &run_ops, &running, 0600);
MODULE_PARM_DESC(run, "whether the timers run");

static int ticks_get(char *buf, const struct kernel_param *kp)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(expiries, cpu);
	return sysfs_emit(buf, "%lu\n", sum);
}

static const struct kernel_param_ops ticks_ops = { .get = ticks_get };
module_param_cb(ticks, &ticks_ops, NULL, 0400);
MODULE_PARM_DESC(ticks, "expiries so far on all CPUs");

static int __init empty_timer_init(void)
{
	int cpu;

	if (!hz)
		return -EINVAL;
	period = ns_to_ktime(NSEC_PER_SEC / hz);
	for_each_possible_cpu(cpu) {
		struct hrtimer *t = &per_cpu(timer, cpu);

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
		hrtimer_setup(t, expire, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
		hrtimer_init(t, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		t->function = expire;
#endif
	}
	return 0;
}

static void __exit empty_timer_exit(void)
{
	stop_all();
}

module_init(empty_timer_init);
module_exit(empty_timer_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("An hrtimer that does nothing, to compare samplers with");
