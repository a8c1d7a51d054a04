"""Transfer and content codings of HTTP, taken off payloads. Headers are not parsed here.

Crawlers take codings off and leave the headers, so a payload that does not begin as the coding says is returned as it is. One that
begins so and is damaged further on is what could be decoded, with the damage.

Invariant: what is returned has at most one byte more than was asked for, however much a coding would give.
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
"""What stands before a chunk: the end of the last one, how long this one is, and extensions, which say nothing that is known here."""

_MARKS = (b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")
_BINARY = re.compile(rb"[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SNIFFED = 1445
"""How many bytes are looked at to tell text from what is none."""

_Decoded = tuple[bytes, str | None]
"""What came out, and what is wrong with it."""


def decoded(raw: bytes, codings: Sequence[str], most: int) -> _Decoded:
    """A payload without these codings, the first of which was put on first; and what is damaged in it, if anything is."""
    damage = None
    for name in reversed(codings):
        if not raw or len(raw) > most:
            break
        if (coded := _taken_off(name.strip().lower(), raw, most)) is not None:
            raw, found = coded
            damage = damage or found and f"{name.strip()}: {found}"
    return raw, damage


def _taken_off(name: str, raw: bytes, most: int) -> _Decoded | None:
    """A payload without one coding; none if it has not this one, or if the name is that of no coding."""
    match name:
        case "gzip" | "x-gzip":
            return _inflated(raw, zlib.MAX_WBITS | 16, most) if raw.startswith(_GZIP) else None
        case "deflate":
            # With the header of zlib, as HTTP has it, or without, as some servers do.
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
    """What is in chunks. (The reader of FastWARC takes extensions of chunks for damage.)"""
    found, at = [], 0
    while head := _CHUNK.match(raw, at):
        length, start = int(head[1], 16), head.end()
        found.append(raw[start : start + length])
        at = start + length
        if length == 0:
            return b"".join(found), None
    return b"".join(found), "it ends early" if raw[at:] in (b"", b"\r\n") else f"there is no chunk at byte {at}"


def _begins_as_zlib(raw: bytes) -> bool:
    """Whether these are the two bytes that RFC 1950 has at the beginning."""
    return len(raw) > 1 and raw[0] & 0x8F == 8 and (raw[0] << 8 | raw[1]) % 31 == 0


def _likely(raw: bytes, coded: _Decoded) -> _Decoded | None:
    """What came out of a coding that begins with nothing to know it by. If something is wrong with it, a text was none of it; and
    what gives nothing is a few bytes long."""
    found, damage = coded
    is_coded = _is_binary(raw) if damage else len(found) > 0 or len(raw) <= 4
    return coded if is_coded else None


def _is_binary(raw: bytes) -> bool:
    """Whether bytes are no text to the MIME Sniffing standard, https://mimesniff.spec.whatwg.org/#rules-for-text-or-binary."""
    return not raw.startswith(_MARKS) and _BINARY.search(raw, 0, _SNIFFED) is not None


def _inflated(raw: bytes, bits: int, most: int) -> _Decoded:
    """What zlib makes of bytes; of gzip all members. What follows the end is no part of it, but bytes without a header that have an
    end somewhere need not be of zlib."""
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
    """What zlib makes of bytes until something is wrong."""
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
    """What a reader of FastWARC gives, until something is wrong."""
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
    # A piece in which something is wrong is not given: what comes before that is read again, byte by byte.
    try:
        source = begun()
        source.read(len(found))
        while len(found) <= most and (piece := source.read(1)):
            found += piece
    except OSError:
        pass
    return bytes(found), damage
