"""Values as Starlark spells them, for generated files that are checked in."""

from __future__ import annotations


def starlark(value: object, indent: str = "") -> str:
    """Dicts and lists as buildifier leaves them, keys sorted, an item a line."""
    inner = indent + "    "
    if isinstance(value, dict):
        items = [f'"{key}": {starlark(item, inner)}' for key, item in sorted(value.items())]
        opening, closing = "{", "}"
    elif isinstance(value, list):
        items = [starlark(item, inner) for item in value]
        opening, closing = "[", "]"
    else:
        return f'"{value}"'
    if not items:
        return opening + closing
    lines = "".join(f"{inner}{item},\n" for item in items)
    return f"{opening}\n{lines}{indent}{closing}"
