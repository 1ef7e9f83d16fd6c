"""Files for editors: what the container installs exists; hooks run the tree's own linters."""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
from typing import Any

import pytest
import yaml

from tools.lint.tree import source_root

ROOT = source_root()
DOCKERFILE = (ROOT / ".devcontainer/Dockerfile").read_text(encoding="utf-8")
CONTAINER = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs/editors.md").read_text(encoding="utf-8")


def instructions() -> list[tuple[str, str]]:
    """Of the Dockerfile: a word and the rest, continued lines as one."""
    text = re.sub(r"^#.*\n", "", DOCKERFILE, flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip()]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def packages() -> set[str]:
    """What the Dockerfile installs."""
    (found,) = re.findall(r"apt-get install ([^&]*)", " ".join(rest for _, rest in instructions()))
    return {word for word in found.split() if not word.startswith("-")}


def targets(command: str) -> list[str]:
    """Labels in a command."""
    return re.findall(r"//[\w./]*(?::\w+)?", command)


def test_the_image_is_small_and_of_one_release() -> None:
    words = [word for word, _ in instructions()]
    assert words[0] == "FROM"
    assert set(words) <= {"FROM", "RUN"}
    assert re.fullmatch(r"debian:\d+", instructions()[0][1])
    for _, command in instructions():
        if "apt-get install" in command:
            assert "--no-install-recommends" in command
            assert "--yes" in command
            assert command.index("apt-get update") < command.index("apt-get install")
            assert "rm -rf /var/lib/apt/lists/*" in command


def test_the_image_has_what_the_wrapper_asks_for() -> None:
    wrapper = (ROOT / "bazelw").read_text(encoding="utf-8")
    asked = re.findall(r'"apt-get install --no-install-recommends ([\w+ -]+)"', wrapper)
    needed = {word for line in asked for word in line.split()}
    assert "g++" in needed
    assert needed <= packages()


def test_debian_has_the_packages() -> None:
    if not shutil.which("apt-cache"):
        pytest.skip("apt-cache is Debian's")
    image = instructions()[0][1].removeprefix("debian:")
    if platform.freedesktop_os_release().get("VERSION_ID") != image:
        pytest.skip(f"the image is of Debian {image}; other releases have other packages")
    known = subprocess.run(
        ["apt-cache", "pkgnames"], capture_output=True, check=True, text=True
    ).stdout.split()
    if "g++" not in known:
        pytest.skip("apt has read no package lists: apt-get update")
    assert packages() - set(known) == set()


def test_the_container_starts_what_the_image_has() -> None:
    assert CONTAINER["build"] == {"dockerfile": "Dockerfile"}
    settings = CONTAINER["customizations"]["vscode"]["settings"]
    assert settings["clangd.path"].removeprefix("/usr/bin/") in packages()
    assert settings["bazel.executable"] == "./bazelw"
    assert targets(CONTAINER["postCreateCommand"]) == ["//tools:compile_commands"]
    extensions = CONTAINER["customizations"]["vscode"]["extensions"]
    assert "llvm-vs-code-extensions.vscode-clangd" in extensions
    (volume,) = CONTAINER["mounts"]
    ((name, folder),) = re.findall(r"source=([\w-]+),target=(\S+),type=volume", volume)
    assert f"`{name}`" in PAGE
    assert f"mkdir -p {folder}/torch-bazel-disk && ln -s {folder} ~/.cache" in DOCKERFILE


def hooks() -> list[dict[str, Any]]:
    """All hooks."""
    return [hook for repo in HOOKS["repos"] for hook in repo["hooks"]]


def test_hooks_run_targets_of_the_tree_and_nothing_from_elsewhere() -> None:
    assert {repo["repo"] for repo in HOOKS["repos"]} == {"local"}
    for hook in hooks():
        assert hook["language"] == "system"
        assert hook["pass_filenames"] is False
        assert hook["entry"].startswith(("./bazelw run //", "./bazelw test //"))
        for label in targets(hook["entry"]):
            package, _, name = label.removeprefix("//").removesuffix("/...").partition(":")
            build = (ROOT / package / "BUILD.bazel").read_text(encoding="utf-8")
            assert not name or f'name = "{name}"' in build, label


def test_what_contributing_tells_is_hooked() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    hooked = {label for hook in hooks() for label in targets(hook["entry"])}
    assert {"//tools:update", "//tools/lint:fix"} <= hooked & set(targets(contributing))
