/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mapped files the module has seen, as far as the control plane needs them: handing
 * one to the tool while it is still held.
 */
#ifndef FLAME_OBJECTS_H
#define FLAME_OBJECTS_H

#include <linux/types.h>

/**
 * flame_object_get_fd() - a descriptor of the file behind an object id
 * @id: as in struct flame_rec_object
 *
 * Installs a new read-only, close-on-exec descriptor in the calling process and
 * returns it. Process context, no lock held. -ENOENT: no such id; -ESTALE: the file
 * is not held any more, or never was one; else what opening a file can return.
 */
int flame_object_get_fd(u32 id);

#endif /* FLAME_OBJECTS_H */
