"""Structured operators: one meta function for shapes and types, one impl for each backend.

The meta class is `at::meta::structured_<functional name>`, the kernel class
`at::native::structured_<kernel>`, derived from it.
"""

from __future__ import annotations

from tools.codegen.api.types import argument_type, value_type
from tools.codegen.model import (
    Argument,
    BaseTy,
    BaseType,
    NativeFunctionsGroup,
    OptionalType,
)


def meta_name(group: NativeFunctionsGroup) -> str:
    """The name TORCH_META_FUNC is given: `add_Tensor`."""
    return group.functional.func.name.unambiguous_name()


def _type(arg: Argument) -> str:
    if arg.type == OptionalType(BaseType(BaseTy.Tensor)):
        return "at::OptionalTensorRef"
    return argument_type(arg, const_ref_out=True)


def meta_parameters(group: NativeFunctionsGroup) -> str:
    """Parameters of meta: everything but out."""
    return ", ".join(f"{_type(a)} {a.name}" for a in group.out.func.arguments.flat_non_out)


def impl_parameters(group: NativeFunctionsGroup) -> str:
    """Parameters of impl: precomputed values in place of what they replace, then the outputs."""
    parameters: list[str] = []
    precomputed = group.out.precomputed
    for a in group.out.func.arguments.flat_non_out:
        replacement = None if precomputed is None else precomputed.replace.get(a.name)
        if replacement is None:
            parameters.append(f"{_type(a)} {a.name}")
        else:
            parameters += [f"{_type(r)} {r.name}" for r in replacement]
    if precomputed is not None:
        parameters += [f"{_type(r)} {r.name}" for r in precomputed.add]
    parameters += [f"const at::Tensor & {a.name}" for a in group.out.func.arguments.out]
    return ", ".join(parameters)


def precomputed_elements(group: NativeFunctionsGroup) -> list[Argument]:
    """The values meta hands to impl."""
    precomputed = group.out.precomputed
    if precomputed is None:
        return []
    return [a for args in precomputed.replace.values() for a in args] + list(precomputed.add)


def meta_arguments(group: NativeFunctionsGroup) -> list[str]:
    """Expressions that pass a wrapper's parameters to meta."""
    return [_pass(a) for a in group.out.func.arguments.flat_non_out]


def impl_arguments(group: NativeFunctionsGroup, outputs: list[str]) -> list[str]:
    """Expressions that pass a wrapper's parameters, or precomputed values, to impl."""
    arguments: list[str] = []
    precomputed = group.out.precomputed
    for a in group.out.func.arguments.flat_non_out:
        replacement = None if precomputed is None else precomputed.replace.get(a.name)
        if replacement is None:
            arguments.append(_pass(a))
        else:
            arguments += [f"precompute.{r.name}" for r in replacement]
    if precomputed is not None:
        arguments += [f"precompute.{r.name}" for r in precomputed.add]
    return arguments + outputs


def _pass(arg: Argument) -> str:
    if arg.type == OptionalType(BaseType(BaseTy.Tensor)):
        name = arg.name
        return (
            f"({name}.has_value() && {name}->defined()) "
            f"? at::OptionalTensorRef(*{name}) : at::OptionalTensorRef()"
        )
    return arg.name


def precompute_struct(group: NativeFunctionsGroup) -> str:
    """The struct meta returns: each value is set exactly once, which the type checks."""
    elements = precomputed_elements(group)
    if not elements:
        return ""
    flags = [f"{e.name.upper()}_SET" for e in elements]
    setters = []
    for i, element in enumerate(elements):
        values = [("true" if j == i else flag) for j, flag in enumerate(flags)]
        result = f"precompute_out<{', '.join(values)}>"
        copies = "\n".join(f"      ret.{e.name} = {e.name};" for e in elements if e is not element)
        setters.append(
            f"    {result} set_{element.name}({_value(element)} value) {{\n"
            f'      static_assert(!{flags[i]}, "{element.name} already set");\n'
            f"      {result} ret;\n"
            + (copies + "\n" if copies else "")
            + f"      ret.{element.name} = std::move(value);\n"
            "      return ret;\n"
            "    }"
        )
    parameters = ", ".join(f"bool {flag} = false" for flag in flags)
    members = "\n".join(f"    {_value(e)} {e.name}{{}};" for e in elements)
    done = ", ".join("true" for _ in elements)
    return (
        f"  template <{parameters}>\n  struct TORCH_API precompute_out {{\n"
        + "\n".join(setters)
        + f"\n{members}\n  }};\n  using meta_return_ty = precompute_out<{done}>;\n"
    )


def _value(arg: Argument) -> str:
    if arg.type == BaseType(BaseTy.DimVector):
        return "at::DimVector"
    return value_type(arg.type)
