"""`Ufunc*.{cpp,cu}`: the kernels of structured operators that have `ufunc_inner_loop`.

The loop is a function template of `ATen/native/ufunc/X.h`, called with elements and, where it is
written for these too, with vectors of them.

* `UfuncCPU_X.cpp`        the kernel at CPU, which calls a stub
* `UfuncCPUKernel_X.cpp`  the loops, compiled for each capability of the processor
* `UfuncCUDA_X.cu`        the kernel at CUDA and its loops
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from tools.codegen import dtypes
from tools.codegen.api.structured import impl_parameters
from tools.codegen.context import ATEN, GENERATED, TENSOR_CLASS, Context, GeneratedFile
from tools.codegen.model import (
    Argument,
    NativeFunctionsGroup,
    UfuncInnerLoop,
    UfuncKey,
)

_Render = Callable[[NativeFunctionsGroup], str]


def files(context: Context) -> Iterator[GeneratedFile]:
    """The sources for the processor."""
    for group in _groups(context):
        name = group.root_name
        made_from = context.made_from(group.functions())
        for stem, render in (("UfuncCPU", cpu_cpp), ("UfuncCPUKernel", cpu_kernel_cpp)):
            yield GeneratedFile(
                f"{ATEN}/{stem}_{name}.cpp",
                partial(render, group),
                made_from,
                # The loops are compiled once a capability, and know nothing of operators.
                headers=partial(_headers, name if render is cpu_cpp else None),
            )


def cuda_files(context: Context) -> Iterator[GeneratedFile]:
    """The sources for CUDA."""
    for group in _groups(context):
        path = f"{ATEN}/UfuncCUDA_{group.root_name}.cu"
        yield GeneratedFile(
            path,
            partial(cuda_cu, group),
            context.made_from(group.functions()),
            headers=partial(_headers, group.root_name),
        )


def _headers(name: str | None) -> list[str]:
    """The generated headers of a source, which `name` has the kernel of."""
    return [] if name is None else [TENSOR_CLASS, f"ops/{name}_native.h"]


def _groups(context: Context) -> Iterator[NativeFunctionsGroup]:
    for group in context.groups:
        if isinstance(group, NativeFunctionsGroup) and group.out.ufunc_inner_loop:
            yield group


def _tensors(group: NativeFunctionsGroup) -> list[Argument]:
    arguments = group.functional.func.arguments.flat_non_out
    return [a for a in arguments if a.type.is_tensor_like()]


def _numbers(group: NativeFunctionsGroup) -> list[Argument]:
    arguments = group.functional.func.arguments.flat_non_out
    return [a for a in arguments if not a.type.is_tensor_like()]


def _parameters(group: NativeFunctionsGroup) -> str:
    """The kernel's parameters after the iterator."""
    return "".join(f", const at::Scalar & {a.name}" for a in _numbers(group))


def _passed(group: NativeFunctionsGroup) -> str:
    return "".join(f", {a.name}" for a in _numbers(group))


def _stub(group: NativeFunctionsGroup) -> str:
    """The declaration of the stub, which every source of the operator has."""
    name = group.root_name
    types = "".join(", const at::Scalar &" for _ in _numbers(group))
    return (
        f"using {name}_fn = void (*)(TensorIteratorBase&{types});\n"
        f"DECLARE_DISPATCH({name}_fn, {name}_stub)\n"
    )


def _loops(group: NativeFunctionsGroup, keys: Iterable[UfuncKey]) -> Mapping[str, UfuncInnerLoop]:
    """The loop for each dtype: the first of these keys that has it."""
    found: dict[str, UfuncInnerLoop] = {}
    for key in keys:
        loop = group.out.ufunc_inner_loop.get(key)
        if loop is not None:
            for dtype in dtypes.expand(loop.supported_dtypes):
                found.setdefault(dtype, loop)
    return {dtype: found[dtype] for dtype in dtypes.expand(found)}


def cpu_cpp(group: NativeFunctionsGroup) -> str:
    """The kernel at CPU."""
    name = group.root_name
    return f"""\
// {GENERATED}

#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/ops/{name}_native.h>
#include <c10/core/Scalar.h>

namespace at::native {{

{_stub(group)}DEFINE_DISPATCH({name}_stub);

TORCH_IMPL_FUNC(ufunc_{group.out.func.name.name}_CPU)
({impl_parameters(group)}) {{
  {name}_stub(device_type(), *this{_passed(group)});
}}

}}  // namespace at::native
"""


def cpu_kernel_cpp(group: NativeFunctionsGroup) -> str:
    """The loops over elements and vectors."""
    name = group.root_name
    scalar = _loops(group, (UfuncKey.CPUScalar, UfuncKey.ScalarOnly, UfuncKey.Generic))
    vector = _loops(group, (UfuncKey.CPUVector, UfuncKey.Generic))
    templates: dict[str, str] = {}
    cases = []
    for dtype, loop in scalar.items():
        cases.append(_case(group, dtype, _loop(group, loop, vector.get(dtype)), templates))
    return f"""\
// {GENERATED}

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/ufunc/{name}.h>
#include <c10/core/Scalar.h>

namespace at::native {{

namespace {{

{_templates(group, templates)}
void {name}_kernel(TensorIteratorBase& iter{_parameters(group)}) {{
  AT_DISPATCH_SWITCH(
      iter.common_dtype(), "{name}_stub",
{chr(10).join(cases)});
}}

}}  // namespace

{_stub(group)}REGISTER_DISPATCH({name}_stub, &{name}_kernel)

}}  // namespace at::native
"""


