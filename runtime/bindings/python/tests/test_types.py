"""Type stubs: checks that they match the module, and that the package, the examples, the measurements and the tests pass mypy's strict
rules."""

import ast
import subprocess
import sys
from pathlib import Path

import pytabulex

PACKAGE = Path(__file__).resolve().parents[1]


def run(*arguments: str) -> None:
    # Runs outside of the sources, so that mypy reads the installed package.
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=PACKAGE / "tests")
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_match_the_module(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    # Functions take options as arbitrary keywords and list them in a signature text. pyarrow is imported on demand.
    allowed.write_text("pytabulex.*\\.pa\npytabulex\\._tabulex\\.(_document_of|_attribute_of|_node_of|_token_of|__all__|(Parser|Plan|Rules|Sanitizer)\\.__new__|parse|parse_fragment|tokens)\npytabulex\\.((Parser|Plan|Rules|Sanitizer)\\.__new__|parse|parse_fragment|tokens)\n")
    run("mypy.stubtest", "pytabulex", "--allowlist", str(allowed), "--ignore-unused-allowlist", "--ignore-disjoint-bases")


def test_stubs_name_all_dialects() -> None:
    stubs = ast.parse((Path(pytabulex.__file__).parent / "_tabulex.pyi").read_text())
    [named] = [node.value for node in stubs.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_Dialect"]
    assert isinstance(named, ast.Subscript) and list(ast.literal_eval(named.slice)) == pytabulex.dialects()


def test_all_is_well_typed() -> None:
    folders = ["examples", "measure", "tests", "tests/engines"]
    files = [str(file) for folder in folders for file in sorted((PACKAGE / folder).glob("*.py"))]
    assert len(files) > 20
    run("mypy", "--config-file", str(PACKAGE / "pyproject.toml"), "--no-error-summary", "-p", "pytabulex")
    run("mypy", "--config-file", str(PACKAGE / "pyproject.toml"), "--no-error-summary", *files)


def test_type_errors_are_found(tmp_path: Path) -> None:
    """Without this, a check that never finds anything would pass."""
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import pytabulex\n\npytabulex.parse(1)\npytabulex.parse('', positions='some')\nnode: pytabulex.Node = pytabulex.parse('').css_first('a')\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(wrong)], capture_output=True, text=True, cwd=tmp_path)
    found = [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line]
    assert found == ["3", "4", "5"], done.stdout
