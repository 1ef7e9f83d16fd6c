"""The licence of each library of others that something of this tree contains.

The key is the name of its module, or of its repository where one of this module's extensions makes it.
A note says what packages change of it.
"""

load("//third_party/optional:libraries.bzl", "HEADER_WHEELS", "OPTIONAL_LIBRARIES")

LICENSES = {
    # The CUDA runtime. The toolkit's licence lets programs ship a copy of it.
    "cuda": struct(
        homepage = "https://docs.nvidia.com/cuda/",
        owner = "NVIDIA Corporation",
        spdx = "LicenseRef-NVIDIA-CUDA-EULA",
    ),
    "ducc": struct(
        homepage = "https://gitlab.mpcdf.mpg.de/mtr/ducc",
        owner = "2010-2026 Max-Planck-Society, Peter Bell, Philipp Arras and others",
        spdx = "BSD-3-Clause",
    ),
    "eigen": struct(
        homepage = "https://libeigen.gitlab.io",
        owner = "2006-2025 Benoit Jacob, Gael Guennebaud and others",
        spdx = "MPL-2.0",
    ),
    "gcc_runtime": struct(
        homepage = "https://gcc.gnu.org",
        note = "libgomp.so.1 is changed: tools/package/older_glibc.py made it ask for older versions of functions of glibc.",
        owner = "Free Software Foundation, Inc.",
        spdx = "GPL-3.0-or-later WITH GCC-exception-3.1",
    ),
    "highway": struct(
        homepage = "https://github.com/google/highway",
        owner = "2019-2025 Google LLC",
        spdx = "Apache-2.0",
    ),
    # Extensions compile against Python's headers; the interpreter is the user's.
    "host_python": None,
    "pybind11": struct(
        homepage = "https://github.com/pybind/pybind11",
        owner = "2016 Wenzel Jakob and others",
        spdx = "BSD-3-Clause",
    ),
    "python_3.11": None,
    "python_3.12": None,
    "python_3.13": None,
    "python_3.14": None,
    "rules_python": None,
    # It holds LAPACK and GCC's Fortran runtime.
    "scipy_openblas32": struct(
        homepage = "https://github.com/MacPython/openblas-libs",
        owner = "2011-2026 The OpenBLAS Project, the authors of LAPACK, and the Free Software Foundation, Inc.",
        spdx = "BSD-3-Clause AND GPL-3.0-or-later WITH GCC-exception-3.1",
    ),
    # Its headers; the loader and the driver are the user's.
    "vulkan": struct(
        homepage = "https://www.khronos.org/vulkan",
        owner = "2014-2023 The Khronos Group Inc.",
        spdx = "Apache-2.0",
    ),
} | {
    # pip installs them from their own wheels, which hold their licences.
    name: None
    for table in [OPTIONAL_LIBRARIES, HEADER_WHEELS]
    for name in table
}

# The words of each licence.
TEXTS = {
    "Apache-2.0": "Apache-2.0.txt",
    "BSD-3-Clause": "BSD-3-Clause.txt",
    "BSD-3-Clause AND GPL-3.0-or-later WITH GCC-exception-3.1": ":both_of_openblas",
    "GPL-3.0-or-later WITH GCC-exception-3.1": "GPL-3.0-with-GCC-exception.txt",
    "LicenseRef-NVIDIA-CUDA-EULA": "NVIDIA-CUDA-EULA.txt",
    "MPL-2.0": "MPL-2.0.txt",
}
