"""Any schema that can be written prints as it was read, and its variants are schemas again."""

from __future__ import annotations

import keyword

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tools.codegen.model import BaseTy, FunctionSchema, SchemaKind
from tools.codegen.schema_error import SchemaError
from tools.codegen.schema_types import is_name
from tools.codegen.variants import functional_schema, out_schema

# Schemas are short enough to be read as they are: shrinking takes minutes.
settings.register_profile(
    "schemas", deadline=None, max_examples=60, phases=(Phase.explicit, Phase.generate)
)
settings.load_profile("schemas")

_WORDS = (
    st.from_regex(r"[a-z][a-z0-9]{0,6}(_[a-z0-9]{1,4}){0,2}", fullmatch=True)
    .filter(
        lambda word: (
            word not in ("self", "out") and not word.endswith("functional") and is_name(word)
        )
    )
    .filter(lambda word: not keyword.iskeyword(word))
)
_SIMPLE = st.sampled_from(sorted(t.value for t in BaseTy if t is not BaseTy.Tensor))
_IN_LISTS = ("Dimname", "Scalar", "SymInt", "Tensor", "bool", "float", "int", "str")
_DEFAULTS = {
    "SymInt": ["1", "-1"],
    "Scalar": ["1", "-1", "1e-05", "True"],
    "ScalarType": ["long"],
    "bool": ["True", "False"],
    "float": ["1e-05", "-1", "0.5"],
    "int": ["1", "-1", "Mean"],
    "str": ["'a'", '"x"', "'a, b'"],
}


@st.composite
def plain_argument(draw: st.DrawFn, name: str, has_default: bool) -> str:
    """An argument that is no tensor to write to."""
    base: str = draw(_SIMPLE | st.just("Tensor"))
    suffixes = ["", "?"]
    if base in _IN_LISTS:
        suffixes += ["[]", "[3]", "[]?"]
    if base == "Tensor":
        suffixes.append("?[]")
    suffix: str = draw(st.sampled_from(suffixes))
    items: list[str] = _DEFAULTS.get(base, [])
    defaults: list[str] = {
        "": items,
        "?": ["None", *items],
        "[]": ["[]", *(f"[{item}, {item}]" for item in items if "," not in item)],
        "[3]": ["[]", *items],
        "?[]": ["[]", "[None]"],
        "[]?": ["None", "[]"],
    }[suffix]
    if not has_default:
        return f"{base}{suffix} {name}"
    # What has no value of its own has None.
    return (
        f"{base}{suffix} {name}={draw(st.sampled_from(defaults))}"
        if defaults
        else (f"{base}? {name}=None")
    )


@st.composite
def schema(draw: st.DrawFn, kind: SchemaKind) -> str:
    """A schema of one kind."""
    names = draw(st.lists(_WORDS, unique=True, max_size=6))
    first = draw(st.integers(0, len(names)))
    arguments = [draw(plain_argument(name, i >= first)) for i, name in enumerate(names)]
    split = draw(st.integers(0, len(arguments)))
    positional, keywords = arguments[:split], arguments[split:]
    count = draw(st.integers(1, 3))
    returns = ["Tensor"] * count
    base = draw(_WORDS)
    if kind is SchemaKind.inplace:
        base += "_"
        positional.insert(0, "Tensor(a!) self")
        returns = ["Tensor(a!)"]
    elif kind is SchemaKind.mutable:
        positional.insert(0, "Tensor(a!) written")
    elif kind is SchemaKind.out:
        letters = "abc"[:count]
        keywords += [f"Tensor({letter}!) out{letter}" for letter in letters]
        returns = [f"Tensor({letter}!)" for letter in letters]
    overload = "." + draw(_WORDS) if draw(st.booleans()) else ""
    inner = ", ".join(positional + (["*", *keywords] if keywords else []))
    result = returns[0] if len(returns) == 1 else f"({', '.join(returns)})"
    return f"{base}{overload}({inner}) -> {result}"


KINDS = st.sampled_from(
    [SchemaKind.functional, SchemaKind.inplace, SchemaKind.mutable, SchemaKind.out]
)


@given(st.data(), KINDS)
def test_a_schema_prints_as_it_was_read(data: st.DataObject, kind: SchemaKind) -> None:
    text = data.draw(schema(kind))
    func = FunctionSchema.parse(text)
    assert str(func) == text
    assert func.kind() is kind
    assert FunctionSchema.parse(str(func)) == func


@given(st.data(), KINDS.filter(lambda kind: kind is not SchemaKind.out))
def test_the_out_variant_has_the_signature(data: st.DataObject, kind: SchemaKind) -> None:
    func = FunctionSchema.parse(data.draw(schema(kind)))
    out = FunctionSchema.parse(str(out_schema(func)))
    assert out.kind() is SchemaKind.out
    assert out.is_out_fn()
    if kind is not SchemaKind.mutable:  # The order of what it returns differs.
        assert out.signature() == func.signature()


@given(st.data(), st.sampled_from([SchemaKind.inplace, SchemaKind.mutable]))
def test_the_functional_variant_writes_nothing(data: st.DataObject, kind: SchemaKind) -> None:
    func = FunctionSchema.parse(data.draw(schema(kind)))
    functional = FunctionSchema.parse(str(functional_schema(func)))
    assert functional.kind() is SchemaKind.functional
    assert not functional.is_mutable()
    assert functional.signature() == func.signature()


@given(st.data(), KINDS)
def test_a_cut_schema_is_refused_with_a_place(data: st.DataObject, kind: SchemaKind) -> None:
    text = data.draw(schema(kind))
    end = data.draw(st.integers(0, text.rfind(") -> ") + 4))
    try:
        FunctionSchema.parse(text[:end])
    except SchemaError as error:
        line, mark = error.caret(text[:end]).split("\n")
        assert line == text[:end]
        assert mark.strip() == "^"
        assert len(mark) <= len(line) + 1
    else:
        raise AssertionError(f"read {text[:end]!r}")
