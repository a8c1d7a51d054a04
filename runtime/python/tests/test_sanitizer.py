"""Sanitizers: what goes, what stays, what is refused, pickling. What is unsafe is held to the standard on the Rust side."""

import pickle

import pytest
import pytabulex

MARKUP = "<h1 class=x>T</h1><!--c--><p style=color:red onclick=a() data-n=1>Hi <a href=javascript:x()>you</a><img src=x onerror=y()><script>z()</script>"


def test_the_safe_default() -> None:
    assert pytabulex.Sanitizer().clean("<p style=color:red>Hi <a href=javascript:x()>you</a>") == "<p>Hi <a>you</a></p>"
    for gone in ("onclick", "onerror", "javascript", "<script", "style", "<!--"):
        assert gone not in pytabulex.Sanitizer().clean(MARKUP), gone
    assert pytabulex.Sanitizer().clean("<td>1<td>2", "tr") == "<td>1</td><td>2</td>"


def test_configurations() -> None:
    clean = pytabulex.Sanitizer(permissive=True, comments=True).clean(MARKUP)
    assert "<img src=\"x\">" in clean and "<!--c-->" in clean and "data-n" in clean and "onclick" not in clean and "<script" not in clean
    assert pytabulex.Sanitizer(remove_elements=["h1"]).clean("<h1>T</h1>x") == "x"
    assert pytabulex.Sanitizer(replace_elements=["h1", "b"]).clean("<h1>T<b>u</b></h1>x") == "Tux"
    assert pytabulex.Sanitizer(comments=True).clean("<!--c-->x") == "<!--c-->x"
    allowed = pytabulex.Sanitizer(allow_elements={"img": ["src", "onerror"]}, remove_elements=["p"])
    assert allowed.clean("<img src=x alt=y onerror=z()><p>gone") == '<img src="x">'
    assert pytabulex.Sanitizer(allow_elements=("x-y",), allow_attributes=["kept"]).clean("<x-y kept=1 other=2>t") == '<x-y kept="1">t</x-y>'
    assert "class" not in pytabulex.Sanitizer(permissive=True, remove_attributes=["class"]).clean(MARKUP)


def test_what_is_refused_and_pickling() -> None:
    with pytest.raises(ValueError, match="html"):
        pytabulex.Sanitizer(replace_elements=["html"])
    with pytest.raises(TypeError, match="allow_element"):
        pytabulex.Sanitizer(allow_element=["b"])  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        pytabulex.Sanitizer(remove_elements=[3])  # type: ignore[list-item]
    sanitizer = pytabulex.Sanitizer(permissive=True, remove_elements=["h1"], comments=False)
    again = pickle.loads(pickle.dumps(sanitizer))
    assert again.clean(MARKUP) == sanitizer.clean(MARKUP) != pytabulex.Sanitizer().clean(MARKUP)
    assert repr(again) == repr(sanitizer) and "remove_elements" in repr(sanitizer)


def test_what_is_given_is_read_once() -> None:
    """What is changed or read away afterwards is no part of a sanitizer, nor of what it is pickled as."""
    removed = ["h1"]
    own: dict[str, list[str]] = {"img": ["src"]}
    for sanitizer in (
        pytabulex.Sanitizer(remove_elements=removed, allow_elements=own),
        pytabulex.Sanitizer(remove_elements=iter(["h1"]), allow_elements={"img": iter(["src"])}),
        pytabulex.Sanitizer(remove_elements=(name for name in ("h1",)), allow_elements={"img": ("src",)}),
        pytabulex.Sanitizer(remove_elements={"h1"}, allow_elements={"img": {"src"}}),
    ):
        removed.append("p")
        own["img"].append("alt")
        for one in (sanitizer, pickle.loads(pickle.dumps(sanitizer))):
            assert one.clean("<h1>T</h1><img src=x alt=y>") == '<img src="x">'
    # The letters of a name would be names.
    for wrong in ({"remove_elements": "script"}, {"allow_elements": "b"}, {"allow_elements": {"img": "src"}}, {"remove_attributes": "style"}):
        with pytest.raises(TypeError, match="a list of names"):
            pytabulex.Sanitizer(**wrong)
