"""Every source list of the tree, by directory.

Plain lists of paths from the repository root, and sums of them (`…_sources`), so that the file
evaluates both as Starlark and with Python's `exec`. A test proves that every source on disk is listed
exactly once. Headers are not listed: packages glob them.
"""

aten_core_srcs = [
    "aten/src/ATen/core/Formatting.cpp",
    "aten/src/ATen/core/Generator.cpp",
    "aten/src/ATen/core/TensorBase.cpp",
    "aten/src/ATen/core/VariableFallbackKernel.cpp",
    "aten/src/ATen/core/VariableHooksInterface.cpp",
    "aten/src/ATen/core/boxing/KernelFunction.cpp",
    "aten/src/ATen/core/dispatch/CppSignature.cpp",
    "aten/src/ATen/core/dispatch/DispatchKeyExtractor.cpp",
    "aten/src/ATen/core/dispatch/Dispatcher.cpp",
    "aten/src/ATen/core/dispatch/OperatorEntry.cpp",
    "aten/src/ATen/core/function_schema.cpp",
    "aten/src/ATen/core/ivalue.cpp",
    "aten/src/ATen/core/jit_type.cpp",
    "aten/src/ATen/core/library.cpp",
    "aten/src/ATen/core/op_registration/adaption.cpp",
    "aten/src/ATen/core/op_registration/infer_schema.cpp",
    "aten/src/ATen/core/operator_name.cpp",
]

aten_core_test_srcs = [
    "aten/src/ATen/core/dispatch/dispatcher_test.cpp",
    "aten/src/ATen/core/ivalue_test.cpp",
    "aten/src/ATen/core/philox_engine_test.cpp",
]

aten_cpu_vec_test_srcs = [
    "aten/src/ATen/cpu/vec/vec_test.cpp",
]

aten_cuda_srcs = [
    "aten/src/ATen/cuda/CUDAContext.cpp",
    "aten/src/ATen/cuda/CUDAGeneratorImpl.cpp",
    "aten/src/ATen/cuda/CUDAGraph.cpp",
    "aten/src/ATen/cuda/CachingHostAllocator.cpp",
    "aten/src/ATen/cuda/detail/CUDAHooks.cpp",
]

aten_native_cpu_srcs = [
    "aten/src/ATen/native/cpu/ActivationFamiliesKernel.cpp",
    "aten/src/ATen/native/cpu/ActivationKernel.cpp",
    "aten/src/ATen/native/cpu/BFloat16GemmKernel.cpp",
    "aten/src/ATen/native/cpu/BinaryMathKernel.cpp",
    "aten/src/ATen/native/cpu/BinaryOpsKernel.cpp",
    "aten/src/ATen/native/cpu/BlasKernel.cpp",
    "aten/src/ATen/native/cpu/ComparisonOpsKernel.cpp",
    "aten/src/ATen/native/cpu/CopyKernel.cpp",
    "aten/src/ATen/native/cpu/DepthwiseConvKernel.cpp",
    "aten/src/ATen/native/cpu/FillKernel.cpp",
    "aten/src/ATen/native/cpu/FlashAttentionKernel.cpp",
    "aten/src/ATen/native/cpu/FusedOptimizersKernel.cpp",
    "aten/src/ATen/native/cpu/IndexKernel.cpp",
    "aten/src/ATen/native/cpu/NormalizationKernel.cpp",
    "aten/src/ATen/native/cpu/PointwiseOpsKernel.cpp",
    "aten/src/ATen/native/cpu/PowKernel.cpp",
    "aten/src/ATen/native/cpu/RangeFactoriesKernel.cpp",
    "aten/src/ATen/native/cpu/ReduceFloatOpsKernel.cpp",
    "aten/src/ATen/native/cpu/ReduceOpsKernel.cpp",
    "aten/src/ATen/native/cpu/SoftMaxKernel.cpp",
    "aten/src/ATen/native/cpu/TensorCompareKernel.cpp",
    "aten/src/ATen/native/cpu/UnaryMathKernel.cpp",
    "aten/src/ATen/native/cpu/UnaryOpsKernel.cpp",
]

