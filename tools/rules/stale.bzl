"""What stands for a target whose checked-in table is stale, so that its package still loads."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _stale_impl(ctx):
    fail(ctx.attr.message)

stale = rule(
    implementation = _stale_impl,
    attrs = {
        "message": attr.string(
            doc = "What is stale and how to refresh it.",
            mandatory = True,
        ),
    },
    doc = "Fails, when something needs it, because a checked-in table is stale.",
    provides = [CcInfo],
)
