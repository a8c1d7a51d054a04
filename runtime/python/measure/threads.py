"""Threads of Python beside one: how much faster pages are parsed, and their attributes read, by several. ``python threads.py [--threads N]
[--rounds N] [FOLDER]``; the pages are those of the tests unless a folder is named.

With the global lock parsing runs beside other threads and reading does not; without it (a free-threaded build) both do. Rounds take turns. By the
clock they say something on an idle machine only; so each thread's time is told as well without that in which it waited for a processor, as
Linux counts it: what is left is work, and waiting for other threads.
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
    """Seconds in which this thread could have run and had no processor."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9


def taken(job: Callable[[bytes], object], contents: list[bytes], threads: int) -> tuple[list[object], float, float]:
    """What the job makes of all pages; the seconds by the clock; and those of the thread that took longest, without what it waited for a processor."""
    made: list[object] = [None] * len(contents)
    # Taking the next one is one step in C, with the lock and without.
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
