"""Edits and tokens through Python: checks that the arguments reach the Rust side, which tests their meaning."""

import pickle

import pytest
import pytabulex
from support import pages

PAGE = "<P CLASS=x>See <a href=/x  >thïs</a>, <b>or <i>not</i></b>.</P>"


def test_each_edit() -> None:
    document = pytabulex.parse(PAGE)
    first = {name: document.css(name)[0] for name in ("p", "a", "b", "i")}
    edits = document.edit()
    for edited, wanted in [
        (document.edit().set_attribute(first["a"], "href", "/y?a&b"), PAGE.replace("/x", '"/y?a&amp;b"')),
        (document.edit().remove_attribute(first["p"], "class"), PAGE.replace(" CLASS=x", "")),
        (document.edit().remove(first["i"]), PAGE.replace("<i>not</i>", "")),
        (document.edit().replace(first["i"], "<u>1</u>"), PAGE.replace("<i>not</i>", "<u>1</u>")),
        (document.edit().set_inner(first["i"], "<u>1</u>"), PAGE.replace("not", "<u>1</u>")),
        (document.edit().set_text(first["i"], "1 < 2"), PAGE.replace("not", "1 &lt; 2")),
        (document.edit().before(first["i"], "<u>1</u>"), PAGE.replace("<i>", "<u>1</u><i>")),
        (document.edit().after(first["i"], "<u>1</u>"), PAGE.replace("</i>", "</i><u>1</u>")),
        (document.edit().prepend(first["i"], "1"), PAGE.replace("<i>", "<i>1")),
        (document.edit().append(first["i"], "1"), PAGE.replace("</i>", "1</i>")),
        (document.edit().rename(first["i"], "em"), PAGE.replace("i>", "em>")),
        (document.edit().wrap(first["i"], "em"), PAGE.replace("<i>not</i>", "<em><i>not</i></em>")),
        (document.edit().unwrap(first["b"]), PAGE.replace("<b>", "").replace("</b>", "")),
    ]:
        assert edited.apply() == wanted
        assert len(edited) == 1 and repr(edited) == "<Edits: 1>"
    both = edits.remove(first["i"]).set_attribute(first["a"], "rel", "next")
    assert both is edits and len(edits) == 2
    assert edits.apply() == PAGE.replace("<i>not</i>", "").replace("/x", '/x rel="next"')


def test_edits_that_are_refused() -> None:
    document = pytabulex.parse("<table><tr><td>1<a href=1 href=2>")
    body, link = document.body, document.css_first("a")
    assert body is not None and link is not None
    edits = document.edit()
    with pytest.raises(pytabulex.EditError, match="no markup of its own"):
        edits.remove(body)
    with pytest.raises(pytabulex.EditError, match="name"):
        edits.set_attribute(link, "a b", "")
    with pytest.raises(pytabulex.EditError, match="another document"):
        edits.remove(pytabulex.parse("<p>").css("p")[0])
    assert len(edits) == 0
    assert document.edit().remove_attribute(link, "href").apply() == "<table><tr><td>1<a>"


def test_refused_edits_keep_others() -> None:
    document = pytabulex.parse("ä<table><tr><td>1</table><p>2<b>3</b>")
    cell, paragraph, bold = (document.css(name)[0] for name in ("td", "p", "b"))
    edits = document.edit().remove(bold).rename(cell, "i").set_attribute(paragraph, "a", "1")
    with pytest.raises(pytabulex.EditError, match=r"edit 1, rename of <td> at 12:16: .* a different tree") as raised:
        edits.apply()
    refused = raised.value
    assert (refused.edit, refused.method, refused.node, refused.span) == (1, "rename", cell, slice(12, 16))
    text, others = edits.apply_possible()
    assert text == 'ä<table><tr><td>1</table><p a="1">2'
    assert [str(one) for one in others] == [str(refused)]
    appended = pytabulex.parse("<table><tr><td>1</table>")
    table = appended.css("tr")[0]
    with pytest.raises(pytabulex.EditError) as raised:
        appended.edit().append(table, "<b>x</b>").apply()
    assert raised.value.method == "append"


def test_edits_of_the_body() -> None:
    for page, wanted in [
        ("<html><body><p>x</p></body></html>\n", "<html><body><p>x</p><p>y</p></body></html>\n"),
        ("<p>x", "<p>x</p><p>y</p>"),
    ]:
        document = pytabulex.parse(page)
        assert document.body is not None
        assert document.edit().append(document.body, "<p>y</p>").apply() == wanted


def test_edits_of_adjacent_and_nested_elements() -> None:
    document = pytabulex.parse("<ul><li>1<li>2<b>3</b></ul>")
    edits = document.edit().remove(document.css("b")[0])
    for item in document.css("li"):
        edits.remove(item)
    assert edits.apply() == "<ul></ul>"
    items = document.css("ul")[0]
    assert document.edit().set_attribute(items, "a", "1").set_attribute(items, "A", "2").apply().startswith('<ul a="2">')


