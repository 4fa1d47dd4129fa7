#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes a small .flame file by docs/format-flame.md, independently of the tool:

    flamefile.py OUT PATH BUILD-ID OFFSET...

One sample for each OFFSET of the object PATH, in task "app", and one without user
frames. The second and further blocks are plain, the first is as well: zstd is optional.
"""
import struct
import sys
import zlib

INFO, NAME, OBJECT, STACK, SAMPLE, STATS, SYMBOL = 1, 2, 3, 4, 5, 8, 64


def record(kind, body, flags=0):
    body += bytes(-len(body) % 8)
    return struct.pack("<HHI", kind, flags, 8 + len(body)) + body


def text(kind, value):
    data = value.encode()
    return record(kind, struct.pack("<QI", 0, len(data)) + data)


def name(number, value):
    return record(NAME, struct.pack("<II", number, len(value)) + value)


def obj(number, token, path, build_id):
    return record(OBJECT, struct.pack("<IBBHHHIQ", number, 0, len(build_id), len(token),
                                      len(path), 0, 0, 0) +
                  build_id.ljust(32, b"\0") + token + path)


def stack(number, user, kernel):
    return record(STACK, struct.pack("<IHH", number, len(user), len(kernel)) +
                  b"".join(struct.pack("<IIQ", o, 0, offset) for o, offset in user) +
                  b"".join(struct.pack("<I", k) for k in kernel))


def sample(number):
    return record(SAMPLE, struct.pack("<QQQIIIIHHHH16s", 1, 1, 0, number, 0, 7, 7, 1, 0, 0, 0,
                                      b"app"))


def symbol(number, offset, value):
    return record(SYMBOL, struct.pack("<IIQQ", number, len(value), offset, 2**64 - 1) + value)


def block(number, raw, last):
    head = struct.pack("<IIIIQI", 0x314B4C42, 2 if last else 0, len(raw), len(raw), number,
                       zlib.crc32(raw))
    return head + struct.pack("<I", zlib.crc32(head)) + raw


def main():
    out, path, build_id, *offsets = sys.argv[1:]
    header = b"host: elsewhere\nkernel: 6.1\n"
    head = b"\x89FLAME\n\x1a" + struct.pack("<IIIII", 0x01020304, 1, 1, len(header),
                                            zlib.crc32(header))
    head += struct.pack("<I", zlib.crc32(head)) + header
    first = text(INFO, "frequency: 99\n") + name(1, b"vfs_read") + \
        obj(1, path.rsplit("/", 1)[1].encode(), path.encode(), bytes.fromhex(build_id)) + \
        obj(2, b"gone", b"/no/such/file", b"")
    second = stack(1, [], [1]) + sample(1) + stack(2, [(2, 16)], []) + sample(2)
    for i, offset in enumerate(offsets):
        second += stack(3 + i, [(1, int(offset, 16))], [1]) + sample(3 + i)
    third = text(STATS, "lost: 0\n") + symbol(2, 16, b"kept_name") + \
        symbol(1, int(offsets[0], 16), b"old_name")
    with open(out, "wb") as f:
        f.write(head + block(0, first, False) + block(1, second, False) + block(2, third, True))


main()
