"""The libraries of others that PyTorch's sources use, as the distribution's packages."""

# By name in tables.py, what system_library needs to find it.
LIBRARIES = {
    "cpuinfo": dict(
        headers = ["cpuinfo.h"],
        library = "cpuinfo",
        libs = ["cpuinfo"],
        prefer_shared = True,
    ),
    "flatbuffers": dict(
        headers = ["flatbuffers"],
        library = "flatbuffers",
    ),
    "fmt": dict(
        headers = ["fmt"],
        library = "fmt",
    ),
    "lapack": dict(
        library = "lapack",
        libs = ["lapack", "blas"],
        prefer_shared = True,
    ),
    "nlohmann_json": dict(
        headers = ["nlohmann"],
        library = "nlohmann_json",
    ),
    "onnx": dict(
        headers = ["onnx"],
        library = "onnx",
        libs = ["onnx", "onnx_proto"],
        prefer_shared = True,
    ),
    "protobuf": dict(
        headers = ["google/protobuf"],
        library = "protobuf",
        libs = ["protobuf"],
        prefer_shared = True,
    ),
    "sleef": dict(
        headers = ["sleef.h"],
        library = "sleef",
        libs = ["sleef"],
        prefer_shared = True,
    ),
}
