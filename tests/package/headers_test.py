"""Headers that extensions of PyTorch include, each compiled alone against the installed wheel."""

from __future__ import annotations

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.package.environment import Environment
from tests.package.extension_environment import extension_environment, python

# What twenty extensions include that run on the CPU as well: PyTorch Geometric's scatter, cluster
# and sparse, detectron2, mmcv, apex, FlashAttention, torchvision, torchaudio, fairseq, DCNv2,
# PyTorch3D, tiny-cuda-nn, gsplat, nerfacc, spconv, MinkowskiEngine, xFormers, FBGEMM and Kaolin.
_INCLUDED = """
torch/all.h torch/autograd.h torch/cuda.h torch/custom_class.h torch/extension.h torch/library.h
torch/python.h torch/script.h torch/special.h torch/torch.h torch/types.h torch/version.h
torch/csrc/Exceptions.h torch/csrc/autograd/custom_function.h torch/csrc/autograd/function.h
torch/csrc/autograd/functions/utils.h torch/csrc/autograd/variable.h
torch/csrc/utils/object_ptr.h torch/csrc/utils/pybind.h torch/csrc/utils/tensor_flatten.h
torch/csrc/inductor/aoti_torch/c/shim.h torch/csrc/stable/accelerator.h
torch/csrc/stable/c/shim.h torch/csrc/stable/device.h torch/csrc/stable/device_struct.h
torch/csrc/stable/library.h torch/csrc/stable/ops.h torch/csrc/stable/stableivalue_conversions.h
torch/csrc/stable/tensor.h torch/csrc/stable/tensor_struct.h torch/headeronly/core/Dispatch.h
torch/headeronly/core/ScalarType.h torch/headeronly/macros/Macros.h torch/headeronly/util/Half.h
ATen/ATen.h ATen/AccumulateType.h ATen/ArrayRef.h ATen/CPUGeneratorImpl.h ATen/Config.h
ATen/Context.h ATen/Device.h ATen/DeviceGuard.h ATen/Dispatch.h ATen/ExpandUtils.h
ATen/Functions.h ATen/Generator.h ATen/MemoryOverlap.h ATen/NumericUtils.h ATen/OpMathType.h
ATen/Parallel.h ATen/Scalar.h ATen/ScalarOps.h ATen/ScalarType.h ATen/Storage.h ATen/Tensor.h
ATen/TensorAccessor.h ATen/TensorIndexing.h ATen/TensorIterator.h ATen/TensorOptions.h
ATen/TensorUtils.h ATen/TypeDefault.h ATen/Utils.h ATen/WrapDimUtils.h ATen/autocast_mode.h
ATen/ceil_div.h ATen/div_rtn.h ATen/dlpack.h ATen/record_function.h ATen/core/DimVector.h
ATen/core/Formatting.h ATen/core/Scalar.h ATen/core/ScalarType.h ATen/core/UndefinedTensorImpl.h
ATen/core/Generator.h ATen/core/List.h ATen/core/PhiloxRNGEngine.h ATen/core/Tensor.h
ATen/core/TensorAccessor.h ATen/core/dispatch/Dispatcher.h ATen/core/grad_mode.h
ATen/core/ivalue.h ATen/core/op_registration/op_registration.h ATen/core/stack.h
ATen/native/DispatchStub.h ATen/native/Resize.h
ATen/native/TensorFactories.h ATen/native/TensorIterator.h ATen/native/cpu/Loops.h
ATen/cpu/vec/functional.h ATen/cpu/vec/vec.h
ATen/native/UpSample.h ATen/ops/empty.h ATen/ops/from_blob.h
ATen/ops/zeros.h
c10/core/Allocator.h c10/core/Device.h c10/core/DeviceGuard.h c10/core/DispatchKeySet.h
c10/core/InferenceMode.h c10/core/Layout.h c10/core/MemoryFormat.h c10/core/OptionalRef.h
c10/core/Scalar.h c10/core/ScalarType.h c10/core/ScalarTypeToTypeMeta.h c10/core/Storage.h
c10/core/StreamGuard.h c10/core/SymInt.h c10/core/SymIntArrayRef.h c10/core/TensorImpl.h
c10/core/TensorOptions.h c10/core/alignment.h c10/core/impl/InlineDeviceGuard.h
c10/macros/Macros.h c10/util/ArrayRef.h c10/util/BFloat16-inl.h c10/util/BFloat16.h
c10/util/Bitset.h c10/util/Exception.h c10/util/Flags.h c10/util/Half-inl.h c10/util/Half.h
c10/util/LeftRight.h c10/util/Logging.h c10/util/MaybeOwned.h c10/util/Metaprogramming.h
c10/util/Optional.h c10/util/OptionalArrayRef.h c10/util/Registry.h c10/util/SmallVector.h
c10/util/ThreadLocal.h c10/util/TypeList.h c10/util/TypeSafeSignMath.h c10/util/TypeTraits.h
c10/util/accumulate.h c10/util/complex.h c10/util/complex_utils.h c10/util/flat_hash_map.h
c10/util/hash.h c10/util/intrusive_ptr.h c10/util/irange.h c10/util/safe_numerics.h
c10/util/ssize.h c10/util/string_view.h
"""
_HEADERS = _INCLUDED.split()
# Of CUDA, in builds for the CPU too. What PyTorch3D, apex, torchvision and FlashAttention include.
_CUDA = [
    "ATen/cuda/CUDAContext.h",
    "ATen/cuda/CUDAContextLight.h",
    "ATen/cuda/CUDAEvent.h",
    "ATen/cuda/CUDAGeneratorImpl.h",
    "ATen/cuda/CUDAGraph.h",
    "ATen/cuda/CUDAUtils.h",
    "ATen/cuda/CachingHostAllocator.h",
    "ATen/cuda/Exceptions.h",
    "ATen/cuda/PhiloxCudaState.h",
    "ATen/cuda/detail/KernelUtils.h",
    "c10/cuda/CUDACachingAllocator.h",
    "c10/cuda/CUDAException.h",
    "c10/cuda/CUDAFunctions.h",
    "c10/cuda/CUDAGuard.h",
    "c10/cuda/CUDAMacros.h",
    "c10/cuda/CUDAMathCompat.h",
    "c10/cuda/CUDAStream.h",
    "c10/cuda/impl/CUDAGuardImpl.h",
]
# For nvcc alone.
_CUDA_DEVICE = [
    "ATen/cuda/Atomic.cuh",
    "ATen/cuda/CUDAApplyUtils.cuh",
    "ATen/cuda/CUDAGraphsUtils.cuh",
    "ATen/cuda/DeviceUtils.cuh",
    "ATen/cuda/NumericLimits.cuh",
    "ATen/cuda/PhiloxUtils.cuh",
    "ATen/cuda/detail/IndexUtils.cuh",
    "ATen/cuda/detail/TensorInfo.cuh",
    "ATen/native/cuda/KernelUtils.cuh",
    "THC/THCAtomics.cuh",
]
# Of parts that this version lacks, and words of what they say to use.
_REFUSED = {
    "torch/nn.h": "call operators",
    "torch/jit.h": "register operators with torch/library.h",
    "torch/nn/functional.h": "call operators of tensors",
    "torch/nn/module.h": "call operators of tensors",
    "torch/csrc/jit/api/module.h": "register operators and kernels with torch/library.h",
    "torch/csrc/jit/python/pybind_utils.h": "register operators and kernels with torch/library.h",
    "torch/csrc/jit/runtime/custom_operator.h": "register operators and kernels",
    "torch/csrc/distributed/c10d/ProcessGroup.hpp": "by a library of your own",
    "torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp": "by a library of your own",
    "c10/util/Float8_e4m3fn.h": "use c10/util/Half.h or c10/util/BFloat16.h",
    "c10/util/qint8.h": "keep the scale beside them",
}
_TOOLS = ("setuptools",)
_FLAGS = """
import sysconfig
from torch.utils import cpp_extension
print(*(f"-I{path}" for path in cpp_extension.include_paths()))
print("-I" + sysconfig.get_paths()["include"])
"""


