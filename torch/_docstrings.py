"""Docstrings of families: what several members share is written once."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, TypeVar

_T = TypeVar("_T", bound=Callable[..., Any])

# In the order in which a docstring has them.
_SECTIONS = ("Args", "Attributes", "Inputs", "Shape", "Returns", "Raises", "Example")
_HEADING = re.compile(rf"^({'|'.join(_SECTIONS)})::?$", re.MULTILINE)
_ENTRY = re.compile(r"^    (?=\S)", re.MULTILINE)
_NAMES = re.compile(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*):")


@lru_cache(maxsize=64)
def sections(text: str) -> dict[str, str]:
    """A docstring by its headings: "" is the summary, "Description" what follows it."""
    parts = _HEADING.split(inspect.cleandoc(text))
    summary, _, description = parts[0].strip().partition("\n\n")
    found = {"": summary}
    if description:
        found["Description"] = description
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        found[name] = body.strip("\n").rstrip()
    return found


@lru_cache(maxsize=64)
def arguments(text: str) -> dict[str, str]:
    """The entries of a docstring's Args by parameter; `a, b: ...` stands for both of them."""
    found: dict[str, str] = {}
    for entry in _ENTRY.split(sections(text).get("Args", ""))[1:]:
        if names := _NAMES.match(entry):
            for name in names[1].split(", "):
                found[name.lstrip("*")] = entry.rstrip()
    return found


def documented_by(*families: Any, example: str | None = None) -> Callable[[_T], _T]:
    """Completes the docstring of a class or a function by those of its families.

    Each parameter that the own docstring does not describe gets the entry of the first family that
    does; of a module those of `forward` are its inputs. A description and sections, except for the
    example, are taken over where the own docstring has none.

    Args:
        families: classes, functions, or texts with such sections, which begin with a newline.
        example: what the section Example says, if the own docstring has none.

    Returns:
        A decorator, which returns what it is given.

    Example::

        >>> from torch._docstrings import documented_by
        >>> @documented_by("\\nArgs:\\n    x: a number.\\n    y: another.")
        ... def double(x):
        ...     \"\"\"2 x.\"\"\"
        >>> print(double.__doc__)
        2 x.
        <BLANKLINE>
        Args:
            x: a number.
    """
    texts = [family if isinstance(family, str) else family.__doc__ or "" for family in families]

    def complete(member: _T) -> _T:
        if member.__doc__ is None:  # python -OO
            return member
        merged = dict(sections(member.__doc__))
        own = dict(arguments(member.__doc__))
        for text in texts:
            for name, entry in arguments(text).items():
                own.setdefault(name, entry)
            for name, body in sections(text).items():
                if name not in ("", "Args", "Example"):
                    merged.setdefault(name, body)
        if example is not None:
            merged.setdefault("Example", example)
        call: Any = member
        call = call.__init__ if isinstance(member, type) else inspect.unwrap(call)
        # The code names parameters at a tenth of the time that inspect.signature takes.
        for heading, function in (("Args", call), ("Inputs", getattr(member, "forward", None))):
            code = getattr(function, "__code__", None)
            if code is None:
                continue
            names: Iterable[str] = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            # What takes any keywords hands them on.
            if heading == "Args" and code.co_flags & inspect.CO_VARKEYWORDS:
                names = own
            # One entry may stand for several parameters.
            if entries := dict.fromkeys(own[name] for name in names if name in own):
                merged[heading] = "\n".join("    " + entry for entry in entries)
        parts = [merged[name] for name in ("", "Description") if name in merged]
        for name in _SECTIONS:
            if name in merged:
                heading = f"{name}::\n\n" if name == "Example" else f"{name}:\n"
                parts.append(heading + merged[name])
        member.__doc__ = "\n\n".join(parts)
        return member

    return complete
