"""Proves that no layer depends on one above it."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

_DependenciesInfo = provider(
    doc = "What a target is made of.",
    fields = {"labels": "Depset of the labels of its dependencies in this configuration, as text."},
)

def _text(label):
    """A label as a user writes it, without canonical repository names."""
    parts = [part for part in label.repo_name.replace("+", "~").split("~") if part]
    repository = parts[-1] if parts else ""
    return ("@" + repository if repository else "") + "//" + label.package + ":" + label.name

def _dependencies_impl(target, ctx):
    below = []
    for attribute in _ATTRIBUTES:
        value = getattr(ctx.rule.attr, attribute, None)
        for dependency in value if type(value) == "list" else [value]:
            if type(dependency) == "Target" and _DependenciesInfo in dependency:
                below.append(dependency[_DependenciesInfo].labels)
    return [_DependenciesInfo(labels = depset([_text(target.label)], transitive = below))]

# Attributes that put something into a library; the programs that make its sources do not count.
_ATTRIBUTES = [
    "actual",
    "deps",
    "dynamic_deps",
    "implementation_deps",
    "roots",
]

_dependencies = aspect(
    implementation = _dependencies_impl,
    attr_aspects = _ATTRIBUTES,
    doc = "Collects the labels of a target's dependencies.",
)

def _nothing_upward_impl(ctx):
    env = analysistest.begin(ctx)
    labels = ctx.attr.layer[_DependenciesInfo].labels.to_list()
    asserts.true(env, len(labels) > 5, "only %d dependencies were looked at" % len(labels))
    for label in labels:
        for prefix in ctx.attr.forbidden:
            if label.startswith(prefix) and label not in ctx.attr.allowed:
                asserts.true(env, False, "{} depends on {}".format(ctx.attr.layer.label, label))
    for prefix in ctx.attr.needed:
        asserts.true(
            env,
            any([label.startswith(prefix) for label in labels]),
            "{} no longer depends on {}; is the test looking in the right place?".format(ctx.attr.layer.label, prefix),
        )
    return analysistest.end(env)

nothing_upward_test = analysistest.make(
    _nothing_upward_impl,
    attrs = {
        "allowed": attr.string_list(doc = "Labels that `forbidden` does not mean."),
        "forbidden": attr.string_list(
            doc = "Beginnings of the labels that must not be among the dependencies.",
            mandatory = True,
        ),
        "layer": attr.label(
            aspects = [_dependencies],
            doc = "The layer.",
            mandatory = True,
        ),
        "needed": attr.string_list(doc = "Beginnings of labels that must be among them."),
    },
)
