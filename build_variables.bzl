"""Every source list of the tree, by directory.

Lists of paths from the repository root, and sums of them (`…_sources`), so that the file evaluates
both as Starlark and with Python's `exec`. A test proves that every source on disk is listed
exactly once. Headers are not listed: packages glob them. Architectures of one CUDA source beside
those of --cuda_archs stand in `…_extra_archs`.
"""

aten_core_srcs = ["aten/src/ATen/core/" + source for source in [
    "DeprecatedTypeProperties.cpp",
    "Dict.cpp",
    "Formatting.cpp",
    "Generator.cpp",
    "TensorBase.cpp",
    "VariableFallbackKernel.cpp",
    "VariableHooksInterface.cpp",
    "boxing/KernelFunction.cpp",
    "custom_class.cpp",
    "dispatch/CppSignature.cpp",
    "dispatch/DispatchKeyExtractor.cpp",
    "dispatch/Dispatcher.cpp",
    "dispatch/OperatorEntry.cpp",
    "function_schema.cpp",
    "ivalue.cpp",
    "jit_type.cpp",
    "library.cpp",
    "op_registration/adaption.cpp",
    "op_registration/infer_schema.cpp",
    "operator_name.cpp",
]]

aten_core_test_srcs = ["aten/src/ATen/core/" + source for source in [
    "custom_class_test.cpp",
    "dict_test.cpp",
    "dispatch/dispatcher_test.cpp",
    "ivalue_test.cpp",
    "philox_rng_engine_test.cpp",
]]

aten_cpu_vec_test_srcs = ["aten/src/ATen/cpu/vec/" + source for source in [
    "vec_test.cpp",
]]

aten_cuda_srcs = ["aten/src/ATen/cuda/" + source for source in [
    "CUDAContext.cpp",
    "CUDAGeneratorImpl.cpp",
    "CUDAGraph.cpp",
    "CachingHostAllocator.cpp",
    "detail/CUDAHooks.cpp",
]]

aten_cuda_test_srcs = ["aten/src/ATen/cuda/" + source for source in [
    "detail/index_utils_test.cpp",
    "detail/kernel_utils_test.cpp",
    "detail/tensor_info_test.cpp",
]]

# What nvcc compiles for a test.
aten_cuda_kernel_test_srcs = ["aten/src/ATen/cuda/" + source for source in [
    "user_headers.cu",
]]

aten_native_cpu_srcs = ["aten/src/ATen/native/cpu/" + source for source in [
    "ActivationKernel.cpp",
    "BFloat16GemmKernel.cpp",
    "BesselKernel.cpp",
    "BinaryOpsKernel.cpp",
    "BlasKernel.cpp",
    "ComparisonOpsKernel.cpp",
    "CopyKernel.cpp",
    "CrossKernel.cpp",
    "DepthwiseConvKernel.cpp",
    "DirectConvKernel.cpp",
    "DistanceKernel.cpp",
    "DistributionKernels.cpp",
    "EmbeddingBagKernel.cpp",
    "ErrorFunctionKernel.cpp",
    "FillKernel.cpp",
    "FlashAttentionKernel.cpp",
    "FourierTransformKernel.cpp",
    "FusedOptimizersKernel.cpp",
    "GammaKernel.cpp",
    "GemmKernel.cpp",
    "GridSamplerKernel.cpp",
    "IndexKernel.cpp",
    "MaxPoolKernel.cpp",
    "NormalizationKernel.cpp",
    "OrthogonalPolynomialsKernel.cpp",
    "PointwiseOpsKernel.cpp",
    "PowKernel.cpp",
    "RNNKernel.cpp",
    "RangeFactoriesKernel.cpp",
    "RecurrentLayerKernel.cpp",
    "ReduceFloatOpsKernel.cpp",
    "ReduceOpsKernel.cpp",
    "SoftMaxKernel.cpp",
    "TensorCompareKernel.cpp",
    "TriangularKernel.cpp",
    "UnaryOpsKernel.cpp",
]]

