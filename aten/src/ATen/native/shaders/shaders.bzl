"""The types that each shader is compiled for; two are those of the source and of the result."""

_FLOATS = [
    "float",
    "half",
]

_ALL = _FLOATS + [
    "bool",
    "byte",
    "int",
    "long",
]

# Elements that are moved and not looked at.
_OPAQUE = [
    "byte",
    "int",
    "long",
    "short",
]

SHADERS = {
    "binary.comp": _ALL,
    "compare.comp": _ALL,
    "convolution.comp": _FLOATS,
    "copy.comp": [
        source + "_" + result
        for source in _FLOATS + ["byte", "int", "long"]
        for result in _ALL
    ] + ["short_short"],
    "extreme.comp": _ALL,
    "fill.comp": _ALL,
    "gather.comp": _OPAQUE + [
        "atomicfloat",
        "atomicint",
    ],
    "index.comp": _OPAQUE,
    "is_zero.comp": _ALL,
    "layer_norm.comp": _FLOATS,
    "masked_fill.comp": _ALL,
    "pool.comp": _FLOATS,
    "product.comp": _FLOATS,
    "reduce.comp": _ALL,
    "select.comp": _ALL,
    "softmax.comp": _FLOATS,
    "ternary.comp": _FLOATS + [
        "int",
        "long",
    ],
    "unary.comp": _ALL,
}
