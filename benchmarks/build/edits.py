"""The changes of a checkout that the benchmark measures builds after."""

from __future__ import annotations

import filecmp
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tools.codegen.backends import OUTPUTS
from tools.codegen.cli import main as generate
from tools.lint.tree import source_root

YAML = "aten/src/ATen/native/native_functions.yaml"
TAGS = "aten/src/ATen/native/tags.yaml"
DERIVATIVES = "tools/autograd/derivatives.yaml"


class Change(Protocol):
    """What can be done to a checkout and taken back."""

    def apply(self, tree: Path, number: int) -> None:
        """Makes the change, always from the original; `number` is another one each time."""

    def undo(self, tree: Path) -> None:
        """Takes it back."""


def restore(original: Path, path: Path) -> None:
    """Makes a file what it was; one that is the same keeps its times."""
    if not filecmp.cmp(original, path, shallow=False):
        shutil.copy(original, path)


@dataclass(frozen=True)
class Edit:
    """A change of a file of the checkout.

    Attributes:
      path: the file.
      old: text to replace; empty for the end of the file.
      new: what comes instead; `{n}` is another number each time.
      original: the checkout that it is taken from; this one where it is None.
    """

    path: str
    old: str
    new: str
    original: Path | None = None

    def _source(self) -> Path:
        return (self.original or source_root()) / self.path

    def apply(self, tree: Path, number: int) -> None:
        """Makes the change, always from the original."""
        path = tree / self.path
        text = self._source().read_text(encoding="utf-8")
        new = self.new.replace("{n}", str(number))
        if self.old:
            if text.count(self.old) != 1:
                sys.exit(
                    f"{self.path} has not one {self.old!r}: the scenario needs another example"
                )
            text = text.replace(self.old, new)
        else:
            text += new
        path.write_text(text, encoding="utf-8")

    def undo(self, tree: Path) -> None:
        """Takes it back."""
        restore(self._source(), tree / self.path)


@dataclass(frozen=True)
class Relisted:
    """A list of the generator's outputs, written again for the operators of the checkout.

    Attributes:
      path: the list.
    """

    path: str

    def _groups(self, tree: Path) -> set[str]:
        """The groups that the list has."""
        names: dict[str, Any] = {"struct": dict}
        exec((tree / self.path).read_text(encoding="utf-8"), names)
        return {*names["HEADERS"], *names["FILES"]}

    def apply(self, tree: Path, number: int) -> None:
        """Does what `//tools:update` would do to the list."""
        options = [f"--{flag}" for flag in OUTPUTS]
        options += ["--native-functions", str(tree / YAML), "--tags", str(tree / TAGS)]
        options += [
            "--derivatives",
            str(tree / DERIVATIVES),
            "--generate",
            *sorted(self._groups(tree)),
        ]
        if generate([*options, "--output-list", str(tree / self.path)]) != 0:
            sys.exit(f"{self.path} cannot be made from the operators after the change")

    def undo(self, tree: Path) -> None:
        """Takes it back."""
        restore(source_root() / self.path, tree / self.path)


SYMBOL = "\nnamespace {\n[[maybe_unused]] int benchmark_{n}() { return {n}; }\n}\n"
_LOSS = "ignore_index=-100, float label_smoothing=0.0)"
EDITS: dict[str, tuple[Change, ...]] = {
    "comment in a .cpp": (Edit("c10/util/Exception.cpp", "", "// {n}\n"),),
    "one source changed": (Edit("c10/core/Scalar.cpp", "", SYMBOL),),
    "c10 core header changed": (
        Edit(
            "c10/core/DeviceType.h",
            "namespace c10 {\n",
            "namespace c10 {\nextern int benchmark_{n};\n",
        ),
    ),
    "kernel changed": (Edit("aten/src/ATen/native/cpu/PowKernel.cpp", "", SYMBOL),),
    "ATen header changed": (
        Edit(
            "aten/src/ATen/core/TensorBase.h",
            "namespace at {\n",
            "namespace at {\nextern int b_{n};\n",
        ),
    ),
    "comment in TensorImpl.h": (Edit("c10/core/TensorImpl.h", "", "// {n}\n"),),
    "comment in build_variables.bzl": (Edit("build_variables.bzl", "", "# {n}\n"),),
    "comment in the YAML": (Edit(YAML, "- func: allclose(", "# {n}\n- func: allclose("),),
    "comment in derivatives.yaml": (Edit(DERIVATIVES, "", "\n# {n}\n"),),
    "comment in tags.yaml": (Edit(TAGS, "", "\n# {n}\n"),),
    "one operator's schema changed": (Edit(YAML, _LOSS, _LOSS.replace("100", "{n}")),),
    "argument renamed": (Edit(YAML, _LOSS, _LOSS.replace("smoothing", "smoothing_{n}")),),
    # With what `//tools:update` would write into the lists.
    "new operator": (
        Edit(YAML, "", "\n- func: benchmark(Tensor self, int number={n}) -> Tensor\n"),
        Relisted("aten/src/ATen/generated_files.bzl"),
        Relisted("torch/csrc/autograd/generated_files.bzl"),
        Relisted("torch/csrc/autograd/python_generated_files.bzl"),
        Edit(
            "aten/src/ATen/native/LossNLL.cpp",
            "",
            "\nnamespace at::native {\n"
            "Tensor benchmark(const Tensor& self, int64_t) { return self; }\n}\n",
        ),
    ),
}
LOWEST_SCOPE = {"c10": ("comment in a .cpp", "one source changed", "c10 core header changed")}
# What the other branch has where it is not that header of c10, which all of ATen reads.
_ITERATOR = Edit(
    "aten/src/ATen/TensorIterator.h", "namespace at {\n", "namespace at {\nextern int b_{n};\n"
)
BRANCH: dict[str, Change] = {"cpu": _ITERATOR, "torch": _ITERATOR}