aten_native_cuda_kernel_srcs = ["aten/src/ATen/native/cuda/" + source for source in [
    "ActivationKernel.cu",
    "BinaryMathKernel.cu",
    "BinaryOpsKernel.cu",
    "CompareKernels.cu",
    "CopyKernel.cu",
    "DistributionKernels.cu",
    "FusedOptimizersKernel.cu",
    "IndexKernel.cu",
    "NonzeroKernel.cu",
    "PointwiseOpsKernel.cu",
    "PoolKernel.cu",
    "RangeFactoriesKernel.cu",
    "ScanKernel.cu",
    "SoftMaxKernel.cu",
    "SortRowsKernel.cu",
    "UnaryMathKernel.cu",
    "UnaryOpsKernel.cu",
    "layer_norm_kernel.cu",
]]

aten_native_cuda_attention_kernel_srcs = ["aten/src/ATen/native/cuda/attention/" + source for source in [
    "AttentionBackwardKernel.cu",
    "AttentionKernel.cu",
    "AttentionKernelSm90.cu",
]]

aten_native_cuda_attention_kernel_extra_archs = {
    "aten/src/ATen/native/cuda/attention/AttentionKernelSm90.cu": ["9.0a"],
}

aten_native_cuda_attention_srcs = ["aten/src/ATen/native/cuda/attention/" + source for source in [
    "TensorMap.cpp",
]]

aten_native_cuda_conv_kernel_srcs = ["aten/src/ATen/native/cuda/conv/" + source for source in [
    "ConvDirectKernel.cu",
    "ConvKernel.cu",
    "ConvTensorCores.cu",
]]

aten_native_cuda_conv_srcs = ["aten/src/ATen/native/cuda/conv/" + source for source in [
    "ConvLibrary.cpp",
]]

aten_native_cuda_conv_library_test_srcs = ["aten/src/ATen/native/cuda/conv/" + source for source in [
    "conv_library_test.cpp",
]]

aten_native_cuda_gemm_kernel_srcs = ["aten/src/ATen/native/cuda/gemm/" + source for source in [
    "GemmKernel.cu",
    "GemmTensorCores.cu",
]]

aten_native_cuda_gemm_srcs = ["aten/src/ATen/native/cuda/gemm/" + source for source in [
    "GemmLibrary.cpp",
    "GemmLibraryLt.cpp",
    "LinearAlgebra.cpp",
    "SparseGemmLibrary.cpp",
    "SparseSemiStructured.cpp",
]]

aten_native_cuda_gemm_library_test_srcs = ["aten/src/ATen/native/cuda/gemm/" + source for source in [
    "gemm_library_lt_test.cpp",
    "gemm_library_test.cpp",
    "sparse_gemm_library_test.cpp",
]]

aten_native_cuda_reduce_kernel_srcs = ["aten/src/ATen/native/cuda/reduce/" + source for source in [
    "ReduceExtremeValuesKernel.cu",
    "ReduceLogicKernel.cu",
    "ReduceMomentKernel.cu",
    "ReduceSumProdKernel.cu",
]]

aten_native_cuda_srcs = ["aten/src/ATen/native/cuda/" + source for source in [
    "ActivityTrace.cpp",
    "Collectives.cpp",
    "Copy.cpp",
    "Distributions.cpp",
    "Loops.cpp",
    "OffsetCalculator.cpp",
    "Scalar.cpp",
    "TensorFactories.cpp",
]]

aten_native_cuda_library_test_srcs = ["aten/src/ATen/native/cuda/" + source for source in [
    "activity_trace_test.cpp",
    "collectives_test.cpp",
]]

aten_native_cuda_test_srcs = ["aten/src/ATen/native/cuda/" + source for source in [
    "launch_utils_test.cpp",
    "multi_tensor_apply_test.cpp",
    "offset_calculator_test.cpp",
]]

aten_mps_srcs = ["aten/src/ATen/mps/" + source for source in [
    "Device.mm",
]]

aten_native_shaders_glsl_srcs = ["aten/src/ATen/native/shaders/glsl/" + source for source in [
    "binary.comp",
    "compare.comp",
    "convolution.comp",
    "copy.comp",
    "extreme.comp",
    "fill.comp",
    "gather.comp",
    "index.comp",
    "is_zero.comp",
    "layer_norm.comp",
    "layer_norm_backward.comp",
    "layer_norm_parameters.comp",
    "masked_fill.comp",
    "pool.comp",
    "product.comp",
    "reduce.comp",
    "select.comp",
    "softmax.comp",
    "ternary.comp",
    "unary.comp",
]]