def test_bytes_are_edited_as_text() -> None:
    source = PAGE.encode("latin-1")
    document = pytabulex.parse(source)
    edits = document.edit().set_text(document.css("b")[0], "ö")
    assert edits.apply() == PAGE.replace("or <i>not</i>", "ö")
    # The bytes are decoded once for all edits.
    assert edits.set_text(document.css("a")[0], "ä").apply() == PAGE.replace("or <i>not</i>", "ö").replace("thïs", "ä")


def test_tokens() -> None:
    page = "<!DOCTYPE html PUBLIC 'a' 'b'><p A='ü' b>1&amp;2<!--c--><script><p></script></p/><?x y?>" + "ü" * 40_000
    tokens = pytabulex.tokens(page)
    found = list(tokens)
    kinds = [(token.kind, token.name) for token in found]
    assert kinds == [
        ("doctype", "html"), ("start_tag", "p"), ("text", None), ("comment", None), ("start_tag", "script"),
        ("text", None), ("end_tag", "script"), ("end_tag", "p"), ("processing_instruction", "x"), ("text", None),
    ]  # fmt: skip
    assert [page[token.span] for token in found[:-1]] == [
        "<!DOCTYPE html PUBLIC 'a' 'b'>", "<p A='ü' b>", "1&amp;2", "<!--c-->", "<script>", "<p>", "</script>", "</p/>",
        "<?x y?>",
    ]  # fmt: skip
    again = pickle.loads(pickle.dumps(found))
    assert list(map(repr, again)) == list(map(repr, found))
    assert [(one.attr_spans, one.public_id, one.name_span) for one in again] == [(one.attr_spans, one.public_id, one.name_span) for one in found]
    doctype, tag, text = found[:3]
    assert (doctype.public_id, doctype.system_id, doctype.force_quirks) == ("a", "b", False)
    assert tag.attrs == {"a": "ü", "b": ""} and tag.name_span is not None and page[tag.name_span] == "p"
    assert tag.attr_spans is not None and page[tag.attr_spans["a"][0]] + page[tag.attr_spans["a"][1]] == "Aü"
    assert text.data == "1&2" and found[-1].data == "ü" * 40_000 and found[3].data == "c"
    assert [error.code for error in tokens.errors] == [
        "missing-whitespace-between-doctype-public-and-system-identifiers", "end-tag-with-trailing-solidus",
    ][-1:]  # fmt: skip
    match tag:
        case pytabulex.Token("start_tag", "p"):
            pass
        case _:
            raise AssertionError(tag)
    assert [token.kind for token in pytabulex.tokens("<script><p>", raw=True)] == ["start_tag", "start_tag"]
    assert [token.kind for token in pytabulex.tokens("<p>", state="rcdata")] == ["text"]
    with pytest.raises(ValueError, match="state"):
        pytabulex.tokens("", state="x")
    encoded = "<meta charset=utf-8>ü<b>".encode()
    found = list(pytabulex.tokens(encoded))
    assert encoded[found[-1].span] == b"<b>" and found[1].data == "ü"


def test_errors_of_tokens_are_limited() -> None:
    page = "ü" + "</x a>" * 5
    tokens = pytabulex.tokens(page, limits={"errors": 2})
    assert tokens.events == [] and len(list(tokens)) == 6
    assert [error.code for error in tokens.errors] == ["end-tag-with-attributes"] * 2
    (event,) = tokens.events
    assert event.kind == "errors-dropped" and "errors after the first 2 are dropped, 3 in all" in event.message
    whole = pytabulex.tokens(page)
    assert len(list(whole)) == 6 and event.offset == whole.errors[2].span.start
    enough: list[pytabulex.Limits | None] = [None, {}, {"errors": None}, {"errors": 5}]
    for limits in enough:
        tokens = pytabulex.tokens(page, limits=limits)
        list(tokens)
        assert (len(tokens.errors), tokens.events) == (5, [])


def test_tokens_of_pages_match_their_ranges() -> None:
    for page in pages()[:40]:
        text = page.decode("utf-8", "replace")
        at = 0
        for token in pytabulex.tokens(text, keep_byte_order_mark=True):
            assert token.span.start >= at
            at = token.span.stop
            if token.kind == "text" and "&" not in text[token.span] and "\r" not in text[token.span]:
                assert text[token.span].replace("\0", "") == (token.data or "").replace("\0", "").replace("\ufffd", "") or "\ufffd" in text[token.span] or "\0" in text[token.span]
        assert at == len(text) or text[at:].startswith("<")
