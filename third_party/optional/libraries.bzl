"""The optional libraries that come out of a pinned wheel: one entry each.

Everything else derives from this table: the repository, the option `--<name>` and its setting, the macro
that sources see, what is linked and where it is found at run time, the copies beside `torch/lib`, what a
wheel requires, the environment variable of `pip install .`, the licences, and the table of
`docs/options.md`. Python reads it too, so it has no `load`.

To add a library: add its entry, then `./bazelw run //tools:update`. Name the source that calls it in
aten/src/ATen/native/cuda/libraries.bzl.
"""

def _header_wheel(distribution, version, sha256, root, header, headers = ["include/**/*.h"], option = ""):
    """A wheel that only headers are taken from.

    Args:
      distribution: on the package index, as pip writes it.
      version: of the distribution.
      sha256: hashes of its wheels, one for each platform.
      root: the folder inside the wheel that holds `include`.
      header: a header that must be there, below `root`.
      headers: patterns of its headers.
      option: the option that it is downloaded for.

    Returns:
      The wheel as a struct.
    """
    return struct(
        distribution = distribution,
        header = header,
        headers = headers,
        option = option,
        root = root,
        sha256 = sha256,
        version = version,
    )

def _library(
        title,
        doc,
        without,
        licence,
        size,
        variable,
        define,
        distribution,
        version,
        sha256,
        root,
        header = "",
        headers = ["include/**/*.h"],
        header_wheels = [],
        linked = [],
        loaded = [],
        linkopts = [],
        run_path = "",
        cuda = 0,
        requires = [],
        platforms = []):
    """One library.

    Args:
      title: its name, as messages write it.
      doc: what the option does, a sentence for the reference.
      without: what a build without it does instead, for the reference.
      licence: that of its wheel, as an SPDX expression; NVIDIA's own are LicenseRef-NVIDIA-Proprietary.
      size: what is downloaded for it, for the reference.
      variable: PyTorch's environment variable.
      define: the macro of the sources that call it.
      distribution: the distribution on the package index, as pip writes it.
      version: of the distribution.
      sha256: hashes of its wheels, one for each platform.
      root: the folder inside the wheel that holds `include` and `lib`.
      header: a header that must be there, below `root`; none if the wheel has no headers.
      headers: patterns of its headers.
      header_wheels: names of HEADER_WHEELS, whose headers it needs besides.
      linked: names of the files below `lib` that are linked.
      loaded: names of those that the linked ones load at run time.
      linkopts: options for whoever uses the headers.
      run_path: where pip installs the files, from `torch/lib`.
      cuda: the major version of CUDA that it is for; 0 if it runs on the CPU.
      requires: names of the options that must be on.
      platforms: the platforms that it has wheels for, `os_cpu`; none means all.

    Returns:
      The library as a struct.
    """
    return struct(
        cuda = cuda,
        define = define,
        distribution = distribution,
        doc = doc,
        header = header,
        header_wheels = header_wheels,
        headers = headers,
        licence = licence,
        linked = linked,
        linkopts = linkopts,
        loaded = loaded,
        platforms = platforms,
        requires = requires,
        root = root,
        run_path = run_path,
        sha256 = sha256,
        size = size,
        title = title,
        variable = variable,
        version = version,
        without = without,
    )

# Headers that libraries below need and that are in another wheel than their own.
HEADER_WHEELS = {
    # cusparseLt.h includes cusparse.h. Nothing of the library is linked.
    "cusparse": _header_wheel(
        distribution = "nvidia-cusparse",
        header = "include/cusparse.h",
        option = "cusparselt",
        root = "nvidia/cu13",
        sha256 = [
            "2b3c89c88d01ee0e477cb7f82ef60a11a4bcd57b6b87c33f789350b59759360b",  # x86_64
            "80bcc4662f23f1054ee334a15c72b8940402975e0eab63178fc7e670aa59472c",  # aarch64
        ],
        version = "12.6.3.3",
    ),
    "onednn_devel": _header_wheel(
        distribution = "onednn-devel-cpu-gomp",
        header = "include/dnnl.h",
        headers = ["include/**"],
        option = "onednn",
        root = "onednn_devel_cpu_gomp-2023.2.0.data/data",
        sha256 = ["9763c69e8c907e119056bd52ad918ca84ac9ba939d130a99dfa95ccca3e5e284"],
        version = "2023.2.0",
    ),
}

