"""Exact, fast parsers of HTML and other markup, compiled from tables that read like the standards.

>>> import pytabulex
>>> page = "<title>Crêpes</title><p>See <a href=/x>this</a>"
>>> document = pytabulex.parse(page)
>>> link = document.css_first("a[href]")
>>> link.attrs, link.text(), page[link.span]
({'href': '/x'}, 'this', '<a href=/x>')
>>> [error.code for error in document.errors]
['expected-doctype']

Malformed markup never raises an exception: parse errors are reported with the result. Positions are slices of the parsed
object: they count code points of a ``str`` and bytes of ``bytes``. Documents are immutable, so threads may share them.
"""

from pytabulex._columns import METADATA, batch
from pytabulex._tabulex import (
    Attribute,
    Document,
    EditError,
    Edits,
    Event,
    Link,
    Node,
    Nodes,
    ParseError,
    Parser,
    Piece,
    Plan,
    RewriteError,
    Rewriter,
    Rules,
    Sanitizer,
    Selector,
    SelectorError,
    Token,
    Tokens,
    UnstableError,
    __version__,
    dialects,
    escape,
    parse,
    parse_fragment,
    parse_url,
    rewrite,
    tokens,
    unescape,
)
from pytabulex._types import Limits
from pytabulex.warc import read_warc

__all__ = [
    "Attribute",
    "Document",
    "EditError",
    "Edits",
    "Event",
    "Limits",
    "Link",
    "METADATA",
    "Node",
    "Nodes",
    "ParseError",
    "Parser",
    "Piece",
    "Plan",
    "RewriteError",
    "Rewriter",
    "Rules",
    "Sanitizer",
    "Selector",
    "SelectorError",
    "Token",
    "Tokens",
    "UnstableError",
    "__version__",
    "batch",
    "dialects",
    "escape",
    "parse",
    "parse_fragment",
    "parse_url",
    "read_warc",
    "rewrite",
    "tokens",
    "unescape",
]
