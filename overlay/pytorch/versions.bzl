"""Facts that differ between versions of PyTorch: those of 2.6, and at the end what is other in other versions.

docs/pytorch.md tells what a new version needs.
"""

# Debian's source packages by version: the archives with their SHA-256, and the folder at the top of PyTorch's.
DEBIAN = {
    "2.6.0+dfsg-7": struct(
        archives = {
            "pytorch_2.6.0+dfsg-7.debian.tar.xz": "3290d4e5168b6e44191882213f61ad41c134a912fe11a44364c2e74f81f68af0",
            "pytorch_2.6.0+dfsg.orig.tar.xz": "099a9601bc40d67656e75735c44abedb0fbe92d08817852ab7472eebb7e6ddff",
        },
        strip_prefix = "pytorch-v2.6.0",
    ),
}

# Where Debian keeps them; the second keeps what the first has dropped.
DEBIAN_POOLS = [
    "https://deb.debian.org/debian/pool/main/p/pytorch/",
    "https://snapshot.debian.org/archive/debian/20250601T000000Z/pool/main/p/pytorch/",
]

# The lists of the checkout's own build_variables.bzl that the BUILD files use, of all versions.
LISTS = [
    "jit_core_sources",
    "lazy_tensor_ts_sources",
    "libtorch_cmake_sources",
    "libtorch_extra_sources",
    "libtorch_python_core_sources",
    "torch_cpp_srcs",
]

_ATEN = "aten/src/ATen/"

# The folders of files that include others, with those below them.
_READ_FOLDERS = [
    "c10",
    "aten/src/ATen",
    "caffe2",
    "torch/csrc",
    "torch/lib",
    "functorch/csrc",
    # Two headers of ATen's tests.
    "test/cpp/common",
    "test/cpp/tensorexpr",
]

# Templates of generated files that are elsewhere.
_TEMPLATE_FOLDERS = ["tools/autograd/templates"]

# The macros of all commands, from CMakeLists.txt and cmake/; FMT_HEADER_ONLY comes with fmt.
_DEFINES = [
    "AT_PER_OPERATOR_HEADERS",
    "FLASHATTENTION_DISABLE_ALIBI",
    "FMT_HEADER_ONLY=1",
    "HAVE_MALLOC_USABLE_SIZE=1",
    "HAVE_MMAP=1",
    "HAVE_SHM_OPEN=1",
    "HAVE_SHM_UNLINK=1",
    "MINIZ_DISABLE_ZIP_READER_CRC32_CHECKS",
    "ONNXIFI_ENABLE_EXT=1",
    "ONNX_ML=1",
    "ONNX_NAMESPACE=onnx",
    "SYMBOLICATE_MOBILE_DEBUG_HANDLE",
    "USE_EXTERNAL_MZCRC",
    "_FILE_OFFSET_BITS=64",
]

# Macros that paste two of their arguments, which could be the name of any operator and is none: of parameter counts,
# of dispatch keys, of `_keys::ns_name`, and of variables that are to have a name of their own. A source that reaches
# another such macro has ATen/Functions.h whole.
_PASTING_MACROS = [
    "AT_CONCAT_AUX",
    "C10_CONCATENATE_IMPL",
    "DEFINE_KEY",
    "DEFINE_PER_BACKEND_KEYS_FOR_BACKEND",
    "DEFINE_SYMBOL",
    "DO_CASE",
]

# The globs of c10/CMakeLists.txt.
_C10_GLOBS = [
    "c10/*.cpp",
    "c10/core/*.cpp",
    "c10/core/impl/*.cpp",
    "c10/mobile/*.cpp",
    "c10/macros/*.cpp",
    "c10/util/*.cpp",
]

# Those of aten/src/ATen/CMakeLists.txt, in its order.
_ATEN_GLOBS = [
    _ATEN + pattern
    for pattern in [
        "*.cpp",
        "detail/*.cpp",
        "cpu/*.cpp",
        "functorch/*.cpp",
        "core/**/*.cpp",
        "native/*.cpp",
        "native/ao_sparse/*.cpp",
        "native/ao_sparse/cpu/*.cpp",
        "native/ao_sparse/quantized/*.cpp",
        "native/ao_sparse/quantized/cpu/*.cpp",
        "native/sparse/*.cpp",
        "native/nested/*.cpp",
        "native/quantized/*.cpp",
        "native/quantized/cpu/*.cpp",
        "native/mkl/*.cpp",
        "native/mkldnn/*.cpp",
        "native/transformers/*.cpp",
        "native/utils/*.cpp",
        "native/xnnpack/*.cpp",
        "metal/*.cpp",
        "nnapi/*.cpp",
        "quantized/**/*.cpp",
        "vulkan/*.cpp",
    ]
]

