"""Whole programs, each one function. ``measure/peer_programs.py`` has them with other libraries, none of which is shorter."""

import pytabulex


def links(page: str) -> list[tuple[str, tuple[int, int] | None]]:
    """The links of a page, with line and column."""
    return [(link["href"], link.position) for link in pytabulex.parse(page).css("a[href]")]


def metadata(page: str) -> dict[str, str]:
    """The title, the description and Open Graph properties."""
    found: dict[str, str] = {}
    for element in pytabulex.parse(page).css("title, meta:is([property^='og:'], [name=description])[content]"):
        found[element.get("property") or element.get("name") or "title"] = element.get("content") or element.text(strip=True)
    return found


def select(page: str) -> list[str]:
    """Links by a CSS selector."""
    return [link["href"] for link in pytabulex.parse(page).css("div.article > h2 a[href]")]


def tables(page: str) -> list[list[list[str]]]:
    """Tables as rows of cells, spanning cells repeated."""
    return pytabulex.parse(page).tables()


def sanitize(markup: str) -> str:
    """Untrusted markup, reduced to what is allowed."""
    return pytabulex.Sanitizer(allow_elements=["p", "b"], unknown="keep").clean(markup)


def rewrite(page: str) -> str:
    """Images on another host, with all other characters preserved."""
    rules = pytabulex.Rules()
    rules.element("img[src^='/']", lambda image: image.set_attribute("src", f"https://cdn.example{image.get('src')}"))
    return pytabulex.rewrite(page, rules)


def text(page: str) -> str:
    """The text as browsers render it."""
    return pytabulex.parse(page).rendered_text()


def markdown(page: str) -> str:
    """A page as Markdown."""
    return pytabulex.parse(page).markdown()


def stream(chunks: list[bytes]) -> str:
    """The text of a stream that declares its encoding."""
    parser = pytabulex.Parser()
    for chunk in chunks:
        parser.feed(chunk)
    return parser.finish().text()


def edit(page: str) -> str:
    """A page whose links to other sites are marked, with all other characters preserved."""
    edits = (document := pytabulex.parse(page)).edit()
    for link in document.css("a[href^=http]"):
        edits.set_attribute(link, "rel", "nofollow")
    return edits.apply()


def lint(page: str) -> list[str]:
    """The errors of a page with line and column."""
    return [str(error) for error in pytabulex.parse(page).errors]


def osm(xml: str) -> list[tuple[float, float]]:
    """The points of a map in XML."""
    points = pytabulex.parse(xml, dialect="xml").css("node")
    return [(float(point["lat"]), float(point["lon"])) for point in points]


def form(page: str) -> list[tuple[str, str]]:
    """The fields that the first form of a page submits."""
    found = pytabulex.parse(page).css_first("form")
    return found.fields() if found else []