aten_native_shaders_srcs = ["aten/src/ATen/native/shaders/" + source for source in [
    "Copy.cpp",
    "Devices.cpp",
    "Index.cpp",
    "Launch.cpp",
    "LinearAlgebra.cpp",
    "Pointwise.cpp",
    "Random.cpp",
    "Reduce.cpp",
    "Rows.cpp",
    "TensorFactories.cpp",
    "Windows.cpp",
]]

aten_shaders_srcs = ["aten/src/ATen/shaders/" + source for source in [
    "Device.cpp",
    "Memory.cpp",
    "Registration.cpp",
]]

aten_vulkan_srcs = ["aten/src/ATen/vulkan/" + source for source in [
    "Device.cpp",
    "Loader.cpp",
    "Pipelines.cpp",
    "Queue.cpp",
    "ShaderCases.cpp",
]]

aten_vulkan_test_srcs = ["aten/src/ATen/vulkan/" + source for source in [
    "queue_test.cpp",
    "shader_cases_test.cpp",
]]

aten_native_conv_srcs = ["aten/src/ATen/native/conv/" + source for source in [
    "ConvLibrary.cpp",
    "ConvLoops.cpp",
    "ConvProducts.cpp",
    "Convolution.cpp",
    "Im2Col.cpp",
]]

aten_native_conv_test_srcs = ["aten/src/ATen/native/conv/" + source for source in [
    "conv_loops_test.cpp",
    "conv_products_test.cpp",
]]

aten_native_index_srcs = ["aten/src/ATen/native/index/" + source for source in [
    "IndexFunctions.cpp",
    "IndexingUtils.cpp",
    "Masking.cpp",
    "ScatterGather.cpp",
    "TensorAdvancedIndexing.cpp",
]]

aten_native_index_test_srcs = ["aten/src/ATen/native/index/" + source for source in [
    "indexing_test.cpp",
]]

aten_native_linalg_srcs = ["aten/src/ATen/native/linalg/" + source for source in [
    "AddmmActivation.cpp",
    "CPUBlas.cpp",
    "Contractions.cpp",
    "Cross.cpp",
    "LapackEigenFactor.cpp",
    "LapackEigenQr.cpp",
    "LapackEigenSpectral.cpp",
    "LapackEigenSvd.cpp",
    "LapackLibrary.cpp",
    "LapackOpenblas.cpp",
    "LinalgCholesky.cpp",
    "LinalgHouseholder.cpp",
    "LinalgLDL.cpp",
    "LinalgLU.cpp",
    "LinalgNorms.cpp",
    "LinalgProducts.cpp",
    "LinalgQR.cpp",
    "LinalgRank.cpp",
    "LinalgSolve.cpp",
    "LinalgSpectral.cpp",
    "LinalgSupport.cpp",
    "LinearAlgebra.cpp",
    "MatrixProducts.cpp",
]]

aten_native_linalg_test_srcs = ["aten/src/ATen/native/linalg/" + source for source in [
    "blas_test.cpp",
]]

aten_native_pooling_srcs = ["aten/src/ATen/native/pooling/" + source for source in [
    "AveragePooling.cpp",
    "FractionalMaxPooling.cpp",
    "MaxPooling.cpp",
    "MaxUnpooling.cpp",
    "Pool.cpp",
]]

aten_native_random_srcs = ["aten/src/ATen/native/random/" + source for source in [
    "DistributionBounds.cpp",
    "DistributionFunctions.cpp",
    "Distributions.cpp",
    "Dropout.cpp",
    "GammaDistributions.cpp",
    "ImplicitGradients.cpp",
    "RandomFactories.cpp",
]]

aten_native_shape_srcs = ["aten/src/ATen/native/shape/" + source for source in [
    "Diagonals.cpp",
    "Dimensions.cpp",
    "PixelShuffle.cpp",
    "Reordering.cpp",
    "Slicing.cpp",
    "Splitting.cpp",
    "Stacking.cpp",
    "TensorCat.cpp",
    "TensorShape.cpp",
    "TensorTransformations.cpp",
    "ViewCopies.cpp",
]]

aten_native_spectral_srcs = ["aten/src/ATen/native/spectral/" + source for source in [
    "SpectralOps.cpp",
    "Spectrogram.cpp",
    "WindowFunctions.cpp",
]]

