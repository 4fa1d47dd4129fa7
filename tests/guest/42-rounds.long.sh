#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 200 rounds of load, sample, unload leave nothing behind.
# limit: 1800

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"
. "$(dirname "$0")/rounds.sh"

rounds 200
