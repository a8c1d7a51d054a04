"""Documents, nodes, selectors, ranges, reports, pickling: one test for each aspect of the API."""

import copy
import bisect
import pickle
import re
import threading
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest
import pytabulex
from support import generated, pages

PAGE = "<!DOCTYPE html><title>Crêpes 𝒳</title><p class='a b' id=x>See <a href='/ü?a&amp;b' REL=next>thïs</a><br>\r\n<b>no"


def test_module_lists_its_names() -> None:
    import doctest

    assert doctest.testmod(pytabulex).failed == 0
    assert sorted(pytabulex.__all__) == pytabulex.__all__
    for name in pytabulex.__all__:
        assert getattr(pytabulex, name).__doc__, name


def test_package_and_module_share_a_name() -> None:
    """The name `tabulex` on PyPI belongs to someone else: no text may tell readers to install or import it."""
    assert metadata.metadata(pytabulex.__name__)["Name"] == pytabulex.__name__
    package = Path(__file__).parent.parent
    texts = [*package.rglob("*.py"), *package.rglob("*.md"), package / "pyproject.toml", package.parent.parent / "README.md"]
    for text in texts:
        assert not re.search(r"\b(install|import|from|-m) tabulex\b", text.read_text()), text


def test_navigates_between_nodes() -> None:
    document = pytabulex.parse(PAGE)
    assert document.body is not None and document.head is not None
    paragraph = document.css_first("#x")
    link = document.css_first("a[href]")
    assert paragraph is not None and link is not None
    assert link.parent == paragraph and link in paragraph.children and link != paragraph
    assert len({link, document.css_first("a"), paragraph}) == 2
    assert [node.tag for node in link.ancestors] == ["p", "body", "html", None]
    assert [node.tag for node in paragraph.elements] == ["a", "br", "b"]
    assert link.previous_sibling == paragraph.first_child and link.next_sibling == link.next_element
    assert paragraph.last_child is not None and paragraph.last_child.previous_element is not None
    assert [node.kind for node in document.root] == ["doctype", "element"]
    assert document.document_element == document.root.last_child
    assert [node.kind for node in paragraph.descendants()] == [
        "text", "element", "text", "element", "text", "element", "text",
    ]  # fmt: skip
    assert list(link.descendants()) == link.children
    assert document.root.parent is None and document.node_count == 15
    assert paragraph.document is document and bool(link)


def test_attributes() -> None:
    link = pytabulex.parse(PAGE).css_first("a")
    assert link is not None
    assert link.attrs == {"href": "/ü?a&b", "rel": "next"}
    assert (link["rel"], link.get("rel"), link.get("id"), link.get("id", 0)) == ("next", "next", None, 0)
    assert "rel" in link and "id" not in link
    with pytest.raises(KeyError, match="id"):
        link["id"]
    paragraph = link.parent
    assert paragraph is not None and (paragraph.id, paragraph.classes) == ("x", ["a", "b"])
    svg = pytabulex.parse("<svg xlink:href=1>").css_first("svg")
    assert svg is not None and svg.namespace == "http://www.w3.org/2000/svg" and svg.attrs == {"xlink:href": "1"}
    [attribute] = svg.attributes
    assert (attribute.prefix, attribute.local_name, attribute.value) == ("xlink", "href", "1")
    assert attribute.namespace == "http://www.w3.org/1999/xlink" and attribute.name == "xlink:href"


def test_text_and_markup() -> None:
    document = pytabulex.parse(PAGE)
    paragraph = document.css_first("p")
    assert paragraph is not None
    assert paragraph.text() == "See thïs\nno"
    assert paragraph.text("|", strip=True) == "See|thïs|no"
    assert paragraph.inner_html == 'See <a href="/ü?a&amp;b" rel="next">thïs</a><br>\n<b>no</b>'
    assert paragraph.html == f'<p class="a b" id="x">{paragraph.inner_html}</p>'
    assert document.html.startswith("<!DOCTYPE html><html><head><title>Crêpes 𝒳</title>")
    assert pytabulex.parse(document.html).dump() == document.dump()
    assert document.text() == "Crêpes 𝒳See thïs\nno"
    assert paragraph.to_json().startswith('["p",') or "p" in paragraph.to_json()
    assert paragraph.to_xml().startswith("<p ")