aten_native_transformers_srcs = ["aten/src/ATen/native/transformers/" + source for source in [
    "Attention.cpp",
]]

# Of what has no folder of its subject.
aten_native_srcs = ["aten/src/ATen/native/" + source for source in [
    "Activation.cpp",
    "AmpKernels.cpp",
    "AxisSampling.cpp",
    "BatchNormByOperators.cpp",
    "BinaryOps.cpp",
    "ComparisonOps.cpp",
    "ComplexOps.cpp",
    "Copy.cpp",
    "Correlation.cpp",
    "Differences.cpp",
    "DispatchStub.cpp",
    "Distance.cpp",
    "ElementLoops.cpp",
    "Embedding.cpp",
    "EmbeddingBag.cpp",
    "EmbeddingByOperators.cpp",
    "Fill.cpp",
    "ForeachOps.cpp",
    "FusedOptimizers.cpp",
    "GridSampler.cpp",
    "Histogram.cpp",
    "Lerp.cpp",
    "Loss.cpp",
    "LossCTC.cpp",
    "LossDistance.cpp",
    "LossMultiMargin.cpp",
    "LossNLL.cpp",
    "LossNLLByOperators.cpp",
    "LossPairs.cpp",
    "Normalization.cpp",
    "OneDnn.cpp",
    "OrthogonalPolynomials.cpp",
    "OutVariant.cpp",
    "Padding.cpp",
    "PointwiseOps.cpp",
    "Pow.cpp",
    "RNN.cpp",
    "RangeFactories.cpp",
    "ReduceAllOps.cpp",
    "ReduceOps.cpp",
    "ReduceOpsUtils.cpp",
    "Resize.cpp",
    "Scalar.cpp",
    "ScalarConversion.cpp",
    "Search.cpp",
    "SoftMax.cpp",
    "Sorting.cpp",
    "SpecialBessel.cpp",
    "SpecialFunctionsKernel.cpp",
    "StrideInference.cpp",
    "TensorCompare.cpp",
    "TensorConversions.cpp",
    "TensorFactories.cpp",
    "TensorProperties.cpp",
    "TrianglesByOperators.cpp",
    "TypeProperties.cpp",
    "UnaryOps.cpp",
    "Unique.cpp",
    "UpSample.cpp",
    "UpSampleSeparable.cpp",
    "layer_norm.cpp",
]]

aten_native_test_srcs = ["aten/src/ATen/native/" + source for source in [
    "axis_sampling_test.cpp",
    "dispatch_stub_test.cpp",
    "elementwise_test.cpp",
    "onednn_test.cpp",
    "reduction_test.cpp",
]]

aten_parallel_srcs = ["aten/src/ATen/" + source for source in [
    "Parallel.cpp",
    "ThreadLocalState.cpp",
]]

aten_srcs = ["aten/src/ATen/" + source for source in [
    "AccumulateType.cpp",
    "CPUGeneratorImpl.cpp",
    "CompositeKernels.cpp",
    "Context.cpp",
    "DLConvertor.cpp",
    "Dispatch.cpp",
    "EmptyTensor.cpp",
    "ExpandUtils.cpp",
    "FromBlob.cpp",
    "InferSize.cpp",
    "MathBitsFallback.cpp",
    "MemoryOverlap.cpp",
    "OutsideWrites.cpp",
    "ScalarOps.cpp",
    "StructuredOutput.cpp",
    "TensorGeometry.cpp",
    "TensorIndexing.cpp",
    "TensorIterator.cpp",
    "TensorIteratorConfig.cpp",
    "TensorIteratorDimensions.cpp",
    "TensorIteratorLoops.cpp",
    "TensorOperators.cpp",
    "TensorUtils.cpp",
    "WrapDimUtils.cpp",
    "autocast_mode.cpp",
    "autocast_registrations.cpp",
    "detail/CUDAHooksInterface.cpp",
    "record_function.cpp",
]]

aten_test_srcs = ["aten/src/ATen/" + source for source in [
    "cpu_generator_impl_test.cpp",
    "from_blob_test.cpp",
    "math_bits_fallback_test.cpp",
    "parallel_test.cpp",
    "registrations_test.cpp",
    "structured_output_test.cpp",
    "tensor_indexing_test.cpp",
    "tensor_iterator_test.cpp",
]]

