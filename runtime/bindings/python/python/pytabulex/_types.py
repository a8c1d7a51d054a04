"""Dictionary types: attributes of elements, and arguments."""

from typing import NoReturn, TypedDict


class Attributes(dict[str, str]):
    """The attributes of an element. Read-only, as a change would not affect the document; use ``Document.edit()``."""

    __slots__ = ()

    def _refuse(self, *_arguments: object, **_keywords: object) -> NoReturn:
        raise TypeError("attributes are read-only; document.edit().set_attribute(node, name, value) changes one")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type["Attributes"], tuple[dict[str, str]]]:
        return Attributes, (dict(self),)


class Limits(TypedDict, total=False):
    """Limits of parsing. ``None`` lifts a limit; missing ones have their defaults."""

    depth: int | None
    """Maximum nesting depth of elements (513); deeper ones become siblings."""
    nodes: int | None
    """Maximum number of nodes in a tree (2**32 - 17)."""
    attributes: int | None
    """Maximum number of attributes of a tag (1,048,576)."""
    token: int | None
    """Maximum length of a token in bytes (256 MiB)."""
    errors: int | None
    """Maximum number of errors kept (100,000)."""
    bytes: int | None
    """Maximum memory use of the parser in bytes (2 GiB - 1)."""
    replacement: int | None
    """Maximum bytes produced by entities and declared attributes, in dialects that have them."""
    reconstructed: int | None
    """Maximum number of formatting elements reconstructed (10,000, plus 1 per 4 bytes of input)."""
