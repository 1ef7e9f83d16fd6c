"""Actions of one of PyTorch's CUDA sources, for two architectures."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//tests/cuda:configured.bzl", "CUDA_ON")

def _impl(ctx):
    env = analysistest.begin(ctx)
    actions = {}
    for action in analysistest.target_actions(env):
        actions.setdefault(action.mnemonic, []).append(action)
    images = [file.basename for action in actions["CudaDevice"] for file in action.outputs.to_list() if file.extension == "cubin"]
    asserts.equals(env, ["AbsKernel.sm_80.cubin", "AbsKernel.sm_90.cubin"], sorted(images))
    asserts.equals(env, 1, len(actions["CudaHost"]))
    asserts.equals(env, 1, len(actions["CudaJoin"]))
    for action in actions["CudaDevice"] + actions["CudaHost"]:
        # PyTorch's options, and none of this tree's.
        standards = [word for word in action.argv if word.startswith("--flag=-std=")]
        asserts.equals(env, ["--flag=-std=c++17"], standards)
        asserts.true(env, "--flag=-DAT_PER_OPERATOR_HEADERS" in action.argv)

        # The headers that it includes, and no operator's.
        names = [file.short_path for file in action.inputs.to_list()]
        for wanted in ["/ATen/native/cuda/Loops.cuh", "/ATen/cuda/CUDAConfig.h", "/c10/cuda/impl/cuda_cmake_macros.h", "/cusparse.h"]:
            asserts.equals(env, 1, len([name for name in names if name.endswith(wanted)]), wanted)
        asserts.equals(env, [], [name for name in names if "/ATen/ops/" in name])
        asserts.equals(env, [], [name for name in names if name.endswith("/ATen/native/cuda/Sort.h")])
    return analysistest.end(env)

pytorch_cuda_actions_test = analysistest.make(_impl, config_settings = CUDA_ON)
