/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of this folder as the build embeds them: bytes, not strings.
 */
#ifndef FLAME_WEB_H
#define FLAME_WEB_H

#include <stddef.h>

extern const char web_svg_js[];
extern const size_t web_svg_js_len;
extern const char web_svg_css[];
extern const size_t web_svg_css_len;

#endif /* FLAME_WEB_H */
