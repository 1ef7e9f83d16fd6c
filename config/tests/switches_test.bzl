"""A switch that cannot work stops the analysis of whatever is built, with the line to type."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

# Whatever the build of these tests has.
_NO_CUDA = {str(Label("@rules_cuda//cuda:enable")): False}

def _refused_impl(ctx):
    env = analysistest.begin(ctx)
    for message in ctx.attr.messages:
        asserts.expect_failure(env, message)
    return analysistest.end(env)

def _refused_test(switches):
    return analysistest.make(
        _refused_impl,
        attrs = {"messages": attr.string_list(doc = "What the failure must say.", mandatory = True)},
        config_settings = _NO_CUDA | {str(Label(switch)): True for switch in switches},
        expect_failure = True,
    )

def _accepted_impl(ctx):
    env = analysistest.begin(ctx)
    return analysistest.end(env)

_accepted_test = analysistest.make(
    _accepted_impl,
    config_settings = {
        str(Label("//config:blas")): "openblas",
        str(Label("//config:openmp")): False,
    },
)

_nccl_test = _refused_test(["//config:nccl"])
_onednn_test = analysistest.make(
    _refused_impl,
    attrs = {"messages": attr.string_list(doc = "What the failure must say.", mandatory = True)},
    config_settings = {
        str(Label("//config:onednn")): True,
        str(Label("//config:openmp")): False,
    },
    expect_failure = True,
)
_rocm_test = _refused_test(["//config:rocm"])
_cuda_accepted_test = analysistest.make(
    _accepted_impl,
    config_settings = {str(Label("@rules_cuda//cuda:enable")): True},
)
_cudnn_test = _refused_test(["//config:cudnn"])
_cupti_test = _refused_test(["//config:cupti"])
_cuda_archs_test = analysistest.make(
    _refused_impl,
    attrs = {"messages": attr.string_list(doc = "What the failure must say.", mandatory = True)},
    config_settings = _NO_CUDA | {str(Label("//config:cuda_archs")): "8.0;foo"},
    expect_failure = True,
)
_old_cuda_archs_test = analysistest.make(
    _accepted_impl,
    config_settings = _NO_CUDA | {str(Label("//config:cuda_archs")): "6.0;7.0+PTX"},
)
_two_vendors_test = _refused_test(["//config:rocm", "//config:xpu"])

def switch_tests(name):
    """Declares the tests of this file.

    Args:
      name: of the suite, and prefix of the tests.
    """
    _accepted_test(
        name = name + "_accepted_test",
        target_under_test = "//config:checked_complete",
    )
    _cuda_accepted_test(
        name = name + "_cuda_accepted_test",
        target_under_test = "//config:checked_complete",
    )
    _old_cuda_archs_test(
        name = name + "_old_cuda_archs_test",
        target_under_test = "//config:checked",
    )
    for what, rule, messages in [
        (
            "cuda_archs",
            _cuda_archs_test,
            [
                "--cuda_archs: 'foo' in '8.0;foo' is nothing that nvcc 13.0 compiles for",
                "Type for example: --cuda_archs=\"8.0;9.0+PTX\"",
            ],
        ),
        (
            "nccl",
            _nccl_test,
            [
                "--nccl needs --cuda, but --cuda is off. Type: --nccl --cuda (or --nccl=false)",
            ],
        ),
        (
            "onednn",
            _onednn_test,
            ["--onednn needs --openmp, but --openmp is off. Type: --onednn --openmp (or --onednn=false)"],
        ),
        (
            "rocm",
            _rocm_test,
            [
                "these options cannot work:",
                "--rocm is on, but this version has no HIP kernels. Backends that work: cpu, ",
            ],
        ),
        (
            "cudnn",
            _cudnn_test,
            ["--cudnn needs --cuda, but --cuda is off. Type: --cudnn --cuda (or --cudnn=false)"],
        ),
        (
            "cupti",
            _cupti_test,
            ["--cupti needs --cuda, but --cuda is off. Type: --cupti --cuda (or --cupti=false)"],
        ),
        (
            "two_vendors",
            _two_vendors_test,
            ["--rocm and --xpu exclude each other. Type: --rocm --xpu=false"],
        ),
    ]:
        rule(
            name = "{}_{}_test".format(name, what),
            messages = messages,
            target_under_test = "//config:checked_complete",
        )
    native.test_suite(
        name = name,
        tests = [name + suffix for suffix in [
            "_accepted_test",
            "_cuda_accepted_test",
            "_cudnn_test",
            "_cupti_test",
            "_nccl_test",
            "_onednn_test",
            "_rocm_test",
            "_two_vendors_test",
        ]],
    )
