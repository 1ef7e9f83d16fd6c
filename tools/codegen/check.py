"""Checks across files: every operator has a kernel, every kernel a definition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.codegen.model import DispatchKey, NativeFunction
from tools.codegen.parse import ParsedYaml
from tools.codegen.problems import Problems
from tools.codegen.schema_error import nearest

_IMPL_FUNC = re.compile(r"TORCH_IMPL_FUNC\(\s*(\w+)\s*\)")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)]*)\)(.*)$", re.MULTILINE)
_USE = re.compile(r"\b(\w+)\(([^()]*)\)")
_WORD_BEFORE_PARENTHESIS = re.compile(r"\b([A-Za-z_]\w*)\s*\)?\s*\(")


def check_kernels(
    parsed: ParsedYaml, require: str | None = None, sources: Iterable[Path] = ()
) -> None:
    """Raises `CodegenError` if an operator lacks a kernel.

    `require` names the dispatch key every operator must be callable at. With `sources`, each kernel
    at that key, or at a composite one, must be defined in one of them.
    """
    problems = Problems()
    keys: tuple[DispatchKey, ...] = ()
    if require is not None:
        key = DispatchKey[require]
        keys = (key, *(k for k in DispatchKey if k.is_composite))
        by_name = {f.func.name: f for f in parsed.functions}
        for f in parsed.functions:
            target = by_name.get(f.structured_delegate) if f.structured_delegate else None
            if not any(k in f.dispatch or (target and k in target.dispatch) for k in keys):
                problems.add(
                    f.loc,
                    str(f.func.name),
                    f"has no kernel for {key}: add '{key}: <function in at::native>' or a "
                    "composite key to its 'dispatch', or 'structured_delegate'",
                )
    paths = tuple(sources)
    if paths and keys:
        defined = defined_names(path.read_text(encoding="utf-8") for path in paths)
        for f in parsed.functions:
            _check_defined(f, keys, defined, problems)
    problems.raise_if_any()


def defined_names(texts: Iterable[str]) -> frozenset[str]:
    """Every word that stands before a parenthesis: a superset of the functions defined.

    Uses of macros that paste names together (`op##_out`) are expanded first.
    """
    names: set[str] = set()
    for text in texts:
        for piece in (text, *_expanded(text)):
            names.update(_WORD_BEFORE_PARENTHESIS.findall(piece))
            names.update(_IMPL_FUNC.findall(piece))
    return frozenset(names)


def _expanded(text: str) -> Iterator[str]:
    """The bodies of the file's pasting macros, once for each use."""
    todo = [text.replace("\\\n", " ")]
    macros = {
        match[1]: ([p.strip() for p in match[2].split(",")], match[3])
        for match in _MACRO.finditer(todo[0])
    }
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


def _check_defined(
    f: NativeFunction,
    keys: tuple[DispatchKey, ...],
    defined: frozenset[str],
    problems: Problems,
) -> None:
    for key in keys:
        metadata = f.dispatch.get(key)
        if metadata is None or metadata.kernel in defined:
            continue
        how = f"TORCH_IMPL_FUNC({metadata.kernel})" if metadata.structured else metadata.kernel
        problems.add(
            f.loc,
            str(f.func.name),
            f"no source defines the {key} kernel '{how}'{nearest(metadata.kernel, defined)}",
        )
