"""Which operators a text can name."""

from __future__ import annotations

import json

import pytest

from overlay.pytorch.spelling import Spelling, identifiers, pastes

SPELLING = Spelling(
    ["add", "add_relu", "kron", "mul", "new_ones", "or", "size"],
    {"__ior__": ["or"], "add_cpu": ["add"], "mul_sparse_": ["mul"], "add_Tensor": ["add"]},
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.b(c)", {"a", "b", "c"}),
        ("// a\n/* b\n c */ d", {"d"}),
        ('f("a \\" b", \'c\')', {"f"}),
        ('R"x(a ) " b)x" c', {"c"}),
        ("1'000'000 + a + 0x1'0 + b", {"a", "b"}),
        ("spli\\\nced", {"spliced"}),
        ("// a \\\n b\nc", {"c"}),
        ("don't a", {"don", "t", "a"}),
    ],
)
def test_identifiers_are_neither_text_nor_comments(text: str, expected: set[str]) -> None:
    assert identifiers(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at::add(x)", ["add"]),
        ("additive", []),
        ("// add", []),
        ("add_", ["add"]),
        ("at::add_outf(x)", ["add"]),
        # The longer name, and that which it begins with.
        ("add_relu", ["add", "add_relu"]),
        ("structured_add_out", ["add"]),
        ("at::__dispatch_size(x)", ["size"]),
        ("a.__ior__(b)", ["or"]),
        # By the name of a kernel, in place or not.
        ("at::native::mul_sparse(x)", ["mul"]),
        ("mul_sparse_", ["mul"]),
        ("at::_ops::add_Tensor::call", ["add"]),
    ],
)
def test_a_name_stands_for_all_that_begin_it(text: str, expected: list[str]) -> None:
    assert SPELLING.of(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What an argument names is spelled where the macro is called.
        ("#define F(op) at::op##_out(x)\n", []),
        ("#define F(op) op##_\n", []),
        ("#define F(x) k##x\n", ["kron"]),
        ("#define F(x) \\\n  new_ ## x()\n", ["new_ones"]),
        ("#define F(x) x##ul\n", ["mul"]),
        # `add` is spelled where it is an argument, `add_relu` nowhere.
        ("#define F(x) x##_relu\n", ["add_relu"]),
        ("#define F(x) no##x##thing\n", []),
        ("#define F(a, ...) f(a, ##__VA_ARGS__)\n", []),
        ("#define F(a, b) a##b\n", ["##F"]),
        ("#define F(a, b) a %:%: b\n", ["##F"]),
        ("#define F(a, b) a##_##b\n", ["##F"]),
        ("#define F(a, b) x_##a##_##b\n", []),
    ],
)
def test_a_paste_may_have_any_argument(text: str, expected: list[str]) -> None:
    found = [name for name in SPELLING.of(text) if name != "add"]
    assert found == expected


def test_what_a_macro_pastes() -> None:
    text = "#define F(a, b) a##_x(b##y)\n#define G(a) #a\n"
    assert list(pastes(text)) == [("F", (None, "_x")), ("F", (None, "y"))]


def test_it_is_saved() -> None:
    saved = json.loads(json.dumps(SPELLING.to_json()))
    again = Spelling.from_json(saved)
    assert again is not None
    assert again.to_json() == SPELLING.to_json()
    assert again.of("mul_sparse") == ["mul"]
    assert Spelling.from_json(None) is None
