"""Compares tabulex with its peers in Python in one run: processor time for pages as ``str`` and as ``bytes``, as medians of rounds in
which they take turns, and memory per document. Prints Markdown; ``results.md`` is such an output.

``python peers.py [--rounds N] [FOLDER]``; the pages are those of the tests unless a folder is given. Requires
``pip install beautifulsoup4 html5lib lxml nh3 pyarrow turbohtml resiliparse selectolax``.
"""

import argparse
import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

Page = str | bytes
Job = Callable[[Page], object]

# Functions and contestants measured with strings alone: they take no bytes, or guess the encoding of bytes by statistics.
ONLY_STRINGS = {"sanitize", "BeautifulSoup, html5lib"}
SELECTORS = ["a[href]", "div > p", "li:nth-child(2n)", "h1, h2, h3", "img[src]", "ul li a"]


def jobs() -> dict[str, dict[str, Job]]:
    """Returns each contestant's functions: parse a page, list its links, count the matches of selectors, extract its text, sanitize it."""
    import lxml.html
    import nh3
    import pytabulex
    import turbohtml
    from bs4 import BeautifulSoup
    from resiliparse.parse.html import HTMLTree
    from selectolax.lexbor import LexborHTMLParser

    plan, sanitizer = pytabulex.Selector("a[href]"), pytabulex.Sanitizer()

    def counts(select: Callable[[str], Sequence[object]]) -> int:
        return sum(len(select(selector)) for selector in SELECTORS)

    def resili(page: Page) -> HTMLTree:
        return HTMLTree.parse(page) if isinstance(page, str) else HTMLTree.parse_from_bytes(page)

    def turbo_links(page: Page) -> object:
        return [link.attrs["href"] for link in turbohtml.parse(page).select("a[href]")]

    # Walks the tree, because removing n elements found by a selector takes quadratic time in resiliparse 2.0.1: 2.6 s for 1,000.
    def resili_links(page: Page) -> object:
        document = resili(page).document
        return document and [node.getattr("href") for node in document if node.tag == "a" and node.getattr("href") is not None]

    def resili_text(page: Page) -> object:
        tree = resili(page)
        return tree.body and tree.body.text

    return {
        "parse": {
            "tabulex": lambda page: pytabulex.parse(page, errors=False, positions="none"),
            "tabulex, errors and all positions": lambda page: pytabulex.parse(page),
            "turbohtml": lambda page: turbohtml.parse(page),
            "resiliparse": resili,
            "selectolax": lambda page: LexborHTMLParser(page),
            "lxml": lambda page: lxml.html.document_fromstring(page.encode() if isinstance(page, str) else page),
            "BeautifulSoup, html5lib": lambda page: BeautifulSoup(page, "html5lib"),
        },
        "links": {
            "tabulex": lambda page: [link["href"] for link in pytabulex.parse(page, errors=False, positions="none").css(plan)],
            "turbohtml": turbo_links,
            "resiliparse": resili_links,
            "selectolax": lambda page: [link.attributes["href"] for link in LexborHTMLParser(page).css("a[href]")],
        },
        "css": {
            "tabulex": lambda page: counts(pytabulex.parse(page, errors=False, positions="none").css),
            "turbohtml": lambda page: counts(turbohtml.parse(page).select),
            "selectolax": lambda page: counts(LexborHTMLParser(page).css),
        },
        "text": {
            "tabulex": lambda page: pytabulex.parse(page, errors=False, positions="none").text(),
            "turbohtml": lambda page: turbohtml.parse(page).text,
            "resiliparse": resili_text,
            "selectolax": lambda page: LexborHTMLParser(page).text(),
        },
        "sanitize": {
            "tabulex": lambda page: sanitizer.clean(page),
            "nh3": lambda page: nh3.clean(page),
        },
    }


def round_of(job: Job, pages: Sequence[Page]) -> float:
    """Returns the seconds of processor time for all pages. Strings are new, as they keep their UTF-8 once it was asked for."""
    new_pages = [page if isinstance(page, bytes) else page.encode().decode() for page in pages]
    gc.collect()
    start = time.process_time()
    for page in new_pages:
        job(page)
    return time.process_time() - start


def print_rates(name: str, size: int, seconds: dict[str, list[list[float]]]) -> None:
    """Prints a table with the rates of each contestant for each form of pages that it takes. The first round is a warm-up."""
    print(f"\n### {name}\n\n|  | `str`, MB/s | speed of tabulex / this | `bytes`, MB/s | speed of tabulex / this |")
    print("| --- | --: | --: | --: | --: |")
    for one, forms in seconds.items():
        cells = []
        for ours, theirs in zip(seconds["tabulex"], forms, strict=True):
            ratios = [their / our for their, our in zip(theirs[1:], ours[1:], strict=False)]
            cells += [f"{size / 1e6 / statistics.median(theirs[1:]):.1f}", f"{statistics.median(ratios):.2f}x"] if theirs else ["", ""]
        print(f"| {one} | {' | '.join(cells)} |", flush=True)


