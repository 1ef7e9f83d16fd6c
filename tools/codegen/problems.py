"""Problems found in the input files, collected so that one run reports them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tools.codegen.model import Location


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to fix: where, in which operator, what is wrong and what was expected."""

    location: Location
    operator: str | None
    message: str

    def __str__(self) -> str:
        operator = f" in '{self.operator}'" if self.operator else ""
        return f"{self.location}: error{operator}: {self.message}"


class Problems:
    """A growing list of problems."""

    def __init__(self) -> None:
        self._list: list[Problem] = []

    def add(self, location: Location, operator: str | None, message: str) -> None:
        """Notes a problem."""
        self._list.append(Problem(location, operator, message))

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._list)

    def __len__(self) -> int:
        return len(self._list)

    def raise_if_any(self) -> None:
        """Raises `CodegenError` with everything noted so far."""
        if self._list:
            raise CodegenError(tuple(self._list))


class CodegenError(Exception):
    """The input cannot be generated from; the text lists every problem."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        count = f"{len(problems)} error{'s' if len(problems) != 1 else ''}"
        super().__init__("\n".join([*map(str, problems), count]))
