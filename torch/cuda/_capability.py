"""Whether a GPU finds code for itself in this build."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from torch.cuda._runtime import call


def has_code_for(capability: tuple[int, int], arch_list: Sequence[str]) -> bool:
    """Whether one of `sm_80`, `compute_90`... runs on a GPU of this compute capability.

    Machine code runs on the same major version with the same or a higher minor one, except for
    architecture-specific code (`sm_90a`, this very version) and family-specific code (`sm_100f`,
    the same major version). PTX is compiled for every later version.
    """
    major, minor = capability
    for arch in arch_list:
        kind, _, code = arch.partition("_")
        suffix = code[len(code.rstrip("af")) :]
        number = int(code.rstrip("af"))
        its_major, its_minor = divmod(number, 10)
        if suffix == "a":
            fits = (its_major, its_minor) == capability
        elif kind == "sm" or suffix == "f":
            fits = its_major == major and its_minor <= minor
        else:
            fits = (its_major, its_minor) <= capability
        if fits:
            return True
    return False


def check_capability(index: int, capability: tuple[int, int], arch_list: Sequence[str]) -> None:
    """Warns of a GPU that this build has no code for, and says what to build.

    Args:
        index: of the GPU.
        capability: its compute capability, (major, minor).
        arch_list: what the build has code for: "sm_80" for machine code, "compute_90" for PTX,
            which the driver compiles for the same and later GPUs.
    """
    if has_code_for(capability, arch_list):
        return
    version = f"{capability[0]}.{capability[1]}"
    warnings.warn(
        f"GPU {index} has compute capability {version}, and this build has code for "
        f"{' '.join(arch_list)}. Build with "
        f'--cuda_archs="{call("_cuda_getArchOption")};{version}".',
        stacklevel=3,
    )