OPTIONAL_LIBRARIES = {
    "cublas": _library(
        title = "cuBLAS",
        cuda = 13,
        define = "USE_CUBLAS",
        distribution = "nvidia-cublas",
        doc = "Multiply matrices on CUDA by cuBLAS, from NVIDIA's wheel; `_addmm_activation` adds bias and activation in one pass.",
        header = "include/cublas_v2.h",
        licence = "LicenseRef-NVIDIA-Proprietary",
        linked = ["libcublas.so.13", "libcublasLt.so.13"],
        requires = ["cuda"],
        root = "nvidia/cu13",
        run_path = "../../nvidia/cu13/lib",
        sha256 = [
            "ee8722c1f0145ab246bccb9e452153b5e0515fd094c3678df50b2a0888b8b171",  # x86_64
            "c86fc7f7ae36d7528288c5d88098edcb7b02c633d262e7ddbb86b0ad91be5df2",  # aarch64
        ],
        size = "420 MB",
        variable = "USE_CUBLAS",
        version = "13.1.0.3",
        without = "our own kernels, on tensor cores for half precision",
    ),
    "cudnn": _library(
        title = "cuDNN",
        cuda = 13,
        define = "USE_CUDNN",
        distribution = "nvidia-cudnn-cu13",
        doc = "Convolve on CUDA by cuDNN, from NVIDIA's wheel, in one to three dimensions, with gradients: torch.backends.cudnn.",
        header = "include/cudnn.h",
        licence = "LicenseRef-NVIDIA-Proprietary",
        linked = ["libcudnn.so.9"],
        loaded = [
            "libcudnn_adv.so.9",
            "libcudnn_cnn.so.9",
            "libcudnn_engines_precompiled.so.9",
            "libcudnn_engines_runtime_compiled.so.9",
            "libcudnn_graph.so.9",
            "libcudnn_heuristic.so.9",
            "libcudnn_ops.so.9",
        ],
        requires = ["cuda"],
        root = "nvidia/cudnn",
        run_path = "../../nvidia/cudnn/lib",
        sha256 = [
            "18a80a637607a9e0406cfa41c121cf5ac0734d2082af4b6645a464d9e9119753",  # x86_64
            "0c45dd8eeb50b603f07995b1b300c62ffe6a1980482b82b3bcf94a4ca9d49304",  # aarch64
        ],
        size = "370 MB",
        variable = "USE_CUDNN",
        version = "9.20.0.48",
        without = "our own kernels, which gather the windows of the input as they need them",
    ),
    "cusparselt": _library(
        title = "cuSPARSELt",
        cuda = 13,
        define = "USE_CUSPARSELT",
        distribution = "nvidia-cusparselt-cu13",
        doc = "Multiply by 2:4 sparse matrices on CUDA by cuSPARSELt, from NVIDIA's wheel: torch.sparse.to_sparse_semi_structured.",
        header = "include/cusparseLt.h",
        header_wheels = ["cusparse"],
        licence = "LicenseRef-NVIDIA-Proprietary",
        linked = ["libcusparseLt.so.0"],
        requires = ["cuda"],
        root = "nvidia/cusparselt",
        run_path = "../../nvidia/cusparselt/lib",
        sha256 = [
            "786ce87568c303fadb5afcc7102d454cd3040d75f6f8626f5db460d1871f4dd0",  # x86_64
            "4dca476c50bf4780d46cd0bfbd82e2bc10a08e4fef7950917ce8d7578d22a23f",  # aarch64
        ],
        size = "170 MB, and cuSPARSE's headers out of 145 MB",
        variable = "USE_CUSPARSELT",
        version = "0.8.1",
        without = "these functions refuse, and name the option",
    ),
    "nvtx": _library(
        title = "NVTX",
        cuda = 13,
        define = "USE_NVTX",
        distribution = "nvidia-nvtx",
        # Headers alone, which look for a profiler at run time.
        doc = "Mark ranges of the program for NVIDIA's profilers: torch.cuda.nvtx.",
        header = "include/nvtx3/nvToolsExt.h",
        headers = ["include/nvtx3/**"],
        licence = "Apache-2.0 WITH LLVM-exception",
        linkopts = ["-ldl"],
        requires = ["cuda"],
        root = "nvidia/cu13",
        sha256 = [
            "4936d1d6780fbe68db454f5e72a42ff64d1fd6397df9f363ae786930fd5c1cd4",  # x86_64
            "cb7780edb6b14107373c835bf8b72e7a178bac7367e23da7acb108f973f157a6",  # aarch64
        ],
        size = "0.2 MB of headers",
        variable = "USE_NVTX",
        version = "13.0.85",
        without = "these functions refuse, and name the option",
    ),
    "cupti": _library(
        title = "CUPTI",
        cuda = 13,
        define = "USE_CUPTI",
        distribution = "nvidia-cuda-cupti",
        doc = "Record what GPUs do by CUPTI, from NVIDIA's wheel: torch.profiler.",
        header = "include/cupti.h",
        licence = "LicenseRef-NVIDIA-Proprietary",
        linked = ["libcupti.so.13"],
        requires = ["cuda"],
        root = "nvidia/cu13",
        run_path = "../../nvidia/cu13/lib",
        sha256 = [
            "4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8",  # x86_64
            "796bd679890ee55fb14a94629b698b6db54bcfd833d391d5e94017dd9d7d3151",  # aarch64
        ],
        size = "11 MB",
        variable = "USE_CUPTI",
        version = "13.0.85",
        without = "the profiler records what the processor does; it refuses ProfilerActivity.CUDA, and names the option",
    ),
    "nccl": _library(
        title = "NCCL",
        cuda = 13,
        define = "USE_NCCL",
        distribution = "nvidia-nccl-cu13",
        doc = "Run collectives between the GPUs of one process by NCCL, from NVIDIA's wheel: torch.cuda.nccl.",
        header = "include/nccl.h",
        headers = ["include/nccl.h"],
        licence = "BSD-3-Clause",
        linked = ["libnccl.so.2"],
        requires = ["cuda"],
        root = "nvidia/nccl",
        run_path = "../../nvidia/nccl/lib",
        sha256 = [
            "e4553a30f34195f3fa1da02a6da3d6337d28f2003943aa0a3d247bbc25fefc42",  # x86_64
            "01c873ba1626b54caa12272ed228dc5b2781545e0ae8ba3f432a8ef1c6d78643",  # aarch64
        ],
        size = "200 MB",
        variable = "USE_NCCL",
        version = "2.28.9",
        without = "these functions refuse, and name the option",
    ),
    "onednn": _library(
        title = "oneDNN",
        define = "TORCH_USE_ONEDNN",
        # Built for the OpenMP of GCC.
        distribution = "onednn-cpu-gomp",
        doc = "Use Intel's oneDNN, from its wheel, for the convolutions and bfloat16 products that it does faster on the CPU.",
        header_wheels = ["onednn_devel"],
        licence = "Apache-2.0",
        linked = ["libdnnl.so.3"],
        platforms = ["linux_x86_64"],
        requires = ["openmp"],
        root = "onednn_cpu_gomp-2023.2.0.data/data",
        run_path = "../../../..",
        sha256 = ["2f22a54d6a890ed14bfa185d42a4be65d8b5b1df85dc1f0f3a9abe31620416fb"],
        size = "39 MB",
        variable = "USE_MKLDNN",
        version = "2023.2.0",
        without = "our own kernels",
    ),
}
