"""Extraction of columns from pages with ``batch``, which creates a plan for one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from pytabulex._tabulex import Plan

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

METADATA: Mapping[str, str] = {
    "title": "title:first",
    "language": "html:first@lang",
    "description": "meta[name=description i]:first@content",
    "author": "meta[name=author i]:first@content",
    "published": "meta[property='article:published_time' i]:first@content",
    "site": "meta[property='og:site_name' i]:first@content",
    "image": "meta[property='og:image' i]:first@content::url",
    "canonical": "link[rel~=canonical i]:first@href::url",
}
"""Columns of a page's metadata, to be given as ``select``, alone or with others: ``{**METADATA, "links": "a@href"}``."""


def batch(
    column: Any,
    content_type: Any = None,
    url: Any = None,
    *,
    select: Mapping[str, str] | None = None,
    text: bool | Literal["all"] = True,
    markdown: bool = False,
    links: bool = False,
    tables: bool = False,
    errors: bool | Literal["counts"] = False,
    threads: int = 1,
    **options: Any,
) -> pa.RecordBatch:
    """Returns a row for each page of a column, like ``Plan(select, text=text, ...).batch(...)``: see ``help(pytabulex.Plan)``.

    >>> import pytabulex
    >>> made = pytabulex.batch(["<title>One</title><a href=/x>y</a>"], select={"title": "title:first", "links": "a@href"})
    >>> made.select(["title", "links", "text"]).to_pylist()
    [{'title': 'One', 'links': ['/x'], 'text': 'y'}]
    """
    plan = Plan(dict(select or {}), text=text, markdown=markdown, links=links, tables=tables, errors=errors, **options)
    return plan.batch(column, content_type, url, threads=threads)
