"""Which headers each source of a PyTorch checkout can read, written as Starlark data.

Every source of the layers is given exactly the headers that it includes, directly or through
others, so that an edit reaches only those that can see it, on every machine that shares a cache.
The operators' headers do not exist when this runs: `tools.codegen` names them from
native_functions.yaml, and what they include stands in torchgen's templates.

Conditions of the preprocessor are taken both ways, except those on `AT_PER_OPERATOR_HEADERS`,
which every target defines. Headers that include one another form one group, which is read whole.

Of the headers that include all operators (`VIEWED`), a source gets a view, which includes only the
operators that the source and its headers can name. spelling.py says why that suffices. A source has
the whole header if one of its files may name any operator.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from overlay.pytorch.index import Index
from overlay.pytorch.spelling import ANYTHING, UNSPELLED, Spelling
from tools.codegen.context import Context, Options
from tools.codegen.groups import GROUPS
from tools.codegen.includes import Operators
from tools.codegen.model import Variant
from tools.codegen.parse import read_native_yaml
from tools.codegen.problems import Problems

ATEN = "aten/src/ATen"
# Where `#include` looks, as `include_roots` of files/BUILD.bazel says it to the compiler.
INCLUDE_ROOTS = (
    "",
    "aten/src",
    "torch/csrc/api/include",
    "torch/csrc/api",
    "torch/csrc",
    "torch/lib",
    "torch/lib/libshm",
    "functorch",
)
# Such a folder below it is one too: of miniz, with the version in its name.
THIRD_PARTY_COPIES = "third_party/"
# Written by a build in the source folder, where PyTorch's own CMake ran: never read.
IN_TREE_OUTPUTS = ("torch/csrc/autograd/generated/", "torch/csrc/lazy/generated/")

# What is compiled.
SOURCES = (".c", ".cc", ".cpp")
# Where templates of generated files are, by name.
TEMPLATES = (f"{ATEN}/templates", "tools/autograd/templates")
# By what an operator's header ends in; the others are of a dispatch key.
OPERATOR_TEMPLATES = {
    "": "Function",
    "meta": "NativeMetaFunction",
    "native": "NativeFunction",
    "ops": "Operator",
}
# The headers of which sources get a view, with what the names of its operators' headers end in.
VIEWED = {f"{ATEN}/Functions.h": "", f"{ATEN}/NativeFunctions.h": "_native"}
# Before the path of such a header, for any view of it.
_VIEW = "@view:"
# What a header of these includes besides operators' headers of its kind.
_VIEWED_TEMPLATES = {
    "": ("Function.h", "Operator.h"),
    "_native": ("NativeFunction.h", "NativeMetaFunction.h"),
}
# Generated headers that only declare operators, or call them as `at::_ops::NAME`, of which there is
# no view. What else they name, their templates spell.
DECLARING = re.compile(
    rf"{ATEN}/(core/(TensorBody|aten_interned_strings|enum_tag)|MethodOperators|Operators"
    rf"|RedispatchFunctions|VmapGeneratedPlumbing|NativeMetaFunctions|FunctionalInverses"
    rf"|RegistrationDeclarations"
    rf"|(CPU|CUDA|Meta|Composite\w+?)Functions(_inl)?|Functions|NativeFunctions)\.h"
    r"|torch/csrc/autograd/generated/(Functions|VariableType|ViewFuncs)\.h"
)
FACTORIES = "torch/csrc/autograd/generated/variable_factories.h"
# What is not read and may look up operators: templates of these libraries, of CUDA's, and of the
# framework of tests.
_NOT_READ = frozenset({"@python", "@pybind11", "@numpy"})
_CUDA = (".cu", ".cuh")
_TESTS = "/test"
# What the generators write into a file besides its template: headers, and folders of them.
WRITTEN_BY_CODE = {
    f"{ATEN}/Register": ("ATen/EmptyTensor.h", "c10/macros/Macros.h"),
    f"{ATEN}/Ufunc": ("aten/src/ATen/native/ufunc/",),
    f"{ATEN}/UfuncCUDA": ("ATen/native/cuda/Loops.cuh",),
    f"{ATEN}/VmapGeneratedPlumbing.h": ("ATen/Operators.h", "ATen/functorch/PlumbingHelper.h"),
    "torch/csrc/inductor/aoti_torch/generated/": (
        "torch/csrc/inductor/aoti_torch/",
        "torch/csrc/inductor/aoti_torch/c/",
        "torch/csrc/inductor/aoti_torch/generated/",
    ),
    "torch/csrc/jit/serialization/": ("flatbuffers/flatbuffers.h",),
    "torch/csrc/lazy/generated/": (
        "torch/csrc/lazy/core/",
        "torch/csrc/lazy/core/internal_ops/",
        "torch/csrc/lazy/generated/",
        "torch/csrc/lazy/ts_backend/",
        "ATen/core/Formatting.h",
        "ATen/native/CPUFallback.h",
        "ATen/native/TensorConversions.h",
        "c10/macros/Macros.h",
        "ATen/Functions.h",
        "ATen/Tensor.h",
        "c10/core/ScalarType.h",
        "ATen/FunctionalTensorWrapper.h",
        "ATen/MetaFunctions.h",
        "ATen/NativeFunctions.h",
        "ATen/CompositeExplicitAutogradNonFunctionalFunctions.h",
    ),
}
# The libraries of others that sources include, by how such an include begins.
THIRD_PARTY = {
    "ActivityType.h": "kineto",
    "Python.h": "python",
    "cpuinfo.h": "cpuinfo",
    "cpython/": "python",
    "flatbuffers/": "flatbuffers",
    "fmt/": "fmt",
    "frameobject.h": "python",
    "google/protobuf/": "protobuf",
    "internal/pycore_": "python",
    "nlohmann/": "nlohmann_json",
    "numpy/": "numpy",
    "onnx/": "onnx",
    "opcode.h": "python",
    "pocketfft_hdronly.h": "pocketfft",
    "pybind11/": "pybind11",
    "sleef.h": "sleef",
    "structmember.h": "python",
    "structseq.h": "python",
}


@dataclass(frozen=True)
class OperatorHeaders:
    """The generated headers of operators.

    Attributes:
      files: their names.
      names: the base names of the operators.
      methods: those that are methods of the tensor class.
      factories: those that variable_factories.h calls.
      others: the operators by the names of their kernels and overloads.
    """

    files: frozenset[str]
    names: Operators
    methods: frozenset[str]
    factories: frozenset[str]
    others: Mapping[str, Sequence[str]]

    @staticmethod
    def of(native: Path, tags: Path) -> OperatorHeaders:
        """Reads native_functions.yaml."""
        problems = Problems()
        parsed = read_native_yaml(native, tags, problems)
        problems.raise_if_any()
        context = Context.make(parsed, Options(backends=("cuda",)))
        files = frozenset(
            file.path.removeprefix(f"{ATEN}/ops/")
            for group in ("operator_headers", "cuda_headers")
            for file in GROUPS[group](context)
            if file.path.startswith(f"{ATEN}/ops/")
        )
        structured = frozenset(group.root_name for group in context.structured.values())
        methods = {f.root_name for f in context.functions if Variant.method in f.variants}
        names = Operators(frozenset(context.roots), structured)
        # As is_factory_function of tools/autograd/gen_variable_factories.py.
        factories = {
            f.root_name
            for f in context.functions
            if f.func.arguments.tensor_options or f.root_name.endswith("_like")
        }
        others: dict[str, set[str]] = {}
        for f in context.functions:
            kernels = (metadata.kernel for metadata in f.dispatch.values())
            name = str(f.func.name.name)
            own = (name, f"{name}_out", f"{name}_outf", f.func.name.unambiguous_name())
            for other in (*own, *kernels):
                others.setdefault(other, set()).add(f.root_name)
        return OperatorHeaders(
            files,
            names,
            frozenset(methods),
            frozenset(factories),
            {name: sorted(found) for name, found in others.items()},
        )

    @property
    def spelling(self) -> Spelling:
        """How they are named."""
        return Spelling(self.names.names, self.others)

    def to_json(self) -> object:
        """What `from_json` takes."""
        sets = (self.files, self.names.names, self.names.structured, self.methods, self.factories)
        return [*(sorted(part) for part in sets), dict(self.others)]

    @staticmethod
    def from_json(saved: Any) -> OperatorHeaders | None:
        """Those that were saved, if there are any."""
        if not saved:
            return None
        files, names, structured, methods, factories = map(frozenset, saved[:5])
        operators = Operators(names, structured)
        return OperatorHeaders(files, operators, methods, factories, saved[5])

    def of_kind(self, *kinds: str) -> list[str]:
        """The headers of some kinds, as they are included."""
        found = (name for name in sorted(self.files) if self.names.split(name[:-2])[1] in kinds)
        return [f"ATen/ops/{name}" for name in found]


class Reader:
    """The include graph of a checkout.

    Args:
      index: what its files include.
      names: the files that can be read, by their paths below it.
      generated: generated files by path.
      operators: the headers of operators.
      reviewed: macros that paste two of their arguments, and never to the name of an operator.
    """

    def __init__(
        self,
        index: Index,
        names: Iterable[str],
        generated: Sequence[str],
        operators: OperatorHeaders,
        reviewed: Iterable[str] = (),
    ) -> None:
        self.index = index
        index.respell(operators.spelling)
        self.reviewed = frozenset(f"{ANYTHING}{macro}" for macro in reviewed)
        self.operators = operators
        self.generated = frozenset(generated)
        self.operator_paths = {f"{ATEN}/ops/{name}": name for name in operators.files}
        own = {name for name in names if not name.startswith(IN_TREE_OUTPUTS)}
        copies = {os.path.dirname(name) for name in own if name.startswith(THIRD_PARTY_COPIES)}
        self.roots = (*INCLUDE_ROOTS, *sorted(copies))
        self.files = frozenset(own) - self.generated - self.operator_paths.keys()
        self.templates: dict[str, list[str]] = {}
        self.found: dict[str, str | None] = {}

    def resolve(self, name: str, includer: str, quoted: bool) -> str | None:
        """The file of this tree that an include means, or `@library` of others, or `@WORD`."""
        if name.startswith("@"):
            return name
        if quoted:
            path = os.path.normpath(f"{os.path.dirname(includer)}/{name}")
            if self._exists(path):
                return path
        if name not in self.found:
            self.found[name] = self._search(name)
        return self.found[name]

    def _exists(self, path: str) -> bool:
        return path in self.generated or path in self.operator_paths or path in self.files

    def _search(self, name: str) -> str | None:
        """What an include means wherever it stands."""
        for folder in self.roots:
            path = os.path.normpath(f"{folder}/{name}") if folder else name
            if self._exists(path):
                return path
        for start, library in THIRD_PARTY.items():
            if name.startswith(start):
                return f"@{library}"
        return None

    def includes(self, path: str) -> list[str]:
        """What a file includes."""
        if path.startswith("@"):
            return []
        if path in self.operator_paths:
            names = [(name, False) for name in self._of_operator(self.operator_paths[path])]
        elif path in self.generated:
            names = [(name, False) for name in self._of_generated(path)]
        else:
            names = self.index.includes(path)
        found_all = (self.resolve(name, path, quoted) for name, quoted in names)
        return sorted({found for found in found_all if found and found != path})

    def spelled(self, path: str) -> set[str]:
        """The operators that a file can name, and `##...` where it may name any.

        Headers of operators only declare theirs.
        """
        path = path.removeprefix(_VIEW)
        if path in self.operator_paths:
            return set()
        if path.startswith("@"):
            return {f"{ANYTHING}{path}"} if path in _NOT_READ else set()
        if path not in self.generated:
            found = set(self.index.spelled(path))
            if path.endswith(_CUDA) or _TESTS in path:
                found.add(f"{ANYTHING}{path}")
        elif self.index.exists(f"{path}.in"):
            found = set(self.index.spelled(f"{path}.in"))
        elif DECLARING.fullmatch(path) or path == FACTORIES:
            found = set(self.operators.factories) if path == FACTORIES else set()
            for folder in TEMPLATES:
                found |= set(self.index.spelled(f"{folder}/{path.rpartition('/')[2]}"))
        else:
            return {f"{ANYTHING}{path}"}
        return found - self.reviewed

    def of_any_view(self, header: str) -> list[str]:
        """What a view of a header can include, besides headers of operators."""
        templates = _VIEWED_TEMPLATES[VIEWED[header]]
        names = [name for template in templates for name in self._template(template)]
        found = {self.resolve(name, header, False) for name in names} | {*self.includes(header)}
        return sorted(path for path in found - self.operator_paths.keys() if path)

    def _template(self, name: str) -> list[str]:
        """What a template of the checkout includes."""
        if name not in self.templates:
            self.templates[name] = [
                include
                for folder in TEMPLATES
                for include, _ in self.index.includes(f"{folder}/{name}")
            ]
        return self.templates[name]

    def _of_operator(self, name: str) -> list[str]:
        """What an operator's header includes."""
        root, kind = self.operators.names.split(name.removesuffix(".h"))
        result = list(self._template(f"{OPERATOR_TEMPLATES.get(kind, 'DispatchKeyFunction')}.h"))
        if kind == "":
            result.append(f"ATen/ops/{root}_ops.h")
        elif kind == "native" and root in self.operators.names.structured:
            result.append(f"ATen/ops/{root}_meta.h")
        return result

    def _of_generated(self, path: str) -> list[str]:
        """What another generated file includes."""
        if self.index.exists(f"{path}.in"):
            # It defines what others read.
            found = (name for name, _ in self.index.includes(f"{path}.in"))
            return [name for name in found if not name.startswith("@")]
        stem = re.sub(r"_\d+$", "", Path(path).stem)
        # Of UfuncCPU_add.cpp the template is UfuncCPU.cpp.
        kind = stem.partition("_")[0] if stem.startswith("Ufunc") else stem
        other = f"{kind}{Path(path).suffix}"
        result = list(self._template(Path(path).name) or self._template(other))
        if stem.startswith("Register") and not result:
            result = list(self._template("RegisterDispatchKey.cpp"))
        for start, added in WRITTEN_BY_CODE.items():
            if path.startswith(start):
                for name in added:
                    result += self._folder(name) if name.endswith("/") else [name]
        if path.startswith(f"{ATEN}/") and path.endswith(".h"):
            return [*result, *self._of_umbrella(stem)]
        if path.endswith(".cpp") or path.startswith("torch/csrc/lazy/"):
            # These name operators of the whole list; the table cannot tell which.
            aten = [other for other in self.generated if other.startswith(ATEN)]
            result += [other.removeprefix("aten/src/") for other in aten if other.endswith(".h")]
            result += [*(f"ATen/ops/{name}" for name in sorted(self.operators.files))]
        elif path == FACTORIES:
            result += [f"ATen/ops/{name}.h" for name in sorted(self.operators.factories)]
        elif path.startswith("torch/csrc/autograd/"):
            result += [*self.operators.of_kind("", "ops")]
        return result

    def _folder(self, folder: str) -> list[str]:
        return [
            path
            for path in [*self.files, *self.generated]
            if path.startswith(folder) and "/" not in path[len(folder) :] and path.endswith(".h")
        ]

    def _of_umbrella(self, stem: str) -> list[str]:
        """What a header of all operators includes of them."""
        operators = self.operators
        if stem == "Functions":
            return operators.of_kind("")
        if stem == "MethodOperators":
            return [f"ATen/ops/{root}_ops.h" for root in sorted(operators.methods)]
        kinds = {"Operators": "ops", "VmapGeneratedPlumbing": "ops"}
        kinds |= {"NativeFunctions": "native", "NativeMetaFunctions": "meta"}
        if stem in kinds:
            return operators.of_kind(kinds[stem])
        inline = re.fullmatch(r"(\w+)Functions_inl", stem)
        if inline:
            template = self._template("DispatchKeyFunctions_inl.h")
            return [*template, *operators.of_kind(f"{inline[1].lower()}_dispatch")]
        by_key = re.fullmatch(r"(\w+)Functions", stem)
        if by_key and f"{ATEN}/{stem}_inl.h" in self.generated:
            return [*self._template("DispatchKeyFunctions.h"), f"ATen/{stem}_inl.h"]
        return []


