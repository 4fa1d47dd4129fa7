#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A minute at 10,000 Hz in a guest whose time is instructions.
# boot: --icount
# limit: 7200

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/profile.sh"
. "$(dirname "$0")/load.sh"

need_module
nothing_lost 60
at_most "at most 2 % of the ticks are missed (in hundredths of a per cent)" "${MISSED_PERCENT/./}" 200
