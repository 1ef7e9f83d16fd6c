"""class Tensor: the part written in Python."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, SupportsIndex

from torch import _C


class Tensor(_C.TensorBase):
    """An n-dimensional array of one dtype that can take part in automatic differentiation."""

    __module__ = "torch"
    # NumPy arrays let tensors handle mixed operations.
    __array_priority__ = 1000

    def __repr__(self, *, tensor_contents: str | None = None) -> str:
        from torch import _tensor_str

        return _tensor_str._str(self, tensor_contents=tensor_contents)

    def __format__(self, format_spec: str) -> str:
        if self.dim() == 0 and not self.is_meta and type(self) is Tensor:
            return self.item().__format__(format_spec)
        return object.__format__(self, format_spec)

    def __iter__(self) -> Iterator[Tensor]:
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __reversed__(self) -> Tensor:
        return self if self.dim() == 0 else self.flip(0)

    def __contains__(self, element: Any) -> bool:
        if isinstance(element, (Tensor, int, float, complex, bool)):
            return bool((self == element).any().item())
        raise RuntimeError(
            f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
            f"{type(element)}."
        )

    def __dir__(self) -> list[str]:
        return sorted({*dir(type(self)), *self.__dict__})

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __complex__(self) -> complex:
        return complex(self.item())

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
                "protocol at the moment.  If you were attempting to deepcopy a module, this may be "
                "because of a torch.nn.utils.weight_norm usage, see "
                "https://github.com/pytorch/pytorch/pull/103001"
            )
        if id(self) in memo:
            return memo[id(self)]
        result = self.detach().clone()
        if type(self) is not Tensor:
            result = Tensor._make_subclass(type(self), result, self.requires_grad)
        elif self.requires_grad:
            result.requires_grad_()
        if self.grad is not None:
            result.grad = self.grad.__deepcopy__(memo)
        import copy

        result.__dict__.update(copy.deepcopy(self.__dict__, memo))
        memo[id(self)] = result
        return result

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return (_rebuild, (type(self), self.detach().cpu().numpy(), self.requires_grad))

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Adds the gradient of this tensor with respect to the leaves to their `.grad`.

        A tensor of more than one element needs `gradient`, of its own shape. The graph is freed
        unless `retain_graph`.
        """
        from torch import autograd

        autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Any:
        """Calls `hook(grad)` when the gradient of this tensor is computed; it may replace it."""
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        from torch.utils.hooks import RemovableHandle

        if self._backward_hooks is None:
            self._backward_hooks = OrderedDict()
        handle = RemovableHandle(self._backward_hooks)
        self._backward_hooks[handle.id] = hook
        return handle

    def split(self, split_size: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
        """Views of the given size, the last one smaller, or of the given sizes."""
        if isinstance(split_size, (list, tuple)):
            return self.split_with_sizes(split_size, dim)
        return super().split(split_size, dim)

    def norm(
        self, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
    ) -> Tensor:
        """The p-norm over `dim`, or over everything."""
        from torch.functional import norm

        return norm(self, p, dim, keepdim, dtype)

    def unique(self, sorted: bool = True) -> Tensor:
        """The distinct elements, sorted."""
        from torch.functional import unique

        return unique(self, sorted)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        raise AttributeError(
            f"Can't get __cuda_array_interface__ on non-CUDA tensor type: {self.type()} If CUDA "
            "data is required use tensor.cuda() to copy tensor to device memory."
        )


def _rebuild(cls: type[Tensor], array: Any, requires_grad: bool) -> Tensor:
    """The inverse of `__reduce_ex__`."""
    tensor = _C._VariableFunctions.from_numpy(array.copy())  # type: ignore[attr-defined]
    if cls is not Tensor:
        return Tensor._make_subclass(cls, tensor, requires_grad)
    return tensor.requires_grad_(requires_grad) if requires_grad else tensor


__all__ = ["Tensor"]
