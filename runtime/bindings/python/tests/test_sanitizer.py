"""Sanitizers: removal, retention, rejected configurations, pickling. Safety is tested against the standard on the Rust side."""

import pickle
from types import MappingProxyType

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
    added = pytabulex.Sanitizer(add_elements={"img": ["src", "onerror"]}, remove_elements=["p"])
    assert added.clean("<img src=x alt=y onerror=z()><p>gone</p><b>b") == '<img src="x"><b>b</b>'
    added = pytabulex.Sanitizer(add_elements=("x-y",), add_attributes=["kept", "onpointerdown"])
    assert added.clean("<x-y kept=1 title=2 other=3 onpointerdown=z()>t") == '<x-y kept="1" title="2">t</x-y>'
    assert "class" not in pytabulex.Sanitizer(permissive=True, remove_attributes=["class"]).clean(MARKUP)


def test_lists_that_restrict() -> None:
    """``allow_elements`` and ``allow_attributes`` are complete lists, as in other sanitizers."""
    restricted = pytabulex.Sanitizer(allow_elements=["p"])
    assert restricted.clean("<p>a<h1>t</h1><b>y</b>") == "<p>a</p>"
    links = pytabulex.Sanitizer(allow_elements=["a"])
    assert links.clean("<a href=/ title=t><b>x</b>y</a>") == '<a href="/" title="t">y</a>'
    assert pytabulex.Sanitizer(allow_attributes=["id"]).clean("<a href=/ title=t id=i>y") == '<a id="i">y</a>'
    mapped = pytabulex.Sanitizer(allow_attributes=[], allow_elements=MappingProxyType({"a": ["href"]}))
    assert mapped.clean("<a href=/ title=t>y</a>") == '<a href="/">y</a>'
    classes = pytabulex.Sanitizer(add_attributes=["class"], allow_classes=MappingProxyType({"p": ["b"]}))
    assert classes.clean("<p class='a b'>y</p>") == '<p class="b">y</p>'
    both = pytabulex.Sanitizer(remove_elements=["b"], allow_attributes=["id"], allow_elements={"a": ["href"], "b": []})
    assert both.clean("<a href=/ title=t id=i>y<b>z</b></a><i>") == '<a href="/" id="i">y</a>'
    assert pytabulex.Sanitizer(permissive=True, allow_elements=["p"]).clean("<p style=a onclick=b>c<b>d") == '<p style="a">c</p>'
    # An empty list allows nothing.
    assert pytabulex.Sanitizer(allow_elements=[], unknown="keep").clean("<p>a<b>b</b><script>c</script>") == "ab"


def test_unknown_elements() -> None:
    markup = "<p>a</p><x-y z=1>b<b>c</b></x-y><h1>d</h1>"
    for unknown, wanted in (("remove", ""), ("keep", "b<b>c</b>"), ("escape", '&lt;x-y z="1"&gt;b<b>c</b>&lt;/x-y&gt;')):
        sanitizer = pytabulex.Sanitizer(unknown=unknown, remove_elements=["h1"])  # type: ignore[arg-type]
        assert sanitizer.clean(markup) == f"<p>a</p>{wanted}"
    with pytest.raises(ValueError, match="escape"):
        pytabulex.Sanitizer(unknown="strip")  # type: ignore[arg-type]


def test_the_configuration_of_the_standard() -> None:
    config = {"elements": ["p", {"name": "a", "attributes": ["href"]}], "attributes": ["id"], "comments": True}
    sanitizer = pytabulex.Sanitizer(config)
    assert sanitizer.clean("<p id=1 class=2>a<!--b--><a href=c id=3 title=4>d</a><i>") == '<p id="1">a<!--b--><a href="c" id="3">d</a></p>'
    assert pytabulex.Sanitizer(sanitizer.config).config == sanitizer.config
    for again in (pytabulex.Sanitizer('{"elements": ["p"]}'), pytabulex.Sanitizer({"elements": ("p",)})):
        assert again.clean("<p style=a>b<b>c") == '<p style="a">b</p>'
    assert {"name": "p", "namespace": "http://www.w3.org/1999/xhtml", "attributes": []} in pytabulex.Sanitizer().config["elements"]  # type: ignore[operator]
    for wrong, message in (
        ({"elements": [], "removeElements": []}, "mutually exclusive"),
        ({"attributes": ["a", "a"]}, "twice"),
        ({"elements": "p"}, "must be a list"),
        ('{"elements"', "JSON"),
        ({"replaceWithChildrenElements": ["html"]}, "html"),
    ):
        with pytest.raises(ValueError, match=message):
            pytabulex.Sanitizer(wrong)
    with pytest.raises(TypeError, match="permissive"):
        pytabulex.Sanitizer(config, permissive=True)
    # Keyword arguments modify the given configuration.
    assert pytabulex.Sanitizer(config, comments=False, remove_elements=["a"]).clean("<p>a<!--b--><a>c") == "<p>a</p>"
    assert pickle.loads(pickle.dumps(sanitizer)).config == sanitizer.config