# Sources of each kind that compile quickly: :aten_sample.
_ATEN_SAMPLE = [
    "aten/" + _ATEN + name
    for name in [
        "core/ATenOpList",
        "core/Dict",
        "core/Dimname",
        "native/Copy",
        "native/Cross",
        "native/Fill",
        "native/Lerp",
        "native/Pow",
        "native/Scalar",
    ]
] + ["aten_kernels_DEFAULT/" + _ATEN + "native/cpu/LerpKernel"]

# Of cmake/Codegen.cmake: compiled for every capability of the processor.
_KERNEL_GLOBS = [
    _ATEN + "native/cpu/*.cpp",
    _ATEN + "native/quantized/cpu/kernels/*.cpp",
]

# The sources of c10/cuda/CMakeLists.txt.
_C10_CUDA_GLOBS = [
    "c10/cuda/*.cpp",
    "c10/cuda/impl/*.cpp",
]

# The .cu files of aten/src/ATen/CMakeLists.txt, besides those of attention, which are written on CUTLASS.
_CUDA_GLOBS = [
    _ATEN + folder + "/*.cu"
    for folder in [
        "cuda",
        "cuda/detail",
        "native/cuda",
        "native/nested/cuda",
        "native/quantized/cuda",
        "native/sparse/cuda",
        "native/transformers/cuda",
    ]
]

# Those that include CUTLASS, a submodule.
_CUDA_ON_CUTLASS = [
    _ATEN + "native/" + name + ".cu"
    for name in [
        "cuda/MixedDtypesLinear",
        "cuda/RowwiseScaledMM",
        "nested/cuda/NestedTensorMatmul",
        "nested/cuda/NestedTensorTransformerFunctions",
        "sparse/cuda/SparseSemiStructuredApplyDense",
        "sparse/cuda/SparseSemiStructuredLinear",
        "sparse/cuda/SparseSemiStructuredOps",
        "sparse/cuda/SparseSemiStructuredTile",
        "sparse/cuda/SparseSemiSturcturedApply",
        "transformers/cuda/attention",
        "transformers/cuda/attention_backward",
    ]
]

# The first dozen of native/cuda by name, pointwise all, and the generated one: :aten_cuda_sample.
_CUDA_SAMPLE = [
    "aten_cuda/" + _ATEN + name
    for name in [
        "UfuncCUDA_add",
        "native/cuda/AbsKernel",
        "native/cuda/ActivationEluKernel",
        "native/cuda/ActivationGeluKernel",
        "native/cuda/ActivationGluKernel",
        "native/cuda/ActivationHardshrinkKernel",
        "native/cuda/ActivationHardsigmoidKernel",
        "native/cuda/ActivationHardswishKernel",
        "native/cuda/ActivationHardtanhKernel",
        "native/cuda/ActivationLeakyReluKernel",
        "native/cuda/ActivationLogSigmoidKernel",
        "native/cuda/ActivationMishKernel",
        "native/cuda/ActivationPreluKernel",
    ]
]

# What the CMakeLists.txt of caffe2 and of its folders name.
_CAFFE2_GLOBS = [
    "caffe2/core/common.cc",
    "caffe2/perfkernels/embedding_lookup_idx.cc",
    "caffe2/perfkernels/*_avx2.cc",
    "caffe2/serialize/*.cc",
    "caffe2/utils/proto_wrap.cc",
    "caffe2/utils/string_utils.cc",
    "caffe2/utils/threadpool/ThreadPool.cc",
]

# How the names of ATen's tests begin that its CMake builds for other backends, for mobile, or not at all; that of
# vectors is built for each capability.
_ATEN_TESTS_OF_OTHER_BUILDS = [
    "ExclusivelyOwned_test",
    "cpu_caching_allocator_test",
    "cuda_",
    "hip_",
    "mps_",
    "tensor_interop_test",
    "test_thread_pool_guard",
    "vec_test_all_types",
    "vitals",
    "vulkan_",
    "xnnpack_test",
    "xpu_",
]

