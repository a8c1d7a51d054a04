"""Rewriting of pages, incremental parsing, and escaping."""

import pytest
import pytabulex

PAGE = "<!DOCTYPE html><h1 ID=a class='x'>Old</h1><!-- c --><p>See <a href=http://x/>this</a>, and <a>that</a><ul><li>1<li>2</ul>"


def test_changes_elements_and_keeps_the_rest() -> None:
    def secure(link: pytabulex.Piece) -> None:
        url = link.get("HREF")
        assert link.kind == "element" and link.name == "a" and link.can_have_contents and url is not None
        assert link.namespace == "http://www.w3.org/1999/xhtml" and link.attrs == {"href": url}
        link.set_attribute("href", url.replace("http:", "https:"))
        link.set_attribute("rel", "nofollow")
        link.remove_attribute("missing")
        assert link.attrs == {"href": "https://x/", "rel": "nofollow"}

    rules = pytabulex.Rules().element("a[href]", secure)
    expected = PAGE.replace("<a href=http://x/>", '<a href="https://x/" rel="nofollow">')
    assert pytabulex.rewrite(PAGE, rules) == expected
    assert pytabulex.rewrite(PAGE.encode(), rules) == expected.encode()
    assert pytabulex.rewrite("<a>", rules) == "<a>" and len(rules) == 1


def test_content_is_markup_or_text() -> None:
    def heading(piece: pytabulex.Piece) -> None:
        piece.before("<hr>")
        piece.after(text="1 < 2")
        piece.prepend("<b>")
        piece.append("</b>")
        piece.set_name("h2")

    rules = pytabulex.Rules().element("h1", heading)
    assert pytabulex.rewrite("<h1>x</h1>y", rules) == "<hr><h2><b>x</b></h2>1 &lt; 2y"
    rules = pytabulex.Rules().element("h1", lambda it: it.set_inner(text="a&b")).element("p", lambda it: it.replace("<br>"))
    assert pytabulex.rewrite("<h1>x</h1><p>y</p>z", rules) == "<h1>a&amp;b</h1><br>z"
    rules = pytabulex.Rules().element("b", lambda it: it.unwrap()).element("i", lambda it: it.remove())
    assert pytabulex.rewrite("<b>x</b><i>y</i>z", rules) == "xz"


def test_other_pieces() -> None:
    kinds = []

    def note(piece: pytabulex.Piece) -> None:
        kinds.append((piece.kind, piece.name, piece.data))

    def end(piece: pytabulex.Piece) -> None:
        note(piece)
        piece.before("!" if piece.is_written else "?")

    rules = pytabulex.Rules()
    rules.doctype(note).comment(None, note).text("h1", note).element("li", lambda it: it.on_end(end))
    changed = pytabulex.rewrite(PAGE, rules)
    assert kinds == [
        ("doctype", "html", None),
        ("text", None, "Old"),
        ("comment", None, " c "),
        ("end", "li", None),
        ("end", "li", None),
    ]
    assert changed == PAGE.replace("<li>1", "<li>1?").replace("<li>2", "<li>2?")
    rules = pytabulex.Rules().comment(None, lambda it: it.set_data("d")).text("h1", lambda it: it.replace(text="<"))
    rules.doctype(lambda it: it.remove()).processing_instruction(None, lambda it: it.remove())
    assert pytabulex.rewrite("<!DOCTYPE html><?php x ?><h1>a</h1><!--c-->", rules) == "<h1>&lt;</h1><!--d-->"


def test_chunks_do_not_affect_results() -> None:
    rules = pytabulex.Rules(encoding="utf-8").element("a", lambda it: it.set_attribute("rel", "é"))
    page = PAGE.replace("Old", "Crêpes").encode()
    whole = pytabulex.rewrite(page, rules)
    for size in (1, 7, 4096):
        rewriter = pytabulex.Rewriter(rules)
        output = [rewriter.feed(page[start : start + size]) for start in range(0, len(page), size)]
        assert b"".join([*output, rewriter.finish()]) == whole
        assert size > 7 or any(output)
        with pytest.raises(ValueError):
            rewriter.feed(b"x")


def test_raises_for_impossible_changes() -> None:
    with pytest.raises(pytabulex.SelectorError):
        pytabulex.Rules().element("a:has(b)", print)
    with pytest.raises(pytabulex.SelectorError):
        pytabulex.Rules().text("a[", print)
    with pytest.raises(TypeError, match="callable"):
        pytabulex.Rules().element("a", 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="limits"):
        pytabulex.Rules(limits={})  # type: ignore[call-arg]

    def fails(_: pytabulex.Piece) -> None:
        raise KeyError("own")

    with pytest.raises(KeyError, match="own"):
        pytabulex.rewrite(PAGE, pytabulex.Rules().element("a", fails))
    with pytest.raises(TypeError, match="text"):
        pytabulex.rewrite(PAGE, pytabulex.Rules().text("h1", lambda it: it.set_data("x")))
    with pytest.raises(TypeError, match="markup"):
        pytabulex.rewrite(PAGE, pytabulex.Rules().element("h1", lambda it: it.before()))
    with pytest.raises(pytabulex.RewriteError):
        pytabulex.rewrite("<style></style>", pytabulex.Rules().element("style", lambda it: it.append(text="</style>")))
    with pytest.raises(pytabulex.RewriteError, match="1000 bytes"):
        pytabulex.rewrite(b"<p title='" + b"x" * 5000, pytabulex.Rules(memory_limit=1000).element("p", print))
    kept: list[pytabulex.Piece] = []
    pytabulex.rewrite("<p>", pytabulex.Rules().element("p", kept.append))
    with pytest.raises(RuntimeError, match="returns"):
        kept[0].remove()


def test_chunked_parser_gives_equal_documents() -> None:
    for page in (PAGE, PAGE.encode("utf-16")):
        whole = pytabulex.parse(page)
        parser = pytabulex.Parser()
        for start in range(0, len(page), 5):
            parser.feed(page[start : start + 5])
        document = parser.finish()
        assert document.dump() == whole.dump() and document.source == page and document.encoding == whole.encoding
        assert [str(error) for error in document.errors] == [str(error) for error in whole.errors]
        first = document.css_first("a")
        assert first is not None and first.span == whole.css("a")[0].span
        with pytest.raises(ValueError, match="finished"):
            parser.finish()


def test_chunked_parser_accepts_fragments_limits_and_one_kind_of_chunk() -> None:
    parser = pytabulex.Parser("tr")
    parser.feed("<td>x")
    assert parser.finish().html == pytabulex.parse_fragment("<td>x", "tr").html
    assert pytabulex.Parser().finish().source == ""
    parser = pytabulex.Parser(limits={"bytes": 100_000})
    while not parser.has_ended:
        parser.feed(b"<p>x" * 1000)
    assert parser.finish().events
    parser = pytabulex.Parser()
    parser.feed("x")
    with pytest.raises(TypeError, match="all `str`"):
        parser.feed(b"x")


def test_escape_and_unescape() -> None:
    text = "a < b & \"c\" > \u00a0"
    assert pytabulex.escape(text) == "a &lt; b &amp; \"c\" &gt; &nbsp;"
    assert pytabulex.escape('"<', attribute=True) == "&quot;&lt;"
    assert pytabulex.unescape("&notit; &lt &#x41;&NotEqualTilde;") == "\u00acit; < A\u2242\u0338"
    for attribute in (False, True):
        assert pytabulex.unescape(pytabulex.escape(text, attribute=attribute)) == text
