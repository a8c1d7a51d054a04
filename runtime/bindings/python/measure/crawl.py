"""Measures processor time from WARC files to columns: of reading alone, and of the whole job with tabulex and with its peers. Estimates
the cost of a monthly crawl of 100 TB, and checks that a worker's memory stays flat. ``python crawl.py [--passes N] FILE.warc.gz...``.

The job is "title, links, text, language"; with tabulex, also errors by code, and the encoding. Each contestant runs in a process of its
own, on one thread, and reads the same files with the same reader. ``--passes`` is the number of times that the files are read, so that a
few files can stand for many terabytes. Sizes are those of the compressed files, as is usual for crawls.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

DOLLARS = 0.04
"""For an hour of one core, as clouds ask for it on demand."""

CRAWL = 100e12
"""Bytes of WARC files in a monthly crawl."""


def read_alone(file: Path) -> int:
    import pytabulex

    return sum(batch["payload"].nbytes for batch in pytabulex.read_warc(file))


def read_by_warcio(file: Path) -> int:
    from warcio.archiveiterator import ArchiveIterator

    with file.open("rb") as source:
        records = (record for record in ArchiveIterator(source) if record.rec_type == "response")
        return sum(len(record.content_stream().read()) for record in records)


def by_tabulex(file: Path) -> int:
    import pytabulex

    plan = pytabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")
    size = 0
    for batch in pytabulex.read_warc(file, batch_rows=64):
        plan.batch(batch["payload"], batch["content_type"], batch["url"])
        size += batch["payload"].nbytes
    return size


def payloads(file: Path) -> Iterator[bytes]:
    import pytabulex

    for batch in pytabulex.read_warc(file, batch_rows=64):
        yield from (payload for payload in batch["payload"].to_pylist() if payload is not None)


def by_selectolax(file: Path) -> int:
    from selectolax.lexbor import LexborHTMLParser

    size = 0
    for payload in payloads(file):
        tree = LexborHTMLParser(payload)
        title, root = tree.css_first("title"), tree.css_first("html")
        (title and title.text(), [link.attributes["href"] for link in tree.css("a[href]")], tree.text(), root and root.attributes.get("lang"))
        size += len(payload)
    return size


def by_resiliparse(file: Path) -> int:
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree

    size = 0
    for payload in payloads(file):
        tree = HTMLTree.parse(bytes_to_str(payload, detect_encoding(payload) or "utf-8"))
        document, body = tree.document, tree.body
        assert document is not None
        root = document.query_selector("html")
        # Walks the tree, because removing n elements found by a selector takes quadratic time in resiliparse 2.0.1.
        links = [node.getattr("href") for node in document if node.tag == "a" and node.getattr("href") is not None]
        (tree.title, links, body and body.text, root and root.getattr("lang"))
        size += len(payload)
    return size


JOBS: dict[str, Callable[[Path], int]] = {
    "read_warc alone": read_alone,
    "warcio alone": read_by_warcio,
    "tabulex": by_tabulex,
    "selectolax": by_selectolax,
    "resiliparse": by_resiliparse,
}
READERS = 2
"""So many of the jobs read and do nothing else."""

PATIENCE = 60
"""Seconds by the clock after which a job is given up, for each pass."""


def work(job: str, files: list[Path], passes: int) -> None:
    """Runs the job, and prints the totals so far after each pass."""
    # Imports and warm-up are excluded.
    JOBS[job](files[0])
    size, start = 0, time.process_time()
    for _ in range(passes):
        size += sum(JOBS[job](file) for file in files)
        resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        print(json.dumps([size, time.process_time() - start, resident]), flush=True)


def measured(job: str, files: list[Path], passes: int) -> list[tuple[float, float, float]] | None:
    """Returns the bytes of pages, seconds of processor time and peak memory in MB after each pass; nothing if the process crashed or hung."""
    command = [sys.executable, __file__, "--job", job, "--passes", str(passes), *map(str, files)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE * (passes + 1))
    except subprocess.TimeoutExpired:
        print(f"{job:16} no figure: it did not end in {PATIENCE * (passes + 1)} s", flush=True)
        return None
    if done.returncode:
        print(f"{job:16} no figure: it ended with status {done.returncode}; {done.stderr.strip().splitlines()[-1:]}", flush=True)
        return None
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--passes", type=int, default=3)
    arguments.add_argument("--only", action="append", choices=JOBS, default=[])
    arguments.add_argument("--job", help=argparse.SUPPRESS)
    arguments.add_argument("files", nargs="+", type=Path)
    chosen = arguments.parse_args()
    if chosen.job:
        work(chosen.job, chosen.files, chosen.passes)
        return
    compressed = sum(file.stat().st_size for file in chosen.files)
    print(f"{len(chosen.files)} files, {compressed / 1e6:.0f} MB, {chosen.passes} passes, one thread, processor time")
    for number, job in enumerate(JOBS):
        if chosen.only and job not in chosen.only or (passes := measured(job, chosen.files, chosen.passes)) is None:
            continue
        size, seconds, most = passes[-1]
        # Uses the best pass, since other processes of this machine take time as well.
        times = [after[1] - before[1] for before, after in zip([(0.0, 0.0, 0.0), *passes[:-1]], passes, strict=True)]
        pages, files = size / chosen.passes / 1e6 / min(times), compressed / 1e6 / min(times)
        hours = CRAWL / 1e6 / files / 3600
        cost = "" if number < READERS else f", 100 TB: {hours:6.0f} core-hours, {hours / 24:5.0f} cores for a day, {hours * DOLLARS:6.0f} dollars"
        print(
            f"{job:16} {files:6.1f} MB/s of files, {pages:6.1f} MB/s of pages, {size / 1e9:.1f} GB of pages in {seconds:.0f} s, at most "
            f"{passes[0][2]:.0f} MB after the first pass, {most:.0f} MB after all{cost}",
            flush=True,
        )


if __name__ == "__main__":
    main()
