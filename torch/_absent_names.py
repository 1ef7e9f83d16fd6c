"""Names of PyTorch 2.13 that are not here, by module: what `torch._absent` explains.

The tables are PyTorch's public names less those of this package. `torch._absent.ABSENT` has the
names that belong to a part with a better explanation.
"""

from __future__ import annotations

# By module: names that it is without.
NAMES: dict[str, str] = {
    "torch": (
        "AVG AcceleratorError AggregationType BenchmarkConfig BenchmarkExecutionStats "
        "BufferDict DisableTorchFunction DisableTorchFunctionSubclass DispatchKey "
        "DispatchKeySet ExcludeDispatchKeyGuard FatalError FileCheck SUM "
        "ThroughputBenchmark affine_grid_generator batch_norm_backward_elemt "
        "batch_norm_backward_reduce batch_norm_elemt batch_norm_gather_stats "
        "batch_norm_gather_stats_with_counts batch_norm_stats batch_norm_update_stats "
        "cpp embedding_renorm_ fork get_autocast_ipu_dtype "
        "get_autocast_xla_dtype get_device has_lapack has_mkl "
        "has_openmp has_spectral hash_tensor init_num_threads "
        "is_autocast_ipu_enabled is_autocast_xla_enabled native_norm "
        "norm_except_dim set_autocast_ipu_dtype set_autocast_ipu_enabled "
        "set_autocast_xla_dtype set_autocast_xla_enabled "
        "slice_inverse thread_safe_generator unfold_copy "
        "view_as_complex_copy view_as_real_copy "
        "prepare_multiprocessing_environment get_file_path wait"
    ),
    "torch.accelerator": "Graph current_device_idx empty_host_cache set_device_idx",
    "torch.amp.autocast_mode": "autocast_decorator",
    "torch.autograd": (
        "NestedIOFunction ProfilerConfig ProfilerEvent ProfilerState SavedTensor "
        "enforce_grad_layout_policy set_multithreading_enabled"
    ),
    "torch.autograd.function": "NestedIOFunction",
    "torch.autograd.grad_mode": "enforce_grad_layout_policy set_multithreading_enabled",
    "torch.autograd.gradcheck": (
        "get_analytical_jacobian get_numerical_jacobian get_numerical_jacobian_wrt_specific_input"
    ),
    "torch.autograd.graph": (
        "allow_mutation_on_saved_tensors region_activation_memory_budget "
        "set_override_stale_capture_stream set_warn_on_accumulate_grad_stream_mismatch"
    ),
    "torch.autograd.variable": "VariableMeta",
    "torch.backends.mkl": "verbose",
    "torch.cpu": "StreamContext get_capabilities",
    "torch.cuda": (
        "AcceleratorError BFloat16Storage BoolStorage ByteStorage CUDAPluggableAllocator "
        "CharStorage "
        "ComplexDoubleStorage ComplexFloatStorage CudaError DeferredCudaCallError "
        "DoubleStorage FloatStorage GreenContext HalfStorage IntStorage LongStorage MemPool "
        "ShortStorage caching_allocator_alloc caching_allocator_delete "
        "caching_allocator_disabled caching_allocator_enable change_current_allocator "
        "check_error cudaStatus cudart current_blas_handle current_solver_handle "
        "default_generators get_allocator_backend get_gencode_flags "
        "get_per_process_memory_fraction get_stream_from_external get_sync_debug_mode "
        "graph_pool_handle has_half has_magma host_memory_stats "
        "host_memory_stats_as_nested_dict is_tf32_supported jiterator make_graphed_callables "
        "memory_snapshot memory_stats_as_nested_dict memory_summary memory_usage profiler "
        "reset_accumulated_host_memory_stats reset_peak_host_memory_stats "
        "set_per_process_memory_fraction set_sync_debug_mode sparse tunable use_mem_pool"
    ),
    "torch.cuda.graphs": "graph_pool_handle make_graphed_callables",
    "torch.cuda.memory": (
        "CUDAPluggableAllocator MemPool caching_allocator_alloc caching_allocator_delete "
        "caching_allocator_disabled caching_allocator_enable change_current_allocator "
        "get_allocator_backend get_per_process_memory_fraction host_memory_stats "
        "host_memory_stats_as_nested_dict list_gpu_processes memory_snapshot "
        "memory_stats_as_nested_dict memory_summary reset_accumulated_host_memory_stats "
        "reset_peak_host_memory_stats set_per_process_memory_fraction use_mem_pool"
    ),
    "torch.library": "get_kernel register_torch_dispatch",
    "torch.multiprocessing.spawn": "SpawnContext",
    "torch.nn": ("Container LinearCrossEntropyLoss LinearCrossEntropyOptions factory_kwargs"),
    "torch.nn.attention": (
        "WARN_FOR_UNFUSED_KERNELS activate_flash_attention_impl current_flash_attention_impl "
        "list_flash_attention_impls register_flash_attention_impl "
        "restore_flash_attention_impl"
    ),
    "torch.nn.functional": (
        "ScalingType SwizzleType assert_int_or_pair grouped_mm linear_cross_entropy "
        "native_channel_shuffle scaled_grouped_mm scaled_mm"
    ),
    "torch.nn.modules": (
        "Container CrossMapLRN2d LinearCrossEntropyLoss LinearCrossEntropyOptions"
    ),
    "torch.nn.modules.container": "Container",
    "torch.nn.modules.loss": "LinearCrossEntropyLoss",
    "torch.nn.modules.normalization": "CrossMapLRN2d",
    "torch.nn.parallel.parallel_apply": "get_a_var",
    "torch.nn.utils.parametrize": "transfer_parametrizations_and_params",
    "torch.optim": "swap_in_optimizer_params_and_state",
    "torch.optim.adadelta": "adadelta",
    "torch.optim.adagrad": "adagrad",
    "torch.optim.adam": "adam",
    "torch.optim.adamax": "adamax",
    "torch.optim.adamw": "adamw",
    "torch.optim.asgd": "asgd",
    "torch.optim.nadam": "nadam",
    "torch.optim.radam": "radam",
    "torch.optim.rmsprop": "rmsprop",
    "torch.optim.rprop": "rprop",
    "torch.optim.sgd": "sgd",
    "torch.overrides": "enable_reentrant_dispatch redispatch_function",
    "torch.profiler": "DeviceType ExecutionTraceObserver",
    "torch.random": "thread_safe_generator",
    "torch.return_types": ("all_return_types pytree_register_structseq"),
    "torch.serialization": (
        "SourceChangeWarning StorageType check_module_version_greater_or_equal "
        "get_crc32_options get_default_mmap_options mkdtemp "
        "normalize_storage_type register_package set_crc32_options "
        "set_default_mmap_options skip_data "
        "storage_to_tensor_type validate_cuda_device validate_hpu_device"
    ),
    "torch.Tensor": (
        "chalf const_data_ptr grad_dtype hash_tensor index ipu reinforce slice_inverse"
    ),
    "torch.testing": "FileCheck",
    "torch.types": "Storage",
    "torch.utils": (
        "ThroughputBenchmark generate_methods_for_privateuse1_backend get_cpp_backtrace "
        "rename_privateuse1_backend set_module"
    ),
    "torch.utils._pytree": (
        "DumpableContext FlattenFn FromDumpableContextFn PyTreeSpec ToDumpableContextFn "
        "UnflattenFn is_namedtuple_instance is_structseq"
    ),
    "torch.utils.cpp_extension": (
        "SyclExtension check_compiler_is_gcc check_compiler_ok_for_platform get_cxx_compiler "
        "get_default_build_root remove_extension_h_precompiler_headers "
        "verify_ninja_availability"
    ),
    "torch.utils.data": (
        "argument_validation functional_datapipe guaranteed_datapipes_determinism "
        "non_deterministic runtime_validation runtime_validation_disabled"
    ),
    "torch.utils.dlpack": "DLDeviceType",
    "torch.utils.hooks": "unserializable_hook warn_if_has_hooks",
}

