#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# At 10,000 Hz on two busy CPUs with default buffers nothing is lost or throttled; what
# was missed is shown. The long test does the same for a minute.
# limit: 900

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"
. "$(dirname "$0")/load.sh"

need_module
nothing_lost 8
