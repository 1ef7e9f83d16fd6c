"""`variable_factories.h`: functions that make tensors, in namespace torch.

`at::randn` knows nothing of autograd and passes over `requires_grad` of its options; `torch::randn`
is the same with the flag set on the result. A function of namespace torch hides every function of
that name in namespace at, so that all overloads of a factory's name are here.

Operators of Python's `torch.fft`, `torch.linalg` and `torch.special` are in namespaces of these
names too: `torch::fft::rfft` is `at::fft_rfft`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tools.codegen.api import cpp
from tools.codegen.context import GENERATED, Context
from tools.codegen.model import NativeFunction, Variant


def is_factory(f: NativeFunction) -> bool:
    """Whether a function takes the options of the tensor that it makes."""
    return Variant.function in f.variants and f.func.arguments.tensor_options is not None


# Modules of Python that are namespaces of C++.
NAMESPACES = ("fft", "linalg", "special")


def _functions(functions: list[NativeFunction], names: set[str], prefix: str = "") -> Iterator[str]:
    """Calls of `functions` whose C++ name is in `names`, without a prefix of their names."""
    for f in functions:
        if Variant.function not in f.variants or f.manual_cpp_binding:
            continue
        for sig in cpp.signatures(f):
            if sig.name() not in names:
                continue
            arguments = [binding.name for binding in sig.arguments()]
            flag = is_factory(f) and not sig.faithful
            words = [
                "options.requires_grad(::std::nullopt)" if flag and one == "options" else one
                for one in arguments
            ]
            call = f"at::{sig.name()}({', '.join(words)})"
            if flag:
                call = f"detail::with_requires_grad({call}, options.requires_grad())"
            name = sig.name()
            declared = sig.decl().replace(f" {name}(", f" {name.removeprefix(prefix)}(", 1)
            # A new tensor's version is 0, although an operator filled it.
            guard = "  const at::AutoDispatchBelowADInplaceOrView guard;\n" if is_factory(f) else ""
            yield f"inline {declared} {{\n{guard}  return {call};\n}}\n"


def variable_factories_h(context: Context) -> str:
    """The header."""
    includes: list[str] = []
    bodies: list[str] = []
    for root, functions in context.by_root.items():
        names = {sig.name() for f in functions if is_factory(f) for sig in cpp.signatures(f)}
        if names:
            includes.append(f"#include <ATen/ops/{root}.h>\n")
            bodies += _functions(list(functions), names)
    modules: dict[str, list[str]] = {module: [] for module in NAMESPACES}
    for root, functions in context.by_root.items():
        module = functions[0].python_module
        if module in modules and root.startswith(f"{module}_"):
            names = {sig.name() for f in functions for sig in cpp.signatures(f)}
            includes.append(f"#include <ATen/ops/{root}.h>\n")
            modules[module] += _functions(list(functions), names, f"{module}_")
    for module, calls in modules.items():
        bodies += [f"namespace {module} {{\n", *calls, f"}}  // namespace {module}\n"]
    return f"""\
#pragma once

// {GENERATED}

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
{"".join(sorted(set(includes)))}#include <c10/core/TensorOptions.h>

#include <optional>

namespace torch {{

namespace detail {{
inline at::Tensor with_requires_grad(at::Tensor tensor, bool requires_grad) {{
  if (requires_grad) tensor.set_requires_grad(true);
  return tensor;
}}
}}  // namespace detail

{chr(10).join(bodies)}
}}  // namespace torch
"""
