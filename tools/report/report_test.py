"""The report of a recorded build, and the comparison of two."""

from __future__ import annotations

import dataclasses
import gzip
import html.parser
import json
from pathlib import Path
from typing import Any

import pytest

from tools.report.compare import first_difference
from tools.report.execution_log import Action, entries, read_log, read_profile
from tools.report.report import main


def entry(
    mnemonic: str,
    output: str,
    inputs: dict[str, str],
    seconds: float,
    runner: str,
    start: str = "2026-01-31T23:59:50.250Z",
) -> dict[str, Any]:
    """An action as Bazel 7 writes it."""
    return {
        "commandArgs": ["/usr/bin/gcc", "-c", output],
        "environmentVariables": [{"name": "PATH", "value": "/bin"}],
        "inputs": [
            {"path": path, "digest": {"hash": digest, "sizeBytes": "10"}}
            for path, digest in inputs.items()
        ],
        "actualOutputs": [{"path": output, "digest": {"hash": f"#{output}", "sizeBytes": "2048"}}],
        "mnemonic": mnemonic,
        "runner": runner,
        "cacheHit": runner == "remote cache hit",
        "targetLabel": "//c10:c10",
        "metrics": {
            "executionWallTime": f"{seconds}s",
            "queueTime": "20s",
            "totalTime": f"{seconds + 20.5}s",
            "startTime": start,
        },
    }


BUILD = [
    entry("CppCompile", "bazel-out/a.o", {"a.cpp": "1", "a.h": "2"}, 3.25, "linux-sandbox"),
    entry("CppCompile", "bazel-out/b.o", {"b.cpp": "3", "a.h": "2"}, 0, "remote cache hit"),
    entry(
        "CppLink",
        "bazel-out/c.so",
        {"bazel-out/a.o": "#bazel-out/a.o", "bazel-out/b.o": "#bazel-out/b.o"},
        1.5,
        "linux-sandbox",
    ),
]


def write(path: Path, build: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(action, indent=1) for action in build), encoding="utf-8")
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write(tmp_path / "log.json", BUILD)


