"""Compares Python with the Rust side on every page of the corpus, as text and as bytes: trees and errors must equal those printed by the
program ``tabulex``. ``TABULEX_PROGRAM`` names the program; otherwise, cargo builds it from the same checkout, in its own workspace."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import pytabulex
from support import ROOT, generated, pages


def printed(folder: Path, *options: str) -> list[dict[str, object]]:
    """Returns the program's output for all files of a folder."""
    program = os.environ.get("TABULEX_PROGRAM", "")
    built = [program] if Path(program).is_file() else ["cargo", "run", "--quiet", "--package", "tabulex-cli", "--"]
    if shutil.which(built[0]) is None:
        pytest.skip("cargo is absent, and with it the program to compare with: https://rustup.rs")
    command = [*built, "parse", "--errors", *options, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    # Exit status 3 means that limits were reached.
    assert done.returncode in (0, 3), done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def checked(documents: list[pytabulex.Document], answers: list[dict[str, object]], is_text: bool) -> None:
    assert len(documents) == len(answers)
    for document, answer in zip(documents, answers, strict=True):
        name = str(answer["file"])
        assert document.dump().rstrip("\n") == str(answer["tree"]).rstrip("\n"), name
        errors = answer["errors"]
        assert isinstance(errors, list)
        found = [(error.code, error.line, error.column) for error in document.errors]
        assert found == [(error["code"], error["line"], error["col"]) for error in errors], name
        if not is_text:
            continue
        # The program counts bytes of the text, Python code points.
        encoded = str(document.source).encode()
        for error, ours in zip(errors, document.errors, strict=True):
            assert len(encoded[: error["start"]].decode()) == ours.span.start, name


def written(folder: Path, contents: list[bytes]) -> None:
    for number, content in enumerate(contents):
        (folder / f"{number:04}.html").write_bytes(content)


def test_pages_as_bytes(tmp_path: Path) -> None:
    contents = pages() + generated()
    written(tmp_path, contents)
    documents = [pytabulex.parse(content, fallback_encoding="utf-8") for content in contents]
    checked(documents, printed(tmp_path), is_text=False)


def test_pages_as_text(tmp_path: Path) -> None:
    # In bytes, a byte order mark is not text; in text, it would be a character that counts.
    contents = [page.decode("utf-8", "replace").lstrip("\ufeff") for page in pages() + generated()]
    written(tmp_path, [content.encode() for content in contents])
    documents = [pytabulex.parse(content) for content in contents]
    checked(documents, printed(tmp_path, "--encoding", "utf-8"), is_text=True)
