"""Batches of columns: types, layouts, rows with errors, threads, pickling, and equality with the results of documents."""

import _thread
import gzip
import pickle
import random
import signal
import threading
from types import MappingProxyType

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pytest
import pytabulex
from support import generated, pages

SELECT = {
    "title": "title:first",
    "lang": "html:first@lang",
    "links": "a[href]@href",
    "headings": "h1, h2",
    "images": "img@{src, alt, ::span}",
    "first": "p:first@{class, ::text}",
}


def test_types() -> None:
    plan = pytabulex.Plan(SELECT, errors=True)
    span = pa.struct([pa.field("start", pa.int64(), False), pa.field("end", pa.int64(), False)])
    assert plan.schema.field("title").type == pa.string()
    assert plan.schema.field("links").type == pa.list_(pa.string())
    assert plan.schema.field("images").type == pa.list_(pa.struct([("src", pa.string()), ("alt", pa.string()), ("span", span)]))
    assert plan.schema.field("first").type == pa.struct([("class", pa.string()), ("text", pa.string())])
    assert plan.schema.names == [*SELECT, "text", "errors", "mime_type", "encoding", "events", "error"]
    made = plan.batch(["<p>"])
    assert isinstance(made, pa.RecordBatch) and made.schema == plan.schema
    made.validate(full=True)
    with_url = plan.batch([b"<p>"], url=["https://a.example"])
    assert with_url.schema.names[0] == "url" and with_url["url"].to_pylist() == ["https://a.example"]
    assert pytabulex.Plan(text=False).schema.names == ["mime_type", "encoding", "events", "error"]


def test_rows_match_documents() -> None:
    contents = pages()[:80] + generated()
    made = pytabulex.batch(contents, select=SELECT, text="all", errors=True, threads=2)
    made.validate(full=True)
    for content, row in zip(contents, made.to_pylist(), strict=True):
        document = pytabulex.parse(content)
        title, first, root = document.css_first("title"), document.css_first("p"), document.css_first("html")
        assert row["title"] == (title and title.text())
        assert row["lang"] == (root and root.get("lang"))
        assert row["links"] == [link["href"] for link in document.css("a[href]")]
        assert row["headings"] == [heading.text() for heading in document.css("h1, h2")]
        for image, found in zip(document.css("img"), row["images"], strict=True):
            span = image.span
            assert (found["src"], found["alt"]) == (image.get("src"), image.get("alt")) and span is not None
            assert found["span"] == {"start": span.start, "end": span.stop}
        assert row["first"] == (first and {"class": first.get("class"), "text": first.text()})
        errors = [(error["code"], error["start"], error["end"], error["line"], error["column"]) for error in row["errors"]]
        assert errors == [(one.code, one.span.start, one.span.stop, one.line, one.column) for one in document.errors]
        literal = {"script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext"}
        texts = [node.data for node in document.descendants() if node.is_text and node.parent is not None and node.parent.tag not in literal]
        assert row["text"] == "".join(text or "" for text in texts)
        assert (row["encoding"], row["events"], row["error"]) == (document.encoding, [], None)


