"""Facts that differ between versions of PyTorch. docs/pytorch.md tells what a new version needs."""

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

# The lists of the checkout's own build_variables.bzl that the BUILD files use.
LISTS = [
    "jit_core_sources",
    "lazy_tensor_ts_sources",
    "libtorch_cmake_sources",
    "libtorch_extra_sources",
    "libtorch_python_core_sources",
    "torch_cpp_srcs",
]

# The versions that these facts are of, by the first two numbers in version.txt.
KNOWN = ["2.6"]

_ATEN = "aten/src/ATen/"

# The folders of files that include others, with those below them.
READ_FOLDERS = [
    "c10",
    "aten/src/ATen",
    "caffe2",
    "torch/csrc",
    "torch/lib",
    "functorch/csrc",
    # Two headers of ATen's tests.
    "test/cpp/common",
    "test/cpp/tensorexpr",
    "third_party/miniz-3.0.2",
]

# Templates of generated files that are elsewhere.
TEMPLATE_FOLDERS = ["tools/autograd/templates"]

# The macros of all commands, from CMakeLists.txt and cmake/; FMT_HEADER_ONLY comes with fmt.
DEFINES = [
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
PASTING_MACROS = [
    "AT_CONCAT_AUX",
    "C10_CONCATENATE_IMPL",
    "DEFINE_KEY",
    "DEFINE_PER_BACKEND_KEYS_FOR_BACKEND",
    "DEFINE_SYMBOL",
    "DO_CASE",
]

# The globs of c10/CMakeLists.txt.
C10_GLOBS = [
    "c10/*.cpp",
    "c10/core/*.cpp",
    "c10/core/impl/*.cpp",
    "c10/mobile/*.cpp",
    "c10/macros/*.cpp",
    "c10/util/*.cpp",
]

# Those of aten/src/ATen/CMakeLists.txt, in its order.
ATEN_GLOBS = [
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
ATEN_SAMPLE = [
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
KERNEL_GLOBS = [
    _ATEN + "native/cpu/*.cpp",
    _ATEN + "native/quantized/cpu/kernels/*.cpp",
]

# The sources of c10/cuda/CMakeLists.txt.
C10_CUDA_GLOBS = [
    "c10/cuda/*.cpp",
    "c10/cuda/impl/*.cpp",
]

# The .cu files of aten/src/ATen/CMakeLists.txt, besides those of attention, which are written on CUTLASS.
CUDA_GLOBS = [
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
CUDA_ON_CUTLASS = [
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
CUDA_SAMPLE = [
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
CAFFE2_GLOBS = [
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
ATEN_TESTS_OF_OTHER_BUILDS = [
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
OTHER_BUILDS = [
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
ATEN_HEADERS = [
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

ATEN_SOURCES = [
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
        "RegisterCPU",
        "RegisterCompositeExplicitAutograd",
        "RegisterCompositeExplicitAutogradNonFunctional",
        "RegisterCompositeImplicitAutograd",
        "RegisterCompositeImplicitAutogradNestedTensor",
        "RegisterFunctionalization_0",
        "RegisterFunctionalization_1",
        "RegisterFunctionalization_2",
        "RegisterFunctionalization_3",
        "RegisterMeta",
        "RegisterMkldnnCPU",
        "RegisterNestedTensorCPU",
        "RegisterNestedTensorMeta",
        "RegisterNestedTensorXPU",
        "RegisterQuantizedCPU",
        "RegisterQuantizedMeta",
        "RegisterSchema",
        "RegisterSparseCPU",
        "RegisterSparseCsrCPU",
        "RegisterSparseCsrMeta",
        "RegisterSparseMeta",
        "RegisterSparseXPU",
        "RegisterZeroTensor",
        "UfuncCPU_add",
        "core/ATenOpList",
        "core/TensorMethods",
    ]
]

# A header that comes with the sources.
ATEN_SOURCE_HEADERS = [_ATEN + "FunctionalInverses.h"]

# Compiled for every capability of the processor.
ATEN_KERNELS = [_ATEN + "UfuncCPUKernel_add.cpp"]

AOTI_SOURCES = ["torch/csrc/inductor/aoti_torch/generated/c_shim_cpu.cpp"]

# What torchgen writes for CUDA.
CUDA_GENERATED_HEADERS = [_ATEN + name + ".h" for name in [
    "CUDAFunctions",
    "CUDAFunctions_inl",
]]

CUDA_GENERATED_KERNELS = [_ATEN + "UfuncCUDA_add.cu"]

CUDA_GENERATED_SOURCES = CUDA_GENERATED_KERNELS + [_ATEN + name + ".cpp" for name in [
    "RegisterCUDA",
    "RegisterNestedTensorCUDA",
    "RegisterQuantizedCUDA",
    "RegisterSparseCUDA",
    "RegisterSparseCsrCUDA",
]] + ["torch/csrc/inductor/aoti_torch/generated/c_shim_cuda.cpp"]

_AUTOGRAD = "torch/csrc/autograd/generated/"

AUTOGRAD_HEADERS = [_AUTOGRAD + name + ".h" for name in [
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

AUTOGRAD_SOURCES = [_AUTOGRAD + name + ".cpp" for name in [
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

PYTHON_SOURCES = [_AUTOGRAD + name + ".cpp" for name in [
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

ANNOTATED_ARGUMENTS = ["torch/testing/_internal/generated/annotated_fn_args.py"]

# Of tools/pyi, of torch/utils/data/datapipes and of tools/generate_torch_version.py.
PYTHON_FILES = ["torch/" + path for path in [
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
REQUIREMENTS = [
    "filelock",
    "fsspec",
    "jinja2",
    "networkx",
    "setuptools; python_version >= \"3.12\"",
    "sympy==1.13.1; python_version >= \"3.9\"",
    "typing-extensions>=4.10.0",
]

# Data of the Python packages: package_data of setup.py.
PACKAGE_DATA = [
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
TORCHGEN_DATA = {
    _ATEN + "native/native_functions.yaml": "aten/src/",
    _ATEN + "native/tags.yaml": "aten/src/",
    _ATEN + "templates/**": "aten/src/",
    "tools/autograd/**": "tools/",
}

# Headers that CMake's configure_file writes, from the file of that name and `.in`.
CONFIGURED = [
    "aten/src/ATen/Config.h",
    "c10/macros/cmake_macros.h",
    "caffe2/core/macros.h",
    "torch/csrc/api/include/torch/version.h",
]

CUDA_CONFIGURED = [
    "aten/src/ATen/cuda/CUDAConfig.h",
    "c10/cuda/impl/cuda_cmake_macros.h",
]

# What flatc writes for the flatbuffers that is installed; the checkout's own is for another version of it.
FLATBUFFERS_SCHEMA = "torch/csrc/jit/serialization/mobile_bytecode.fbs"
FLATBUFFERS_HEADERS = ["torch/csrc/jit/serialization/mobile_bytecode_generated.h"]

# What builds without CUDA neither compile nor install.
CUDA_GENERATED = CUDA_CONFIGURED + CUDA_GENERATED_HEADERS + CUDA_GENERATED_SOURCES

# All generated files that a source can include or be.
GENERATED = (CONFIGURED + FLATBUFFERS_HEADERS + ATEN_HEADERS + ATEN_SOURCES + ATEN_SOURCE_HEADERS + ATEN_KERNELS + AOTI_SOURCES +
             AUTOGRAD_HEADERS + AUTOGRAD_SOURCES + PYTHON_SOURCES + CUDA_GENERATED)
