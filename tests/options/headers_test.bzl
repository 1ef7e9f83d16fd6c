"""What `--per_operator_headers` changes: which operators' headers a source is given."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _operators(target):
    """Names of the operators whose function header the target's dependencies hold."""
    return {
        header.basename.removesuffix(".h"): None
        for header in target[CcInfo].compilation_context.headers.to_list()
        if header.dirname.endswith("ATen/ops") and not header.basename.removesuffix(".h").endswith(("_ops", "_native", "_dispatch"))
    }

def _exact_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, ["add"], _operators(analysistest.target_under_test(env)).keys())
    return analysistest.end(env)

_exact_test = analysistest.make(_exact_impl)

def _all_impl(ctx):
    env = analysistest.begin(ctx)
    operators = _operators(analysistest.target_under_test(env))
    for operator in ["add", "mm", "zeros"]:
        asserts.true(env, operator in operators, operator + " is missing")
    return analysistest.end(env)

_all_test = analysistest.make(
    _all_impl,
    config_settings = {str(Label("//config:per_operator_headers")): False},
)

def _stale_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(
        env,
        "aten/src/ATen/ops/no_such_operator.h is not generated. Run: ./bazelw run //tools:update",
    )
    return analysistest.end(env)

_stale_test = analysistest.make(_stale_impl, expect_failure = True)

def headers_tests(name, source, stale):
    """Declares the tests of this file.

    Args:
      name: of the suite, and prefix of the tests.
      source: label of the generated headers of a source that names the operator `add`.
      stale: the same of one that names an operator that there is not.
    """
    _exact_test(
        name = name + "_exact_test",
        target_under_test = source,
    )
    _all_test(
        name = name + "_all_test",
        target_under_test = source,
    )
    _stale_test(
        name = name + "_stale_test",
        target_under_test = stale,
    )
    native.test_suite(
        name = name,
        tests = [
            name + "_all_test",
            name + "_exact_test",
            name + "_stale_test",
        ],
    )