# Words in the paths of sources that only builds of other backends and platforms have, tests, or no build.
_OTHER_BUILDS = [
    "/ATen/mkl/",
    "/backends/",
    "/benchmark",
    "/cuda",
    "/cudnn/",
    "/distributed/",
    "/hip/",
    "/itt",
    "/metal/",
    "/miopen/",
    "/mps",
    "/native/vulkan/",
    "/onednn/",
    "/pthreadpool",
    "/qnnpack/",
    "/static/",
    "/test",
    "/thread_pool_guard",
    "/xpu",
    "_sve.",
    "common_avx.",
    "flatbuffer_serializer_jit",
]

# Torchgen's outputs besides the operators' headers, for the processor and for dispatch keys that CMake
# builds everywhere.
_ATEN_HEADERS = [
    _ATEN + name + ".h"
    for name in [
        "CPUFunctions",
        "CPUFunctions_inl",
        "CompositeExplicitAutogradFunctions",
        "CompositeExplicitAutogradFunctions_inl",
        "CompositeExplicitAutogradNonFunctionalFunctions",
        "CompositeExplicitAutogradNonFunctionalFunctions_inl",
        "CompositeImplicitAutogradFunctions",
        "CompositeImplicitAutogradFunctions_inl",
        "CompositeImplicitAutogradNestedTensorFunctions",
        "CompositeImplicitAutogradNestedTensorFunctions_inl",
        "Functions",
        "MetaFunctions",
        "MetaFunctions_inl",
        "MethodOperators",
        "NativeFunctions",
        "NativeMetaFunctions",
        "Operators",
        "RedispatchFunctions",
        "RegistrationDeclarations",
        "VmapGeneratedPlumbing",
        "core/TensorBody",
        "core/aten_interned_strings",
        "core/enum_tag",
    ]
]

# The dispatch keys whose kernels torchgen registers on every machine.
_REGISTERED = [
    "CPU",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
    "CompositeImplicitAutograd",
    "CompositeImplicitAutogradNestedTensor",
    "Meta",
    "MkldnnCPU",
    "NestedTensorCPU",
    "NestedTensorMeta",
    "NestedTensorXPU",
    "QuantizedCPU",
    "QuantizedMeta",
    "SparseCPU",
    "SparseCsrCPU",
    "SparseCsrMeta",
    "SparseMeta",
    "SparseXPU",
    "ZeroTensor",
]

_ATEN_SOURCES = [
    _ATEN + name + ".cpp"
    for name in [
        "CompositeViewCopyKernels",
        "Functions",
        "Operators_0",
        "Operators_1",
        "Operators_2",
        "Operators_3",
        "Operators_4",
        "RegisterBackendSelect",
        "RegisterFunctionalization_0",
        "RegisterFunctionalization_1",
        "RegisterFunctionalization_2",
        "RegisterFunctionalization_3",
        "RegisterSchema",
        "UfuncCPU_add",
        "core/ATenOpList",
        "core/TensorMethods",
    ]
] + [_ATEN + "Register{}.cpp".format(key) for key in _REGISTERED]

# A header that comes with the sources.
_ATEN_SOURCE_HEADERS = [_ATEN + "FunctionalInverses.h"]

# Compiled for every capability of the processor.
_ATEN_KERNELS = [_ATEN + "UfuncCPUKernel_add.cpp"]

_AOTI_SOURCES = ["torch/csrc/inductor/aoti_torch/generated/c_shim_cpu.cpp"]

# What torchgen writes for CUDA.
_CUDA_GENERATED_HEADERS = [_ATEN + name + ".h" for name in [
    "CUDAFunctions",
    "CUDAFunctions_inl",
]]

_CUDA_GENERATED_KERNELS = [_ATEN + "UfuncCUDA_add.cu"]

# The dispatch keys of CUDA.
_CUDA_REGISTERED = [
    "CUDA",
    "NestedTensorCUDA",
    "QuantizedCUDA",
    "SparseCUDA",
    "SparseCsrCUDA",
]

_CUDA_GENERATED_SOURCES = (
    _CUDA_GENERATED_KERNELS +
    [_ATEN + "Register{}.cpp".format(key) for key in _CUDA_REGISTERED] +
    ["torch/csrc/inductor/aoti_torch/generated/c_shim_cuda.cpp"]
)

_AUTOGRAD = "torch/csrc/autograd/generated/"

_AUTOGRAD_HEADERS = [_AUTOGRAD + name + ".h" for name in [
    "Functions",
    "VariableType",
    "ViewFuncs",
    "python_functions",
    "python_return_types",
    "variable_factories",
]] + ["torch/csrc/lazy/generated/" + name + ".h" for name in [
    "LazyIr",
    "LazyNativeFunctions",
    "LazyNonNativeIr",
]]

