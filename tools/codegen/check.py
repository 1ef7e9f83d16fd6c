"""Checks across files: every operator has a kernel, every kernel a definition, and the reverse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.codegen.api.structured import meta_name
from tools.codegen.backends import HOST, IN_C10
from tools.codegen.composite_kernels import called_by
from tools.codegen.model import (
    DispatchKey,
    Location,
    NativeFunction,
    NativeFunctionsGroup,
    OperatorName,
    group_functions,
)
from tools.codegen.problems import Problems
from tools.codegen.python_types import is_absent
from tools.codegen.schema_error import nearest

_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)(.*)$", re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_USE = re.compile(r"\b(\w+)\(([^()]*)\)")
_WORD_BEFORE_PARENTHESIS = re.compile(r"\b([A-Za-z_]\w*)\s*\)?\s*\(")
# TORCH_IMPL_FUNC(kernel), TORCH_META_FUNC(operator), TORCH_META_FUNC2(operator, overload)
_STRUCTURED = re.compile(r"\bTORCH_(IMPL|META)_FUNC2?\(\s*(\w+)\s*(?:,\s*(\w+)\s*)?\)")


@dataclass(frozen=True, slots=True)
class Definitions:
    """What sources define.

    `names` is every word that stands before a parenthesis: a superset of the functions. `impl` and
    `meta` are structured kernels and meta functions, with a place where they are written out.
    """

    names: set[str] = field(default_factory=set)
    impl: dict[str, Location | None] = field(default_factory=dict)
    meta: dict[str, Location | None] = field(default_factory=dict)

    def add(self, path: str, text: str) -> None:
        """Notes what one source defines; macros that paste names (`op##_out`) are expanded."""
        written = _DIRECTIVE.sub(lambda match: "\n" * match[0].count("\n"), text)
        for match in _STRUCTURED.finditer(written):
            self._note(match, Location(path, written.count("\n", 0, match.start()) + 1))
        for piece in (text, *_expanded(text)):
            self.names.update(_WORD_BEFORE_PARENTHESIS.findall(piece))
            if piece is not text:
                for match in _STRUCTURED.finditer(piece):
                    self._note(match, None)

    def _note(self, match: re.Match[str], location: Location | None) -> None:
        name = f"{match[2]}_{match[3]}" if match[3] else match[2]
        (self.impl if match[1] == "IMPL" else self.meta).setdefault(name, location)


def definitions(sources: Iterable[Path]) -> Definitions:
    """What these files define."""
    result = Definitions()
    for path in sources:
        result.add(str(path), path.read_text(encoding="utf-8"))
    return result


def _expanded(text: str) -> Iterator[str]:
    """The bodies of the file's pasting macros, once for each use."""
    joined = text.replace("\\\n", " ")
    macros = {
        match[1]: ([p.strip() for p in match[2].split(",")], match[3])
        for match in _MACRO.finditer(joined)
    }
    todo = [_MACRO.sub("", joined)]
    # A macro may use another one; none nests deeper than a few levels.
    for _ in range(3):
        produced = []
        for piece in todo:
            for name, arguments in _USE.findall(piece):
                if name not in macros:
                    continue
                parameters, body = macros[name]
                values = [a.strip() for a in arguments.split(",")]
                for parameter, value in zip(parameters, values, strict=False):
                    body = re.sub(rf"\b{re.escape(parameter)}\b", value, body)
                produced.append(re.sub(r"\s*##\s*", "", body))
        yield from produced
        todo = produced


