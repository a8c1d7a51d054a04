"""How fast ``batch`` is: beside the same plan in Rust, and with two threads beside one. ``python batch.py [--rounds N] [--rust PROGRAM] FOLDER``.

The program is ``cargo build --release --example rate`` of runtime/arrow; both take processor time, on one thread. Threads are compared by the
clock, which says something on an idle machine only.
"""

import argparse
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import tabulex

PLAN = tabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")


def median(rounds: int, work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Seconds, the first round left out."""
    taken = []
    for _ in range(rounds + 1):
        start = clock()
        work()
        taken.append(clock() - start)
    return statistics.median(taken[1:])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--rust", type=Path)
    arguments.add_argument("folder", type=Path)
    chosen = arguments.parse_args()
    contents = [path.read_bytes() for path in sorted(chosen.folder.iterdir())]
    size = sum(map(len, contents)) / 1e6
    column = pa.array(contents, pa.binary())
    ours = size / median(chosen.rounds, lambda: PLAN.batch(column), time.process_time)
    print(f"{len(contents)} pages, {size:.1f} MB, {chosen.rounds} rounds")
    print(f"batch, one thread       {ours:7.1f} MB of pages a second of one core")
    if chosen.rust:
        told = subprocess.run([chosen.rust, chosen.folder, str(chosen.rounds)], capture_output=True, text=True, check=True)
        rust = float(told.stdout)
        print(f"the same in Rust        {rust:7.1f}   Python has {ours / rust:.0%} of it")
    # Best of the rounds, in turn: the machine may have other things to do. The clock says something on an idle machine only.
    walls: dict[int, list[float]] = {1: [], 2: []}
    busy: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(chosen.rounds):
        for threads in (1, 2):
            times = time.monotonic(), time.process_time()
            PLAN.batch(column, threads=threads)
            walls[threads].append(time.monotonic() - times[0])
            busy[threads].append(time.process_time() - times[1])
    print(f"two threads             {min(walls[1]) / min(walls[2]):7.2f} times one, by the clock")
    print(f"                        {min(busy[2]) / min(busy[1]):7.2f} times the processor time of one")


if __name__ == "__main__":
    main()
