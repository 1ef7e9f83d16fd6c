"""Pages lead where they say and name what exists; their site needs nothing from elsewhere."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

from docs.site import pages, site
from tools.lint.tree import source_root

ROOT = source_root()


def test_links_lead_somewhere() -> None:
    assert pages.dead_links(ROOT) == []


def test_paths_of_the_tree_exist() -> None:
    assert pages.stale_paths(ROOT) == []


def test_a_dead_link_and_a_stale_path_are_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "tools").mkdir()
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        (tmp_path / name).write_text("# A page\n\n## What `it` is, and why\n")
    text = "# B\n\n[a](../README.md#what-it-is-and-why) [b](gone.md) [c](../README.md#gone)\n"
    text += "`tools/gone.py` and `//tools/gone:it`, `//tools/...`\n"
    (tmp_path / "docs/build.md").write_text(text)
    assert pages.dead_links(tmp_path) == [
        "docs/build.md: gone.md is no file",
        "docs/build.md: README.md has no heading gone",
    ]
    assert pages.stale_paths(tmp_path) == [
        "docs/build.md: tools/gone.py does not exist",
        "docs/build.md: tools/gone does not exist",
    ]


def test_the_references_hold_what_the_sources_say() -> None:
    rules = pages.rules(ROOT)
    for name in pages.RULES:
        assert f"\n## {name}\n" in rules
    assert "* `cuda_srcs`: CUDA sources; compiled when CUDA is on." in rules
    assert "no description yet" not in rules
    operators = pages.operators(ROOT)
    page = operators["h"].split("## torch.hypot\n")[1].split("\n## ")[0]
    assert "\ntorch.hypot(input: Tensor, other: Tensor, *, out: Tensor | None = None)" in page
    assert "\nTensor.hypot_(other: Tensor) -> Tensor\n" in page
    assert r"sqrt(x^2 + y^2), without overflow between. Here x is `input`" in page
    assert "aten::hypot(Tensor self, Tensor other) -> Tensor" in page
    assert "* Derivative: with respect to `input`, `other`" in page
    assert "* Kernels: CPU, CUDA" in page
    assert "\n## Tensor.shape\n\nThe sizes of all dimensions.\n" in operators["s"]
    commands = pages.commands(ROOT)
    for command in pages.COMMANDS:
        assert f"\nusage: {command} [-h]" in commands
    assert "--why TARGET DEPENDENCY" in commands
    assert str(ROOT) not in commands
    modules = pages.python_modules(ROOT)
    assert "### SGD" in modules["optim"]


def test_a_page_that_no_menu_has_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/new_page.md"):
        (tmp_path / name).write_text("# A page\n")
    with pytest.raises(SystemExit, match="has new_page"):
        site.write_sources(tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--port=99999"], "--port=99999: wanted a number below 65536. Type: --port=8000"),
        (["--out=/proc/no/such"], "cannot write /proc/no/such (No such file or directory). Type:"),
        (["--out=full"], "full has files that are no site. Name a new folder: --out=/tmp/site"),
    ],
)
def test_a_folder_or_port_that_cannot_be_used(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/precious.txt").write_text("kept")
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(ROOT))
    monkeypatch.setenv("BUILD_WORKING_DIRECTORY", str(tmp_path))
    with pytest.raises(SystemExit):
        site.main(words)
    assert message in capsys.readouterr().err
    assert (tmp_path / "full/precious.txt").exists()


def test_a_port_that_another_program_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BUILD_WORKSPACE_DIRECTORY", str(ROOT))
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(SystemExit):
            site.main(["--serve", f"--port={port}", f"--out={tmp_path / 'new'}"])
    assert f"port {port} cannot be used (Address already in use). Type:" in capsys.readouterr().err


def test_the_site_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    site.build(ROOT, tmp_path / "site")
    made = sorted((tmp_path / "site").rglob("*.html"))
    assert len(made) > 40
    for path in made:
        text = path.read_text(encoding="utf-8")
        fetched = re.findall(
            r"<(?:script|link|img|iframe)[^>]+(?:src|href)=\"(https?://[^\"]+)", text
        )
        assert fetched == [], path
    index = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in index
    for css in (tmp_path / "site/assets").rglob("*.css"):
        assert not re.search(
            r"url\(\"?https?://(?!www\.w3\.org)", css.read_text(encoding="utf-8")
        ), css
