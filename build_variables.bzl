"""Every source list of the tree, by directory.

Plain lists of paths from the repository root, so that the file evaluates both as Starlark and with
Python's `exec`. A test proves that every source on disk is listed exactly once. Headers are not
listed: packages glob them.
"""

c10_core_scalar_type_srcs = [
    "c10/core/ScalarType.cpp",
]

c10_core_srcs = [
    "c10/core/Allocator.cpp",
    "c10/core/AutogradState.cpp",
    "c10/core/CPUAllocator.cpp",
    "c10/core/Contiguity.cpp",
    "c10/core/DefaultDtype.cpp",
    "c10/core/Device.cpp",
    "c10/core/DeviceType.cpp",
    "c10/core/DispatchKey.cpp",
    "c10/core/DispatchKeySet.cpp",
    "c10/core/GeneratorImpl.cpp",
    "c10/core/GradMode.cpp",
    "c10/core/InferenceMode.cpp",
    "c10/core/Layout.cpp",
    "c10/core/MemoryFormat.cpp",
    "c10/core/Scalar.cpp",
    "c10/core/StorageImpl.cpp",
    "c10/core/Stream.cpp",
    "c10/core/TensorImpl.cpp",
    "c10/core/TensorOptions.cpp",
    "c10/core/UndefinedTensorImpl.cpp",
    "c10/core/WrapDimMinimal.cpp",
    "c10/core/impl/DeviceGuardImplInterface.cpp",
    "c10/core/impl/LocalDispatchKeySet.cpp",
    "c10/core/impl/PyInterpreter.cpp",
    "c10/core/impl/PyObjectSlot.cpp",
    "c10/core/impl/SizesAndStrides.cpp",
]

c10_core_test_srcs = []

c10_util_srcs = [
    "c10/util/BFloat16.cpp",
    "c10/util/Backtrace.cpp",
    "c10/util/Exception.cpp",
    "c10/util/Half.cpp",
    "c10/util/Logging.cpp",
    "c10/util/SmallVector.cpp",
    "c10/util/StringUtil.cpp",
    "c10/util/Type.cpp",
    "c10/util/TypeCast.cpp",
    "c10/util/UniqueVoidPtr.cpp",
    "c10/util/complex.cpp",
    "c10/util/env.cpp",
    "c10/util/intrusive_ptr.cpp",
]

c10_util_test_srcs = []

c10_util_typeid_srcs = [
    "c10/util/typeid.cpp",
]
