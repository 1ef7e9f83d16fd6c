"""The pages of the site: those of docs/, and references made from the sources."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

# The order of the menu. A page that is not here stops the build of the site.
MENU: dict[str, list[str]] = {
    "Start": ["index", "build", "options", "own_operator", "errors"],
    "Work on it": [
        "add_operator",
        "add_kernel",
        "codegen",
        "cuda",
        "backends",
        "editors",
        "contributing",
    ],
    "Deliver": ["packaging", "remote"],
    "Compare": ["python", "parity", "benchmarks", "pytorch", "changelog"],
}

# What BUILD files of other workspaces load, and what MODULE.bazel files call.
RULES = {
    "torch_extension": "tools/rules/extension.bzl",
    "torch_cuda_library": "tools/rules/cuda.bzl",
    "torch_codegen": "tools/rules/codegen.bzl",
    "prebuilt": "torch/sdk/extensions.bzl",
}

_LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and the site make it."""
    text = re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip())
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def written(root: Path) -> dict[str, tuple[Path, str]]:
    """The pages that people wrote: name, file and text."""
    files = {path.stem: path for path in sorted((root / "docs").glob("*.md"))}
    files |= {
        "index": root / "README.md",
        "contributing": root / "CONTRIBUTING.md",
        "changelog": root / "CHANGELOG.md",
    }
    return {name: (path, path.read_text(encoding="utf-8")) for name, path in files.items()}