def test_selectors() -> None:
    document = pytabulex.parse(PAGE)
    assert [node.tag for node in document.css("p > :not(br)")] == ["a", "b"]
    assert document.css_first("i") is None and document.css_first("i", 3) == 3
    assert document.css_matches("p a") and not document.css_matches("i")
    link = document.css_first("a")
    assert link is not None and link.matches("[rel=next]") and not link.matches("b")
    assert link.closest("p") == link.parent and link.closest("i") is None
    selector = pytabulex.Selector("s|a", {"s": "http://www.w3.org/2000/svg"})
    assert document.css(selector) == [] and selector == pickle.loads(pickle.dumps(selector))
    texts = pytabulex.Selector('p:contains("a")', contains=True)
    assert pickle.loads(pickle.dumps(texts)) == texts and pytabulex.parse("<p>a<p>b").css(texts)[0].text() == "a"
    with pytest.raises(pytabulex.SelectorError):
        pytabulex.Selector(texts.text)
    assert str(selector) == selector.text == "s|a" and repr(selector) == 'Selector("s|a")'
    with pytest.raises(pytabulex.SelectorError, match="selector"):
        document.css("a[")
    with pytest.raises(TypeError):
        document.css(3)  # type: ignore[arg-type]
    for number in range(1200):
        assert document.css(f".c{number}") == []


@pytest.mark.parametrize("parse", [pytabulex.parse, pytabulex.parse_fragment])
def test_later_queries_select_as_the_first(parse: Callable[[str], pytabulex.Document]) -> None:
    # Foster parenting puts elements before earlier ones.
    html = "<table id=t><b>1<tr><td>2</table><p>3<template><p>4</template><svg><p></svg>"
    document = parse(html)
    size, elements = document.__sizeof__(), document.css("*")
    assert document.__sizeof__() > size and elements == [node for node in document.descendants() if node.is_element]
    for selector in ["p, b", "b + table td", "#t ~ p", "td:nth-last-child(1)", "html > body", "i"]:
        assert document.css(selector) == [node for node in elements if node.matches(selector)]
        assert [node.html for node in parse(html).css(selector)] == [node.html for node in document.css(selector)]
    root = document.document_element
    assert root is not None and document.css(":scope > *") == root.elements


@pytest.mark.parametrize("encode", [False, True])
def test_ranges_are_slices_of_the_source(encode: bool) -> None:
    source = PAGE.encode() if encode else PAGE

    def written(piece: slice | None) -> str:
        assert piece is not None
        found = source[piece]
        return found.decode() if isinstance(found, bytes) else found

    document = pytabulex.parse(source, encoding="utf-8")
    assert document.source is source
    link, last = document.css_first("a"), document.css_first("b")
    assert link is not None and last is not None
    assert written(link.span) == "<a href='/ü?a&amp;b' REL=next>" and written(link.end_span) == "</a>"
    assert [written(one.name_span) for one in link.attributes] == ["href", "REL"]
    assert [written(one.value_span) for one in link.attributes] == ["/ü?a&amp;b", "next"]
    text = link.first_child
    assert text is not None and written(text.span) == "thïs"
    assert link.position == (1, PAGE.index("<a") + 1) and last.position == (2, 1) and last.end_span is None
    assert document.document_element is not None and document.document_element.span is None
    [error] = document.errors
    assert (error.code, error.line, error.column) == ("expected-closing-tag-but-got-eof", 2, 6)
    assert error.span == slice(len(source), len(source)) and str(error) == "2:6: expected-closing-tag-but-got-eof"


