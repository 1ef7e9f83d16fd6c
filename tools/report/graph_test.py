"""The simulator against what is known of every schedule."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.report.execution_log import Action
from tools.report.graph import Node, critical_path, floors, graph_of, simulate, synthetic_pytorch


@st.composite
def graphs(draw: st.DrawFn) -> list[Node]:
    """Graphs whose actions come after those that they need."""
    count = draw(st.integers(1, 25))
    return [
        Node(
            name=str(index),
            mnemonic="Any",
            seconds=draw(st.floats(0.01, 100)),
            moved_bytes=draw(st.integers(0, 10**9)),
            needs=tuple(
                sorted(draw(st.sets(st.integers(0, index - 1), max_size=3))) if index else ()
            ),
        )
        for index in range(count)
    ]


@settings(deadline=None)
@given(graphs(), st.integers(1, 40), st.floats(0, 5))
def test_between_the_bounds_of_any_schedule(
    nodes: list[Node], workers: int, overhead: float
) -> None:
    work = sum(node.seconds + overhead for node in nodes)
    chain = sum(node.seconds + overhead for node in critical_path(nodes, overhead))
    took = simulate(nodes, workers, overhead)
    # Graham's bound for schedules that never idle with work at hand.
    assert max(work / workers, chain) <= took * (1 + 1e-9)
    assert took <= (work / workers + chain) * (1 + 1e-9)


@settings(deadline=None)
@given(graphs())
def test_one_worker_does_everything_and_enough_only_wait_for_the_chain(nodes: list[Node]) -> None:
    assert math.isclose(simulate(nodes, 1), sum(node.seconds for node in nodes))
    chain = sum(node.seconds for node in critical_path(nodes))
    assert math.isclose(simulate(nodes, len(nodes)), chain)


@given(graphs(), st.floats(1e3, 1e9))
def test_bandwidth_is_paid_by_each_action(nodes: list[Node], bandwidth: float) -> None:
    moved = sum(node.moved_bytes for node in nodes) / bandwidth
    assert math.isclose(
        simulate(nodes, 1, 0.0, bandwidth), simulate(nodes, 1) + moved, rel_tol=1e-9
    )


def test_a_hand_made_schedule() -> None:
    """Two workers: 0 and 1 together, then 2 (needs 0) beside the rest of 1, then 3."""
    nodes = [
        Node("0", "A", 2.0, 0, ()),
        Node("1", "A", 5.0, 0, ()),
        Node("2", "A", 4.0, 0, (0,)),
        Node("3", "A", 1.0, 0, (1, 2)),
    ]
    assert simulate(nodes, 2) == 7.0
    assert [node.name for node in critical_path(nodes)] == ["0", "2", "3"]


def test_floors_of_a_hand_made_graph() -> None:
    """8 s of compile and 1 s of link; with that file in 4 the other one, of 3 s, counts."""
    nodes = [
        Node("slow", "A", 8.0, 0, ()),
        Node("other", "A", 3.0, 0, ()),
        Node("link", "B", 1.0, 0, (0, 1)),
    ]
    named = [(node.name, floor, split) for node, floor, split in floors(nodes, count=2)]
    assert named == [("slow", 9.0, 4.0), ("other", 4.0, 3.0)]


def test_no_actions() -> None:
    assert simulate([], 4) == 0.0
    assert critical_path([]) == []
    assert floors([]) == []


def action(makes: str, needs: dict[str, str], digest: str, seconds: float = 1.0) -> Action:
    return Action(
        "//:t", "Any", (), {}, needs, {makes: digest}, 1, seconds, 0.0, 0.0, seconds, "local", False
    )


def test_graph_of_a_log_in_any_order() -> None:
    """A link is known by what it points to; a source file makes no edge."""
    log = [
        action("bazel-out/c", {"bazel-out/_solib/b": "digest of b", "c.txt": "digest of a"}, "c"),
        action("bazel-out/b", {"bazel-out/a": "digest of a"}, "digest of b"),
        action("bazel-out/a", {"a.txt": "x"}, "digest of a"),
    ]
    nodes = graph_of(log)
    assert [(node.name, node.needs) for node in nodes] == [
        ("bazel-out/a", ()),
        ("bazel-out/b", (0,)),
        ("bazel-out/c", (1,)),
    ]


def test_the_synthetic_graph_has_the_published_size() -> None:
    nodes = synthetic_pytorch()
    compiles = [node for node in nodes if node.mnemonic == "CppCompile"]
    assert len(compiles) == 1208 + 379 + 189
    slowest = max(compiles, key=lambda node: node.seconds)
    assert slowest.name == "torch_cuda/RowwiseScaledMM.cu"
    minutes = sum(node.seconds for node in compiles) / 60
    assert minutes == pytest.approx(556 + 397 + 132, rel=0.05)
    floor = sum(node.seconds for node in critical_path(nodes))
    assert slowest.seconds < floor < simulate(nodes, 100)
