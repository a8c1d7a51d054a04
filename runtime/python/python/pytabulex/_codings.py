"""Decoding of HTTP's transfer and content codings. Headers are not parsed here.

Crawlers often decode a payload and keep its headers, so a payload without the signature of its coding is returned unchanged. If the
payload is damaged further on, the part before the damage is returned with a description of the damage.

Output is limited to one byte more than requested, which protects against decompression bombs.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Sequence
from typing import Any

_PIECE = 1 << 16
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_CHUNK = re.compile(rb"(?:\r?\n)?([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
"""Head of a chunk: the line end of the previous chunk, the length, and extensions, which are ignored."""

_MARKS = (b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")
_BINARY = re.compile(rb"[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SNIFFED = 1445
"""Number of bytes inspected to tell text from binary data."""

_Decoded = tuple[bytes, str | None]
"""Decoded bytes, and a description of the damage, if any."""


def decoded(raw: bytes, codings: Sequence[str], most: int) -> _Decoded:
    """Decodes a payload. ``codings`` are in the order in which they were applied."""
    damage = None
    for name in reversed(codings):
        if not raw or len(raw) > most:
            break
        if (coded := _taken_off(name.strip().lower(), raw, most)) is not None:
            raw, found = coded
            damage = damage or found and f"{name.strip()}: {found}"
    return raw, damage


def _taken_off(name: str, raw: bytes, most: int) -> _Decoded | None:
    """Removes one coding; returns ``None`` if the payload does not have it or the name is unknown."""
    match name:
        case "gzip" | "x-gzip":
            return _inflated(raw, zlib.MAX_WBITS | 16, most) if raw.startswith(_GZIP) else None
        case "deflate":
            # HTTP requires the zlib header, but some servers omit it.
            if _begins_as_zlib(raw) and (coded := _inflated(raw, zlib.MAX_WBITS, most)) and (coded[0] or coded[1] is None):
                return coded
            return _likely(raw, _inflated(raw, -zlib.MAX_WBITS, most))
        case "br":
            return _likely(raw, _read("BrotliReader", raw, most))
        case "zstd":
            return _read("ZstdReader", raw, most) if raw.startswith(_ZSTD) else None
        case "chunked":
            return _joined(raw) if _CHUNK.match(raw) else None
    return None


def _joined(raw: bytes) -> _Decoded:
    """Joins chunks. FastWARC's reader is not used, as it rejects chunk extensions."""
    found, at = [], 0
    while head := _CHUNK.match(raw, at):
        length, start = int(head[1], 16), head.end()
        found.append(raw[start : start + length])
        at = start + length
        if length == 0:
            return b"".join(found), None
    return b"".join(found), "it ends early" if raw[at:] in (b"", b"\r\n") else f"there is no chunk at byte {at}"


def _begins_as_zlib(raw: bytes) -> bool:
    """Whether the payload begins with the two-byte header of RFC 1950."""
    return len(raw) > 1 and raw[0] & 0x8F == 8 and (raw[0] << 8 | raw[1]) % 31 == 0


def _likely(raw: bytes, coded: _Decoded) -> _Decoded | None:
    """Result of a coding without a signature; ``None`` if the payload probably did not have the coding: decoding failed on a text, or
    a longer payload gave nothing."""
    found, damage = coded
    is_coded = _is_binary(raw) if damage else len(found) > 0 or len(raw) <= 4
    return coded if is_coded else None


def _is_binary(raw: bytes) -> bool:
    """Whether the MIME Sniffing standard takes the bytes for binary data, https://mimesniff.spec.whatwg.org/#rules-for-text-or-binary."""
    return not raw.startswith(_MARKS) and _BINARY.search(raw, 0, _SNIFFED) is not None


def _inflated(raw: bytes, bits: int, most: int) -> _Decoded:
    """Inflates a payload, for gzip all members. Trailing bytes are ignored if the format has a header; without one they are damage,
    as other data may reach an end by chance."""
    found = b""
    while True:
        inflate = zlib.decompressobj(bits)
        try:
            found += inflate.decompress(raw, most + 1 - len(found))
        except zlib.error as error:
            return (found + _before_damage(raw, bits, most))[: most + 1], str(error)
        if len(found) > most:
            return found, None
        if not inflate.eof:
            return found, "it ends early"
        raw = inflate.unused_data
        if bits < 0 and raw.strip():
            return found, "bytes follow its end"
        if bits <= zlib.MAX_WBITS or not raw.startswith(_GZIP):
            return found, None


def _before_damage(raw: bytes, bits: int, most: int) -> bytes:
    """Inflates a payload up to its first damage."""
    found, inflate = bytearray(), zlib.decompressobj(bits)
    for start in range(0, len(raw), _PIECE):
        piece, before = raw[start : start + _PIECE], inflate.copy()
        try:
            found += inflate.decompress(piece)
        except zlib.error:
            try:
                for byte in piece:
                    found += before.decompress(bytes([byte]))
            except zlib.error:
                break
        if len(found) > most:
            break
    return bytes(found)


def _read(reader: str, raw: bytes, most: int) -> _Decoded:
    """Decodes a payload with a FastWARC reader, up to its first damage."""
    from fastwarc import stream_io

    def begun() -> Any:
        make: Callable[[io.BytesIO], Any] = getattr(stream_io, reader)
        return make(io.BytesIO(raw))

    found = bytearray()
    try:
        source = begun()
        while len(found) <= most and (piece := source.read(min(_PIECE, most + 1 - len(found)))):
            found += piece
        return bytes(found), None
    except OSError as error:
        damage = str(error)
    # The reader drops a damaged piece, so the bytes before the damage are read again, one by one.
    try:
        source = begun()
        source.read(len(found))
        while len(found) <= most and (piece := source.read(1)):
            found += piece
    except OSError:
        pass
    return bytes(found), damage