_AUTOGRAD_SOURCES = [_AUTOGRAD + name + ".cpp" for name in [
    "ADInplaceOrViewType_0",
    "ADInplaceOrViewType_1",
    "Functions",
    "TraceType_0",
    "TraceType_1",
    "TraceType_2",
    "TraceType_3",
    "TraceType_4",
    "VariableType_0",
    "VariableType_1",
    "VariableType_2",
    "VariableType_3",
    "VariableType_4",
    "ViewFuncs",
]] + ["torch/csrc/lazy/generated/" + name + ".cpp" for name in [
    "LazyNativeFunctions",
    "RegisterAutogradLazy",
    "RegisterLazy",
]]

_PYTHON_SOURCES = [_AUTOGRAD + name + ".cpp" for name in [
    "python_enum_tag",
    "python_fft_functions",
    "python_functions_0",
    "python_functions_1",
    "python_functions_2",
    "python_functions_3",
    "python_functions_4",
    "python_linalg_functions",
    "python_nested_functions",
    "python_nn_functions",
    "python_return_types",
    "python_sparse_functions",
    "python_special_functions",
    "python_torch_functions_0",
    "python_torch_functions_1",
    "python_torch_functions_2",
    "python_variable_methods",
]]

_ANNOTATED_ARGUMENTS = ["torch/testing/_internal/generated/annotated_fn_args.py"]

# Of tools/pyi, of torch/utils/data/datapipes and of tools/generate_torch_version.py.
_PYTHON_FILES = ["torch/" + path for path in [
    "_C/_VariableFunctions.pyi",
    "_C/__init__.pyi",
    "_C/_nn.pyi",
    "_VF.pyi",
    "nn/functional.pyi",
    "return_types.pyi",
    "utils/data/datapipes/datapipe.pyi",
    "version.py",
]]

# What the wheel's users need: install_requires of setup.py.
_REQUIREMENTS = [
    "filelock",
    "fsspec",
    "jinja2",
    "networkx",
    "setuptools; python_version >= \"3.12\"",
    "sympy==1.13.1; python_version >= \"3.9\"",
    "typing-extensions>=4.10.0",
]

# Data of the Python packages: package_data of setup.py.
_PACKAGE_DATA = [
    "torch/**/*.pyi",
    "torch/py.typed",
    "torch/_export/serde/*.thrift",
    "torch/_export/serde/*.yaml",
    "torch/_inductor/codegen/**/*.cpp",
    "torch/_inductor/codegen/**/*.h",
    "torch/utils/benchmark/utils/**/*.cpp",
    "torch/utils/benchmark/utils/**/*.h",
    "torch/utils/model_dump/*.html",
    "torch/utils/model_dump/*.js",
    "torch/utils/model_dump/*.mjs",
]

# Inputs of torchgen that its package carries: mirror_files_into_torchgen of setup.py. By pattern, the folder that
# becomes torchgen/packaged.
_TORCHGEN_DATA = {
    _ATEN + "native/native_functions.yaml": "aten/src/",
    _ATEN + "native/tags.yaml": "aten/src/",
    _ATEN + "templates/**": "aten/src/",
    "tools/autograd/**": "tools/",
}

# Headers that CMake's configure_file writes, from the file of that name and `.in`.
_CONFIGURED = [
    "aten/src/ATen/Config.h",
    "c10/macros/cmake_macros.h",
    "caffe2/core/macros.h",
    "torch/csrc/api/include/torch/version.h",
]

_CUDA_CONFIGURED = [
    "aten/src/ATen/cuda/CUDAConfig.h",
    "c10/cuda/impl/cuda_cmake_macros.h",
]

# What flatc writes for the flatbuffers that is installed; the checkout's own is for another version of it.
_FLATBUFFERS_SCHEMA = "torch/csrc/jit/serialization/mobile_bytecode.fbs"
_FLATBUFFERS_HEADERS = ["torch/csrc/jit/serialization/mobile_bytecode_generated.h"]

