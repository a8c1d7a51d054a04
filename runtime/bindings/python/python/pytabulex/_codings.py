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

_READ_LEN = 1 << 16
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_CHUNK = re.compile(rb"(?:\r?\n)?([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
"""Head of a chunk: the line end of the previous chunk, the length, and extensions, which are ignored."""

_BYTE_ORDER_MARKS = (b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")
_BINARY = re.compile(rb"[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SNIFF_LEN = 1445
"""Number of bytes inspected to tell text from binary data."""

_Decoded = tuple[bytes, str | None]
"""Decoded bytes, and a description of the damage, if any."""


def decode(raw: bytes, codings: Sequence[str], max_len: int) -> _Decoded:
    """Decodes a payload. ``codings`` are in the order in which they were applied."""
    damage = None
    for name in reversed(codings):
        if not raw or len(raw) > max_len:
            break
        if (result := _decode_one(name.strip().lower(), raw, max_len)) is not None:
            raw, decoding_error = result
            damage = damage or decoding_error and f"{name.strip()}: {decoding_error}"
    return raw, damage


def _decode_one(name: str, raw: bytes, max_len: int) -> _Decoded | None:
    """Removes one coding; returns ``None`` if the payload does not have it or the name is unknown."""
    match name:
        case "gzip" | "x-gzip":
            return _inflate(raw, zlib.MAX_WBITS | 16, max_len) if raw.startswith(_GZIP) else None
        case "deflate":
            # HTTP requires the zlib header, but some servers omit it.
            if _has_zlib_header(raw) and (result := _inflate(raw, zlib.MAX_WBITS, max_len)) and (result[0] or result[1] is None):
                return result
            return _check_plausible(raw, _inflate(raw, -zlib.MAX_WBITS, max_len))
        case "br":
            return _check_plausible(raw, _read_until_error("BrotliReader", raw, max_len))
        case "zstd":
            return _read_until_error("ZstdReader", raw, max_len) if raw.startswith(_ZSTD) else None
        case "chunked":
            return _join_chunks(raw) if _CHUNK.match(raw) else None
    return None


def _join_chunks(raw: bytes) -> _Decoded:
    """Joins chunks. FastWARC's reader is not used, as it rejects chunk extensions."""
    chunks, offset = [], 0
    while head := _CHUNK.match(raw, offset):
        length, start = int(head[1], 16), head.end()
        chunks.append(raw[start : start + length])
        offset = start + length
        if length == 0:
            return b"".join(chunks), None
    return b"".join(chunks), "the content ends early" if raw[offset:] in (b"", b"\r\n") else f"there is no chunk at byte {offset}"


def _has_zlib_header(raw: bytes) -> bool:
    """Whether the payload begins with the two-byte header of RFC 1950."""
    return len(raw) > 1 and raw[0] & 0x8F == 8 and (raw[0] << 8 | raw[1]) % 31 == 0


def _check_plausible(raw: bytes, result: _Decoded) -> _Decoded | None:
    """Result of a coding without a signature; ``None`` if the payload probably did not have the coding: decoding failed on a text, or
    a longer payload gave nothing."""
    content, damage = result
    is_plausible = _is_binary(raw) if damage else len(content) > 0 or len(raw) <= 4
    return result if is_plausible else None


def _is_binary(raw: bytes) -> bool:
    """Whether the MIME Sniffing standard takes the bytes for binary data, https://mimesniff.spec.whatwg.org/#rules-for-text-or-binary."""
    return not raw.startswith(_BYTE_ORDER_MARKS) and _BINARY.search(raw, 0, _SNIFF_LEN) is not None


def _inflate(raw: bytes, bits: int, max_len: int) -> _Decoded:
    """Inflates a payload, for gzip all members. Trailing bytes are ignored if the format has a header; without one they are damage,
    as other data may reach an end by chance."""
    content = b""
    while True:
        decompressor = zlib.decompressobj(bits)
        try:
            content += decompressor.decompress(raw, max_len + 1 - len(content))
        except zlib.error as error:
            return (content + _inflate_until_error(raw, bits, max_len))[: max_len + 1], str(error)
        if len(content) > max_len:
            return content, None
        if not decompressor.eof:
            return content, "the content ends early"
        raw = decompressor.unused_data
        if bits < 0 and raw.strip():
            return content, "bytes follow its end"
        if bits <= zlib.MAX_WBITS or not raw.startswith(_GZIP):
            return content, None


def _inflate_until_error(raw: bytes, bits: int, max_len: int) -> bytes:
    """Inflates a payload up to its first damage."""
    content, decompressor = bytearray(), zlib.decompressobj(bits)
    for start in range(0, len(raw), _READ_LEN):
        piece, checkpoint = raw[start : start + _READ_LEN], decompressor.copy()
        try:
            content += decompressor.decompress(piece)
        except zlib.error:
            try:
                for byte in piece:
                    content += checkpoint.decompress(bytes([byte]))
            except zlib.error:
                break
        if len(content) > max_len:
            break
    return bytes(content)


def _read_until_error(reader: str, raw: bytes, max_len: int) -> _Decoded:
    """Decodes a payload with a FastWARC reader, up to its first damage."""
    from fastwarc import stream_io

    def open_reader() -> Any:
        reader_class: Callable[[io.BytesIO], Any] = getattr(stream_io, reader)
        return reader_class(io.BytesIO(raw))

    content = bytearray()
    try:
        source = open_reader()
        while len(content) <= max_len and (piece := source.read(min(_READ_LEN, max_len + 1 - len(content)))):
            content += piece
        return bytes(content), None
    except OSError as error:
        damage = str(error)
    # The reader drops a damaged piece, so the bytes before the damage are read again, one by one.
    try:
        source = open_reader()
        source.read(len(content))
        while len(content) <= max_len and (piece := source.read(1)):
            content += piece
    except OSError:
        pass
    return bytes(content), damage
