"""A library that this platform cannot have, or that is not installed."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _unavailable_impl(ctx):
    fail(ctx.attr.message)

unavailable = rule(
    implementation = _unavailable_impl,
    attrs = {"message": attr.string(doc = "Why, and what to type instead.", mandatory = True)},
    doc = "Fails the analysis of whatever needs it.",
    provides = [CcInfo],
)