# What to use in place of a name of NAMES, as an imperative: the names.
INSTEAD: dict[str, str] = {
    "count in Python": "AVG AggregationType SUM",
    "catch RuntimeError": (
        "AcceleratorError CudaError DeferredCudaCallError FatalError check_error cudaStatus"
    ),
    "measure with Python's timeit": ("BenchmarkConfig BenchmarkExecutionStats ThroughputBenchmark"),
    "use torch.nn.Module.register_buffer": "BufferDict",
    "compare with tuple, which every result is": "all_return_types pytree_register_structseq",
    "name the key in torch.library.Library.impl": (
        "DispatchKey DispatchKeySet ExcludeDispatchKeyGuard"
    ),
    "use torch.overrides.TorchFunctionMode": (
        "DisableTorchFunction DisableTorchFunctionSubclass enable_reentrant_dispatch "
        "redispatch_function register_torch_dispatch"
    ),
    "search the text with Python's re": "FileCheck",
    "use torch.nn.functional.affine_grid": "affine_grid_generator",
    "use torch.nn.functional.batch_norm": (
        "batch_norm_backward_elemt batch_norm_backward_reduce batch_norm_elemt "
        "batch_norm_gather_stats batch_norm_gather_stats_with_counts batch_norm_stats "
        "batch_norm_update_stats"
    ),
    "use torch.utils.cpp_extension": "cpp",
    "use torch.nn.functional.embedding with max_norm": "embedding_renorm_",
    "call the function itself": "fork wait",
    "use torch.get_autocast_dtype and torch.is_autocast_enabled with the device's name": (
        "get_autocast_ipu_dtype get_autocast_xla_dtype is_autocast_ipu_enabled "
        "is_autocast_xla_enabled"
    ),
    "use torch.set_autocast_dtype and torch.set_autocast_enabled with the device's name": (
        "set_autocast_ipu_dtype set_autocast_ipu_enabled set_autocast_xla_dtype "
        "set_autocast_xla_enabled"
    ),
    "use torch.Tensor.get_device": "get_device",
    "call torch.linalg and torch.fft, which every build has": "has_lapack has_spectral",
    "use torch.backends.mkl.is_available": "has_mkl",
    "use torch.backends.openmp.is_available": "has_openmp",
    "compare tensors with torch.equal": "hash_tensor",
    "use torch.set_num_threads": "init_num_threads",
    "use torch.linalg.vector_norm": "native_norm norm_except_dim",
    "use torch.slice_scatter": "slice_inverse",
    "use torch.Generator": "thread_safe_generator",
    "clone what torch.Tensor.unfold, torch.view_as_complex or torch.view_as_real gives": (
        "unfold_copy view_as_complex_copy view_as_real_copy"
    ),
    "use torch.UntypedStorage": "Storage StorageType",
    'use torch.UntypedStorage with device="cuda"': (
        "BFloat16Storage BoolStorage ByteStorage CharStorage ComplexDoubleStorage "
        "ComplexFloatStorage DoubleStorage FloatStorage HalfStorage IntStorage LongStorage "
        "ShortStorage"
    ),
    "use torch.complex64": "chalf",
    "use torch.Tensor.data_ptr": "const_data_ptr",
    "index the tensor: x[indices]": "index",
    "read the dtype of torch.Tensor.grad": "grad_dtype",
    'use device "cpu" or "cuda"': "ipu",
    "use torch.distributions, whose log_prob gives the loss": "reinforce",
    "use torch.cuda.CUDAGraph": "Graph",
    "use torch.cuda.graph": "graph_pool_handle make_graphed_callables",
    "use torch.accelerator.current_device_index": "current_device_idx",
    "use torch.accelerator.set_device_index": "set_device_idx",
    "use torch.cuda.empty_cache": "empty_host_cache",
    "use torch.autocast": "autocast_decorator",
    "use torch.autograd.Function": "NestedIOFunction",
    "call backward, which runs in the calling thread": "set_multithreading_enabled",
    "use torch.autograd.gradcheck": (
        "get_analytical_jacobian get_numerical_jacobian get_numerical_jacobian_wrt_specific_input"
    ),
    "clone a tensor before you change it": "allow_mutation_on_saved_tensors",
    "use torch.Tensor": "VariableMeta",
    "set the variable MKL_VERBOSE=1": "verbose",
    "use torch.cuda.stream": "StreamContext",
    "use torch.backends.cpu.get_cpu_capability": "get_capabilities",
    "allocate with torch.empty; PYTORCH_NO_CUDA_MEMORY_CACHING=1 turns the cache off": (
        "CUDAPluggableAllocator MemPool caching_allocator_alloc caching_allocator_delete "
        "caching_allocator_disabled caching_allocator_enable change_current_allocator "
        "get_allocator_backend use_mem_pool"
    ),
    "use torch.cuda.current_stream": "get_stream_from_external current_blas_handle "
    "current_solver_handle",
    'use torch.Generator with device="cuda"': "default_generators",
    "use torch.cuda.get_arch_list": "get_gencode_flags",
    "use torch.cuda.is_bf16_supported": "has_half is_tf32_supported",
    "use torch.linalg": "has_magma",
    "use torch.library.custom_op": "get_kernel",
    "use torch.multiprocessing.ProcessContext": "SpawnContext",
    "use torch.nn.ModuleList": "Container",
    "use torch.nn.Linear and torch.nn.CrossEntropyLoss": (
        "LinearCrossEntropyLoss LinearCrossEntropyOptions linear_cross_entropy"
    ),
    "use torch.nn.functional.scaled_dot_product_attention, which chooses the kernel": (
        "WARN_FOR_UNFUSED_KERNELS activate_flash_attention_impl current_flash_attention_impl "
        "list_flash_attention_impls register_flash_attention_impl restore_flash_attention_impl"
    ),
    "use torch.bmm": "grouped_mm",
    "use torch.matmul with torch.bfloat16": ("ScalingType SwizzleType scaled_grouped_mm scaled_mm"),
    "use torch.nn.functional.channel_shuffle": "native_channel_shuffle",
    "use torch.nn.LocalResponseNorm": "CrossMapLRN2d",
    "use torch.optim.Adadelta": "adadelta",
    "use torch.optim.Adagrad": "adagrad",
    "use torch.optim.Adam": "adam",
    "use torch.optim.Adamax": "adamax",
    "use torch.optim.AdamW": "adamw",
    "use torch.optim.ASGD": "asgd",
    "use torch.optim.NAdam": "nadam",
    "use torch.optim.RAdam": "radam",
    "use torch.optim.RMSprop": "rmsprop",
    "use torch.optim.Rprop": "rprop",
    "use torch.optim.SGD": "sgd",
    "use torch.profiler.profile": "DeviceType ExecutionTraceObserver",
    "pass map_location to torch.load": (
        "normalize_storage_type register_package "
        "storage_to_tensor_type validate_cuda_device validate_hpu_device"
    ),
    "pass mmap=True to torch.load": "get_default_mmap_options set_default_mmap_options",
    "use torch.save and torch.load": (
        "SourceChangeWarning check_module_version_greater_or_equal get_crc32_options "
        "set_crc32_options skip_data"
    ),
    "use Python's tempfile": "mkdtemp",
    "use torch.utils._pytree.tree_map": (
        "DumpableContext FlattenFn FromDumpableContextFn PyTreeSpec ToDumpableContextFn "
        "UnflattenFn is_namedtuple_instance is_structseq"
    ),
    "use torch.utils.cpp_extension.load, which finds the compiler": (
        "check_compiler_is_gcc check_compiler_ok_for_platform get_cxx_compiler "
        "get_default_build_root remove_extension_h_precompiler_headers verify_ninja_availability"
    ),
    "use torch.utils.cpp_extension.CUDAExtension or CppExtension": "SyclExtension",
    "use torch.utils.data.Dataset and torch.utils.data.DataLoader": (
        "argument_validation functional_datapipe guaranteed_datapipes_determinism "
        "non_deterministic runtime_validation runtime_validation_disabled"
    ),
    "use torch.Tensor.__dlpack_device__": "DLDeviceType",
}

