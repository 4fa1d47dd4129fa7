/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile by function: what each weighs itself and with all it calls, and who calls
 * whom.
 */
#ifndef FLAME_FUNCTIONS_H
#define FLAME_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>
#include "profile/tree.h"

/**
 * struct function - the boxes of one name and kind taken together
 * @self: of stacks that end in it
 * @total: of stacks it occurs in, each counted once however often it occurs
 */
struct function {
	const char *name;
	enum frame_kind kind;
	uint64_t self;
	uint64_t total;
};

struct functions {
	struct function *at;
	size_t nr, cap;
	size_t *index;		/* hash of indices + 1 */
	size_t mask;
};

/* All functions of a tree. Thread names and marks are among them: look at @kind. */
void functions_of_tree(struct functions *f, const struct tree *tree);

/*
 * What is directly above (@callers) or below the function @name (with or without
 * annotation): entries whose @self is the weight of that relation. Each stack counts
 * once, by the function's outermost occurrence for callers and its innermost for callees,
 * so the weights add up to the function's total, which is returned. A stack that ends in
 * the function has the callee "(self)".
 */
uint64_t functions_around(struct functions *f, const struct tree *tree, const char *name,
			  bool callers);

/* Heaviest first, by self or total; equal ones by name. */
void functions_sort_self(struct functions *f);
void functions_sort_total(struct functions *f);
void functions_free(struct functions *f);

#endif /* FLAME_FUNCTIONS_H */
