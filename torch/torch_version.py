"""The version as a string that compares as a version."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from torch.version import __version__ as internal_version

__all__ = ["TorchVersion"]

# A version of a Python package (PEP 440), with its other spellings.
_VERSION = re.compile(
    r"\s*v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)"
    r"(?:[-_.]?(?P<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_n>\d*))?"
    r"(?P<post>-(?P<post_n1>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_n2>\d*))?"
    r"(?P<dev>[-_.]?dev[-_.]?(?P<dev_n>\d*))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*",
    re.IGNORECASE,
)
_PRE = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}

# What stands before and after every number and every word.
_FIRST: tuple[Any, ...] = (-1,)
_LAST: tuple[Any, ...] = (1,)

_Key = tuple[Any, ...]


def _number(text: str | None) -> int:
    return int(text or 0)


def _key(text: str) -> _Key | None:
    """What orders versions as PEP 440 does; None for a text that is no version."""
    found = _VERSION.fullmatch(text)
    if found is None:
        return None
    release = [int(part) for part in found["release"].split(".")]
    while len(release) > 1 and release[-1] == 0:
        release.pop()
    post = (0, _number(found["post_n1"] or found["post_n2"])) if found["post"] else _FIRST
    dev = (0, _number(found["dev_n"])) if found["dev"] else _LAST
    if found["pre"]:
        word = found["pre"].lower()
        pre: _Key = (0, _PRE.get(word, word), _number(found["pre_n"]))
    elif found["dev"] and not found["post"]:
        pre = _FIRST  # A development release comes before all that it develops.
    else:
        pre = _LAST
    local: _Key = _FIRST
    if found["local"]:
        parts = re.split(r"[-_.]", found["local"].lower())
        local = (0, *((1, int(one), "") if one.isdigit() else (0, 0, one) for one in parts))
    return (_number(found["epoch"]), tuple(release), pre, post, dev, local)


def _text(other: object) -> str | None:
    """A version as text: a string, a tuple of numbers, an object of `packaging`; else None."""
    if isinstance(other, str):
        return str(other)
    if isinstance(other, Iterable):
        return ".".join(str(part) for part in other)
    return str(other) if hasattr(other, "base_version") else None


class TorchVersion(str):
    """A string that compares with strings, tuples and version objects by PEP 440.

    Both `TorchVersion("1.10.0a") > "1.2"` and `TorchVersion("1.10.0a") > (1, 2)` hold. With a text
    that is no version it compares as a string does.

    Example::

        >>> from torch.torch_version import TorchVersion
        >>> TorchVersion("2.13.0+bazel.0.1") >= (2, 6)
        True
    """

    def _compare(self, other: object, compare: Callable[[Any, Any], bool]) -> bool:
        text = _text(other)
        if text is None:
            return NotImplemented
        own, their = _key(self), _key(text)
        if own is None or their is None:
            return compare(str(self), text)
        return compare(own, their)

    def __lt__(self, other: object) -> bool:
        return self._compare(other, lambda a, b: a < b)

    def __le__(self, other: object) -> bool:
        return self._compare(other, lambda a, b: a <= b)

    def __gt__(self, other: object) -> bool:
        return self._compare(other, lambda a, b: a > b)

    def __ge__(self, other: object) -> bool:
        return self._compare(other, lambda a, b: a >= b)

    def __eq__(self, other: object) -> bool:
        return self._compare(other, lambda a, b: a == b)

    def __ne__(self, other: object) -> bool:
        return self._compare(other, lambda a, b: a != b)

    def __hash__(self) -> int:
        return super().__hash__()


__version__ = TorchVersion(internal_version)