aten_native_cuda_kernel_srcs = [
    "aten/src/ATen/native/cuda/ActivationFamiliesKernel.cu",
    "aten/src/ATen/native/cuda/ActivationKernel.cu",
    "aten/src/ATen/native/cuda/AttentionBackwardKernel.cu",
    "aten/src/ATen/native/cuda/AttentionKernel.cu",
    "aten/src/ATen/native/cuda/BinaryMathKernel.cu",
    "aten/src/ATen/native/cuda/BinaryOpsKernel.cu",
    "aten/src/ATen/native/cuda/CompareKernels.cu",
    "aten/src/ATen/native/cuda/CopyKernel.cu",
    "aten/src/ATen/native/cuda/DistributionKernels.cu",
    "aten/src/ATen/native/cuda/FusedOptimizersKernel.cu",
    "aten/src/ATen/native/cuda/GemmKernel.cu",
    "aten/src/ATen/native/cuda/GemmTensorCores.cu",
    "aten/src/ATen/native/cuda/IndexKernel.cu",
    "aten/src/ATen/native/cuda/NonzeroKernel.cu",
    "aten/src/ATen/native/cuda/PointwiseOpsKernel.cu",
    "aten/src/ATen/native/cuda/PoolKernel.cu",
    "aten/src/ATen/native/cuda/RangeFactoriesKernel.cu",
    "aten/src/ATen/native/cuda/ReduceExtremeValuesKernel.cu",
    "aten/src/ATen/native/cuda/ReduceLogicKernel.cu",
    "aten/src/ATen/native/cuda/ReduceMomentKernel.cu",
    "aten/src/ATen/native/cuda/ReduceSumProdKernel.cu",
    "aten/src/ATen/native/cuda/ScanKernel.cu",
    "aten/src/ATen/native/cuda/SoftMaxKernel.cu",
    "aten/src/ATen/native/cuda/SortRowsKernel.cu",
    "aten/src/ATen/native/cuda/UnaryMathKernel.cu",
    "aten/src/ATen/native/cuda/UnaryOpsKernel.cu",
    "aten/src/ATen/native/cuda/layer_norm_kernel.cu",
]

aten_native_cuda_srcs = [
    "aten/src/ATen/native/cuda/ConvLibrary.cpp",
    "aten/src/ATen/native/cuda/Copy.cpp",
    "aten/src/ATen/native/cuda/Distributions.cpp",
    "aten/src/ATen/native/cuda/Embedding.cpp",
    "aten/src/ATen/native/cuda/GemmLibrary.cpp",
    "aten/src/ATen/native/cuda/GemmLibraryLt.cpp",
    "aten/src/ATen/native/cuda/LinearAlgebra.cpp",
    "aten/src/ATen/native/cuda/Loops.cpp",
    "aten/src/ATen/native/cuda/LossNLL.cpp",
    "aten/src/ATen/native/cuda/Normalization.cpp",
    "aten/src/ATen/native/cuda/OffsetCalculator.cpp",
    "aten/src/ATen/native/cuda/Scalar.cpp",
    "aten/src/ATen/native/cuda/TensorFactories.cpp",
    "aten/src/ATen/native/cuda/TensorTransformations.cpp",
]

aten_native_cuda_library_test_srcs = [
    "aten/src/ATen/native/cuda/conv_library_test.cpp",
    "aten/src/ATen/native/cuda/gemm_library_lt_test.cpp",
    "aten/src/ATen/native/cuda/gemm_library_test.cpp",
]

aten_native_cuda_test_srcs = [
    "aten/src/ATen/native/cuda/divider_test.cpp",
    "aten/src/ATen/native/cuda/launch_utils_test.cpp",
    "aten/src/ATen/native/cuda/multi_tensor_apply_test.cpp",
]