def test_contents_match_documents() -> None:
    contents = pages()[:40] + generated()[:200]
    urls = [f"https://a.example/{index}/" for index in range(len(contents))]
    plan = pytabulex.Plan(markdown=True, links=True, tables=True)
    assert plan.schema.names[:4] == ["text", "markdown", "links", "tables"]
    assert plan.schema.field("tables").type == pa.list_(pa.list_(pa.list_(pa.string())))
    made = plan.batch(contents, url=urls, threads=2)
    made.validate(full=True)
    for content, url, row in zip(contents, urls, made.to_pylist(), strict=True):
        document = pytabulex.parse(content)
        assert row["text"] == document.rendered_text()
        assert row["markdown"] == document.markdown()
        assert row["links"] == [link.url for link in document.links(url)]
        assert row["tables"] == document.tables()
    assert pytabulex.batch(["<a href=x>"], links=True)["links"].to_pylist() == [[]]
    legacy = pytabulex.Plan({"url of x": "a@href::url"}, links=True).batch([b"<meta charset=koi8-r><a href='http://a/?\xd6'>"])
    assert legacy["url of x"].to_pylist() == legacy["links"].to_pylist() == [["http://a/?%D6"]]
    with pytest.raises(ValueError, match="is taken by another column"):
        pytabulex.Plan({"links": "a"}, links=True)
    with pytest.raises(ValueError, match="`text` must be"):
        pytabulex.Plan(text="some")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "layout",
    [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()],
    ids=str,
)
def test_layouts(layout: pa.DataType) -> None:
    column = pa.array(["<p>é", None, "<p>b"], pa.string())
    column = column.cast(pa.binary()).cast(layout) if "binary" in str(layout) else column.cast(layout)
    made = pytabulex.batch(column, select={"p": "p"}, fallback_encoding="utf-8")
    assert made["p"].to_pylist() == [["é"], None, ["b"]]
    assert made.slice(1)["text"].to_pylist() == [None, "b"]
    # A slice of a column, and a column of several chunks.
    assert pytabulex.batch(column[2:], select={"p": "p"})["p"].to_pylist() == [["b"]]
    chunked = pa.chunked_array([column, column[:0], column[2:]])
    assert pytabulex.batch(chunked, fallback_encoding="utf-8")["text"].to_pylist() == ["é", None, "b", "b"]
    assert pytabulex.batch(pa.chunked_array([], layout))["text"].to_pylist() == []
    assert pytabulex.batch(pa.nulls(2))["text"].to_pylist() == [None, None]


def test_sliced_layouts() -> None:
    """Dictionary-encoded columns, as in Parquet files with few distinct values, and run-end-encoded ones."""
    values = ["<p>a", None, "<p>b", "<p>b", "<p>a"]
    for layout in (pa.string(), pa.large_string(), pa.string_view(), pa.binary()):
        plain = pa.array(values).cast(pa.binary()).cast(layout) if layout == pa.binary() else pa.array(values).cast(layout)
        column = pa.DictionaryArray.from_arrays(pa.array([0, None, 1, 1, 0], pa.int8()), pa.array(["<p>a", "<p>b"]).cast(layout))
        wanted = pytabulex.batch(plain, plain, plain, select={"p": "p:first"})
        assert pytabulex.batch(column, column, column, select={"p": "p:first"}).equals(wanted)
        # Each chunk has its own dictionary.
        other = pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), pa.array(["<p>c"]).cast(layout))
        assert pytabulex.batch(pa.chunked_array([column, other]), select={"p": "p:first"})["p"].to_pylist() == ["a", None, "b", "b", "a", "c"]
        assert pytabulex.batch(pa.chunked_array([], column.type)).num_rows == 0
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["<p>a", "<p>b"]))
    assert pytabulex.batch(runs)["text"].to_pylist() == ["a", "a", "b"]


def test_lists() -> None:
    assert pytabulex.batch([])["text"].to_pylist() == [] and pytabulex.batch([None])["text"].to_pylist() == [None]
    assert pytabulex.batch(("<p>a", None))["text"].to_pylist() == ["a", None]
    assert pytabulex.batch(page for page in ["<p>a"])["text"].to_pylist() == ["a"]
    assert pytabulex.batch([bytearray(b"<p>a"), memoryview(b"<p>b"), None])["text"].to_pylist() == ["a", "b", None]
    # Lone surrogates are read as by ``parse``, and do not raise an exception for the batch.
    page = "<title>\ud800x\udfff</title>é𝒳"
    assert pytabulex.batch([page, None, "y"])["text"].to_pylist() == [pytabulex.parse(page).rendered_text(), None, "y"]
    # A ``str`` would be read as one page per character, and text that pyarrow converts to bytes would be decoded by detection.
    for wrong in ("<p>a", b"<p>a", ["é", b"x"], ("é", b"x"), [1], 1, None, {"a": "b"}, [["a"]], pa.table({"a": ["b"]})):
        with pytest.raises(TypeError):
            pytabulex.batch(wrong)