def rates(forms: Sequence[Sequence[Page]], size: int, rounds: int, only: list[str]) -> None:
    for name, contestants in jobs().items():
        if only and name not in only:
            continue
        seconds: dict[str, list[list[float]]] = {one: [[] for _ in forms] for one in contestants}
        for _ in range(rounds + 1):
            for one, job in contestants.items():
                taken_forms = forms[: 1 if {name, one} & ONLY_STRINGS else None]
                for times, pages in zip(seconds[one], taken_forms, strict=False):
                    times.append(round_of(job, pages))
        print_rates(name, size, seconds)


def columns(forms: Sequence[Sequence[Page]], size: int, rounds: int) -> None:
    """Prints the speed of a batch and of a loop with turbohtml, each of which makes a table of titles, links and texts."""
    import pyarrow as pa
    import pytabulex
    import turbohtml

    plan = pytabulex.Plan({"title": "title:first", "links": "a[href]@href", "content": "html:first"}, text=False)

    def loop(pages: Sequence[Page]) -> object:
        titles, links, contents = [], [], []
        for page in pages:
            document = turbohtml.parse(page)
            title = document.select_one("title")
            titles.append(title and title.text)
            links.append([link.attrs["href"] for link in document.select("a[href]")])
            contents.append(document.text)
        return pa.record_batch({"title": titles, "links": links, "content": contents})

    def time_of(job: Callable[[], object]) -> float:
        gc.collect()
        start = time.process_time()
        job()
        return time.process_time() - start

    seconds: dict[str, list[list[float]]] = {"tabulex": [[] for _ in forms], "turbohtml": [[] for _ in forms]}
    for form, pages in enumerate(forms):
        column = pa.array(pages)
        for _ in range(rounds + 1):
            seconds["tabulex"][form].append(time_of(partial(plan.batch, column)))
            seconds["turbohtml"][form].append(time_of(partial(loop, pages)))
    print_rates("batch", size, seconds)


MEMORY = """
import sys, resource
sys.path.insert(0, {tests!r})
from support import pages
import os
pages = [page.decode("utf-8", "replace") for page in pages()]
[page.encode() for page in pages]
make = {make}
make(pages[0])
def held():
    return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
before = held()
kept = [make(page) for page in pages]
print((held() - before) / len(pages))
"""

MAKERS = {
    "tabulex": "__import__('pytabulex').parse",
    "tabulex, no errors, no positions": "lambda page: __import__('pytabulex').parse(page, errors=False, positions='none')",
    "turbohtml": "__import__('turbohtml').parse",
    "resiliparse": "__import__('resiliparse.parse.html').parse.html.HTMLTree.parse",
    "selectolax": "__import__('selectolax.lexbor').lexbor.LexborHTMLParser",
}


def memory() -> None:
    """Prints the memory growth per retained document, measured in a process of its own."""
    print("\n### memory\n\n|  | KB per document |\n| --- | --: |")
    for one, make in MAKERS.items():
        tests = str(Path(__file__).resolve().parents[1] / "tests")
        done = subprocess.run(
            [sys.executable, "-c", MEMORY.format(tests=tests, make=make)], capture_output=True, text=True, check=True
        )
        print(f"| {one} | {float(done.stdout) / 1000:.1f} |", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=9)
    arguments.add_argument("--only", action="append", default=[], help="parse, links, css, text, sanitize, batch or memory, instead of all")
    arguments.add_argument("folder", nargs="?", type=Path)
    chosen = arguments.parse_args()
    from support import pages

    folder: Path | None = chosen.folder
    contents = [path.read_bytes() for path in sorted(folder.iterdir())] if folder else pages()
    texts = [content.decode("utf-8", "replace") for content in contents]
    size = sum(map(len, contents))
    print(f"# Python\n\n{len(contents)} pages, {size / 1e6:.1f} MB, {chosen.rounds} rounds, one thread, processor time.")
    forms = (texts, contents)
    rates(forms, size, chosen.rounds, chosen.only)
    if not chosen.only or "batch" in chosen.only:
        columns(forms, size, chosen.rounds)
    if not chosen.only or "memory" in chosen.only:
        memory()


if __name__ == "__main__":
    main()
