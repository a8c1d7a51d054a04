"""WARC files: intact, damaged and long ones, and the command that extracts columns from them to Parquet."""

import gzip
import io
import re
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]
import pytest
import pytabulex
from fastwarc import stream_io
from pytabulex._codings import _is_binary, decode
from support import pages

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "measure"))

import corpus


def record(number: int, body: bytes, headers: str = "Content-Type: text/html; charset=utf-8\r\n", kind: str = "response") -> bytes:
    http = f"HTTP/1.1 200 OK\r\n{headers}\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Target-URI: https://a.example/{number}\r\n"
        f"WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


def block_record(kind: str, content_type: str, block: bytes, more: int = 0) -> bytes:
    """Returns a record with a block of any kind, whose declared length exceeds the block by ``more`` bytes."""
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:7>\r\nWARC-Target-URI: https://a.example/7\r\nContent-Type: {content_type}\r\nContent-Length: {len(block) + more}\r\n\r\n"
    return head.encode() + block + b"\r\n\r\n"


RECORDS = [record(number, b"<p>%d " % number + b"x" * 3000) for number in range(5)]
MEMBERS = [gzip.compress(one, mtime=0) for one in RECORDS]


def rows(content: bytes, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in pytabulex.read_warc(io.BytesIO(content), **options) for row in batch.to_pylist()]


def numbers(found: list[dict[str, Any]]) -> list[str | None]:
    """Returns the numbers of the records found, with an E for each error."""
    return [row["url"] and row["url"][-1] if row["error"] is None else "E" for row in found]


@pytest.mark.parametrize("pieces", [MEMBERS, RECORDS], ids=["gzip", "plain"])
def test_whole_files(pieces: list[bytes], tmp_path: Path) -> None:
    other = record(9, b"", kind="request")
    content = b"".join([gzip.compress(other) if pieces is MEMBERS else other, *pieces])
    found = rows(content)
    assert numbers(found) == list("01234")
    first = found[0]
    assert first["url"] == "https://a.example/0" and first["date"] == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert first["status"] == 200 and first["content_type"] == "text/html; charset=utf-8"
    assert first["payload"] == b"<p>0 " + b"x" * 3000
    for row, piece in zip(found, pieces, strict=True):
        assert content[row["offset"] :].startswith(piece)
    (tmp_path / "a.warc.gz").write_bytes(content)
    for source in (tmp_path / "a.warc.gz", str(tmp_path / "a.warc.gz")):
        assert [row for batch in pytabulex.read_warc(source) for row in batch.to_pylist()] == found
    assert [batch.num_rows for batch in pytabulex.read_warc(io.BytesIO(content), batch_rows=2)] == [2, 2, 1]
    assert [batch.num_rows for batch in pytabulex.read_warc(io.BytesIO(content), batch_bytes=6000)] == [2, 2, 1]


def test_reads_headers() -> None:
    """Any header value is accepted or read as missing."""
    for date, wanted in [
        ("2026-01-02T03:04:05+02:00", datetime(2026, 1, 2, 1, 4, 5, tzinfo=UTC)),
        ("0001-01-01T00:00:00+14:00", None),
        ("9999-99-99T99:99:99Z", None),
        ("yesterday", None),
        ("", None),
    ]:
        [row] = rows(RECORDS[0].replace(b"2026-01-02T03:04:05Z", date.encode()))
        assert (row["date"], row["url"], row["error"]) == (wanted, "https://a.example/0", None)
    for line, status in [("HTTP/1.1 99999", None), ("HTTP/1.1 404 \xff", 404), ("HTTP/1.1 -1 x", None), ("HTTP/2 200", 200)]:
        [row] = rows(RECORDS[0].replace(b"HTTP/1.1 200 OK", line.encode("latin-1").ljust(15)))
        assert (row["status"], row["error"]) == (status, None), line
    [row] = rows(RECORDS[0].replace(b"https://a.example/0", b"<https://a.example>"))
    assert row["url"] == "https://a.example"
    [row] = rows(RECORDS[0].replace(b"https://a.example/0", b"https://a.e/\xff\xfe\x00\xed\xa0\x80"))
    assert row["url"].startswith("https://a.e/") and row["error"] is None