def test_content_types() -> None:
    column = ["Привет".encode("koi8-r"), "Привет".encode("cp1251"), b"<meta charset=utf-8>\xc3\xa9", b"\xe9"]
    types = ["text/html; charset=koi8-r", 'text/html;charset="windows-1251"', None, "text/html; charset=nonsense"]
    for content_type in (types, pa.array(types, pa.large_string()), pa.array([one and one.encode() for one in types])):
        made = pytabulex.batch(column, content_type)
        assert made["text"].to_pylist() == ["Привет", "Привет", "é", "é"]
        assert made["encoding"].to_pylist() == ["KOI8-R", "windows-1251", "UTF-8", "windows-1252"]
    assert pytabulex.batch(["é"], ["text/html; charset=koi8-r"])["encoding"].to_pylist() == [None]


def test_rejects_other_types() -> None:
    """Each row's type follows the MIME Sniffing standard; rows that are not markup have no results, which is not an error."""
    binary = [b"%PDF-1.7\n<p>x", b"\x89PNG\r\n\x1a\n\0\0", gzip.compress(b"<p>x"), bytes(range(256)), b"PK\x03\x04<p>x"]
    column = [*binary, b"<p>x", b"x", b"\n<?xml version='1.0'?><p>x</p>", None]
    made = pytabulex.batch(column, select={"p": "p"}, errors=True)
    types = ["application/pdf", "image/png", "application/x-gzip", "application/octet-stream", "application/zip", "text/html", "text/plain", "text/xml", None]
    assert made["mime_type"].to_pylist() == types
    assert made["text"].to_pylist() == [None] * 5 + ["x", "x", "x", None]
    assert made["p"].to_pylist() == [None] * 5 + [["x"], [], ["x"], None]
    for name in ("errors", "encoding", "events"):
        assert made[name].slice(0, 5).null_count == 5 and made[name].slice(5, 3).null_count == 0, name
    assert made["error"].null_count == len(column) and pytabulex.batch(column, select={"p": "p"}, errors=True, threads=2).equals(made)
    # The type given by the transport layer takes precedence over sniffing, also for text.
    texts = {"application/pdf": None, "image/svg+xml; charset=utf-8": "x", "Text/HTML": "x", "text/plain": None, "*/*": "x", "": "x", "text": "x"}
    for content in ("<p>x", b"<p>x"):
        assert pytabulex.batch([content] * len(texts), list(texts))["text"].to_pylist() == list(texts.values())
    assert pytabulex.batch(["<p>x\0"])["mime_type"].to_pylist() == [None]
    assert pytabulex.batch([b"%PDF-"], ["text/html"])["text"].to_pylist() == ["%PDF-"]
    # Bytes with a known encoding are text.
    assert pytabulex.batch(["<p>x".encode("utf-16-le")], encoding="utf-16le")["text"].to_pylist() == ["x"]


def test_urls_are_resolved() -> None:
    page = "<a href='../x?q=1#f'>x</a><a href=//b.example>y</a><a href='http://['>z</a><a>n</a><img data-src=i.png>"
    select = {"links": "a[href]@href::url", "first": "a:first@{href::url, ::text}", "images": "img@data-src::url"}
    column = [page, "<base href=https://c.example/d/>" + page, page]
    for urls in (["https://a.example/b/c", None, None], pa.array([b"https://a.example/b/c", None, b"no url"])):
        made = pytabulex.batch(column, url=urls, select=select, threads=2)
        assert made["links"].to_pylist() == [
            ["https://a.example/x?q=1#f", "https://b.example/", None],
            ["https://c.example/x?q=1#f", "https://b.example/", None],
            [None, None, None],
        ]
        assert made["first"][0].as_py() == {"href": "https://a.example/x?q=1#f", "text": "x"}
        assert made["images"].to_pylist() == [["https://a.example/b/i.png"], ["https://c.example/d/i.png"], [None]]
    assert pytabulex.batch(column[1:2], select=select)["images"].to_pylist() == [["https://c.example/d/i.png"]]
    for wrong in ("a::url", "a@::url", "a@b c::url"):
        with pytest.raises(ValueError):
            pytabulex.Plan({"x": wrong})


