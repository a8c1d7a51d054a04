"""Types of arguments that are plain dictionaries. There is nothing else here."""

from typing import TypedDict


class Limits(TypedDict, total=False):
    """How much may be made of an input; ``None`` lifts a limit, and what is not named has its default."""

    depth: int | None
    """How many elements may be nested (513); deeper ones become siblings."""
    nodes: int | None
    """How many nodes a tree may have (2**32 - 17)."""
    attributes: int | None
    """How many attributes a tag may have (1,048,576)."""
    token: int | None
    """How many bytes a token may have (256 MiB)."""
    errors: int | None
    """How many errors are kept (100,000)."""
    bytes: int | None
    """How many bytes the parser may hold (2 GiB - 1)."""
    replacement: int | None
    """How many bytes entities and declared attributes may give, in dialects that have them."""
    reconstructed: int | None
    """How many formatting elements may be made again (10,000, and 1 for each 4 bytes of input)."""
