"""The compile commands of clangd, from actions as Bazel describes them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.compile_commands import compile_commands
from tools.compile_commands.compile_commands import Roots, entries, write

ROOTS = Roots(Path("/tree"), Path("/base/execroot/_main"), Path("/base"))


def action(source: str, output: str, *flags: str) -> dict[str, Any]:
    compiler = ["/usr/bin/gcc", "-O2", "-MD", "-MF", output + ".d", f"-frandom-seed={output}"]
    words = [*compiler, *flags, "-c", source, "-o", output, "-fno-canonical-system-headers"]
    return {"mnemonic": "CppCompile", "arguments": words}


def test_paths_are_absolute_and_outputs_are_gone() -> None:
    (entry,) = entries(
        [
            action(
                "c10/core/Device.cpp",
                "bazel-out/bin/c10/core/Device.o",
                *("-iquote", ".", "-Iaten/src", "-Ibazel-out/bin/aten/src"),
                *("-isystem", "external/highway~/include", "-isystem", "/usr/include/x"),
            )
        ],
        ROOTS,
    )
    assert entry == {
        "directory": "/tree",
        "file": "/tree/c10/core/Device.cpp",
        "arguments": [
            *("/usr/bin/gcc", "-O2", "-iquote", "/tree", "-I/tree/aten/src"),
            "-I/base/execroot/_main/bazel-out/bin/aten/src",
            *("-isystem", "/base/external/highway~/include", "-isystem", "/usr/include/x"),
            "/tree/c10/core/Device.cpp",
        ],
    }


def test_a_generated_source_is_where_bazel_wrote_it() -> None:
    (entry,) = entries([action("bazel-out/bin/a.cpp", "bazel-out/bin/a.o")], ROOTS)
    assert entry["file"] == "/base/execroot/_main/bazel-out/bin/a.cpp"


def test_a_source_compiled_for_several_capabilities_has_one_entry() -> None:
    compiles = [
        action("x.cpp", f"bazel-out/x_{capability}.o", f"-DCPU_CAPABILITY={capability}")
        for capability in ("AVX512", "AVX2", "DEFAULT")
    ]
    (entry,) = entries(compiles, ROOTS)
    assert "-DCPU_CAPABILITY=DEFAULT" in entry["arguments"]
    assert entries(reversed(compiles), ROOTS) == [entry]


def test_an_action_without_a_source_is_left_out() -> None:
    assert (
        entries([{"mnemonic": "CppCompile", "arguments": ["/usr/bin/gcc", "@x.params"]}], ROOTS)
        == []
    )


def test_the_file_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "compile_commands.json"
    write(path, [{"file": "a.cpp"}])
    monkeypatch.setattr(json, "dumps", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write(path, [])
    monkeypatch.undo()
    assert json.loads(path.read_text(encoding="utf-8")) == [{"file": "a.cpp"}]
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


def test_what_bazel_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []

    def bazel(*words: str, partial: bool = False) -> str:
        # A target that cannot be analysed hides no other, where targets are named.
        assert partial == ("--keep_going" in words)
        asked.append(words)
        described = {"actions": [action("a.cpp", "bazel-out/bin/a.o", "-iquote", "bazel-out/x")]}
        return "/base\n" if words[0] == "info" else json.dumps(described)

    monkeypatch.setattr(compile_commands, "bazel", bazel)
    monkeypatch.setattr(sys, "argv", ["it", "--output=here.json", "//c10/...", "--config=asan"])
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("BUILD_WORKING_DIRECTORY", str(tmp_path))
    compile_commands.main()
    (entry,) = json.loads((tmp_path / "here.json").read_text(encoding="utf-8"))
    assert "/base/execroot/_main/bazel-out/x" in entry["arguments"]
    assert [words[0] for words in asked] == ["build", "aquery", "info"]
    assert all("--config=asan" in words for words in asked[:2])
    # After `info execution_root` Bazel analyses every target again.
    assert asked[2][1:] == ("output_base",)
