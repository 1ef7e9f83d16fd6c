"""Reads the checked-in list of the generator's outputs, in which each operator stands once.

`tools/codegen/output_list.py` writes the list, `generated_files.bzl` beside native_functions.yaml.
"""

_ATEN = "aten/src/ATen"

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
    return sorted([root for roots in generated.operators.values() for root in roots])

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
        for kind in kinds.split(" "):
            key = kind.partition(":")[0]
            if key in keys:
                suffixes.setdefault(keys[key], []).append("_{}_dispatch".format(key.lower()))
            elif key == "meta":
                suffixes[""].append("_meta")
        for root in roots:
            result[root] = {
                backend: [root + suffix + ".h" for suffix in names]
                for backend, names in suffixes.items()
            }
    return result

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
    if group.endswith("headers") and group != "tensor_headers":
        backend = "" if group == "operator_headers" else group.removesuffix("_headers")
        for headers in headers_by_operator(generated).values():
            paths += ["{}/ops/{}".format(_ATEN, header) for header in headers.get(backend, [])]
    return paths

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
            result[path] = ["Tensor"]
    for kinds, roots in generated.operators.items():
        words = [kind.partition(":") for kind in kinds.split(" ")]
        is_structured = "meta" in [name for name, _, _ in words]
        for name, _, own in words:
            name = "Register" + name if name in keys else name
            if name not in stems:
                continue
            suffixes = _suffixes((own or generated.usual[name]).split("+"), is_structured)
            stem = stems[name]
            for root in roots:
                path = "{}_{}.cpp".format(stem, hash(root) % shards[stem]) if stem in shards else stem
                result[path].extend([root + suffix for suffix in suffixes])
    return {path: " ".join(words) for path, words in result.items()} | generated.includes

def _suffixes(kinds, is_structured):
    """What stands after an operator's name in the words for its headers, and for those they include."""
    suffixes = ["" if kind == "functions" else "." + kind for kind in kinds]
    if "" in suffixes and ".ops" in suffixes:
        suffixes.remove(".ops")
    if is_structured and ".native" in suffixes and ".meta" not in suffixes:
        suffixes.append(".meta")
    return suffixes

def header_paths(words):
    """The headers that a table of what sources read names.

    Args:
      words: `add` for ops/add.h and the ops/add_ops.h that it includes, `add.native` for
        ops/add_native.h, `native/Resize`, `enum_tag`, `Tensor`; with spaces between.

    Returns:
      A sorted list of paths below aten/src/ATen.
    """
    paths = {}
    for word in words.split(" ") if words else []:
        if "/" in word:
            paths[word + ".h"] = None
            continue
        if word == "enum_tag":
            paths["core/enum_tag.h"] = None
            continue
        paths["core/TensorBody.h"] = None
        if word != "Tensor":
            root, _, suffix = word.partition(".")
            paths["ops/{}{}.h".format(root, "_" + suffix if suffix else "")] = None
            if not suffix:
                paths["ops/{}_ops.h".format(root)] = None
    return sorted(paths)
