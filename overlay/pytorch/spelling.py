"""Which operators a text of C++ can name: those whose names it spells, or may paste.

C++ finds a declaration by its name, so a compilation in whose files a name never appears is the
same with and without the operators of that name. An operator too many costs a compilation, one too
few could change what the code means, so the reading is generous:

* a name also stands for the operators that begin it, as `add_out` for `add`;
* a macro that pastes, as `op##_out`, may have any argument;
* one that pastes two arguments may name anything, and `##MACRO` says so.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

# Names that C++ looks up where nobody spells them: of range-based loops, of structured bindings,
# and those that the standard library may call for types of others: swap, what ranges ask for, and
# the functions of valarray. [global.functions] of the standard forbids the rest.
UNSPELLED = frozenset(
    {"begin", "cbegin", "cend", "crbegin", "crend", "data", "empty", "end", "get", "iter_move"}
    | {"iter_swap", "rbegin", "rend", "size", "ssize", "swap"}
    | {"abs", "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "log", "log10", "pow", "sin"}
    | {"sinh", "sqrt", "tan", "tanh"}
)
ANYTHING = "##"

# Identifiers, and what may hold words that are none: strings, characters, comments, numbers.
_TOKEN = re.compile(
    r'(?:u8|[uUL])?R"([^()\\\s]{0,16})\((?s:.*?)\)\1"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\.|[^'\\\n])+'"
    r"|//[^\n]*"
    r"|/\*(?s:.*?)\*/"
    r"|\.?\d[\w.']*"
    r"|([A-Za-z_]\w*)"
)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\))?(.*)$", re.MULTILINE)
_PASTED = re.compile(r"\w*(?:\s*##\s*\w*)+")
_OF_REST = re.compile(r",\s*##\s*__VA_ARGS__")
# What torchgen appends to the name of an operator.
_ENDS = ("", "_out", "_outf", "_symint", "_symint_out", "_symint_outf")

# What a macro pastes: words, and None for an argument.
Pieces = tuple[str | None, ...]


def identifiers(text: str) -> set[str]:
    """The identifiers of a text, without those in comments and strings."""
    spliced = text.replace("\\\n", "")
    return {found[2] for found in _TOKEN.finditer(spliced) if found[2]}


def pastes(text: str) -> Iterator[tuple[str, Pieces]]:
    """The macros of a text that paste, each with what it pastes."""
    if "##" not in text and "%:%:" not in text:
        return
    spliced = text.replace("\\\n", " ").replace("%:%:", "##")
    for name, parameters, body in _DEFINE.findall(spliced):
        if "##" not in body:
            continue
        arguments = {word.strip() for word in parameters.split(",")} | {"", "__VA_ARGS__"}
        for found in _PASTED.finditer(_OF_REST.sub(",", body)):
            words = [word.strip() for word in found[0].split("##")]
            yield name, tuple(None if word in arguments else word for word in words)


def _starts(word: str) -> Iterator[str]:
    """A word, and its parts that end before an underscore: `add_out` and `add`."""
    yield word
    at = word.find("_", 1)
    while at > 0:
        yield word[:at]
        at = word.find("_", at + 1)


class Spelling:
    """The names of the operators.

    Args:
      operators: their base names.
      others: operators by other names that their headers declare: of kernels, and of overloads.
    """

    def __init__(self, operators: Iterable[str], others: Mapping[str, Sequence[str]]) -> None:
        self.operators = frozenset(operators)
        self.others = {name: tuple(found) for name, found in others.items()}
        # By name without the underscore that ends those of in-place functions.
        self._declared: dict[str, set[str]] = {
            name + end: {name} for name in self.operators for end in _ENDS
        }
        for name, found in self.others.items():
            self._declared.setdefault(name.rstrip("_"), set()).update(found)
        self._lines = "\n".join(sorted(self._declared))
        self._of_pieces = functools.cache(self._pasted)

    def to_json(self) -> object:
        """What `from_json` takes."""
        others = {name: list(self.others[name]) for name in sorted(self.others)}
        return [sorted(self.operators), others]

    @staticmethod
    def from_json(saved: object) -> Spelling | None:
        """That which was saved, if there is any."""
        if not isinstance(saved, list):
            return None
        operators, others = saved
        return Spelling(operators, others)

    def named_by(self, word: str) -> set[str]:
        """The operators that an identifier can name."""
        word = word.removeprefix("structured_").removeprefix("__dispatch_").rstrip("_")
        found = set(self._declared.get(word, ()))
        return found | {start for start in _starts(word) if start in self.operators}

    def _pasted(self, pieces: Pieces) -> frozenset[str]:
        """The operators that a paste can name, whatever its arguments are; `##` for all.

        An argument is spelled where the macro is called: what it names itself is found there.
        """
        words = [piece for piece in pieces if piece is not None and piece.strip("_")]
        if not words:
            return frozenset([ANYTHING] if pieces.count(None) > 1 else ())
        if not all(word.strip("_") in self._lines for word in words):
            return frozenset()
        pattern = "".join(r"(\w*)" if piece is None else re.escape(piece) for piece in pieces)
        result = set()
        for found in re.finditer(f"^{pattern.rstrip('_')}$", self._lines, re.MULTILINE):
            operators = self._declared[found[0]]
            if pieces[0] is None and pieces.count(None) == 1:
                operators = operators - self.named_by(found[1])
            result |= operators
        return frozenset(result)

    def of(self, text: str) -> list[str]:
        """The operators that a text can name, and `##MACRO` for a macro that can name any."""
        found: set[str] = set()
        for word in identifiers(text):
            found |= self.named_by(word)
        for macro, pieces in pastes(text):
            pasted = self._of_pieces(pieces)
            found |= {f"{ANYTHING}{macro}"} if ANYTHING in pasted else pasted
        return sorted(found)
