"""Malformed input files: each is refused with its first mistake and the line of it.

`testdata/malformed/X.yaml` stands for the file that the first word of X names; `X.txt` is what the
generator prints for it. `python -m tools.codegen.malformed_test` writes the latter again.
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

from tools.codegen.cli import main

FOLDER = Path("tools/codegen/testdata/malformed")
WELL_FORMED = {
    "native": "- func: add(Tensor self, Tensor other) -> Tensor\n  dispatch:\n    CPU: add\n",
    "tags": "- tag: core\n",
    "derivatives": "[]\n",
}
CASES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


def printed(case: str, folder: Path) -> str:
    """What the generator says to a file of the corpus, among files that are as they should be."""
    options = []
    for kind, text in WELL_FORMED.items():
        path = folder / f"{kind}.yaml"
        path.write_text(text, encoding="utf-8")
        if case.startswith(f"{kind}_"):
            path.write_bytes((FOLDER / f"{case}.yaml").read_bytes())
        options += [f"--{'native-functions' if kind == 'native' else kind}", str(path)]
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        status = main([*options, "--stamp", str(folder / "stamp")])
    assert status == 1, f"{case} was accepted"
    return errors.getvalue().replace(f"{folder}/", "")


@pytest.mark.parametrize("case", CASES)
def test_the_first_cause_is_named_once(case: str, tmp_path: Path) -> None:
    found = printed(case, tmp_path)
    assert found == (FOLDER / f"{case}.txt").read_text(encoding="utf-8")
    assert found.endswith("\n1 error\n")
    assert all(len(line) < 600 for line in found.splitlines())


def test_the_corpus_is_there() -> None:
    assert len(CASES) > 50


def _write() -> None:
    import tempfile

    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            text = printed(case, Path(folder))
        (FOLDER / f"{case}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _write()
