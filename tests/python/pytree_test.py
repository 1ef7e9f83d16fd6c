"""torch.utils._pytree."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.utils import _pytree as pytree

Point = namedtuple("Point", ["x", "y"])

LEAVES = st.none() | st.integers() | st.text(max_size=3)
TREES = st.recursive(
    LEAVES,
    lambda children: (
        st.lists(children, max_size=3)
        | st.tuples(children, children)
        | st.dictionaries(st.text(max_size=2), children, max_size=3)
        | st.builds(Point, children, children)
        | st.builds(lambda d: OrderedDict(d), st.dictionaries(st.text(max_size=2), children))
        | st.builds(lambda c: deque(c, maxlen=5), st.lists(children, max_size=3))
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(TREES)
def test_unflatten_is_the_inverse_of_flatten(tree: Any) -> None:
    leaves, spec = pytree.tree_flatten(tree)
    assert pytree.tree_unflatten(leaves, spec) == tree
    assert spec.num_leaves == len(leaves) == len(list(pytree.tree_iter(tree)))
    assert pytree.tree_structure(tree) == spec
    assert hash(pytree.tree_structure(tree)) == hash(spec)
    assert pytree.treespec_loads(pytree.treespec_dumps(spec)) == spec


@settings(deadline=None)
@given(TREES)
def test_paths_lead_to_their_leaves(tree: Any) -> None:
    for path, leaf in pytree.tree_leaves_with_path(tree):
        assert pytree.key_get(tree, path) is leaf


@settings(deadline=None)
@given(TREES)
def test_map_keeps_the_structure(tree: Any) -> None:
    doubled = pytree.tree_map(lambda x: (x, x), tree)
    assert pytree.tree_map(lambda x, y: y[0], tree, doubled) == tree


def test_nodes_of_other_classes() -> None:
    class Box:
        def __init__(self, value: Any) -> None:
            self.value = value

    pytree.register_pytree_node(Box, lambda b: ([b.value], None), lambda v, _: Box(*v))
    assert pytree.tree_map(lambda x: x + 1, [Box(1)])[0].value == 2
    with pytest.raises(ValueError, match="already registered"):
        pytree.register_pytree_node(Box, lambda b: ([b.value], None), lambda v, _: Box(*v))
    with pytest.raises(ValueError, match="flatten_with_keys_fn"):
        pytree.tree_flatten_with_path(Box(1))
    with pytest.raises(NotImplementedError, match="No registered serialization name"):
        pytree.treespec_dumps(pytree.tree_structure(Box(1)))


def test_named_results_of_torch_are_nodes() -> None:
    result = torch.ones(2, 2).max(0)
    assert len(pytree.tree_leaves([result, defaultdict(list, a=1)])) == 3
    moved = pytree.tree_map(lambda t: t + 1, result)
    assert type(moved) is type(result)
    assert moved.values.tolist() == [2.0, 2.0]


def test_prefixes_broadcast() -> None:
    spec = pytree.tree_structure([1, (2, 3)])
    assert pytree._broadcast_to_and_flatten([0, 1], spec) == [0, 1, 1]
    assert pytree._broadcast_to_and_flatten([0], spec) is None


def test_errors() -> None:
    spec = pytree.tree_structure([1, 2])
    with pytest.raises(
        ValueError, match="`leaves` has length 1 but the spec refers to a pytree that holds 2"
    ):
        pytree.tree_unflatten([1], spec)
    with pytest.raises(TypeError, match="Expected `treespec`"):
        pytree.tree_unflatten([1], [1])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Node arity mismatch; expected 2, but got 1"):
        pytree.tree_map(lambda x, y: x, [1, 2], [1])
    with pytest.raises(ValueError, match=r"missing key\(s\): \[\"'a'\"\]"):
        pytree.tree_map(lambda x, y: x, {"a": 1}, {})


def test_only_some_types() -> None:
    assert pytree.tree_map_only((int, float), lambda x: -x, [1, "a", 2.0]) == [-1, "a", -2.0]
    assert pytree.tree_all_only(int, lambda x: x > 0, [1, "a"])
    assert not pytree.tree_any_only(int, lambda x: x < 0, [1, "a"])
    with pytest.raises(TypeError, match="a type, a tuple of types, or a callable"):
        pytree.tree_map_only(3, lambda x: x, [1])


def test_packages_flatten_their_own_classes_with_these() -> None:
    Pair = namedtuple("Pair", ["left", "right"])
    for value in (
        [1, 2],
        (1, 2),
        {"a": 1, "b": 2},
        Pair(1, 2),
        OrderedDict(a=1, b=2),
        defaultdict(int, a=1, b=2),
        deque([1, 2], 5),
    ):
        name = "namedtuple" if type(value) is Pair else type(value).__name__.lower()
        flatten, unflatten, with_keys = (
            getattr(pytree, f"_{name}_{what}")
            for what in ("flatten", "unflatten", "flatten_with_keys")
        )
        children, context = flatten(value)
        assert list(children) == [1, 2]
        again = unflatten(children, context)
        assert again == value and type(again) is type(value)
        assert [child for _, child in with_keys(value)[0]] == [1, 2]