c10_core_scalar_type_srcs = ["c10/core/" + source for source in [
    "ScalarType.cpp",
]]

c10_core_srcs = ["c10/core/" + source for source in [
    "Allocator.cpp",
    "AutogradState.cpp",
    "CPUAllocator.cpp",
    "Contiguity.cpp",
    "DefaultDtype.cpp",
    "Device.cpp",
    "DeviceType.cpp",
    "DispatchKey.cpp",
    "DispatchKeySet.cpp",
    "GeneratorImpl.cpp",
    "GradMode.cpp",
    "InferenceMode.cpp",
    "Layout.cpp",
    "MemoryFormat.cpp",
    "Scalar.cpp",
    "StorageImpl.cpp",
    "Stream.cpp",
    "SymInt.cpp",
    "TensorImpl.cpp",
    "TensorOptions.cpp",
    "UndefinedTensorImpl.cpp",
    "WrapDimMinimal.cpp",
    "impl/DeviceGuardImplInterface.cpp",
    "impl/LocalDispatchKeySet.cpp",
    "impl/PyInterpreter.cpp",
    "impl/PyObjectSlot.cpp",
    "impl/SizesAndStrides.cpp",
]]

c10_core_test_srcs = ["c10/core/" + source for source in [
    "allocator_test.cpp",
    "device_guard_test.cpp",
    "device_test.cpp",
    "dispatch_key_test.cpp",
    "generator_impl_test.cpp",
    "grad_mode_test.cpp",
    "impl/local_dispatch_key_set_test.cpp",
    "impl/sizes_and_strides_test.cpp",
    "memory_format_test.cpp",
    "scalar_test.cpp",
    "scalar_type_test.cpp",
    "storage_test.cpp",
    "sym_int_test.cpp",
    "tensor_impl_test.cpp",
    "tensor_options_test.cpp",
    "wrap_dim_minimal_test.cpp",
]]

c10_cuda_srcs = ["c10/cuda/" + source for source in [
    "CUDACachingAllocator.cpp",
    "CUDAException.cpp",
    "CUDAFunctions.cpp",
    "CUDAStream.cpp",
    "impl/CUDAGuardImpl.cpp",
]]

c10_cuda_test_srcs = ["c10/cuda/" + source for source in [
    "cuda_caching_allocator_test.cpp",
    "cuda_exception_test.cpp",
    "cuda_stream_test.cpp",
    "no_driver_test.cpp",
]]

c10_macros_test_srcs = ["c10/macros/" + source for source in [
    "macros_test.cpp",
]]

c10_util_srcs = ["c10/util/" + source for source in [
    "BFloat16.cpp",
    "Backtrace.cpp",
    "Exception.cpp",
    "Flags.cpp",
    "Half.cpp",
    "Logging.cpp",
    "SmallVector.cpp",
    "StringUtil.cpp",
    "Type.cpp",
    "TypeCast.cpp",
    "UniqueVoidPtr.cpp",
    "complex.cpp",
    "env.cpp",
    "intrusive_ptr.cpp",
    "thread_name.cpp",
]]

c10_util_test_srcs = ["c10/util/" + source for source in [
    "array_ref_test.cpp",
    "backtrace_test.cpp",
    "complex_test.cpp",
    "env_test.cpp",
    "exception_test.cpp",
    "function_ref_test.cpp",
    "half_test.cpp",
    "intrusive_ptr_test.cpp",
    "irange_test.cpp",
    "logging_test.cpp",
    "maybe_owned_test.cpp",
    "small_vector_test.cpp",
    "string_util_test.cpp",
    "type_cast_test.cpp",
    "typeid_test.cpp",
    "unique_void_ptr_test.cpp",
    "user_headers_test.cpp",
]]

c10_util_typeid_srcs = ["c10/util/" + source for source in [
    "typeid.cpp",
]]