def test_what_the_report_says(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = tmp_path / "profile.gz"
    events = [
        {"name": "all", "ts": 0, "dur": 7_000_000},
        {"name": "Memory usage (total)", "args": {"system memory": "1024"}},
    ]
    profile.write_bytes(gzip.compress(json.dumps({"traceEvents": events}).encode()))
    page = tmp_path / "page.html"
    assert main([str(log), "--profile", str(profile), "--html", str(page), "--overhead", "0"]) == 0
    said = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "CppCompile 2 50 % 4 KiB 3.2" in said
    assert "CppLink 1 0 % 2 KiB 1.5" in said
    assert "of them from a cache 2 KiB" in said
    assert "seconds of the whole command 7.0" in said
    assert "most memory in use on the machine 1.0 GiB" in said
    assert "4.8 s: no number of workers builds this faster." in said
    # The slowest first.
    slowest = said.index("Slowest actions")
    assert said[slowest + 3] == "CppCompile bazel-out/a.o 3.25"
    text = page.read_text(encoding="utf-8")
    assert "bazel-out/c.so" in text
    assert "http" not in text and "src=" not in text, "a page that loads something"
    html.parser.HTMLParser().feed(text)


def message(fields: dict[int, int | bytes]) -> bytes:
    """A message of Protocol Buffers."""

    def number(value: int) -> bytes:
        low, high = value & 127, value >> 7
        return bytes([low | 128]) + number(high) if high else bytes([low])

    return b"".join(
        number(field << 3) + number(value)
        if isinstance(value, int)
        else number(field << 3 | 2) + number(len(value)) + value
        for field, value in fields.items()
    )


def remembered(folder: Path, action: str, started: float, completed: float) -> None:
    """What a disk cache keeps of an action."""
    times = [message({1: int(at), 2: int(at % 1 * 1e9)}) for at in (started, completed)]
    metadata = message({1: b"worker", 7: times[0], 8: times[1]})
    path = folder / "ac" / action[:2] / action
    path.parent.mkdir(parents=True)
    path.write_bytes(message({2: b"an output", 9: metadata}))


def test_what_a_disk_cache_answered_has_the_time_that_it_took(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    remembered(tmp_path / "disk", "ab12", 1_790_000_000.75, 1_790_000_004.25)
    remembered(tmp_path / "disk", "cd34", 0, 0)
    hits = [entry("CppCompile", f"bazel-out/{name}.o", {}, 0, "remote cache hit") for name in "ab"]
    log = write(
        tmp_path / "log.json",
        [
            {**hits[0], "digest": {"hash": "ab12"}},
            {**hits[1], "digest": {"hash": "cd34"}},
            entry("CppLink", "bazel-out/c.so", {}, 1.5, "linux-sandbox"),
        ],
    )
    command = [str(log), "--disk-cache", str(tmp_path / "disk"), "--overhead", "0"]
    assert main([*command, "--scale", "2"]) == 0
    text = capsys.readouterr().out
    said = [" ".join(line.split()) for line in text.splitlines()]
    assert "CppCompile 2 100 % 4 KiB 7.0" in said
    assert "CppLink 1 0 % 2 KiB 3.0" in said
    assert "1 1.0 10.0" in said
    assert "1 actions have no time in" in text
    (tmp_path / "disk/ac/ab/ab12").write_bytes(b"\x4a\xff")
    assert main(command) == 0
    assert "2 actions have no time in" in capsys.readouterr().out


def test_a_folder_that_is_no_disk_cache(log: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="is no disk cache: it has no folder ac"):
        main([str(log), "--disk-cache", str(tmp_path)])


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_a_log_is_read_in_parts(log: Path, size: int) -> None:
    with log.open(encoding="utf-8") as file:
        assert list(entries(file, size)) == BUILD


def test_the_simulation_beside_the_clock(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two compiles in turn and a link: 10 s with one worker, 7 of them in commands."""
    inputs = {"bazel-out/a.o": "#bazel-out/a.o", "bazel-out/b.o": "#bazel-out/b.o"}
    log = write(
        tmp_path / "log.json",
        [
            entry("CppCompile", "bazel-out/a.o", {}, 3, "remote", "2026-01-31T23:59:55Z"),
            entry("CppCompile", "bazel-out/b.o", {}, 3, "remote", "2026-01-31T23:59:59Z"),
            entry("CppLink", "bazel-out/c.so", inputs, 1, "remote", "2026-02-01T00:00:03.5Z"),
            # Answered by a cache, as it ran on another day.
            entry("Any", "bazel-out/d", {}, 0, "remote cache hit", "2026-01-01T00:00:00Z"),
        ],
    )
    assert main([str(log), "--ran-on", "1", "--overhead", "0.5"]) == 0
    said = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "first action taken to last one ended 10.0 s" in said
    assert "simulated 8.5 s" in said
    assert "error -15.0 %" in said
    assert "--overhead without an error 1.000" in said
    assert main([str(log), "--ran-on", "2", "--overhead", "0"]) == 0
    said = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "simulated 4.0 s" in said
    assert "error -60.0 %" in said


def test_names_are_quoted_in_the_page(tmp_path: Path) -> None:
    bad = [entry("CppCompile", "bazel-out/<script>.o", {}, 1, "local")]
    page = tmp_path / "page.html"
    assert main([str(write(tmp_path / "log.json", bad)), "--html", str(page)]) == 0
    assert "<script>" not in page.read_text(encoding="utf-8")


def test_the_same_build(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(log), "--against", str(log)]) == 0
    assert "3 actions, the same in both" in capsys.readouterr().out


def changed(log: Path, index: int, **changes: Any) -> list[Action]:
    actions = read_log(log)
    actions[index] = dataclasses.replace(actions[index], **changes)
    return actions


def test_an_action_that_is_not_reproducible_is_told_from_those_after_it(log: Path) -> None:
    other = changed(log, 0, outputs={"bazel-out/a.o": "#other"})
    link = other[2]
    other[2] = dataclasses.replace(
        link,
        inputs={**link.inputs, "bazel-out/a.o": "#other"},
        outputs={"bazel-out/c.so": "#also other"},
    )
    # Whatever the order of the log.
    for order in (other, other[::-1]):
        found = first_difference(read_log(log), order)
        assert found is not None
        assert found.startswith("CppCompile of //c10:c10 makes bazel-out/a.o, and differs:")
        assert "the same command and inputs made something else: it is not reproducible" in found
        assert "output bazel-out/a.o: #bazel-out/a.o | #other" in found


def test_an_input_a_word_and_a_variable_that_differ(log: Path) -> None:
    found = first_difference(
        read_log(log),
        changed(
            log,
            1,
            inputs={"b.cpp": "3", "a.h": "4", "new.h": "5"},
            arguments=("/usr/bin/gcc", "-c", "-g", "bazel-out/b.o"),
            environment={"PATH": "/home"},
        ),
    )
    assert found is not None
    assert "  input a.h: 2 | 4" in found
    assert "  input new.h: none | 5" in found
    assert "  command:  | -g" in found
    assert "  environment PATH: /bin | /home" in found
    assert "b.cpp" not in found


def test_an_action_of_one_build_alone(log: Path) -> None:
    actions = read_log(log)
    found = first_difference(actions, actions[:2])
    assert found == "CppLink of //c10:c10, which makes bazel-out/c.so, is in the first build alone"


def test_differing_builds_give_1(log: Path, tmp_path: Path) -> None:
    assert main([str(log), "--against", str(write(tmp_path / "b.json", BUILD[:2]))]) == 1


def test_no_log_and_no_log_at_all(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="./bazelw build --config=report //..."):
        main([str(tmp_path / "none.json")])
    (tmp_path / "no.json").write_text("{")
    with pytest.raises(SystemExit, match="is not what --execution_log_json_file writes"):
        main([str(tmp_path / "no.json")])
    with pytest.raises(SystemExit, match="is not what .*IsADirectoryError.*To write one:"):
        main([str(tmp_path)])
    write(tmp_path / "log.json", BUILD)
    with pytest.raises(SystemExit, match="is not what --profile writes .*IsADirectoryError"):
        main([str(tmp_path / "log.json"), "--profile", str(tmp_path)])
    with pytest.raises(SystemExit, match="cannot write .*Name another place: --html /tmp/report"):
        main([str(tmp_path / "log.json"), "--html", str(tmp_path)])


def test_parameters_that_make_no_sense(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(log), "--bandwidth", "0"])
    assert "--bandwidth more than 0" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(log), "--ran-on", "0"])
    assert "--ran-on is at least 1" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([str(log), "--scale", "0"])
    assert "--scale is more than 0" in capsys.readouterr().err


def test_an_empty_profile(tmp_path: Path) -> None:
    path = tmp_path / "profile"
    path.write_text('{"traceEvents": []}')
    assert read_profile(path).seconds == 0


def test_a_profile_that_is_none_or_not_yet_whole(log: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"no profile .*none\.gz\. To write one"):
        main([str(log), "--profile", str(tmp_path / "none.gz")])
    whole = gzip.compress(json.dumps({"traceEvents": [{"name": "all", "ts": 0}] * 99}).encode())
    begun = tmp_path / "begun.gz"
    for data in (whole[:-20], b"{", b"[]"):
        begun.write_bytes(data)
        with pytest.raises(SystemExit, match="or its build has not ended"):
            main([str(log), "--profile", str(begun)])