@pytest.mark.parametrize("pieces", [MEMBERS, RECORDS], ids=["gzip", "plain"])
def test_damaged_records_become_rows(pieces: list[bytes]) -> None:
    start = b"".join(pieces[:2])
    assert numbers(rows(start + b"junk\r\n" + b"".join(pieces[2:]))) == ["0", "1", "E", "2", "3", "4"]
    assert numbers(rows(b"junk\r\n" + b"".join(pieces))) == ["E", *"01234"]
    assert numbers(rows(b"".join(pieces) + b"junk")) == [*"01234", "E"]
    assert numbers(rows(b"junk")) == ["E"] and rows(b"") == []
    pack = gzip.compress if pieces is MEMBERS else bytes
    with_lf = block_record("resource", "text/html", b"<p>x").strip().replace(b"\r\n", b"\n") + b"\r\n\r\n"
    assert numbers(rows(pieces[0] + pack(with_lf) + pieces[1])) == ["0", "E", "1"]
    cut = rows(b"".join(pieces)[:-40])
    assert numbers(cut) == [*"0123", "E"] and "damaged" in cut[-1]["error"]


def test_damaged_members_become_rows() -> None:
    for at in range(11, len(MEMBERS[2]) - 9):
        damaged = bytearray(MEMBERS[2])
        damaged[at] ^= 0x55
        found = numbers(rows(b"".join(MEMBERS[:2]) + bytes(damaged) + b"".join(MEMBERS[3:])))
        # Damage that only a checksum could reveal may be read as other data.
        assert found[:2] == ["0", "1"] and found[-2:] == ["3", "4"], at


PAGE = b"<!DOCTYPE html><title>Codings</title>" + b"".join(b"<p>%d is %x in hexadecimal digits\n" % (number * number, number) for number in range(900))


def written(writer: Any, content: bytes, **options: Any) -> bytes:
    into = io.BytesIO()
    out = writer(into, **options)
    out.write(content)
    out.close()
    return into.getvalue()


def deflated(content: bytes) -> bytes:
    """Compresses without the zlib header."""
    coder = zlib.compressobj(wbits=-15)
    return coder.compress(content) + coder.flush()


def chunked(content: bytes) -> bytes:
    pieces = [content[start : start + 1999] for start in range(0, len(content), 1999)]
    return b"".join(b"%X;x=y\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


# The headers, and the functions that apply the codings.
CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "Content-Encoding: gzip": gzip.compress,
    "Content-Encoding: X-GZIP": gzip.compress,
    "Content-Encoding: deflate": zlib.compress,
    "content-encoding: Deflate": deflated,
    "Content-Encoding: br": lambda content: written(stream_io.BrotliWriter, content),
    "Content-Encoding: zstd": lambda content: written(stream_io.ZstdWriter, content),
    "Transfer-Encoding: chunked": chunked,
    "Transfer-Encoding: gzip, chunked": lambda content: chunked(gzip.compress(content)),
    "Content-Encoding: gzip\r\nTransfer-Encoding: chunked": lambda content: chunked(gzip.compress(content)),
    "Content-Encoding: br\r\nTransfer-Encoding: deflate, chunked": lambda content: chunked(zlib.compress(written(stream_io.BrotliWriter, content))),
    "Content-Encoding: deflate, gzip": lambda content: gzip.compress(zlib.compress(content)),
    "Content-Encoding: zstd ,,\tbr": lambda content: written(stream_io.BrotliWriter, written(stream_io.ZstdWriter, content)),
    "Content-Encoding: gzip\r\nContent-Encoding: br": lambda content: written(stream_io.BrotliWriter, gzip.compress(content)),
}


def payload(headers: str, body: bytes, **options: Any) -> tuple[bytes | None, str | None]:
    [row] = rows(gzip.compress(record(1, body, f"{headers}\r\n")), **options)
    return row["payload"], row["error"]


@pytest.mark.parametrize("headers", CODINGS)
def test_decodes_content_codings(headers: str) -> None:
    for page in (PAGE, b"<p>", b""):
        assert payload(headers, CODINGS[headers](page)) == (page, None)
    # Some crawlers store payloads decoded but keep the headers.
    assert payload(headers, PAGE) == (PAGE, None) and payload(headers, b"") == (b"", None)
    assert payload(headers, CODINGS[headers](PAGE), max_payload=10_000)[0] is None


