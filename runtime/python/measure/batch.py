"""How fast ``batch`` is: beside the same plan in Rust, with two threads beside one, and what 100 TB of a crawl cost by it beside the same
job by selectolax and resiliparse. ``python batch.py [--rounds N] [--rust PROGRAM] FOLDER``.

The program is ``cargo build --release --example rate`` of runtime/arrow; both take processor time, on one thread. Threads are compared by the
clock, which says something on an idle machine only.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import tabulex

PLAN = tabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")

DOLLARS = 0.04
"""For an hour of one core, as clouds ask for it on demand."""

CRAWL = 100e12


def median(rounds: int, work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Seconds, the first round left out."""
    taken = []
    for _ in range(rounds + 1):
        start = clock()
        work()
        taken.append(clock() - start)
    return statistics.median(taken[1:])


def peers(contents: list[bytes]) -> dict[str, Callable[[], object]]:
    """The same job by others: title, links, text, language. They know nothing of errors."""
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree
    from selectolax.lexbor import LexborHTMLParser

    def selectolax() -> None:
        for content in contents:
            tree = LexborHTMLParser(content)
            title, root = tree.css_first("title"), tree.css_first("html")
            (title and title.text(), [link.attributes["href"] for link in tree.css("a[href]")], tree.text(), root and root.attributes.get("lang"))

    def resiliparse() -> None:
        for content in contents:
            tree = HTMLTree.parse(bytes_to_str(content, detect_encoding(content)))
            document, body = tree.document, tree.body
            root, found = document.query_selector("html"), document.query_selector_all("a[href]")
            links = [link.getattr("href") for link in found]
            (tree.title, links, body and body.text, root and root.getattr("lang"))

    return {"selectolax": selectolax, "resiliparse": resiliparse}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--rust", type=Path)
    arguments.add_argument("--peer", help=argparse.SUPPRESS)
    arguments.add_argument("folder", type=Path)
    chosen = arguments.parse_args()
    contents = [path.read_bytes() for path in sorted(chosen.folder.iterdir())]
    size = sum(map(len, contents)) / 1e6
    if chosen.peer:
        print(size / median(chosen.rounds, peers(contents)[chosen.peer], time.process_time))
        return
    column = pa.array(contents, pa.binary())
    ours = size / median(chosen.rounds, lambda: PLAN.batch(column), time.process_time)
    print(f"{len(contents)} pages, {size:.1f} MB, {chosen.rounds} rounds")
    print(f"batch, one thread       {ours:7.1f} MB of pages a second of one core")
    if chosen.rust:
        told = subprocess.run([chosen.rust, chosen.folder, str(chosen.rounds)], capture_output=True, text=True, check=True)
        rust = float(told.stdout)
        print(f"the same in Rust        {rust:7.1f}   Python has {ours / rust:.0%} of it")
    walls = {threads: median(chosen.rounds, lambda n=threads: PLAN.batch(column, threads=n), time.monotonic) for threads in (1, 2)}
    print(f"two threads             {walls[1] / walls[2]:7.2f} times one, by the clock")
    rates = {"tabulex": ours}
    for name in ("selectolax", "resiliparse"):
        # In a process of its own, which may crash.
        command = [sys.executable, __file__, "--peer", name, "--rounds", str(chosen.rounds), str(chosen.folder)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            print(f"100 TB by {name:12} no figure: it ended with status {done.returncode}")
        else:
            rates[name] = float(done.stdout)
    for name, rate in rates.items():
        hours = CRAWL / 1e6 / rate / 3600
        print(f"100 TB by {name:12} {rate:7.1f} MB/s {hours:8.0f} core-hours {hours / 24:7.0f} cores for a day {hours * DOLLARS:8.0f} dollars")


if __name__ == "__main__":
    main()