@pytest.fixture(scope="module")
def flags(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    environment: Environment = extension_environment(
        tmp_path_factory.mktemp("headers") / "environment", _TOOLS
    )
    return python(environment, _FLAGS).split()


def _compile(header: str, flags: list[str], *more: str) -> str:
    """What the compiler says of a source that includes one header twice; nothing if it is good."""
    words = [os.environ.get("CXX", "g++"), "-std=c++20", "-fsyntax-only", *flags, *more]
    text = f"#include <{header}>\n#include <{header}>\n"
    done = subprocess.run(
        [*words, "-x", "c++", "-"], input=text, capture_output=True, text=True, check=False
    )
    return "" if done.returncode == 0 else done.stderr


def test_each_header_compiles_alone(flags: list[str]) -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = dict(zip(_HEADERS, pool.map(lambda h: _compile(h, flags), _HEADERS), strict=True))
    wrong = {header: text[:600] for header, text in said.items() if text}
    assert not wrong, wrong


def test_headers_of_cuda_want_a_toolkit_alone(flags: list[str]) -> None:
    toolkit = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include")
    more = [f"-I{toolkit}"]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = dict(zip(_CUDA, pool.map(lambda h: _compile(h, flags, *more), _CUDA), strict=True))
    if not (toolkit / "cuda_runtime_api.h").exists():
        absent = re.compile(r"fatal error: cuda\w*\.h: No such file")
        said = {header: "" if absent.search(text) else text for header, text in said.items()}
    wrong = {header: text[:600] for header, text in said.items() if text}
    assert not wrong, wrong


def test_headers_of_kernels_are_there(flags: list[str]) -> None:
    folders = [Path(flag.removeprefix("-I")) for flag in flags if flag.startswith("-I")]
    missing = [h for h in _CUDA_DEVICE if not any((folder / h).exists() for folder in folders)]
    assert missing == []


@pytest.mark.parametrize("header", _REFUSED)
def test_a_header_of_an_absent_part_says_what_to_use(flags: list[str], header: str) -> None:
    said = " ".join(_compile(header, flags).split())
    assert f"{header}: this release " in said or f"{header}: this version " in said
    assert _REFUSED[header] in said
