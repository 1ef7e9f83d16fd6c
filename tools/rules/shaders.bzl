"""Compute shaders: GLSL becomes SPIR-V, which is embedded in C++, and Metal's language.

Each source is compiled for some types of elements. What is compiled for Metal comes from the very SPIR-V that runs on
Vulkan. A library that Metal's compiler made is embedded in C++ too.
"""

def _type(storage, arithmetic, bytes, floating = False, boolean = False, atomic = False):
    return struct(
        arithmetic = arithmetic,
        atomic = atomic,
        boolean = boolean,
        bytes = bytes,
        floating = floating,
        storage = storage,
    )

# How elements lie in memory, and what they are computed in.
_TYPES = {
    "atomicbyte": _type("uint8_t", "int", 1, atomic = True),
    "atomicfloat": _type("float", "float", 4, floating = True, atomic = True),
    "atomichalf": _type("float16_t", "float", 2, floating = True, atomic = True),
    "atomicint": _type("int", "int", 4, atomic = True),
    "atomiclong": _type("int64_t", "int64_t", 8, atomic = True),
    "bool": _type("uint8_t", "int", 1, boolean = True),
    "byte": _type("uint8_t", "int", 1),
    "float": _type("float", "float", 4, floating = True),
    "half": _type("float16_t", "float", 2, floating = True),
    "int": _type("int", "int", 4),
    "long": _type("int64_t", "int64_t", 8),
    "short": _type("uint16_t", "int", 2),
}

def _defines(prefix, name):
    if name not in _TYPES:
        fail("there is no type '{}' of elements; there are: {}".format(name, ", ".join(_TYPES)))
    of = _TYPES[name]
    return [
        "-D{}={}".format(prefix, of.storage),
        "-D{}_ARITHMETIC={}".format(prefix, of.arithmetic),
        "-D{}_BYTES={}".format(prefix, of.bytes),
        "-D{}_IS_FLOATING={}".format(prefix, 1 if of.floating else 0),
        "-D{}_IS_BOOL={}".format(prefix, 1 if of.boolean else 0),
        "-D{}_IS_ATOMIC={}".format(prefix, 1 if of.atomic else 0),
    ]

def shader_defines(types):
    """The macros of a variant.

    Args:
      types: `float`, or `half_float` where the source's elements have another type, S, than the result's, T.

    Returns:
      Options of glslang.
    """
    names = types.split("_")
    return _defines("T", names[-1]) + (_defines("S", names[0]) if len(names) == 2 else [])

def _shaders_impl(ctx):
    binaries = []
    metal = []
    sources = {src.short_path: src for src in ctx.files.srcs}
    headers = ctx.files.hdrs
    for path, variants in ctx.attr.variants.items():
        src = sources.get(ctx.label.package + "/" + path)
        if not src:
            fail("{} has variants and is not in srcs".format(path))
        stem = src.basename.removesuffix(".comp")
        for types in variants:
            spirv = ctx.actions.declare_file("{}/{}_{}.spv".format(ctx.label.name, stem, types))
            args = ctx.actions.args()
            args.add_all(["-V", "--quiet", "--target-env", "vulkan1.2", "-S", "comp"])
            args.add_all(headers[:1], format_each = "-I%s", map_each = _folder)
            args.add_all(shader_defines(types))
            args.add("-o", spirv)
            args.add(src)
            ctx.actions.run(
                arguments = [args],
                executable = ctx.file._glslang,
                inputs = [src] + headers,
                mnemonic = "GlslCompile",
                outputs = [spirv],
                progress_message = "Compiling %{input} for " + types,
            )
            binaries.append(spirv)
            msl = ctx.actions.declare_file("{}/{}_{}.metal".format(ctx.label.name, stem, types))
            args = ctx.actions.args()
            args.add(spirv)
            args.add_all(["--msl", "--msl-version", "20300", "--msl-decoration-binding"])

            # Metal's functions are called by name, and `main` is none there.
            args.add_all(["--rename-entry-point", "main", "{}_{}".format(stem, types), "comp"])
            args.add("--output", msl)
            ctx.actions.run(
                arguments = [args],
                executable = ctx.file._spirv_cross,
                inputs = [spirv],
                mnemonic = "SpirvToMetal",
                outputs = [msl],
                progress_message = "Making Metal's %{output}",
            )
            metal.append(msl)
    missing = [path for path in sources if path.removeprefix(ctx.label.package + "/") not in ctx.attr.variants]
    if missing:
        fail("{} has no variants: say which types it is compiled for".format(", ".join(missing)))
    embedded = ctx.actions.declare_file(ctx.label.name + ".cpp")
    args = ctx.actions.args()
    args.add("--output", embedded)
    args.add_all(binaries)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._embed,
        inputs = binaries,
        mnemonic = "EmbedShaders",
        outputs = [embedded],
        progress_message = "Embedding shaders of %{label}",
    )
    return [
        DefaultInfo(files = depset([embedded])),
        OutputGroupInfo(metal = depset(metal), spirv = depset(binaries)),
    ]

def _folder(file):
    return file.dirname

shaders = rule(
    implementation = _shaders_impl,
    attrs = {
        "hdrs": attr.label_list(
            allow_files = [".glsl"],
            doc = "What the sources include, of one folder.",
        ),
        "srcs": attr.label_list(
            allow_files = [".comp"],
            doc = "Compute shaders.",
            mandatory = True,
        ),
        "variants": attr.string_list_dict(
            doc = "The types that each source, by its path in the package, is compiled for: `float`, `int_half`.",
            mandatory = True,
        ),
        "_embed": attr.label(
            cfg = "exec",
            default = "//tools/shaders:embed",
            executable = True,
        ),
        "_glslang": attr.label(
            allow_single_file = True,
            default = "@vulkan//:glslangValidator",
        ),
        "_spirv_cross": attr.label(
            allow_single_file = True,
            default = "@vulkan//:spirv-cross",
        ),
    },
    doc = "Compiles shaders into a C++ source that holds them; the output groups `spirv` and `metal` have them as files.",
)

def _embedded_metallib_impl(ctx):
    embedded = ctx.actions.declare_file(ctx.label.name + ".cpp")
    args = ctx.actions.args()
    args.add("--output", embedded)
    args.add("--metallib", ctx.file.metallib)
    ctx.actions.run(
        arguments = [args],
        executable = ctx.executable._embed,
        inputs = [ctx.file.metallib],
        mnemonic = "EmbedMetallib",
        outputs = [embedded],
        progress_message = "Embedding %{input}",
    )
    return [DefaultInfo(files = depset([embedded]))]

embedded_metallib = rule(
    implementation = _embedded_metallib_impl,
    attrs = {
        "metallib": attr.label(
            allow_single_file = [".metallib"],
            doc = "What Metal's compiler made of shaders.",
            mandatory = True,
        ),
        "_embed": attr.label(
            cfg = "exec",
            default = "//tools/shaders:embed",
            executable = True,
        ),
    },
    doc = "Makes a library of Metal's functions a C++ source that holds it.",
)
