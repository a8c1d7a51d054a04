"""Record batches of the decoded payloads in WARC files. FastWARC reads the records; no markup is parsed here.

A damaged record becomes a row with an error, and reading continues at the next member of the archive (or the next record, if the
file is not compressed). At most one batch is held in memory.
"""

from __future__ import annotations

import io
import os
import re
import zlib
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, BinaryIO

from pytabulex._codings import decode

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

BATCH_ROWS = 1024
"""Default maximum number of rows in a batch."""

BATCH_BYTES = 64 << 20
"""Default number of payload bytes after which a batch ends."""

PAYLOAD = 64 << 20
"""Default maximum length of a payload in bytes."""

_UTC = timezone.utc

_MEMBER_START = b"\x1f\x8b\x08"
_RECORD_START = b"WARC/1."
_READ_LEN = 1 << 20
_MAX_HEAD_LEN = 1 << 16
"""Maximum length of the head of a record or HTTP message in bytes."""

_STATUS = re.compile(rb"HTTP/\S+[ \t]+(\d{3})(?!\d)")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_LINE_END = re.compile(rb"\r?\n(?![ \t])")


def schema() -> pa.Schema:
    """Returns the schema of the batches that ``read_warc`` yields."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    fields: list[tuple[str, pa.DataType]] = [
        ("url", pa.string()),
        ("date", pa.timestamp("us", "UTC")),
        ("status", pa.int32()),
        ("content_type", pa.string()),
        ("payload", pa.binary()),
        ("offset", pa.int64()),
        ("error", pa.string()),
    ]
    return pa.schema(fields)


def read_warc(
    source: str | os.PathLike[str] | BinaryIO,
    *,
    batch_rows: int = BATCH_ROWS,
    batch_bytes: int = BATCH_BYTES,
    max_payload: int = PAYLOAD,
) -> Iterator[pa.RecordBatch]:
    """Yields record batches of the responses, resources and conversions in a WARC file, given by its path or as a seekable binary file.

    The columns are ``url``, ``date``, ``status`` (responses only), ``content_type`` (the header of the response, or else that of the
    record), ``payload`` (with the codings gzip, deflate, br, zstd and chunked removed in any combination), ``offset`` (of the record's
    member, in bytes of the file) and ``error`` (why the payload is missing or incomplete). A damaged record is a row with an error.
    """
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    columns = schema()
    rows: list[tuple[Any, ...]] = []
    payload_bytes = 0
    for row in _rows(source, max_payload):
        rows.append(row)
        payload_bytes += len(row[4] or b"")
        if len(rows) >= batch_rows or payload_bytes >= batch_bytes:
            yield _batch(pa, columns, rows)
            rows, payload_bytes = [], 0
    if rows:
        yield _batch(pa, columns, rows)


def _batch(pa: Any, columns: pa.Schema, rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    arrays = [pa.array(values, field.type) for values, field in zip(zip(*rows), columns, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def _rows(source: str | os.PathLike[str] | BinaryIO, max_payload: int) -> Iterator[tuple[Any, ...]]:
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            yield from _rows_of(file, max_payload)
    else:
        yield from _rows_of(source, max_payload)


def _rows_of(file: BinaryIO, max_payload: int) -> Iterator[tuple[Any, ...]]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    document_types = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
    is_compressed = _is_compressed(file)
    start: int | None = 0
    # Error row of a damaged region, held back until the next readable record.
    pending_error: tuple[Any, ...] | None = None
    while start is not None:
        file.seek(start)
        last_record, is_damaged = None, False
        try:
            # Records of all types are read, so that the offset of the last one is known.
            for record in ArchiveIterator(_OffsetFile(file, start), parse_http=False, record_types=WarcRecordType.any_type):
                if pending_error is not None:
                    yield pending_error
                    pending_error = None
                last_record, is_damaged = start + record.stream_pos, False
                if record.record_type & document_types:
                    row, is_damaged, next_start = _row(record, last_record, max_payload, file if is_compressed else None)
                    yield row
                    if next_start is not None:
                        start = next_start
                        break
                elif "Content-Length" not in record.headers:
                    # The reader does not recognize a head whose lines end at LF alone, and skips its record.
                    yield (None, None, None, None, None, last_record, "damaged headers: no readable Content-Length")
            else:
                return
        except OSError as error:
            offset = start if last_record is None else last_record
            row = (None, None, None, None, None, offset, f"damaged: {error}")
            start = _find_next(file, offset + 1, is_compressed)
            if last_record is None or start is None and not is_damaged:
                pending_error = None
                yield row
            elif not is_damaged:
                pending_error = row


def _row(record: Any, offset: int, max_payload: int, members: BinaryIO | None) -> tuple[tuple[Any, ...], bool, int | None]:
    """Returns the row of a record, whether it reports damage that the reader will report too, and the offset at which to continue if
    the reader has read past the record. ``members`` is the file, if each of its records is a member."""
    url = record.headers.get("WARC-Target-URI")
    url = url.strip("<>") if url else None
    head: tuple[Any, ...] = (url, _date(record), None, record.headers.get("Content-Type"))
    length, next_start = record.content_length, None
    try:
        raw = record.reader.read(min(length, _MAX_HEAD_LEN))
        status, fields, start = _http(raw) if record.is_http else (None, [], 0)
        if record.is_http:
            head = (*head[:2], status, next((value for name, value in fields if name == "content-type"), None))
        if length - start > max_payload:
            # With too large a length, the reader would skip the records that follow.
            next_start = _read_member(members, offset, 0)[1] if members is not None else None
            return (*head, None, offset, f"the payload has {length - start} bytes, more than the maximum of {max_payload}"), False, next_start
        if len(raw) < length:
            raw += record.reader.read(length - len(raw))
    except OSError as error:
        return (*head, None, offset, f"damaged: {error}"), True, None
    if members is not None and _RECORD_START in raw:
        member, end = _read_member(members, offset, _MAX_HEAD_LEN + len(raw))
        member_body = member[member.find(b"\r\n\r\n") + 4 :]
        if end is not None and len(member_body) < len(raw):
            raw, next_start = member_body, end
    is_cut = len(raw) < length
    damage = f"damaged: the payload has only {len(raw) - start} of {length - start} bytes" if is_cut else None
    if start > len(raw):
        return (*head, None, offset, "damaged headers: no empty line ends them"), is_cut, next_start
    payload, decoding_error = decode(raw[start:], _codings(fields), max_payload)
    damage = damage or decoding_error and f"damaged: {decoding_error}"
    if len(payload) > max_payload:
        return (*head, None, offset, f"the payload has more than {max_payload} bytes when decoded"), is_cut, next_start
    return (*head, payload, offset, damage), is_cut and next_start is None, next_start


def _http(message: bytes) -> tuple[int | None, list[tuple[str, str]], int]:
    """Returns the status and fields of an HTTP message, and the offset of its body, which is past the end if the empty line is
    missing. A line ends at LF, with or without CR (RFC 9112, 2.2)."""
    blank = _BLANK_LINE.search(message)
    lines = _LINE_END.split(message[: blank.start()] if blank else message)
    status = _STATUS.match(lines[0])
    pairs = (line.decode("utf-8", "replace").partition(":") for line in lines[1:])
    fields = [(name.strip().lower(), value.strip()) for name, _, value in pairs]
    return int(status[1]) if status else None, fields, blank.end() if blank else len(message) + 1


def _read_member(file: BinaryIO, offset: int, max_len: int) -> tuple[bytes, int | None]:
    """Returns the first ``max_len`` bytes of the member at ``offset``, and the offset of the next one, or ``None`` if this one is
    truncated."""
    position, content = file.tell(), b""
    file.seek(offset)
    decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        while not decompressor.eof and (piece := decompressor.unconsumed_tail or file.read(_READ_LEN)):
            content += decompressor.decompress(piece, _READ_LEN)[: max_len - len(content)]
    except zlib.error:
        return content, None
    finally:
        end = file.tell() - len(decompressor.unused_data)
        file.seek(position)
    return content, end if decompressor.eof else None


def _date(record: Any) -> datetime | None:
    """Returns the date of a record, or ``None`` if it is not a time that Arrow can represent."""
    try:
        date: datetime | None = record.record_date
        return date and date.astimezone(_UTC)
    except (ValueError, OverflowError):
        return None


def _codings(fields: list[tuple[str, str]]) -> list[str]:
    """Returns the codings of a payload in the order in which they were applied, from one or several fields of a name."""
    names = ("content-encoding", "transfer-encoding")
    return [coding for name in names for field, value in fields if field == name for coding in value.split(",")]


def _is_compressed(file: BinaryIO) -> bool:
    """Whether the file consists of compressed members. If its beginning is damaged, the first signature in it decides."""
    beginning = file.read(_READ_LEN)
    if beginning.startswith((_MEMBER_START, _RECORD_START)):
        return beginning.startswith(_MEMBER_START)
    member, record = beginning.find(_MEMBER_START), beginning.find(_RECORD_START)
    return member >= 0 and not 0 <= record < member


def _find_next(file: BinaryIO, start: int, is_compressed: bool) -> int | None:
    """Returns the offset of the next signature of a member or record, or ``None`` at the end."""
    magic = _MEMBER_START if is_compressed else _RECORD_START
    pattern = re.compile(re.escape(magic) if is_compressed else b"(?:^|(?<=\n))" + re.escape(magic))
    file.seek(start)
    buffer = b""
    while piece := file.read(_READ_LEN):
        buffer += piece
        if match := pattern.search(buffer):
            return start + match.start()
        keep = len(magic)
        start += max(len(buffer) - keep, 0)
        buffer = buffer[-keep:]
    return None


class _OffsetFile(io.RawIOBase):
    """A view of a file from an offset on, for a reader that counts from the start of its input."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        self._file, self._start = file, start

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)

    def readinto(self, buffer: Any) -> int:
        piece = self._file.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_SET:
            return self._file.seek(self._start + offset) - self._start
        return self._file.seek(offset, whence) - self._start

    def tell(self) -> int:
        return self._file.tell() - self._start