# By part: modules that cannot be imported, each with all below it that is not here.
MISSING: dict[str, str] = {
    "CHOICES_OF_CODE": "backends.miopen backends.python_native backends.xnnpack",
    "COMPILE": "_compile _dynamo _inductor",
    "DATAPIPES": "utils.data.datapipes",
    "DISTRIBUTED": "distributed",
    "EXPORT": "_export export nativert",
    "FUNCTORCH": "_functorch _higher_order_ops",
    "FX": "fx",
    "HIP": "utils.hipify",
    "JIT": "_awaits _sources jit utils.jit",
    "MASKED": "masked.maskedtensor",
    "MTIA": "mtia",
    "NESTED": "nested",
    "NUMA": "backends.xeon numa",
    "ONNX": "onnx",
    "OTHER": (
        "contrib cuda.jiterator nn.attention.experimental nn.backends "
        "nn.modules.linear_cross_entropy utils.serialization"
    ),
    "PACKAGE": "package",
    "PRIVATE": (
        "_appdirs _custom_op _decomp _dispatch _environment _lazy "
        "_library _linalg_utils _logging _meta_registrations _native _numpy _opaque_base "
        "_prims _prims_common _python_dispatcher _refs _size_docs _storage_docs _strobelight "
        "_tensor_docs _torch_docs _utils_internal _vendor"
    ),
    "PROFILER": "profiler",
    "PRUNING": "ao.pruning",
    "QUANTIZED": (
        "ao backends.quantized nn.intrinsic nn.qat nn.quantizable nn.quantized quantization"
    ),
    "SPARSE": "sparse",
    "TRACES_OF_MEMORY": "utils.viz",
    "XPU": "xpu",
}

