"""Measures the speedup of several Python threads over one, for parsing pages and for reading their attributes: ``python threads.py
[--threads N] [--rounds N] [FOLDER]``; the pages are those of the tests unless a folder is given.

With the global interpreter lock, parsing runs in parallel with other threads and reading does not; in a free-threaded build both do.
Rounds take turns. Wall-clock times are meaningful on an idle machine only; therefore each thread's time is also given without the time
in which it waited for a processor, as counted by Linux: the rest is work, and waiting for other threads.
"""

import argparse
import itertools
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytabulex

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

JOBS: dict[str, Callable[[bytes], object]] = {
    "parse": lambda page: pytabulex.parse(page).node_count,
    "parse and read all attributes": lambda page: sum(len(node.attrs) for node in pytabulex.parse(page).css("*")),
}


def waited() -> float:
    """Returns the seconds in which this thread was runnable but had no processor."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9


def taken(job: Callable[[bytes], object], contents: list[bytes], threads: int) -> tuple[list[object], float, float]:
    """Returns the results of the job for all pages, the wall-clock seconds, and the seconds of the slowest thread without waiting for a
    processor."""
    made: list[object] = [None] * len(contents)
    # Taking the next item is atomic, with and without the global lock.
    numbers = itertools.count()

    def work(_: int) -> float:
        start, delay = time.monotonic(), waited()
        while (number := next(numbers)) < len(contents):
            made[number] = job(contents[number])
        return time.monotonic() - start - (waited() - delay)

    with ThreadPoolExecutor(threads) as pool:
        start = time.monotonic()
        longest = max(pool.map(work, range(threads)))
        return made, time.monotonic() - start, longest


def main() -> None:
    from support import pages

    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--rounds", type=int, default=9)
    arguments.add_argument("folder", nargs="?", type=Path)
    chosen = arguments.parse_args()
    contents = [path.read_bytes() for path in sorted(chosen.folder.iterdir())] if chosen.folder else pages()
    has_lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"Python {sys.version.split()[0]}, the global lock is {'on' if has_lock else 'off'}; {len(contents)} pages, {chosen.rounds} rounds")
    for name, job in JOBS.items():
        alone = list(map(job, contents))
        clock, busy = [], []
        for _ in range(chosen.rounds):
            one, several = taken(job, contents, 1), taken(job, contents, chosen.threads)
            assert one[0] == several[0] == alone
            clock.append(one[1] / several[1])
            busy.append(one[2] / several[2])
        print(
            f"{name}: {chosen.threads} threads are {statistics.median(clock):.2f} times one by the clock, the median of rounds; "
            f"{statistics.median(busy):.2f} without waiting for a processor",
            flush=True,
        )


if __name__ == "__main__":
    main()
