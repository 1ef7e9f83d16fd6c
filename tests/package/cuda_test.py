"""The wheel of a build with CUDA, without a GPU: what it holds, and extensions of it."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import nvidia
import pytest

from tests.package.environment import Environment
from tests.package.extension_environment import extension_environment, python, refused
from tools.package.older_glibc import FLOOR

CUOBJDUMP = next(
    path for directory in nvidia.__path__ for path in Path(directory).rglob("bin/cuobjdump")
)
EXTRA_ARCHS = ["sm_" + arch.replace(".", "") for arch in os.environ["EXTRA_ARCHS"].split()]
PROJECT = Path(os.environ["PROJECT"]).resolve().parent
# As actions name it; other repositories lie beside this one here.
NVCC = Path(Path(os.environ["NVCC"]).read_text(encoding="utf-8").replace("external/", "../", 1))


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = extension_environment(tmp_path_factory.mktemp("cuda") / "e", ["ninja", "setuptools"])
    project = made.root / "texture"
    shutil.copytree(PROJECT, project, symlinks=False)
    options = ("--no-build-isolation", "--no-deps", "--disable-pip-version-check")
    home = str(NVCC.resolve().parents[1])
    made.pip("install", *options, str(project), CUDA_HOME=home)
    return made


def architectures(environment: Environment) -> set[str]:
    """What torch was built for; torch.cuda.get_arch_list() says it where there is a GPU."""
    text = "import torch; print(torch._C._cuda_getArchFlags())"
    found = set(python(environment, text).split())
    assert found
    return found


def images(environment: Environment, library: Path) -> set[str]:
    """The architectures of a library's device code, in the same words."""
    found = set()
    for option, prefix in (("--list-elf", "sm_"), ("--list-ptx", "compute_")):
        for line in environment.run(CUOBJDUMP, option, library).stdout.splitlines():
            if number := re.search(r"\.sm_(\w+)\.", line):
                found.add(prefix + number[1])
    return found


def test_the_library_has_code_for_what_it_says(environment: Environment) -> None:
    library = environment.site_packages / "torch/lib/libtorch_cuda.so"
    asked = architectures(environment)
    # Extra architectures of single files, if the generation that they extend was requested.
    extra = {arch for arch in EXTRA_ARCHS if arch.rstrip("af") in asked}
    assert images(environment, library) == asked | extra


def test_the_tag_is_that_of_a_build_without_cuda() -> None:
    (wheel,) = Path(os.environ["WHEEL"]).glob("*.whl")
    assert int(wheel.name.rpartition("manylinux_2_")[2].split("_")[0]) <= FLOOR


def test_the_bill_of_materials_names_the_runtime(environment: Environment) -> None:
    (info,) = environment.site_packages.glob("torch-*.dist-info")
    bill = json.loads((info / "sboms/torch.spdx.json").read_text(encoding="utf-8"))
    (name,) = [one["licenseId"] for one in bill["hasExtractedLicensingInfos"]]
    assert name in (info / "METADATA").read_text(encoding="utf-8")
    assert "cuda" in [one["name"] for one in bill["packages"]]


def test_an_extension_with_cuda_sources(environment: Environment) -> None:
    """It has code for torch's own GPUs, needs nothing of the toolkit, and works on the CPU."""
    (module,) = environment.site_packages.glob("texture/_C.*.so")
    assert images(environment, module) == architectures(environment)
    assert "libcudart" not in environment.run("readelf", "--dynamic", module).stdout
    text = "import texture, torch; print(texture.sobel(torch.ones(4, 4)).sum().item())"
    assert python(environment, text, LD_BIND_NOW="1") == "0.0\n"


def test_an_extension_where_there_is_no_gpu(environment: Environment) -> None:
    if python(environment, "import torch; print(torch.cuda.is_available())") == "True\n":
        pytest.skip("there is a GPU")
    text = "import texture, torch; texture.sobel(torch.ones(4, 4).cuda())"
    assert "No CUDA GPUs are available" in refused(environment, text)