aten_native_srcs = [
    "aten/src/ATen/native/Activation.cpp",
    "aten/src/ATen/native/ActivationFamilies.cpp",
    "aten/src/ATen/native/AddmmActivation.cpp",
    "aten/src/ATen/native/AmpKernels.cpp",
    "aten/src/ATen/native/Attention.cpp",
    "aten/src/ATen/native/AveragePooling.cpp",
    "aten/src/ATen/native/AxisSampling.cpp",
    "aten/src/ATen/native/BinaryAliases.cpp",
    "aten/src/ATen/native/BinaryMath.cpp",
    "aten/src/ATen/native/BinaryMathKernel.cpp",
    "aten/src/ATen/native/BinaryOps.cpp",
    "aten/src/ATen/native/CPUBlas.cpp",
    "aten/src/ATen/native/ComparisonOps.cpp",
    "aten/src/ATen/native/ComplexOps.cpp",
    "aten/src/ATen/native/Contractions.cpp",
    "aten/src/ATen/native/ConvLibrary.cpp",
    "aten/src/ATen/native/ConvLoops.cpp",
    "aten/src/ATen/native/ConvProducts.cpp",
    "aten/src/ATen/native/Convolution.cpp",
    "aten/src/ATen/native/Copy.cpp",
    "aten/src/ATen/native/Correlation.cpp",
    "aten/src/ATen/native/Cross.cpp",
    "aten/src/ATen/native/Diagonals.cpp",
    "aten/src/ATen/native/Differences.cpp",
    "aten/src/ATen/native/Dimensions.cpp",
    "aten/src/ATen/native/DispatchStub.cpp",
    "aten/src/ATen/native/Distance.cpp",
    "aten/src/ATen/native/DistributionBounds.cpp",
    "aten/src/ATen/native/DistributionFunctions.cpp",
    "aten/src/ATen/native/Distributions.cpp",
    "aten/src/ATen/native/Dropout.cpp",
    "aten/src/ATen/native/DropoutVariants.cpp",
    "aten/src/ATen/native/Embedding.cpp",
    "aten/src/ATen/native/EmbeddingBag.cpp",
    "aten/src/ATen/native/Fill.cpp",
    "aten/src/ATen/native/ForeachOps.cpp",
    "aten/src/ATen/native/FusedOptimizers.cpp",
    "aten/src/ATen/native/GridSampler.cpp",
    "aten/src/ATen/native/Im2Col.cpp",
    "aten/src/ATen/native/IndexFunctions.cpp",
    "aten/src/ATen/native/IndexingUtils.cpp",
    "aten/src/ATen/native/LapackEigenFactor.cpp",
    "aten/src/ATen/native/LapackEigenQr.cpp",
    "aten/src/ATen/native/LapackEigenSpectral.cpp",
    "aten/src/ATen/native/LapackEigenSvd.cpp",
    "aten/src/ATen/native/LapackLibrary.cpp",
    "aten/src/ATen/native/Lerp.cpp",
    "aten/src/ATen/native/LinalgCholesky.cpp",
    "aten/src/ATen/native/LinalgLU.cpp",
    "aten/src/ATen/native/LinalgNorms.cpp",
    "aten/src/ATen/native/LinalgProducts.cpp",
    "aten/src/ATen/native/LinalgQR.cpp",
    "aten/src/ATen/native/LinalgRank.cpp",
    "aten/src/ATen/native/LinalgSolve.cpp",
    "aten/src/ATen/native/LinalgSpectral.cpp",
    "aten/src/ATen/native/LinalgSupport.cpp",
    "aten/src/ATen/native/LinearAlgebra.cpp",
    "aten/src/ATen/native/Loss.cpp",
    "aten/src/ATen/native/LossCTC.cpp",
    "aten/src/ATen/native/LossDistance.cpp",
    "aten/src/ATen/native/LossNLL.cpp",
    "aten/src/ATen/native/LossPairs.cpp",
    "aten/src/ATen/native/MatrixProducts.cpp",
    "aten/src/ATen/native/MaxPooling.cpp",
    "aten/src/ATen/native/MaxUnpooling.cpp",
    "aten/src/ATen/native/Normalization.cpp",
    "aten/src/ATen/native/OneDnn.cpp",
    "aten/src/ATen/native/OrderStatistics.cpp",
    "aten/src/ATen/native/OutVariant.cpp",
    "aten/src/ATen/native/Padding.cpp",
    "aten/src/ATen/native/PixelShuffle.cpp",
    "aten/src/ATen/native/PointwiseOps.cpp",
    "aten/src/ATen/native/Pool.cpp",
    "aten/src/ATen/native/Pow.cpp",
    "aten/src/ATen/native/RandomFactories.cpp",
    "aten/src/ATen/native/RangeFactories.cpp",
    "aten/src/ATen/native/ReduceAllOps.cpp",
    "aten/src/ATen/native/ReduceOps.cpp",
    "aten/src/ATen/native/ReduceOpsUtils.cpp",
    "aten/src/ATen/native/Reordering.cpp",
    "aten/src/ATen/native/Resize.cpp",
    "aten/src/ATen/native/Scalar.cpp",
    "aten/src/ATen/native/ScalarConversion.cpp",
    "aten/src/ATen/native/Scans.cpp",
    "aten/src/ATen/native/Search.cpp",
    "aten/src/ATen/native/Slicing.cpp",
    "aten/src/ATen/native/SoftMax.cpp",
    "aten/src/ATen/native/Sorting.cpp",
    "aten/src/ATen/native/SpecialFunctionsKernel.cpp",
    "aten/src/ATen/native/Splitting.cpp",
    "aten/src/ATen/native/Stacking.cpp",
    "aten/src/ATen/native/Statistics.cpp",
    "aten/src/ATen/native/StrideInference.cpp",
    "aten/src/ATen/native/TensorAdvancedIndexing.cpp",
    "aten/src/ATen/native/TensorCat.cpp",
    "aten/src/ATen/native/TensorCompare.cpp",
    "aten/src/ATen/native/TensorConversions.cpp",
    "aten/src/ATen/native/TensorFactories.cpp",
    "aten/src/ATen/native/TensorProperties.cpp",
    "aten/src/ATen/native/TensorShape.cpp",
    "aten/src/ATen/native/TensorTransformations.cpp",
    "aten/src/ATen/native/TypeProperties.cpp",
    "aten/src/ATen/native/UnaryAliases.cpp",
    "aten/src/ATen/native/UnaryMath.cpp",
    "aten/src/ATen/native/UnaryOps.cpp",
    "aten/src/ATen/native/Unique.cpp",
    "aten/src/ATen/native/UpSample.cpp",
    "aten/src/ATen/native/ViewCopies.cpp",
    "aten/src/ATen/native/layer_norm.cpp",
]

