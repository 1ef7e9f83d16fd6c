"""Every public function says what it does, and what it says is so."""

from __future__ import annotations

import doctest
import inspect
import pydoc
import re
from typing import Any

import pytest
import torch
from torch._docstrings import arguments
from torch.nn import functional

OWNERS = {
    "torch": torch,
    "Tensor": torch.Tensor,
    "torch.nn.functional": functional,
    "torch.linalg": torch.linalg,
    "torch.special": torch.special,
}


def members(owner: Any) -> dict[str, Any]:
    """Public functions, classes, methods and attributes that are here."""
    found = {name: getattr(owner, name, None) for name in dir(owner) if not name.startswith("_")}
    if owner is torch.Tensor:  # What is absent is an attribute that raises.
        return {name: value for name, value in found.items() if value is not None}
    return {name: value for name, value in found.items() if callable(value)}


@pytest.mark.parametrize("title", OWNERS)
def test_every_public_member_has_a_docstring(title: str) -> None:
    found = members(OWNERS[title])
    assert len(found) > 25
    assert [name for name, value in found.items() if not inspect.getdoc(value)] == []


def test_help_shows_signature_sentence_and_facts() -> None:
    text = pydoc.render_doc(torch.add, renderer=pydoc.plaintext)
    assert "add(input: Tensor, other: Tensor | Number, *, alpha: Number = 1, out" in text
    assert "The sum with `other` times `alpha`: x + alpha * y." in text
    assert "Also: Tensor.add, Tensor.add_" in text
    assert torch.Tensor.add_.__doc__ is not None
    assert "Memory: writes to the tensor and returns it" in torch.Tensor.add_.__doc__
    assert pydoc.plain(pydoc.render_doc(torch.Tensor.shape)).count("The sizes of all dimensions")
    assert torch.device.__doc__ is not None
    assert torch.device.__doc__.startswith("device(type, index=None)\n")


def said(function: Any, title: str) -> str:
    """A fact of a docstring."""
    found = re.search(rf"^{title}: (.*)$", function.__doc__, re.MULTILINE)
    return found[1] if found else ""


# They end the graph.
_DETACHING = ("detach", "detach_", "detach_copy")
# Functions of one tensor.
_UNARY = sorted(
    name
    for name in members(torch)
    if re.match(
        r"\w+\(input: Tensor(, \*, out: Tensor \| None = None)?\) -> Tensor\n",
        getattr(torch, name).__doc__,
    )
)


@pytest.mark.parametrize("name", _UNARY)
def test_a_derivative_exists_where_the_docstring_says_so(name: str) -> None:
    function = getattr(torch, name)
    source = torch.rand(2, 2, dtype=torch.float64) * 0.5 + 0.25
    source = (source @ source.T + torch.eye(2, dtype=torch.float64)).div_(4).requires_grad_()
    try:
        result = function(source)
    except RuntimeError as error:
        # Operands of a kind: complex ones, vectors.
        pytest.skip(str(error).splitlines()[0])
    if name in _DETACHING:
        assert result.grad_fn is None
        return
    if not (result.is_floating_point() or result.is_complex()):
        assert said(function, "Derivative") in ("none", "by the operators that it calls")
        return
    has = result.grad_fn is not None or result is source
    assert has is (said(function, "Derivative") != "none")


@pytest.mark.parametrize("name", _UNARY)
def test_memory_is_shared_only_where_the_docstring_says_so(name: str) -> None:
    function = getattr(torch, name)
    source = torch.rand(2, 2, dtype=torch.float64) * 0.5 + 0.25
    try:
        result = function(source)
    except RuntimeError as error:
        pytest.skip(str(error).splitlines()[0])
    if result.data_ptr() == source.data_ptr():
        assert said(function, "Memory") or "the tensor itself" in function.__doc__


def test_an_out_argument_exists_where_the_signature_has_one() -> None:
    documented = {n for n in _UNARY if "out: Tensor" in getattr(torch, n).__doc__.split("\n")[0]}
    assert len(documented) > 40
    source = torch.full((2, 2), 0.5)
    for name in documented:
        result = getattr(torch, name)
        try:
            out = torch.empty_like(result(source))
        except RuntimeError:
            continue  # Operands of a kind.
        assert result(source, out=out) is out


def _documented(title: str) -> list[tuple[str, Any]]:
    """Functions of the generator whose docstrings have sections."""
    found = members(OWNERS[title]).items()
    return [(name, f) for name, f in found if "\nExample::\n" in (inspect.getdoc(f) or "")]


@pytest.mark.parametrize("name", [name for name, _ in _documented("torch.linalg")])
def test_examples_of_linear_algebra_run(name: str) -> None:
    text = getattr(torch.linalg, name).__doc__
    test = doctest.DocTestParser().get_doctest(text, {"torch": torch}, name, None, None)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_every_function_of_linear_algebra_has_sections() -> None:
    without = members(torch.linalg).keys() - dict(_documented("torch.linalg")).keys()
    assert without <= {"LinAlgError"}


@pytest.mark.parametrize("name", [name for name, _ in _documented("torch.linalg")])
def test_documented_arguments_are_in_a_signature(name: str) -> None:
    text = inspect.cleandoc(getattr(torch.linalg, name).__doc__)
    signatures = text.partition("\n\n")[0]
    assert [one for one in arguments(text) if f"{one}: " not in signatures] == []
