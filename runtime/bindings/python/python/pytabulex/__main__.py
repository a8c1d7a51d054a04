"""``python -m pytabulex``: extracts columns from WARC files to Parquet.

Each input file becomes one Parquet file in the folder ``--out``; readers of Parquet read the folder as one table. A file is written
under a name that these readers skip, and renamed when it is complete. Existing files are kept, so that repeating the command resumes
an interrupted run; files of another plan are not accepted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytabulex

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]


PLAN = b"pytabulex"
"""Metadata key of a Parquet file that identifies its plan."""


def argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pytabulex", description="extracts data from pages in WARC files to Parquet")
    commands = parser.add_subparsers(dest="command", required=True)
    extract = commands.add_parser("extract", help=(about := "extracts data from WARC files to a folder of Parquet files"), description=about)
    extract.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a WARC file, .warc or .warc.gz")
    extract.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="folder for the Parquet files")
    extract.add_argument(
        "--select", action="append", default=[], metavar="NAME=OUTPUT", help="a column, such as links=a[href]@href; may be repeated"
    )
    extract.add_argument("--text", action="store_true", help="a column of the text of each page")
    extract.add_argument("--errors", nargs="?", const="each", choices=["each", "counts"], help="a column of errors, or of their counts")
    extract.add_argument("--limit", action="append", default=[], metavar="NAME=N", help="a limit per page")
    extract.add_argument("--threads", type=number, default=0, metavar="N", help="number of threads; 0, the default, for one per processor")
    extract.add_argument("--quiet", action="store_true", help="no progress on standard error")
    return parser


def number(text: str) -> int:
    """Parses a non-negative number."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number")
    return int(text)


def parse_pairs(pairs: Sequence[str]) -> dict[str, str]:
    """Parses ``NAME=VALUE`` arguments to a dictionary."""
    values = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name:
            sys.exit(f"pytabulex: {pair!r} is not NAME=VALUE")
        values[name] = value
    return values


def output_path(out: Path, file: Path) -> Path:
    """Path of an input file's rows: its name, made unique by a suffix."""
    digest = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]
    return out / f"{file.name}-{digest}.parquet"


def extract_batch(plan: pytabulex.Plan, records: pa.RecordBatch, threads: int) -> pa.RecordBatch:
    """Extracts the plan's columns from records, and adds those of the records."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    columns = plan.batch(records["payload"], records["content_type"], records["url"], threads=threads)
    # Errors of reading a record precede errors of parsing its page.
    both = zip(records["error"].to_pylist(), columns["error"].to_pylist(), strict=True)
    errors = pa.array([damage or error for damage, error in both], pa.string())
    columns = columns.set_column(columns.schema.get_field_index("error"), "error", errors)
    for index, name in enumerate(("date", "status", "offset"), 1):
        columns = columns.add_column(index, records.schema.field(name), records[name])
    return columns


def extract_batches(plan: pytabulex.Plan, file: Path, threads: int) -> Iterator[pa.RecordBatch]:
    """Yields the batches of a file, at least one. The next batch is read while one is parsed."""
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

    yield extract_batch(plan, pa.RecordBatch.from_pylist([], pytabulex.warc.schema()), threads)
    batches = pytabulex.read_warc(file)
    with ThreadPoolExecutor(1) as reader:
        next_batch = reader.submit(next, batches, None)
        while (records := next_batch.result()) is not None:
            next_batch = reader.submit(next, batches, None)
            yield extract_batch(plan, records, threads)


def write(plan: pytabulex.Plan, file: Path, output: Path, description: bytes, threads: int) -> tuple[int, int]:
    """Writes the rows of a file and the plan's ``description``. Returns the number of rows, and of those with errors."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

    # Readers of data sets skip files whose names begin with an underscore.
    unfinished = output.with_name(f"_{output.name}.unfinished")
    count, damaged, batches = 0, 0, extract_batches(plan, file, threads)
    first = next(batches)
    with pq.ParquetWriter(unfinished, first.schema.with_metadata({PLAN: description}), compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch.replace_schema_metadata({PLAN: description}))
            count += batch.num_rows
            damaged += batch.num_rows - batch["error"].null_count
    unfinished.replace(output)
    return count, damaged


def extract(options: argparse.Namespace) -> int:
    import pyarrow.parquet as pq  # type: ignore[import-untyped, unused-ignore]

    errors = {None: False, "each": True, "counts": "counts"}[options.errors]
    select = parse_pairs(options.select)
    try:
        limits = {name: None if value == "none" else int(value) for name, value in parse_pairs(options.limit).items()}
        plan = pytabulex.Plan(select, text=options.text, errors=errors, limits=limits)  # type: ignore[arg-type]
        options.out.mkdir(parents=True, exist_ok=True)
    except (ValueError, OverflowError, OSError) as error:
        sys.exit(f"pytabulex: {error}")
    description = json.dumps([select, options.text, errors, limits]).encode()
    status = 0
    for index, file in enumerate(options.files, 1):
        output, start, label = output_path(options.out, file), time.monotonic(), f"{index}/{len(options.files)} {file}"
        try:
            if output.exists():
                has_same_plan = (pq.read_schema(output).metadata or {}).get(PLAN) == description
                if not has_same_plan:
                    raise OSError(f"{output} was written with another plan: choose another folder, or remove it")
                report(options, f"{label}: already exists")
                continue
            count, damaged = write(plan, file, output, description, options.threads)
        except OSError as error:
            print(f"pytabulex: {file}: {error}", file=sys.stderr)
            status = 2
            continue
        rate = file.stat().st_size / 1e6 / max(time.monotonic() - start, 1e-9)
        report(options, f"{label}: {count} rows, {damaged} with errors, {rate:.1f} MB/s")
    return status


def report(options: argparse.Namespace, text: str) -> None:
    if not options.quiet:
        print(text, file=sys.stderr, flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the program with the arguments ``argv``."""
    options = argument_parser().parse_args(argv)
    try:
        return extract(options)
    except ModuleNotFoundError as error:
        sys.exit(f"pytabulex: {error.name} is not installed: pip install pytabulex[warc]")


if __name__ == "__main__":
    sys.exit(main())