def _case(group: NativeFunctionsGroup, dtype: str, body: str, templates: dict[str, str]) -> str:
    """Calls a function template of this body, which is added to those that there are."""
    template = templates.setdefault(body, f"loop_{len(templates)}")
    return (
        f"      AT_DISPATCH_CASE(at::ScalarType::{dtype}, "
        f"[&] {{ {template}<scalar_t>(iter{_passed(group)}); }})"
    )


def _templates(group: NativeFunctionsGroup, templates: Mapping[str, str]) -> str:
    return "\n".join(
        "template <typename scalar_t>\n"
        f"void {name}(TensorIteratorBase& iter{_parameters(group)}) {{\n{body}}}\n"
        for body, name in templates.items()
    )


def _loop(
    group: NativeFunctionsGroup, scalar: UfuncInnerLoop, vector: UfuncInnerLoop | None
) -> str:
    """The body of a loop over elements and, if there is such a loop, over vectors."""
    names = [a.name for a in _tensors(group)]
    numbers = [a.name for a in _numbers(group)]
    lines = [f"  const auto {n}_value = {n}.to<scalar_t>();" for n in numbers]
    values = ", ".join([*names, *(f"{n}_value" for n in numbers)])
    parameters = ", ".join(f"scalar_t {n}" for n in names)
    element = f"[=]({parameters}) -> scalar_t {{ return ufunc::{scalar.name}({values}); }}"
    if vector is None:
        lines.append(f"  cpu_kernel(iter, {element});")
        return "".join(f"{line}\n" for line in lines)
    lines.append("  using vector_t = at::vec::Vectorized<scalar_t>;")
    lines += [f"  const vector_t {n}_vector({n}_value);" for n in numbers]
    vectors = ", ".join([*names, *(f"{n}_vector" for n in numbers)])
    wide = ", ".join(f"vector_t {n}" for n in names)
    lines += [
        f"  cpu_kernel_vec(\n      iter, {element},",
        f"      [=]({wide}) -> vector_t {{ return ufunc::{vector.name}({vectors}); }});",
    ]
    return "".join(f"{line}\n" for line in lines)


def cuda_cu(group: NativeFunctionsGroup) -> str:
    """The kernel at CUDA with its functors."""
    name = group.root_name
    # `gpu_kernel` passes a number on the host as any element: no functor of its own for that.
    loops = _loops(group, (UfuncKey.CUDAFunctor, UfuncKey.ScalarOnly, UfuncKey.Generic))
    functors = [_functor(group, loop) for loop in dict.fromkeys(one.name for one in loops.values())]
    templates: dict[str, str] = {}
    cases = [
        _case(group, dtype, _launch(group, one.name), templates) for dtype, one in loops.items()
    ]
    return f"""\
// {GENERATED}

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/DispatchStub.h>
#include <ATen/native/cuda/Loops.cuh>
#include <ATen/native/ufunc/{name}.h>
#include <ATen/ops/{name}_native.h>
#include <c10/core/Scalar.h>

namespace at::native {{

namespace {{

{chr(10).join(functors)}
{_templates(group, templates)}
void {name}_kernel(TensorIteratorBase& iter{_parameters(group)}) {{
  AT_DISPATCH_SWITCH(
      iter.common_dtype(), "ufunc_{group.out.func.name.name}_CUDA",
{chr(10).join(cases)});
}}

}}  // namespace

{_stub(group)}REGISTER_CUDA_DISPATCH({name}_stub, &{name}_kernel)

TORCH_IMPL_FUNC(ufunc_{group.out.func.name.name}_CUDA)
({impl_parameters(group)}) {{
  {name}_kernel(*this{_passed(group)});
}}

}}  // namespace at::native
"""


def _functor(group: NativeFunctionsGroup, loop: str) -> str:
    tensors = [a.name for a in _tensors(group)]
    numbers = [a.name for a in _numbers(group)]
    members = "".join(f"  opmath_t {n};\n" for n in numbers)
    values = ", ".join([*(f"static_cast<opmath_t>({n})" for n in tensors), *numbers])
    parameters = ", ".join(f"scalar_t {n}" for n in tensors)
    return f"""\
template <typename scalar_t>
struct CUDAFunctor_{loop} {{
  using opmath_t = at::opmath_type<scalar_t>;
{members}  C10_HOST_DEVICE scalar_t operator()({parameters}) const {{
    return ufunc::{loop}({values});
  }}
}};
"""


def _launch(group: NativeFunctionsGroup, loop: str) -> str:
    """Runs a functor on the elements."""
    numbers = ", ".join(f"{a.name}.to<at::opmath_type<scalar_t>>()" for a in _numbers(group))
    return f"  gpu_kernel(iter, CUDAFunctor_{loop}<scalar_t>{{{numbers}}});\n"
