"""Targets built with CUDA on, whatever the options of the build, where the machine has a toolkit."""

_SETTINGS = {
    "//config:cuda_archs": "8.0;9.0+PTX",
    "@rules_cuda//cuda:enable": True,
}

def _transition_impl(_settings, _attr):
    return _SETTINGS

_cuda_on = transition(
    implementation = _transition_impl,
    inputs = [],
    outputs = _SETTINGS.keys(),
)

def _with_cuda_impl(ctx):
    return [DefaultInfo(
        files = depset(ctx.files.targets),
        runfiles = ctx.runfiles(files = ctx.files.targets),
    )]

_with_cuda = rule(
    implementation = _with_cuda_impl,
    attrs = {
        "targets": attr.label_list(
            cfg = _cuda_on,
            doc = "What to build.",
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
    doc = "The files of some targets, built for two architectures.",
)

# The settings for tests of the action graph.
CUDA_ON = {str(Label(label)): value for label, value in _SETTINGS.items()}

def if_toolkit():
    """Value of `target_compatible_with`: incompatible where no toolkit was found."""
    return select({
        "//toolchains/cuda:toolkit_found": [],
        "//conditions:default": ["@platforms//:incompatible"],
    })

def with_cuda(name, targets, testonly = False):
    """Builds targets with CUDA on.

    Args:
      name: of the files.
      targets: labels.
      testonly: whether they are tests.
    """
    _with_cuda(
        name = name,
        targets = targets,
        testonly = testonly,
        tags = ["manual"],
        target_compatible_with = if_toolkit(),
    )