def test_failing_pages_become_rows() -> None:
    nested = "<div>" * 500 + "x" * 300_000
    bombs = ["<b>" * 100_000, "<a " + " ".join(f"a{n}" for n in range(100_000)) + ">", "<table>" * 50_000, "&" * 100_000, "\0" * 9, ""]
    made = pytabulex.batch([nested, *bombs, "<p>fine"], select={"divs": "div"}, threads=2)
    errors = made["error"].to_pylist()
    assert errors[0] is not None and "bytes" in errors[0] and errors[1:] == [None] * 7
    assert made["divs"].to_pylist()[0] is None and made["text"].to_pylist()[-1] == "fine"
    events = made["events"].to_pylist()
    assert len(events[1]) == 1 and "flattened" in events[1][0] and events[-1] == []
    held = pytabulex.batch(["<p>x" * 100_000, "y"], limits={"bytes": 100_000})
    assert "memory limit" in held["events"].to_pylist()[0][0] and held["text"].to_pylist()[1] == "y"
    small = pytabulex.batch([nested], select={"divs": "div:first"}, row_limit=300_000)
    assert small["error"].to_pylist() == [None] and len(small["divs"][0].as_py()) == 300_000


def test_rows_beyond_column_offsets_become_errors(request: pytest.FixtureRequest) -> None:
    """Offsets of columns have 32 bits. Rows that do not fit report that, whatever the number of threads; columns of several chunks may
    exceed the limit."""
    if not request.config.getoption("--large"):
        pytest.skip("takes some 12 GB of memory; to run it: cargo xtask python -- --large")
    page = b"<p>" + b"x" * 60_000_000
    column = pa.array([page] * 40, pa.large_binary())
    alone = pytabulex.batch(column)
    errors = alone["error"].to_pylist()
    assert errors[:35] == [None] * 35 and all("fewer pages" in error for error in errors[35:])
    assert pytabulex.batch(column, threads=2).equals(alone)
    del alone
    pieces = pa.chunked_array([pa.array([page] * 30, pa.binary()), pa.array([page] * 30, pa.binary())])
    assert pytabulex.batch(pieces, text=False, select={"p": "p:first@class"})["error"].null_count == 60


def test_errors_by_code() -> None:
    page = "</a></b><p></i><p a a></i>"
    made = pytabulex.batch([page, "<!DOCTYPE html>"], errors="counts", text=False)
    wrong, fine = made["errors"].to_pylist()
    assert {one["code"]: one["count"] for one in wrong} == counted(page) and len(wrong) > 2 and fine == []
    assert [one["code"] for one in wrong] == sorted(one["code"] for one in wrong)


