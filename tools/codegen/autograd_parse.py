"""Reads derivatives.yaml: one entry for each operator that has derivatives, every mistake noted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.codegen.autograd_model import (
    Derivative,
    Derivatives,
    NodeInfo,
    all_saved,
    differentiable_outputs,
    identifiers,
    is_differentiable_type,
    node_prefix,
    output_names,
    save_variables,
    unbalanced,
)
from tools.codegen.model import (
    Argument,
    DispatchKey,
    FunctionSchema,
    NativeFunction,
    OperatorName,
)
from tools.codegen.problems import Problems
from tools.codegen.schema_error import SchemaError, nearest
from tools.codegen.yaml_source import YamlEntry, YamlList, read_yaml_list

_ENTRY_KEYS = ("name", "output_differentiability", "dispatch")
# What a derivative of its own may be given for.
_DISPATCH_KEYS = frozenset(
    ["Default", *(key.value for key in DispatchKey if key.value.startswith("Autograd"))]
)
_GRADS = re.compile(r"\bgrads\s*\[\s*(\d{1,9})\s*\]")
_NON_DIFFERENTIABLE = "non_differentiable"
_FORMULA_NAMES = frozenset(
    [
        "grad",
        "grads",
        "grad_input_mask",
        "retain_variables",
        "true",
        "false",
        "auto",
        "return",
        "result",
        "Tensor",
        "IntArrayRef",
        "M_PI",
        "at",
        "std",
        "c10",
        "GradMode",
        "ArrayRef",
    ]
)


def load_derivatives(
    path: str | Path,
    functions: Iterable[NativeFunction],
    text: str | None = None,
    *,
    others: frozenset[str] = frozenset(),
) -> Derivatives:
    """Reads derivatives.yaml; raises `CodegenError` with every problem found."""
    problems = Problems()
    result = read_derivatives(path, functions, problems, text, others=others)
    problems.raise_if_any()
    return result


def read_derivatives(
    path: str | Path,
    functions: Iterable[NativeFunction],
    problems: Problems,
    text: str | None = None,
    *,
    others: frozenset[str] = frozenset(),
) -> Derivatives:
    """Reads derivatives.yaml, noting problems; entries of `others` are passed over."""
    source = read_yaml_list(path, problems, text)
    known = {str(f.func.name): f for f in functions}
    counts: Counter[str] = Counter()
    infos: list[NodeInfo] = []
    by_name: dict[OperatorName, NodeInfo] = {}
    for index in range(len(source.entries)):
        info = _Entry(source, index, problems, known, others).parse(counts)
        if info is None:
            continue
        if info.schema.name in by_name:
            problems.add(
                info.location,
                str(info.schema.name),
                f"has derivatives already, at {by_name[info.schema.name].location}",
            )
            continue
        by_name[info.schema.name] = info
        infos.append(info)
    by_signature: dict[FunctionSchema, NodeInfo] = {}
    for info in infos:
        by_signature.setdefault(info.schema.signature(), info)
    return Derivatives(tuple(infos), by_name, by_signature)


class _Entry(YamlEntry):
    """One entry of the file, on its way to a `NodeInfo`."""

    def __init__(
        self,
        source: YamlList,
        index: int,
        problems: Problems,
        known: Mapping[str, NativeFunction],
        others: frozenset[str],
    ) -> None:
        super().__init__(source, index, problems)
        self.known = known
        self.others = others

    def parse(self, counts: Counter[str]) -> NodeInfo | None:
        """The entry, or None after noting what is wrong with it."""
        f = self.function()
        if f is None:
            return None
        func = f.func
        formulas = self.formulas()
        non_differentiable: set[str] = set()
        derivatives: list[Derivative] = []
        arguments = {a.name: a for a in func.arguments.flat_non_out}
        outputs = output_names(func)
        for key, formula in formulas.items():
            names = tuple(name.strip() for name in key.split(","))
            if all(name in outputs and name not in arguments for name in names):
                continue  # Forward mode.
            refused = formula.strip() == _NON_DIFFERENTIABLE
            if not self.check_arguments(key, names, arguments, only_tensors=not refused):
                continue
            if refused:
                non_differentiable.update(names)
                continue
            derivative = self.derivative(func, key, names, formula)
            if derivative is not None:
                derivatives.append(derivative)
        derived = {name for d in derivatives for name in d.var_names}
        inputs = tuple(a for a in func.arguments.flat_non_out if a.name in derived)
        if inputs and set(f.dispatch) == {DispatchKey.CompositeImplicitAutograd}:
            self.problem(
                "is a composite: its derivative comes from the operators it calls; remove this entry, or give the operator a kernel at another dispatch key"
            )
            return None
        flags, conditions = self.output_differentiability(func)
        positions = differentiable_outputs(func, flags, derivatives)
        self.check_grads(func, derivatives, len(positions))
        op = None
        if inputs:
            prefix = node_prefix(func.name.name.base)
            op = f"{prefix}{counts[prefix]}"
            counts[prefix] += 1
        return NodeInfo(
            func,
            self.source.location(self.index),
            op,
            f.root_name,
            tuple(derivatives),
            inputs,
            frozenset(non_differentiable),
            flags,
            conditions,
            positions,
            all_saved(func, derivatives),
        )

    def function(self) -> NativeFunction | None:
        """The operator the entry is about."""
        if not isinstance(self.entry, dict) or not isinstance(self.entry.get("name"), str):
            self.problem("expected '- name: <schema>' and one formula for each argument")
            return None
        text = self.entry["name"]
        try:
            func = FunctionSchema.parse(text)
        except SchemaError as error:
            self.problem(f"{error.message}\n{error.caret(text)}")
            return None
        self.operator = str(func.name)
        self.check_values()
        f = self.known.get(self.operator)
        if f is None and self.operator in self.others:
            return None
        if f is None:
            self.problem(
                "no operator of this name in native_functions.yaml"
                + nearest(self.operator, self.known)
            )
            return None
        if str(f.func) != str(func):
            self.problem(
                "the schema differs from native_functions.yaml\n"
                f"  here:  {func}\n  there: {f.func} ({f.loc})"
            )
            return None
        return f

    def formulas(self) -> dict[str, str]:
        """Formulas by argument names; those of dispatch key Default where keys are given."""
        entries = [(k, v) for k, v in self.entry.items() if k not in _ENTRY_KEYS]
        dispatch = self.entry.get("dispatch", {"Default": {}})
        if not isinstance(dispatch, dict) or not all(
            isinstance(table, dict) for table in dispatch.values()
        ):
            self.problem("'dispatch' is a table of keys, each with a table of formulas", "dispatch")
            return {}
        for key in sorted(dispatch.keys() - _DISPATCH_KEYS):
            self.problem(
                f"'{key}' is no dispatch key of derivatives: Default, AutogradNestedTensor, AutogradCUDA and their like{nearest(key, _DISPATCH_KEYS)}",
                key,
            )
        entries += dispatch.get("Default", {}).items()
        result: dict[str, str] = {}
        formulas: dict[str, str] = {}
        for key, value in entries:
            if value is None:
                continue  # Noted.
            if not isinstance(value, str):
                self.problem(f"expected a formula for '{key}', got {value!r}", key)
                continue
            result[key] = value
            for name in (name.strip() for name in key.split(",")):
                if name in formulas:
                    self.problem(f"two formulas of '{name}': '{formulas[name]}' and '{value}'", key)
                formulas[name] = value
        return result

    def check_arguments(
        self,
        key: str,
        names: Iterable[str],
        arguments: Mapping[str, Argument],
        *,
        only_tensors: bool,
    ) -> bool:
        """True if all names are arguments that may have a gradient."""
        for name in names:
            if name not in arguments:
                self.problem(f"no argument '{name}'{nearest(name, arguments)}", key)
                return False
            if only_tensors and not is_differentiable_type(arguments[name].type):
                self.problem(
                    f"'{name}' is of type {arguments[name].type}; only tensors have gradients", key
                )
                return False
        return True

    def derivative(
        self, func: FunctionSchema, key: str, names: tuple[str, ...], formula: str
    ) -> Derivative | None:
        """One formula with what it saves."""
        wrong = unbalanced(formula) if formula.strip() else "it is empty"
        if wrong is not None:
            self.problem(f"the formula of '{key}' does not parse: {wrong}: {formula}", key)
            return None
        text, saved = save_variables(func, formula)
        local = {s.name for s in saved} | {a.name for a in func.arguments.flat_non_out}
        for name in identifiers(text):
            if name not in local and name not in _FORMULA_NAMES:
                alone = [_NON_DIFFERENTIABLE] if text.strip() == name else []
                hint = nearest(name, [*local, *alone])
                close = hint and name.lower()[:1] == hint.split("'")[1].lower()[:1]
                if close and not re.search(rf"\b{name}\s*\(|[\w&]\s+{name}\b", text):
                    self.problem(f"the formula of '{key}' uses unknown name '{name}'{hint}", key)
                    return None
        return Derivative(text, names, saved)

    def check_grads(
        self, func: FunctionSchema, derivatives: Iterable[Derivative], count: int
    ) -> None:
        """Notes formulas that index gradients which there are not."""
        if any(ret.type.is_list_like() for ret in func.returns):
            return  # One for each tensor of the list.
        for derivative in derivatives:
            for index in map(int, _GRADS.findall(derivative.formula)):
                if index >= count:
                    name = derivative.var_names[0]
                    outputs = f"{count} output{'' if count == 1 else 's'}"
                    self.problem(
                        f"the formula of '{name}' uses grads[{index}]; {outputs} may have a gradient, counted from 0",
                        name,
                    )

    def output_differentiability(
        self, func: FunctionSchema
    ) -> tuple[tuple[bool, ...] | None, tuple[str, ...] | None]:
        """The booleans, or the conditions."""
        value = self.entry.get("output_differentiability")
        if value is None:
            return None, None
        key = "output_differentiability"
        if not isinstance(value, list) or len(value) != len(func.returns):
            self.problem(f"expected a list of {len(func.returns)} values, one an output", key)
            return None, None
        if all(isinstance(v, bool) for v in value):
            return tuple(value), None
        if all(isinstance(v, str) for v in value):
            return None, tuple(value)
        self.problem("expected all booleans or all C++ conditions", key)
        return None, None


# Names of formulas that are no arguments.
