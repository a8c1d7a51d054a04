"""Generates WARC files from pages: those of the npm package htmlparser-benchmark or of the shared corpus if present, or else generated
ones. Each page is modified slightly, so that no two are equal. The output is deterministic.

``python corpus.py --megabytes 100 --files 4 --out FOLDER``; the size is that of the pages; the files are smaller.
"""

import argparse
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support import generated, pages


def record(number: int, page: bytes) -> bytes:
    """Returns a response record as a compressed member."""
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page) + page
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012x}>\r\n"
        f"WARC-Target-URI: https://site-{number % 97}.example/page/{number}\r\n"
        f"WARC-Date: 2026-01-{1 + number % 28:02}T00:00:{number % 60:02}Z\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n", 4, mtime=0)


def changed(size: int) -> Iterator[bytes]:
    """Yields pages of ``size`` bytes in total, each with a unique mark."""
    known = pages() + generated()
    number = 0
    while size > 0:
        page = known[number % len(known)]
        page += f"<!-- page {number} --><p lang=en>{number}</p><a href='/{number}'>next</a>".encode()
        size -= len(page)
        number += 1
        yield page


def write(folder: Path, megabytes: int, files: int) -> list[Path]:
    """Writes the files and returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"crawl-{number:05}.warc.gz" for number in range(files)]
    outputs = [path.open("wb") for path in paths]
    for number, page in enumerate(changed(megabytes * 1_000_000)):
        outputs[number % files].write(record(number, page))
    for output in outputs:
        output.close()
    return paths


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--megabytes", type=int, default=100)
    arguments.add_argument("--files", type=int, default=4)
    arguments.add_argument("--out", type=Path, required=True)
    chosen = arguments.parse_args()
    for path in write(chosen.out, chosen.megabytes, chosen.files):
        print(path, path.stat().st_size)


if __name__ == "__main__":
    main()
