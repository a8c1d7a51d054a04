"""Runs every example of the documentation and compares its output."""

import doctest
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_the_readme() -> None:
    found = doctest.testfile(str(HERE.parent / "README.md"), module_relative=False)
    assert found.attempted > 5 and found.failed == 0


def test_links() -> None:
    page = "<p>a\n<p>é <a href='/x'> b\n c</a><a name=y>".encode()
    command = [sys.executable, str(HERE.parent / "examples/links.py"), "-"]
    done = subprocess.run(command, input=page, capture_output=True, check=True)
    # Undeclared bytes that are valid UTF-8 are UTF-8: there is one character before the space.
    assert done.stdout.decode() == "2:6: /x (b\n c)\n"
