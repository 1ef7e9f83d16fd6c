"""docs/add_operator.md, typed into a copy of the tree: the name is free, the steps fit together."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.budget.checkout import Checkout
from tools.lint.tree import source_root

ROOT = source_root()
PAGE = (ROOT / "docs/add_operator.md").read_text(encoding="utf-8")
YAML = "aten/src/ATen/native/native_functions.yaml"


def block(kind: str) -> str:
    """The page's first block of code of a kind, without the indentation of its step."""
    found = re.search(rf"^   ```{kind}\n(.*?)^   ```", PAGE, re.DOTALL | re.MULTILINE)
    assert found, kind
    return re.sub(r"^   ", "", found[1], flags=re.MULTILINE)


@pytest.fixture(scope="module")
def checkout() -> Iterator[Checkout]:
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as server:
        scratch = Path(directory).resolve()
        result = Checkout.of(ROOT, scratch / "tree", scratch / "output_base", ())
        server.callback(result.bazel, "shutdown")
        yield result


def test_the_steps_of_the_page(checkout: Checkout) -> None:
    declaration, source = block("yaml"), block("cpp")
    name = re.match(r"- func: (\w+)\(", declaration)
    assert name
    operators = (ROOT / YAML).read_text(encoding="utf-8")
    assert not re.search(rf"- func: {name[1]}[._(]", operators), "the example exists already"
    file = re.search(r"in `(\w+\.cpp)`, a new file of `(aten/src/ATen/native/)`", PAGE)
    entry = re.search(r'in the order of the alphabet: `"(\w+\.cpp)",`', PAGE)
    assert file
    assert entry
    assert file[1] == entry[1]
    path = file[2] + file[1]
    assert not (ROOT / path).exists()
    lists = (ROOT / "build_variables.bzl").read_text(encoding="utf-8")
    start = lists.index("\naten_native_srcs = ")
    names = re.findall(
        r'^    "(\w+\.cpp)",$', lists[start : lists.index("]]", start)], re.MULTILINE
    )
    after = max(one for one in names if one < entry[1])
    checkout.write(
        {
            YAML: operators + "\n" + declaration,
            path: source,
            "build_variables.bzl": lists[:start]
            + lists[start:].replace(f'"{after}",\n', f'"{after}",\n    "{entry[1]}",\n', 1),
        }
    )
    # Every header that the source includes must be one that its target has.
    checkout.update()
    deps = (checkout.root / "aten/src/ATen/native/operator_deps.bzl").read_text(encoding="utf-8")
    assert f'"{name[1]}",' in deps.split(f'"{path}": {{')[1].split("\n    },")[0]
    checkout.must("build", "--nobuild", "//torch:_C")