torch_csrc_autograd_srcs = ["torch/csrc/autograd/" + source for source in [
    "FunctionsManual.cpp",
    "FunctionsManualElementwise.cpp",
    "FunctionsManualLinalg.cpp",
    "FunctionsManualLoss.cpp",
    "FunctionsManualNN.cpp",
    "FunctionsManualReduce.cpp",
    "FunctionsManualSampling.cpp",
    "FunctionsManualScans.cpp",
    "FunctionsManualViews.cpp",
    "VariableTypeManual.cpp",
    "anomaly_mode.cpp",
    "autograd.cpp",
    "cpp_hook.cpp",
    "custom_function.cpp",
    "engine.cpp",
    "function.cpp",
    "functions/accumulate_grad.cpp",
    "functions/basic_ops.cpp",
    "functions/tensor.cpp",
    "functions/utils.cpp",
    "input_buffer.cpp",
    "input_metadata.cpp",
    "saved_variable.cpp",
    "saved_variable_hooks.cpp",
    "variable.cpp",
    "variable_hooks.cpp",
]]

torch_csrc_autograd_test_srcs = ["torch/csrc/autograd/" + source for source in [
    "derivatives_test.cpp",
    "engine_test.cpp",
]]

torch_csrc_autograd_python_srcs = ["torch/csrc/autograd/" + source for source in [
    "python_cpp_function.cpp",
    "python_engine.cpp",
    "python_function.cpp",
    "python_hook.cpp",
    "python_modes.cpp",
    "python_saved_variable_hooks.cpp",
    "python_torch_functions.cpp",
    "python_variable.cpp",
    "python_variable_indexing.cpp",
    "python_variable_methods.cpp",
    "python_variable_operators.cpp",
]]

torch_csrc_cuda_srcs = ["torch/csrc/cuda/" + source for source in [
    "Cudnn.cpp",
    "Graph.cpp",
    "Module.cpp",
    "Nccl.cpp",
    "Nvtx.cpp",
    "Profiler.cpp",
    "Stream.cpp",
]]

torch_csrc_inductor_aoti_torch_srcs = ["torch/csrc/inductor/aoti_torch/" + source for source in [
    "shim_common.cpp",
]]

torch_csrc_jit_frontend_srcs = ["torch/csrc/jit/frontend/" + source for source in [
    "function_schema_parser.cpp",
]]

torch_csrc_jit_frontend_test_srcs = ["torch/csrc/jit/frontend/" + source for source in [
    "function_schema_parser_test.cpp",
]]

torch_csrc_jit_serialization_srcs = ["torch/csrc/jit/serialization/" + source for source in [
    "archive.cpp",
    "files.cpp",
    "pickler.cpp",
    "storage_types.cpp",
    "unpickler.cpp",
]]

torch_csrc_python_srcs = ["torch/csrc/" + source for source in [
    "Device.cpp",
    "Dtype.cpp",
    "Exceptions.cpp",
    "Generator.cpp",
    "Layout.cpp",
    "Module.cpp",
    "Size.cpp",
    "Storage.cpp",
    "utils/default_device.cpp",
    "utils/device_lazy_init.cpp",
    "utils/docstrings.cpp",
    "utils/invalid_arguments.cpp",
    "utils/python_arg_parser.cpp",
    "utils/python_args.cpp",
    "utils/python_custom_class.cpp",
    "utils/python_ivalue.cpp",
    "utils/python_numbers.cpp",
    "utils/python_operators.cpp",
    "utils/python_profiler.cpp",
    "utils/python_scalars.cpp",
    "utils/python_signatures.cpp",
    "utils/tensor_dlpack.cpp",
    "utils/tensor_new.cpp",
    "utils/tensor_numpy.cpp",
    "utils/torch_function.cpp",
]]

torch_csrc_python_test_srcs = ["torch/csrc/" + source for source in [
    "utils/tensor_flatten_test.cpp",
]]

torch_csrc_stable_srcs = ["torch/csrc/stable/" + source for source in [
    "shim_common.cpp",
]]

torch_csrc_stable_cuda_srcs = ["torch/csrc/stable/" + source for source in [
    "shim_cuda.cpp",
]]

torch_csrc_stable_cuda_test_srcs = ["torch/csrc/stable/" + source for source in [
    "shim_cuda_test.cpp",
]]

torch_csrc_stub_srcs = ["torch/csrc/" + source for source in [
    "stub.cpp",
]]

torch_srcs = ["torch/" + source for source in [
    "version.cpp",
]]

# PyTorch's name for the sources of libtorch_python.
libtorch_python_core_sources = sorted(torch_csrc_autograd_python_srcs + torch_csrc_python_srcs)
