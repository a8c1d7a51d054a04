"""Locations of external test suites and of the corpus. Tests of a missing suite are skipped with a message."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
SHARED = Path(os.environ.get("TABULEX_SHARED", ROOT.parent / "shared"))
PACKAGE = ROOT / "tests/bench/node_modules/htmlparser-benchmark/files"


def suite(name: str) -> Path:
    """Returns the folder of a suite, or skips the test with instructions for getting it."""
    folder = SHARED / "testdata" / name
    if not folder.is_dir():
        pytest.skip(
            f"suite absent: {name}; to get it: git clone https://github.com/html5lib/html5lib-tests testdata/{name} "
            "in a folder, and set TABULEX_SHARED to the folder"
        )
    return folder


def pages() -> list[bytes]:
    """Returns real pages as bytes: those of the shared corpus or of the npm package, or else a few of our own."""
    for folder in (SHARED / "corpus/html/pages", PACKAGE):
        if folder.is_dir():
            return [path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()]
    return generated()


def generated(count: int = 40) -> list[bytes]:
    """Generates pages, the same in every run."""
    words = "one two three Crêpe naïve 日本 𝒳 &amp; &notin; <b>bold</b> <i>x <table><tr><td>y <!-- c --> <p class='a b'>z".split(" ")
    pages = []
    for number in range(count):
        picked = (words[(number * 7 + step * step) % len(words)] for step in range(20 + number * 9))
        text = "\r\n".join(picked) if number % 3 == 0 else " ".join(picked)
        head = f"<!DOCTYPE html><html lang=en><title>Page {number}</title>" if number % 2 else ""
        pages.append(f"{head}<a href='/{number}?a=1&b=2'>link</a>{text}".encode())
    return pages
