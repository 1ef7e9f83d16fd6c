"""The CUDA toolkit that compiles extensions: where it is, whether it fits torch, nvcc's flags."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

# As in torch's own libraries, so that a machine without a toolkit runs what it did not compile.
RUNTIME = ("cudart_static", "dl", "pthread", "rt")


@dataclass(frozen=True)
class Toolkit:
    """A CUDA toolkit.

    Attributes:
      root: its directory.
      version: as nvcc says it: `13.0`.
    """

    root: str
    version: str

    @property
    def nvcc(self) -> str:
        """The compiler."""
        return f"{self.root}/bin/nvcc"

    @property
    def include(self) -> str:
        """The directory of cuda_runtime.h."""
        return f"{self.root}/include"

    @property
    def lib(self) -> str:
        """The directory of the runtime; NVIDIA's wheels have no lib64."""
        wide = Path(self.root, "lib64")
        return str(wide if wide.is_dir() else wide.with_name("lib"))

    def arch_flags(self, cflags: Sequence[str] = ()) -> list[str]:
        """nvcc's flags for TORCH_CUDA_ARCH_LIST, or for the GPUs of torch itself if it is not set.

        No flags if `cflags` name architectures. ValueError if this nvcc cannot compile for one.
        """
        if any("arch" in flag for flag in cflags):
            return []
        text = os.environ.get("TORCH_CUDA_ARCH_LIST", "")
        if not text:
            # torch.cuda.get_arch_list() is empty where there is no GPU.
            own = torch._C._cuda_getArchFlags().split()  # type: ignore[attr-defined]
            return [_arch_flag(*name.split("_", 1)) for name in own]
        from torch._cuda_archs import parse_cuda_archs

        parsed = parse_cuda_archs(text, self.version, "TORCH_CUDA_ARCH_LIST")
        if parsed.errors:
            raise ValueError("\n".join(parsed.errors))
        flags = []
        for arch in parsed.archs:
            kinds = ("sm", "compute") if arch.ptx else ("sm",)
            flags += [_arch_flag(kind, arch.code) for kind in kinds]
        return flags


def _arch_flag(kind: str, number: str) -> str:
    return f"-gencode=arch=compute_{number},code={kind}_{number}"


def find_root() -> str | None:
    """The toolkit's directory: CUDA_HOME, CUDA_PATH, that of nvcc in PATH, the usual place."""
    named = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    if named:
        return named
    nvcc = shutil.which("nvcc")
    root = Path(os.path.realpath(nvcc)).parent.parent if nvcc else None
    # nvcc in PATH may be a script that lies elsewhere.
    if root and (root / "include/cuda_runtime.h").exists():
        return str(root)
    return "/usr/local/cuda" if Path("/usr/local/cuda/bin/nvcc").exists() else None


def find_toolkit() -> Toolkit:
    """The toolkit; RuntimeError if torch has no CUDA, there is none, or it is for another torch."""
    if torch.version.cuda is None:
        raise RuntimeError(
            "this build of torch has no CUDA, and an extension with CUDA sources needs it. Leave the .cu files out, or install a build with CUDA: USE_CUDA=1 pip install ."
        )
    root = find_root()
    if root is None or not Path(root, "bin/nvcc").exists():
        raise RuntimeError(
            f"no CUDA compiler: {root or 'CUDA_HOME'} has no bin/nvcc. "
            "Name the toolkit: CUDA_HOME=/usr/local/cuda"
        )
    command = [f"{root}/bin/nvcc", "--version"]
    said = subprocess.run(command, capture_output=True, check=False, text=True)
    found = re.search(r"release (\d+\.\d+)", said.stdout)
    if not found:
        raise RuntimeError(f"{command[0]} is no CUDA compiler; it says: {said.stdout}{said.stderr}")
    if found[1].split(".")[0] != torch.version.cuda.split(".")[0]:
        raise RuntimeError(
            f"{root} is CUDA {found[1]}, and torch was compiled with CUDA {torch.version.cuda}; an extension of another major version does not load. Name a toolkit of the same: "
            f"CUDA_HOME=/usr/local/cuda-{torch.version.cuda}"
        )
    return Toolkit(root, found[1])


# What nvcc of CUDA 13.0 and earlier needs with glibc 2.42 and later, whose rsqrt its own headers
# contradict: this header is found before glibc's and gives glibc's rsqrt another name.
_MATHCALLS = "\n".join(
    [
        "#pragma GCC system_header",
        "#define rsqrt glibc_rsqrt",
        "#define rsqrtf glibc_rsqrtf",
        *(
            f"#define __DECL_SIMD_glibc_rsqrt{suffix}"
            for suffix in ("", *"fl", "f16", "f32", "f64", "f128", "f32x", "f64x", "f128x")
        ),
        "#include_next <bits/mathcalls.h>",
        "#undef rsqrt",
        "#undef rsqrtf",
        "",
    ]
)


def header_flags(directory: Path) -> list[str]:
    """nvcc's flags that mend the system's headers for it, which are written below `directory`."""
    name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
    if name != "glibc" or tuple(int(part) for part in version.split(".")[:2]) < (2, 42):
        return []
    header = directory / "cuda_headers/bits/mathcalls.h"
    if not header.exists():
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(_MATHCALLS, encoding="utf-8")
    return ["-isystem", str(header.parents[1])]
