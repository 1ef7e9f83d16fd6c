"""The canonical form says what the YAML says, and its slices together what it says."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from tools.codegen.canonical import slice_of
from tools.codegen.cli import main

FILES = {
    "native-functions": Path("aten/src/ATen/native/native_functions.yaml"),
    "tags": Path("aten/src/ATen/native/tags.yaml"),
    "derivatives": Path("tools/autograd/derivatives.yaml"),
}
TEMPLATE = ("--tensor-body-template", "aten/src/ATen/templates/TensorBody.h")

Files = dict[str, str]


def written(folder: Path) -> Files:
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def inputs(files: dict[str, Path]) -> list[str]:
    return [word for option, path in files.items() for word in (f"--{option}", str(path))]


def canonical(folder: Path, texts: dict[str, str], slices: int = 1) -> dict[str, Path]:
    """Writes the canonical form of these YAML files, and names its files by option."""
    folder.mkdir()
    files = {}
    for option, text in texts.items():
        files[option] = folder / f"{option}.yaml"
        files[option].write_text(text, encoding="utf-8")
    out = folder / "canonical"
    assert main([*inputs(files), "--canonical", str(out), "--slices", str(slices)]) == 0
    return {
        "native-functions": out / "operators.json",
        "tags": out / "tags.json",
        "derivatives": out / "derivatives.json",
    }


def generate(files: dict[str, Path], out: Path, groups: Iterable[str]) -> Files:
    arguments = [*inputs(files), *TEMPLATE, "--cuda", "--install-dir", str(out)]
    assert main([*arguments, "--generate", *groups]) == 0
    return written(out)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return {option: path.read_text(encoding="utf-8") for option, path in FILES.items()}


def test_from_it_comes_what_comes_from_the_yaml(texts: dict[str, str], tmp_path: Path) -> None:
    groups = ("headers", "sources", "autograd", "python", "pyi", "declarations_yaml")
    expected = generate(FILES, tmp_path / "yaml", groups)
    found = generate(canonical(tmp_path / "in", texts), tmp_path / "json", groups)
    assert len(expected) > 2000
    assert found.keys() == expected.keys()
    assert [path for path, text in expected.items() if found[path] != text] == []


@pytest.mark.parametrize("count", [16, 32, 64])
def test_slices_make_what_all_make(texts: dict[str, str], tmp_path: Path, count: int) -> None:
    files = canonical(tmp_path / "in", texts, count)
    groups = ("operator_headers", "cuda_headers")
    expected = generate(files, tmp_path / "whole", groups)
    found: Files = {}
    for index in range(count):
        part = {**files, "native-functions": tmp_path / f"in/canonical/operators_{index}.json"}
        out = generate(part, tmp_path / str(index), groups)
        own = {path: text for path, text in out.items() if "/ops/" in path}
        assert not own.keys() & found.keys()
        found |= own
    assert found == {path: text for path, text in expected.items() if "/ops/" in path}


def changed(tmp_path: Path, before: dict[str, str], after: dict[str, str]) -> set[str]:
    forms = []
    for texts in (before, after):
        canonical(tmp_path / "now", texts, 4)
        forms.append(written(tmp_path / "now/canonical"))
        shutil.rmtree(tmp_path / "now")
    old, new = forms
    assert old.keys() == new.keys()
    return {path for path, text in old.items() if new[path] != text}


@pytest.mark.parametrize("option", FILES)
def test_a_comment_changes_the_locations_alone(
    texts: dict[str, str], tmp_path: Path, option: str
) -> None:
    start = "- tag" if option == "tags" else "- func" if "native" in option else "- name"
    text = texts[option].replace(f"\n{start}", f"\n\n# A comment.\n{start}") + "\n  # One more.\n"
    assert text.count("# A comment.") > 5
    files = changed(tmp_path, texts, {**texts, option: text})
    assert files == ({"locations.json"} if option == "native-functions" else set())


def test_an_operator_changes_its_slice(texts: dict[str, str], tmp_path: Path) -> None:
    text = texts["native-functions"].replace("float rtol=1e-05", "float rtol=1e-04", 1)
    assert changed(tmp_path, texts, {**texts, "native-functions": text}) == {
        "operators.json",
        f"operators_{slice_of('allclose', 4)}.json",
    }


def test_the_copy_of_a_view_is_with_the_view() -> None:
    for count in (16, 32, 64):
        assert slice_of("slice_copy", count) == slice_of("slice", count)
        assert len({slice_of(name, count) for name in ("view_copy", "view", "reshape")}) == 1


def test_messages_name_the_line_in_the_yaml(
    texts: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    added = "\n\n# A comment.\n- func: lost(Tensor self) -> Tensor\n  dispatch:\n    CPU: lost\n"
    native = texts["native-functions"] + added
    files = canonical(tmp_path / "in", {**texts, "native-functions": native})
    locations = tmp_path / "in/canonical/locations.json"
    stamp = tmp_path / "stamp"
    check = ["--locations", str(locations), "--stamp", str(stamp), "--require-kernels", "CPU"]
    assert main([*inputs(files), *check]) == 0
    assert stamp.read_text(encoding="utf-8") == ""
    (tmp_path / "x.cpp").write_text("")
    assert main([*inputs(files), *check, "--kernel-sources", str(tmp_path / "x.cpp")]) == 1
    line = native[: native.index("- func: lost(")].count("\n") + 1
    yaml = tmp_path / "in/native-functions.yaml"
    assert f"{yaml}:{line}: error in 'lost': no source defines the CPU kernel 'lost'" in (
        capsys.readouterr().err
    )


def test_mistakes_are_found_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {
        "native-functions": "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPUX: f\n",
        "tags": "- tag: core\n",
        "derivatives": "- name: g(Tensor self) -> Tensor\n  self: grad\n",
    }
    with pytest.raises(AssertionError):
        canonical(tmp_path / "in", wrong)
    errors = capsys.readouterr().err
    assert "native-functions.yaml:3: error in 'f': unknown dispatch key 'CPUX'" in errors
    assert "derivatives.yaml:1: error in 'g': no operator of this name" in errors
    assert not (tmp_path / "in/canonical").exists()
