"""Measures ``batch``: against the same plan in Rust, and with two threads against one. ``python batch.py [--rounds N] [--rust PROGRAM] FOLDER``.

The program is ``cargo build --release --example rate`` of runtime/bindings/arrow. It and this process take turns, and their results are compared.
Rates are per second of processor time on one thread. Threads also take turns, but are measured in wall-clock time, which is meaningful
on an idle machine only.
"""

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pytabulex

PLAN = pytabulex.Plan({"title": "title:first", "links": "a[href]@href", "lang": "html:first@lang"}, errors="counts")


def beside_rust(column: pa.Array, size: float, program: Path, folder: Path, rounds: int) -> None:
    """Returns the rates of both, and the median of the ratios of the rounds."""
    with tempfile.NamedTemporaryFile() as out:
        command = [str(program), str(folder), out.name]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as rust:
            assert rust.stdin is not None and rust.stdout is not None
            seconds: list[tuple[float, float]] = []
            for _ in range(rounds + 1):
                start = time.thread_time()
                made = PLAN.batch(column)
                ours = time.thread_time() - start
                print(file=rust.stdin, flush=True)
                seconds.append((ours, float(rust.stdout.readline())))
            rust.stdin.close()
        same = pa.ipc.open_file(out.name).get_batch(0)
    if not made.equals(same):
        raise SystemExit("what Python made is not what Rust made")
    # The first round is a warm-up.
    del seconds[0]
    ours, theirs = (size / statistics.median(column) for column in zip(*seconds))
    ratios = sorted(theirs / ours for ours, theirs in seconds)
    print(f"batch in Python         {ours:7.1f} MB of pages a second of one core")
    print(f"the same in Rust        {theirs:7.1f}; the rows are equal")
    print(f"Python has              {statistics.median(ratios):7.1%} of the rate of Rust, the median of rounds from {ratios[0]:.1%} to {ratios[-1]:.1%}")


def threads(column: pa.Array, size: float, rounds: int) -> None:
    """Measures two threads against one."""
    walls: dict[int, list[float]] = {1: [], 2: []}
    busy: dict[int, list[float]] = {1: [], 2: []}
    made = {}
    for _ in range(rounds):
        for count in (1, 2):
            times = time.monotonic(), time.process_time()
            made[count] = PLAN.batch(column, threads=count)
            walls[count].append(time.monotonic() - times[0])
            busy[count].append(time.process_time() - times[1])
    if not made[1].equals(made[2]):
        raise SystemExit("what two threads made is not what one made")
    ratio = statistics.median(one / two for one, two in zip(walls[1], walls[2], strict=True))
    print(f"one thread              {size / statistics.median(busy[1]):7.1f} MB of pages a second of one core")
    print(f"two threads             {ratio:7.2f} times one, by the clock, the median of rounds; {min(walls[1]) / min(walls[2]):.2f} by the best of each")
    print(f"                        {statistics.median(busy[2]) / statistics.median(busy[1]):7.2f} times the processor time of one; the rows are equal")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=15)
    arguments.add_argument("--rust", type=Path)
    arguments.add_argument("folder", type=Path)
    chosen = arguments.parse_args()
    contents = [path.read_bytes() for path in sorted(chosen.folder.iterdir())]
    size = sum(map(len, contents)) / 1e6
    column = pa.array(contents, pa.binary())
    print(f"{len(contents)} pages, {size:.1f} MB, {chosen.rounds} rounds")
    if chosen.rust:
        beside_rust(column, size, chosen.rust, chosen.folder, chosen.rounds)
    threads(column, size, chosen.rounds)


if __name__ == "__main__":
    main()
