"""Runs every example of the documentation and compares its output."""

import ast
import doctest
import importlib.util
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


def test_programs() -> None:
    loaded = importlib.util.spec_from_file_location("programs", HERE.parent / "examples/programs.py")
    assert loaded is not None and loaded.loader is not None
    programs = importlib.util.module_from_spec(loaded)
    loaded.loader.exec_module(programs)
    assert programs.links("<p>a\n<a href=/x>b</a>") == [("/x", (2, 1))]
    assert programs.metadata("<title> a </title><meta property=og:image content=b><meta name=x content=c>") == {"title": "a", "og:image": "b"}
    assert programs.select("<div class=article><h2><a href=a></a></h2></div><h2><a href=b></a></h2>") == ["a"]
    assert programs.tables("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>") == [[["a", "b"], ["a", "c"]]]
    assert programs.sanitize("<p onclick=x>a<i>b<script>c</script><b>d") == "<p>ab<b>d</b></p>"
    assert programs.rewrite("<P  ><img src='/i'><img src=i>") == '<P  ><img src="https://cdn.example/i"><img src=i>'
    assert programs.text("<p>a <b> b</b><p hidden>c<p>d") == "a b\n\nd"
    assert programs.markdown("<h1>a</h1><p><b>b</b>") == "# a\n\n**b**\n"
    assert programs.stream([b"<meta charset=koi8-r><p>\xd0\xd2", b"\xc9"]) == "при"
    assert programs.edit("<A href=http://x>") == '<A href=http://x rel="nofollow">'
    assert programs.lint("<!DOCTYPE html>\n</p a>") == ["2:1: unexpected-end-tag", "2:6: end-tag-with-attributes"]
    assert programs.osm("<osm><node lat='1' lon='2.5'/><way/></osm>") == [(1.0, 2.5)]
    assert programs.form("<form><input name=a value=b>") == [("a", "b")]


def test_programs_are_no_longer_than_with_other_libraries() -> None:
    def lines(file: str) -> dict[str, int]:
        functions = [node for node in ast.parse((HERE.parent / file).read_text()).body if isinstance(node, ast.FunctionDef)]
        bodies = {node.name: [step for step in node.body if not (isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant))] for node in functions}
        return {name: sum((step.end_lineno or step.lineno) - step.lineno + 1 for step in steps) for name, steps in bodies.items()}

    lengths, peer_lengths = lines("examples/programs.py"), lines("measure/peer_programs.py")
    assert len(lengths) == 13
    assert {name: (count, peer_lengths[name]) for name, count in lengths.items() if count > peer_lengths[name]} == {}
