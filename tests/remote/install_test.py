"""What `./remote/cluster` says when it cannot install or start something."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from cluster import Cluster
from programs import Programs, find_python, install_buildbox


def test_no_python_for_buildgrid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLUSTER_PYTHON", "/bin/false")
    with pytest.raises(SystemExit) as left:
        find_python()
    said = str(left.value)
    assert "BuildGrid needs Python 3.12 or later with venv; none among /bin/false" in said
    assert "CLUSTER_PYTHON=/path/to/python3.13 ./remote/cluster up" in said


def test_no_debian(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(SystemExit) as left:
        install_buildbox(Programs(tmp_path), tmp_path / "log")
    said = str(left.value)
    assert "there is no apt-get here" in said
    assert str(tmp_path / "bin") in said


def test_a_path_too_long_for_a_socket(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path / ("long" * 30), Programs(tmp_path))
    with pytest.raises(SystemExit, match="too long for a socket") as left:
        cluster.start_postgres()
    assert "./remote/cluster --folder /tmp/cluster up" in str(left.value)


def test_a_service_that_ends_at_once(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "run").mkdir()
    cluster = Cluster(tmp_path, Programs(tmp_path))
    cluster.launch("casd", ["/bin/sh", "-c", "echo the port is taken; exit 3"])
    with pytest.raises(SystemExit, match="casd does not answer") as left:
        cluster.wait("casd", lambda: False)
    said = str(left.value)
    assert "the port is taken" in said
    assert str(tmp_path / "logs/casd.log") in said
    assert "./remote/cluster up --port 9980" in said
