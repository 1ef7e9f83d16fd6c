"""An unknown value of a choice is refused, and the known ones are named."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//config:options.bzl", "OPTIONS")

_UNKNOWN = "abacus"

def _unknown_value_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, ctx.attr.message)
    return analysistest.end(env)

def _unknown_value_test(label):
    return analysistest.make(
        _unknown_value_impl,
        attrs = {"message": attr.string(doc = "What the failure must say.", mandatory = True)},
        config_settings = {str(Label(label)): _UNKNOWN},
        expect_failure = True,
    )

# One rule a choice: a test rule must be a global of its file, so a new choice is added here too.
_blas_test = _unknown_value_test("//config:blas")
_lapack_test = _unknown_value_test("//config:lapack")
_python_version_test = _unknown_value_test("//config:python_version")

_TESTS = {
    "blas": _blas_test,
    "lapack": _lapack_test,
    "python_version": _python_version_test,
}

def choice_tests(name):
    """Declares one test for each option that has named values.

    Args:
      name: of the suite, and prefix of the tests.
    """
    for option in OPTIONS:
        if option.kind != "choice":
            continue
        if option.name not in _TESTS:
            fail("config/tests/choices_test.bzl: _TESTS lacks the choice " + option.name)
        _TESTS[option.name](
            name = "{}_{}_test".format(name, option.name),
            message = "Error setting {}: invalid value '{}'. Allowed values are {}".format(
                option.label,
                _UNKNOWN,
                [value.name for value in option.values],
            ),
            target_under_test = option.label,
        )
    native.test_suite(
        name = name,
        tests = ["{}_{}_test".format(name, option.name) for option in OPTIONS if option.kind == "choice"],
    )
