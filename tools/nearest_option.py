"""Says what to type in place of words that Bazel refused.

bazelw calls it with the words of a command line. Bazel knows its own options and suggests those; of
this tree's it only says that they are unrecognized.

    nearest_option.py WORD...            the options were wrong
    nearest_option.py --targets WORD...  the targets may be
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

# What begins so turns a switch off.
_NOT = re.compile("no[_-]?", re.IGNORECASE)

_COMMANDS = (
    "aquery",
    "build",
    "coverage",
    "cquery",
    "fetch",
    "info",
    "mod",
    "query",
    "run",
    "test",
)

# How alike two names must be, from 0 to 1: cpu and cuda are 0.57, blass and blas 0.89.
_ALIKE = 0.75


def _lines(path: Path, root: Path) -> Iterator[str]:
    """The lines of a file of settings and of those that it imports."""
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        imported = re.match(r"(?:try-)?import %workspace%/(\S+)", line)
        if imported:
            yield from _lines(root / imported[1], root)
        else:
            yield line


def declared(root: Path) -> tuple[set[str], set[str]]:
    """The short names of this tree's options, and its configurations."""
    text = "\n".join(_lines(root / ".bazelrc", root))
    options = re.findall(r"--flag_alias=(\w+)=", text)
    return set(options), set(re.findall(r"^\w+:([\w-]+) ", text, re.MULTILINE))


def switches(root: Path) -> set[str]:
    """The options that are on or off, from the page of options."""
    return set(re.findall(r"^\| `--(\w+)` \|", _page(root), re.MULTILINE))


def values(root: Path) -> dict[str, list[str]]:
    """The values of each option that has a list of them, from the page of options."""
    _, *sections = re.split(r"^## `--(\w+)`\n", _page(root), flags=re.MULTILINE)
    return {
        name: re.findall(r"^\* `([^`]+)`:", text.partition("\n## ")[0], re.MULTILINE)
        for name, text in zip(sections[::2], sections[1::2], strict=True)
    }


def _page(root: Path) -> str:
    page = root / "docs/options.md"
    return page.read_text(encoding="utf-8") if page.is_file() else ""


def _nearest(name: str, names: Iterable[str]) -> str | None:
    """The name that it was meant to be, if one is alike."""
    plain = re.sub(r"^(use|with|enable)_", "", name.lower().replace("-", "_"))
    same = {one.replace("-", "_"): one for one in names}
    found = difflib.get_close_matches(plain, same, 1, _ALIKE)
    return same[found[0]] if found else None


def corrections(words: Sequence[str], root: Path) -> Iterator[tuple[str, str]]:
    """Each misspelled option, and how this tree spells it.

    Args:
      words: of a command line of Bazel, up to `--`, or of a file of settings.
      root: the tree.
    """
    options, configurations = declared(root)
    for before, word in pairwise(["", *words]):
        if before == "--config":
            near = _nearest(word, configurations)
            if near and word not in configurations:
                yield f"--config {word}", f"--config={near}"
        found = re.fullmatch(r"--([A-Za-z][\w-]*)(=.*)?", word)
        if not found:
            continue
        name, value = found[1], found[2] or ""
        if name == "config":
            near = _nearest(value[1:], configurations)
            if near and value[1:] not in configurations:
                yield word, f"--config={near}"
        elif name not in options:
            off = _NOT.match(name)
            near = _nearest(name[off.end() :], switches(root)) if off else _nearest(name, options)
            by_value = [option for option, names in values(root).items() if name in names[1:]]
            if near:
                yield word, f"--{near}=false" if off else f"--{near}{value}"
            elif by_value and not value:
                yield word, f"--{by_value[0]}={name}"


def wrong_values(words: Sequence[str], root: Path) -> Iterator[tuple[str, list[str], str | None]]:
    """Each option with a value that it does not have, its values, and the nearest of them."""
    known = values(root)
    for word in words:
        found = re.fullmatch(r"--(\w+)=(.*)", word)
        if found and found[1] in known and found[2] not in known[found[1]]:
            names = known[found[1]]
            alike = difflib.get_close_matches(found[2].strip().lower(), names, 1, _ALIKE)
            # 3.15 is nearly 3.11 and means another Python.
            near = alike[0] if alike and not found[2].strip()[:1].isdigit() else None
            yield word, names, near


def misplaced(words: Sequence[str], root: Path) -> Iterator[tuple[str, str]]:
    """Each option of this tree that stands before Bazel's command, and the command."""
    options, _ = declared(root)
    for number, word in enumerate(words):
        if word in _COMMANDS:
            for option in words[:number]:
                found = re.fullmatch(r"--(\w+)(=.*)?", option)
                if found and found[1] in ("config", *options):
                    yield option, word
            return


def variables(words: Sequence[str]) -> Iterator[str]:
    """The words that look like variables of PyTorch's build, as `USE_CUDA=1` does."""
    return (word for word in words if re.fullmatch("[A-Z][A-Z0-9_]*=.*", word))


def main() -> None:
    """Prints what to type in place of the words of the command line and of .bazelrc.user."""
    root = Path(__file__).resolve().parents[1]
    words = sys.argv[1:]
    targets = words[:1] == ["--targets"]
    words = words[: words.index("--")] if "--" in words else words
    personal = root / ".bazelrc.user"
    if targets:
        written = [word for line in _lines(personal, root) for word in line.split("#")[0].split()]
        for word, names, near in wrong_values([*words, *written], root):
            print(f"bazelw: {word}: the values are {', '.join(names)}. For example:")
            print(f"    ./bazelw ... {word.partition('=')[0]}={near or names[0]}")
        for word in variables(words):
            print(f"bazelw: {word} is no target; pip reads PyTorch's variables. As flags:")
            print("    ./bazelw run //tools:summary -- --env")
        return
    here = Path.cwd()
    if not any((folder / "MODULE.bazel").is_file() for folder in (here, *here.parents)):
        print(f"bazelw: {here} is in no checkout. Type:\n    cd {root}")
    for word, command in misplaced(words, root):
        print(f"bazelw: {word} stands before Bazel's command. Type:")
        print(f"    ./bazelw {command} {word} ...")
    for word, instead in corrections(words, root):
        print(f"bazelw: {word} is misspelled. This tree has:\n    ./bazelw ... {instead}")
    for line in _lines(personal, root):
        for word, instead in corrections(line.split("#")[0].split(), root):
            print(f"bazelw: {word} in {personal} is misspelled. Write:\n    {instead}")


if __name__ == "__main__":
    main()
