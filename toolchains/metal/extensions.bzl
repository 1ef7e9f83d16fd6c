"""Metal's compiler: @metal, which has `apple_metal_library` of the rules_apple that the root module names.

rules_apple brings rules_swift and Apple's toolchains. Whoever builds no `--mps` needs none of them, so this module
depends on it only where it is the root.
"""

# What a consumer writes into its MODULE.bazel. //tests/system_mode:contract_test checks the version.
MISSING_MESSAGE = """--mps needs rules_apple, which compiles Metal's shaders. Write into your MODULE.bazel:

    bazel_dep(name = "rules_apple", version = "4.5.3")

    metal = use_extension("@torch//toolchains/metal:extensions.bzl", "metal")
    metal.rules(resources = "@rules_apple//apple:resources.bzl")
"""

_FOUND = '''"""Metal's rules."""

load("{resources}", _apple_metal_library = "apple_metal_library")

apple_metal_library = _apple_metal_library
'''

_MISSING = '''"""Metal's rules, which no module names."""

load("{unavailable}", "unavailable")

def apple_metal_library(name, visibility = None, **kwargs):
    """Stops the analysis of whatever needs Metal's compiler.

    Args:
      name: of the target.
      visibility: of the target.
      **kwargs: not used.
    """
    unavailable(
        name = name,
        message = {message},
        visibility = visibility,
    )
'''

def _metal_rules_impl(repository_ctx):
    repository_ctx.file("BUILD.bazel", "")
    resources = repository_ctx.attr.resources
    if resources:
        text = _FOUND.format(resources = resources)
    else:
        text = _MISSING.format(
            message = repr(MISSING_MESSAGE),
            unavailable = Label("//third_party/system_library:unavailable.bzl"),
        )
    repository_ctx.file("defs.bzl", text)

metal_rules = repository_rule(
    implementation = _metal_rules_impl,
    attrs = {"resources": attr.string(doc = "The file of rules_apple that has `apple_metal_library`; none if there is no rules_apple.")},
    doc = "Metal's rules, or the message that they are missing.",
)

def _metal_impl(module_ctx):
    named = [tag.resources for module in module_ctx.modules for tag in module.tags.rules]
    metal_rules(
        name = "metal",
        resources = str(named[0]) if named else "",
    )
    return module_ctx.extension_metadata(reproducible = True)

metal = module_extension(
    implementation = _metal_impl,
    doc = "Makes @metal.",
    tag_classes = {"rules": tag_class(
        attrs = {"resources": attr.label(
            doc = "The file of rules_apple that has `apple_metal_library`.",
            mandatory = True,
        )},
        doc = "Names the rules_apple that compiles shaders. The root module's comes first.",
    )},
)
