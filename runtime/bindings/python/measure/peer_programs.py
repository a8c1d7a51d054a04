"""The programs of ``examples/programs.py`` with other libraries, in the style of their documentation, and the time of both.

``python peer_programs.py [--rounds N]`` prints Markdown. Requires ``pip install beautifulsoup4 html5lib
lxml markdownify nh3 selectolax``.
"""

import argparse
import importlib
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import html5lib
import nh3
from bs4 import BeautifulSoup
from lxml import etree
from markdownify import markdownify
from selectolax.lexbor import LexborHTMLParser

PACKAGE = Path(__file__).resolve().parents[1]


def links(page: str) -> Any:
    soup = BeautifulSoup(page, "html.parser")
    return [(link["href"], (link.sourceline, link.sourcepos)) for link in soup.select("a[href]")]


def metadata(page: str) -> Any:
    tree = LexborHTMLParser(page)
    title = tree.css_first("title")
    found = {"title": title.text(strip=True)} if title else {}
    for meta in tree.css("meta[property^='og:'][content], meta[name=description][content]"):
        found[meta.attributes.get("property") or meta.attributes["name"]] = meta.attributes["content"]
    return found


def select(page: str) -> Any:
    return [link.attributes["href"] for link in LexborHTMLParser(page).css("div.article > h2 a[href]")]


def tables(page: str) -> Any:
    found = []
    for table in BeautifulSoup(page, "lxml").find_all("table"):
        rows = table.find_all("tr")
        found.append([[cell.get_text() for cell in row.find_all(["td", "th"])] for row in rows])
    return found


def sanitize(markup: str) -> Any:
    return nh3.clean(markup, tags={"p", "b"})


def rewrite(page: str) -> Any:
    soup = BeautifulSoup(page, "html5lib")
    for image in soup.select("img[src^='/']"):
        image["src"] = f"https://cdn.example{image['src']}"
    return str(soup)


def text(page: str) -> Any:
    return LexborHTMLParser(page).text()


def markdown(page: str) -> Any:
    return markdownify(page)


def stream(chunks: list[bytes]) -> Any:
    parser = etree.HTMLParser()
    for chunk in chunks:
        parser.feed(chunk)
    return "".join(parser.close().itertext())


def edit(page: str) -> Any:
    soup = BeautifulSoup(page, "html5lib")
    for link in soup.select("a[href^=http]"):
        link["rel"] = "nofollow"
    return str(soup)


def lint(page: str) -> Any:
    parser = html5lib.HTMLParser()
    parser.parse(page)
    return [f"{line}:{column}: {code}" for (line, column), code, _ in parser.errors]


def osm(xml: str) -> Any:
    root = etree.fromstring(xml.encode())
    return [(float(node.get("lat")), float(node.get("lon"))) for node in root.iter("node")]


def form(page: str) -> Any:
    forms = LexborHTMLParser(page).css("form")
    fields = forms[0].css("input[name], select[name], textarea[name]") if forms else []
    return [(field.attributes["name"], field.attributes.get("value") or "") for field in fields]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=3)
    rounds = arguments.parse_args().rounds
    sys.path += [str(PACKAGE / "tests"), str(PACKAGE / "examples")]
    from support import pages

    ours, theirs = importlib.import_module("programs"), sys.modules[__name__]
    texts = [page.decode("utf-8", "replace") for page in pages()]
    points = "".join(f"<node id='{number}' lat='52.{number}' lon='13.{number}'/>" for number in range(200_000))
    inputs: dict[str, list[Any]] = {"osm": [f"<osm>{points}</osm>"], "stream": [[page] for page in pages()]}
    print("| program | speed of tabulex / this |\n| --- | --: |")
    for name in [name for name, found in vars(theirs).items() if callable(found) and hasattr(ours, name)]:
        ratios = []
        for _ in range(rounds):
            taken = []
            for module in (ours, theirs):
                start = time.process_time()
                for given in inputs.get(name, texts):
                    getattr(module, name)(given)
                taken.append(time.process_time() - start)
            ratios.append(taken[1] / taken[0])
        print(f"| {name} | {statistics.median(ratios):.2f}x |", flush=True)


if __name__ == "__main__":
    main()
