"""Handles that remove hooks."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any


class RemovableHandle:
    """Removes a hook from the dict that holds it; also a context manager."""

    next_id = 0

    def __init__(
        self, hooks_dict: OrderedDict[int, Callable[..., Any]], *, extra_dict: Any = None
    ) -> None:
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.extra_dict_ref = tuple(
            weakref.ref(d)
            for d in (extra_dict if isinstance(extra_dict, list) else [extra_dict])
            if d is not None
        )
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1

    def remove(self) -> None:
        """Removes the hook; does nothing the second time."""
        for ref in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = ref()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *args: object) -> None:
        self.remove()
