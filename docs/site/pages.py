"""The pages of the site: those of docs/, and references made from the sources."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.codegen.context import Context, Options
from tools.codegen.docstrings import Docstring, docstrings
from tools.codegen.parse import parse_native_yaml

# The order of the menu. A page that is not here stops the build of the site.
MENU: dict[str, list[str]] = {
    "Start": ["index", "build", "options", "own_operator", "errors"],
    "Work on it": [
        "architecture",
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

# Programs of the tree, as they are called, each with its file.
COMMANDS = {
    "./bazelw run //tools:doctor --": "tools/doctor/doctor.py",
    "./bazelw run //tools:summary --": "tools/summary/summary.py",
    "./bazelw run //tools:compile_commands --": "tools/compile_commands/compile_commands.py",
    "./bazelw run //tools:depgraph --": "tools/depgraph/depgraph.py",
    "./bazelw run //tools:report --": "tools/report/report.py",
    "./bazelw run //tools/codegen --": "tools/codegen/__main__.py",
    "./bazelw run //docs:serve --": "docs/site/site.py",
    "./bazelw run //tests/upstream:run --": "tests/upstream/run.py",
    "./bazelw run //:release --": "tools/package/release.py",
    "./remote/cluster": "remote/cluster.py",
}

_LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and the site make it."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip())
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


# A path, or a label; the package of a label counts.
_PATH = re.compile(
    r"`(?://)?((?:aten|benchmarks|c10|config|docs|examples|overlay|platforms|pytorch|registry|remote"
    r"|tests|third_party|toolchains|tools|torch)/[\w./-]+)(?::[\w./+-]+)?`"
)


def stale_paths(root: Path) -> list[str]:
    """Paths of the tree that pages name and that are not there."""
    wrong = []
    for path, text in written(root).values():
        if path.name in ("CHANGELOG.md", "pytorch.md"):
            continue  # They tell of what was, and of files of PyTorch's own checkout.
        for name in _PATH.findall(text):
            path_of = root / name.removesuffix("...").rstrip("/")
            if not path_of.exists() and not _generated(root, name):
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
            r"(Args|Attributes|Errors|Example|Raises|Returns|Shape|Yields)::?", line
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
            # Two colons announce code in other markup; here its indentation does.
            line = re.sub(r"::$", ":", line)
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


def commands(root: Path) -> str:
    """The reference of the command lines: what each program prints for --help."""
    lines = ["# Commands", "", "What each program of the tree prints for `--help`.", ""]
    for command, file in COMMANDS.items():
        # Before the dashes the doctor takes options of the build.
        dashes = ["--"] if file.endswith("doctor.py") else []
        # A program finds the modules beside it even where PYTHONSAFEPATH is set.
        path = os.pathsep.join([str((root / file).parent), str(root), *sys.path])
        environment = {**os.environ, "PYTHONPATH": path, "COLUMNS": "88"}
        done = subprocess.run(
            [sys.executable, root / file, *dashes, "--help"],
            capture_output=True,
            check=False,
            env=environment,
            text=True,
        )
        if done.returncode:
            sys.exit(f"{command} --help ends with {done.returncode}:\n{done.stderr}")
        text = re.sub(r"\Ausage: (python -m )?\S+", f"usage: {command}", done.stdout)
        title = command.removesuffix(" --").removeprefix("./bazelw run ")
        lines += [f"## {title}", "", "```text", text.rstrip(), "```", ""]
    return "\n".join(lines)


def operators(root: Path) -> dict[str, str]:
    """Pages of all operators by their first letter: what their functions in Python say."""
    native = root / "aten/src/ATen/native"
    parsed = parse_native_yaml(native / "native_functions.yaml", native / "tags.yaml")
    options = Options(
        derivatives=root / "tools/autograd/derivatives.yaml",
        descriptions=native / "descriptions.yaml",
        dtypes=native / "dtypes.yaml",
    )
    by_base: dict[str, list[Docstring]] = defaultdict(list)
    by_hand = []
    for doc in docstrings(Context.make(parsed, options)):
        if not doc.base:
            by_hand.append(doc)
        elif not doc.base.startswith("_"):
            by_base[doc.base].append(doc)
    pages: dict[str, list[str]] = defaultdict(list)
    for base, group in sorted(by_base.items(), key=lambda item: _short(item[1][0])):
        pages[_short(group[0])[0].lower()] += _operator(base, group)
    for doc in sorted(by_hand, key=_short):
        pages[_short(doc)[0].lower()] += _operator("", [doc])
    return {
        letter: "\n".join([f"# Functions: {letter.upper()}", "", *lines]) + "\n"
        for letter, lines in sorted(pages.items())
    }


def _short(doc: Docstring) -> str:
    return doc.public.rpartition(".")[2]


def _operator(base: str, group: list[Docstring]) -> list[str]:
    """The functions of one operator; what their docstrings have in common stands once."""
    first = group[0]
    lines = [f"## {first.public}", ""]
    if base and _short(first).rstrip("_") != base.rstrip("_"):
        lines += [f"The operator `{base}`.", ""]
    signatures = []
    for doc in group:
        owner = doc.public.rpartition(".")[0]
        signatures += [f"{owner}.{signature}" for signature in doc.signatures]
    if signatures:
        lines += ["```python", *dict.fromkeys(signatures), "```", ""]
    lines += [_as_text(first.sentence), ""] * bool(first.sentence)
    lines += ["```text", first.sections, "```", ""] * bool(first.sections)
    facts = {title: fact for title, fact in first.facts.items() if title != "Also"}
    lines += [f"* {title}: {fact}" for title, fact in facts.items()]
    schemas = dict.fromkeys(schema for doc in group for schema in doc.schemas)
    if schemas:
        lines += ["", "```text", *schemas, "```"]
    return [*lines, ""]


def _as_text(sentence: str) -> str:
    """A sentence whose stars and underlines are no Markdown."""
    parts = sentence.split("`")
    parts[::2] = [re.sub(r"([*_<>|\\\[\]])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


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
