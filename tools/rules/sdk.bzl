"""What extensions compile against and run with: the torch that this module builds, or an installed one."""

load("@rules_cc//cc:cc_import.bzl", "cc_import")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("@rules_python//python:py_info.bzl", "PyInfo")
load("@rules_python//python:py_library.bzl", "py_library")
load(":target.bzl", "PLATFORM_ATTRS", "VERSION_TOOLCHAINS", "cuda_version", "python_version", "target_cpu", "target_os")
load(":version.bzl", "python_version_of")

TorchSdkInfo = provider(
    doc = "What a torch_sdk is.",
    fields = {"kind": "`built` by this module, or `prebuilt`."},
)

def if_sdk_is_built(then):
    """Chooses by //torch/sdk.

    Args:
      then: a list, the value when extensions use the torch that this module builds.

    Returns:
      A `select()`, empty when they use an installed one.
    """
    return select({
        Label("//torch/sdk:is_built"): then,
        "//conditions:default": [],
    })

def if_sdk_is_built_with_cuda(then):
    """Chooses by //torch/sdk and `--cuda`.

    Args:
      then: a list, the value when extensions use the torch that this module builds, and it has CUDA.

    Returns:
      A `select()`, otherwise empty.
    """
    return select({
        Label("//torch/sdk:is_built_with_cuda"): then,
        "//conditions:default": [],
    })

def sdk_errors(sdk, build):
    """Finds out whether extensions of this build would load into an installed torch.

    Args:
      sdk: dict of its facts: cuda, platform, python, version, where.
      build: the same of the build, without where; and flags, the options of the C++ compiler.

    Returns:
      A list of messages that say what to do; empty if all is well.
    """
    errors = []
    if sdk["version"].split(".git")[0] != build["version"]:
        errors.append("is torch {}, and the rules are of torch {}. Make a wheel in a checkout of that: ./bazelw build //torch:wheel".format(
            sdk["version"],
            build["version"],
        ))
    if sdk["platform"] != build["platform"]:
        errors.append("is built for {}, and this build is for {}. Take a wheel for that".format(
            sdk["platform"],
            build["platform"],
        ))
    if sdk["python"] != build["python"]:
        errors.append("is built for CPython {}, and this build is for {}. Take a wheel for that, or build for the other: --@torch//config:python_version={}".format(
            sdk["python"],
            build["python"],
            sdk["python"],
        ))
    if build["cuda"] and not sdk["cuda"]:
        errors.append("is built without CUDA, and --@rules_cuda//cuda:enable is on. Take a wheel with CUDA, or turn it off: --@rules_cuda//cuda:enable=False")
    elif build["cuda"] and sdk["cuda"].split(".")[0] != build["cuda"].split(".")[0]:
        errors.append("is built with CUDA {}, and the toolkit of this build is CUDA {}. Name that one's: --repo_env=CUDA_PATH=/usr/local/cuda-{}".format(
            sdk["cuda"],
            build["cuda"],
            sdk["cuda"],
        ))
    for flag in build["flags"]:
        if flag in ("-D_GLIBCXX_USE_CXX11_ABI=0", "-stdlib=libc++"):
            errors.append("is built with libstdc++ and _GLIBCXX_USE_CXX11_ABI=1, and this build says {}: an extension of another ABI does not load. Leave it out".format(flag))
    return ["{} {}".format(sdk["where"], error) for error in errors]

def _torch_sdk_impl(ctx):
    if ctx.attr.prebuilt:
        errors = sdk_errors(ctx.attr.prebuilt, {
            "cuda": cuda_version(ctx),
            "flags": ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts,
            "platform": "{}-{}".format(target_cpu(ctx), target_os(ctx)),
            "python": python_version(ctx),
            "version": ctx.attr.version,
        })
        if errors:
            fail("\n  ".join([""] + errors))
    return [
        DefaultInfo(runfiles = ctx.attr.package[DefaultInfo].default_runfiles),
        cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]),
        ctx.attr.package[PyInfo],
        TorchSdkInfo(kind = "prebuilt" if ctx.attr.prebuilt else "built"),
    ]

_torch_sdk = rule(
    implementation = _torch_sdk_impl,
    attrs = PLATFORM_ATTRS | {
        "deps": attr.label_list(
            doc = "C++ libraries: headers, and what is linked.",
            mandatory = True,
            providers = [CcInfo],
        ),
        "package": attr.label(doc = "The Python package.", mandatory = True, providers = [PyInfo]),
        "prebuilt": attr.string_dict(
            doc = "Facts of an installed torch, which must fit the build; empty for the one that is built.",
        ),
        "version": attr.string(doc = "The version of these rules."),
    },
    doc = "torch as one dependency of C++ and of Python.",
    fragments = ["cpp"],
    provides = [CcInfo, PyInfo],
    toolchains = VERSION_TOOLCHAINS,
)

def torch_sdk(name, **kwargs):
    """torch as one dependency of C++ and of Python.

    Args:
      name: of the target.
      **kwargs: attributes of the rule.
    """
    _torch_sdk(
        name = name,
        version = python_version_of(native.module_version()),
        **kwargs
    )

def _sdk_kind_impl(ctx):
    return [config_common.FeatureFlagInfo(value = ctx.attr.sdk[TorchSdkInfo].kind)]

sdk_kind = rule(
    implementation = _sdk_kind_impl,
    attrs = {"sdk": attr.label(doc = "A torch_sdk.", mandatory = True, providers = [TorchSdkInfo])},
    doc = "Whether a torch_sdk is `built` or `prebuilt`, for a config_setting.",
)

def prebuilt_sdk(name, facts):
    """The same of an installed package, below the directory `torch` of a repository.

    Args:
      name: of the target.
      facts: as `sdk` of sdk_errors.
    """
    libraries = []

    # libtorch.so has no code: it is a name for the others.
    for path in native.glob(["torch/lib/lib*.so"], exclude = ["torch/lib/libtorch.so"]):
        library = path.removeprefix("torch/lib/").removesuffix(".so")
        cc_import(
            name = library,
            shared_library = path,
        )
        libraries.append(":" + library)
    cc_library(
        name = "libtorch",
        hdrs = native.glob(["torch/include/**"]),
        includes = ["torch/include"],
        visibility = ["//visibility:public"],
        deps = libraries + [Label("//toolchains/python:headers")],
    )
    sources = native.glob(["torch/**/*.py"])
    py_library(
        name = "package",
        srcs = sources,
        data = native.glob(
            ["torch/**"],
            exclude = sources + ["torch/include/**", "**/__pycache__/**"],
        ),
        imports = ["."],
    )
    torch_sdk(
        name = name,
        package = ":package",
        prebuilt = facts,
        visibility = ["//visibility:public"],
        deps = [":libtorch"],
    )
