"""The modules below torch.distributed: their public names. All of them refuse."""

from __future__ import annotations

# By module: its functions and classes, the latter with a capital letter.
MODULES = {
    "_composable": "checkpoint contract replicate",
    "_composable.fsdp": "FSDPModule MixedPrecisionPolicy fully_shard",
    "_functional_collectives": (
        "AsyncCollectiveTensor all_gather_tensor all_gather_tensor_autograd all_reduce "
        "all_reduce_coalesced all_to_all_single all_to_all_single_autograd broadcast "
        "permute_tensor reduce_scatter_tensor reduce_scatter_tensor_autograd wait_tensor"
    ),
    "_tensor": "DTensor DeviceMesh Partial Placement Replicate Shard distribute_tensor",
    "_tensor.api": "DTensor",
    "_tensor.experimental": "context_parallel implicit_replication local_map",
    "_tensor.placement_types": "Partial Placement Replicate Shard",
    "algorithms": "Join JoinHook Joinable",
    "algorithms._checkpoint": "",
    "algorithms._checkpoint.checkpoint_wrapper": (
        "ActivationWrapper CheckpointImpl CheckpointWrapper OffloadWrapper "
        "apply_activation_checkpointing checkpoint_wrapper offload_wrapper"
    ),
    "algorithms.ddp_comm_hooks": "DDPCommHookType register_ddp_comm_hook",
    "algorithms.ddp_comm_hooks.default_hooks": (
        "allreduce_hook bf16_compress_hook bf16_compress_wrapper fp16_compress_hook "
        "fp16_compress_wrapper"
    ),
    "algorithms.ddp_comm_hooks.powerSGD_hook": (
        "PowerSGDState batched_powerSGD_hook powerSGD_hook"
    ),
    "algorithms.join": "Join JoinHook Joinable",
    "algorithms.model_averaging": "",
    "algorithms.model_averaging.averagers": "ModelAverager PeriodicModelAverager",
    "autograd": "DistAutogradContext backward context get_gradients is_available",
    "checkpoint": (
        "CheckpointException DefaultLoadPlanner DefaultSavePlanner FileSystemReader "
        "FileSystemWriter LoadPlan LoadPlanner Metadata SavePlan SavePlanner StorageReader "
        "StorageWriter async_save load load_state_dict save save_state_dict"
    ),
    "checkpoint.filesystem": "FileSystem FileSystemBase FileSystemReader FileSystemWriter",
    "checkpoint.format_utils": "dcp_to_torch_save torch_save_to_dcp",
    "checkpoint.state_dict": (
        "StateDictOptions get_model_state_dict get_optimizer_state_dict get_state_dict "
        "set_model_state_dict set_optimizer_state_dict set_state_dict"
    ),
    "checkpoint.stateful": "Stateful",
    "device_mesh": "DeviceMesh init_device_mesh",
    "distributed_c10d": (
        "Backend BackendConfig P2POp PrefixStore ProcessGroup Store Work all_gather "
        "all_gather_object all_reduce all_to_all barrier broadcast broadcast_object_list "
        "destroy_process_group gather gather_object get_backend get_global_rank get_group_rank "
        "get_process_group_ranks get_rank get_world_size init_process_group irecv isend "
        "monitored_barrier new_group recv reduce reduce_scatter rendezvous scatter "
        "scatter_object_list send"
    ),
    "elastic": "",
    "elastic.multiprocessing": "Std start_processes",
    "elastic.multiprocessing.errors": (
        "ChildFailedError ErrorHandler ProcessFailure get_error_handler record"
    ),
    "fsdp": (
        "BackwardPrefetch CPUOffload CPUOffloadPolicy FSDPModule FullOptimStateDictConfig "
        "FullStateDictConfig FullyShardedDataParallel LocalOptimStateDictConfig "
        "LocalStateDictConfig MixedPrecision MixedPrecisionPolicy OffloadPolicy "
        "OptimStateDictConfig ShardedOptimStateDictConfig ShardedStateDictConfig "
        "ShardingStrategy StateDictConfig StateDictSettings StateDictType fully_shard "
        "register_fsdp_forward_method"
    ),
    "fsdp.api": (
        "BackwardPrefetch CPUOffload FullOptimStateDictConfig FullStateDictConfig MixedPrecision "
        "ShardedStateDictConfig ShardingStrategy StateDictType"
    ),
    "fsdp.fully_sharded_data_parallel": (
        "BackwardPrefetch CPUOffload FullStateDictConfig FullyShardedDataParallel MixedPrecision "
        "ShardingStrategy StateDictType"
    ),
    "fsdp.sharded_grad_scaler": "ShardedGradScaler",
    "fsdp.wrap": (
        "CustomPolicy ModuleWrapPolicy always_wrap_policy enable_wrap lambda_auto_wrap_policy "
        "size_based_auto_wrap_policy transformer_auto_wrap_policy wrap"
    ),
    "nn": (
        "RemoteModule all_gather all_reduce all_to_all all_to_all_single broadcast gather reduce "
        "reduce_scatter scatter"
    ),
    "nn.functional": (
        "all_gather all_reduce all_to_all all_to_all_single broadcast gather reduce "
        "reduce_scatter scatter"
    ),
    "optim": "DistributedOptimizer PostLocalSGDOptimizer ZeroRedundancyOptimizer",
    "pipelining": (
        "Pipe PipelineStage Schedule1F1B ScheduleGPipe ScheduleInterleaved1F1B SplitPoint "
        "build_stage pipe_split pipeline"
    ),
    "rpc": (
        "BackendType RRef TensorPipeRpcBackendOptions get_worker_info init_rpc is_available "
        "remote rpc_async rpc_sync shutdown"
    ),
    "tensor": (
        "DTensor DeviceMesh Partial Placement Replicate Shard distribute_module "
        "distribute_tensor empty full init_device_mesh ones rand randn zeros"
    ),
    "tensor.experimental": "context_parallel implicit_replication local_map",
    "tensor.parallel": (
        "ColwiseParallel ParallelStyle PrepareModuleInput PrepareModuleOutput RowwiseParallel "
        "SequenceParallel loss_parallel parallelize_module"
    ),
    "tensor.placement_types": "Partial Placement Replicate Shard",
    "utils": "",
}
