"""What the baseline's CMakeLists.txt is made of."""

from __future__ import annotations

from pathlib import Path

from benchmarks.build.cmake import Compile, Layer, cmake_lists, compiles, parse, unlisted

COMMAND = [
    "/usr/bin/gcc",
    "-U_FORTIFY_SOURCE",
    "-O2",
    "-frandom-seed=bazel-out/any-opt/bin/c10/a.pic.o",
    "-fPIC",
    "-iquote",
    ".",
    "-iquote",
    "bazel-out/any-opt/bin",
    "-isystem",
    "external/highway",
    "-Iaten/src",
    "-std=c++20",
    '-DNAME="x"',
    '-D__DATE__="redacted"',
    "-MD",
    "-MF",
    "bazel-out/any-opt/bin/c10/a.pic.d",
    "-c",
    "c10/core/a.cpp",
    "-o",
    "bazel-out/any-opt/bin/c10/_objs/core_a/a.pic.o",
]


def test_a_command_of_bazels() -> None:
    compile = parse(COMMAND)
    assert compile.source == "${TREE}/c10/core/a.cpp"
    assert compile.options == ("-U_FORTIFY_SOURCE", "-O2", "-fPIC", "-std=c++20", '-DNAME="x"')
    assert compile.folders == (
        "-iquote ${TREE}",
        "-iquote ${GENERATED}",
        "-isystem ${EXTERNAL}/highway",
        "-I ${TREE}/aten/src",
    )


def test_one_action_in_two_graphs_is_one_compile() -> None:
    graph = {"actions": [{"arguments": COMMAND}, {"arguments": COMMAND}]}
    assert [compile.source for compile in compiles(graph)] == ["${TREE}/c10/core/a.cpp"]


def test_what_rules_bring_along_is_left_out_and_targets_are_known() -> None:
    launcher = ["gcc", "-c", "external/bazel_tools/src/tools/launcher/dummy.cc"]
    graph = {
        "targets": [{"id": 1, "label": "//c10:a"}],
        "actions": [{"arguments": COMMAND, "targetId": 1}, {"arguments": launcher}],
    }
    assert [(found.target, found.part) for found in compiles(graph)] == [("//c10:a", "core_a")]


def test_a_layer_that_is_not_linked() -> None:
    text = cmake_lists([Layer("c10", [Compile("${TREE}/a.cpp", (), ())], linked=False)], "", [])
    assert " OBJECT\n" in text
    assert " SHARED\n" not in text


def test_sources_with_other_options_are_other_groups() -> None:
    layers = [
        Layer(
            "c10", [Compile("${TREE}/a.cpp", ("-O2",), ()), Compile("${TREE}/b.cpp", ("-O3",), ())]
        ),
        Layer("torch", [Compile("${GENERATED}/c.cpp", ('-DX="y"',), ("-I ${GENERATED}",))]),
    ]
    text = cmake_lists(layers, "python3 generate.py", ["c.cpp"])
    assert text.count(" OBJECT\n") == 3
    assert "target_link_libraries(torch PRIVATE c10)" in text
    assert '"-DX=\\"y\\""' in text
    assert '"SHELL:-I ${GENERATED}"' in text
    assert text.count("add_dependencies(") == 3
    assert "COMMAND python3 generate.py" in text
    assert "generate" not in cmake_lists(layers, "", [])


def test_sources_come_from_the_lists(tmp_path: Path) -> None:
    (tmp_path / "build_variables.bzl").write_text('c10_srcs = ["a.cpp"]\nOTHER = 3\n')
    compiles = [Compile(f"${{TREE}}/{name}", (), ()) for name in ("a.cpp", "b.cpp")]
    compiles.append(Compile("${GENERATED}/c.cpp", (), ()))
    assert unlisted([Layer("c10", compiles)], tmp_path) == ["b.cpp"]
