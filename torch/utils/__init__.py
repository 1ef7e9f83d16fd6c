"""What stands beside tensors and layers: data, exchange with other libraries, CMake's files."""

from __future__ import annotations

import importlib
from pathlib import Path as _Path
from typing import TYPE_CHECKING, Any

from torch import _absent

if TYPE_CHECKING:
    from torch.utils import checkpoint as checkpoint
    from torch.utils import data as data
    from torch.utils import dlpack as dlpack
    from torch.utils import hooks as hooks

# For CMAKE_PREFIX_PATH: below it are lib, include and share/cmake/Torch.
cmake_prefix_path = str(_Path(__file__).parent.parent / "share/cmake")

_MODULES = frozenset({"checkpoint", "data", "dlpack", "hooks"})


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"torch.utils.{name}")
    raise _absent.attribute_error("torch.utils", name)


__all__ = ["cmake_prefix_path"]
