// SPDX-License-Identifier: GPL-2.0-only
/*
 * Init and exit of the module: brings the parts up in the order in which they depend on
 * each other, and down in the reverse. Holds no logic of its own.
 */
#include <linux/module.h>
#include <linux/notifier.h>
#include "../include/flame_version.h"
#include "collector.h"
#include "command.h"
#include "debugfs.h"
#include "device.h"
#include "profile.h"
#include "session.h"

/*
 * A module comes or goes: addresses in it get or lose their meaning. What was sampled
 * before is named now, while its symbols are there.
 */
static int module_event(struct notifier_block *nb, unsigned long state, void *data)
{
	if (state != MODULE_STATE_GOING && state != MODULE_STATE_COMING)
		return NOTIFY_DONE;
	flame_collector_drain(false);
	mutex_lock(&flame_collector_mutex);
	flame_names_forget(flame_profile);
	flame_fold_forget(&flame_profile->fold);
	mutex_unlock(&flame_collector_mutex);
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

static int __init flame_init(void)
{
	int err;

	flame_settings_defaults(&flame_settings);
	err = flame_session_init();
	if (err)
		return err;
	err = register_module_notifier(&module_notifier);
	if (err)
		goto session;
	err = flame_device_init();
	if (err)
		goto notifier;
	flame_debugfs_init();
	return 0;
notifier:
	unregister_module_notifier(&module_notifier);
session:
	flame_session_exit();
	return err;
}

static void __exit flame_exit(void)
{
	flame_debugfs_exit();
	flame_device_exit();
	unregister_module_notifier(&module_notifier);
	flame_session_exit();
}

module_init(flame_init);
module_exit(flame_exit);

MODULE_DESCRIPTION("Samples kernel and user stacks of every CPU and folds them");
MODULE_LICENSE("GPL");
MODULE_VERSION(FLAME_VERSION);
