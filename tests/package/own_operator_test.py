"""docs/own_operator.md, typed: its commands in a bare environment, and what they print."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import os
import re
import shutil
import zipfile
from pathlib import Path

import pytest
import setuptools

from tests.package.environment import Environment, fresh_environment

PAGE = Path(os.environ["PAGE"]).read_text(encoding="utf-8")
TEMPLATE = Path(os.environ["TEMPLATE"]).resolve().parent


def blocks(kind: str) -> list[str]:
    """The page's blocks of code of a kind."""
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def setuptools_wheel(folder: Path) -> None:
    """The wheel of setuptools that an index would have, from the build's own copy."""
    source = Path(setuptools.__file__).parents[1]
    version = setuptools.__version__
    name = f"setuptools-{version}.dist-info"
    record = ""
    with zipfile.ZipFile(folder / f"setuptools-{version}-py3-none-any.whl", "w") as archive:
        for top in ("setuptools", "pkg_resources", "_distutils_hack", name):
            for path in sorted((source / top).rglob("*")) if (source / top).exists() else ():
                if path.is_dir() or "__pycache__" in path.parts or path.name == "RECORD":
                    continue
                inside = str(path.relative_to(source))
                content = path.read_bytes()
                archive.writestr(inside, content)
                digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode()
                record += f"{inside},sha256={digest.rstrip('=')},{len(content)}\n"
        archive.writestr(f"{name}/RECORD", record + f"{name}/RECORD,,\n")


@pytest.fixture(scope="module", params=["bare", "with pip"])
def environment(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """One with torch alone, and one with the pip and setuptools that come with Python."""
    root = tmp_path_factory.mktemp("own")
    with_pip = request.param == "with pip"
    if with_pip and importlib.util.find_spec("ensurepip") is None:
        pytest.skip("this Python has no pip to give: apt-get install python3-venv")
    made = fresh_environment(root / "environment", with_pip=with_pip)
    (wheel,) = Path(os.environ["WHEEL"]).resolve().glob("*.whl")
    made.install(wheel)
    return made


def test_the_commands_of_the_page(environment: Environment, tmp_path: Path) -> None:
    index = tmp_path / "index"
    index.mkdir()
    setuptools_wheel(index)
    shutil.copytree(TEMPLATE, tmp_path / "examples/own_operator", symlinks=False)
    commands = "".join(blocks("sh")[:2]).splitlines()
    printed = ""
    for command in commands:
        words = command.split(" ", 2)
        if words[:2] == ["pip", "install"]:
            project = str(tmp_path / words[2])
            environment.pip("install", project, PIP_FIND_LINKS=str(index), PIP_NO_DEPS="1")
            continue
        printed += environment.run("sh", "-c", command, cwd=tmp_path).stdout
    assert printed == blocks("text")[0] + "add_square works\n"


def test_an_editable_installation_is_found_beside_its_project(
    environment: Environment, tmp_path: Path
) -> None:
    index = tmp_path / "index"
    index.mkdir()
    setuptools_wheel(index)
    found = re.search(r"`pip install -e \./(\w+)`", PAGE)
    assert found
    shutil.copytree(TEMPLATE, tmp_path / found[1])
    # What is compiled is not asked here.
    (tmp_path / found[1] / "my_ops/__init__.py").write_text("here = True\n")
    setup = tmp_path / found[1] / "setup.py"
    setup.write_text(re.sub(r"    (ext_modules|cmdclass)=.*\n", "", setup.read_text()))
    project = str(tmp_path / found[1])
    environment.pip("install", "-e", project, PIP_FIND_LINKS=str(index), PIP_NO_DEPS="1")
    program = "import my_ops; print(my_ops.here)"
    assert environment.run("python", "-c", program, cwd=tmp_path).stdout == "True\n"


def test_the_page_shows_the_file_and_it_is_six_lines() -> None:
    source = (TEMPLATE / "my_ops/ops.cpp").read_text(encoding="utf-8")
    assert blocks("cpp") == [source]
    assert len(source.splitlines()) <= 6
