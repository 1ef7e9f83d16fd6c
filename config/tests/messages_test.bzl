"""What the checks of options say, word by word, for options that no real list has to hold."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//config/private:checks.bzl", "combination_errors", "missing_errors", "platform_errors")

def _option(name, requires = [], missing = "", os = ""):
    return struct(name = name, requires = requires, missing = missing, os = os)

_OPTIONS = [
    _option("red"),
    _option("blue"),
    _option("glow", requires = ["red", "blue"]),
    _option("moon", missing = "rockets"),
    _option("apple", os = "macos"),
]

def _errors(on):
    return combination_errors(on, options = _OPTIONS, exclusive = [["red", "moon"]]) + \
           missing_errors(on, options = _OPTIONS, backends = ["cpu", "abacus"])

def _accepts_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, [], _errors([]))
    asserts.equals(env, [], _errors(["red", "blue", "glow"]))
    return unittest.end(env)

_accepts_test = unittest.make(_accepts_impl)

def _requires_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(
        env,
        ["--glow needs --red and --blue, but --blue is off. Type: --glow --red --blue (or --glow=false)"],
        _errors(["red", "glow"]),
    )
    asserts.equals(
        env,
        ["--glow needs --red and --blue, but --red and --blue are off. Type: --glow --red --blue (or --glow=false)"],
        _errors(["glow"]),
    )
    return unittest.end(env)

_requires_test = unittest.make(_requires_impl)

def _missing_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(
        env,
        ["--moon is on, but this version has no rockets. Backends that work: cpu, abacus. Type: --moon=false"],
        _errors(["moon"]),
    )
    return unittest.end(env)

_missing_test = unittest.make(_missing_impl)

def _platform_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, [], platform_errors(["red", "apple"], "macos", options = _OPTIONS))
    asserts.equals(env, [], platform_errors(["red"], "linux", options = _OPTIONS))
    asserts.equals(
        env,
        ["--apple is for macos, and this builds for linux. Type: --apple --platforms=//platforms:macos_aarch64 (or --apple=false)"],
        platform_errors(["red", "apple"], "linux", options = _OPTIONS),
    )
    return unittest.end(env)

_platform_test = unittest.make(_platform_impl)

def _exclusive_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(
        env,
        "--red and --moon exclude each other. Type: --red --moon=false",
        _errors(["red", "moon"])[0],
    )
    return unittest.end(env)

_exclusive_test = unittest.make(_exclusive_impl)

def message_tests(name):
    """Declares the tests of this file.

    Args:
      name: prefix of their names.
    """
    unittest.suite(name, _accepts_test, _requires_test, _missing_test, _exclusive_test, _platform_test)
