"""Builds the package against the torch of this environment: pip install ."""

import sys
import sysconfig

from setuptools import setup

# pip hides the environment's packages from a build, and torch is one of them.
sys.path.append(sysconfig.get_path("platlib"))

from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(
    name="my_ops",
    version="0.1.0",
    packages=["my_ops"],
    ext_modules=[CppExtension("my_ops._C", ["my_ops/ops.cpp"])],
    cmdclass={"build_ext": BuildExtension},
)
