"""The distribution packages that stand for modules in system mode."""

# Debian's package names by module. Every package that the default build needs is here, so that the
# first one missing can name all the others that are missing too.
REQUIRED = {
    "eigen": struct(pkg_config = ["eigen3"], packages = ["libeigen3-dev"]),
    "googletest": struct(pkg_config = ["gtest", "gmock"], packages = ["libgtest-dev", "libgmock-dev"]),
    "highway": struct(pkg_config = ["libhwy"], packages = ["libhwy-dev"]),
}

# Found only when an option chooses them.
OPTIONAL = {
    "atlas": struct(pkg_config = ["blas-atlas"], packages = ["libatlas-base-dev"]),
    # No pkg-config file; the probe finds it.
    "blis": struct(pkg_config = [], packages = ["libblis-dev"]),
    # PyTorch's own sources: overlay/pytorch.
    "cpuinfo": struct(pkg_config = ["libcpuinfo"], packages = ["libcpuinfo-dev"]),
    "dnnl": struct(pkg_config = [], packages = ["libdnnl-dev", "libideep-dev"]),
    "flatbuffers": struct(pkg_config = ["flatbuffers"], packages = ["libflatbuffers-dev"]),
    "flexiblas": struct(pkg_config = ["flexiblas"], packages = ["libflexiblas-dev"]),
    "fmt": struct(pkg_config = ["fmt"], packages = ["libfmt-dev"]),
    "ideep": struct(pkg_config = [], packages = ["libideep-dev"]),
    "lapack": struct(pkg_config = ["lapack", "blas"], packages = ["liblapack-dev", "libblas-dev"]),
    "nlohmann_json": struct(pkg_config = ["nlohmann_json"], packages = ["nlohmann-json3-dev"]),
    "numa": struct(pkg_config = ["numa"], packages = ["libnuma-dev"]),
    "onnx": struct(pkg_config = [], packages = ["libonnx-dev"]),
    "openblas": struct(pkg_config = ["openblas"], packages = ["libopenblas-dev"]),
    "protobuf": struct(pkg_config = ["protobuf"], packages = ["libprotobuf-dev"]),
    "sleef": struct(pkg_config = ["sleef"], packages = ["libsleef-dev"]),
}
