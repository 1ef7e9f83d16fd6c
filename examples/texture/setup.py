"""Builds the operators against the torch of this environment: pip install ."""

import sys
import sysconfig

from setuptools import setup

# pip hides the environment's packages from a build, and torch is one of them.
sys.path.append(sysconfig.get_path("platlib"))

import torch
from torch.utils.cpp_extension import (
    BuildExtension,
    CppExtension,
    CUDAExtension,
)

if torch.version.cuda:
    extension = CUDAExtension("texture._C", ["src/texture.cpp", "src/texture_cuda.cu"])
else:
    extension = CppExtension("texture._C", ["src/texture.cpp"])

setup(
    name="texture",
    version="0.1.0",
    packages=["texture"],
    ext_modules=[extension],
    cmdclass={"build_ext": BuildExtension},
)
