"""Modules made of modules."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, overload

from torch import _absent
from torch._tensor import Tensor
from torch.nn.modules.module import Module, _addindent, torch_typename
from torch.nn.parameter import Parameter


def _wrap_index(index: int, size: int) -> int:
    index = operator.index(index)
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of range")
    return index % size


def _not_sequential(verb: str, other: object) -> str:
    return (
        f"{verb} operator supports only objects of Sequential class, but {type(other)} is given; "
        "write nn.Sequential(*modules) around them"
    )


def _times(count: object) -> int:
    if not isinstance(count, int):
        raise TypeError(f"unsupported operand type(s) for *: {Sequential} and {type(count)}")
    if count <= 0:
        raise ValueError(f"Non-positive multiplication factor {count} for {Sequential}")
    return count


def _checked_pairs(what: str, pairs: Any) -> Iterator[tuple[str, Any]]:
    """The pairs of a name and a value that `update` was given."""
    if not isinstance(pairs, Iterable):
        raise TypeError(
            f"{what}.update should be called with an iterable of key/value pairs, but got {type(pairs).__name__}"
        )
    for place, pair in enumerate(pairs):
        if not isinstance(pair, Iterable):
            raise TypeError(
                f"{what} update sequence element #{place} should be Iterable; is"
                + type(pair).__name__
            )
        name_and_value = tuple(pair)
        if len(name_and_value) != 2:
            raise ValueError(
                f"{what} update sequence element #{place} has length {len(name_and_value)}; 2 is required"
            )
        yield name_and_value


class Sequential(Module):
    """Calls modules one after the other, each with the result of the one before.

    Args:
        *args: modules, or one OrderedDict of names and modules.

    Example::

        >>> model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU())
        >>> model(torch.ones(4, 2)).shape
        torch.Size([4, 3])
        >>> model[1]
        ReLU()
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for index, module in enumerate(args):
                self.add_module(str(index), module)

    @overload
    def __getitem__(self, index: int) -> Module: ...
    @overload
    def __getitem__(self, index: slice) -> Sequential: ...
    def __getitem__(self, index: int | slice) -> Module:
        if isinstance(index, slice):
            return type(self)(OrderedDict(list(self._modules.items())[index]))
        return list(self._modules.values())[_wrap_index(index, len(self))]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, list(self._modules)[_wrap_index(index, len(self))], module)

    def __delitem__(self, index: int | slice) -> None:
        names = list(self._modules)
        if isinstance(index, slice):
            chosen = names[index]
        else:
            chosen = [names[_wrap_index(index, len(self))]]
        for name in chosen:
            delattr(self, name)
        modules = list(self._modules.values())
        self.__dict__["_modules"] = {str(i): m for i, m in enumerate(modules)}

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __add__(self, other: Iterable[Module]) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(_not_sequential("add", other))
        return Sequential(*self, *other)

    def __iadd__(self, other: Iterable[Module]) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(_not_sequential("add", other))
        return self.extend(list(other))

    def __mul__(self, other: int) -> Sequential:
        return Sequential(*[module for _ in range(_times(other)) for module in self])

    def __rmul__(self, other: int) -> Sequential:
        return self * other

    def __imul__(self, other: int) -> Sequential:
        return self.extend([module for _ in range(_times(other) - 1) for module in list(self)])

    def append(self, module: Module) -> Sequential:
        """Adds a module at the end.

        Args:
            module: the module.

        Returns:
            This container.

        Example::

            >>> torch.nn.Sequential(torch.nn.ReLU()).append(torch.nn.Tanh())
            Sequential(
              (0): ReLU()
              (1): Tanh()
            )
        """
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> Sequential:
        """Inserts a module before an index.

        Args:
            index: from minus the length to the length; negative ones count from the end.
            module: the module.

        Returns:
            This container.

        Raises:
            AssertionError: `module` is no module.
            IndexError: `index` is out of range.

        Example::

            >>> torch.nn.Sequential(torch.nn.ReLU()).insert(0, torch.nn.Flatten())
            Sequential(
              (0): Flatten(start_dim=1, end_dim=-1)
              (1): ReLU()
            )
        """
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        modules = list(self)
        modules.insert(index if index >= 0 else index + len(self), module)
        self.__dict__["_modules"] = {str(i): m for i, m in enumerate(modules)}
        return self

    def pop(self, key: int | slice) -> Module:
        """Takes a module out; those after it move up.

        Args:
            key: its index.

        Returns:
            The module.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Tanh())
            >>> model.pop(0)
            ReLU()
            >>> len(model)
            1
        """
        module = self[key]
        del self[key]
        return module

    def extend(self, sequential: Iterable[Module]) -> Sequential:
        """Adds modules at the end.

        Args:
            sequential: what yields them, such as another container.

        Returns:
            This container.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.ReLU())
            >>> len(model.extend([torch.nn.Tanh(), torch.nn.Sigmoid()]))
            3
        """
        for module in sequential:
            self.append(module)
        return self

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(Module):
    """A list of modules, whose parameters are those of the module that it belongs to. It has no
    `forward`.

    Args:
        modules: the first elements.

    Raises:
        IndexError: an index is out of range.
        TypeError: `extend` gets something that cannot be iterated.

    Example::

        >>> layers = torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.Linear(2, 2)])
        >>> len(list(layers.parameters()))
        2
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self._modules.values())[index])
        return self._modules[str(_wrap_index(index, len(self)))]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, str(_wrap_index(index, len(self))), module)

    def __delitem__(self, index: int | slice) -> None:
        modules = list(self._modules.values())
        del modules[index]
        self.__dict__["_modules"] = {str(i): m for i, m in enumerate(modules)}

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __contains__(self, module: object) -> bool:
        return any(m is module for m in self._modules.values())

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def pop(self, key: int | slice) -> Any:
        """Takes a module out; those after it move up.

        Args:
            key: its index.

        Returns:
            The module.

        Example::

            >>> layers = torch.nn.ModuleList([torch.nn.ReLU(), torch.nn.Tanh()])
            >>> layers.pop(-1)
            Tanh()
        """
        module = self[key]
        del self[key]
        return module

    def insert(self, index: int, module: Module) -> None:
        """Inserts a module before an index.

        Args:
            index: as `list.insert` has it.
            module: the module.

        Example::

            >>> layers = torch.nn.ModuleList([torch.nn.ReLU()])
            >>> layers.insert(0, torch.nn.Tanh())
            >>> [type(layer).__name__ for layer in layers]
            ['Tanh', 'ReLU']
        """
        modules = list(self._modules.values())
        modules.insert(index, module)
        self.__dict__["_modules"] = {str(i): m for i, m in enumerate(modules)}

    def append(self, module: Module) -> ModuleList:
        """Adds a module at the end.

        Args:
            module: the module.

        Returns:
            This list.

        Example::

            >>> len(torch.nn.ModuleList().append(torch.nn.ReLU()))
            1
        """
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        """Adds modules at the end.

        Args:
            modules: what yields them.

        Returns:
            This list.

        Raises:
            TypeError: `modules` cannot be iterated.

        Example::

            >>> len(torch.nn.ModuleList().extend(torch.nn.ReLU() for _ in range(3)))
            3
        """
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleList.extend should be called with an iterable, but got "
                + type(modules).__name__
            )
        for module in list(modules):
            self.append(module)
        return self

    def __repr__(self) -> str:
        reprs = [repr(m) for m in self]
        if not reprs:
            return self._get_name() + "()"
        # Runs of equal modules print once.
        blocks: list[tuple[int, int, str]] = []
        for index, text in enumerate(reprs):
            if blocks and blocks[-1][2] == text:
                blocks[-1] = (blocks[-1][0], index, text)
            else:
                blocks.append((index, index, text))
        lines = []
        for start, end, text in blocks:
            if start == end:
                lines.append(_addindent(f"({start}): {text}", 2))
            else:
                lines.append(_addindent(f"({start}-{end}): {end - start + 1} x {text}", 2))
        return self._get_name() + "(\n  " + "\n  ".join(lines) + "\n)"


class ModuleDict(Module):
    """A dict of modules, whose parameters are those of the module that it belongs to. It has no
    `forward`.

    Args:
        modules: the first items, a mapping or pairs.

    Raises:
        TypeError: `update` gets neither a mapping nor pairs.

    Example::

        >>> choices = torch.nn.ModuleDict({"relu": torch.nn.ReLU(), "tanh": torch.nn.Tanh()})
        >>> choices["relu"](torch.tensor([-1.0, 1.0]))
        tensor([0., 1.])
    """

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def keys(self) -> Iterable[str]:
        """The names, in the order in which the modules were added.

        Example::

            >>> list(torch.nn.ModuleDict({"a": torch.nn.ReLU()}).keys())
            ['a']
        """
        return self._modules.keys()

    def values(self) -> Iterable[Module]:
        """The modules, in the order in which they were added.

        Example::

            >>> list(torch.nn.ModuleDict({"a": torch.nn.ReLU()}).values())
            [ReLU()]
        """
        return self._modules.values()

    def items(self) -> Iterable[tuple[str, Module]]:
        """Pairs of a name and a module, in the order in which the modules were added.

        Example::

            >>> list(torch.nn.ModuleDict({"a": torch.nn.ReLU()}).items())
            [('a', ReLU())]
        """
        return self._modules.items()

    def update(self, modules: Any) -> None:
        """Adds modules, and replaces those of the same names.

        Args:
            modules: a mapping from names to modules, or pairs of them.

        Raises:
            TypeError: `modules` is neither.
            ValueError: an element that is no pair.

        Example::

            >>> choices = torch.nn.ModuleDict({"act": torch.nn.ReLU()})
            >>> choices.update({"act": torch.nn.Tanh(), "pool": torch.nn.MaxPool1d(2)})
            >>> choices["act"], len(choices)
            (Tanh(), 2)
        """
        pairs = modules.items() if isinstance(modules, (Mapping, ModuleDict)) else modules
        for name, module in _checked_pairs("ModuleDict", pairs):
            self[name] = module

    def pop(self, key: str) -> Any:
        """Takes a module out.

        Args:
            key: its name.

        Returns:
            The module.

        Raises:
            KeyError: there is no such name.

        Example::

            >>> torch.nn.ModuleDict({"act": torch.nn.ReLU()}).pop("act")
            ReLU()
        """
        module = self[key]
        del self[key]
        return module

    def clear(self) -> None:
        """Takes all modules out."""
        self._modules.clear()


class ParameterList(Module):
    """A list of parameters, which are those of the module that it belongs to. Tensors become
    parameters.

    Args:
        values: the first elements.

    Raises:
        IndexError: an index is out of range.
        RuntimeError: it is called.

    Example::

        >>> weights = torch.nn.ParameterList([torch.zeros(2), torch.ones(3)])
        >>> [tuple(weight.shape) for weight in weights]
        [(2,), (3,)]
    """

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        for value in values or ():
            self.append(value)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return type(self)(self[i] for i in range(*index.indices(self._size)))
        return getattr(self, str(_wrap_index(index, self._size)))

    def __iter__(self) -> Iterator[Any]:
        return iter(self[i] for i in range(self._size))

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterList should not be called.")

    def append(self, value: Any) -> ParameterList:
        """Adds a tensor, as a parameter, at the end; something else stays what it is.

        Args:
            value: the tensor.

        Returns:
            This list.

        Example::

            >>> len(torch.nn.ParameterList().append(torch.ones(2)))
            1
        """
        self._size += 1
        self[self._size - 1] = value
        return self

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self, str(_wrap_index(index, self._size)), _as_parameter(value))

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Adds tensors, as parameters, at the end.

        Args:
            values: what yields them.

        Returns:
            This list.

        Raises:
            TypeError: `values` is a tensor, or cannot be iterated.

        Example::

            >>> len(torch.nn.ParameterList().extend([torch.ones(2), torch.ones(3)]))
            2
        """
        # A tensor is iterable too, and hardly what was meant.
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(
                "ParameterList.extend should be called with an iterable, but got "
                + type(values).__name__
            )
        for value in list(values):
            self.append(value)
        return self

    def extra_repr(self) -> str:
        lines = [
            f"  ({i}): {_describe(value, str(getattr(value, 'dtype', '')))}"
            for i, value in enumerate(self)
        ]
        return "\n".join(lines)


