"""Reads a checked-in list of the generator's outputs, in which each operator stands once.

`tools/codegen/output_list.py` writes the lists, a `generated_files.bzl` in each package that has outputs.
"""

_ATEN = "aten/src/ATen"

# What a list does not say: the sources of every operator, and of every structured one.
_ALL_OPERATORS = ["Operators"]
_OF_STRUCTURED = ["CompositeExplicitAutogradNonFunctional", "Meta"]

def _outputs(kinds):
    """The kinds of outputs of some operators: each with its headers in a source, None for the usual ones."""
    words = [kind.partition(":") for kind in kinds.split(" ")]
    implied = _ALL_OPERATORS + (_OF_STRUCTURED if "structured" in [name for name, _, _ in words] else [])
    return {name: None for name in implied} | {name: own or None for name, _, own in words}

def _register(stem):
    """The dispatch key of a source of registrations, None for other sources."""
    name = stem.rpartition("/")[2]
    return name.removeprefix("Register") if name.startswith("Register") else None

def _shards(generated):
    """How many files each sharded source has, by path without number."""
    return {
        stem: count
        for counts in generated.shards.values()
        for stem, count in counts.items()
    }

def operators_of(generated):
    """The base names of all operators.

    Args:
      generated: GENERATED_FILES of the list.

    Returns:
      A sorted list.
    """
    return sorted([root for roots in generated.operators.values() for root in roots.split(" ")])

def _keys(generated):
    """The dispatch keys that have registrations, each with its backend, "" for the host."""
    return {
        _register(stem): group.removesuffix("sources").removesuffix("_")
        for group, counts in generated.shards.items()
        for stem in counts
        if _register(stem)
    }

def headers_by_operator(generated):
    """The headers of each operator.

    Args:
      generated: GENERATED_FILES of the list.

    Returns:
      A dict from base names to dicts from backends, "" for the host, to file names.
    """
    keys = _keys(generated)
    result = {}
    for kinds, roots in generated.operators.items():
        suffixes = {"": ["", "_ops", "_native"]}
        for kind in _outputs(kinds):
            if kind in keys:
                suffixes.setdefault(keys[kind], []).append("_{}_dispatch".format(kind.lower()))
            elif kind == "structured":
                suffixes[""].append("_meta")
        for root in roots.split(" "):
            result[root] = {
                backend: [root + suffix + ".h" for suffix in names]
                for backend, names in suffixes.items()
            }
    return result

def slice_of(operator, count):
    """The slice of an operator's base name, as tools/codegen/canonical.py says.

    Args:
      operator: its base name.
      count: how many slices there are.

    Returns:
      A number from zero.
    """
    view = operator.removesuffix("_copy")
    return hash("view" if view == "reshape" else view) % count

def paths_by_operator(generated, group):
    """The outputs of a group of operators' headers.

    Args:
      generated: GENERATED_FILES of the list.
      group: a group of tools/codegen/groups.py.

    Returns:
      Pairs of a base name and a path from the repository root; empty for another group.
    """
    if not group.endswith("headers") or group == "tensor_headers":
        return []
    backend = "" if group == "operator_headers" else group.removesuffix("_headers")
    return [
        (operator, "{}/ops/{}".format(_ATEN, header))
        for operator, headers in headers_by_operator(generated).items()
        for header in headers.get(backend, [])
    ]

def generated_paths(generated, group):
    """The outputs of a group.

    Args:
      generated: GENERATED_FILES of the list.
      group: a group of tools/codegen/groups.py.

    Returns:
      Paths from the repository root; None if the list does not have the group.
    """
    if group not in generated.files and group not in generated.shards:
        return None
    paths = list(generated.files.get(group, []))
    for stem, count in generated.shards.get(group, {}).items():
        paths += ["{}_{}.cpp".format(stem, index) for index in range(count)]
    return paths + [path for _, path in paths_by_operator(generated, group)]

def headers_by_source(generated):
    """The generated headers that each generated source reads.

    Args:
      generated: GENERATED_FILES of the list.

    Returns:
      A dict from paths from the repository root to headers, in the words of `header_paths`.
    """
    shards = _shards(generated)
    keys = _keys(generated)

    # By name of a kind of source: its path, without number if it has shards.
    stems = {stem.rpartition("/")[2]: stem for stem in shards}
    for paths in generated.files.values():
        for path in paths:
            if path.endswith(".cpp"):
                stems[path.rpartition("/")[2].removesuffix(".cpp")] = path
    result = {}
    for stem in stems.values():
        count = shards.get(stem)
        for path in ["{}_{}.cpp".format(stem, i) for i in range(count)] if count else [stem]:
            result[path] = {"": ["Tensor"]}
    for kinds, roots in generated.operators.items():
        outputs = _outputs(kinds)
        special = {"functions": ""} | ({"native": ".structured"} if "structured" in outputs else {})
        for kind, own in outputs.items():
            name = "Register" + kind if kind in keys else kind
            if name not in stems:
                continue
            includes = [
                special.get(include, "." + include.replace("dispatch", kind.lower() + "_dispatch"))
                for include in (own or generated.usual[name]).split("+")
            ]
            stem = stems[name]
            for root in roots.split(" "):
                path = "{}_{}.cpp".format(stem, hash(root) % shards[stem]) if stem in shards else stem
                for include in includes:
                    result[path].setdefault(include, []).append(root)
    return {
        path: " ".join([word for kind in sorted(words) for word in [kind] + words[kind] if word])
        for path, words in result.items()
    } | generated.includes

def header_paths(words):
    """The headers that a table of what sources read names.

    Args:
      words: with spaces between. `add` for ops/add.h and the ops/add_ops.h that it includes,
        `enum_tag`, `Tensor`; after `.native` for ops/add_native.h, likewise after the other kinds;
        after `.structured` for that and ops/add_meta.h; after `native/` for headers there.

    Returns:
      A sorted list of paths below aten/src/ATen.
    """
    paths = {}
    folder, suffixes = "", ["", "_ops"]
    for word in words.split(" ") if words else []:
        if word.startswith("."):
            suffixes = ["_meta", "_native"] if word == ".structured" else ["_" + word[1:]]
        elif word.endswith("/"):
            folder = word
        elif folder:
            paths[folder + word + ".h"] = None
        elif word == "enum_tag":
            paths["core/enum_tag.h"] = None
        else:
            paths["core/TensorBody.h"] = None
            if word != "Tensor":
                paths.update([("ops/{}{}.h".format(word, suffix), None) for suffix in suffixes])
    return sorted(paths)