def check_callable(
    functions: Iterable[NativeFunction], key: DispatchKey, problems: Problems
) -> None:
    """Every operator has a kernel at this dispatch key, or a composite one.

    A private operator may be one of other backends alone, as `_cslt_compress` is one of CUDA.
    """
    functions = tuple(functions)
    keys = (key, *(k for k in DispatchKey if k.is_composite))
    by_name = {f.func.name: f for f in functions}
    for f in functions:
        if f.dispatch and re.match("_[a-z]", str(f.func.name)):
            continue
        target = by_name.get(f.structured_delegate) if f.structured_delegate else None
        if not any(k in f.dispatch or (target and k in target.dispatch) for k in keys):
            problems.add(
                f.loc,
                str(f.func.name),
                f"has no kernel for {key}: add '{key}: <function in at::native>' or a "
                "composite key to its 'dispatch', or 'structured_delegate'",
            )


def check_types(functions: Iterable[NativeFunction], problems: Problems) -> None:
    """Every argument has a type that this tree has."""
    for f in functions:
        for argument in f.func.arguments.flat_all:
            if is_absent(argument.type):
                problems.add(
                    f.loc,
                    str(f.func.name),
                    f"argument '{argument.name}' is a {argument.type}, which this tree does not "
                    "have: its C++ would not compile. Leave the overload out",
                )


def check_defined(
    functions: Iterable[NativeFunction],
    defined: Definitions,
    problems: Problems,
    keys: Iterable[DispatchKey] = HOST,
) -> None:
    """Every kernel at these keys and every meta function is defined, and none more than those."""
    functions = tuple(functions)
    check_types(functions, problems)
    keys = frozenset(keys)
    by_name = {f.func.name: f for f in functions}
    kernels: set[str] = set()
    for f in functions:
        kernels |= {m.kernel for m in f.dispatch.values() if m.structured}
        _check_kernels(f, keys, by_name, defined, problems)
    groups = [
        group
        for group in group_functions(functions)
        if isinstance(group, NativeFunctionsGroup) and group.structured
    ]
    for group in groups:
        name = meta_name(group)
        if name not in defined.meta:
            how = f"TORCH_META_FUNC({name})"
            overload = group.functional.func.name.overload_name
            if overload:
                how = f"TORCH_META_FUNC2({name.removesuffix(f'_{overload}')}, {overload})"
            problems.add(
                group.out.loc,
                str(group.out.func.name),
                f"no source defines the meta function '{how}'{nearest(name, defined.meta)}",
            )
    metas = {meta_name(group) for group in groups}
    _check_wanted("IMPL", defined.impl, kernels, "'structured: True' and this kernel", problems)
    _check_wanted("META", defined.meta, metas, "'structured: True'", problems)


def _check_kernels(
    f: NativeFunction,
    keys: frozenset[DispatchKey],
    by_name: Mapping[OperatorName, NativeFunction],
    defined: Definitions,
    problems: Problems,
) -> None:
    for key, metadata in f.dispatch.items():
        if key not in IN_C10:
            keys_of_c10 = ", ".join(sorted(map(str, IN_C10)))
            problems.add(
                f.loc,
                str(f.func.name),
                f"c10 has no dispatch key {key}: its kernel would not compile. Keys that operators "
                f"may name: {keys_of_c10}. For a new one, add a backend to config/backends.bzl",
            )
            continue
        if key not in keys or called_by(f, key, by_name) is not None:
            continue
        if metadata.structured and f.ufunc_inner_loop:
            continue  # Made of the loops.
        known = defined.impl if metadata.structured else defined.names
        if metadata.kernel in known:
            continue
        how = f"TORCH_IMPL_FUNC({metadata.kernel})" if metadata.structured else metadata.kernel
        problems.add(
            f.loc,
            str(f.func.name),
            f"no source defines the {key} kernel '{how}'{nearest(metadata.kernel, known)}",
        )


def _check_wanted(
    kind: str,
    defined: Mapping[str, Location | None],
    wanted: set[str],
    what: str,
    problems: Problems,
) -> None:
    for name, location in defined.items():
        if name not in wanted and location is not None:
            problems.add(
                location,
                None,
                f"TORCH_{kind}_FUNC of '{name}', but no operator in native_functions.yaml has "
                f"{what}{nearest(name, wanted)}",
            )