def counted(page: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for error in pytabulex.parse(page).errors:
        counts[error.code] = counts.get(error.code, 0) + 1
    return counts


def test_contains_is_optional() -> None:
    select = {"x": 'p:contains("a"):first'}
    plan = pytabulex.Plan(select, contains=True)
    for plan in (plan, pickle.loads(pickle.dumps(plan))):
        assert plan.batch(["<p>b<p>ca", "<p>b"])["x"].to_pylist() == ["ca", None]
    with pytest.raises(ValueError, match="unknown pseudo-class"):
        pytabulex.Plan(select)


def test_threads_do_not_affect_results() -> None:
    column = pa.array(pages()[:60] + generated() + [b""] * 30)
    plan = pytabulex.Plan(SELECT, errors=True)
    alone = plan.batch(column)
    for threads in (0, 2, 3, 200, 10**18):
        assert plan.batch(column, threads=threads).equals(alone)
    assert plan.batch(column[:1], threads=4).equals(alone.slice(0, 1))


def test_plans_pickle() -> None:
    plan = pytabulex.Plan(SELECT, text=False, markdown=True, errors="counts", limits={"depth": 5}, scripting=True, row_limit=99)
    again = pickle.loads(pickle.dumps(plan))
    column = ["<p><p><div><div><div><div><div><noscript><b>x", "y" * 100]
    assert again.schema == plan.schema and again.batch(column).equals(plan.batch(column))
    assert repr(pytabulex.Plan({"a": "b@c"})) == "Plan({'a': 'b@c'})"
    # Later changes to the arguments do not affect the plan.
    limits: pytabulex.Limits = {"depth": 5}
    select = {"a": "b"}
    plan = pytabulex.Plan(MappingProxyType(select), limits=limits)
    limits["depth"], select["c"] = 500, "d"
    assert pickle.loads(pickle.dumps(plan)).batch(column).equals(plan.batch(column)) and plan.batch(column)["events"][0].as_py() != []


def test_rejects_invalid_arguments() -> None:
    for select in ({"a": "b["}, {"a": "b@"}, {"text": "b"}, {"error": "b"}, {"a": ""}):
        with pytest.raises(ValueError):
            pytabulex.Plan(select)
    for option in ({"positions": "all"}, {"content_type": "text/html"}, {"declarative_shadow_roots": True}, {"x": 1}):
        with pytest.raises(TypeError, match="unknown argument"):
            pytabulex.Plan(**option)
    with pytest.raises(TypeError, match="must be a mapping of column names"):
        pytabulex.Plan(["a"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="errors"):
        pytabulex.Plan(errors="x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must have text or bytes, not the type `Int64`"):
        pytabulex.batch([1, 2])
    with pytest.raises(ValueError, match="length 2, but the number of pages is 1"):
        pytabulex.batch(["a"], ["b", "c"])
    with pytest.raises(ValueError, match="length 2, but the number of pages is 1"):
        pytabulex.batch(["a"], url=["b", "c"])


def test_other_dialects() -> None:
    made = pytabulex.batch(["<a b='1'><c b='2'>x</c></a>"], select={"b": "*@b", "c": "c::html"}, dialect="xml-er")
    assert made["b"].to_pylist() == [["1", "2"]] and made["c"].to_pylist() == [['<c b="2">x</c>']]


def mutated(choose: random.Random, page: bytes) -> bytes:
    """Returns a page with some bytes changed, moved or removed."""
    changed = bytearray(page)
    for _ in range(choose.randrange(1, 12)):
        at = choose.randrange(len(changed) + 1)
        match choose.randrange(4):
            case 0:
                changed[at : at + choose.randrange(9)] = choose.randbytes(choose.randrange(9))
            case 1:
                del changed[at : at + choose.randrange(200)]
            case 2:
                start = choose.randrange(len(page) + 1)
                changed[at:at] = page[start : start + choose.randrange(300)]
            case _:
                changed[at:at] = choose.choice([b"<", b">", b"</", b"<!--", b"<svg>", b"<table>", b"<template>", b"&", b"\0", b"'", b'"'])
    return bytes(changed)


def test_accepts_any_bytes(request: pytest.FixtureRequest) -> None:
    """``--mutations N`` tests more than a sample; TABULEX_SEED is the seed of the sample."""
    import os

    seed = int(os.environ.get("TABULEX_SEED", "1"))
    count = int(request.config.getoption("--mutations"))
    choose, plan = random.Random(seed), pytabulex.Plan(SELECT, errors="counts")
    known = [page[:20_000] for page in pages()] + generated()
    print(f"{count} pages, TABULEX_SEED={seed}")
    done = 0
    while done < count:
        column = [mutated(choose, choose.choice(known)) for _ in range(min(500, count - done))]
        column[0] = choose.randbytes(5_000)
        made = plan.batch(column, threads=2)
        assert made.num_rows == len(column)
        assert made["error"].null_count == len(column), [error for error in made["error"].to_pylist() if error]
        done += len(column)


def test_metadata_is_a_plan() -> None:
    page = "<html lang=en><title>T</title><meta name=Description content=D><link rel='x canonical' href=/c><meta property=og:image content=i.png>"
    [row] = pytabulex.batch([page], url=["https://a.example/b/"], select=pytabulex.METADATA).select([*pytabulex.METADATA]).to_pylist()
    assert row == {
        "title": "T",
        "language": "en",
        "description": "D",
        "author": None,
        "published": None,
        "site": None,
        "image": "https://a.example/b/i.png",
        "canonical": "https://a.example/c",
    }


def test_an_interrupt_ends_a_batch() -> None:
    column = [b"<p>x" * 250_000] * 200
    # Processes in the background ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            threading.Timer(0.1, _thread.interrupt_main).start()
            pytabulex.batch(column, threads=2)
    finally:
        signal.signal(signal.SIGINT, before)
