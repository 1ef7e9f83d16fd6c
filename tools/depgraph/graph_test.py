"""The graph of targets, from what cquery prints."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tools.depgraph.graph import Graph, Target, add_seconds, layers, path, reached, read, short


def rule(name: str, kind: str, *inputs: str, dynamic: tuple[str, ...] = ()) -> dict[str, Any]:
    attributes = [{"name": "dynamic_deps", "stringListValue": list(dynamic)}] if dynamic else []
    described = {
        "name": name,
        "ruleClass": kind,
        "ruleInput": list(inputs),
        "attribute": attributes,
    }
    return {"target": {"type": "RULE", "rule": described}}


def source(name: str) -> dict[str, Any]:
    return {"target": {"type": "SOURCE_FILE", "sourceFile": {"name": name}}}


def generated(name: str, by: str) -> dict[str, Any]:
    return {
        "target": {"type": "GENERATED_FILE", "generatedFile": {"name": name, "generatingRule": by}}
    }


def test_a_label_is_as_short_as_people_type_it() -> None:
    assert short("//c10/core:core") == "//c10/core"
    assert short("//aten:libtorch_cpu") == "//aten:libtorch_cpu"
    assert short("@@highway~//:hwy") == "@highway//:hwy"
    assert short("@@_main~blas~openblas//:openblas") == "@openblas//:openblas"


def test_aliases_and_generated_files_are_what_stands_behind_them() -> None:
    answer = {
        "results": [
            rule("//a:a", "cc_library", "//a:a.cpp", "//a:made.h", "//a:name"),
            rule("//a:name", "alias", "//config:on", "//b:b"),
            rule("//config:on", "config_setting"),
            rule("//b:b", "cc_library", "//b:b.cpp"),
            rule("//a:maker", "genrule", "//b:b.cpp"),
            generated("//a:made.h", "//a:maker"),
            source("//a:a.cpp"),
            source("//b:b.cpp"),
        ]
    }
    graph = read(answer, lambda label: len(label))
    assert graph["//a"].deps == ["//a:maker", "//b"]
    assert graph["//a"].sources == ["//a:a.cpp"]
    assert graph["//a"].source_bytes == len("//a:a.cpp")
    assert "//a:name" not in graph
    assert "//config:on" not in graph


def test_a_target_of_two_configurations_has_the_dependencies_of_both() -> None:
    answer = {
        "results": [
            rule("//t:t", "cc_library", "//x:x"),
            rule("//t:t", "cc_library", "//y:y"),
            rule("//x:x", "cc_library"),
            rule("//y:y", "cc_library"),
        ]
    }
    assert read(answer, lambda _: 0)["//t"].deps == ["//x", "//y"]


def test_layers_come_above_what_they_link() -> None:
    answer = {
        "results": [
            rule("//t:_C.so", "cc_binary", "//t:py", "//c:c", dynamic=("//t:py", "//c:c")),
            rule("//t:py", "cc_shared_library", "//c:c", dynamic=("//c:c",)),
            rule("//c:c", "cc_shared_library", "//c:lib"),
            rule("//c:lib", "cc_library"),
        ]
    }
    assert layers(read(answer, lambda _: 0)) == [["//c"], ["//t:py"], ["//t:_C.so"]]


def test_a_layer_is_one_target_though_two_make_it() -> None:
    answer = {
        "results": [
            rule("//t:libpy", "interface_library", "//t:libpy_linked", "//tools:reader"),
            rule("//t:libpy_linked", "cc_shared_library", "//c:libc", dynamic=("//c:libc",)),
            rule("//c:libc", "interface_library", "//c:libc_linked", "//tools:reader"),
            rule("//c:libc_linked", "cc_shared_library", "//c:lib"),
            rule("//c:lib", "cc_library"),
            rule("//tools:reader", "py_binary"),
        ]
    }
    graph = read(answer, lambda _: 0)
    assert layers(graph) == [["//c:libc"], ["//t:libpy"]]
    assert graph["//t:libpy"].deps == ["//c:libc"]
    assert "//t:libpy_linked" not in graph
    add_seconds(graph, [("//t:libpy", 1.5), ("//t:libpy_linked", 2.0)])
    assert graph["//t:libpy"].seconds == 3.5


def test_times_of_a_recorded_build() -> None:
    graph = {"//a": Target("//a", "cc_library"), "//b": Target("//b", "cc_library")}
    add_seconds(graph, [("//a:a", 1.5), ("@@//a:a", 2.0), ("//gone:gone", 9.0)])
    assert graph["//a"].seconds == 3.5
    assert graph["//b"].seconds is None


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Graphs without cycles: a target depends on targets of higher numbers."""
    count = draw(st.integers(1, 12))
    graph = {}
    for number in range(count):
        deps = draw(st.sets(st.integers(number + 1, count))) - {count}
        label = f"//{number}"
        graph[label] = Target(label, "cc_library", [f"//{dep}" for dep in sorted(deps)])
    return graph


@given(graphs(), st.data())
def test_a_path_is_there_exactly_where_one_target_reaches_the_other(
    graph: Graph, data: st.DataObject
) -> None:
    start, end = (data.draw(st.sampled_from(sorted(graph))) for _ in range(2))
    steps = path(graph, start, end)
    assert bool(steps) == (end in reached(graph, [start]))
    if steps:
        assert (steps[0], steps[-1]) == (start, end)
        assert all(after in graph[before].deps for before, after in pairwise(steps))
        assert len(set(steps)) == len(steps)
