"""The workflows run what the documents say, in each mode, and name nothing that is not there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

WORKFLOWS = {
    path.name: yaml.safe_load(path.read_text(encoding="utf-8"))
    for path in map(Path, os.environ["WORKFLOWS"].split())
}
JOBS = [
    pytest.param(job, id=f"{name}:{key}")
    for name, workflow in WORKFLOWS.items()
    for key, job in workflow["jobs"].items()
]


def cells(job: dict[str, Any]) -> list[dict[str, Any]]:
    """The values of a job's matrix, one dictionary for each machine."""
    matrix = job.get("strategy", {}).get("matrix", {})
    if "include" in matrix:
        return list(matrix["include"])
    return [{key: value} for key, values in matrix.items() for value in values] or [{}]


def expanded(text: str, cell: dict[str, Any]) -> str:
    """A text with the values of one machine of the matrix."""
    return re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda found: str(cell[found[1]]), text)


def commands(job: dict[str, Any]) -> Iterator[str]:
    """What the job's machines type."""
    for cell in cells(job):
        for step in job["steps"]:
            if "run" in step:
                yield expanded(step["run"], cell)


@pytest.mark.parametrize("job", JOBS)
def test_a_job_runs_the_tree(job: dict[str, Any]) -> None:
    for cell in cells(job):
        typed = [expanded(step["run"], cell) for step in job["steps"] if "run" in step]
        assert any(one == ".ci/run" or one.startswith("./bazelw test ") for one in typed), typed
    assert job["env"]["BAZELW_MODE"] in {"registry", "system"}
    assert job["timeout-minutes"] <= 120
    assert any(step.get("uses", "").startswith("actions/checkout@") for step in job["steps"])


@pytest.mark.parametrize("job", JOBS)
def test_programs_of_the_tree_are_there(job: dict[str, Any]) -> None:
    for command in commands(job):
        word = command.split()[0]
        if "/" in word:
            assert os.access(word, os.X_OK), command


@pytest.mark.parametrize("job", JOBS)
def test_configurations_are_there(job: dict[str, Any]) -> None:
    rc = Path(os.environ["BAZELRC"]).read_text(encoding="utf-8")
    for command in commands(job):
        for name in re.findall(r"--config=(\w+)", command):
            assert re.search(rf"^\w+:{name} ", rc, re.MULTILINE), command


def test_both_modes_where_they_are_for() -> None:
    jobs = WORKFLOWS["ci.yml"]["jobs"]
    machines = {expanded(jobs["registry"]["runs-on"], cell) for cell in cells(jobs["registry"])}
    assert {name.split("-")[0] for name in machines} == {"ubuntu", "macos"}
    assert jobs["registry"]["env"]["BAZELW_MODE"] == "registry"
    containers = {expanded(jobs["system"]["container"], cell) for cell in cells(jobs["system"])}
    assert all(name.startswith("debian:") for name in containers)
    assert jobs["system"]["env"]["BAZELW_MODE"] == "system"


def test_only_the_main_branch_writes_to_the_remote_cache() -> None:
    environment = WORKFLOWS["ci.yml"]["jobs"]["remote-cache"]["env"]
    assert environment["REMOTE_CONFIG"] == (
        "${{ github.event_name == 'push' && 'ci-writer' || 'remote-cache' }}"
    )
    # `on` is YAML 1.1's true.
    assert WORKFLOWS["ci.yml"][True]["push"] == {"branches": ["main"]}


def test_the_next_bazels_may_fail() -> None:
    major = int(Path(os.environ["BAZELVERSION"]).read_text(encoding="utf-8").split(".")[0])
    job = WORKFLOWS["next_bazel.yml"]["jobs"]["test"]
    assert job["continue-on-error"] is True
    assert [cell["bazel"] for cell in cells(job)] == [f"{major + 1}.x", f"{major + 2}.x"]
    assert job["env"]["USE_BAZEL_VERSION"] == "${{ matrix.bazel }}"
    assert "schedule" in WORKFLOWS["next_bazel.yml"][True]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_nothing_may_write_to_the_repository(name: str) -> None:
    assert WORKFLOWS[name]["permissions"] == {"contents": "read"}
