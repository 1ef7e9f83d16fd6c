"""What `--per_operator_headers` changes: which operators' headers a source is given."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _operators(headers):
    """Names of the operators whose function header is among these."""
    return {
        header.basename.removesuffix(".h"): None
        for header in headers
        if header.dirname.endswith("ATen/ops") and not header.basename.removesuffix(".h").endswith(("_ops", "_native", "_dispatch"))
    }

def _exact_impl(ctx):
    env = analysistest.begin(ctx)
    context = analysistest.target_under_test(env)[CcInfo].compilation_context
    asserts.equals(env, ["add"], _operators(context.headers.to_list()).keys())
    return analysistest.end(env)

_exact_test = analysistest.make(_exact_impl)

def _all_impl(ctx):
    env = analysistest.begin(ctx)
    context = analysistest.target_under_test(env)[CcInfo].compilation_context
    operators = _operators(context.headers.to_list())
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

def _untabled_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(
        env,
        "tests/options/adds.cpp is not in the table of operator dependencies. Run: ./bazelw run //tools:update",
    )
    return analysistest.end(env)

_untabled_test = analysistest.make(_untabled_impl, expect_failure = True)

def _namesakes_impl(ctx):
    env = analysistest.begin(ctx)
    target = analysistest.target_under_test(env)
    group = target[OutputGroupInfo].namesakes_a_b_c.to_list()
    asserts.equals(env, 3, len({object.path: None for object in group}), "objects of {}".format(group))
    asserts.equals(env, sorted([object.path for object in group]), sorted([object.path for object in target[DefaultInfo].files.to_list()]))
    return analysistest.end(env)

_namesakes_test = analysistest.make(
    _namesakes_impl,
    doc = "Sources whose paths give one output group are all in it, each with an object of its own.",
)

def headers_tests(name, headers, namesakes, stale, untabled):
    """Declares the tests of this file.

    Args:
      name: of the suite, and prefix of the tests.
      headers: label of the headers of a source that names the operator `add`.
      namesakes: label of sources of the output group `namesakes_a_b_c`.
      stale: label of the headers of one that names an operator that there is not.
      untabled: label of a source that no table names.
    """
    _exact_test(
        name = name + "_exact_test",
        target_under_test = headers,
    )
    _all_test(
        name = name + "_all_test",
        target_under_test = headers,
    )
    _namesakes_test(
        name = name + "_namesakes_test",
        target_under_test = namesakes,
    )
    _stale_test(
        name = name + "_stale_test",
        target_under_test = stale,
    )
    _untabled_test(
        name = name + "_untabled_test",
        target_under_test = untabled,
    )
    native.test_suite(
        name = name,
        tests = [
            name + "_all_test",
            name + "_exact_test",
            name + "_namesakes_test",
            name + "_stale_test",
            name + "_untabled_test",
        ],
    )
