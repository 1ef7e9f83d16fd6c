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

_INTEGERS = [
    "byte",
    "int",
    "long",
]

# Elements that are moved and not looked at.
_OPAQUE = _INTEGERS + ["short"]

# Elements that are added to, by several threads maybe.
_ATOMIC = [
    "atomicbyte",
    "atomicfloat",
    "atomichalf",
    "atomicint",
    "atomiclong",
]

SHADERS = {
    "binary.comp": _ALL,
    "compare.comp": _ALL,
    "convolution.comp": _FLOATS,
    "copy.comp": [
        source + "_" + result
        for source in _FLOATS + _INTEGERS
        for result in _ALL
    ] + ["short_short"],
    "extreme.comp": _ALL,
    "fill.comp": _ALL + ["short"],
    "gather.comp": _OPAQUE + _ATOMIC,
    "index.comp": _OPAQUE + _ATOMIC,
    "is_zero.comp": _ALL,
    "layer_norm.comp": _FLOATS,
    "layer_norm_backward.comp": _FLOATS,
    "layer_norm_parameters.comp": _FLOATS,
    "masked_fill.comp": _OPAQUE,
    "pool.comp": _FLOATS,
    "product.comp": _FLOATS + _INTEGERS,
    "reduce.comp": _ALL,
    "select.comp": _ALL,
    "softmax.comp": _FLOATS,
    "ternary.comp": _FLOATS + [
        "int",
        "long",
    ],
    "unary.comp": _ALL,
}
