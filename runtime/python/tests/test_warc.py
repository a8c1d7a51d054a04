"""WARC files: whole ones, damaged ones, long ones; and the command that puts what is wanted of them into Parquet."""

import gzip
import io
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]
import pytest
import tabulex

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "measure"))

import corpus


def record(number: int, body: bytes, headers: str = "Content-Type: text/html; charset=utf-8\r\n", kind: str = "response") -> bytes:
    http = f"HTTP/1.1 200 OK\r\n{headers}\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Target-URI: https://a.example/{number}\r\n"
        f"WARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"


RECORDS = [record(number, b"<p>%d " % number + b"x" * 3000) for number in range(5)]
MEMBERS = [gzip.compress(one, mtime=0) for one in RECORDS]


def rows(content: bytes, **options: Any) -> list[dict[str, Any]]:
    return [row for batch in tabulex.read_warc(io.BytesIO(content), **options) for row in batch.to_pylist()]


def numbers(found: list[dict[str, Any]]) -> list[str | None]:
    """Which records there are, and an E for each that is an error."""
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
        assert [row for batch in tabulex.read_warc(source) for row in batch.to_pylist()] == found
    assert [batch.num_rows for batch in tabulex.read_warc(io.BytesIO(content), batch_rows=2)] == [2, 2, 1]
    assert [batch.num_rows for batch in tabulex.read_warc(io.BytesIO(content), batch_bytes=6000)] == [2, 2, 1]


@pytest.mark.parametrize("pieces", [MEMBERS, RECORDS], ids=["gzip", "plain"])
def test_a_damaged_record_is_a_row(pieces: list[bytes]) -> None:
    start = b"".join(pieces[:2])
    assert numbers(rows(start + b"junk\r\n" + b"".join(pieces[2:]))) == ["0", "1", "E", "2", "3", "4"]
    assert numbers(rows(b"junk\r\n" + b"".join(pieces))) == ["E", *"01234"]
    assert numbers(rows(b"".join(pieces) + b"junk")) == [*"01234", "E"]
    assert numbers(rows(b"junk")) == ["E"] and rows(b"") == []
    cut = rows(b"".join(pieces)[:-40])
    assert numbers(cut) == [*"0123", "E"] and "damaged" in cut[-1]["error"]


def test_a_damaged_member_is_a_row() -> None:
    for at in range(11, len(MEMBERS[2]) - 9):
        damaged = bytearray(MEMBERS[2])
        damaged[at] ^= 0x55
        found = numbers(rows(b"".join(MEMBERS[:2]) + bytes(damaged) + b"".join(MEMBERS[3:])))
        # What is damaged in a place that only a checksum knows may be read as something else.
        assert found[:2] == ["0", "1"] and found[-2:] == ["3", "4"], at


def test_codings() -> None:
    page = b"<p>" + b"y" * 5000
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(page), page)
    for headers, body in [
        ("Content-Encoding: gzip\r\n", gzip.compress(page)),
        ("Content-Encoding: gzip\r\n", page),
        ("Transfer-Encoding: chunked\r\n", chunked),
        ("Transfer-Encoding: chunked\r\n", page),
        ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", b"%x\r\n%s\r\n0\r\n\r\n" % (len(gzip.compress(page)), gzip.compress(page))),
        ("Content-Encoding: unheard-of\r\n", page),
    ]:
        [row] = rows(gzip.compress(record(1, body, headers)))
        assert (row["payload"], row["error"]) == (page, None), headers


def test_long_payloads_are_rows() -> None:
    bomb = record(1, gzip.compress(b"x" * 3_000_000), "Content-Encoding: gzip\r\n")
    found = rows(gzip.compress(bomb) + gzip.compress(record(2, b"x" * 2_000_000)) + MEMBERS[3], max_payload=1_000_000)
    assert numbers(found) == ["E", "E", "3"] and found[0]["payload"] is found[1]["payload"] is None
    assert "when decoded" in found[0]["error"] and "2000000 bytes" in found[1]["error"]
    assert found[1]["url"] == "https://a.example/2"


def run(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "tabulex", "extract", *arguments], capture_output=True, text=True)
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
    assert said.count("is there") == 2 and said.count("rows") == 1
    assert len(list(out.iterdir())) == 3 and all((out / name).stat().st_mtime_ns == at for name, at in before.items())
    table = pq.read_table(out)
    assert table.column_names[:4] == ["url", "date", "status", "offset"] and {"title", "links", "text", "errors"} <= set(table.column_names)
    payloads = [row for file in files for batch in tabulex.read_warc(file) for row in batch.to_pylist()]
    assert table.num_rows == len(payloads)
    for row, page in zip(sorted(table.to_pylist(), key=lambda row: row["url"]), sorted(payloads, key=lambda row: row["url"]), strict=True):
        if page["payload"] is not None and page["error"] is None:
            document = tabulex.parse(page["payload"], content_type=page["content_type"])
            assert row["links"] == [link["href"] for link in document.css("a[href]")]
        assert row["error"] == page["error"]
    assert run(str(files[0]), "--out", str(tmp_path / "quiet"), "--quiet") == ""


def test_extract_says_what_is_wrong(tmp_path: Path) -> None:
    for arguments, status in [
        (["x.warc", "--out", str(tmp_path), "--select", "a"], 1),
        (["x.warc", "--out", str(tmp_path), "--select", "a=b["], 1),
        ([str(tmp_path / "absent.warc"), "--out", str(tmp_path)], 2),
    ]:
        done = subprocess.run([sys.executable, "-m", "tabulex", "extract", *arguments], capture_output=True, text=True)
        assert done.returncode == status and done.stderr.startswith("tabulex: ") and "Traceback" not in done.stderr