def dead_links(root: Path) -> list[str]:
    """Links between pages that lead nowhere: a file, or a heading of it, that does not exist."""
    wrong = []
    for path, text in written(root).values():
        for _, target, _ in _LINK.findall(re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
            if re.match(r"\w+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (path.parent / name).resolve() if name else path
            if not file.exists():
                wrong.append(f"{path.relative_to(root)}: {target} is no file")
            elif anchor and anchor not in _anchors(file):
                wrong.append(f"{path.relative_to(root)}: {file.name} has no heading {anchor}")
    return wrong


def _anchors(file: Path) -> set[str]:
    text = re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


_PATH = re.compile(
    r"`((?:aten|c10|config|docs|examples|remote|tests|third_party|tools|torch)/[\w./-]+)`"
)


def stale_paths(root: Path) -> list[str]:
    """Paths of the tree that pages name and that are not there."""
    wrong = []
    for path, text in written(root).values():
        if path.name in ("CHANGELOG.md", "pytorch.md"):
            continue  # They tell of what was, and of files of PyTorch's own checkout.
        for name in _PATH.findall(text):
            if not (root / name.rstrip("/")).exists() and not _generated(root, name):
                wrong.append(f"{path.relative_to(root)}: {name} does not exist")
    return wrong


def _generated(root: Path, name: str) -> bool:
    """Whether a path is of an installation, or a package makes it under this name."""
    if name.startswith(("torch/lib", "torch/include", "torch/share", "torch/_C")):
        return True
    build = (root / name).parent / "BUILD.bazel"
    return build.exists() and Path(name).name in build.read_text(encoding="utf-8")


def linked(text: str, path: Path, root: Path, known: Mapping[Path, str]) -> str:
    """A page with its links as the site has them; those to files beside the pages become text."""

    def one(match: re.Match[str]) -> str:
        before, target, after = match.groups()
        if re.match(r"\w+:|#", target):
            return match[0]
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve()
        if file.suffix == ".svg":
            return f"{before}{file.name}{after}"
        if file not in known:
            return f"`{file.relative_to(root)}`"
        return f"{before}{known[file]}.md{'#' + anchor if anchor else ''}{after}"

    return _LINK.sub(one, text)


_HEADINGS = "Args|Attributes|Errors|Example|Raises|Returns|Shape|Yields"


def _docstring(text: str | None) -> str:
    """A docstring in Markdown: its Args and Returns are lists."""
    if not text:
        return "There is no description yet.\n"
    lines = []
    inside = False
    for line in text.expandtabs().splitlines():
        heading = re.fullmatch(
            r"(Args|Attributes|Errors|Example|Raises|Returns|Shape|Yields):", line
        )
        if heading:
            inside = heading[1] in ("Args", "Attributes")
            lines += ["", f"**{heading[1]}**", ""]
        elif inside and (argument := re.match(r"  ([*\w]+)(?: \([^)]*\))?: (.*)", line)):
            lines.append(f"* `{argument[1]}`: {argument[2]}")
        elif inside and line and not line.startswith(" "):
            inside = False
            lines += ["", line]
        else:
            lines.append(line.strip() if inside else line)
    return "\n".join(lines) + "\n"


def rules(root: Path) -> str:
    """The reference of the public rules and tags, from their files: Starlark is read as Python."""
    lines = ["# Rules", "", "What BUILD files of other workspaces load from `@torch`.", ""]
    for name, file in RULES.items():
        tree = ast.parse((root / file).read_text(encoding="utf-8"))
        lines += [f"## {name}", "", "```python"]
        functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        if name in functions:
            node = functions[name]
            load = f'load("@torch//{Path(file).parent}:{Path(file).name}", "{name}")'
            lines += [load, "", f"{name}({ast.unparse(node.args)})", "```", ""]
            lines += [_docstring(ast.get_docstring(node))]
            called = {
                call.func.id
                for call in ast.walk(node)
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
            }
            lines += _attributes(tree, called)
        else:
            lines += [
                f'torch = use_extension("@torch//{Path(file).parent}:{Path(file).name}", "torch")'
            ]
            lines += [f"torch.{name}(...)", "```", ""]
            lines += _attributes(tree, {f"_{name.upper()}_TAG"})
    return "\n".join(lines) + "\n"


def _attributes(tree: ast.Module, names: Iterable[str]) -> list[str]:
    """Docs of the attributes of rules and tags that a file assigns to some names."""
    lines = []
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        target = node.targets[0]
        if not isinstance(target, ast.Name) or target.id not in set(names):
            continue
        words = {keyword.arg: keyword.value for keyword in node.value.keywords}
        if isinstance(doc := words.get("doc"), ast.Constant):
            lines += [str(doc.value), ""]
        for table in ast.walk(words.get("attrs", ast.Dict([], []))):
            if not isinstance(table, ast.Dict):
                continue
            for key, value in zip(table.keys, table.values, strict=True):
                if not isinstance(key, ast.Constant) or not isinstance(value, ast.Call):
                    continue
                if str(key.value).startswith("_"):
                    continue
                said = next((k.value for k in value.keywords if k.arg == "doc"), None)
                text = said.value if isinstance(said, ast.Constant) else "no description yet"
                lines.append(f"* `{key.value}`: {text}")
    return [*lines, ""]


def _entries(path: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return entries


_MODULES = {"linalg": "torch.linalg", "nn": "torch.nn.functional", "special": "torch.special"}


def operators(root: Path) -> dict[str, str]:
    """Pages of all operators by their first letter: schemas, backends, derivatives."""
    entries = _entries(root / "aten/src/ATen/native/native_functions.yaml")
    derivatives = {
        str(entry["name"]).split("(")[0]: entry
        for entry in _entries(root / "tools/autograd/derivatives.yaml")
    }
    kernels = {str(e["func"]).split("(")[0]: e.get("dispatch", {}) for e in entries}
    by_name: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for entry in entries:
        base = re.split(r"[.(]", str(entry["func"]))[0]
        if not base.startswith("_") and not base.endswith("_backward"):
            by_name[base.removesuffix("_")].append(entry)
    pages: dict[str, list[str]] = defaultdict(list)
    for name, group in sorted(by_name.items()):
        pages[name[0].lower()] += _operator(name, group, kernels, derivatives)
    return {
        letter: "\n".join([f"# Operators: {letter.upper()}", "", *lines]) + "\n"
        for letter, lines in pages.items()
    }


def _operator(
    name: str,
    group: list[dict[str, Any]],
    kernels: Mapping[str, Mapping[str, str]],
    derivatives: Mapping[str, Mapping[str, str]],
) -> list[str]:
    module = next((e["python_module"] for e in group if e.get("python_module")), "")
    names = []
    variants = {v.strip() for e in group for v in str(e.get("variants", "function")).split(",")}
    if "function" in variants:
        short = name.removeprefix(f"{module}_") if module else name
        names.append(f"`{_MODULES.get(module, 'torch')}.{short}`")
    if "method" in variants:
        names.append(f"`Tensor.{name}`")
    backends: set[str] = set()
    composite = False
    wanted: set[str] = set()
    for entry in group:
        key = str(entry["func"]).split("(")[0]
        table = entry.get("dispatch") or kernels.get(str(entry.get("structured_delegate", "")), {})
        keys = {word.strip() for words in table or () for word in str(words).split(",")}
        composite |= not keys or any("Composite" in word for word in keys)
        backends |= {word for word in keys if "Composite" not in word and word != "Meta"}
        formula = derivatives.get(key, {})
        wanted |= {word.strip() for k in formula for word in str(k).split(",") if k != "name"}
    if not backends:
        where = "every backend, by the operators that it calls"
    else:
        where = ", ".join(sorted(backends)) + (
            "; the rest by the operators that it calls" if composite else ""
        )
    wanted -= {"result", "dispatch", "output_differentiability"}
    gradient = (
        "with respect to " + ", ".join(f"`{word}`" for word in sorted(wanted))
        if wanted
        else "by the operators that it calls"
        if composite
        else "none"
    )
    schemas = [f"aten::{entry['func']}" for entry in group]
    return [
        f"## {name}",
        "",
        *["```text", *schemas, "```", ""],
        f"* In Python: {', '.join(names)}",
        f"* Kernels: {where}",
        f"* Derivative: {gradient}",
        "",
    ]


def python_modules(root: Path) -> dict[str, str]:
    """Pages of the public modules of the package, from their docstrings."""
    pages: dict[str, list[str]] = defaultdict(list)
    for path in sorted((root / "torch").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if any(part.startswith("_") and part != "__init__" for part in parts) or len(parts) < 2:
            continue
        if path.name.endswith("_test.py"):
            continue
        module = ".".join(part for part in parts if part != "__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found = [
            node
            for node in tree.body
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_")
        ]
        page = parts[1].removesuffix("__init__") or "torch"
        lines = pages[page]
        if not lines:
            lines += [f"# torch.{page}" if page != "torch" else "# torch", ""]
        if module.count(".") >= 1 or page == "torch":
            summary = (ast.get_docstring(tree) or "").split("\n\n")[0]
            lines += [f"## {module}", "", summary, ""]
        for node in found:
            words = "" if isinstance(node, ast.ClassDef) else f"({ast.unparse(node.args)})"
            lines += [
                f"### {node.name}",
                "",
                "```python",
                f"{module}.{node.name}{words}",
                "```",
                "",
            ]
            lines += [_docstring(ast.get_docstring(node))]
    return {name: "\n".join(lines) + "\n" for name, lines in pages.items() if len(lines) > 4}
