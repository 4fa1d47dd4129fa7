/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/flame (see device.c).
 */
#ifndef FLAME_DEVICE_H
#define FLAME_DEVICE_H

/* Registers the device, late in the module's init. 0 or a negative errno. */
int flame_device_init(void);

/* Unregisters it. No file of it is open: each holds the module. */
void flame_device_exit(void);

#endif /* FLAME_DEVICE_H */
