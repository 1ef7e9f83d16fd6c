"""class Tensor: the part written in Python."""

from __future__ import annotations

import copy
import copyreg
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from numbers import Number
from typing import TYPE_CHECKING, Any, SupportsIndex

from torch import _C, _absent
from torch._torch_function import DisableTorchFunctionSubclass, convert, overridable

if TYPE_CHECKING:
    from torch.storage import UntypedStorage


class Tensor(_C.TensorBase):
    """An n-dimensional array of one dtype that can take part in automatic differentiation."""

    __module__ = "torch"
    # NumPy arrays let tensors handle mixed operations.
    __array_priority__ = 1000

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """What a call with an object of a subclass gives: `func` of the arguments as tensors, its
        tensors as objects of the subclass. See `torch.overrides`."""
        if not all(issubclass(cls, other) for other in types):
            return NotImplemented
        with DisableTorchFunctionSubclass():
            result = func(*args, **(kwargs or {}))
        if isinstance(result, (Tensor, tuple, list)):
            from torch.overrides import get_default_nowrap_functions

            if func not in get_default_nowrap_functions():
                return convert(result, cls)
        return result

    @overridable
    def __repr__(self, *, tensor_contents: str | None = None) -> str:
        from torch import _tensor_str

        return _tensor_str._str(self, tensor_contents=tensor_contents)

    @overridable
    def __format__(self, format_spec: str) -> str:
        if self.dim() == 0 and not self.is_meta and type(self) is Tensor:
            return self.item().__format__(format_spec)
        return object.__format__(self, format_spec)

    def __iter__(self) -> Iterator[Tensor]:
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    @overridable
    def __reversed__(self) -> Tensor:
        return self if self.dim() == 0 else self.flip(0)

    @overridable
    def __contains__(self, element: Any) -> bool:
        if isinstance(element, (Tensor, Number)):
            return bool((self == element).any().item())
        raise RuntimeError(
            f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}."
        )

    def __dir__(self) -> list[str]:
        absent = {*_absent.names("torch.Tensor")}
        if not self.is_cuda:
            absent.add("__cuda_array_interface__")
        return sorted({*dir(type(self)), *self.__dict__} - absent)

    @overridable
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    @overridable
    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if array.dtype == bool:
            # NumPy's comparisons give bool; bytes are what can be counted.
            array = array.astype("uint8")
        return _C._VariableFunctions.from_numpy(array)  # type: ignore[attr-defined]

    @overridable
    def __complex__(self) -> complex:
        if self.numel() != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return complex(self.item())

    @overridable
    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        if not self.is_leaf:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001"
            )
        if id(self) in memo:
            return memo[id(self)]
        from torch.autograd.grad_mode import no_grad

        with no_grad():
            result = self._copy_of_memory(memo)
        if self.grad is not None:
            result.grad = self.grad.__deepcopy__(memo)
        if type(self) is not Tensor:
            for name in copyreg._slotnames(type(self)):  # type: ignore[attr-defined]
                if hasattr(self, name):
                    setattr(result, name, copy.deepcopy(getattr(self, name), memo))
        result.__dict__ = copy.deepcopy(self.__dict__, memo)
        memo[id(self)] = result
        return result

    def _copy_of_memory(self, memo: dict[Any, Any]) -> Tensor:
        """A leaf with the same elements. Tensors that share memory do so in the copy, too."""
        if self.is_meta or self.data_ptr() == 0:
            result = self.clone()
            how = "wrapper subclasses only works for subclass types that properly implement clone()"
            name, which = "clone()", "clone() returns"
        else:
            result = self.new_empty([])
            how = "non-wrapper subclasses only works for subclass types that implement new_empty()"
            name, which = "new_empty()", "that function returns"
        if type(result) is not type(self):
            raise RuntimeError(
                f"The default implementation of __deepcopy__() for {how} and for which {which} another instance of the same subclass. You should either properly implement {name} for your subclass or override __deepcopy__() if it is intended behavior for {name} to return an instance of a different type."
            )
        if name == "new_empty()":
            copied = copy.deepcopy(self.untyped_storage(), memo)
            result.set_(copied, self.storage_offset(), self.size(), self.stride())
            if self.is_conj():
                result = result.conj_physical()
            if self.is_neg():
                result = result.neg()
        return result.requires_grad_() if self.requires_grad else result

    @overridable
    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        from torch import _utils

        state = _utils._state_of(self)
        rebuild, arguments = self._rebuild_from_storage()
        if type(self) is Tensor and state is None:
            return rebuild, arguments
        return _rebuild_from_type_v2, (rebuild, type(self), arguments, state)

    def _rebuild_from_storage(self) -> tuple[Callable[..., Tensor], tuple[Any, ...]]:
        """A function of `torch._utils` and the arguments with which it makes this tensor again."""
        from torch import _utils, storage

        if not self.is_leaf:
            import warnings

            warnings.warn(
                "a tensor that is no leaf is pickled without its graph; use tensor.detach()",
                stacklevel=4,
            )
        size, stride = tuple(self.size()), tuple(self.stride())
        if self.is_meta:
            arguments = (self.dtype, size, stride, self.requires_grad)
            return _utils._rebuild_meta_tensor_no_storage, arguments
        hooks: OrderedDict[int, Any] = OrderedDict()
        memory = storage.typed_storage(self)
        common = (memory, self.storage_offset(), size, stride, self.requires_grad, hooks)
        bits = _utils._bits_of(self)
        metadata = (bits,) if bits else ()
        if isinstance(memory, storage.UntypedStorage):
            return _utils._rebuild_tensor_v3, (*common, self.dtype, *metadata)
        return _utils._rebuild_tensor_v2, (*common, *metadata)

    @overridable
    def __setstate__(self, state: Any) -> None:
        from torch import _utils

        _utils._set_state(self, state)

    @overridable
    def untyped_storage(self) -> UntypedStorage:
        """The memory that this tensor and its views share."""
        return _C._untyped_storage(self)

    @overridable
    def storage(self) -> Any:
        """The same as elements of this tensor's dtype."""
        from torch.storage import TypedStorage

        return TypedStorage(wrap_storage=self.untyped_storage(), dtype=self.dtype)

    @overridable
    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule with which another library takes this tensor without a copy."""
        if self.requires_grad:
            raise BufferError("Can't export tensors that require gradient, use tensor.detach()")
        if self.is_conj():
            raise BufferError("Can't export tensors with the conjugate bit set")
        if self.is_neg():
            raise BufferError("Can't export tensors with the negative bit set")
        if stream is not None and type(stream) is not int:
            raise TypeError("stream must be ``int`` or ``none``")
        # -1: the consumer asks for no synchronisation.
        if self.device.type == "cpu" and stream not in (None, -1):
            raise AssertionError("stream should be None on cpu.")
        if dl_device is not None and dl_device != self.__dlpack_device__():
            raise BufferError(f"cannot move a tensor on {self.device} to DLPack device {dl_device}")
        tensor = self.clone() if copy else self
        return _C._to_dlpack(tensor, max_version is not None and max_version[0] >= 1)

    @overridable
    def __dlpack_device__(self) -> tuple[int, int]:
        """The device as DLPack numbers it: its type and its index."""
        types = {"cpu": 1, "cuda": 2}
        if self.device.type not in types:
            raise ValueError(f"Unknown device type {self.device.type} for Dlpack")
        return types[self.device.type], self.device.index or 0

    @overridable
    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Any = None,
    ) -> None:
        """Adds the gradients of this tensor with respect to the leaves to their `.grad`.

        Args:
            gradient: of the shape of this tensor, which multiplies it; 1 if None, for one element.
            retain_graph: whether the graph stays for another call; that of `create_graph` if None.
            create_graph: whether the gradients have graphs of their own, for second derivatives.
            inputs: the tensors whose `.grad` is filled; all leaves if None.

        Raises:
            RuntimeError: the tensor has no graph, or several elements and no `gradient`; the graph
                was freed, or a saved tensor was changed in place.

        Example::

            >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
            >>> (x**2).sum().backward()
            >>> x.grad
            tensor([2., 4.])
        """
        from torch import autograd

        autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    @overridable
    def nonzero_static(self, *, size: int, fill_value: int = -1) -> Tensor:
        """The places of the elements that are not zero, in a tensor of a given size; see
        `torch.nonzero_static`.

        Args:
            size: how many places there are.
            fill_value: what stands for places that are missing.
        """
        from torch.functional import nonzero_static

        return nonzero_static(self, size=size, fill_value=fill_value)

    @overridable
    def to_dense(self, dtype: Any = None, *, masked_grad: bool | None = None) -> Tensor:
        """This tensor, which is dense, as all tensors here are.

        Args:
            dtype: to which it is converted; None converts nothing.
            masked_grad: kept for PyTorch's callers.

        Returns:
            The tensor itself, or the converted one.
        """
        del masked_grad
        return self if dtype is None else self.to(dtype)

    @overridable
    def resize(self, *sizes: Any) -> Tensor:
        """Deprecated: `reshape`, which this calls after a warning.

        Args:
            *sizes: the shape, as numbers or as one sequence.
        """
        import warnings

        warnings.warn("non-inplace resize is deprecated", stacklevel=2)
        return self.reshape(*sizes)

    @overridable
    def resize_as(self, tensor: Tensor) -> Tensor:
        """Deprecated: `reshape_as`, which this calls after a warning.

        Args:
            tensor: has the shape.
        """
        import warnings

        warnings.warn("non-inplace resize_as is deprecated", stacklevel=2)
        return self.reshape_as(tensor)

    @overridable
    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> Any:
        """Calls a function each time that the gradient of this tensor is computed.

        Args:
            hook: takes the gradient. What it returns replaces the gradient, unless it is None. It
                must not change the gradient in place.

        Returns:
            A handle whose `remove()` takes the hook away.

        Raises:
            RuntimeError: the tensor does not require a gradient.

        Example::

            >>> x = torch.ones(2, requires_grad=True)
            >>> handle = x.register_hook(lambda grad: 2 * grad)
            >>> x.sum().backward()
            >>> x.grad
            tensor([2., 2.])
            >>> handle.remove()
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        from torch.utils.hooks import RemovableHandle

        if self._backward_hooks is None:
            self._backward_hooks = OrderedDict()
        handle = RemovableHandle(self._backward_hooks)
        self._backward_hooks[handle.id] = hook
        return handle

    @overridable
    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> Any:
        """Calls a function each time that a gradient was added to the `.grad` of this leaf.

        Args:
            hook: takes this tensor, and returns None or the tensor itself.

        Returns:
            A handle whose `remove()` takes the hook away.

        Raises:
            RuntimeError: the tensor does not require a gradient, or is no leaf.

        Example::

            >>> weight = torch.ones(1, requires_grad=True)
            >>> def step(parameter):
            ...     with torch.no_grad():
            ...         parameter -= 0.5 * parameter.grad
            ...     parameter.grad = None
            >>> _ = weight.register_post_accumulate_grad_hook(step)
            >>> weight.sum().backward()
            >>> weight
            tensor([0.5000], requires_grad=True)
        """
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self.grad_fn is not None:
            raise RuntimeError(
                "post accumulate grad hooks cannot be registered on non-leaf tensors"
            )
        from torch.utils.hooks import RemovableHandle

        if self._post_accumulate_grad_hooks is None:
            self._post_accumulate_grad_hooks = OrderedDict()
        handle = RemovableHandle(self._post_accumulate_grad_hooks)
        self._post_accumulate_grad_hooks[handle.id] = hook
        return handle

    @overridable
    def type(self, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
        """The name of the type of this tensor, such as 'torch.FloatTensor'; or the tensor as
        another dtype or type."""
        from torch import _tensor_types

        kind = _tensor_types.find_type(dtype) if isinstance(dtype, str) else dtype
        if kind is Tensor:
            return self.to("cpu", _C.get_default_dtype(), non_blocking)
        if not isinstance(kind, _tensor_types.tensortype):
            return super().type(dtype, non_blocking, **kwargs)
        return self.to("cuda" if kind.is_cuda else "cpu", kind.dtype, non_blocking)

    @overridable
    def new(self, *args: Any, **kwargs: Any) -> Tensor:
        """A tensor of this dtype on this device, as `torch.FloatTensor(*args)` makes one.

        Args:
            *args: sizes, a sequence of values, a tensor or a storage; nothing for an empty tensor.
            **kwargs: `device`, of this tensor's kind.

        Example::

            >>> torch.ones(1, dtype=torch.int64).new([1, 2])
            tensor([1, 2])
        """
        from torch import _tensor_types

        return _tensor_types.legacy_tensor(self.dtype, self.device, args, kwargs)

    @overridable
    def set_(
        self,
        source: Any = None,
        storage_offset: int = 0,
        size: Sequence[int] | None = None,
        stride: Sequence[int] | None = None,
    ) -> Tensor:
        """Makes this tensor a view of other memory: that of a storage or tensor, from
        `storage_offset` on with `size` and `stride`; of nothing, an empty tensor.

        The dtype stays. RuntimeError where it is not that of the source, and where a leaf that
        requires grad would change.
        """
        if self.requires_grad and self.is_leaf and _C.is_grad_enabled():
            raise RuntimeError(
                "a leaf Variable that requires grad is being used in an in-place operation."
            )
        from torch import _utils

        made = _view_of(self, source, storage_offset, size, stride)
        if made.dtype != self.dtype:
            if not isinstance(source, Tensor):
                raise RuntimeError(
                    f"Expected a Storage of type {self.dtype} or an UntypedStorage, but got type {made.dtype} for argument 1 'storage'"
                )
            raise RuntimeError(
                f"Could not set tensor of type {made.type()} to a tensor of type {self.type()}"
            )
        # The bits are this tensor's, not those of the source.
        self.data = _utils._with_bits(made, _utils._bits_of(self))
        self._bump_version()
        return self

    def is_set_to(self, tensor: Tensor) -> bool:
        """Whether both are the same view of the same memory: storage, offset, sizes and strides are
        equal.

        Args:
            tensor: the other one.

        Example::

            >>> x = torch.ones(2, 2)
            >>> x.is_set_to(x.view(2, 2)), x.is_set_to(x.t())
            (True, False)
        """
        return (
            self.untyped_storage()._cdata == tensor.untyped_storage()._cdata
            and self.storage_offset() == tensor.storage_offset()
            and self.shape == tensor.shape
            and self.stride() == tensor.stride()
            and self.is_conj() == tensor.is_conj()
            and self.is_neg() == tensor.is_neg()
        )

    @overridable
    def apply_(self, callable: Callable[[Any], Any]) -> Tensor:
        """Replaces each element by what a Python function makes of it. That is slow.

        Args:
            callable: takes an element as a Python number and returns one.

        Returns:
            The tensor itself.

        Raises:
            TypeError: the tensor is not on the CPU, or `callable` returned no number.
            RuntimeError: it requires a gradient.

        Example::

            >>> torch.tensor([1.0, 2.0]).apply_(lambda x: x + 1)
            tensor([2., 3.])
        """
        return _fill_by(self, callable, ())

    @overridable
    def map_(self, tensor: Tensor, callable: Callable[[Any, Any], Any]) -> Tensor:
        """Replaces each element by what a Python function makes of it and of an element of another
        tensor.

        Args:
            tensor: of the same dtype; it is broadcast.
            callable: takes both elements as Python numbers and returns one.

        Returns:
            The tensor itself.

        Raises:
            TypeError: a tensor is not on the CPU, or `tensor` has another dtype.
            RuntimeError: one requires a gradient.

        Example::

            >>> torch.tensor([1.0, 2.0]).map_(torch.tensor([10.0]), lambda a, b: a + b)
            tensor([11., 12.])
        """
        return _fill_by(self, callable, (tensor,))

    @overridable
    def map2_(self, x: Tensor, y: Tensor, callable: Callable[[Any, Any, Any], Any]) -> Tensor:
        """`map_` with two other tensors.

        Args:
            x, y: of the same dtype; they are broadcast.
            callable: takes the three elements as Python numbers and returns one.

        Returns:
            The tensor itself.

        Raises:
            TypeError: a tensor is not on the CPU, or one has another dtype.
            RuntimeError: one requires a gradient.
        """
        return _fill_by(self, callable, (x, y))

    @overridable
    def dim_order(
        self, *, ambiguity_check: bool | list[_C.memory_format] = False
    ) -> tuple[int, ...]:
        """The dimensions from the one that is farthest apart in memory to the nearest.

        Args:
            ambiguity_check: whether a tensor with more than one such order is an error. That is one
                with a dimension of size 1, or two with the same stride. With a list of memory
                formats it is none where the tensor has exactly one of them.

        Raises:
            RuntimeError: `ambiguity_check` finds more than one order.
        """
        formats = [] if isinstance(ambiguity_check, bool) else ambiguity_check
        if not isinstance(formats, list) or not all(
            isinstance(format, _C.memory_format) for format in formats
        ):
            raise TypeError(
                "The ambiguity_check argument must be a bool or a list of memory formats."
            )
        if ambiguity_check is not False:
            several = 1 in self.shape or len(set(self.stride())) < self.dim()
            if several and sum(self.is_contiguous(memory_format=f) for f in formats) != 1:
                raise RuntimeError(
                    "The tensor does not have unique dim order, or cannot map to exact one of the given memory formats."
                )
        return tuple(sorted(range(self.dim()), key=lambda d: -self.stride(d)))

    @overridable
    def module_load(self, other: Tensor, assign: bool = False) -> Tensor:
        """What `nn.Module.load_state_dict` puts in the place of this tensor when it swaps tensors
        (`torch.__future__.set_swap_module_params_on_conversion`).

        Args:
            other: the value of the state dict.
            assign: whether it is taken as it is; else its elements are copied into this tensor.

        Returns:
            A tensor that is detached.
        """
        return other.detach() if assign else self.copy_(other).detach()

    # Python 2's names, by which older programs call them.
    __div__ = _C.TensorBase.__truediv__
    __idiv__ = _C.TensorBase.__itruediv__
    __long__ = _C.TensorBase.__int__
    __nonzero__ = _C.TensorBase.__bool__

    @overridable
    def __rdiv__(self, other: Any) -> Tensor:
        """`other / self` as PyTorch computes it: the reciprocal times `other`."""
        return self.reciprocal() * other

    @property
    def name(self) -> None:
        """Always None; kept for programs."""

    @property
    def volatile(self) -> bool:
        """Always False: torch.no_grad() took its place."""
        return False

    def is_distributed(self) -> bool:
        """Always False; kept for programs."""
        return False

    def storage_type(self) -> Any:
        """The class of its typed storage, such as torch.FloatStorage."""
        from torch.storage import STORAGE_CLASSES

        return next(c for c in STORAGE_CLASSES.values() if c.dtype == self.dtype)

    def _bump_version(self) -> None:
        """Tells autograd that the values changed where it could not see it."""
        from torch.autograd.graph import increment_version

        increment_version(self)

    def is_shared(self) -> bool:
        """Whether the tensor is in memory that other processes can see: `share_memory_`."""
        return self.untyped_storage().is_shared()

    def share_memory_(self) -> Tensor:
        """Moves the tensor's memory, and so its views, to where other processes can see it.

        A forked process sees what others write; a process that gets the tensor by a queue of
        `torch.multiprocessing`, or as an argument, maps the same memory. Other tensors are sent as
        copies. The memory cannot be resized, and ends with the last tensor on it.

        Returns:
            The tensor itself.

        Raises:
            NotImplementedError: a tensor that is neither on the CPU nor on a GPU, whose memory is
                left as it is.

        Example::

            >>> torch.ones(2).share_memory_().is_shared()
            True
        """
        self.untyped_storage().share_memory_()
        return self

    def is_pinned(self, device: Any = None) -> bool:
        """Whether the tensor is in memory of the host that GPUs copy from and to while the host
        goes on.

        Args:
            device: kept for PyTorch's callers.
        """
        from torch.cuda import _runtime

        return bool(
            _runtime.is_compiled() and self.is_cpu and _runtime.call("_cuda_isPinned", self)
        )

    @overridable
    def pin_memory(self, device: Any = None) -> Tensor:
        """The tensor in memory of the host that GPUs copy from and to while the host goes on.

        Args:
            device: kept for PyTorch's callers.

        Returns:
            A copy; the tensor itself if it is pinned.

        Raises:
            RuntimeError: the tensor is not on the CPU, or there is no GPU.
        """
        if not self.is_cpu:
            raise RuntimeError(f"cannot pin '{self.type()}' only dense CPU tensors can be pinned")
        if self.is_pinned():
            return self
        empty_like = _C._VariableFunctions.empty_like
        result: Tensor = empty_like(self, pin_memory=True)
        return result.copy_(self)

    @overridable
    def record_stream(self, stream: Any) -> None:
        """Says that a stream uses the memory of this tensor, which another stream's allocation
        made.

        Once the tensor is gone, nobody gets its memory until the stream has done what is queued on
        it then.

        Args:
            stream: a `torch.cuda.Stream`.

        Raises:
            AssertionError: in a build without CUDA.
        """
        from torch.cuda import _runtime

        _runtime.call("_cuda_recordStream", self, stream.stream_id, stream.device_index)

    @overridable
    def split(self, split_size: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
        """Views of parts of the tensor along a dimension.

        Args:
            split_size: the size of each part, of which the last may be smaller; or a sequence of
                sizes.
            dim: the dimension.

        Raises:
            RuntimeError: sizes do not add up to that of the dimension.

        Example::

            >>> [part.tolist() for part in torch.arange(5).split(2)]
            [[0, 1], [2, 3], [4]]
        """
        if isinstance(split_size, (list, tuple)):
            return self.split_with_sizes(split_size, dim)
        return super().split(split_size, dim)

    @overridable
    def lu(self, pivot: bool = True, get_infos: bool = False) -> tuple[Tensor, ...]:
        """The factorization by Gauss, in packed form; see `torch.lu`.

        Args:
            pivot: whether rows change places.
            get_infos: whether a tensor of errors is returned too.
        """
        from torch.functional import lu

        return tuple(lu(self, pivot, get_infos))

    @overridable
    def norm(
        self, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None
    ) -> Tensor:
        """The p-norm; see `torch.norm`.

        Args:
            p: the order: a number, "fro" or "nuc".
            dim: the dimensions; everything if None.
            keepdim: whether they stay, with size 1.
            dtype: in which it is computed.
        """
        from torch.functional import norm

        return norm(self, p, dim, keepdim, dtype=dtype)

    @overridable
    def unique(
        self,
        sorted: bool = True,
        return_inverse: bool = False,
        return_counts: bool = False,
        dim: int | None = None,
    ) -> Any:
        """The distinct elements; see `torch.unique`.

        Args:
            sorted: they are in order, whatever this says.
            return_inverse: whether the place of each element among them is returned too.
            return_counts: whether how often each occurs is returned too.
            dim: of slices along a dimension; of elements if None.

        Example::

            >>> torch.tensor([3, 1, 3]).unique(return_counts=True)
            (tensor([1, 3]), tensor([1, 2]))
        """
        from torch.functional import unique

        return unique(self, sorted, return_inverse, return_counts, dim)

    @overridable
    def unique_consecutive(
        self, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
    ) -> Any:
        """The elements without those that equal the one before; see `torch.unique_consecutive`.

        Args:
            return_inverse: whether the place of each element among them is returned too.
            return_counts: whether how often each occurs is returned too.
            dim: of slices along a dimension; of elements if None.

        Example::

            >>> torch.tensor([1, 1, 2, 1]).unique_consecutive()
            tensor([1, 2, 1])
        """
        from torch.functional import unique_consecutive

        return unique_consecutive(self, return_inverse, return_counts, dim)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """How other libraries for CUDA find the elements, in version 2 of the protocol."""
        if self.device.type != "cuda":
            raise AttributeError(
                f"Can't get __cuda_array_interface__ on non-CUDA tensor type: {self.type()} If CUDA data is required use tensor.cuda() to copy tensor to device memory."
            )
        if self.requires_grad:
            raise RuntimeError(
                "Can't get __cuda_array_interface__ on Variable that requires grad. If gradients aren't required, use var.detach() to get Variable that doesn't require grad."
            )
        if self.is_conj() or self.is_neg():
            raise RuntimeError(
                "Can't get __cuda_array_interface__ on Tensor that has conjugate or negative bit set. Use tensor.resolve_conj().resolve_neg() instead."
            )
        size = self.element_size()
        # NumPy's letters; bfloat16 has none, so that others see two bytes.
        letters = {
            "bool": "b",
            "uint": "u",
            "bfloat": "V",
            "float": "f",
            "complex": "c",
            "int": "i",
        }
        kind = letters[str(self.dtype).removeprefix("torch.").rstrip("0123456789")]
        strides = None if self.is_contiguous() else tuple(size * s for s in self.stride())
        return {
            "typestr": ("<" if size > 1 else "|") + f"{kind}{size}",
            "shape": tuple(self.shape),
            "strides": strides,
            "data": (self.data_ptr() if self.numel() > 0 else 0, False),
            "version": 2,
        }


__all__ = ["Tensor"]


def _rebuild_from_type_v2(
    func: Callable[..., Tensor], new_type: type[Tensor], args: tuple[Any, ...], state: Any
) -> Tensor:
    """A tensor of a subclass, or one with attributes; pickles name it here, as PyTorch's do."""
    from torch._utils import _set_state

    tensor = func(*args)
    if type(tensor) is not new_type:
        tensor = Tensor._make_subclass(new_type, tensor, tensor.requires_grad)
    set_state = getattr(type(tensor), "__setstate__", None)
    if set_state is not None and set_state is not Tensor.__setstate__:
        set_state(tensor, state)
        return tensor
    return _set_state(tensor, state)


def _view_of(
    tensor: Tensor,
    source: Any,
    offset: int,
    size: Sequence[int] | None,
    stride: Sequence[int] | None,
) -> Tensor:
    """The tensor that `set_` asks for."""
    if source is None:
        empty: Tensor = _C._VariableFunctions.empty(0, dtype=tensor.dtype, device=tensor.device)
        return empty
    if isinstance(source, Tensor):
        if size is None:
            if not source.is_conj() and not source.is_neg():
                return source.detach()
            offset, size, stride = source.storage_offset(), source.size(), source.stride()
        storage, dtype = source.untyped_storage(), source.dtype
    else:
        dtype = getattr(source, "dtype", tensor.dtype)
        storage = getattr(source, "_untyped_storage", source)
        if not isinstance(storage, _C.StorageBase):
            raise TypeError(
                f"set_(): argument 'source' must be a Tensor or a Storage, not {type(source).__name__}"
            )
    if size is None:
        size = (storage.nbytes() // dtype.itemsize - offset,)
    if stride is None:
        stride = _contiguous_stride(size)
    return _C._tensor_from_storage(storage, dtype, offset, size, stride)


def _contiguous_stride(size: Sequence[int]) -> tuple[int, ...]:
    strides = [1]
    for n in reversed(size[1:]):
        strides.insert(0, strides[0] * max(n, 1))
    return tuple(strides[: len(size)])


def _clear_gradient(parameter: Tensor, set_to_none: bool) -> None:
    """Forgets a gradient, or sets the elements of that tensor to zero."""
    grad = parameter.grad
    if grad is None:
        return
    if set_to_none:
        parameter.grad = None
        return
    if grad.grad_fn is not None:
        grad.detach_()
    else:
        grad.requires_grad_(False)
    grad.zero_()


def _fill_by(tensor: Tensor, function: Callable[..., Any], others: tuple[Tensor, ...]) -> Tensor:
    """The elements of `tensor`, and of `others` at the same places, as arguments of `function`."""
    what = ("apply_", "map_", "map2_")[len(others)]
    if any(not t.is_cpu for t in (tensor, *others)):
        raise TypeError(f"{what} is only implemented on CPU tensors")
    if any(t.requires_grad for t in (tensor, *others)):
        raise RuntimeError(
            f"Can't call {what}() on Variable that requires grad. Use var.detach().{what}() instead."
        )
    for other in others:
        if other.dtype != tensor.dtype:
            raise TypeError(
                f"{what}: expected a tensor of {tensor.dtype}, but got one of {other.dtype}"
            )
    columns = [t.expand(tensor.shape).flatten().tolist() for t in (tensor, *others)]
    values = [function(*elements) for elements in zip(*columns, strict=True)]
    for value in values:
        if not isinstance(value, Number) and not hasattr(value, "__index__"):
            kind = type(value).__name__
            raise TypeError(
                f"must be real number, not {kind}"
                if tensor.is_floating_point() or tensor.is_complex()
                else f"'{kind}' object cannot be interpreted as an integer"
            )
    flat: Tensor = _C._VariableFunctions.tensor(  # type: ignore[attr-defined]
        values, dtype=tensor.dtype
    )
    return tensor.copy_(flat.view(tensor.shape))