class ParameterDict(Module):
    """A dict of parameters, which are those of the module that it belongs to. Tensors become
    parameters.

    Args:
        parameters: the first items, a mapping or pairs.

    Raises:
        KeyError: there is no such name.
        RuntimeError: it is called.

    Example::

        >>> weights = torch.nn.ParameterDict({"scale": torch.ones(2)})
        >>> weights["scale"].requires_grad
        True
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        if key not in self._keys:
            raise KeyError(key)
        return getattr(self, key)

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        setattr(self, key, _as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def keys(self) -> Iterable[str]:
        """The names."""
        return self._keys.keys()

    def values(self) -> Iterable[Any]:
        """The parameters."""
        return (self[key] for key in self._keys)

    def items(self) -> Iterable[tuple[str, Any]]:
        """The names with their parameters."""
        return ((key, self[key]) for key in self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._keys)

    def __or__(self, other: ParameterDict) -> ParameterDict:
        result = self.copy()
        result.update(other)
        return result

    def __ror__(self, other: ParameterDict) -> ParameterDict:
        result = other.copy()
        result.update(self)
        return result

    def __ior__(self, other: ParameterDict) -> ParameterDict:
        self.update(other)
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ParameterDict should not be called.")

    def copy(self) -> ParameterDict:
        """Another dict of the same parameters, which both then share.

        Example::

            >>> weights = torch.nn.ParameterDict({"a": torch.ones(1)})
            >>> weights.copy()["a"] is weights["a"]
            True
        """
        return ParameterDict(OrderedDict(self.items()))

    def clear(self) -> None:
        """Takes all parameters out."""
        for key in list(self._keys):
            del self[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The parameter of a name, or a default.

        Args:
            key: the name.
            default: what is returned where there is none.

        Example::

            >>> torch.nn.ParameterDict().get("a", "none")
            'none'
        """
        return self[key] if key in self._keys else default

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The parameter of a name, which is added if there is none.

        Args:
            key: the name.
            default: what is added, a tensor as a parameter.

        Example::

            >>> weights = torch.nn.ParameterDict()
            >>> weights.setdefault("a", torch.ones(1)) is weights["a"]
            True
        """
        if key not in self:
            self[key] = default
        return self[key]

    def popitem(self) -> tuple[str, Any]:
        """Takes the parameter out that was added last.

        Returns:
            Its name and the parameter.

        Raises:
            KeyError: the dict is empty.

        Example::

            >>> weights = torch.nn.ParameterDict({"a": torch.ones(1), "b": torch.ones(1)})
            >>> weights.popitem()[0]
            'b'
        """
        if not self._keys:
            raise KeyError("popitem(): ParameterDict is empty")
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """Another dict, of these names.

        Args:
            keys: the names.
            default: the value of each, a tensor as a parameter.

        Example::

            >>> list(torch.nn.ParameterDict().fromkeys(["a", "b"], torch.ones(1)).keys())
            ['a', 'b']
        """
        return ParameterDict(OrderedDict((key, default) for key in keys))

    def update(self, parameters: Any) -> None:
        """Adds parameters, and replaces those of the same names.

        Args:
            parameters: a mapping from names to tensors, or pairs of them. The items of a dict that
                is no OrderedDict are taken in the order of their names.

        Raises:
            TypeError: `parameters` is neither.

        Example::

            >>> weights = torch.nn.ParameterDict({"a": torch.ones(1)})
            >>> weights.update({"a": torch.zeros(2), "b": torch.ones(3)})
            >>> weights["a"].tolist()
            [0.0, 0.0]
        """
        if isinstance(parameters, (OrderedDict, ParameterDict)):
            pairs: Any = parameters.items()
        elif hasattr(parameters, "items"):
            pairs = sorted(parameters.items())  # The order that PyTorch gives a plain dict.
        else:
            pairs = parameters
        for key, value in _checked_pairs("ParameterDict", pairs):
            self[key] = value

    def pop(self, key: str) -> Any:
        """Takes a parameter out.

        Args:
            key: its name.

        Returns:
            The parameter.

        Raises:
            KeyError: there is no such name.

        Example::

            >>> torch.nn.ParameterDict({"a": torch.ones(1)}).pop("a").tolist()
            [1.0]
        """
        value = self[key]
        del self[key]
        return value

    def extra_repr(self) -> str:
        lines = [f"  ({key}): {_describe(p, torch_typename(p))}" for key, p in self.items()]
        return "\n".join(lines)


def _as_parameter(value: Any) -> Any:
    """Tensors become parameters; other values stay."""
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        return Parameter(value)
    return value


def _describe(value: Any, element: str) -> str:
    """A parameter in one line, `element` being what it holds."""
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    size = "x".join(str(n) for n in value.shape)
    return f"{kind} containing: [{element} of size {size}]"


__getattr__ = _absent.explain(__name__)