@pytest.mark.parametrize("headers", CODINGS)
def test_damaged_codings_become_rows(headers: str) -> None:
    coded = CODINGS[headers](PAGE)
    last = re.split("[ \t]", headers)[-1]
    for cut in (len(coded) // 2, len(coded) * 9 // 10):
        found, error = payload(headers, coded[:cut])
        assert error is not None and error.startswith(f"damaged: {last}: "), (cut, error)
        # zstd produces no output for a truncated block of 128 KiB; the others produce what precedes the damage.
        assert found is not None and PAGE.startswith(found) and (found or "zstd" in headers), cut
    changed = bytearray(coded)
    changed[len(coded) * 3 // 4] ^= 0x55
    found, error = payload(headers, bytes(changed))
    # Damage to a coding without a checksum may produce other valid data.
    has_checksum = headers not in ("content-encoding: Deflate", "Content-Encoding: br", "Transfer-Encoding: chunked")
    assert found is not None and (error is not None or not has_checksum)
    # A row whose coding is damaged does not hide damage in the file after it.
    after = rows(gzip.compress(record(1, coded[: len(coded) // 2], f"{headers}\r\n")) + b"junk" + MEMBERS[3])
    assert numbers(after) == ["E", "E", "3"]


def test_returns_payloads_without_coding_unchanged() -> None:
    for headers in ("Content-Encoding: unheard-of", "Content-Encoding: identity", "Content-Encoding: ", "Transfer-Encoding: none"):
        assert payload(headers, PAGE) == (PAGE, None)
    # Several members form one payload, and data after the end of a coding is ignored.
    assert payload("Content-Encoding: gzip", gzip.compress(PAGE) + gzip.compress(b"more")) == (PAGE + b"more", None)
    for headers, coded in (("Content-Encoding: gzip", gzip.compress(PAGE)), ("Content-Encoding: deflate", zlib.compress(PAGE)), ("Content-Encoding: deflate", deflated(PAGE))):
        assert payload(headers, coded + b"\r\n") == (PAGE, None)
    # The checksum is wrong: the payload is complete, but unreliable.
    wrong = bytearray(gzip.compress(PAGE))
    wrong[-7] ^= 1
    found, error = payload("Content-Encoding: gzip", bytes(wrong))
    assert found == PAGE and error is not None and "check" in error
    # Real pages are not mistaken for a coding.
    for page in pages():
        for name in ("gzip", "deflate", "br", "zstd"):
            assert decode(page, [name], 1 << 26) == (page, None), page[:80]
        assert decode(page, ["chunked"], 1 << 26) == (page, None)
        for start in range(0, len(page), 40_000):
            part = page[start : start + 2000]
            for name in ("deflate", "br"):
                assert _is_binary(part) or decode(part, [name], 1 << 26) == (part, None), part[:80]


def test_accepts_any_line_ends_in_http_heads() -> None:
    for head, status in [
        (b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n", 200),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\n\r\n", 200),
        (b"HTTP/1.1 200\nContent-Type:\n text/html\n\n", 200),
        (b"no status\nContent-Type: text/html\n\n", None),
    ]:
        for pack in (bytes, gzip.compress):
            content = block_record("response", "application/http; msgtype=response", head + b"<p>\n\nx")
            [row, after] = rows(pack(content) + pack(RECORDS[1]))
            assert (row["status"], row["content_type"], row["payload"], row["error"]) == (status, "text/html", b"<p>\n\nx", None), head
            assert after["url"] == "https://a.example/1"
    [row] = rows(block_record("response", "application/http", b"HTTP/1.1 200 OK\nContent-Type: text/html\n"))
    assert row["payload"] is None and row["error"] == "damaged headers: no empty line ends them"


def test_excessive_lengths_do_not_consume_the_next_record() -> None:
    for more in (1, 300, 5000, 100_000_000):
        content = gzip.compress(block_record("resource", "text/html", b"<p>x", more)) + MEMBERS[1] + MEMBERS[2]
        found = rows(content)
        # The two line ends after a record can be told from its block by its length alone.
        payload, length = (b"<p>x\r\n\r\n"[: 4 + more], 4 + more)
        damage = None if more < 5 else f"damaged: the payload has only 8 of {length} bytes" if more < 1 << 26 else f"the payload has {length} bytes, more than the maximum of {1 << 26}"
        assert found[0]["error"] == damage and found[0]["payload"] in (payload, None), more
        assert numbers(found[1:])[-2:] == ["1", "2"], more
    # Text that looks like the next record is part of a page.
    page = b"<pre>WARC/1.0\r\nWARC-Type: response\r\n</pre>"
    [row, after] = rows(gzip.compress(record(3, page)) + MEMBERS[4])
    assert (row["payload"], row["error"], after["url"]) == (page, None, "https://a.example/4")


def test_resources_and_conversions_become_rows() -> None:
    for pack in (bytes, gzip.compress):
        pieces = [block_record("resource", "image/png", b"\x89PNG"), block_record("conversion", "text/plain", b"text"), block_record("metadata", "a/b", b"x")]
        found = rows(b"".join(map(pack, pieces)) + pack(RECORDS[1]))
        wanted = [(None, "image/png", b"\x89PNG"), (None, "text/plain", b"text")]
        assert [(row["status"], row["content_type"], row["payload"]) for row in found[:2]] == wanted
        assert [row["error"] for row in found] == [None] * 3 and found[2]["url"] == "https://a.example/1"


def test_long_payloads_become_rows() -> None:
    bomb = record(1, gzip.compress(b"x" * 3_000_000), "Content-Encoding: gzip\r\n")
    found = rows(gzip.compress(bomb) + gzip.compress(record(2, b"x" * 2_000_000)) + MEMBERS[3], max_payload=1_000_000)
    assert numbers(found) == ["E", "E", "3"] and found[0]["payload"] is found[1]["payload"] is None
    assert "when decoded" in found[0]["error"] and "2000000 bytes" in found[1]["error"]
    assert found[1]["url"] == "https://a.example/2"


def run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "pytabulex", "extract", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_extract(tmp_path: Path) -> None:
    files = corpus.write(tmp_path / "in", 2, 3)
    files[1].write_bytes(files[1].read_bytes()[:-50])
    out = tmp_path / "pages.parquet"
    wanted = ["--select", "title=title:first", "--select", "links=a[href]@href", "--text", "--errors", "counts"]
    said = run(*map(str, files[:2]), "--out", str(out), *wanted)
    assert said.count("rows") == 2 and ", 1 with errors" in said
    before = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    said = run(*map(str, files), "--out", str(out), *wanted, "--threads", "1")
    assert said.count("already exists") == 2 and said.count("rows") == 1
    assert len(list(out.iterdir())) == 3 and all((out / name).stat().st_mtime_ns == at for name, at in before.items())
    table = pq.read_table(out)
    assert table.column_names[:4] == ["url", "date", "status", "offset"] and {"title", "links", "text", "errors"} <= set(table.column_names)
    payloads = [row for file in files for batch in pytabulex.read_warc(file) for row in batch.to_pylist()]
    assert table.num_rows == len(payloads)
    for row, page in zip(sorted(table.to_pylist(), key=lambda row: row["url"]), sorted(payloads, key=lambda row: row["url"]), strict=True):
        if page["payload"] is not None and page["error"] is None:
            document = pytabulex.parse(page["payload"], content_type=page["content_type"])
            assert row["links"] == [link["href"] for link in document.css("a[href]")]
        assert row["error"] == page["error"]
    assert run(str(files[0]), "--out", str(tmp_path / "quiet"), "--quiet") == ""


def test_extract_is_resumed(tmp_path: Path) -> None:
    """A killed run leaves nothing that readers take for rows, and repeating the command gives the result of an uninterrupted run."""
    files = list(map(str, corpus.write(tmp_path / "in", 24, 3)))
    empty = tmp_path / "in/empty.warc.gz"
    empty.write_bytes(gzip.compress(record(9, b"", kind="request")))
    wanted = ["--select", "title=title:first", "--text", "--threads", "1"]
    run(*files, str(empty), "--out", str(tmp_path / "once"), *wanted)
    once = pq.read_table(tmp_path / "once")
    out = tmp_path / "often"
    for _ in range(2):
        command = [sys.executable, "-m", "pytabulex", "extract", *files, "--out", str(out), *wanted]
        running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        while running.poll() is None and not any(path.stat().st_size > 4 for path in out.glob("_*")):
            time.sleep(0.001)
        running.kill()
        running.wait()
        pq.read_table(out) if list(out.glob("*.parquet")) else None
    said = run(*files, str(empty), "--out", str(out), *wanted)
    assert said.count("rows") + said.count("already exists") == 4 and ": 0 rows" in said
    assert pq.read_table(out).sort_by("url").equals(once.sort_by("url")) and not list(out.glob("_*"))
    assert run(*files, str(empty), "--out", str(out), *wanted).count("already exists") == 4


def test_extract_reports_errors(tmp_path: Path) -> None:
    here, made = tmp_path / "here.warc", tmp_path / "made"
    here.write_bytes(RECORDS[0])
    run(str(here), "--out", str(made))
    for arguments, status in [
        (["x.warc", "--out", str(tmp_path), "--select", "a"], 1),
        (["x.warc", "--out", str(tmp_path), "--select", "a=b["], 1),
        (["x.warc", "--out", str(tmp_path), "--limit", "depth=x"], 1),
        (["x.warc", "--out", str(tmp_path), "--limit", "depth=-1"], 1),
        (["x.warc", "--out", str(tmp_path), "--limit", "breadth=1"], 1),
        (["x.warc", "--out", str(here)], 1),
        ([str(tmp_path / "absent.warc"), "--out", str(tmp_path)], 2),
        ([str(tmp_path), "--out", str(tmp_path)], 2),
        # Files of another plan are not accepted as rows of this one.
        ([str(here), "--out", str(made), "--text"], 2),
    ]:
        done = subprocess.run([sys.executable, "-m", "pytabulex", "extract", *arguments], capture_output=True, text=True)
        assert done.returncode == status and done.stderr.startswith("pytabulex: ") and "Traceback" not in done.stderr
