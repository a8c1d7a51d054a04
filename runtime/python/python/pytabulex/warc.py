"""Record batches of WARC files: the responses in them, decoded. Records are read by FastWARC; nothing is parsed here.

Invariant: a file is read to its end whatever is in it. What cannot be read is a row with an error, and reading goes on at the
next member of the archive (or, where it is not compressed, at the next record). No more is held than a batch.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, BinaryIO

from pytabulex._codings import decoded

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

BATCH_ROWS = 1024
"""How many rows a batch has at most, unless something else is said."""

BATCH_BYTES = 64 << 20
"""After how many bytes of payloads a batch ends, unless something else is said."""

PAYLOAD = 64 << 20
"""How long a payload may be, in bytes, unless something else is said."""

_UTC = timezone.utc

_MEMBER = b"\x1f\x8b\x08"
_RECORD = b"WARC/1."
_PIECE = 1 << 20


def schema() -> pa.Schema:
    """The columns of the batches that ``read_warc`` yields."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    return pa.schema(
        [
            ("url", pa.string()),
            ("date", pa.timestamp("us", "UTC")),
            ("status", pa.int32()),
            ("content_type", pa.string()),
            ("payload", pa.binary()),
            ("offset", pa.int64()),
            ("error", pa.string()),
        ]
    )


def read_warc(
    source: str | os.PathLike[str] | BinaryIO,
    *,
    batch_rows: int = BATCH_ROWS,
    batch_bytes: int = BATCH_BYTES,
    max_payload: int = PAYLOAD,
) -> Iterator[pa.RecordBatch]:
    """Yields record batches of the responses in a WARC file: a path, or a binary file that can be sought in.

    The columns are ``url``, ``date``, ``status``, ``content_type`` (the header as it was sent), ``payload`` (the codings gzip, deflate,
    br, zstd and chunked taken off, in whatever order they were put on), ``offset`` (of the record's member, in bytes of the file) and
    ``error``: why there is no payload, or why it is not whole. A damaged record is a row with an error.
    """
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    columns = schema()
    rows: list[tuple[Any, ...]] = []
    held = 0
    for row in _rows(source, max_payload):
        rows.append(row)
        held += len(row[4] or b"")
        if len(rows) >= batch_rows or held >= batch_bytes:
            yield _batch(pa, columns, rows)
            rows, held = [], 0
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

    is_compressed = _is_compressed(file)
    start: int | None = 0
    # What could not be read between two records that could.
    between: tuple[Any, ...] | None = None
    while start is not None:
        file.seek(start)
        seen, is_damaged = None, False
        try:
            # Records of other types as well: so it is known where the last one was.
            for record in ArchiveIterator(_From(file, start), parse_http=False, record_types=WarcRecordType.any_type):
                if between is not None:
                    yield between
                    between = None
                seen, is_damaged = start + record.stream_pos, False
                if record.record_type == WarcRecordType.response:
                    row, is_damaged = _row(record, seen, max_payload)
                    yield row
            return
        except OSError as error:
            at = start if seen is None else seen
            row = (None, None, None, None, None, at, f"damaged: {error}")
            start = _next(file, at + 1, is_compressed)
            if seen is None or start is None and not is_damaged:
                between = None
                yield row
            elif not is_damaged:
                between = row


def _row(record: Any, offset: int, max_payload: int) -> tuple[tuple[Any, ...], bool]:
    """The row of a response, and whether it tells of damage to the file, which the reader then meets as well."""
    url = record.headers.get("WARC-Target-URI")
    url = url.strip("<>") if url else None
    date = _date(record)
    try:
        record.parse_http(auto_decode="none")
    except OSError as error:
        return (url, date, None, None, None, offset, f"damaged headers: {error}"), True
    headers = record.http_headers
    status = headers.status_code if headers is not None else None
    content_type = headers.get("Content-Type") if headers is not None else None
    head = (url, date, status, content_type)
    length = record.content_length
    if length > max_payload:
        return (*head, None, offset, f"the payload has {length} bytes, more than {max_payload}"), False
    try:
        raw = record.reader.read(length)
    except OSError as error:
        return (*head, None, offset, f"damaged: {error}"), True
    is_cut = len(raw) < length
    damage = f"damaged: the payload has {len(raw)} bytes of {length}" if is_cut else None
    payload = raw
    if headers is not None:
        payload, wrong = decoded(raw, _codings(headers), max_payload)
        damage = damage or wrong and f"damaged: {wrong}"
    if len(payload) > max_payload:
        return (*head, None, offset, f"the payload has more than {max_payload} bytes when decoded"), is_cut
    return (*head, payload, offset, damage), is_cut


def _date(record: Any) -> datetime | None:
    """When a record was made; none if it says no time that Arrow can count."""
    try:
        date: datetime | None = record.record_date
        return date and date.astimezone(_UTC)
    except (ValueError, OverflowError):
        return None


def _codings(headers: Any) -> list[str]:
    """The codings of a payload in the order in which they were put on, whether in one header or in several of a name."""
    names = ("Content-Encoding", "Transfer-Encoding")
    return [coding for name in names for value in headers.get_multiple(name) for coding in value.split(",")]


def _is_compressed(file: BinaryIO) -> bool:
    """Whether the file is one of members: of what is damaged at its beginning, what comes first in it."""
    beginning = file.read(_PIECE)
    if beginning.startswith((_MEMBER, _RECORD)):
        return beginning.startswith(_MEMBER)
    member, record = beginning.find(_MEMBER), beginning.find(_RECORD)
    return member >= 0 and not 0 <= record < member


def _next(file: BinaryIO, start: int, is_compressed: bool) -> int | None:
    """Where the next member, or the next record, may begin: ``None`` at the end."""
    mark = _MEMBER if is_compressed else _RECORD
    begin = re.compile(re.escape(mark) if is_compressed else b"(?:^|(?<=\n))" + re.escape(mark))
    file.seek(start)
    held = b""
    while piece := file.read(_PIECE):
        held += piece
        if found := begin.search(held):
            return start + found.start()
        keep = len(mark)
        start += max(len(held) - keep, 0)
        held = held[-keep:]
    return None


class _From(io.RawIOBase):
    """A file from an offset on, for a reader that counts from where it begins."""

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