aten_native_test_srcs = [
    "aten/src/ATen/native/axis_sampling_test.cpp",
    "aten/src/ATen/native/blas_test.cpp",
    "aten/src/ATen/native/conv_products_test.cpp",
    "aten/src/ATen/native/dispatch_stub_test.cpp",
    "aten/src/ATen/native/elementwise_test.cpp",
    "aten/src/ATen/native/indexing_test.cpp",
    "aten/src/ATen/native/onednn_test.cpp",
    "aten/src/ATen/native/reduction_test.cpp",
]

aten_parallel_srcs = [
    "aten/src/ATen/Parallel.cpp",
    "aten/src/ATen/ThreadLocalState.cpp",
]

aten_srcs = [
    "aten/src/ATen/CPUGeneratorImpl.cpp",
    "aten/src/ATen/CompositeKernels.cpp",
    "aten/src/ATen/Context.cpp",
    "aten/src/ATen/Dispatch.cpp",
    "aten/src/ATen/EmptyTensor.cpp",
    "aten/src/ATen/ExpandUtils.cpp",
    "aten/src/ATen/InferSize.cpp",
    "aten/src/ATen/MemoryOverlap.cpp",
    "aten/src/ATen/ScalarOps.cpp",
    "aten/src/ATen/StructuredOutput.cpp",
    "aten/src/ATen/TensorGeometry.cpp",
    "aten/src/ATen/TensorIterator.cpp",
    "aten/src/ATen/TensorIteratorConfig.cpp",
    "aten/src/ATen/TensorIteratorDimensions.cpp",
    "aten/src/ATen/TensorIteratorLoops.cpp",
    "aten/src/ATen/TensorIteratorReduce.cpp",
    "aten/src/ATen/TensorOperators.cpp",
    "aten/src/ATen/WrapDimUtils.cpp",
    "aten/src/ATen/autocast_mode.cpp",
    "aten/src/ATen/autocast_registrations.cpp",
    "aten/src/ATen/detail/CUDAHooksInterface.cpp",
]

