"""What stands beside tensors and layers: data, exchange with other libraries, CMake's files."""

from __future__ import annotations

import copyreg
import weakref
from pathlib import Path as _Path
from typing import TYPE_CHECKING, Any, NoReturn

from torch import _C, _absent
from torch._tensor import Tensor
from torch.autograd.graph import get_gradient_edge

if TYPE_CHECKING:
    from torch.utils import checkpoint as checkpoint
    from torch.utils import data as data
    from torch.utils import dlpack as dlpack
    from torch.utils import hooks as hooks

# For CMAKE_PREFIX_PATH: below it are lib, include and share/cmake/Torch.
cmake_prefix_path = str(_Path(__file__).parent.parent / "share/cmake")


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Swaps two tensors in place: each object gets the other's values, class, attributes, gradient
    and hooks, so that everybody who holds one of the objects sees the other tensor.

    Args:
        t1, t2: tensors without views, without weak references, and without a graph that uses them.

    Raises:
        RuntimeError: somebody else uses one of them, or their classes have other `__slots__`. A
            backward pass through a graph that was recorded before raises it, too.

    Example::

        >>> a, b = torch.ones(2), torch.zeros(3)
        >>> torch.utils.swap_tensors(a, b)
        >>> a, b
        (tensor([0., 0., 0.]), tensor([1., 1.]))
    """
    for name, tensor in (("t1", t1), ("t2", t2)):
        if weakref.getweakrefs(tensor):
            raise RuntimeError(f"Cannot swap {name} because it has weakref associated with it")
    slots = set(copyreg._slotnames(type(t1)))  # type: ignore[attr-defined]
    if slots != set(copyreg._slotnames(type(t2))):  # type: ignore[attr-defined]
        raise RuntimeError("Cannot swap t1 and t2 if they have different slots")
    for name, tensor in (("t1", t1), ("t2", t2)):
        _require_unused(name, tensor)
    for attribute in ("__class__", "__dict__", *slots):
        values = [getattr(t, attribute, None) for t in (t1, t2)]
        present = [hasattr(t, attribute) for t in (t1, t2)]
        for tensor, value, is_set in zip((t2, t1), values, present, strict=True):
            if is_set:
                setattr(tensor, attribute, value)
            elif hasattr(tensor, attribute):
                delattr(tensor, attribute)
    _C._swap_tensor_impl(t1, t2)


def _require_unused(name: str, tensor: Tensor) -> None:
    """Raises if anybody but the Python object and the node of its gradient holds a tensor."""
    uses = _C._tensor_use_count(tensor)
    if uses == 2 and tensor.is_leaf and tensor.requires_grad:
        node = get_gradient_edge(tensor).node
        # With a third use the node is new, and somebody else was the second.
        if _C._tensor_use_count(tensor) == 2:
            node.register_prehook(_refuse_gradient)
            return
    if uses > 1:
        raise RuntimeError(
            f"Expected use_count of {name} to be 1 or 2 with an AccumulateGrad node but got {uses} make sure you are not holding references to the tensor in other places."
        )


def _refuse_gradient(grads: Any) -> NoReturn:
    raise RuntimeError(
        "Trying to execute AccumulateGrad node that was poisoned by swap_tensors this can happen when you try to run backward on a tensor that was swapped. For a module m with `torch.__future__.set_swap_module_params_on_conversion(True)` you should not change the device or dtype of the module (e.g. `m.cpu()` or `m.half()`) between running forward and backward. To resolve this, please only change the device/dtype before running forward (or after both forward and backward)."
    )


__getattr__ = _absent.explain(__name__)


__all__ = ["cmake_prefix_path", "swap_tensors"]
