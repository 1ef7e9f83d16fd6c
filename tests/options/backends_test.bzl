"""What the options of backends change: the generator's flags, and which outputs there are."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("//config:backends.bzl", "OPTIONAL_BACKENDS")
load("//tools/rules:generated_files.bzl", "generated_paths", "header_paths", "headers_by_operator", "paths_by_operator")

def _flags(env):
    """The generator's flags that name backends."""
    actions = [a for a in analysistest.target_actions(env) if a.mnemonic == "TorchCodegen"]
    asserts.equals(env, 1, len(actions))
    known = ["--" + name for name in OPTIONAL_BACKENDS]
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
        "sources": ["aten/src/ATen/RegisterCPU_0.cpp"],
    },
    headers = {
        "cuda_headers": {"_cuda_dispatch": ["f", "g", "h"]},
        "operator_headers": {
            "_cpu_dispatch": ["f", "h"],
            "_meta": ["h"],
        },
    },
    includes = {},
    operators = ["f", "g", "h"],
)

def _outputs_impl(ctx):
    env = unittest.begin(ctx)
    headers = headers_by_operator(_LIST)
    asserts.equals(env, ["f.h", "f_ops.h", "f_native.h", "f_cpu_dispatch.h"], headers["f"][""])
    asserts.equals(env, ["f_cuda_dispatch.h"], headers["f"]["cuda"])
    asserts.equals(env, ["g.h", "g_ops.h", "g_native.h"], headers["g"][""])
    asserts.equals(
        env,
        [
            "aten/src/ATen/CUDAFunctions.h",
            "aten/src/ATen/ops/f_cuda_dispatch.h",
            "aten/src/ATen/ops/g_cuda_dispatch.h",
            "aten/src/ATen/ops/h_cuda_dispatch.h",
        ],
        generated_paths(_LIST, "cuda_headers"),
    )
    asserts.equals(env, ["aten/src/ATen/RegisterCPU_0.cpp"], generated_paths(_LIST, "sources"))
    asserts.equals(env, None, generated_paths(_LIST, "autograd"))
    asserts.equals(
        env,
        [("f", "aten/src/ATen/ops/f_cuda_dispatch.h")],
        paths_by_operator(_LIST, "cuda_headers")[:1],
    )
    asserts.equals(env, [], paths_by_operator(_LIST, "sources"))
    return unittest.end(env)

def _words_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, [], header_paths({}))
    asserts.equals(
        env,
        ["core/TensorBody.h", "native/cpu/Loops.h", "ops/add_ops.h", "ops/mul_ops.h"],
        header_paths({
            "core/{}.h": ["TensorBody"],
            "native/{}.h": ["cpu/Loops"],
            "ops/{}_ops.h": ["mul", "add"],
        }),
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