aten_test_srcs = [
    "aten/src/ATen/cpu_generator_test.cpp",
    "aten/src/ATen/parallel_test.cpp",
    "aten/src/ATen/registrations_test.cpp",
    "aten/src/ATen/structured_output_test.cpp",
    "aten/src/ATen/tensor_iterator_test.cpp",
]

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

c10_core_test_srcs = [
    "c10/core/allocator_test.cpp",
    "c10/core/device_guard_test.cpp",
    "c10/core/device_test.cpp",
    "c10/core/dispatch_key_test.cpp",
    "c10/core/generator_impl_test.cpp",
    "c10/core/grad_mode_test.cpp",
    "c10/core/impl/local_dispatch_key_set_test.cpp",
    "c10/core/impl/sizes_and_strides_test.cpp",
    "c10/core/memory_format_test.cpp",
    "c10/core/scalar_test.cpp",
    "c10/core/scalar_type_test.cpp",
    "c10/core/storage_test.cpp",
    "c10/core/tensor_impl_test.cpp",
    "c10/core/tensor_options_test.cpp",
    "c10/core/wrap_dim_test.cpp",
]

c10_cuda_srcs = [
    "c10/cuda/CUDACachingAllocator.cpp",
    "c10/cuda/CUDAException.cpp",
    "c10/cuda/CUDAFunctions.cpp",
    "c10/cuda/CUDAStream.cpp",
    "c10/cuda/impl/CUDAGuardImpl.cpp",
]

c10_cuda_test_support_srcs = [
    "c10/cuda/fake_cuda_runtime.cpp",
]

c10_cuda_test_srcs = [
    "c10/cuda/caching_allocator_test.cpp",
    "c10/cuda/exception_test.cpp",
    "c10/cuda/no_driver_test.cpp",
    "c10/cuda/stream_test.cpp",
]

c10_macros_test_srcs = [
    "c10/macros/macros_test.cpp",
]

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

c10_util_test_srcs = [
    "c10/util/array_ref_test.cpp",
    "c10/util/backtrace_test.cpp",
    "c10/util/complex_test.cpp",
    "c10/util/env_test.cpp",
    "c10/util/exception_test.cpp",
    "c10/util/function_ref_test.cpp",
    "c10/util/half_test.cpp",
    "c10/util/intrusive_ptr_test.cpp",
    "c10/util/irange_test.cpp",
    "c10/util/logging_test.cpp",
    "c10/util/maybe_owned_test.cpp",
    "c10/util/small_vector_test.cpp",
    "c10/util/string_util_test.cpp",
    "c10/util/type_cast_test.cpp",
    "c10/util/typeid_test.cpp",
    "c10/util/unique_void_ptr_test.cpp",
]

c10_util_typeid_srcs = [
    "c10/util/typeid.cpp",
]

