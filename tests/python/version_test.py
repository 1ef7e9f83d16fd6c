"""The version orders as that of a Python package, and says which PyTorch's interface this is."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from packaging.version import InvalidVersion, Version
from torch.torch_version import TorchVersion

_NUMBER = st.integers(0, 12).map(str)
_WORD = st.sampled_from(
    [
        "a",
        "alpha",
        "b",
        "beta",
        "c",
        "rc",
        "pre",
        "preview",
        "post",
        "r",
        "rev",
        "dev",
        "git1a2b",
        "x",
    ]
)
# Numbers, words and marks in any order: some are versions, some are not.
_TEXT = st.lists(
    st.one_of(_NUMBER, _WORD, st.sampled_from([".", "-", "_", "+", "!", "v", " "])), max_size=9
).map("".join)
# Mostly versions.
_VERSION = st.builds(
    lambda release, *ends: ".".join(release) + "".join(ends),
    st.lists(_NUMBER, min_size=1, max_size=4),
    st.sampled_from(["", "a1", ".beta", "-rc.2", "c2", "a", "rc0"]),
    st.sampled_from(["", ".post3", "-1", "post", "rev2"]),
    st.sampled_from(["", ".dev0", "dev3", "-dev"]),
    st.sampled_from(["", "+cpu", "+bazel.0.1", "+bazel.0.10", "+1", "+a-1_2", "+bazel"]),
)
_OPERATORS = [operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge]


@given(st.one_of(_VERSION, _TEXT), st.one_of(_VERSION, _TEXT))
@example("1.0", "1.0.0+0")
@example("1!0.5", "2.13")
@example("1.0.dev1", "1.0a1.dev1")
def test_it_orders_as_packages_do(one: str, other: str) -> None:
    try:
        wanted: tuple[object, object] = (Version(one), Version(other))
    except InvalidVersion:
        wanted = (one, other)
    for compare in _OPERATORS:
        assert compare(TorchVersion(one), other) == compare(*wanted), compare


@pytest.mark.parametrize("compare", _OPERATORS)
def test_tuples_and_version_objects(compare: Callable[[object, object], bool]) -> None:
    for text in ("2.12.9", "2.13.0", "2.13.0+a", "2.14"):
        wanted = compare(Version(text), Version("2.13"))
        assert compare(TorchVersion(text), (2, 13)) == wanted
        assert compare(TorchVersion(text), Version("2.13")) == wanted


def test_what_is_no_version() -> None:
    assert TorchVersion("2.1") != 3
    assert TorchVersion("2.1") != None  # noqa: E711
    with pytest.raises(TypeError, match="'>=' not supported between instances of 'TorchVersion'"):
        assert TorchVersion("2.1") >= 3  # type: ignore[operator]
    assert {TorchVersion("2.1"): 1}["2.1"] == 1


def test_programs_that_want_a_pytorch() -> None:
    assert isinstance(torch.__version__, TorchVersion)
    assert torch.__version__ >= "2.6.0"
    assert torch.__version__ > (2, 12)
    assert torch.__version__.split("+") == [Version(torch.__version__).base_version, *_release()]
    assert tuple(int(part) for part in torch.__version__.split(".")[:2]) >= (2, 6)


def _release() -> list[str]:
    return [f"bazel.{torch.version.bazel}"]


def test_the_module_says_the_same() -> None:
    assert type(torch.version.__version__) is str
    assert torch.version.__version__ == str(torch.__version__)
    assert re.fullmatch(r"\d+\.\d+\.\d+\+bazel\.\d+\.\d+", torch.version.__version__)
