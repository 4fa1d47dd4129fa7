# SPDX-License-Identifier: GPL-2.0-only
#
# Targets for people: `make help` lists them. The module's objects stand in Kbuild,
# the packages that a target needs in scripts/deps. Must never write outside build/
# but for install, uninstall and the cache folder of the tests.

FLAME_VERSION := $(shell sed -n 's/^\#define FLAME_VERSION[[:space:]]*"\(.*\)"/\1/p' include/flame_version.h)

.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

B	:= build
CC	:= gcc
PREFIX	?= /usr/local
DESTDIR	?=
INSTALL	?= install

# Which kernel to build for: the running one if its headers are here, else the newest
# Debian kernel whose headers are.
KDIR	?= $(shell scripts/kdir)
KDIR	:= $(KDIR)
# As uname -r says it (include/config/kernel.release differs on Debian).
KVER	:= $(or $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' \
	   $(KDIR)/include/generated/utsrelease.h 2>/dev/null),unknown)
KBUILD	 = $(B)/kmod-$(KVER)

all: module tool

help:
	@echo 'make all        module and tool'
	@echo 'make module     build/kmod-RELEASE/flame.ko; KDIR=/lib/modules/RELEASE/build picks the kernel'
	@echo 'make tool       build/flame'
	@echo 'make demo       installs what it needs, then samples redis for 5 s, here or in a guest'
	@echo 'make test       installs what it needs, then runs all tests that make check and one kernel take'
	@echo 'make test-all   the same on every kernel of tests/vm/kernels, and long tests: hours'
	@echo 'make check      checkpatch, sparse, W=1, -fanalyzer, clang-tidy, cppcheck, shellcheck'
	@echo 'make bench      what a sample costs, beside perf and bcc'
	@$(if $(wildcard tests/fuzz/run),echo 'make fuzz       feeds damaged input to the parsers')
	@echo 'make install    module, tool, man pages (PREFIX=$(PREFIX), DESTDIR=)'
	@echo 'make uninstall  removes them'
	@echo 'make dkms-install  sources for DKMS, which builds the module for each kernel; dkms-uninstall'
	@echo 'make clean      removes build/'
	@echo
	@echo 'YES=1 installs missing packages without asking.'

# ---- the module ---------------------------------------------------------------

# A folder for each kernel: links to the sources, and what the kernel's build makes.
# $(call links,FOLDER)
define links
	@mkdir -p $(1)/kmod
	@find $(1) -xtype l -delete
	@ln -sf $(CURDIR)/Kbuild $(1)/Kbuild
	@ln -sfn $(CURDIR)/include $(1)/include
	@ln -sf $(CURDIR)/kmod/*.[ch] $(1)/kmod/
endef

# The links alone, for a build in a chroot (tests/vm/build).
module-links:
	$(call links,$(KBUILD))

module: need-headers module-links
	+@$(MAKE) -C $(KDIR) M=$(CURDIR)/$(KBUILD) \
		$(if $(CC_KERNEL),CC=$(CC_KERNEL)) modules

need-headers:
	@test -e '$(KDIR)/include/generated/utsrelease.h' || { \
		echo 'make: no kernel headers in KDIR="$(KDIR)";' \
		     'install linux-headers-amd64 (scripts/deps install build) or name another KDIR' >&2; \
		exit 1; }

# ---- the tool -----------------------------------------------------------------

WARN	 := -Wall -Wextra -Werror
CPPFLAGS_TOOL := -D_GNU_SOURCE -Iinclude -Iuser -Ikmod -I$(B)/proto
CFLAGS_TOOL := -O2 -g -std=gnu11 $(WARN)
LIBS	 := -lelf -ldw -lz -lzstd -llzma -liberty -lprotobuf-c -ljansson -lm

# Sources of kmod/ that need nothing of the kernel (they are tested in user space too)
# and that the tool is made of.
TOOL_SHARED := kmod/buildid.c kmod/unwind_table.c
TOOL_SRC := $(sort $(shell find user -name '*.c')) $(TOOL_SHARED)
WEB	 := $(wildcard user/web/*.js user/web/*.css)
# user/proto/NAME.proto becomes build/proto/NAME.pb-c.c and .h.
PROTO	 := $(patsubst user/proto/%.proto,$(B)/proto/%.pb-c.c,$(wildcard user/proto/*.proto))
TOOL_OBJ := $(TOOL_SRC:%.c=$(B)/tool/%.o) $(WEB:user/web/%=$(B)/tool/web/%.o) \
	    $(PROTO:$(B)/%.c=$(B)/tool/%.o)

tool: $(B)/flame

$(B)/flame: $(TOOL_OBJ)
	@echo '  LD      $@'
	@$(CC) $(CFLAGS_TOOL) $(LDFLAGS) -o $@ $^ $(LIBS)

# Of the flags only the Makefile knows: what depends on them depends on it.
$(B)/tool/%.o: %.c Makefile | $(PROTO)
	@mkdir -p $(@D)
	@echo '  CC      $<'
	@$(CC) $(CPPFLAGS_TOOL) $(CFLAGS_TOOL) -MMD -MP -c -o $@ $<

$(B)/proto/%.pb-c.c: user/proto/%.proto
	@mkdir -p $(@D)
	@echo '  PROTOC  $<'
	@protoc-c --proto_path=$(<D) --c_out=$(@D) $<

.SECONDARY: $(PROTO)

$(B)/tool/proto/%.o: $(B)/proto/%.c Makefile
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_TOOL) -c -o $@ $<

# user/web/NAME.EXT becomes `const char web_NAME_EXT[]` and `const size_t web_NAME_EXT_len`.
$(B)/web/%.c: user/web/% scripts/embed
	@mkdir -p $(@D)
	@echo '  EMBED   $<'
	@scripts/embed $< >$@

$(B)/tool/web/%.o: $(B)/web/%.c Makefile
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS_TOOL) -c -o $@ $<

# ---- unit tests ---------------------------------------------------------------

# A test program says in a comment what it is linked with, and under which sanitizer
# it runs:  /* sources: kmod/ring.c user/x.c */  /* sanitizer: thread */
UNIT	 := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*.c))
SAN_address := -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined
SAN_thread := -O1 -fsanitize=thread
unit_sources = $(shell sed -n 's|.*/\* sources: \(.*\) \*/.*|\1|p' tests/unit/$(1).c)
unit_sanitizer = $(if $(shell grep -l '/\* sanitizer: thread \*/' tests/unit/$(1).c),thread,address)
# $(call unit_objects,SANITIZER,SOURCES)
unit_objects = $(patsubst %.c,$(B)/unit/$(1)/%.o,$(wildcard $(filter %.c,$(2)))) \
	       $(patsubst user/web/%,$(B)/unit/$(1)/$(B)/web/%.o,$(wildcard $(filter-out %.c,$(2))))

