"""A module and those below it: walking them, and finding one by its dotted name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from torch._tensor import Tensor
from torch.nn.parameter import Parameter

if TYPE_CHECKING:
    from torch.nn.modules.module import Module


class ModuleTree:
    """The part of `Module` that knows what it is made of."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def named_modules(
        self,
        memo: set[Module] | None = None,
        prefix: str = "",
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Module]]:
        """Walks this module and all below it, a parent before its children, each with its dotted
        name.

        The module itself has the name `prefix`, which is empty at first. A module that is in
        several places comes once, by the first of its names.

        Args:
            memo: modules to leave out; those that come are added.
            prefix: what the names begin with.
            remove_duplicate: False yields a module once for each of its names.

        Returns:
            An iterator of pairs of a name and a module.

        Example::

            >>> relu = torch.nn.ReLU()
            >>> model = torch.nn.Sequential(relu, torch.nn.Sequential(torch.nn.Linear(2, 2), relu))
            >>> [name for name, _ in model.named_modules()]
            ['', '0', '1', '1.0']
            >>> [name for name, _ in model.named_modules(remove_duplicate=False)]
            ['', '0', '1', '1.0', '1.1']
        """
        memo = set() if memo is None else memo
        this = cast("Module", self)
        if this in memo:
            return
        if remove_duplicate:
            memo.add(this)
        yield prefix, this
        for name, module in self._modules.items():
            if module is not None:
                path = prefix + ("." if prefix else "") + name
                yield from module.named_modules(memo, path, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """Walks this module and all below it, each once.

        Args:
            remove_duplicate: False yields a module once for each of its names.

        Returns:
            An iterator of modules, in the order of `named_modules`.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
            >>> [type(module).__name__ for module in model.modules()]
            ['Sequential', 'Linear', 'ReLU']
        """
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Walks the modules that are attributes of this one, each once, with their names.

        Returns:
            An iterator of pairs of a name and a module.

        Example::

            >>> inner = torch.nn.Sequential(torch.nn.Linear(2, 2))
            >>> model = torch.nn.Sequential(inner, torch.nn.ReLU())
            >>> [(name, type(child).__name__) for name, child in model.named_children()]
            [('0', 'Sequential'), ('1', 'ReLU')]
        """
        seen: set[Module] = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """Walks the modules that are attributes of this one, each once.

        Returns:
            An iterator of modules.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
            >>> list(model.children())
            [Linear(in_features=2, out_features=2, bias=True), ReLU()]
        """
        for _, module in self.named_children():
            yield module

    def _named_members(
        self, kind: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        modules = (
            self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
            if recurse
            else [(prefix, self)]
        )
        for module_prefix, module in modules:
            for name, value in getattr(module, kind).items():
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield module_prefix + ("." if module_prefix else "") + name, value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Walks the parameters of this module and of those below it, with their dotted names.

        A parameter that is in several places comes once, by the first of its names.

        Args:
            prefix: what the names begin with.
            recurse: False leaves out those of the modules below.
            remove_duplicate: False yields a parameter once for each of its names.

        Returns:
            An iterator of pairs of a name and a parameter.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
            >>> [(name, tuple(parameter.shape)) for name, parameter in model.named_parameters()]
            [('0.weight', (2, 3)), ('0.bias', (2,))]
        """
        return self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Walks the parameters of this module and of those below it, each once: what an optimizer
        takes.

        Args:
            recurse: False leaves out those of the modules below.

        Returns:
            An iterator of parameters, in the order of `named_parameters`.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Linear(2, 1))
            >>> sum(parameter.numel() for parameter in model.parameters())
            11
        """
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Walks the buffers of this module and of those below it, with their dotted names.

        Args:
            prefix: what the names begin with.
            recurse: False leaves out those of the modules below.
            remove_duplicate: False yields a buffer once for each of its names.

        Returns:
            An iterator of pairs of a name and a tensor.

        Example::

            >>> [name for name, _ in torch.nn.BatchNorm1d(3).named_buffers()]
            ['running_mean', 'running_var', 'num_batches_tracked']
        """
        return self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Walks the buffers of this module and of those below it, each once.

        Args:
            recurse: False leaves out those of the modules below.

        Returns:
            An iterator of tensors, in the order of `named_buffers`.

        Example::

            >>> [tuple(buffer.shape) for buffer in torch.nn.BatchNorm1d(3).buffers()]
            [(3,), (3,), ()]
        """
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> Module:
        """Finds a module below this one by its dotted name.

        Args:
            target: the name, as in `named_modules`; the empty one is this module.

        Returns:
            The module.

        Raises:
            AttributeError: there is no such name, or it names something else than a module.

        Example::

            >>> inner = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
            >>> model = torch.nn.Sequential(inner)
            >>> model.get_submodule("0.1")
            ReLU()
        """
        module = cast("Module", self)
        for item in target.split(".") if target else []:
            if not hasattr(module, item):
                raise AttributeError(f"{module._get_name()} has no attribute `{item}`")
            module = getattr(module, item)
            if not isinstance(module, ModuleTree):
                raise AttributeError(f"`{item}` is not an nn.Module")
        return module

    def _owner(self, target: str) -> tuple[Module, str]:
        """The module that has the attribute with a dotted name, and its name there."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        return module, name

    def get_parameter(self, target: str) -> Parameter:
        """Finds a parameter of this module, or of one below it, by its dotted name.

        Args:
            target: the name, as in `named_parameters`.

        Returns:
            The parameter.

        Raises:
            AttributeError: there is no such name, or it names something else than a parameter.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.Linear(3, 2))
            >>> model.get_parameter("0.bias").shape
            torch.Size([2])
        """
        module, name = self._owner(target)
        parameter = getattr(module, name)
        if not isinstance(parameter, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return parameter

    def get_buffer(self, target: str) -> Tensor:
        """Finds a buffer of this module, or of one below it, by its dotted name.

        Args:
            target: the name, as in `named_buffers`.

        Returns:
            The tensor.

        Raises:
            AttributeError: there is no such name, or it names something else than a buffer.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.BatchNorm1d(2))
            >>> model.get_buffer("0.running_mean")
            tensor([0., 0.])
        """
        module, name = self._owner(target)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return module._buffers[name]

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Puts a module at a dotted name, in the place of the one that is there.

        Args:
            target: the name, as in `named_modules`.
            module: the module.
            strict: whether there must be one already.

        Raises:
            AttributeError: the name is that of something else than a module; the module that should
                have it does not exist; or, with `strict`, there is no such name.
            ValueError: the name is empty, or `module` is no module.

        Example::

            >>> model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())
            >>> model.set_submodule("1", torch.nn.Tanh())
            >>> model[1]
            Tanh()
        """
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, ModuleTree):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if not isinstance(getattr(parent, name, module), ModuleTree):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)