def test_ranges_of_every_node_of_every_page() -> None:
    for page in pages()[:60] + generated():
        text = page.decode("utf-8", "replace")
        document = pytabulex.parse(text)
        encoded = pytabulex.parse(text.encode(), encoding="utf-8")
        for one, other in zip(document.descendants(), encoded.descendants(), strict=True):
            if one.span is None:
                assert other.span is None
                continue
            assert other.span is not None
            # Without a byte order mark, offsets in text and in bytes agree.
            written = text[one.span]
            assert text.encode()[other.span].decode() == written
            if one.is_element and one.tag is not None:
                assert written[1 : 1 + len(one.tag)].lower() == one.tag.lower()


def test_links_are_resolved() -> None:
    document = pytabulex.parse("<base href=/b/><a href=' c '>1</a><img src=//example.org/d><a href='http://['>2</a><a>3</a>")
    assert document.base_url("https://example.com/a/") == "https://example.com/b/"
    links = document.links("https://example.com/a/")
    assert [(link.element.tag, link.attribute, link.url) for link in links] == [
        ("a", "href", "https://example.com/b/c"),
        ("img", "src", "https://example.org/d"),
    ]
    assert [document.source[link.span] for link in links if link.span is not None] == ["c", "//example.org/d"]
    body = document.body
    assert body is not None and [link.url for link in body.links("https://example.com/a/")] == [link.url for link in links]
    page = "<meta charset=windows-1251><base href='/?ж'><a href='é?жé'>x</a>".encode("cp1251", "xmlcharrefreplace")
    legacy = pytabulex.parse(page)
    assert legacy.base_url("https://a.example/") == "https://a.example/?%E6"
    url = "https://a.example/%C3%A9?%E6%26%23233%3B"
    assert [link.url for link in legacy.links("https://a.example/")] == [url]
    assert legacy.markdown(url="https://a.example/") == f"[x]({url})\n"
    assert pytabulex.parse_fragment("<a href=x>", "p").links("https://a.example/y")[0].url == "https://a.example/x"
    with pytest.raises(ValueError, match="nowhere"):
        document.links("nowhere")


def test_encodings() -> None:
    bytes_ = "<meta charset=windows-1251><p>Привет <b>x".encode("cp1251")
    document = pytabulex.parse(bytes_)
    assert (document.encoding, document.encoding_confidence) == ("windows-1251", "certain")
    bold = document.css_first("b")
    assert bold is not None and bold.span is not None and bytes_[bold.span] == b"<b>"
    assert "Привет" in document.text()
    assert pytabulex.parse(bytes_, content_type="text/html; charset=KOI8-R").encoding == "KOI8-R"
    assert pytabulex.parse(b"\xef\xbb\xbf<p>", encoding="koi8-r").encoding == "UTF-8"
    assert pytabulex.parse(b"<p>", fallback_encoding="utf-8").encoding == "UTF-8"
    assert pytabulex.parse(b"<p>", likely_encoding="shift_jis").encoding == "Shift_JIS"
    assert pytabulex.parse(b"<p>", locale="ja", autodetect=False).encoding == "Shift_JIS"
    assert pytabulex.parse(b"<p>\xe9", locale="pl").encoding == "ISO-8859-2"
    # Undeclared bytes that are valid UTF-8 are read as UTF-8, unless the locale's default is requested.
    undeclared = b"<p>caf\xc3\xa9"
    assert (pytabulex.parse(undeclared).text(), pytabulex.parse(undeclared).encoding) == ("caf\u00e9", "UTF-8")
    assert pytabulex.parse(undeclared, autodetect=False).text() == "caf\u00c3\u00a9"
    # Ranges are offsets in the bytes, including a byte order mark.
    marked = pytabulex.parse(b"\xef\xbb\xbf<p id=a>x").css_first("p")
    assert marked is not None and marked.span == slice(3, 11)
    assert pytabulex.parse(b"<p>", parent_encoding="euc-kr").encoding == "EUC-KR"
    assert (pytabulex.parse("<p>").encoding, pytabulex.parse("<p>").encoding_confidence) == (None, "irrelevant")
    for buffer in (bytearray(bytes_), memoryview(bytes_)):
        assert pytabulex.parse(buffer).dump() == document.dump()
    utf16 = "\ufeffé<b>".encode("utf-16-le")
    wide = pytabulex.parse(utf16).css_first("b")
    assert wide is not None and wide.span is not None and utf16[wide.span].decode("utf-16-le") == "<b>"


