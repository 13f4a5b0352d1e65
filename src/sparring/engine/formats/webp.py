"""Read WebP headers: the size of an image, and whether it contains anything besides pixels.

This is the first check of untrusted images. It decodes nothing, so no image can use much memory.
"""

import struct
from collections.abc import Iterator

#: The allowed chunks. Others contain metadata, colour profiles or animations.
ALPHA, LOSSY, LOSSLESS, WIDE = b"ALPH", b"VP8 ", b"VP8L", b"VP8X"
#: The only flag allowed in an extended header: transparency.
HAS_ALPHA = 0x10


def image_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height (pixels) of a still image without other data; None for anything else."""
    chunks = list(_chunks(data))
    kinds = [kind for kind, _ in chunks]
    if kinds not in ([LOSSY], [LOSSLESS], [WIDE, LOSSY], [WIDE, LOSSLESS], [WIDE, ALPHA, LOSSY]):
        return None
    sizes = [_size(kind, body) for kind, body in chunks if kind != ALPHA]
    return sizes[0] if None not in sizes and len(set(sizes)) == 1 else None


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks of a file as (kind, body); an empty one where the file is invalid."""
    if (
        len(data) < 12
        or data[:4] != b"RIFF"
        or data[8:12] != b"WEBP"
        or struct.unpack("<I", data[4:8])[0] + 8 != len(data)
    ):
        yield b"", b""
        return
    offset = 12
    while offset < len(data):
        if offset + 8 > len(data):
            yield b"", b""
            return
        kind, length = data[offset : offset + 4], struct.unpack("<I", data[offset + 4 : offset + 8])[0]
        body = data[offset + 8 : offset + 8 + length]
        yield (kind, body) if len(body) == length else (b"", b"")
        offset += 8 + length + length % 2


def _size(kind: bytes, body: bytes) -> tuple[int, int] | None:
    if kind == LOSSY and len(body) >= 10 and body[3:6] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", body[6:10])
        return (width & 0x3FFF, height & 0x3FFF) if width and height else None
    if kind == LOSSLESS and len(body) >= 5 and body[0] == 0x2F:
        bits = struct.unpack("<I", body[1:5])[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == WIDE and len(body) == 10 and not body[0] & ~HAS_ALPHA:
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    return None
