"""The type stubs: that they say what the module has, and that a program which uses them is well typed."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def run(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=HERE)
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_say_what_the_module_has(tmp_path: Path) -> None:
    allowed = tmp_path / "allowed"
    # Functions take their options as keywords of any name, and say which by a text. pyarrow is imported when it is needed.
    allowed.write_text("tabulex.*\\.pa\ntabulex\\._tabulex\\.(_again|_node_of|_plan_of|_sanitizer_of|__all__|(Plan|Sanitizer)\\.__new__|parse|parse_fragment|tokens)\ntabulex\\.((Plan|Sanitizer)\\.__new__|parse|parse_fragment|tokens)\n")
    run("mypy.stubtest", "tabulex", "--allowlist", str(allowed), "--ignore-unused-allowlist", "--ignore-disjoint-bases")


def test_the_tests_are_well_typed() -> None:
    run("mypy", "--strict", "--no-error-summary", str(HERE / "test_document.py"), str(HERE / "test_edits.py"))
