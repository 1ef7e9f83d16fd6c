"""The page and the picture: what they say, and that a browser shows it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import pytest

from tools.depgraph import depgraph
from tools.depgraph.depgraph import explain, page
from tools.depgraph.graph import Graph, Target
from tools.depgraph.picture import svg

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
COUNT = 2400


def chain(count: int) -> Graph:
    """Targets, each of them with the next as its dependency."""
    labels = [f"//p{number % 40}:t{number}" for number in range(count)]
    deps = [[label] for label in labels[1:]] + [[]]
    return {
        label: Target(label, "cc_library", below, sources=[f"{label}</script>.cpp"], seconds=1.25)
        for label, below in zip(labels, deps, strict=True)
    }


def test_the_picture_has_each_library_and_no_arrow_that_another_path_implies() -> None:
    links = {"//c": [], "//cpu": ["//c"], "//py": ["//cpu", "//c"]}
    picture = svg([["//c"], ["//cpu"], ["//py"]], links, {"//cpu": ["libgomp.so.1", "libm.so.6"]})
    ElementTree.fromstring(picture)
    assert picture.count('class="box"') == 3
    assert picture.count("marker-end") == 2
    assert "libgomp.so.1, libm.so.6" in picture


def test_a_path_as_text() -> None:
    graph = chain(3)
    assert explain(graph, "//p0:t0", "//p2:t2") == "//p0:t0\n  //p1:t1\n    //p2:t2"


def test_targets_that_are_not_there() -> None:
    graph = chain(3)
    with pytest.raises(SystemExit, match=r"called //q:t1\. There are //p1:t1\."):
        explain(graph, "//q:t1", "//p0:t0")
    with pytest.raises(SystemExit, match=r"called //new\. All of them: \./bazelw query 'kind"):
        explain(graph, "//p0:t0", "//new")
    with pytest.raises(
        SystemExit, match="//p2:t2 does not depend on //p0:t0 in this configuration"
    ):
        explain(graph, "//p2:t2", "//p0:t0")


def test_targets_that_bazel_does_not_find(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depgraph, "bazel", lambda *words, partial: "")
    monkeypatch.setattr(sys, "argv", ["depgraph", "//no/such/..."])
    with pytest.raises(
        SystemExit, match=r"^depgraph: //no/such/\.\.\. names no target; nothing is"
    ):
        depgraph.main()


@pytest.mark.skipif(BROWSER is None, reason="needs a browser: apt-get install chromium")
def test_a_browser_shows_thousands_of_targets(tmp_path: Path) -> None:
    assert BROWSER is not None
    file = tmp_path / "depgraph.html"
    file.write_text(page(chain(COUNT), "<svg></svg>", "//p0:t0"), encoding="utf-8")
    done = subprocess.run(
        [
            *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu"),
            *(f"--user-data-dir={tmp_path}/profile", "--dump-dom"),
            f"file://{file}#{quote('//p1:t1', safe='')}",
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    text = re.sub(r"<script.*?</script>", "", done.stdout, flags=re.DOTALL)
    assert f"{COUNT} of {COUNT} targets" in text
    assert "<h1>//p1:t1</h1>" in text
    assert f"1 targets directly, {COUNT - 2} in all" in text
    assert "1.3 s" in text
    assert "//p1:t1&lt;/script&gt;.cpp" in text
