"""What the documentation shows: every example runs, and prints what it says."""

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
    # Without a declaration the bytes are UTF-8, as they can be: one character before the blank.
    assert done.stdout.decode() == "2:6: /x (b\n c)\n"
