"""Threads that share objects: concurrent results from one document, plan, sanitizer, edit list or token list equal those of one thread.
With the global lock, the test switches threads as often as possible; in free-threaded builds, the module leaves the lock off."""

import pickle
import random
import subprocess
import sys
import sysconfig
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pytest
import pytabulex
from support import generated, pages

T = TypeVar("T")

THREADS = 6

IS_FREE = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


@pytest.fixture(autouse=True)
def often() -> Iterator[None]:
    """Makes the interpreter switch threads as often as possible, where there is a global lock."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(work: Callable[[int], T]) -> list[T]:
    """Runs the function in threads that start at the same time, each with its number; returns the results."""
    gate = threading.Barrier(THREADS)

    def one(number: int) -> T:
        gate.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(one, range(THREADS)))


def sample() -> list[bytes]:
    """Returns pages in several encodings, some of them long."""
    known = [page for page in pages() if len(page) < 200_000][:16]
    return known + generated()[-4:] + ["<meta charset=utf-16><p>ü".encode("utf-16-le"), "<p>Привет <b>x</i>".encode("koi8-r")]


def expected_of(document: pytabulex.Document, order: int) -> dict[str, object]:
    """Reads all properties of a document in this order: the first access computes positions or the list of errors."""
    questions: dict[str, Callable[[], object]] = {
        "errors": lambda: [(one.code, one.span, one.line, one.column) for one in document.errors],
        "spans": lambda: [node.span for node in document.descendants()],
        "position": lambda: [node.position for node in document.css("a")[:5]],
        "links": lambda: [(link.get("href"), link.text(" ", strip=True), link.attrs) for link in document.css("a[href]")],
        "text": lambda: document.text(),
        "html": lambda: document.html,
        "dump": lambda: document.dump(),
        "resolved": lambda: [(link.attribute, link.url) for link in document.links("https://a.example/b/")],
        "events": lambda: [str(event) for event in document.events],
        "others": lambda: (document.encoding, document.mode, document.node_count, document.base_url("https://a.example/"), repr(document)),
        "pickled": lambda: pickle.dumps(document),
    }
    names = list(questions)
    names = names[order % len(names) :] + names[: order % len(names)]
    return {name: questions[name]() for name in names}


def test_a_document_is_shared() -> None:
    sources: list[str | bytes] = [*sample(), *(page.decode("utf-8", "replace") for page in sample()[:8]), "<p>\ud800<a href=/x>é𝒳</b>"]
    for source in sources:
        alone = expected_of(pytabulex.parse(source), 0)
        shared = pytabulex.parse(source)
        for number, expected in enumerate(together(lambda number: expected_of(shared, number * 2))):
            assert expected == alone, number


def test_nodes_are_shared() -> None:
    document = pytabulex.parse(max(sample(), key=len))
    alone = list(document.descendants())
    iterator = document.descendants()
    found = [node for share in together(lambda _: list(iterator)) for node in share]
    assert len(found) == len(alone) and set(found) == set(alone)
    first = alone[5]
    kept = together(lambda _: (weakref.ref(document)() is document, [first == node for node in alone].count(True), first.html))
    assert len({repr(one) for one in kept}) == 1


def test_a_plan_is_shared() -> None:
    select = {"title": "title:first", "links": "a[href]@{href, ::text, ::span}", "urls": "a[href]@href::url"}
    plan = pytabulex.Plan(select, errors=True)
    column = pa.array(sample(), pa.binary())
    urls = pa.array([f"https://a.example/{number}/" for number in range(len(column))])
    alone = plan.batch(column, url=urls)
    for made in together(lambda number: [plan.batch(column, url=urls, threads=number % 3), pickle.loads(pickle.dumps(plan)).batch(column, url=urls)]):
        assert all(one.equals(alone) for one in made)


def test_a_sanitizer_is_shared() -> None:
    sanitizer = pytabulex.Sanitizer(permissive=True, comments=True)
    texts = [page.decode("utf-8", "replace")[:20_000] for page in sample()[:12]]

    def clean(text: str) -> str:
        try:
            return sanitizer.clean(text)
        except pytabulex.UnstableError as error:
            return str(error)

    alone = [clean(text) for text in texts]
    for made in together(lambda _: [clean(text) for text in texts]):
        assert made == alone


def test_edits_are_shared() -> None:
    page = "<ul>" + "".join(f"<li id=n{number}><a href=/{number}>{number}</a>" for number in range(THREADS * 40)) + "</ul>"
    document = pytabulex.parse(page)
    links = document.css("a")
    alone = document.edit()
    for number, link in enumerate(links):
        alone.set_attribute(link, "rel", f"r{number}").set_text(link, f"t{number}")
    edits = document.edit()

    def work(number: int) -> list[int]:
        seen = []
        for index in range(number, len(links), THREADS):
            # Concurrent writes by other threads contain some of the edits, each of them complete.
            edits.set_attribute(links[index], "rel", f"r{index}")
            edits.set_text(links[index], f"t{index}")
            seen.append(len(edits))
            if index % 60 == number:
                assert pytabulex.parse(edits.apply()).css("a")[index].get("rel") == f"r{index}"
        return seen

    for seen in together(work):
        assert seen == sorted(seen)
    assert len(edits) == len(alone) and edits.apply() == alone.apply() and together(lambda _: edits.apply()) == [alone.apply()] * THREADS


def test_tokens_are_shared() -> None:
    source = max(sample(), key=len)
    alone = [(token.kind, token.span, token.data, token.attrs) for token in pytabulex.tokens(source)]
    tokens = pytabulex.tokens(source)
    shares = together(lambda _: [(token.kind, token.span, token.data, token.attrs) for token in tokens])
    found = sorted((token for share in shares for token in share), key=lambda token: token[1].start)
    assert found == sorted(alone, key=lambda token: token[1].start)
    assert [error.code for error in tokens.errors] == [error.code for error in tabulex_errors(source)]


def tabulex_errors(source: bytes) -> list[pytabulex.ParseError]:
    tokens = pytabulex.tokens(source)
    for _ in tokens:
        pass
    return tokens.errors


def test_selectors_are_shared() -> None:
    """Uses more selectors than the cache holds, so that one thread compiles again what another has evicted."""
    document = pytabulex.parse("".join(f"<p class=c{number}>{number}" for number in range(900)))

    def work(number: int) -> list[str]:
        order = list(range(900))
        random.Random(number).shuffle(order)
        found = [(index, document.css(f"p.c{index}")[0].text()) for index in order]
        return [text for _, text in sorted(found)]

    assert together(work) == [[str(number) for number in range(900)]] * THREADS


def test_parsing_at_once() -> None:
    contents = sample()
    alone = [pytabulex.parse(content).dump() for content in contents]
    assert together(lambda _: [pytabulex.parse(content).dump() for content in contents]) == [alone] * THREADS


def test_gil_stays_disabled() -> None:
    """In a free-threaded build, nothing in the package enables the lock."""
    if not IS_FREE:
        pytest.skip("this Python has the global lock; `cargo xtask python --python PATH` takes one that has been built without it")
    program = "import sys, pytabulex, pytabulex._tabulex; pytabulex.tokens('<p>'); pytabulex.parse('<p>').css('p'); print(sys._is_gil_enabled())"
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
