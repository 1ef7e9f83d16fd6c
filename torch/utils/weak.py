"""Mappings by objects themselves, not by their values, that do not keep them alive."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

from torch._tensor import Tensor


class WeakIdRef(weakref.ref):  # type: ignore[type-arg]
    """A weak reference that equals another to the same object; tensors compare by element.

    Args:
        key: the object.
        callback: called with the reference when the object is gone.
    """

    __slots__ = ["_id"]

    def __init__(self, key: Any, callback: Any = None) -> None:
        self._id = id(key)
        super().__init__(key, callback)  # type: ignore[call-arg]

    def __hash__(self) -> int:
        return self._id

    def __eq__(self, other: object) -> bool:
        one, two = self(), other() if isinstance(other, weakref.ref) else None
        if one is not None and two is not None:
            return one is two
        return self is other


class WeakIdKeyDictionary(MutableMapping[Any, Any]):
    """A dictionary by objects: an entry goes when its key does.

    Args:
        dict: entries to begin with.
        ref_type: the class of references.

    Example::

        >>> from torch.utils.weak import WeakIdKeyDictionary
        >>> key = torch.ones(2)
        >>> names = WeakIdKeyDictionary({key: "ones"})
        >>> names[key], torch.ones(2) in names
        ('ones', False)
        >>> del key
        >>> len(names)
        0
    """

    def __init__(self, dict: Mapping[Any, Any] | None = None, ref_type: type = WeakIdRef) -> None:
        self.data: MutableMapping[Any, Any] = {}
        self.ref_type = ref_type
        data = self.data

        def remove(reference: Any) -> None:
            data.pop(reference, None)

        self._remove = remove
        if dict is not None:
            self.update(dict)

    def __getitem__(self, key: Any) -> Any:
        return self.data[self.ref_type(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.data[self.ref_type(key, self._remove)] = value

    def __delitem__(self, key: Any) -> None:
        del self.data[self.ref_type(key)]

    def __len__(self) -> int:
        return len(self.data)

    def __contains__(self, key: object) -> bool:
        try:
            return self.ref_type(key) in self.data
        except TypeError:
            return False

    def __iter__(self) -> Iterator[Any]:
        for reference in list(self.data):
            key = reference()
            if key is not None:
                yield key

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x}>"

    def keyrefs(self) -> list[Any]:
        """The weak references of the keys."""
        return list(self.data)

    def copy(self) -> WeakIdKeyDictionary:
        """Another dictionary of the same entries."""
        return type(self)(self)


class WeakTensorKeyDictionary(WeakIdKeyDictionary):
    """A `WeakIdKeyDictionary` whose keys are tensors."""


class TensorWeakRef:
    """A weak reference to a tensor.

    Args:
        tensor: the tensor.

    Example::

        >>> from torch.utils.weak import TensorWeakRef
        >>> x = torch.ones(1)
        >>> reference = TensorWeakRef(x)
        >>> reference() is x
        True
    """

    def __init__(self, tensor: Tensor) -> None:
        if not isinstance(tensor, Tensor):
            raise AssertionError(f"expected torch.Tensor, got {type(tensor)}.")
        self.ref = weakref.ref(tensor)

    def __call__(self) -> Tensor | None:
        return self.ref()


__all__ = ["TensorWeakRef", "WeakIdKeyDictionary", "WeakIdRef", "WeakTensorKeyDictionary"]