def test_policies() -> None:
    schemes = pytabulex.Sanitizer(url_schemes={"https"}, link_rel="nofollow")
    assert schemes.clean("<a href=https:a>1</a><a href=tel:2>2</a><a href=/>3</a>") == (
        '<a href="https:a" rel="nofollow">1</a><a>2</a><a href="/" rel="nofollow">3</a>'
    )
    assert pytabulex.Sanitizer(relative_urls=False, link_rel=None).clean("<a href=/a>1") == "<a>1</a>"
    classes = pytabulex.Sanitizer(allow_classes={"*": ["a"], "p": ["b"]})
    assert classes.clean("<p class='a b c'>1<b class='a b'>2</b><i class=c>3") == '<p class="a b">1<b class="a">2</b><i>3</i></p>'
    assert pytabulex.Sanitizer(allow_classes=["a"]).clean("<p class='a b'>1") == '<p class="a">1</p>'


def absolute(element: str, attribute: str, value: str) -> str | None:
    if (element, attribute) == ("a", "title"):
        return None
    return "https://example.org" + value if attribute == "href" and value.startswith("/") else value


def test_a_filter_of_attributes() -> None:
    sanitizer = pytabulex.Sanitizer(attribute_filter=absolute)
    markup = "<a href=/a title=b>1</a><p title=c>2"
    assert sanitizer.clean(markup) == '<a href="https://example.org/a">1</a><p title="c">2</p>'
    assert pickle.loads(pickle.dumps(sanitizer)).clean(markup) == sanitizer.clean(markup)
    # The returned value is subject to the rules for all attributes.
    evil = pytabulex.Sanitizer(attribute_filter=lambda element, attribute, value: "javascript:x()")
    assert evil.clean("<a href=a title=b>1") == '<a title="javascript:x()">1</a>'

    def fails(element: str, attribute: str, value: str) -> str | None:
        raise KeyError(element)

    failing = pytabulex.Sanitizer(attribute_filter=fails)
    for _ in range(2):
        with pytest.raises(KeyError, match="a"):
            failing.clean("<a href=a>1</a><b title=c>")
    assert failing.clean("<b>1") == "<b>1</b>"
    with pytest.raises(TypeError):
        pytabulex.Sanitizer(attribute_filter=lambda *_: 3).clean("<b title=c>")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="callable"):
        pytabulex.Sanitizer(attribute_filter="x")  # type: ignore[arg-type]


def test_output_parses_equally_with_and_without_scripting() -> None:
    sanitizer = pytabulex.Sanitizer(permissive=True, comments=True)
    for raw in ("style", "xmp", "noembed", "noframes"):
        assert sanitizer.clean(f"<noscript><{raw}></noscript><img src=x onerror=alert(1)></{raw}></noscript>") == '<img src="x">'
    assert sanitizer.clean("<base href=//evil.example><svg><animate onbegin=alert(1) /></svg>") == "<svg><animate></animate></svg>"


def test_rejections_and_pickling() -> None:
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


def test_arguments_are_read_once() -> None:
    """Later changes to the arguments, and exhausted iterators, do not affect a sanitizer or its pickled form."""
    removed = ["h1"]
    own: dict[str, list[str]] = {"img": ["src"]}
    for sanitizer in (
        pytabulex.Sanitizer(remove_elements=removed, add_elements=own),
        pytabulex.Sanitizer(remove_elements=iter(["h1"]), add_elements={"img": iter(["src"])}),
        pytabulex.Sanitizer(remove_elements=(name for name in ("h1",)), allow_elements={"img": ("src",)}),
        pytabulex.Sanitizer(remove_elements={"h1"}, allow_elements={"img": {"src"}}),
    ):
        removed.append("p")
        own["img"].append("alt")
        for one in (sanitizer, pickle.loads(pickle.dumps(sanitizer))):
            assert one.clean("<h1>T</h1><img src=x alt=y>") == '<img src="x">'
    # A ``str`` would be read as a list of one-letter names.
    for wrong in ({"remove_elements": "script"}, {"allow_elements": "b"}, {"allow_elements": {"img": "src"}}, {"remove_attributes": "style"}):
        with pytest.raises(TypeError, match="a list of names"):
            pytabulex.Sanitizer(**wrong)
