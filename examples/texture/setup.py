"""Builds the operators against the installed torch: pip install --no-build-isolation ."""

import torch
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension, CUDAExtension

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
