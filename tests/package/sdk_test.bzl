"""An installed torch that does not fit the build is refused, and what to do is said."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//tools/rules:sdk.bzl", "sdk_errors")

_SDK = {
    "cuda": "13.0",
    "platform": "x86_64-linux",
    "python": "3.11",
    "version": "2.13.0+bazel.0.1.git1a2b3c4",
    "where": "/site",
}
_BUILD = {
    "cuda": "",
    "flags": ["-O2", "-D_GLIBCXX_USE_CXX11_ABI=1"],
    "platform": "x86_64-linux",
    "python": "3.11",
    "version": "2.13.0+bazel.0.1",
}

# (what differs in the installed one, in the build, the message)
_WRONG = [
    ({"version": "2.13.0+bazel.0.2"}, {}, "/site is torch 2.13.0+bazel.0.2, and the rules are of torch 2.13.0+bazel.0.1. Make a wheel in a checkout of that: ./bazelw build //torch:wheel"),
    ({"platform": "aarch64-linux"}, {}, "/site is built for aarch64-linux, and this build is for x86_64-linux. Take a wheel for that"),
    ({"python": "3.12"}, {}, "/site is built for CPython 3.12, and this build is for 3.11. Take a wheel for that, or build for the other: --@torch//config:python_version=3.12"),
    ({"cuda": ""}, {"cuda": "13.0"}, "/site is built without CUDA, and --@rules_cuda//cuda:enable is on. Take a wheel with CUDA, or turn it off: --@rules_cuda//cuda:enable=False"),
    ({}, {"cuda": "12.8"}, "/site is built with CUDA 13.0, and the toolkit of this build is CUDA 12.8. Name that one's: --repo_env=CUDA_PATH=/usr/local/cuda-13.0"),
    ({}, {"flags": ["-D_GLIBCXX_USE_CXX11_ABI=0"]}, "/site is built with libstdc++ and _GLIBCXX_USE_CXX11_ABI=1, and this build says -D_GLIBCXX_USE_CXX11_ABI=0: an extension of another ABI does not load. Leave it out"),
    ({}, {"flags": ["-stdlib=libc++"]}, "/site is built with libstdc++ and _GLIBCXX_USE_CXX11_ABI=1, and this build says -stdlib=libc++: an extension of another ABI does not load. Leave it out"),
]

def _fits_impl(ctx):
    env = unittest.begin(ctx)
    asserts.equals(env, [], sdk_errors(_SDK, _BUILD))
    asserts.equals(env, [], sdk_errors(_SDK, _BUILD | {"cuda": "13.2"}))
    return unittest.end(env)

_fits_test = unittest.make(_fits_impl)

def _refused_impl(ctx):
    env = unittest.begin(ctx)
    for sdk, build, message in _WRONG:
        asserts.equals(env, [message], sdk_errors(_SDK | sdk, _BUILD | build))
    every = sdk_errors(_SDK | {"platform": "x", "python": "3", "version": "9.9"}, _BUILD)
    asserts.equals(env, 3, len(every), "each is named: {}".format(every))
    return unittest.end(env)

_refused_test = unittest.make(_refused_impl)

def sdk_tests(name):
    """Declares the tests of this file.

    Args:
      name: prefix of their names.
    """
    _fits_test(name = name + "_fits_test")
    _refused_test(name = name + "_refused_test")