define unit_rule
$(B)/unit/$(1): $(call unit_objects,$(2),tests/unit/$(1).c $(3)) \
		$(if $(findstring user/input/,$(3)),$(PROTO:%.c=$(B)/unit/$(2)/%.o))
	@echo '  LD      $$@'
	@$$(CC) $$(SAN_$(2)) -o $$@ $$^ -lcmocka $$(LIBS) -pthread
endef
define sanitizer_rule
$(B)/unit/$(1)/%.o: %.c Makefile | $(PROTO)
	@mkdir -p $$(@D)
	@echo '  CC      $$< ($(1))'
	@$$(CC) $$(CPPFLAGS_TOOL) -Itests/unit -std=gnu11 -g -fno-omit-frame-pointer $$(WARN) \
		$$(SAN_$(1)) -DFLAME_TEST -MMD -MP -c -o $$@ $$<
endef
$(foreach s,address thread,$(eval $(call sanitizer_rule,$(s))))
ifneq ($(filter unit,$(MAKECMDGOALS)),)
$(foreach t,$(UNIT),$(eval $(call unit_rule,$(t),$(call unit_sanitizer,$(t)),$(call unit_sources,$(t)))))
endif

unit: $(UNIT:%=$(B)/unit/%)
progs:
	+@$(MAKE) -s -C tests/progs

# ---- checks -------------------------------------------------------------------

check:
	+@scripts/deps install build check
	+@scripts/check

# ---- tests, demo, bench -------------------------------------------------------

test:
	+@scripts/deps install build test check
	+@scripts/test

test-all:
	+@scripts/deps install build test check kernels
	+@scripts/test --all

demo:
	+@scripts/demo

bench:
	+@scripts/deps install build test bench
	+@$(MAKE) -s all progs
	+@tests/bench/run

fuzz:
	+@tests/fuzz/run

# ---- install ------------------------------------------------------------------

MODDIR	 = $(DESTDIR)/lib/modules/$(KVER)/extra
MAN	:= $(wildcard docs/man/*.[1-9])

install: all
	$(INSTALL) -D -m 755 $(B)/flame $(DESTDIR)$(PREFIX)/bin/flame
	$(INSTALL) -D -m 644 $(KBUILD)/flame.ko $(MODDIR)/flame.ko
	$(if $(DESTDIR),,depmod $(KVER))
	$(foreach m,$(MAN),$(INSTALL) -D -m 644 $(m) \
		$(DESTDIR)$(PREFIX)/share/man/man$(patsubst .%,%,$(suffix $(m)))/$(notdir $(m)) &&) true
	$(if $(wildcard user/flame.bash-completion),$(INSTALL) -D -m 644 user/flame.bash-completion \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/flame)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/flame $(MODDIR)/flame.ko
	$(if $(DESTDIR),,depmod $(KVER))
	rm -f $(foreach m,$(MAN),$(DESTDIR)$(PREFIX)/share/man/man$(patsubst .%,%,$(suffix $(m)))/$(notdir $(m)))
	rm -f $(DESTDIR)$(PREFIX)/share/bash-completion/completions/flame

# For DKMS: what the module is built from, and dkms.conf, in a folder of this version.
DKMSDIR	:= $(DESTDIR)/usr/src/flame-$(FLAME_VERSION)

dkms-install:
	$(INSTALL) -d $(DKMSDIR)/include $(DKMSDIR)/kmod
	$(INSTALL) -m 644 Kbuild $(DKMSDIR)/
	$(INSTALL) -m 644 include/*.h $(DKMSDIR)/include/
	$(INSTALL) -m 644 kmod/*.[ch] $(DKMSDIR)/kmod/
	sed 's/@VERSION@/$(FLAME_VERSION)/' dkms/dkms.conf >$(DKMSDIR)/dkms.conf
	@echo 'Now: dkms install flame/$(FLAME_VERSION)'

dkms-uninstall:
	$(if $(DESTDIR),,-dkms remove flame/$(FLAME_VERSION) --all)
	rm -rf $(DKMSDIR)

clean:
	rm -rf $(B)

-include $(shell find $(B)/tool $(B)/unit -name '*.d' 2>/dev/null)

.PHONY: all help module module-links need-headers tool unit progs check test test-all demo bench fuzz install \
	uninstall dkms-install dkms-uninstall clean
