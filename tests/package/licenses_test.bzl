"""Nothing is packed whose licence is not known."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

def _unknown_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, "is linked, and the licence of 'bazel_tools' is not known. Add it to third_party/licenses/licenses.bzl")
    return analysistest.end(env)

_unknown_test = analysistest.make(_unknown_impl, expect_failure = True)

def licenses_tests(name, tree):
    """Declares the tests of this file.

    Args:
      name: prefix of their names.
      tree: an install_tree of a library that links one of bazel_tools.
    """
    _unknown_test(
        name = name + "_unknown_test",
        target_under_test = tree,
    )
