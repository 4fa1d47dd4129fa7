# SPDX-License-Identifier: GPL-2.0-only
#
# The static checks behind scripts/check: a target for each tool, a stamp in
# build/check/ for each file that passed it.

.DELETE_ON_ERROR:
.SUFFIXES:
SHELL	:= /bin/bash -o pipefail
MAKEFLAGS += --no-builtin-rules

C	:= build/check
CACHE	:= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/flame
KDIR	?= $(shell scripts/kdir)
KDIR	:= $(KDIR)

MODULE	:= $(wildcard kmod/*.c kmod/*.h) include/flame_abi.h
# Sources of kmod/ that need nothing of the kernel: those that unit tests are made of.
SHARED	:= $(sort $(filter kmod/%.c,$(shell sed -n -e 's|.*/\* sources: \(.*\) \*/.*|\1|p' \
	-e 's|^\#include "../../\(kmod/.*\.c\)"|\1|p' tests/unit/*.c)))
TOOL	:= $(sort $(shell find user -name '*.c')) $(SHARED)
FLAGS	:= -D_GNU_SOURCE -Iinclude -Iuser -Ikmod -Ibuild/proto -Itests/unit -std=gnu11
SCRIPTS	:= $(sort $(shell grep -rlE '^(\#!.*/(ba)?sh|\# shellcheck shell=)' scripts tests .ci --include='*'))

# $(call passed,FILE): its stamp, and the headers it includes for the next time.
define passed
	@mkdir -p $(@D)
	@gcc $(FLAGS) -MM -MP -MT $@ -MF $@.d $<
	@touch $@
endef

# ---- kmod ---------------------------------------------------------------------

# checkpatch.pl of the kernel the module is mainly for, from Debian's source package.
SOURCE	:= $(lastword $(sort $(wildcard /usr/src/linux-source-6.*.tar.xz)))
PATCH	 = $(CACHE)/checkpatch-$(shell dpkg-query -W -f '$${Version}' $(basename $(basename $(notdir $(SOURCE)))))
PATCH	:= $(PATCH)

$(PATCH)/checkpatch.pl:
	@rm -rf $(PATCH).new && mkdir -p $(PATCH).new
	@tar -xJf $(SOURCE) -C $(PATCH).new --strip-components=2 --wildcards --occurrence=1 \
		'*/scripts/checkpatch.pl' '*/scripts/const_structs.checkpatch' '*/scripts/spelling.txt'
	@rm -rf $(PATCH) && mv $(PATCH).new $(PATCH)
	@touch $@

checkpatch: $(MODULE:%=$(C)/checkpatch/%.ok)
# Without a kernel tree around it checkpatch complains of two missing paths: not shown.
# Left out: what holds for patches of the kernel only; names of <elf.h>; in port.h,
# what stands there for user space; in the ABI, what an ABI header cannot use.
IGNORE	:= FILE_PATH_CHANGES,LINUX_VERSION_CODE,CAMELCASE
IGNORE_kmod/port.h := ,PREFER_KERNEL_TYPES,PREFER_DEFINED_ATTRIBUTE_MACRO,COMPLEX_MACRO,MEMORY_BARRIER,MACRO_ARG_REUSE
IGNORE_kmod/compat.h := ,CONSTANT_COMPARISON
IGNORE_include/flame_abi.h := ,BIT_MACRO,MACRO_ARG_REUSE
$(C)/checkpatch/%.ok: % $(PATCH)/checkpatch.pl scripts/check.mk
	@cd $(C) && perl $(PATCH)/checkpatch.pl --strict --no-tree --no-summary --terse --show-types \
		--ignore $(IGNORE)$(IGNORE_$<) -f $(CURDIR)/$< 2>&1 | \
		sed -e '/uninitialized value $$root/d' -e '/^find: .*include/d' -e 's|^$(CURDIR)/||'
	@mkdir -p $(@D) && touch $@

# In a folder of its own, so that sparse (C=1) sees each file that has changed.
KC	:= $(C)/kmod
kernel:
	@mkdir -p $(KC)/kmod
	@find $(KC) -xtype l -delete
	@ln -sf $(CURDIR)/Kbuild $(KC)/Kbuild
	@ln -sfn $(CURDIR)/include $(KC)/include
	@ln -sf $(CURDIR)/kmod/*.[ch] $(KC)/kmod/
	@$(MAKE) -C $(KDIR) M=$(CURDIR)/$(KC) W=1 C=1 CF=-Wsparse-error \
		KCFLAGS=-Werror modules >$(C)/kernel-build.log 2>&1; status=$$?; \
	grep -E 'error|warning|ERROR|WARNING' $(C)/kernel-build.log | \
		grep -v -e 'the compiler differs' -e 'Skipping BTF' && status=1; \
	[ $$status -eq 0 ] || { rm -f $(KC)/Module.symvers $(KC)/flame.* $(KC)/*.mod*; \
		tail -n 20 $(C)/kernel-build.log; }; \
	exit $$status

# ---- user, and the shared sources ----------------------------------------------

# What is made of user/proto/ is not checked, but what includes it is.
PROTO	:= $(patsubst user/proto/%.proto,build/proto/%.pb-c.c,$(wildcard user/proto/*.proto))
$(PROTO): build/proto/%.pb-c.c: user/proto/%.proto
	@$(MAKE) -s -f Makefile $@

analyzer: $(TOOL:%=$(C)/analyzer/%.ok)
$(C)/analyzer/%.ok: % scripts/check.mk | $(PROTO)
	@gcc $(FLAGS) -O2 -g -Wall -Wextra -Werror -fanalyzer -c -o /dev/null $<
	$(passed)

clang-tidy: $(TOOL:%=$(C)/clang-tidy/%.ok)
$(C)/clang-tidy/%.ok: % .clang-tidy scripts/check.mk | $(PROTO)
	@clang-tidy --quiet $< -- $(FLAGS)
	$(passed)

cppcheck: $(TOOL:%=$(C)/cppcheck/%.ok)
$(C)/cppcheck/%.ok: % scripts/check.mk
	@cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability \
		--inline-suppr --suppress=missingIncludeSystem --suppress=preprocessorErrorDirective:build/proto/* --std=c11 \
		-D_GNU_SOURCE -D__x86_64__ -D__linux__ -Iinclude -Iuser -Ikmod -Ibuild/proto -Itests/unit $<
	$(passed)

# ---- everything ----------------------------------------------------------------

shellcheck: $(SCRIPTS:%=$(C)/shellcheck/%.ok)
$(C)/shellcheck/%.ok: % .shellcheckrc scripts/check.mk
	@shellcheck -x $<
	@mkdir -p $(@D) && touch $@

spdx:
	@bad=$$(git ls-files 'kmod/*' 'user/*' 'include/*' 'scripts/*' 'tests/*.[ch]' 'tests/*.sh' \
		Makefile Kbuild | xargs grep -L 'SPDX-License-Identifier: GPL-2.0-only'); \
	[ -z "$$bad" ] || { echo "no SPDX line:"; echo "$$bad"; exit 1; }

-include $(shell find $(C) -name '*.d' 2>/dev/null)

.PHONY: checkpatch kernel analyzer clang-tidy cppcheck shellcheck spdx
