"""``python -m tabulex``: what is wanted of WARC files, into Parquet.

Each input file becomes one Parquet file in the folder that ``--out`` names, a data set that every reader of Parquet takes as one
table. A file is written under another name and gets its own when it is whole; those that are there are not made again, so that a
run that was ended is resumed by the same command.

Invariant: the same files and the same plan give the same rows, however often a run is resumed.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import tabulex

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tabulex", description="what is wanted of pages, from WARC files into Parquet")
    commands = parser.add_subparsers(dest="command", required=True)
    extract = commands.add_parser("extract", help=(about := "reads WARC files and writes a folder of Parquet files"), description=about)
    extract.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a WARC file, .warc or .warc.gz")
    extract.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="where the Parquet files are put")
    extract.add_argument(
        "--select", action="append", default=[], metavar="NAME=WANTED", help="a column, such as links=a[href]@href; may be repeated"
    )
    extract.add_argument("--text", action="store_true", help="a column of all text")
    extract.add_argument("--errors", nargs="?", const="each", choices=["each", "counts"], help="a column of errors, or of their counts")
    extract.add_argument("--limit", action="append", default=[], metavar="NAME=N", help="how much may be made of a page")
    extract.add_argument("--threads", type=int, default=0, metavar="N", help="0, unless said, is one for each processor")
    extract.add_argument("--quiet", action="store_true", help="no progress on standard error")
    return parser


def named(pairs: Sequence[str]) -> dict[str, str]:
    """NAME=VALUE, as a dictionary."""
    found = {}
    for pair in pairs:
        name, mark, value = pair.partition("=")
        if not mark or not name:
            sys.exit(f"tabulex: {pair!r} is not NAME=VALUE")
        found[name] = value
    return found


def part_of(out: Path, file: Path) -> Path:
    """Where the rows of a file are put: the name of the file, and what tells it from another of that name."""
    digest = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]
    return out / f"{file.name}-{digest}.parquet"


def rows(plan: tabulex.Plan, file: Path, threads: int) -> Iterator[pa.RecordBatch]:
    """The batches of a file; the next one is read while one is parsed."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    batches = tabulex.read_warc(file)
    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(next, batches, None)
        while (read := coming.result()) is not None:
            coming = reader.submit(next, batches, None)
            made = plan.batch(read["payload"], read["content_type"], read["url"], threads=threads)
            # What the reader has to say of a record comes before what is said of its page.
            damage, error = read["error"].to_pylist(), made["error"].to_pylist()
            error = pa.array([one or other for one, other in zip(damage, error, strict=True)], pa.string())
            made = made.set_column(made.schema.get_field_index("error"), "error", error)
            for index, name in enumerate(("date", "status", "offset"), 1):
                made = made.add_column(index, read.schema.field(name), read[name])
            yield made


def extract(chosen: argparse.Namespace) -> int:
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

    errors = {None: False, "each": True, "counts": "counts"}[chosen.errors]
    limits = {name: None if number == "none" else int(number) for name, number in named(chosen.limit).items()}
    try:
        plan = tabulex.Plan(named(chosen.select), text=chosen.text, errors=errors, limits=limits)  # type: ignore[arg-type]
    except ValueError as error:
        sys.exit(f"tabulex: {error}")
    chosen.out.mkdir(parents=True, exist_ok=True)
    status = 0
    for number, file in enumerate(chosen.files, 1):
        part, start, count, damaged = part_of(chosen.out, file), time.monotonic(), 0, 0
        if part.exists():
            say(chosen, f"{number}/{len(chosen.files)} {file}: is there")
            continue
        unfinished = part.with_suffix(".unfinished")
        writer = None
        try:
            for made in rows(plan, file, chosen.threads):
                if writer is None:
                    writer = pq.ParquetWriter(unfinished, made.schema, compression="zstd")
                writer.write_batch(made)
                count += made.num_rows
                damaged += made.num_rows - made["error"].null_count
        except OSError as error:
            print(f"tabulex: {file}: {error}", file=sys.stderr)
            status = 2
            continue
        finally:
            if writer is not None:
                writer.close()
        if writer is not None:
            unfinished.replace(part)
        rate = file.stat().st_size / 1e6 / max(time.monotonic() - start, 1e-9)
        say(chosen, f"{number}/{len(chosen.files)} {file}: {count} rows, {damaged} with errors, {rate:.1f} MB/s")
    return status


def say(chosen: argparse.Namespace, text: str) -> None:
    if not chosen.quiet:
        print(text, file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> int:
    """The program; ``given`` are its arguments."""
    return extract(arguments().parse_args(given))


if __name__ == "__main__":
    sys.exit(main())
