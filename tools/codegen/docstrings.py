"""Emits what Python functions say of themselves: the group "docstrings".

A docstring has the signatures, a sentence of descriptions.yaml, the dtypes of dtypes.yaml, and
what the generator knows: other variants, memory that is shared, kernels, derivatives, schemas. The
output is a table in C++, which costs an `import torch` no memory and little time; the site's
reference is made of the same texts.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tools.codegen.autograd import derivatives_of
from tools.codegen.autograd_model import Derivatives
from tools.codegen.context import GENERATED, Context, GeneratedFile
from tools.codegen.dtypes import DTYPE_GROUPS
from tools.codegen.model import Location, NativeFunction
from tools.codegen.problems import CodegenError, Problem, Problems
from tools.codegen.python_signatures import (
    PythonArgument,
    PythonFunction,
    PythonModule,
    PythonOverload,
    python_functions,
)
from tools.codegen.python_stubs import parameter_type, return_type, takes_numbers
from tools.codegen.yaml_source import read_yaml_list

# Where the table's functions are: as people call the module, what torch._C calls it, and the prefix
# that functions have there.
OWNERS = {
    PythonModule.torch: ("torch", "_VariableFunctionsClass", ""),
    PythonModule.methods: ("Tensor", "TensorBase", ""),
    PythonModule.nn: ("torch.nn.functional", "_nn", ""),
    PythonModule.linalg: ("torch.linalg", "_linalg", "linalg_"),
    PythonModule.special: ("torch.special", "_special", "special_"),
    PythonModule.fft: ("torch.fft", "_fft", "fft_"),
}
# Owners of what is written by hand.
_BY_HAND = {"torch": "", "Tensor": "TensorBase"}
_MISSING = "the docstrings group needs descriptions.yaml; pass --descriptions=FILE"
_SPELLED = {
    "_int": "int",
    "_float": "float",
    "_bool": "bool",
    "_dtype": "dtype",
    "_layout": "layout",
    "_DeviceLike": "device",
}
_DEFAULTS = {"at::Reduction::Mean": "1", "[]": "()"}


def public_name(function: PythonFunction) -> str:
    """What people call a function: torch.add, Tensor.add_, torch.linalg.det."""
    title, _, prefix = OWNERS[function.module]
    return f"{title}.{function.name.removeprefix(prefix)}"


@dataclass(frozen=True)
class Docstring:
    """What a function says.

    Attributes:
      owner: the class or module in torch._C, or "".
      name: its name there.
      public: what people call it: torch.add, Tensor.add_.
      base: the base name of the operator, or "" of what is written by hand.
      signatures: an overload each; none for a class or an attribute.
      sentence: of descriptions.yaml.
      facts: what the generator knows, by title.
      schemas: of the operators behind it.
      sections: what follows the sentence in descriptions.yaml, such as Args and an example.
    """

    owner: str
    name: str
    public: str
    base: str
    signatures: tuple[str, ...]
    sentence: str
    facts: Mapping[str, str] = field(default_factory=dict)
    schemas: tuple[str, ...] = ()
    sections: str = ""

    @property
    def text(self) -> str:
        """All of it."""
        schemas = [f"  {schema}" for schema in self.schemas]
        parts = [
            "\n".join(self.signatures),
            self.sentence,
            self.sections,
            "\n".join(f"{title}: {fact}" for title, fact in self.facts.items()),
            "\n".join(["Schemas:", *schemas] if schemas else []),
        ]
        return "\n\n".join(part for part in parts if part) + "\n"


@dataclass
class Descriptions:
    """The descriptions of operators by base name, and of what is written by hand by public name."""

    operators: dict[str, str] = field(default_factory=dict)
    # Public name, and the signature behind it if it has one.
    by_hand: dict[str, tuple[str, str]] = field(default_factory=dict)


def read_descriptions(
    path: Path, known: Set[str], problems: Problems, others: Set[str] = frozenset()
) -> Descriptions:
    """Reads descriptions.yaml, noting problems.

    Args:
      path: the file.
      known: names of the functions that the generator makes for Python, and their base names.
      problems: gets every mistake, with its line.
      others: names of operators that were left out.
    """
    source = read_yaml_list(path, problems)
    result = Descriptions()
    same_as: list[tuple[Location, str, str]] = []
    for index, entry in enumerate(source.entries):
        where = source.location(index)
        if not isinstance(entry, dict) or len(entry) != 1:
            problems.add(where, None, 'expected one name and its sentence: - add: "The sum ..."')
            continue
        ((name, text),) = entry.items()
        if not isinstance(text, str) or not text.strip():
            problems.add(where, name, 'expected a sentence in quotation marks: "The sum ..."')
            continue
        owner, dot, rest = name.partition("(")[0].partition(".")
        if dot:
            if owner not in _BY_HAND:
                problems.add(where, name, f"is of '{owner}'; expected torch or Tensor")
            elif f"{owner}.{rest}" in result.by_hand:
                problems.add(where, name, "is described twice")
            signature = name.removeprefix(f"{owner}.") if "(" in name else ""
            result.by_hand[f"{owner}.{rest}"] = (signature, text)
        elif name not in known:
            if name.removesuffix("_") not in others:
                near = difflib.get_close_matches(name, known, 1, 0.85)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                problems.add(where, name, f"is no function that is generated for Python{hint}")
        elif name in result.operators:
            problems.add(where, name, "is described twice")
        else:
            result.operators[name] = text
            if re.fullmatch(r"\w+", text):
                same_as.append((where, name, text))
    for where, name, text in same_as:
        same = result.operators.get(text)
        if same is None or re.fullmatch(r"\w+", same):
            problems.add(where, name, f"is said to be '{text}', which no sentence describes")
        else:
            result.operators[name] = f"The same as {text}. {same}"
    return result


def read_dtypes(path: Path | None, problems: Problems) -> dict[str, list[str]]:
    """Reads dtypes.yaml: by public names of functions the words, dtypes or groups of them.

    Args:
      path: the file; None for none.
      problems: gets every mistake, with its line.
    """
    known = {"all", *DTYPE_GROUPS, *(name for names in DTYPE_GROUPS.values() for name in names)}
    result: dict[str, list[str]] = {}
    if path is None:
        return result
    source = read_yaml_list(path, problems)
    for index, entry in enumerate(source.entries):
        texts = [*entry.values()] if isinstance(entry, dict) else []
        words = texts[0].split() if len(texts) == 1 and isinstance(texts[0], str) else [""]
        if not known.issuperset(words):
            problems.add(
                source.location(index),
                None,
                'expected a function and its dtypes: - torch.add: "floating complex int64". '
                "Type: ./bazelw run //tests/python:dtypes",
            )
            continue
        result[next(iter(entry))] = words
    return result


def _dtypes(words: Iterable[str], function: PythonFunction) -> str:
    """The fact: which dtypes the first tensor may have."""
    spelled = ", ".join("floating point" if word == "floating" else word for word in words)
    overload = function.overloads[0].base
    tensors = [a.name for a in overload.positional if a.type_str.startswith("Tensor")]
    if function.method:
        return f"{spelled}, of the tensor on the CPU"
    if tensors:
        return f"{spelled}, of `{tensors[0]}` on the CPU"
    return f"{spelled}, on the CPU"


def _spelled(type_: str) -> str:
    return re.sub(r"\w+", lambda word: _SPELLED.get(word[0], word[0]), type_)


def _parameter(argument: PythonArgument, numbers: bool) -> str:
    text = f"{argument.name}: {_spelled(parameter_type(argument, numbers=numbers))}"
    if argument.default is None:
        return text
    return f"{text} = {_DEFAULTS.get(argument.default, argument.default)}"


def _signature(name: str, overload: PythonOverload) -> str:
    arguments = overload.arguments()
    positional = len(overload.base.positional)
    numbers = takes_numbers(overload.base.name)
    pieces = [_parameter(a, numbers) for a in arguments]
    if arguments[positional:]:
        pieces.insert(positional, "*")
    result = return_type(overload, prefix="torch.return_types.")
    return f"{name}({', '.join(pieces)}) -> {_spelled(result)}"


def _functions(function: PythonFunction) -> list[NativeFunction]:
    """The native functions behind a Python function, each once."""
    found = {}
    for overload in function.overloads:
        for item in (overload.base, overload.out):
            if item is not None:
                found[str(item.function.func.name)] = item.function
    return list(found.values())


def _operands(function: PythonFunction, text: str) -> str:
    """What x and y stand for, if the sentence has them."""
    overload = function.overloads[0]
    names = ["the tensor"] if function.method else []
    for argument in overload.base.positional:
        if argument.type_str.removesuffix("?") in ("Tensor", "Scalar"):
            names.append(f"`{argument.name}`")
    said = [
        f"{letter} is {name}"
        for letter, name in zip("xy", names, strict=False)
        if re.search(rf"(?<![\w.`]){letter}(?!\w)", text)
    ]
    return f" Here {' and '.join(said)}." if said else ""


def _kernels(functions: Iterable[NativeFunction], context: Context) -> str:
    keys: set[str] = set()
    composite = False
    for f in functions:
        group = context.structured.get(f.func.name)
        table = group.out.dispatch if group is not None else f.dispatch
        keys |= {key.name for key in table if not key.is_composite and key.name != "Meta"}
        composite |= any(key.is_composite for key in table)
    if not keys:
        return "every backend, by the operators that it calls"
    return ", ".join(sorted(keys)) + ("; others by the operators that it calls" * composite)


def _derivative(functions: Iterable[NativeFunction], derivatives: Derivatives) -> str:
    wanted: dict[str, None] = {}
    composite = False
    for f in functions:
        info = derivatives.of(f)
        if info is None:
            composite |= f.has_composite_implicit_autograd_kernel
            continue
        for argument in info.inputs:
            formula = info.derivative_of(argument.name)
            if formula is not None and not formula.is_not_implemented:
                wanted["input" if argument.name == "self" else argument.name] = None
    if wanted:
        return "with respect to " + ", ".join(f"`{name}`" for name in wanted)
    return "by the operators that it calls" if composite else "none"


def _memory(functions: Iterable[NativeFunction]) -> str:
    if all(f.func.name.name.inplace for f in functions):
        return "writes to the tensor and returns it"
    if any(f.is_view_op for f in functions if not f.func.is_out_fn()):
        return "the result may share that of the input"
    return ""


class _Writer:
    def __init__(
        self,
        context: Context,
        descriptions: Descriptions,
        dtypes: Mapping[str, Iterable[str]],
        functions: Iterable[PythonFunction],
    ) -> None:
        self.context = context
        self.descriptions = descriptions
        self.dtypes = dtypes
        self.derivatives = derivatives_of(context)
        # Public names by base name.
        self.variants: dict[str, list[str]] = {}
        for function in functions:
            base = function.overloads[0].base.function.root_name
            self.variants.setdefault(base, []).append(public_name(function))

    def _description(self, function: PythonFunction) -> tuple[str, str]:
        """The sentence, and the sections after it."""
        native = function.overloads[0].base.function
        base = native.root_name
        inplace = native.func.name.name.inplace
        own = self.descriptions.operators.get(function.name)
        text = own or self.descriptions.operators.get(base, "")
        view = base.removesuffix("_copy")
        if not text and view in self.descriptions.operators:
            return f"What {view} gives, in new memory.", ""
        if inplace and not own:
            text = f"{base} in place. {text}".rstrip()
        sentence, _, sections = text.partition("\n\n")
        return sentence and sentence + _operands(function, sentence), sections

    def docstring(self, function: PythonFunction) -> Docstring:
        owner = OWNERS[function.module][1]
        public = public_name(function)
        short = public.rpartition(".")[2]
        functions = _functions(function)
        base = function.overloads[0].base.function.root_name
        sentence, sections = self._description(function)
        facts = {
            "Also": ", ".join(name for name in self.variants[base] if name != public),
            "Memory": _memory(functions),
            "Dtypes": _dtypes(self.dtypes[public], function) if public in self.dtypes else "",
            "Kernels": _kernels(functions, self.context),
            "Derivative": _derivative(functions, self.derivatives),
        }
        return Docstring(
            owner,
            function.name,
            public,
            base,
            tuple(
                dict.fromkeys(
                    _signature(short, o) for o in function.overloads if not o.base.deprecated
                )
            ),
            sentence,
            {title: fact for title, fact in facts.items() if fact},
            tuple(f"aten::{f.func}" for f in functions),
            sections,
        )

    def by_hand(self) -> Iterator[Docstring]:
        for public, (signature, text) in self.descriptions.by_hand.items():
            title, _, name = public.partition(".")
            signatures = (signature,) if signature else ()
            yield Docstring(_BY_HAND[title], name, public, "", signatures, text)


def docstrings(context: Context) -> list[Docstring]:
    """All docstrings of the context's operators, and of what is written by hand."""
    path = context.options.descriptions
    if path is None:
        raise CodegenError((Problem(Location("<command line>", 0), None, _MISSING),))
    problems = Problems()
    functions = [f for module in PythonModule for f in python_functions(context.functions, module)]
    names = {f.name for f in functions}
    names |= {f.overloads[0].base.function.root_name for f in functions}
    others = {name.partition(".")[0] for name in context.others}
    descriptions = read_descriptions(path, names, problems, others)
    dtypes = read_dtypes(context.options.dtypes, problems)
    problems.raise_if_any()
    writer = _Writer(context, descriptions, dtypes, functions)
    return [*map(writer.docstring, functions), *writer.by_hand()]


def _table(context: Context) -> str:
    lines = []
    for doc in docstrings(context):
        lines.append(f'    {{"{doc.owner}", "{doc.name}", R"doc({doc.text})doc"}},')
    return (
        f"// {GENERATED}\n\n"
        "#include <torch/csrc/utils/docstrings.h>\n\n"
        "namespace torch::utils {\n\n"
        "const Docstring kDocstrings[] = {\n"
        + "\n".join(lines)
        + "\n    {nullptr, nullptr, nullptr},\n};\n\n"
        "}  // namespace torch::utils\n"
    )


def files(context: Context) -> list[GeneratedFile]:
    """The group "docstrings"."""
    return [GeneratedFile("torch/csrc/generated/docstrings.cpp", partial(_table, context))]