torch_csrc_autograd_srcs = [
    "torch/csrc/autograd/FunctionsManual.cpp",
    "torch/csrc/autograd/FunctionsManualElementwise.cpp",
    "torch/csrc/autograd/FunctionsManualLinalg.cpp",
    "torch/csrc/autograd/FunctionsManualLoss.cpp",
    "torch/csrc/autograd/FunctionsManualNN.cpp",
    "torch/csrc/autograd/FunctionsManualReduce.cpp",
    "torch/csrc/autograd/FunctionsManualScans.cpp",
    "torch/csrc/autograd/FunctionsManualViews.cpp",
    "torch/csrc/autograd/VariableTypeManual.cpp",
    "torch/csrc/autograd/anomaly_mode.cpp",
    "torch/csrc/autograd/autograd.cpp",
    "torch/csrc/autograd/cpp_hook.cpp",
    "torch/csrc/autograd/custom_function.cpp",
    "torch/csrc/autograd/engine.cpp",
    "torch/csrc/autograd/function.cpp",
    "torch/csrc/autograd/functions/accumulate_grad.cpp",
    "torch/csrc/autograd/functions/basic_ops.cpp",
    "torch/csrc/autograd/functions/tensor.cpp",
    "torch/csrc/autograd/functions/utils.cpp",
    "torch/csrc/autograd/input_buffer.cpp",
    "torch/csrc/autograd/input_metadata.cpp",
    "torch/csrc/autograd/saved_variable.cpp",
    "torch/csrc/autograd/saved_variable_hooks.cpp",
    "torch/csrc/autograd/variable.cpp",
    "torch/csrc/autograd/variable_hooks.cpp",
]

torch_csrc_autograd_test_srcs = [
    "torch/csrc/autograd/derivatives_test.cpp",
    "torch/csrc/autograd/engine_test.cpp",
]

torch_csrc_autograd_python_srcs = [
    "torch/csrc/autograd/python_cpp_function.cpp",
    "torch/csrc/autograd/python_engine.cpp",
    "torch/csrc/autograd/python_function.cpp",
    "torch/csrc/autograd/python_hook.cpp",
    "torch/csrc/autograd/python_modes.cpp",
    "torch/csrc/autograd/python_saved_variable_hooks.cpp",
    "torch/csrc/autograd/python_torch_functions.cpp",
    "torch/csrc/autograd/python_variable.cpp",
    "torch/csrc/autograd/python_variable_indexing.cpp",
    "torch/csrc/autograd/python_variable_methods.cpp",
    "torch/csrc/autograd/python_variable_operators.cpp",
]

torch_csrc_cuda_srcs = [
    "torch/csrc/cuda/Cudnn.cpp",
    "torch/csrc/cuda/Graph.cpp",
    "torch/csrc/cuda/Module.cpp",
    "torch/csrc/cuda/Nvtx.cpp",
    "torch/csrc/cuda/Stream.cpp",
]

torch_csrc_jit_frontend_srcs = [
    "torch/csrc/jit/frontend/function_schema_parser.cpp",
]
torch_csrc_jit_frontend_test_srcs = [
    "torch/csrc/jit/frontend/function_schema_parser_test.cpp",
]

torch_csrc_python_srcs = [
    "torch/csrc/Device.cpp",
    "torch/csrc/Dtype.cpp",
    "torch/csrc/Exceptions.cpp",
    "torch/csrc/Generator.cpp",
    "torch/csrc/Layout.cpp",
    "torch/csrc/Module.cpp",
    "torch/csrc/Size.cpp",
    "torch/csrc/Storage.cpp",
    "torch/csrc/utils/default_device.cpp",
    "torch/csrc/utils/invalid_arguments.cpp",
    "torch/csrc/utils/python_arg_parser.cpp",
    "torch/csrc/utils/python_numbers.cpp",
    "torch/csrc/utils/python_operators.cpp",
    "torch/csrc/utils/python_scalars.cpp",
    "torch/csrc/utils/tensor_dlpack.cpp",
    "torch/csrc/utils/tensor_new.cpp",
    "torch/csrc/utils/tensor_numpy.cpp",
]

torch_csrc_stub_srcs = [
    "torch/csrc/stub.cpp",
]

torch_srcs = [
    "torch/version.cpp",
]

# PyTorch's name for the sources of libtorch_python.
libtorch_python_core_sources = sorted(torch_csrc_autograd_python_srcs + torch_csrc_python_srcs)
