"""What the options of backends change: the generator's flags, and which outputs there are."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//tools/rules:generated_files.bzl", "generated_paths", "header_paths", "headers_by_operator", "headers_by_source")

def _flags(env):
    """The generator's flags that name backends."""
    actions = [a for a in analysistest.target_actions(env) if a.mnemonic == "TorchCodegen"]
    asserts.equals(env, 1, len(actions))
    known = ["--cuda", "--mps", "--rocm", "--xpu"]
    return [word for word in actions[0].argv if word in known]

def _none_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, [], _flags(env))
    return analysistest.end(env)

# Whatever the build has.
_NO_CUDA = {str(Label("@rules_cuda//cuda:enable")): False}

_none_test = analysistest.make(_none_impl, config_settings = _NO_CUDA)

def _some_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, ["--mps", "--xpu"], sorted(_flags(env)))
    return analysistest.end(env)

_some_test = analysistest.make(
    _some_impl,
    config_settings = _NO_CUDA | {
        str(Label("//config:mps")): True,
        str(Label("//config:xpu")): True,
    },
)

# A list as the generator writes it: `f` and the structured `h` have kernels for CPU and CUDA, `g` for
# CUDA alone.
_LIST = struct(
    files = {
        "cuda_headers": ["aten/src/ATen/CUDAFunctions.h"],
        "operator_headers": [],
    },
    includes = {},
    operators = {
        "CPU CUDA": "f",
        "CPU CUDA structured": "h",
        "CUDA": "g",
    },
    shards = {
        "cuda_sources": {"aten/src/ATen/RegisterCUDA": 2},
        "sources": {"aten/src/ATen/RegisterCPU": 1},
    },
    usual = {
        "RegisterCPU": "dispatch+native",
        "RegisterCUDA": "dispatch+native",
    },
)

def _outputs_impl(ctx):
    env = unittest.begin(ctx)
    headers = headers_by_operator(_LIST)
    asserts.equals(env, ["f.h", "f_ops.h", "f_native.h", "f_cpu_dispatch.h"], headers["f"][""])
    asserts.equals(env, ["f_cuda_dispatch.h"], headers["f"]["cuda"])
    asserts.equals(env, ["g.h", "g_ops.h", "g_native.h"], headers["g"][""])
    asserts.equals(
        env,
        ["aten/src/ATen/RegisterCUDA_0.cpp", "aten/src/ATen/RegisterCUDA_1.cpp"],
        generated_paths(_LIST, "cuda_sources"),
    )
    asserts.equals(
        env,
        [
            "aten/src/ATen/CUDAFunctions.h",
            "aten/src/ATen/ops/f_cuda_dispatch.h",
            "aten/src/ATen/ops/h_cuda_dispatch.h",
            "aten/src/ATen/ops/g_cuda_dispatch.h",
        ],
        generated_paths(_LIST, "cuda_headers"),
    )
    asserts.equals(env, ["aten/src/ATen/RegisterCPU_0.cpp"], generated_paths(_LIST, "sources"))
    asserts.equals(
        env,
        "Tensor .cpu_dispatch f h .native f .structured h",
        headers_by_source(_LIST)["aten/src/ATen/RegisterCPU_0.cpp"],
    )
    return unittest.end(env)

def _words_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, [], header_paths(""))
    asserts.equals(env, ["core/TensorBody.h"], header_paths("Tensor"))
    asserts.equals(
        env,
        [
            "core/TensorBody.h",
            "core/enum_tag.h",
            "native/Resize.h",
            "native/cpu/Loops.h",
            "ops/add.h",
            "ops/add_ops.h",
            "ops/div_ops.h",
            "ops/mul_native.h",
            "ops/sub_meta.h",
            "ops/sub_native.h",
        ],
        header_paths("add enum_tag .native mul .ops div .structured sub native/ Resize cpu/Loops"),
    )
    return unittest.end(env)

_words_test = unittest.make(_words_impl)

_outputs_test = unittest.make(_outputs_impl)

def backends_tests(name, generated):
    """Declares the tests of this file.

    Args:
      name: of the suite, and prefix of the tests.
      generated: label of a group of generated files.
    """
    _none_test(
        name = name + "_none_test",
        target_under_test = generated,
    )
    _some_test(
        name = name + "_some_test",
        target_under_test = generated,
    )
    _outputs_test(name = name + "_outputs_test")
    _words_test(name = name + "_words_test")
    native.test_suite(
        name = name,
        tests = [
            name + "_none_test",
            name + "_outputs_test",
            name + "_some_test",
            name + "_words_test",
        ],
    )