def groups(graph: Mapping[str, Sequence[str]], roots: Iterable[str]) -> list[list[str]]:
    """Files in groups that include one another, each after those that it includes (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    on_stack: set[str] = set()
    stack: list[str] = []
    result: list[list[str]] = []
    for root in roots:
        if root in index:
            continue
        work: list[tuple[str, int]] = [(root, 0)]
        while work:
            node, position = work.pop()
            if position == 0:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            edges = graph[node]
            if position:
                low[node] = min(low[node], low[edges[position - 1]])
            for next_position in range(position, len(edges)):
                other = edges[next_position]
                if other not in index:
                    work += [(node, next_position + 1), (other, 0)]
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                if low[node] == index[node]:
                    group = []
                    while True:
                        other = stack.pop()
                        on_stack.discard(other)
                        group.append(other)
                        if other == node:
                            break
                    result.append(sorted(group))
    return result


def table(reader: Reader) -> str:
    """The graph as Starlark."""
    graph: dict[str, list[str]] = {}
    words = sorted(reader.index.words)
    libraries = {f"@{name}" for name in [*THIRD_PARTY.values(), *words]}
    files = sorted([*reader.files, *reader.generated, *reader.operator_paths, *libraries])
    viewed = [header for header in VIEWED if header in reader.generated]
    for path in files:
        graph[path] = reader.includes(path)
        if not (path in reader.generated and path.endswith(SOURCES)):
            graph[path] = [f"{_VIEW}{p}" if p in viewed else p for p in graph[path]]
    for header in viewed:
        graph[f"{_VIEW}{header}"] = [
            f"{_VIEW}{p}" if p in viewed else p for p in reader.of_any_view(header)
        ]
    # The headers come first, for a source that has them whole names their groups.
    ordered = groups(graph, [*viewed, *(f"{_VIEW}{header}" for header in viewed), *files])
    number = {path: i for i, group in enumerate(ordered) for path in group}
    below = [
        sorted({number[other] for path in group for other in graph[path]} - {i})
        for i, group in enumerate(ordered)
    ]
    views, whole = _views(reader, ordered, below, [number[f"{_VIEW}{header}"] for header in viewed])
    lines = []
    readers: dict[str, list[str]] = {word: [] for word in words}
    reaching: dict[str, set[int]] = {word: {number[f"@{word}"]} for word in words}
    for i, group in enumerate(ordered):
        for word, reached in reaching.items():
            if not reached.isdisjoint(below[i]):
                reached.add(i)
                readers[word] += [path for path in group if path.endswith(SOURCES)]
        more = [number[viewed[n]] for n in whole.get(i, ())]
        numbers = " ".join(map(str, sorted({*below[i], *more})))
        lines.append(f'    "{" ".join(group)}|{numbers}",\n')
    names = "".join(f'    "{name}",\n' for name in sorted(reader.operators.files))
    shown = {
        path: f"{' '.join(viewed[n] for n in reached)}|{' '.join(sorted(found))}"
        for path, (reached, found) in sorted(views.items())
    }
    return f'''"""Headers of this checkout. Written by overlay/pytorch/tables.py."""

# Generated headers of operators, in aten/src/ATen/ops.
OPERATOR_HEADERS = [
{names}]

# Files that include one another, and after the bar the numbers of the groups that they include.
INCLUDES = [
{"".join(lines)}]

# By macro of an optional library, the sources that can read it.
READERS = {json.dumps({word: sorted(paths) for word, paths in readers.items()}, indent=4)}

# By source, the headers of which it has a view, and after the bar the operators in it.
VIEWS = {json.dumps(shown, indent=4)}
'''


def _views(
    reader: Reader, ordered: Sequence[list[str]], below: Sequence[list[int]], markers: Sequence[int]
) -> tuple[dict[str, tuple[list[int], set[str]]], dict[int, list[int]]]:
    """The sources with views: of which headers, and the operators; and the groups of the others."""
    names: dict[str, int] = {}
    masks: list[int] = []
    reached: list[int] = []
    views = {}
    whole = {}
    for i, group in enumerate(ordered):
        mask = 0
        for path in group:
            for name in reader.spelled(path):
                mask |= 1 << names.setdefault(name, len(names))
        seen = sum(1 << n for n, marker in enumerate(markers) if marker == i)
        for other in below[i]:
            mask |= masks[other]
            seen |= reached[other]
        masks.append(mask)
        reached.append(seen)
        if not seen or not group[0].endswith((*SOURCES, ".cu")):
            continue
        headers = [n for n in range(len(markers)) if seen >> n & 1]
        found = {name for name, bit in names.items() if mask >> bit & 1}
        if len(group) > 1 or any(name.startswith(ANYTHING) for name in found):
            whole[i] = headers
        else:
            views[group[0]] = (headers, found | (UNSPELLED & reader.operators.names.names))
    return views, whole
