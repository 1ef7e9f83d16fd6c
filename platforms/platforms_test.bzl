"""Every platform has the operating system and the processor of its name."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")
load("//platforms:platforms.bzl", "CPUS", "OSES")

PlatformInfo = provider(
    doc = "Which platform a target was configured for.",
    fields = {"name": "The operating system and the processor, as `linux_x86_64`."},
)

def _name_of(ctx, constraints):
    names = [
        name
        for constraint, name in constraints.items()
        if ctx.target_platform_has_constraint(constraint[platform_common.ConstraintValueInfo])
    ]
    return "+".join(names) or "unknown"

def _probe_impl(ctx):
    return [PlatformInfo(name = _name_of(ctx, ctx.attr._oses) + "_" + _name_of(ctx, ctx.attr._cpus))]

_probe = rule(
    implementation = _probe_impl,
    attrs = {
        "_cpus": attr.label_keyed_string_dict(default = {"@platforms//cpu:" + cpu: cpu for cpu in CPUS}),
        "_oses": attr.label_keyed_string_dict(default = {"@platforms//os:" + os: os for os in OSES}),
    },
    doc = "Tells which platform it was configured for.",
)

def _on_platform_impl(_settings, attr):
    return {"//command_line_option:platforms": str(Label("//platforms:" + attr.platform))}

_on_platform = transition(
    implementation = _on_platform_impl,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

def _platform_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.equals(env, ctx.attr.platform, ctx.attr.probe[0][PlatformInfo].name)
    return analysistest.end(env)

_platform_test = analysistest.make(
    _platform_impl,
    attrs = {
        "platform": attr.string(doc = "Name of the platform.", mandatory = True),
        "probe": attr.label(cfg = _on_platform, doc = "Configured for that platform.", mandatory = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)

def platform_tests(name):
    """Declares one test for each platform.

    Args:
      name: of the suite, and prefix of the tests.
    """
    _probe(name = name + "_probe")
    tests = []
    for os in OSES:
        for cpu in CPUS:
            platform = os + "_" + cpu
            tests.append("{}_{}_test".format(name, platform))
            _platform_test(
                name = tests[-1],
                platform = platform,
                probe = name + "_probe",
                target_under_test = name + "_probe",
            )
    native.test_suite(
        name = name,
        tests = tests,
    )