# By part: modules that can be imported, and whose classes and functions refuse.
MODULES: dict[str, dict[str, str]] = {
    "CUDA_TOOLS": {
        "cuda.comm": "broadcast broadcast_coalesced gather reduce_add reduce_add_coalesced scatter",
        "cuda.gds": "GdsFile gds_deregister_buffer gds_register_buffer",
        "cuda.green_contexts": "GreenContext",
        "cuda.profiler": "profile start stop",
        "cuda.sparse": (
            "BFloat16Tensor ByteTensor CharTensor DoubleTensor FloatTensor HalfTensor "
            "IntTensor LongTensor ShortTensor"
        ),
        "cuda.tunable": (
            "enable get_filename get_max_tuning_duration get_max_tuning_iterations "
            "get_results get_rotating_buffer_size get_validators is_enabled "
            "mgpu_tune_gemm_in_file read_file record_untuned_enable record_untuned_is_enabled "
            "set_filename set_max_tuning_duration set_max_tuning_iterations "
            "set_numerical_check_tolerances set_rotating_buffer_size tune_gemm_in_file "
            "tuning_enable tuning_is_enabled"
        ),
    },
    "DATAPIPES": {
        "utils.data.backward_compatibility": "worker_init_fn",
        "utils.data.datapipes": "DataChunk IterDataPipe MapDataPipe",
        "utils.data.graph": "traverse traverse_dps",
        "utils.data.graph_settings": (
            "apply_random_seed apply_sharding apply_shuffle_seed apply_shuffle_settings "
            "get_all_graph_pipes"
        ),
    },
    "FORWARD_AD": {
        "autograd.forward_ad": (
            "UnpackedDualTensor dual_level enter_dual_level exit_dual_level make_dual unpack_dual"
        ),
    },
    "OTHER": {
        "accelerator.graphs": "Graph",
        "backends.kleidiai": "is_available",
        "backends.mha": "get_fastpath_enabled set_fastpath_enabled",
        "backends.nnpack": "flags is_available set_flags",
        "compiler.config": (
            "accumulated_recompile_limit allow_unspec_int_on_nn_module "
            "assume_static_by_default automatic_dynamic_shapes "
            "capture_dynamic_output_shape_ops capture_scalar_outputs dynamic_shapes "
            "enable_cpp_symbolic_shape_guards fail_on_recompile_limit_hit "
            "force_disable_caches job_id log_file_name recompile_limit "
            "reorderable_logging_functions skip_tensor_guards_with_matching_dict_tags verbose "
            "wrap_top_frame"
        ),
        "monitor": "TensorboardEventHandler",
        "multiprocessing.pool": "Pool clean_worker",
        "multiprocessing.queue": "ConnectionWrapper Queue SimpleQueue",
        "multiprocessing.reductions": (
            "SharedCache StorageWeakRef fd_id init_reductions rebuild_cuda_tensor "
            "rebuild_event rebuild_meta_tensor rebuild_nested_tensor "
            "rebuild_sparse_compressed_tensor rebuild_sparse_coo_tensor rebuild_storage_empty "
            "rebuild_storage_fd rebuild_storage_filename rebuild_tensor rebuild_typed_storage "
            "rebuild_typed_storage_child reduce_event reduce_nested_tensor "
            "reduce_sparse_tensor reduce_storage reduce_tensor reduce_typed_storage "
            "reduce_typed_storage_child storage_from_cache"
        ),
        "nn.attention.varlen": "AuxRequest varlen_attn varlen_attn_out",
        "nn.cpp": "ModuleWrapper OrderedDictWrapper",
        "nn.modules.linear_cross_entropy_options": "LinearCrossEntropyOptions",
        "nn.parallel.comm": (
            "broadcast broadcast_coalesced gather reduce_add reduce_add_coalesced scatter"
        ),
        "optim.sparse_adam": "SparseAdam",
        "utils.backcompat": "Warning",
        "utils.backend_registration": (
            "generate_methods_for_privateuse1_backend rename_privateuse1_backend"
        ),
        "utils.bundled_inputs": (
            "InflatableArg augment_many_model_functions_with_bundled_inputs "
            "augment_model_with_bundled_inputs bundle_inputs bundle_large_tensor bundle_randn"
        ),
        "utils.cpp_backtrace": "get_cpp_backtrace",
        "utils.debug_log": "debug_grad_log",
        "utils.file_baton": "FileBaton",
        "utils.mkldnn": (
            "MkldnnBatchNorm MkldnnConv1d MkldnnConv2d MkldnnConv3d MkldnnLinear MkldnnPrelu "
            "to_mkldnn"
        ),
        "utils.mobile_optimizer": "LintCode generate_mobile_module_lints optimize_for_mobile",
        "utils.model_dump": (
            "burn_in_info get_info_and_burn_skeleton get_inline_skeleton get_model_info "
            "get_storage_info hierarchical_pickle"
        ),
        "utils.show_pickle": "DumpUnpickler FakeClass FakeObject main",
    },
    "THROUGHPUT": {
        "utils.throughput_benchmark": "ExecutionStats ThroughputBenchmark format_time",
    },
    "PRIVATE": {
        "_custom_ops": "custom_op impl impl_abstract impl_backward impl_save_for_backward",
    },
    "PROFILER": {
        "autograd.profiler_legacy": "profile",
        "profiler.itt": "is_available mark range range_pop range_push",
    },
    "QUANTIZED": {
        "quantization": (
            "DeQuantStub HistogramObserver ObserverBase QConfig QuantStub QuantType "
            "QuantWrapper WeightObserver add_quant_dequant convert default_dynamic_qconfig "
            "default_eval_fn default_fake_quant default_fixed_qparams_range_0to1_fake_quant "
            "default_fixed_qparams_range_neg1to1_fake_quant default_histogram_fake_quant "
            "default_observer default_per_channel_weight_fake_quant "
            "default_per_channel_weight_observer default_placeholder_observer "
            "default_qat_qconfig default_qconfig default_weight_fake_quant "
            "default_weight_observer float16_dynamic_qconfig "
            "float_qparams_weight_only_qconfig fuse_modules "
            "get_default_compare_output_module_list get_default_dynamic_quant_module_mappings "
            "get_default_qat_module_mappings get_default_qconfig_propagation_list "
            "get_default_static_quant_module_mappings get_fuser_method get_quantized_operator "
            "get_static_quant_module_class observer prepare prepare_qat prepare_qat "
            "propagate_qconfig_ quantize quantize_dynamic quantize_dynamic_jit quantize_jit "
            "quantize_qat quantize_qat swap_module"
        ),
    },
}

# Operators of PyTorch without kernels here that packages name when they are imported: schemas.
SCHEMAS: dict[str, str] = {
    "_pin_memory": "(Tensor self, Device? device=None) -> Tensor",
    "_sparse_addmm": (
        "(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    ),
    "_sparse_mm_reduce_impl": "(Tensor self, Tensor other, str reduce) -> (Tensor, Tensor)",
}

# Modules of PyTorch whose names stand in another one here.
ELSEWHERE: dict[str, str] = {
    "torch.accelerator.memory": "torch.accelerator",
    "torch.cpu.amp.autocast_mode": "torch.cpu.amp",
    "torch.cpu.amp.grad_scaler": "torch.cpu.amp",
    "torch.cuda.amp.autocast_mode": "torch.cuda.amp",
    "torch.cuda.amp.grad_scaler": "torch.cuda.amp",
    "torch.profiler.profiler": "torch.profiler",
    "torch.testing._comparison": "torch.testing.comparison",
    "torch.testing._creation": "torch.testing.creation",
}

__all__ = ["ELSEWHERE", "INSTEAD", "MISSING", "MODULES", "NAMES", "SCHEMAS"]