_2_6 = dict(
    annotated_arguments = _ANNOTATED_ARGUMENTS,
    aoti_sources = _AOTI_SOURCES,
    aten_globs = _ATEN_GLOBS,
    aten_headers = _ATEN_HEADERS,
    aten_kernels = _ATEN_KERNELS,
    aten_sample = _ATEN_SAMPLE,
    aten_source_headers = _ATEN_SOURCE_HEADERS,
    aten_sources = _ATEN_SOURCES,
    aten_tests_of_other_builds = _ATEN_TESTS_OF_OTHER_BUILDS,
    autograd_headers = _AUTOGRAD_HEADERS,
    autograd_sources = _AUTOGRAD_SOURCES,
    c10_cuda_globs = _C10_CUDA_GLOBS,
    c10_globs = _C10_GLOBS,
    caffe2_globs = _CAFFE2_GLOBS,
    configured = _CONFIGURED,
    cuda_configured = _CUDA_CONFIGURED,
    cuda_generated_headers = _CUDA_GENERATED_HEADERS,
    cuda_generated_kernels = _CUDA_GENERATED_KERNELS,
    cuda_generated_sources = _CUDA_GENERATED_SOURCES,
    cuda_globs = _CUDA_GLOBS,
    cuda_on_cutlass = _CUDA_ON_CUTLASS,
    cuda_sample = _CUDA_SAMPLE,
    defines = _DEFINES,
    flatbuffers_headers = _FLATBUFFERS_HEADERS,
    flatbuffers_schema = _FLATBUFFERS_SCHEMA,
    kernel_globs = _KERNEL_GLOBS,
    other_builds = _OTHER_BUILDS,
    package_data = _PACKAGE_DATA,
    pasting_macros = _PASTING_MACROS,
    python_files = _PYTHON_FILES,
    python_sources = _PYTHON_SOURCES,
    read_folders = _READ_FOLDERS,
    requirements = _REQUIREMENTS,
    template_folders = _TEMPLATE_FOLDERS,
    torchgen_data = _TORCHGEN_DATA,
)

def _sharded(sources, keys, shards):
    """Sources where the kernels of each dispatch key are in several, numbered files."""
    whole = [_ATEN + "Register{}.cpp".format(key) for key in keys]
    return [path for path in sources if path not in whole] + [
        _ATEN + "Register{}_{}.cpp".format(key, shard)
        for key in keys
        for shard in range(shards.get(key, 1))
    ]

# What is other than in 2.6. Seen with a checkout of January 2025, 2.7.0a0.
_2_7 = dict(
    aten_sources = _sharded(_ATEN_SOURCES, _REGISTERED, {"CPU": 4}) + [_ATEN + "RegisterSparseCsrXPU_0.cpp"],
    cuda_generated_sources = _sharded(_CUDA_GENERATED_SOURCES, _CUDA_REGISTERED, {}),
    # It is for torch_cuda alone.
    defines = [macro for macro in _DEFINES if macro != "FLASHATTENTION_DISABLE_ALIBI"],
    other_builds = _OTHER_BUILDS + [
        "/kleidiai/",
        # CMake leaves it out.
        "/perfkernels/batch_box_cox_avx512",
    ],
    requirements = [requirement for requirement in _REQUIREMENTS if not requirement.startswith("sympy")] + ["sympy==1.13.3"],
)

# By the first two numbers in version.txt, the oldest first.
_VERSIONS = {
    "2.6": {},
    "2.7": _2_7,
}

KNOWN = list(_VERSIONS.keys())

def known_version(version):
    """The version whose facts are taken.

    Args:
      version: what version.txt says, such as `2.6.0a0`.

    Returns:
      One of KNOWN: its own, else the last one before it, else the first.
    """
    wanted = [int(number) for number in version.split(".")[:2] if number.isdigit()]
    known = KNOWN[0]
    for name in KNOWN:
        if [int(number) for number in name.split(".")] <= wanted:
            known = name
    return known

def facts_of(version):
    """The facts of a version.

    Args:
      version: what version.txt says, such as `2.6.0a0`.

    Returns:
      A struct: what this file has of 2.6, in lower case, as it is in the version.
    """
    facts = dict(_2_6)
    facts.update(_VERSIONS[known_version(version)])

    # What builds without CUDA neither compile nor install.
    cuda_generated = facts["cuda_configured"] + facts["cuda_generated_headers"] + facts["cuda_generated_sources"]
    return struct(
        cuda_generated = cuda_generated,
        # All generated files that a source can include or be.
        generated = [
            path
            for name in [
                "configured",
                "flatbuffers_headers",
                "aten_headers",
                "aten_sources",
                "aten_source_headers",
                "aten_kernels",
                "aoti_sources",
                "autograd_headers",
                "autograd_sources",
                "python_sources",
            ]
            for path in facts[name]
        ] + cuda_generated,
        **facts
    )
