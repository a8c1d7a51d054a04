"""Parses many mutated and random pages with ``batch`` in one process, interspersed with inputs that have crashed parsers. Checks that every
row has a result, that truncation by a limit is reported as an event, and that memory stays flat. ``python mutations.py [--pages N]
[--seed N]``.

Pages are small, so that a million take minutes: pieces of real pages with some bytes changed, and random bytes. Exits with status 1 if a
row has no result, or a bomb causes no event.
"""

import argparse
import random
import resource
import sys
import time
from pathlib import Path

import pytabulex

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support import generated, pages
from test_batch import SELECT, mutated

ROWS = 1000
"""How many pages a batch has."""

PIECE = 2000
"""How long a piece of a real page is, in bytes."""

BOMBS: dict[str, tuple[bytes, dict[str, int | None]]] = {
    "elements too deep": (b"<div>" * 20_000, {}),
    "reconstructed formatting elements": (b"".join(b"<p><b x=%d>" % n for n in range(4_000)), {"reconstructed": 10_000}),
    "attributes too many": (b"<a " + b" ".join(b"a%d" % n for n in range(20_000)) + b">", {"attributes": 10_000}),
    "nodes too many": (b"<br>" * 20_000, {"nodes": 10_000}),
    "errors too many": (b"<frameset>" + b"x</q>" * 30_000, {"errors": 10_000}),
    "held too much": (b"<p>x" * 100_000, {"bytes": 100_000}),
}
"""Inputs that cost parsers their memory or their time, and the limits that are small enough for them to be short."""


def resident(field: str) -> float:
    """Returns a memory size of this process in MB: ``VmRSS`` is the current one, ``VmHWM`` the peak."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    [line] = [line for line in lines if line.startswith(field)]
    return int(line.split()[1]) / 1e3


def explode() -> list[str]:
    """Returns the failures for the bombs."""
    wrong = []
    for name, (bomb, limits) in BOMBS.items():
        [row] = pytabulex.batch([bomb], text=False, errors="counts", limits=limits).to_pylist()
        if not row["events"] or row["error"] is not None:
            wrong.append(f"{name}: events {row['events']}, error {row['error']}")
    return wrong


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pages", type=int, default=1_000_000)
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    choose, plan = random.Random(chosen.seed), pytabulex.Plan(SELECT, errors="counts")
    known = [page[start : start + PIECE] for page in pages() + generated() for start in range(0, min(len(page), 20_000), PIECE)]
    done = unanswered = cut = exploded = 0
    wrong: list[str] = []
    while done < chosen.pages:
        rows = min(ROWS, chosen.pages - done)
        column = [choose.randbytes(choose.randrange(PIECE)) if choose.random() < 0.1 else mutated(choose, choose.choice(known)) for _ in range(rows)]
        made = plan.batch(column, threads=2 if done % 2 else 1)
        unanswered += abs(made.num_rows - rows) + made.num_rows - made["error"].null_count + made["text"].null_count
        cut += sum(map(bool, made["events"].to_pylist()))
        done += rows
        if done % max(chosen.pages // 10, 1) < ROWS:
            wrong += explode()
            exploded += len(BOMBS)
            print(
                f"{done:9} pages, {unanswered} not answered, {cut} with events, {exploded} bombs, {resident('VmRSS'):.0f} MB resident, "
                f"{resident('VmHWM'):.0f} MB at most, {time.process_time():.0f} s of processor time, seed {chosen.seed}",
                flush=True,
            )
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return int(bool(wrong) or unanswered > 0)


if __name__ == "__main__":
    sys.exit(main())
