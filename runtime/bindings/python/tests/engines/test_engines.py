"""Runs the examples on real engines. The rows must equal those of a batch without an engine, byte for byte, even if a worker is killed.
For an engine that is not installed, the test is skipped with the command that installs it."""

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import pytabulex

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parents[1]
sys.path[:0] = [str(HERE), str(PACKAGE / "examples"), str(PACKAGE / "measure")]

import corpus

# Set before an engine starts its workers, which are separate processes.
os.environ["PYTHONPATH"] = f"{HERE}:{PACKAGE / 'examples'}"
os.environ["PYSPARK_PYTHON"] = sys.executable

PARTS = 4


def engine(name: str, pip: str) -> Any:
    """Returns the example for an engine."""
    module = pip.split("[")[0].split()[0]
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"suite absent: {module}; to get it: pip install {pip}")
    return importlib.import_module(f"with_{name}")


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> list[Path]:
    """Returns WARC files."""
    megabytes = int(request.config.getoption("--megabytes"))
    return corpus.write(tmp_path_factory.mktemp("crawl"), megabytes, PARTS)


@pytest.fixture(scope="session")
def pages(crawl: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns Parquet files of the pages."""
    folder = tmp_path_factory.mktemp("pages")
    for file in crawl:
        table = pa.Table.from_batches(pytabulex.read_warc(file))
        pq.write_table(table, folder / f"{file.name}.parquet", row_group_size=64)
    return folder


@pytest.fixture(scope="session")
def wanted(pages: Path) -> bytes:
    """Returns the rows computed without an engine."""
    plan = importlib.import_module("plan_of_examples").PLAN
    table = pq.read_table(pages)
    return as_bytes(pa.Table.from_batches([plan.batch(table["payload"], table["content_type"], table["url"])]))


def as_bytes(table: pa.Table) -> bytes:
    """Returns the rows sorted by URL in a canonical form, because engines use different column layouts."""
    names = ["url", "title", "links", "lang", "text", "errors", "mime_type", "encoding", "events", "error"]
    rows = sorted(table.select(names).to_pylist(), key=lambda row: str(row["url"]))
    return repr(rows).encode()


def rows_of(out: Path) -> bytes:
    return as_bytes(pq.read_table(out))


def killed(example: Any, monkeypatch: pytest.MonkeyPatch, mark: Path) -> None:
    """Replaces the example's plan by one that kills its process once."""
    import killing

    monkeypatch.setattr(example, "PLAN", killing.Killing(example.PLAN, mark))


@pytest.mark.parametrize("dies", [False, True], ids=["whole", "killed"])
def test_spark(pages: Path, wanted: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies: bool) -> None:
    example = engine("spark", "pyspark 'pandas<3'")
    mark = tmp_path / "killed"
    if dies:
        killed(example, monkeypatch, mark)
    example.main(str(pages), str(tmp_path / "out"))
    assert rows_of(tmp_path / "out") == wanted and mark.exists() == dies


@pytest.mark.parametrize("dies", [False, True], ids=["whole", "killed"])
def test_ray(crawl: list[Path], wanted: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies: bool) -> None:
    example = engine("ray", "ray[data]")
    mark = tmp_path / "killed"
    if dies:
        killed(example, monkeypatch, mark)
    example.main(str(tmp_path / "out"), *map(str, crawl))
    assert rows_of(tmp_path / "out") == wanted and mark.exists() == dies


@pytest.mark.parametrize("dies", [False, True], ids=["whole", "killed"])
def test_dask(crawl: list[Path], wanted: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies: bool) -> None:
    example = engine("dask", "distributed")
    mark = tmp_path / "killed"
    if dies:
        killed(example, monkeypatch, mark)
    example.main(str(tmp_path / "out"), *map(str, crawl))
    assert rows_of(tmp_path / "out") == wanted and mark.exists() == dies


@pytest.mark.parametrize("name", ["polars", "datafusion", "duckdb"])
def test_others(pages: Path, wanted: bytes, tmp_path: Path, name: str) -> None:
    engine(name, name)
    out = tmp_path / "out.parquet"
    # Runs the example as a user would.
    subprocess.run([sys.executable, str(PACKAGE / f"examples/with_{name}.py"), str(pages), str(out)], check=True)
    assert rows_of(out) == wanted


def test_examples_are_short() -> None:
    files = sorted((PACKAGE / "examples").glob("with_*.py"))
    assert len(files) == 6
    for file in files:
        assert len(file.read_text().splitlines()) <= 40, file.name


def test_pandas() -> None:
    """Series are read like lists, whatever their dtype: text stays text, and a mixture of text and bytes is rejected."""
    if importlib.util.find_spec("pandas") is None:
        pytest.skip("suite absent: pandas; to get it: pip install pandas")
    import pandas

    def texts(series: Any) -> Any:
        return pytabulex.batch(series)["text"].to_pylist()

    assert texts(pandas.Series(["é", None, float("nan"), pandas.NA], dtype=object)) == ["é", None, None, None]
    assert texts(pandas.Series(["é", None], dtype="string")) == ["é", None]
    assert texts(pandas.Series([b"<meta charset=utf-8>\xc3\xa9", b"\xe9", None])) == ["é", "é", None]
    assert texts(pandas.Series(["é", "y"]).to_numpy(dtype=object)) == ["é", "y"]
    with pytest.raises(TypeError, match="either str or bytes"):
        texts(pandas.Series(["é", float("nan"), b"x"]))
