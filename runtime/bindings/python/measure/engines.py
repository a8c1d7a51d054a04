"""Measures the speedup of two workers of an engine over one, and the share of their time spent outside of tabulex: ``python engines.py
[--megabytes N] [--times N] [ENGINE...]``.

The examples run unchanged, with a plan that records when each of its batches begins and ends. The time of a run is the wall-clock time
from the first beginning to the last end: it excludes the start of the engine, but includes reading and writing of files. Time outside is
worker time that is not spent in batches, mostly on files. A worker has one core: all processes of an engine share one core in a run with
one worker, and two cores in a run with two. Files are repeated ``--times`` over, so that the late start of the second worker hardly
matters. Each file is a task: with less than 200 MB of pages per file, Ray is busy with scheduling (files of real crawls are larger).
"""

import argparse
import importlib
import json
import multiprocessing
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytabulex

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
PARTS = 8

sys.path[:0] = [str(HERE), str(EXAMPLES)]


class Timed:
    """Wraps a plan, and records when its batches run and how much processor time they take."""

    def __init__(self, plan: pytabulex.Plan, folder: Path) -> None:
        self.plan, self.folder = plan, folder

    @property
    def schema(self) -> pa.Schema:
        return self.plan.schema

    def batch(self, *columns: Any, **options: Any) -> pa.RecordBatch:
        times = [time.time(), time.thread_time()]
        made = self.plan.batch(*columns, **options)
        times += [time.time(), time.thread_time()]
        with open(self.folder / f"{os.getpid()}.jsonl", "a") as file:
            print(json.dumps(times), file=file)
        return made


def run(name: str, crawl: list[Path], pages: Path, workers: int) -> tuple[float, float, float]:
    """Returns the seconds from first to last batch, those in batches, and the processor seconds in batches."""
    import engines

    example: Any = importlib.import_module(f"with_{name}")
    plan = example.PLAN
    with tempfile.TemporaryDirectory() as folder:
        times = Path(folder) / "times"
        times.mkdir()
        # Registers the module under the name by which workers import it.
        example.PLAN = engines.Timed(plan, times)
        out = str(Path(folder) / "out")
        try:
            if name == "spark":
                example.main(str(pages), out, f"local-cluster[{workers},1,1024]")
            else:
                example.main(out, *map(str, crawl), workers=workers)
        finally:
            example.PLAN = plan
        batches = [json.loads(line) for file in times.iterdir() for line in file.read_text().splitlines()]
    span = max(batch[2] for batch in batches) - min(batch[0] for batch in batches)
    return span, sum(batch[2] - batch[0] for batch in batches), sum(batch[3] - batch[1] for batch in batches)


def alone(name: str, crawl: list[Path], pages: Path, workers: int) -> tuple[float, float, float]:
    """Runs ``run`` in a process of its own, whose children have as many cores as there are workers."""
    cores = sorted(os.sched_getaffinity(0))[:workers]
    assert len(cores) == workers, "a worker has a core: there are too few"
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawn, os.sched_setaffinity, (0, cores)) as pool:
        return pool.submit(run, name, crawl, pages, workers).result()


def again(files: list[Path], times: int) -> list[Path]:
    """Returns the files, followed by links to them under other names."""
    links = [file.with_name(f"{number}-{file.name}") for number in range(1, times) for file in files]
    for number, link in enumerate(links):
        link.symlink_to(files[number % len(files)])
    return files + links


def main() -> None:
    import corpus

    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--megabytes", type=int, default=1600)
    arguments.add_argument("--times", type=int, default=2, help="how often the files are read, by other names")
    arguments.add_argument("--rounds", type=int, default=2)
    arguments.add_argument("engines", nargs="*", default=["spark", "ray", "dask"])
    chosen = arguments.parse_args()
    # For workers, which are separate processes.
    os.environ["PYTHONPATH"] = f"{HERE}:{EXAMPLES}"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        crawl = corpus.write(Path(folder) / "crawl", chosen.megabytes, PARTS)
        pages = Path(folder) / "pages"
        pages.mkdir()
        for file in crawl:
            pq.write_table(pa.Table.from_batches(pytabulex.read_warc(file)), pages / f"{file.name}.parquet", row_group_size=64)
        crawl = again(crawl, chosen.times)
        again(sorted(pages.iterdir()), chosen.times)
        megabytes = chosen.megabytes * chosen.times
        for name in chosen.engines:
            # Uses the best of several rounds in turn, since the machine may have other work.
            best: dict[int, tuple[float, float, float]] = {}
            for _ in range(chosen.rounds):
                for workers in (1, 2):
                    taken = alone(name, crawl, pages, workers)
                    best[workers] = min(best.get(workers, taken), taken)
            for workers, (span, inside, processor) in best.items():
                print(
                    f"{name:6} {workers} worker{'s' * (workers > 1)}: {span:6.1f} s, {megabytes / span:6.1f} MB/s, in batches {inside:6.1f} s "
                    f"(of the processor {processor:.1f}), outside {1 - inside / span / workers:4.0%}",
                    flush=True,
                )
            print(f"{name:6} two workers are {best[1][0] / best[2][0]:.2f} times one", flush=True)


if __name__ == "__main__":
    main()
