"""The BLAS libraries of `--blas`; each is looked for or downloaded only when the option chooses it."""

load("//third_party/python:wheel_files.bzl", "wheel_files")
load("//third_party/system_library:system_library.bzl", "system_library")

# All of them have BLAS's Fortran interface, so that none needs its header.
_PROBE = """
extern "C" void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*,
                       const float*, const int*, const float*, const int*, const float*, float*,
                       const int*);
int main() {
  const int n = 1;
  const float a = 2, b = 3, one = 1, zero = 0;
  float c = 0;
  sgemm_("N", "N", &n, &n, &n, &one, &a, &n, &b, &n, &zero, &c, &n);
  return c == 6 ? 0 : 1;
}
"""

_SYSTEM = {
    "atlas": ["f77blas", "atlas"],
    "blis": ["blis"],
    "flexiblas": ["flexiblas"],
    "openblas": ["openblas"],
}

# The wheels of https://pypi.org/project/mkl and mkl-static for Linux on x86_64.
_MKL_VERSION = "2025.0.1"
_MKL_SHA256 = {
    "mkl": "581b3de496bd004ab2d2bd38775bbcc885303270687940848a19747cce45d47b",
    "mkl_static": "7684859eaf0522279edacfa580bf08ac3e9aa6754d89591b3ae170d0454cbdf7",
}

_MKL_BUILD = """
package(default_visibility = ["//visibility:public"])

exports_files(["facts.json"] + glob(["lib/libmkl_*"]))

# What libmkl_core loads for the processor at run time.
filegroup(
    name = "kernels",
    srcs = glob(
        ["lib/libmkl_{}.so*".format(p) for p in ["def", "mc3", "avx2", "avx512"]],
        allow_empty = True,
    ),
)
"""

# https://pypi.org/project/scipy-openblas32: OpenBLAS for many processors in one library, with names of its own.
_OPENBLAS_VERSION = "0.3.34.481.3"
_OPENBLAS_SHA256 = [
    "0595f94cd58c1f8a0d90c975621f4587337a003916b1979e834ebdf2cb5d9504",  # x86_64
    "e085dddbc5b9aa130f83def515d31c440e69f387a90c7e63b154a5575b4466bc",  # aarch64
]
_OPENBLAS_BUILD = """
exports_files(["facts.json", "lib/libscipy_openblas.so"], visibility = ["//visibility:public"])
"""

def _blas_impl(module_ctx):
    for library, libs in _SYSTEM.items():
        system_library(
            name = library,
            library = library,
            libs = libs,
            option = "blas",
            prefer_shared = True,
            probe = _PROBE,
        )
    for package, sha256 in _MKL_SHA256.items():
        wheel_files(
            name = package,
            build_file = _MKL_BUILD,
            option = "blas",
            otherwise = "--blas=openblas",
            package = package,
            root = "{}-{}.data/data".format(package, _MKL_VERSION),
            sha256 = [sha256],
            version = _MKL_VERSION,
        )
    wheel_files(
        name = "scipy_openblas32",
        build_file = _OPENBLAS_BUILD,
        needs = ["lib/libscipy_openblas.so"],
        option = "lapack",
        otherwise = "--lapack=eigen",
        package = "scipy_openblas32",
        root = "scipy_openblas32",
        sha256 = _OPENBLAS_SHA256,
        version = _OPENBLAS_VERSION,
    )
    return module_ctx.extension_metadata(reproducible = True)

blas = module_extension(
    implementation = _blas_impl,
    doc = "Makes one repository for each library.",
)
