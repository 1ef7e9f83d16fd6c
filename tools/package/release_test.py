"""A release: its archive has what is committed, and Bazel could take the registry's entry."""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tools.package.release import command_line, main, module_version, write_release

MODULE = """module(
    name = "torch",
    # A comment.
    version = "1.10.0",
)
"""


def options(*words: str) -> argparse.Namespace:
    """A command line."""
    return command_line(["release", *words])


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    for name, text in {
        "MODULE.bazel": MODULE,
        "bazelw": "#!/bin/sh\n",
        "registry/modules/torch/1.10.0/presubmit.yml": "matrix: {}\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (root / "bazelw").chmod(0o755)
    (root / "link").symlink_to("bazelw")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "-m", "all")
    return root


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(root), *words], check=True)


def test_an_archive_has_what_is_committed(checkout: Path, tmp_path: Path) -> None:
    path = write_release(checkout, tmp_path / "release", options())
    assert path.name == "torch-1.10.0.tar.gz"
    with tarfile.open(path) as opened:
        modes = {entry.name: (entry.mode, entry.linkname, entry.mtime) for entry in opened}
        module = opened.extractfile("torch-1.10.0/MODULE.bazel")
        assert module
        assert module.read().decode() == MODULE
    assert modes == {
        "torch-1.10.0/MODULE.bazel": (0o644, "", 0),
        "torch-1.10.0/bazelw": (0o755, "", 0),
        "torch-1.10.0/link": (0o644, "bazelw", 0),
        "torch-1.10.0/registry/modules/torch/1.10.0/presubmit.yml": (0o644, "", 0),
    }
    again = write_release(checkout, tmp_path / "again", options())
    assert path.read_bytes() == again.read_bytes()


def test_the_entry_of_the_registry(checkout: Path, tmp_path: Path) -> None:
    release = tmp_path / "release"
    given = options(
        "--url=https://example.com/torch-{version}.tar.gz",
        "--homepage=https://example.com",
        "--repository=github:owner/name",
        "--maintainer=owner:7",
    )
    (release / "modules/torch/1.9.0").mkdir(parents=True)
    path = write_release(checkout, release, given)
    entry = release / "modules/torch/1.10.0"
    source = json.loads((entry / "source.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256(path.read_bytes()).digest()
    assert source == {
        "integrity": "sha256-" + base64.b64encode(digest).decode(),
        "strip_prefix": "torch-1.10.0",
        "url": "https://example.com/torch-1.10.0.tar.gz",
    }
    assert json.loads((entry.parent / "metadata.json").read_text(encoding="utf-8")) == {
        "homepage": "https://example.com",
        "maintainers": [{"github": "owner", "github_user_id": 7}],
        "repository": ["github:owner/name"],
        "versions": ["1.9.0", "1.10.0"],
        "yanked_versions": {},
    }
    assert (entry / "MODULE.bazel").read_text(encoding="utf-8") == MODULE
    assert (entry / "presubmit.yml").read_text(encoding="utf-8") == "matrix: {}\n"


def test_without_a_url_the_directory_is_a_registry(checkout: Path, tmp_path: Path) -> None:
    path = write_release(checkout, tmp_path / "release", options())
    entry = tmp_path / "release/modules/torch/1.10.0/source.json"
    assert json.loads(entry.read_text(encoding="utf-8"))["url"] == path.as_uri()


def test_what_the_central_registry_would_refuse(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        options("--url=https://example.com/torch.tar.gz", "--homepage=https://example.com")
    assert (
        "an entry for the Central Registry needs --repository=github:owner/name "
        "--maintainer=login:id too" in capsys.readouterr().err
    )


@pytest.mark.parametrize("maintainer", ["owner", "owner:", "owner:me", ":7", "an owner:7"])
def test_a_maintainer_has_a_number(maintainer: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        options(f"--maintainer={maintainer}")
    said = capsys.readouterr().err
    assert f"wanted LOGIN:ID of a GitHub user, not {maintainer!r}" in said
    assert "https://api.github.com/users/" in said


def test_uncommitted_changes(checkout: Path, tmp_path: Path) -> None:
    (checkout / "new").touch()
    with pytest.raises(SystemExit, match=r"\?\? new\n\nCommit it, .*\n\n    git stash"):
        write_release(checkout, tmp_path / "release", options())
    assert not (tmp_path / "release").exists()


def test_no_checkout(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text(MODULE, encoding="utf-8")
    with pytest.raises(SystemExit, match="wanted a checkout of git"):
        write_release(tmp_path, tmp_path / "release", options())


def test_no_version(tmp_path: Path) -> None:
    (tmp_path / "MODULE.bazel").write_text('module(name = "other")\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="declares no version of module torch"):
        module_version(tmp_path)


def test_a_folder_that_cannot_be_written(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(checkout))
    monkeypatch.setattr(sys, "argv", ["release", str(checkout / "bazelw/below")])
    with pytest.raises(SystemExit, match=r"cannot write .*below.* Name another folder: \./bazelw"):
        main()
