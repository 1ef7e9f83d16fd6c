"""The MPS configuration by analysis: what is compiled, how, what is linked, and what is refused."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts", "unittest")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//config:backends.bzl", "SHADER_BACKENDS")
load("//config:conditions.bzl", "requires_one_of")
load("//toolchains/macos:version.bzl", "version_errors")
load("//toolchains/metal:extensions.bzl", "MISSING_MESSAGE")

def _configured(**flags):
    """Settings of a build with --mps for a Mac."""
    return {
        "//command_line_option:macos_minimum_os": "12.3",
        "//command_line_option:platforms": [str(Label("//platforms:macos_aarch64"))],
        # Whatever the build of these tests has.
        str(Label("//config:mps")): True,
        str(Label("//config:vulkan")): False,
        str(Label("@rules_cuda//cuda:enable")): False,
    } | {"//command_line_option:" + name: value for name, value in flags.items()}

def _actions(env, mnemonic):
    return [a for a in analysistest.target_actions(env) if a.mnemonic == mnemonic]

def _metallib_impl(ctx):
    env = analysistest.begin(ctx)
    actions = _actions(env, "MetallibCompile")
    asserts.equals(env, 1, len(actions))
    argv = actions[0].argv
    asserts.equals(env, ["/usr/bin/xcrun", "metal", "-target", "air64-apple-macosx12.3", "-o"], argv[:5])

    # An infinity and a NaN are what they are in the other backends.
    asserts.equals(env, ["-std=macos-metal2.3", "-fno-fast-math"], argv[6:8])
    sources = {path.rpartition("/")[2]: None for path in argv[8:]}
    for name in ["unary_float.metal", "product_half.metal", "gather_atomicint.metal"]:
        asserts.true(env, name in sources, name + " is not compiled")
    asserts.true(env, len(sources) > 100)
    return analysistest.end(env)

_metallib_test = analysistest.make(_metallib_impl, config_settings = _configured())

def _compiled_impl(ctx):
    env = analysistest.begin(ctx)
    actions = _actions(env, "ObjcCompile")
    asserts.equals(env, 1, len(actions))
    for word in ["aten/src/ATen/mps/Device.mm", "-fobjc-arc", "-std=c++20", "-DCAFFE2_BUILD_MAIN_LIB"]:
        asserts.true(env, word in actions[0].argv, "{} is not in {}".format(word, actions[0].argv))
    inputs = analysistest.target_under_test(env)[CcInfo].linking_context.linker_inputs.to_list()
    flags = [flag for input in inputs for flag in input.user_link_flags]
    for framework in ["Foundation", "Metal"]:
        asserts.true(env, "-Wl,-framework," + framework in flags, framework + " is not linked")
    sources = [object.short_path for input in inputs for library in input.libraries for object in library.pic_objects]
    asserts.true(env, [path for path in sources if "embedded" in path], "the shaders are not in the library")
    return analysistest.end(env)

_compiled_test = analysistest.make(_compiled_impl, config_settings = _configured())

def _refused_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, ctx.attr.message)
    return analysistest.end(env)

_MESSAGE = {"message": attr.string(doc = "What the failure must say.", mandatory = True)}

_elsewhere_test = analysistest.make(
    _refused_impl,
    attrs = _MESSAGE,
    config_settings = _configured(platforms = [str(Label("//platforms:linux_x86_64"))]),
    expect_failure = True,
)
_old_target_test = analysistest.make(
    _refused_impl,
    attrs = _MESSAGE,
    config_settings = _configured(macos_minimum_os = "12.1"),
    expect_failure = True,
)
_old_sdk_test = analysistest.make(
    _refused_impl,
    attrs = _MESSAGE,
    config_settings = _configured(macos_sdk_version = "11.3"),
    expect_failure = True,
)

def _versions_impl(ctx):
    env = unittest.begin(ctx)
    for minimum, sdk in [("12.3", "12.3"), ("12.3", "10.11"), ("13.0", "15.2"), ("100.0", "100.0"), ("12.10", "12.10")]:
        asserts.equals(env, [], version_errors(minimum, sdk))
    for minimum, sdk, errors in [("12.2", "15.2", 1), ("9.9", "15.2", 1), ("10.11", "10.11", 1), ("11.0", "11.0", 2)]:
        asserts.equals(env, errors, len(version_errors(minimum, sdk)), minimum)
    return unittest.end(env)

_versions_test = unittest.make(_versions_impl)

def _missing_impl(ctx):
    env = unittest.begin(ctx)
    for line in [
        "--mps needs rules_apple, which compiles Metal's shaders. Write into your MODULE.bazel:",
        "bazel_dep(name = \"rules_apple\", version = ",
        "metal.rules(resources = ",
    ]:
        asserts.true(env, line in MISSING_MESSAGE, MISSING_MESSAGE)
    return unittest.end(env)

_missing_test = unittest.make(_missing_impl)

def configuration_tests(name):
    """Declares the tests of this file.

    Args:
      name: of the suite, and prefix of the tests.
    """
    for test, rule, target in [
        ("metallib", _metallib_test, "//aten/src/ATen/mps:metallib"),
        ("compiled", _compiled_test, "//aten/src/ATen/mps"),
    ]:
        rule(
            name = "{}_{}_test".format(name, test),
            target_compatible_with = requires_one_of(SHADER_BACKENDS),
            target_under_test = target,
        )
    refused = {
        "elsewhere": (
            _elsewhere_test,
            "//config:checked",
            [],
            "--mps is for macos, and this builds for linux. Type: --mps --platforms=//platforms:macos_aarch64 (or --mps=false)",
        ),
        "old_sdk": (
            _old_sdk_test,
            "//aten/src/ATen/mps:version",
            requires_one_of(SHADER_BACKENDS),
            "--mps needs the SDK of macOS 12.3 or later, and Xcode's is 11.3. Install a newer Xcode and type: --xcode_version=<its version>",
        ),
        "old_target": (
            _old_target_test,
            "//aten/src/ATen/mps:version",
            requires_one_of(SHADER_BACKENDS),
            "--mps needs macOS 12.3 or later, and this builds for 12.1 and later. Type: --macos_minimum_os=12.3 (or --config=mps, which says so)",
        ),
    }
    for test, (rule, target, compatible_with, message) in refused.items():
        rule(
            name = "{}_{}_test".format(name, test),
            message = message,
            target_compatible_with = compatible_with,
            target_under_test = target,
        )
    unittest.suite(name + "_messages", _versions_test, _missing_test)
