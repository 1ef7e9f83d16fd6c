"""The optional libraries that come out of a pinned wheel: one entry each.

Everything else derives from this table: the repository, the option `--<name>` and its setting, the macro
that sources see, what is linked and where it is found at run time, the copies beside `torch/lib`, what a
wheel requires, the environment variable of `pip install .`, and the licences. Python reads it too, so it
has no `load`.

To add a library: add its entry, then `./bazelw run //tools:update`. Name the source that calls it in
aten/src/ATen/native/cuda/libraries.bzl.
"""

def _library(
        title,
        doc,
        variable,
        define,
        distribution,
        version,
        sha256,
        root,
        header,
        headers = ["include/**/*.h"],
        headers_distribution = "",
        headers_sha256 = [],
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
      variable: PyTorch's environment variable.
      define: the macro of the sources that call it.
      distribution: the distribution on the package index, as pip writes it.
      version: of the distribution.
      sha256: hashes of its wheels, one for each platform.
      root: the folder inside the wheel that holds `include` and `lib`.
      header: a header that must be there, below `root`.
      headers: patterns of its headers.
      headers_distribution: where the headers are, if they have a wheel of their own.
      headers_sha256: hashes of that one.
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
        headers = headers,
        headers_distribution = headers_distribution,
        headers_sha256 = headers_sha256,
        linked = linked,
        linkopts = linkopts,
        loaded = loaded,
        platforms = platforms,
        requires = requires,
        root = root,
        run_path = run_path,
        sha256 = sha256,
        title = title,
        variable = variable,
        version = version,
    )

OPTIONAL_LIBRARIES = {
    "cublas": _library(
        title = "cuBLAS",
        cuda = 13,
        define = "USE_CUBLAS",
        distribution = "nvidia-cublas",
        doc = "Multiply matrices on CUDA by cuBLAS, from NVIDIA's wheel; off uses our own kernels.",
        header = "include/cublas_v2.h",
        linked = ["libcublas.so.13", "libcublasLt.so.13"],
        requires = ["cuda"],
        root = "nvidia/cu13",
        run_path = "../../nvidia/cu13/lib",
        sha256 = [
            "ee8722c1f0145ab246bccb9e452153b5e0515fd094c3678df50b2a0888b8b171",  # x86_64
            "c86fc7f7ae36d7528288c5d88098edcb7b02c633d262e7ddbb86b0ad91be5df2",  # aarch64
        ],
        variable = "USE_CUBLAS",
        version = "13.1.0.3",
    ),
    "cudnn": _library(
        title = "cuDNN",
        cuda = 13,
        define = "USE_CUDNN",
        distribution = "nvidia-cudnn-cu13",
        doc = "Convolve on CUDA by cuDNN, from NVIDIA's wheel; off uses our own kernels.",
        header = "include/cudnn.h",
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
        variable = "USE_CUDNN",
        version = "9.20.0.48",
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
        linkopts = ["-ldl"],
        requires = ["cuda"],
        root = "nvidia/cu13",
        sha256 = [
            "4936d1d6780fbe68db454f5e72a42ff64d1fd6397df9f363ae786930fd5c1cd4",  # x86_64
            "cb7780edb6b14107373c835bf8b72e7a178bac7367e23da7acb108f973f157a6",  # aarch64
        ],
        variable = "USE_NVTX",
        version = "13.0.85",
    ),
    "cupti": _library(
        title = "CUPTI",
        cuda = 13,
        define = "USE_CUPTI",
        distribution = "nvidia-cuda-cupti",
        doc = "Record what GPUs do by CUPTI, from NVIDIA's wheel: torch.profiler.",
        header = "include/cupti.h",
        linked = ["libcupti.so.13"],
        requires = ["cuda"],
        root = "nvidia/cu13",
        run_path = "../../nvidia/cu13/lib",
        sha256 = [
            "4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8",  # x86_64
            "796bd679890ee55fb14a94629b698b6db54bcfd833d391d5e94017dd9d7d3151",  # aarch64
        ],
        variable = "USE_CUPTI",
        version = "13.0.85",
    ),
    "nccl": _library(
        title = "NCCL",
        cuda = 13,
        define = "USE_NCCL",
        distribution = "nvidia-nccl-cu13",
        doc = "Run collectives between the GPUs of one process by NCCL, from NVIDIA's wheel: torch.cuda.nccl.",
        header = "include/nccl.h",
        headers = ["include/nccl.h"],
        linked = ["libnccl.so.2"],
        requires = ["cuda"],
        root = "nvidia/nccl",
        run_path = "../../nvidia/nccl/lib",
        sha256 = [
            "e4553a30f34195f3fa1da02a6da3d6337d28f2003943aa0a3d247bbc25fefc42",  # x86_64
            "01c873ba1626b54caa12272ed228dc5b2781545e0ae8ba3f432a8ef1c6d78643",  # aarch64
        ],
        variable = "USE_NCCL",
        version = "2.28.9",
    ),
    "onednn": _library(
        title = "oneDNN",
        define = "TORCH_USE_ONEDNN",
        # Built for the OpenMP of GCC.
        distribution = "onednn-cpu-gomp",
        doc = "Use Intel's oneDNN, from its wheel, for the convolutions and bfloat16 products that it does faster on the CPU.",
        header = "include/dnnl.h",
        headers = ["include/**"],
        headers_distribution = "onednn-devel-cpu-gomp",
        headers_sha256 = ["9763c69e8c907e119056bd52ad918ca84ac9ba939d130a99dfa95ccca3e5e284"],
        linked = ["libdnnl.so.3"],
        platforms = ["linux_x86_64"],
        requires = ["openmp"],
        root = "onednn_cpu_gomp-2023.2.0.data/data",
        run_path = "../../../..",
        sha256 = ["2f22a54d6a890ed14bfa185d42a4be65d8b5b1df85dc1f0f3a9abe31620416fb"],
        variable = "USE_MKLDNN",
        version = "2023.2.0",
    ),
}
