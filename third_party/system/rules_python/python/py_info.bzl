"""PyInfo: what a Python target gives to those that depend on it."""

PyInfo = provider(
    doc = "Python sources and where they are imported from.",
    fields = {
        "imports": "Depset of directories, as paths in the runfiles, that sources are imported from.",
        "transitive_sources": "Depset of the target's sources and those of its dependencies.",
        "uses_shared_libraries": "Whether a dependency has a shared library among its files.",
    },
)