@pytest.mark.parametrize("filler_length", [0, 1, 1022, 1023, 3000, 20000])
def test_unpaired_surrogates_keep_positions(filler_length: int) -> None:
    filler = "x" * filler_length
    text = f"{filler}a\ud800\udfff \udc00é𝒳{filler}<b>"
    document = pytabulex.parse(text)
    bold = document.css_first("b")
    assert bold is not None and bold.span is not None and text[bold.span] == "<b>"
    assert document.text() == f"{filler}a\ufffd\ufffd \ufffdé𝒳{filler}" and document.source == text


def test_fragments() -> None:
    fragment = pytabulex.parse_fragment("<td>1<td>2", "tr")
    assert [node.tag for node in fragment.root] == ["td", "td"] and fragment.html == "<td>1</td><td>2</td>"
    assert pytabulex.parse_fragment("<path/>", "svg svg").html == "<path></path>"
    assert pickle.loads(pickle.dumps(fragment)).html == fragment.html
    with pytest.raises(ValueError, match="fragment"):
        fragment.edit()


def test_positions() -> None:
    """Compares lines and columns with a simple count of line ends, in text and in bytes, with short lines and long ones."""
    long = "<p>é\r\n<b>𝒳</b>\r<i>" + "<a href=/ü>x</a>" * 3000 + "\n\n<u>"
    for text in [page.decode("utf-8", "replace").lstrip("\ufeff") for page in pages()[:20]] + [long]:
        starts = [0, *(end.end() for end in re.finditer("\r\n|\r|\n", text))]
        for encoding in (None, "utf-8", "utf-16le"):
            source = text if encoding is None else text.encode(encoding)
            document = pytabulex.parse(source, encoding=encoding)
            found = [node for node in document.descendants() if node.is_element and node.span is not None]
            for node in found[:: max(len(found) // 300, 1)]:
                assert node.span is not None
                before = source[: node.span.start]
                at = len(before if isinstance(before, str) else before.decode(encoding or ""))
                line = bisect.bisect_right(starts, at)
                assert node.position == (line, at - starts[line - 1] + 1)


def test_options() -> None:
    noscript = "<noscript><p>x</noscript>"
    assert pytabulex.parse(noscript).css("body noscript p, p") and not pytabulex.parse(noscript, scripting=True).css("p")
    shadow = "<div><template shadowrootmode=open><b>x</b></template></div>"
    host = pytabulex.parse(shadow, declarative_shadow_roots=True).css_first("div")
    assert host is not None and host.shadow_root is not None and host.shadow_root_mode == "open"
    template = pytabulex.parse(shadow).css_first("template")
    assert template is not None and template.template_contents is not None
    assert template.template_contents.kind == "fragment" and template.template_contents.css("b")
    assert pytabulex.parse("\ufeff<p>", keep_byte_order_mark=True).text() == "\ufeff"
    assert pytabulex.parse("<p>", iframe_srcdoc=True).mode == "no-quirks" and pytabulex.parse("<p>").mode == "quirks"
    assert pytabulex.parse("<p></b>", errors=False).errors == ()
    nowhere = pytabulex.parse("<p a=b>", positions="none").css_first("p")
    assert nowhere is not None and nowhere.span is None and nowhere.attributes[0].value_span is None
    for wrong, error in [
        ({"dialect": "x"}, ValueError),
        ({"encoding": "x"}, LookupError),
        ({"limits": {"x": 1}}, ValueError),
        ({"positions": "x"}, ValueError),
        ({"scripting": 3}, TypeError),
        ({"x": 1}, TypeError),
    ]:
        assert isinstance(wrong, dict)
        with pytest.raises(error, match=next(iter(wrong))):
            pytabulex.parse("", **wrong)
    for other in (3, None, [], object()):
        with pytest.raises(TypeError, match="markup must be `str`, `bytes` or another buffer"):
            pytabulex.parse(other)  # type: ignore[arg-type]


def test_limits() -> None:
    deep = "<b>" * 1000 + "x"
    document = pytabulex.parse(deep)
    assert [event.kind for event in document.events] == ["flattened"] and document.text() == "x"
    assert document.events[0].offset == 3 * 511 and "513" in str(document.events[0])
    assert pytabulex.parse(deep, limits={"depth": None}).events == []
    small = pytabulex.parse("<p>é" * 100_000, limits={"bytes": 100_000})
    assert small.events[0].kind == "out-of-memory" and small.events == pickle.loads(pickle.dumps(small.events))


def test_pickling_and_copies() -> None:
    document = pytabulex.parse(PAGE.encode("utf-16"), scripting=True, limits={"depth": 5})
    again = pickle.loads(pickle.dumps(document))
    assert again.dump() == document.dump() and again.errors == document.errors and again.events == document.events
    link, twice = document.css_first("a"), pickle.loads(pickle.dumps((document.css("a"), document.css("a"))))
    assert link is not None and twice[0] == twice[1] and twice[0][0].attrs == link.attrs
    assert copy.copy(document) is document and copy.deepcopy(document) is document
    assert pickle.loads(pickle.dumps(document.errors)) == document.errors
    attributes = pickle.loads(pickle.dumps(link.attributes))
    assert [(one.name, one.value, one.value_span) for one in attributes] == [(one.name, one.value, one.value_span) for one in link.attributes]
    # Later changes to the arguments do not affect the document.
    limits: pytabulex.Limits = {"depth": 5}
    flat = pytabulex.parse("<div>" * 20, limits=limits)
    limits["depth"] = 500
    assert pickle.loads(pickle.dumps(flat)).events == flat.events != []
    assert document.__sizeof__() > 1000


def test_representations() -> None:
    document = pytabulex.parse(PAGE)
    assert repr(document) == f"<Document html: 15 nodes, 1 error, from {len(PAGE)} code points>"
    assert repr(document.css_first("a")).startswith('<Node a href="/ü?a&b" rel="next" [')
    assert repr(pytabulex.parse(b"<p>" + b"x" * 99).css_first("p").first_child).endswith('x…" [3:102]>')  # type: ignore[union-attr]
    assert repr(document.errors[0]).startswith("<ParseError expected-closing-tag-but-got-eof at 2:6 [")
    assert repr(document.root) == "<Node document>"
    assert repr(pytabulex.parse_fragment("<td>", "tr")) == "<Document html fragment of <tr>: 3 nodes, 0 errors, from 4 code points>"


def test_threads_share_documents() -> None:
    document, found = pytabulex.parse(PAGE * 50), []

    def ask() -> None:
        for _ in range(50):
            links = document.css("a")
            found.append((len(links), links[7].span, len(document.errors), pytabulex.parse(PAGE).dump()))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 200 and all(one == found[0] for one in found)


def test_other_threads_run_while_a_page_is_parsed() -> None:
    page, stop, turns = ("<p>x <b>y</b>" * 2_000_000).encode(), threading.Event(), [0]

    def count() -> None:
        while not stop.is_set():
            turns[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    before = turns[0]
    pytabulex.parse(page, encoding="utf-8")
    during = turns[0] - before
    stop.set()
    thread.join()
    # With the lock held, there would be at most one time slice, some thousand iterations.
    assert during > 100_000


def test_contents() -> None:
    document = pytabulex.parse("<h1>A *star*</h1><table><tr><td>1<td>2<tr><td colspan=2>3</table><script>x()</script><ul><li>4<li><b>5</b>")
    assert document.rendered_text() == "A *star*\n1\t2\n3\n4\n5"
    assert document.words() == ["A", "*star*", "1", "2", "3", "4", "5"]
    assert document.tables() == [[["1", "2"], ["3", "3"]]]
    assert document.markdown().startswith("# A \\*star\\*\n\n| | |\n| --- | --- |\n| 1 | 2 |\n| 3 | |\n")
    items = document.css("ul")[0]
    assert (items.rendered_text(), items.words(), items.markdown(), items.tables()) == ("4\n5", ["4", "5"], "- 4\n- **5**\n", [])
    assert items.pretty() == "<ul>\n  <li>4</li>\n  <li><b>5</b></li>\n</ul>"
    assert "\n  <head>" in document.pretty()
    page = pytabulex.parse("<a href=x>1</a><img src=y alt=2><details>3</details>4<sup>5</sup>")
    options = {"url": "https://a.example/", "images": False, "closed_details": True, "sub_and_sup": False}
    assert page.markdown(**options) == "[1](https://a.example/x)2\n\n3\n\n45\n"  # type: ignore[arg-type]
    assert pytabulex.parse("<noscript>a</noscript>", scripting=True).rendered_text() == ""
    with pytest.raises(ValueError, match="only HTML"):
        pytabulex.parse("<a/>", dialect="xml-er").pretty()


def test_errors_explain_themselves() -> None:
    for dialect, address in (("html", "https://html.spec.whatwg.org/"), ("sky", None)):
        document = pytabulex.parse("<p a=1 a=2></", dialect=dialect)  # type: ignore[arg-type]
        for error in [*document.errors, *pickle.loads(pickle.dumps(document.errors))]:
            assert len(error.message) > 8
            assert error.url.startswith(address) if address is not None and error.url is not None else address is None
        tokens = pytabulex.tokens("<p a=1 a=2>", dialect="html")
        list(tokens)
        assert tokens.errors[0].url == pytabulex.parse("<!doctype html><p a=1 a=2>").errors[0].url


def test_conventions() -> None:
    document = pytabulex.parse("<p id=a class=b>1<b>2</b></p>")
    paragraph, bold = document.css_first("p"), document.css_first("b")
    assert paragraph is not None and bold is not None
    assert all(child in paragraph for child in paragraph) and bold in paragraph and paragraph not in bold
    assert "id" in paragraph and "x" not in paragraph
    assert str(paragraph) == paragraph.html and str(document) == document.html
    attributes = paragraph.attrs
    assert attributes == {"id": "a", "class": "b"} and pickle.loads(pickle.dumps(attributes)) == attributes
    for change in (lambda: attributes.update(id="c"), lambda: attributes.pop("id"), lambda: attributes.__setitem__("id", "c")):
        with pytest.raises(TypeError, match="read-only"):
            change()
    assert pytabulex.__version__.count(".") == 2


def test_forms_submit_their_fields() -> None:
    page = "<form id=f><input name=q value=' 1 '><input type=checkbox name=c></form><select form=f name=s><option>x</select><input id=n>"
    document = pytabulex.parse(page)
    form, select, outside = document.css_first("form"), document.css_first("select"), document.css_first("#n")
    assert form is not None and select is not None and outside is not None
    assert form.fields() == [("q", " 1 "), ("s", "x")]
    assert (select.form, outside.form, form.form, select.fields()) == (form, None, None, [])


def test_urls_have_parts_and_errors() -> None:
    parts, errors = pytabulex.parse_url("https://u@EXAMPLE.org:443/é\\b?q")
    assert parts is not None
    assert (parts["href"], parts["hostname"], parts["port"]) == ("https://u@example.org/%C3%A9/b?q", "example.org", "")
    found = [(error.code, error.span, error.column) for error in errors]
    assert found == [("invalid-credentials", slice(9, 10), 10), ("invalid-reverse-solidus", slice(27, 28), 28)]
    relative = pytabulex.parse_url("../c", "https://example.org/a/b")[0]
    assert relative is not None and relative["href"] == "https://example.org/c"
    assert pytabulex.parse_url("x")[0] is None


def test_methods_of_str_subclasses_are_not_called() -> None:
    class Text(str):
        def __len__(self) -> int:
            return 1

    document = pytabulex.parse(Text("a" * 5000 + "é"))
    assert document.text() == "a" * 5000 + "é"
