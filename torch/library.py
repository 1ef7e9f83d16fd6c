"""Operators that Python registers: `torch.ops.NAMESPACE.NAME` of functions, with their schemas,
kernels and derivatives.

    >>> @torch.library.custom_op("library_doc::scale", mutates_args=())
    ... def scale(x: torch.Tensor, factor: float) -> torch.Tensor:
    ...     return x * factor
    >>> @scale.register_fake
    ... def _(x, factor):
    ...     return torch.empty_like(x)
    >>> scale.register_autograd(
    ...     lambda ctx, grad: (grad * ctx.factor, None),
    ...     setup_context=lambda ctx, inputs, output: setattr(ctx, "factor", inputs[1]),
    ... )
    >>> x = torch.ones(2, requires_grad=True)
    >>> scale(x, 3.0).sum().backward()
    >>> x.grad
    tensor([3., 3.])
    >>> torch.ops.library_doc.scale.default(torch.ones(1), 2.0)
    tensor([2.])

`Library` is the plain form, which `custom_op` and the functions below use: TORCH_LIBRARY of C++
with functions of Python as kernels.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import typing
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import _C, _absent
from torch._ops import OpOverload, OpOverloadPacket, Tag, forget
from torch._schema import FunctionSchema
from torch._tensor import Tensor
from torch.utils import _pytree

_RESERVED = frozenset({"prim"})
# Registrations of the functions of this module, which last as long as the process.
_kept: dict[str, list[Library]] = {}


def fallthrough_kernel() -> None:
    """Given to `Library.impl` as a kernel: the key is passed over."""
    raise NotImplementedError("fallthrough_kernel() should never be called.")


def _tags(tags: Any) -> list[Any]:
    """The tags of an argument that may be one tag, several or None."""
    listed = [tags] if isinstance(tags, Tag) else [] if tags is None else tags
    if isinstance(listed, str) or not all(isinstance(tag, Tag) for tag in listed):
        raise TypeError(f"tags must be a torch.Tag or a sequence of them, but got {tags!r}")
    return list(listed)


class Library:
    """Registrations of one namespace, undone when the object goes.

    Args:
      ns: the namespace.
      kind: "DEF", once for a namespace, "FRAGMENT", which defines operators too, or "IMPL".
      dispatch_key: of kernels for which `impl` names none; such as "CPU", "Meta" or "Autograd".

    Example::

        >>> lib = torch.library.Library("library_example", "DEF")
        >>> lib.define("twice(Tensor x) -> Tensor")
        'twice'
        >>> lib.impl("twice", lambda x: 2 * x, "CompositeImplicitAutograd")
        >>> torch.ops.library_example.twice(torch.ones(1))
        tensor([2.])
    """

    def __init__(self, ns: str, kind: str, dispatch_key: str = "") -> None:
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}; choose DEF, FRAGMENT or IMPL")
        if ns in _RESERVED and kind != "IMPL":
            raise ValueError(
                f"{ns} is a reserved namespace. Please try creating a library with another name."
            )
        self.ns = ns
        self.kind = kind
        self.dispatch_key = dispatch_key
        self._registered: set[tuple[str, str]] = set()
        self.m: Any = _C._library_new(kind, ns)

    def __repr__(self) -> str:
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"

    def define(self, schema: str, alias_analysis: str = "", *, tags: Any = ()) -> str:
        """Declares an operator by its schema, "name.overload(Tensor x, int n=1) -> Tensor".

        `tags` is a `torch.Tag` or several, which `torch.ops.NAMESPACE.NAME.OVERLOAD.tags` lists.
        Returns its name, with the overload.

        Raises:
          TypeError: `tags` has something else than tags.
        """
        numbers = tuple(int(tag) for tag in _tags(tags))
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"Invalid alias_analysis type {alias_analysis}")
        _C._library_define(self.m, schema, numbers)
        forget(self.ns)
        return schema.partition("(")[0].strip().rpartition("::")[2]

    def impl(
        self,
        op_name: str | OpOverload,
        fn: Callable[..., Any],
        dispatch_key: str = "",
        *,
        with_keyset: bool = False,
        allow_override: bool = False,
    ) -> None:
        """Makes `fn` the kernel of an operator for a dispatch key.

        Without a key it is CompositeImplicitAutograd: made of other operators, which autograd sees.

        Raises:
          TypeError: `fn` cannot be called.
          RuntimeError: this library has a kernel for the key already.
        """
        if with_keyset:
            raise NotImplementedError(
                "with_keyset=True: kernels in Python get no dispatch keys in this release; write one kernel for each key"
            )
        if not callable(fn):
            raise TypeError(
                f"Input function is required to be a callable but found type {type(fn)}"
            )
        name = op_name._name if isinstance(op_name, OpOverload) else op_name
        name = name.rpartition("::")[2] if name.startswith(self.ns + "::") else name
        key = dispatch_key or self.dispatch_key or "CompositeImplicitAutograd"
        if (name, key) in self._registered and not allow_override:
            raise RuntimeError(
                f"This is not allowed since there's already a kernel registered from python overriding {name}'s behavior for {key} dispatch key and {self.ns} namespace."
            )
        kernel = None if fn is fallthrough_kernel else fn
        _C._library_impl(self.m, name, key, kernel)
        self._registered.add((name, key))

    def _destroy(self) -> None:
        """Undoes the registrations now."""
        _C._library_reset(self.m)
        self._registered.clear()
        forget(self.ns)


def _split(qualname: str) -> tuple[str, str]:
    ns, colons, name = qualname.partition("::")
    if not colons or not ns or not name:
        raise ValueError(
            f"Expected the name of an operator to be 'namespace::name', but got {qualname!r}"
        )
    return ns, name


def _name_of(op: Any) -> str:
    """namespace::name.overload"""
    if isinstance(op, str):
        _split(op)
        return op
    if isinstance(op, CustomOpDef):
        return op._qualname
    if isinstance(op, OpOverload):
        return op._name
    if isinstance(op, OpOverloadPacket):
        return op._qualified_op_name
    raise ValueError(
        f"expected an operator: a name, torch.ops.NAMESPACE.NAME.default or what custom_op made; got {type(op).__name__}"
    )


def _library_for(qualname: str, lib: Library | None) -> Library:
    if lib is not None:
        return lib
    made = Library(_split(qualname)[0], "FRAGMENT")
    _kept.setdefault(qualname, []).append(made)
    return made


_DEVICE_KEYS = {
    "cpu": "CPU",
    "cuda": "CUDA",
    "meta": "Meta",
    "default": "CompositeExplicitAutograd",
}


def _keys(types: str | Sequence[str] | None) -> list[str]:
    """Dispatch keys of the names of devices; of all devices for None."""
    words = ["default"] if types is None else [types] if isinstance(types, str) else list(types)
    for word in words:
        if word not in _DEVICE_KEYS and word[:1].islower():
            torch.device(word)  # throws unless there is such a device
    return [_DEVICE_KEYS.get(word, word) for word in words]


# Schemas.

_TYPES: dict[Any, str] = {
    Tensor: "Tensor",
    int: "SymInt",
    float: "float",
    bool: "bool",
    str: "str",
    complex: "Scalar",
    torch.dtype: "ScalarType",
    torch.device: "Device",
}


def _schema_type(annotation: Any, where: str) -> str:
    if annotation in _TYPES:
        return _TYPES[annotation]
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if type(None) in arguments:
        rest = [a for a in arguments if a is not type(None)]
        if set(rest) == {int, float, bool}:
            return "Scalar?"
        if len(rest) == 1:
            return _schema_type(rest[0], where) + "?"
    if origin in (list, Sequence) and len(arguments) == 1:
        return _schema_type(arguments[0], where) + "[]"
    if set(arguments) == {int, float, bool}:
        return "Scalar"
    raise ValueError(
        f"infer_schema(func): {where} has the type {annotation}, which no schema can have; the types are Tensor, int, float, bool, str, torch.dtype, torch.device, numbers, sequences of them, and these or None"
    )


def _schema_default(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    if isinstance(value, torch.device):
        return f'"{value}"'
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(map(_schema_default, value)) + "]"
    return str(value)


def _names(mutates_args: str | Iterable[str]) -> set[str]:
    """The names that `mutates_args` lists."""
    if isinstance(mutates_args, str):
        # Its letters would be names.
        raise ValueError(
            "mutates_args must either be a sequence of the names of the arguments that are mutated or the string 'unknown'. "
        )
    return set(mutates_args)


def infer_schema(
    prototype_function: Callable[..., Any],
    /,
    *,
    mutates_args: str | Iterable[str] = (),
    op_name: str | None = None,
) -> str:
    """The schema that the annotations of a function say.

    Args:
      prototype_function: has annotations for all parameters and for what it returns.
      mutates_args: names of tensors that it changes; "unknown" for all.
      op_name: stands before the parameters.

    Raises:
      ValueError: a type that no schema has, none where one is needed, or `mutates_args` names what
          is no parameter.

    Example::

        >>> def f(x: torch.Tensor, n: int = 1) -> torch.Tensor: ...
        >>> torch.library.infer_schema(f, mutates_args=(), op_name="f")
        'f(Tensor x, SymInt n=1) -> Tensor'
    """
    hints = typing.get_type_hints(prototype_function)
    parameters = inspect.signature(prototype_function).parameters
    if mutates_args == "unknown":
        # Optional tensors and lists of tensors, too.
        mutated = {
            name
            for name in parameters
            if name in hints and _schema_type(hints[name], name).startswith("Tensor")
        }
    else:
        mutated = _names(mutates_args)
    unknown = mutated - set(parameters)
    if unknown:
        raise ValueError(
            f"infer_schema(func): {unknown} in mutates_args were not found in the custom op's signature. mutates_args should contain the names of all args that the custom op mutates, or just the string 'unknown' if you don't know. Got func with signature {inspect.signature(prototype_function)})"
        )
    entries = []
    starred = False
    for position, (name, parameter) in enumerate(parameters.items()):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise ValueError(f"infer_schema(func): *args and **kwargs have no schema: {name}")
        if name not in hints:
            raise ValueError(f"infer_schema(func): Parameter {name} must have a type annotation.")
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            entries.append("*")
            starred = True
        type_ = _schema_type(hints[name], f"Parameter {name}")
        if name in mutated:
            if not type_.startswith("Tensor"):
                raise ValueError(
                    f"infer_schema(func): Parameter {name} is in mutates_args but is no tensor"
                )
            type_ = type_.replace("Tensor", f"Tensor(a{position}!)", 1)
        default = ""
        if parameter.default is not parameter.empty:
            default = f"={_schema_default(parameter.default)}"
        entries.append(f"{type_} {name}{default}")
    return f"{op_name or ''}({', '.join(entries)}) -> {_schema_returns(hints)}"


def _schema_returns(hints: dict[str, Any]) -> str:
    if "return" not in hints:
        raise ValueError(
            "infer_schema(func): No return type annotation was provided. Please add one."
        )
    returned = hints["return"]
    if returned is type(None):
        return "()"
    if typing.get_origin(returned) is tuple:
        parts = [_schema_type(a, "what it returns") for a in typing.get_args(returned)]
        return f"({', '.join(parts)})"
    return _schema_type(returned, "what it returns")


# Derivatives.


def _tensors(values: Any) -> list[Tensor]:
    return [leaf for leaf in _pytree.tree_leaves(values) if isinstance(leaf, Tensor)]


def _autograd_kernel(
    qualname: str, backward: Callable[..., Any] | None, setup_context: Callable[..., Any] | None
) -> Callable[..., Any]:
    """The kernel that records a node whose gradients `backward` computes."""
    name, _, overload = qualname.partition(".")
    overload = "" if overload == "default" else overload

    class Node(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *values: Any) -> Any:
            *leaves, (spec, kwargs) = values
            args = _pytree.tree_unflatten(leaves, spec)
            ctx._spec = spec
            result = _C._call_operator_below_autograd(name, overload, args, kwargs)
            if setup_context is not None:
                if kwargs:
                    setup_context(ctx=ctx, inputs=args, keyword_only_inputs=kwargs, output=result)
                else:
                    setup_context(ctx=ctx, inputs=args, output=result)
            return tuple(result) if isinstance(result, list) else result

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            if backward is None:
                raise RuntimeError(
                    f"Trying to backward through {qualname} but no autograd formula was registered. Please use register_autograd to add one."
                )
            found = backward(ctx, *grads)
            found = found if isinstance(found, tuple) else (found,)
            count = ctx._spec.num_leaves
            flat: list[Any] = []
            for spec, grad in zip(ctx._spec.children(), found, strict=False):
                given = list(grad) if isinstance(grad, (list, tuple)) else [grad]
                flat += (given + [None] * spec.num_leaves)[: spec.num_leaves]
            return (*(flat + [None] * count)[:count], None)

    Node.__name__ = Node.__qualname__ = f"GeneratedBackwardFor_{name.replace('::', '_')}"

    def kernel(*args: Any, **kwargs: Any) -> Any:
        needs = _C.is_grad_enabled() and any(t.requires_grad for t in _tensors((args, kwargs)))
        if not needs:
            return _C._call_operator_below_autograd(name, overload, args, kwargs)
        leaves, spec = _pytree.tree_flatten(args)
        return Node.apply(*leaves, (spec, kwargs))

    return kernel


def _is_functional(schema: str) -> bool:
    return "!)" not in schema


def _mutated(schema: str) -> list[int]:
    """The positions of the arguments that a schema says to be changed."""
    return [i for i, argument in enumerate(FunctionSchema(schema).arguments) if argument.is_write]


def _refuse_keyword_tensors(schema: str, prefix: str) -> None:
    """Raises if a tensor can only be given by name: `backward` returns values by position, so its
    gradient would be lost."""
    if any(a.kwarg_only and "Tensor" in str(a.type) for a in FunctionSchema(schema).arguments):
        raise NotImplementedError(f"{prefix}make your tensors not kwarg-only. Got: {schema}")


def _check_for_autograd(name: str, schema: str) -> None:
    """Raises if no `backward` can serve an operator."""
    if not _is_functional(schema):
        raise RuntimeError(
            f"Cannot register autograd formula for non-functional operator {name} with schema {schema}. Please create a functional operator and register an autograd formula for that."
        )
    _refuse_keyword_tensors(
        schema,
        "register_autograd with kwarg-only Tensor args. In the original definition of the op, please ",
    )


# Operators of functions.


class CustomOpDef:
    """What `custom_op` makes of a function: calls go to the operator.

    Args:
        namespace, name: of the operator.
        schema: such as "(Tensor x) -> Tensor".
        fn: the kernel.
        tags: a `torch.Tag` or several.
    """

    def __init__(
        self, namespace: str, name: str, schema: str, fn: Callable[..., Any], tags: Any = None
    ) -> None:
        self._namespace = namespace
        self._name = name
        self._schema = schema
        self._qualname = f"{namespace}::{name}"
        self._init_fn = fn
        self._fake: Callable[..., Any] | None = None
        self._vmap: Callable[..., Any] | None = None
        self._disabled: set[str] = set()
        # Of an operator that takes no tensors, by dispatch key: its argument `device` chooses.
        self._kernels: dict[str, Callable[..., Any]] = {}
        arguments = FunctionSchema(name + schema).arguments
        self._is_factory = not any("Tensor" in str(argument.type) for argument in arguments)
        names = [argument.name for argument in arguments]
        self._device_at = names.index("device") if "device" in names else None
        self._lib = Library(namespace, "FRAGMENT")
        # custom_op keeps the promise of this tag: `_check_aliases` and infer_schema see to it.
        self._lib.define(f"{name}{schema}", tags=[Tag.pt2_compliant_tag, *_tags(tags)])
        self._lib.impl(name, self._call_fake, "Meta")
        if self._is_factory:
            self._lib.impl(name, self._call_for_device, "CompositeExplicitAutograd")
        if _is_functional(schema):
            self._lib.impl(name, _autograd_kernel(self._qualname, None, None), "Autograd")
        else:
            self._lib.impl(name, self._call_and_mark, "Autograd")
        self.__doc__ = fn.__doc__
        self.__name__ = getattr(fn, "__name__", name)

    @property
    def _opoverload(self) -> OpOverload:
        found: OpOverload = getattr(getattr(torch.ops, self._namespace), self._name).default
        return found

    def __repr__(self) -> str:
        return f"<CustomOpDef({self._qualname})>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._opoverload(*args, **kwargs)

    def _call_fake(self, *args: Any, **kwargs: Any) -> Any:
        if self._fake is None:
            raise NotImplementedError(
                f"There was no fake impl registered for {self!r}. This is necessary for tensors on the meta device. Please use `{self._name}.register_fake` to add an fake impl."
            )
        return self._fake(*args, **kwargs)

    def _call_for_device(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the kernel of the device that the arguments name, or that of all devices."""
        default = self._kernels.get(_DEVICE_KEYS["default"])
        if self._device_at is None:
            assert default is not None
            return default(*args, **kwargs)
        at = self._device_at
        kind = torch.device(args[at] if at < len(args) else kwargs["device"]).type
        kernels = {**self._kernels, "Meta": self._call_fake}
        kernel = kernels.get(_DEVICE_KEYS.get(kind, kind), default)
        if kernel is None:
            raise RuntimeError(
                f"{self._name} does not have a kernel registered for {kind}. Please use register_kernel to do so."
            )
        return kernel(*args, **kwargs)

    def _call_and_mark(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the operator and tells autograd what it changed."""
        result = _C._call_operator_below_autograd(self._qualname, "", args, kwargs)
        values = [*args, *kwargs.values()]
        for position in _mutated(self._schema):
            if position < len(values):
                torch.autograd.graph.increment_version(_tensors(values[position]))
        return result

    def register_kernel(
        self, device_types: str | Sequence[str] | None, fn: Callable[..., Any] | None = None, /
    ) -> Any:
        """Makes a function the kernel for devices, such as "cpu"; of None, for all. A decorator
        where `fn` is not given.

        Raises:
          ValueError: the operator takes neither tensors nor a `device`, which would choose.
        """
        if device_types is not None and self._is_factory and self._device_at is None:
            raise ValueError(
                "Functions without tensor inputs are required to have a `device: torch.device` argument"
            )

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            for key in _keys(device_types):

                def kernel(*args: Any, key: str = key, **kwargs: Any) -> Any:
                    chosen = self._init_fn if key in self._disabled else function
                    result = chosen(*args, **kwargs)
                    self._check_aliases(result, (args, kwargs))
                    return result

                if self._is_factory:
                    self._kernels[key] = kernel
                else:
                    self._lib.impl(self._name, kernel, key, allow_override=True)
            return function

        return register if fn is None else register(fn)

    @contextlib.contextmanager
    def set_kernel_enabled(self, device_type: str, enabled: bool = True) -> Iterator[None]:
        """A block in which the kernel that `register_kernel` made for a device is used, or the
        function that `custom_op` was given instead of it.

        Raises:
          ValueError: the device is one that no operator can have a kernel for.

        Example::

            >>> @torch.library.custom_op("library_doc::shift", mutates_args=())
            ... def shift(x: torch.Tensor) -> torch.Tensor:
            ...     return x + 1
            >>> @shift.register_kernel("cpu")
            ... def _(x):
            ...     return x + 2
            >>> with shift.set_kernel_enabled("cpu", False):
            ...     shift(torch.zeros(1))
            tensor([1.])
        """
        if device_type not in _DEVICE_KEYS:
            raise ValueError(
                f"set_kernel_enabled: {device_type!r} is no device of kernels; choose of {', '.join(_DEVICE_KEYS)}"
            )
        key = _DEVICE_KEYS[device_type]
        before = set(self._disabled)
        if enabled:
            self._disabled.discard(key)
        else:
            self._disabled.add(key)
        try:
            yield
        finally:
            self._disabled = before

    def _check_aliases(self, result: Any, inputs: Any) -> None:
        known = {t.untyped_storage().data_ptr() for t in _tensors(inputs)} - {0}
        if any(t.untyped_storage().data_ptr() in known for t in _tensors(result)):
            raise RuntimeError(
                f"{self._qualname} (with implementation in {self._init_fn.__module__}): The output of this custom operator (1) must not also be an input to this custom operator and (2) may not alias any inputs to this custom operator. Return a clone instead."
            )

    def register_fake(self, fn: Callable[..., Any], /) -> Callable[..., Any]:
        """What the operator does with tensors of the meta device: shapes and dtypes without
        values."""
        self._fake = fn
        return fn

    def register_vmap(self, func: Callable[..., Any] | None = None) -> Any:
        """Keeps `func(info, in_dims, *args)`, which computes the operator for a batch and returns
        `(result, out_dims)`; a decorator without `func`.

        `torch.vmap` does not call it here: it calls the operator for each sample, with the same
        values.
        """

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self._vmap = function
            return function

        return register if func is None else register(func)

    def register_autocast(self, device_type: str, cast_inputs: torch.dtype) -> None:
        """Casts floating-point inputs of the device to a dtype where autocast is on.

        The operator then runs with autocast off.

        Raises:
          ValueError: the device is neither "cpu" nor "cuda".

        Example::

            >>> @torch.library.custom_op("library_doc::same", mutates_args=())
            ... def same(x: torch.Tensor) -> torch.Tensor:
            ...     return x.clone()
            >>> same.register_autocast("cpu", torch.bfloat16)
            >>> with torch.autocast("cpu"):
            ...     same(torch.ones(1)).dtype
            torch.bfloat16
        """
        _register_autocast(self._lib, self._qualname, device_type, cast_inputs)

    def register_autograd(
        self,
        backward: Callable[..., Any],
        /,
        *,
        setup_context: Callable[..., Any] | None = None,
    ) -> None:
        """The gradient: `backward(ctx, *grads)` gives one value for each input, and
        `setup_context(ctx, inputs, output)` runs after the operator and keeps what that needs."""
        _check_for_autograd(repr(self), self._schema)
        kernel = _autograd_kernel(self._qualname, backward, setup_context)
        self._lib.impl(self._name, kernel, "Autograd", allow_override=True)


_definitions: dict[str, CustomOpDef] = {}


def custom_op(
    name: str,
    fn: Callable[..., Any] | None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types: str | Sequence[str] | None = None,
    schema: str | None = None,
    tags: Any = None,
) -> Any:
    """Makes a function an operator: `torch.ops.NAMESPACE.NAME`, with a kernel, a schema and, by
    `register_autograd`, a gradient.

    Args:
      name: "namespace::name"; one that there is already is replaced.
      fn: the kernel; without it this is a decorator.
      mutates_args: names of tensors that the kernel changes; () for none.
      device_types: where the kernel works, such as "cpu"; everywhere for None.
      schema: such as "(Tensor x, int n) -> Tensor"; from annotations unless given.
      tags: a `torch.Tag` or several, added to `pt2_compliant_tag`.

    The result may not be an input or share memory with one.

    Raises:
      NotImplementedError: a tensor that can only be given by name.
      ValueError: the schema marks other arguments as changed than `mutates_args`; see
          `infer_schema`.
    """

    def make(function: Callable[..., Any]) -> CustomOpDef:
        namespace, op = _split(name)
        text = infer_schema(function, mutates_args=mutates_args) if schema is None else schema
        if schema is not None and mutates_args != "unknown":
            written = {a.name for a in FunctionSchema(op + text).arguments if a.is_write}
            if written != _names(mutates_args):
                raise ValueError(
                    f"Attempted to create a custom op with `mutates_args={mutates_args}` and `schema={schema}. The schema suggests that the op mutates {written}which is different from what was provided to us in `mutates_args`. Please make these consistent."
                )
        _refuse_keyword_tensors(op + text, "custom_op with kwarg-only Tensor args. Please ")
        old = _definitions.pop(name, None)
        if old is not None:
            old._lib._destroy()
        made = _definitions[name] = CustomOpDef(namespace, op, text, function, tags)
        made.register_kernel(device_types, function)
        return made

    return make if fn is None else make(fn)


def triton_op(
    name: str,
    fn: Callable[..., Any] | None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    schema: str | None = None,
) -> Any:
    """Makes a function that calls Triton kernels an operator, as `custom_op` does.

    No compiler here looks into operators: the kernels run as the function calls them.

    Args:
      name: "namespace::name"; one that there is already is replaced.
      fn: calls the kernels; without it this is a decorator.
      mutates_args: names of tensors that the kernels change; () for none.
      schema: such as "(Tensor x, int n) -> Tensor"; from annotations unless given.

    Raises:
      ValueError: as `custom_op`.

    >>> @torch.library.triton_op("triton_example::twice", mutates_args=())
    ... def twice(x: torch.Tensor) -> torch.Tensor:
    ...     return x * 2
    >>> twice(torch.ones(2))
    tensor([2., 2.])
    """
    return custom_op(name, fn, mutates_args=mutates_args, schema=schema)


def wrap_triton(triton_kernel: Any) -> Any:
    """The Triton kernel itself: what `torch.compile` would look into in a `triton_op`.

    Raises:
      RuntimeError: the argument has not been made by `triton.jit` or `triton.autotune`.
    """
    if not hasattr(triton_kernel, "run"):
        raise RuntimeError(
            "wrap_triton only works on functions annotated with triton.jit or triton.autotune"
        )
    return triton_kernel


# The same for operators of any origin.


def define(qualname: Any, schema: Any, *, lib: Library | None = None, tags: Any = ()) -> Any:
    """Declares the operator "namespace::name" by its schema, "(Tensor x) -> Tensor", with tags.

    The older form is `define(lib, "name(Tensor x) -> Tensor")`, a decorator of the kernel.
    """
    if isinstance(qualname, Library):
        op = qualname.define(schema, tags=tags)

        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            qualname.impl(op, function)
            return function

        return decorate
    _, name = _split(qualname)
    if not schema.startswith("("):
        raise ValueError(
            f'define(qualname, schema, ...): expected schema to look like e.g. "(Tensor x) -> Tensor" but got "{schema}"'
        )
    _library_for(qualname, lib).define(name + schema, tags=tags)
    return None


def impl(
    qualname: Any,
    types: Any,
    func: Any = None,
    *,
    lib: Library | None = None,
) -> Any:
    """Makes a function the kernel of the operator "namespace::name" for devices ("cpu", "cuda") or
    for all ("default"); a decorator where `func` is not given.

    The older form is `impl(lib, "name", "CPU")`.
    """
    if isinstance(qualname, Library):
        library, name, key = qualname, types, func or ""

        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            library.impl(name, function, key)
            return function

        return decorate

    keys = _keys(types)

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        target = _library_for(qualname, lib)
        for key in keys:
            target.impl(_split(qualname)[1], function, key)
        return function

    if func is None:
        return register
    register(func)
    return None


def register_kernel(
    op: Any, device_types: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None
) -> Any:
    """Makes a function the kernel of an operator for some devices.

    Args:
        op: the operator: "namespace::name", one of `torch.ops`, or a `CustomOpDef`.
        device_types: a kind of device such as "cpu", several of them, or None for all.
        func: takes the operator's arguments; without it the result is a decorator.
        lib: a `Library` whose end takes the kernel back; None keeps it.

    Returns:
        `func`, or a decorator.

    Example::

        >>> @torch.library.custom_op("library_doc::plus", mutates_args=(), device_types="cuda")
        ... def plus(x: torch.Tensor) -> torch.Tensor:
        ...     return x + 1
        >>> @torch.library.register_kernel("library_doc::plus", "cpu")
        ... def plus_on_cpu(x):
        ...     return x + 1
        >>> plus(torch.ones(1))
        tensor([2.])
    """
    found = _definitions.get(_name_of(op))
    if found is not None:
        return found.register_kernel(device_types, func)
    return impl(_name_of(op), device_types, func, lib=lib)


def register_fake(
    op: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None, **options: Any
) -> Any:
    """Says what an operator does with tensors of the meta device, which have no values: shapes,
    strides and dtypes of the results.

    Args:
        op: the operator: "namespace::name", one of `torch.ops`, or a `CustomOpDef`.
        func: takes the operator's arguments; without it the result is a decorator.
        lib: a `Library` whose end takes the function back; None keeps it.
        **options: not looked at.

    Returns:
        `func`, or a decorator.

    Raises:
        RuntimeError: the operator is made of others (CompositeImplicitAutograd); or at the first
            call, if C++ said that another Python module has the function.

    Example::

        >>> @torch.library.custom_op("library_doc::twice", mutates_args=())
        ... def twice(x: torch.Tensor) -> torch.Tensor:
        ...     return 2 * x
        >>> @torch.library.register_fake("library_doc::twice")
        ... def twice_fake(x):
        ...     return torch.empty_like(x)
        >>> twice(torch.ones(3, device="meta")).shape
        torch.Size([3])
    """
    del options
    name = _name_of(op)
    module = sys._getframe(1).f_globals.get("__name__")

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        found = _definitions.get(name)
        if found is not None:
            found.register_fake(function)
        else:
            if _C._dispatch_has_kernel_for_dispatch_key(name, "CompositeImplicitAutograd"):
                raise RuntimeError(
                    f"register_fake(...): the operator {name} already has an implementation for this device type via a pre-existing registration to DispatchKey::CompositeImplicitAutograd. CompositeImplicitAutograd operators do not need a fake impl; instead, the operator will decompose into its constituents and those can have fake impls defined on them."
                )
            kernel = _checked_module(function, name, module)
            _library_for(name, lib).impl(_split(name)[1], kernel, "Meta", allow_override=True)
        return function

    return register if func is None else register(func)


def _checked_module(function: Callable[..., Any], name: str, module: Any) -> Callable[..., Any]:
    """`function`; its first call sees whether C++ said that `module` has it."""
    checked = False

    @functools.wraps(function)
    def kernel(*args: Any, **kwargs: Any) -> Any:
        nonlocal checked
        found = None if checked else _C._dispatch_pystub(*_parts_of(name))
        if found is not None and found[0] != module:
            raise RuntimeError(
                f"Operator '{name}' specified that its python fake impl is in the Python module '{found[0]}' but it was actually found in '{module}'. "
                f"Please either move the fake impl or correct the m.set_python_module call ({found[2]})"
            )
        checked = True
        return function(*args, **kwargs)

    return kernel


impl_abstract = register_fake


def register_autograd(
    op: Any,
    backward: Callable[..., Any],
    /,
    *,
    setup_context: Callable[..., Any] | None = None,
    lib: Any = None,
) -> None:
    """Gives an operator a gradient.

    Args:
        op: the operator: "namespace::name", one of `torch.ops`, or a `CustomOpDef`. It changes no
            argument, and no result shares memory with one.
        backward: takes the context and a gradient for each result, and returns one, or None, for
            each argument.
        setup_context: called as `setup_context(ctx, inputs, output)` after the operator, to save
            what `backward` needs.
        lib: a `Library` whose end takes the gradient back; None keeps it.

    Raises:
        RuntimeError: the operator changes an argument, or a result may be one.

    Example::

        >>> @torch.library.custom_op("library_doc::square", mutates_args=())
        ... def square(x: torch.Tensor) -> torch.Tensor:
        ...     return x * x
        >>> def keep(ctx, inputs, output):
        ...     ctx.save_for_backward(*inputs)
        >>> def backward(ctx, grad):
        ...     return 2 * ctx.saved_tensors[0] * grad
        >>> torch.library.register_autograd("library_doc::square", backward, setup_context=keep)
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> square(x).backward()
        >>> x.grad
        tensor(6.)
    """
    name = _name_of(op)
    found = _definitions.get(name)
    if found is not None:
        found.register_autograd(backward, setup_context=setup_context)
        return
    schema = _C._operator_schema(*_parts_of(name))
    _check_for_autograd(name, schema)
    kernel = _autograd_kernel(name, backward, setup_context)
    _library_for(name, lib).impl(_split(name)[1], kernel, "Autograd", allow_override=True)


def register_vmap(op: Any, func: Callable[..., Any] | None = None, /, *, lib: Any = None) -> Any:
    """Keeps a batch rule of an operator; see `CustomOpDef.register_vmap`. A decorator without
    `func`."""
    del lib
    name = _name_of(op)
    found = _definitions.get(name)
    if found is not None:
        return found.register_vmap(func)
    _refuse_keyword_tensors(
        _C._operator_schema(*_parts_of(name)),
        "register_vmap with kwarg-only Tensor args. In the original definition of the op, please ",
    )

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        return function

    return register if func is None else register(func)


def register_autocast(
    op: Any, device_type: str, cast_inputs: torch.dtype, /, *, lib: Library | None = None
) -> None:
    """Casts floating-point inputs of an operator where autocast is on; see
    `CustomOpDef.register_autocast`."""
    name = _name_of(op)
    found = _definitions.get(name)
    if found is not None:
        found.register_autocast(device_type, cast_inputs)
        return
    _C._operator_schema(*_parts_of(name))  # throws unless there is such an operator
    _register_autocast(_library_for(name, lib), name, device_type, cast_inputs)


def _register_autocast(
    lib: Library, qualname: str, device_type: str, cast_inputs: torch.dtype
) -> None:
    if device_type not in ("cpu", "cuda"):
        raise ValueError(f"Unknown device type: {device_type}; choose cpu or cuda")
    namespace, name = _split(qualname)
    base, overload = _parts_of(name)
    op = getattr(getattr(getattr(torch.ops, namespace), base), overload or "default")

    def cast(leaf: Any) -> Any:
        eligible = (
            isinstance(leaf, Tensor)
            and leaf.is_floating_point()
            and leaf.device.type == device_type
            and leaf.dtype is not torch.float64
        )
        return leaf.to(cast_inputs) if eligible else leaf

    def kernel(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = _pytree.tree_map(cast, (args, kwargs))
        with torch.autocast(device_type, enabled=False):
            return op(*args, **kwargs)

    lib.impl(name, kernel, f"Autocast{device_type.upper()}", allow_override=True)


def _parts_of(name: str) -> tuple[str, str]:
    base, _, overload = name.partition(".")
    return base, "" if overload == "default" else overload


def get_ctx() -> Any:
    """Refused: it makes symbolic sizes."""
    _absent.SYMBOLIC.refuse("torch.library.get_ctx")


# Checks.


class OpCheckError(Exception):
    """What `opcheck` found wrong."""


_TESTS = ("test_schema", "test_autograd_registration", "test_faketensor")


def opcheck(
    op: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None = None,
    *,
    test_utils: str | Sequence[str] = _TESTS,
    raise_exception: bool = True,
    **options: Any,
) -> dict[str, str]:
    """Tests that an operator does what its schema and registrations say, with these arguments.

    `test_schema`: it changes no input that the schema does not mark, and no result shares memory
    with an input. `test_autograd_registration`: where an input requires grad, so do results. `test_
    faketensor`: on the meta device it gives the shapes, strides and dtypes that it gives with
    values. Whether gradients are right is `torch.autograd.gradcheck`'s affair.

    Returns "SUCCESS" or the error for each test that ran.

    Raises OpCheckError, unless `raise_exception` is False.
    """
    del options
    if isinstance(op, (CustomOpDef, OpOverload)):
        overload = op._opoverload if isinstance(op, CustomOpDef) else op
    elif isinstance(op, OpOverloadPacket):
        overload = op.default
    else:
        raise ValueError(
            f"opcheck(op, ...): op must be instance of torch._ops.OpOverload, e.g. torch.ops.aten.sin.default, got {type(op)}"
        )
    wanted = (test_utils,) if isinstance(test_utils, str) else tuple(test_utils)
    for name in wanted:
        if name not in _TESTS:
            raise ValueError(
                f"Invalid test_utils value: {name}; this release has {', '.join(_TESTS)}"
            )
    checks = {
        "test_schema": _check_schema,
        "test_autograd_registration": _check_autograd,
        "test_faketensor": _check_fake,
    }
    results = {}
    for name in wanted:
        try:
            checks[name](overload, args, kwargs or {})
            results[name] = "SUCCESS"
        except Exception as error:
            if raise_exception:
                raise OpCheckError(f"opcheck(op, ...): {name} failed with {error}") from error
            results[name] = str(error)
    return results


def _copied(values: Any) -> Any:
    def copy(leaf: Any) -> Any:
        if not isinstance(leaf, Tensor):
            return leaf
        return leaf.detach().clone().requires_grad_(leaf.requires_grad)

    return _pytree.tree_map(copy, values)


def _check_schema(op: OpOverload, args: Any, kwargs: Any) -> None:
    before = _tensors((args, kwargs))
    args, kwargs = _copied((args, kwargs))
    with torch.no_grad():
        result = op(*args, **kwargs)
    schema = op._schema
    given = {argument.name: v for argument, v in zip(schema.arguments, args, strict=False)} | kwargs
    changed = [given[a.name] for a in schema.arguments if a.is_write and a.name in given]
    marked = {id(t) for t in _tensors(changed)}
    after = _tensors((args, kwargs))
    for old, new in zip(before, after, strict=True):
        same = torch.equal(torch.nan_to_num(old.detach()), torch.nan_to_num(new.detach()))
        if not same and id(new) not in marked:
            raise AssertionError(
                "an argument is not defined to mutate but was mutated; mark it in the schema as Tensor(a!), or leave it alone"
            )
    memory = {t.untyped_storage().data_ptr() for t in after} - {0}
    if all(result.alias_info is None for result in schema.returns):
        for tensor in _tensors(result):
            if tensor.untyped_storage().data_ptr() in memory:
                raise AssertionError("a result aliases an input, which the schema does not say")


def _check_autograd(op: OpOverload, args: Any, kwargs: Any) -> None:
    if not any(t.requires_grad for t in _tensors((args, kwargs))):
        return
    args, kwargs = _copied((args, kwargs))
    results = [t for t in _tensors(op(*args, **kwargs)) if t.is_floating_point()]
    if results and not any(t.requires_grad for t in results):
        raise AssertionError(
            "an input requires grad and no result does; register a gradient by register_autograd"
        )
    keys = ("CompositeImplicitAutograd", "Autograd", "AutogradCPU", "AutogradCUDA")
    if results and not any(op.has_kernel_for_dispatch_key(key) for key in keys):
        raise AssertionError(
            f"{op} does not have an autograd kernel, but its results have a gradient: the kernel of a device made it, which autograd calls below its own records; register a gradient by register_autograd"
        )


def _check_fake(op: OpOverload, args: Any, kwargs: Any) -> None:
    args, kwargs = _copied((args, kwargs))

    def to_meta(leaf: Any) -> Any:
        return leaf.detach().to("meta") if isinstance(leaf, Tensor) else leaf

    fake_args, fake_kwargs = _pytree.tree_map(to_meta, (args, kwargs))
    with torch.no_grad():
        fakes = _tensors(op(*fake_args, **fake_kwargs))
        reals = _tensors(op(*args, **kwargs))
    if len(fakes) != len(reals):
        raise AssertionError(f"there are {len(reals)} tensors, and {len(fakes)} without values")
    for fake, real in zip(fakes, reals, strict=True):
        for fact in ("shape", "dtype"):
            if getattr(fake, fact) != getattr(real, fact):
                raise AssertionError(
                    f"the {fact} is {getattr(real, fact)}, and {getattr(fake, fact)} on the meta device; mend the function that register_fake was given"
                )
        if fake.stride() != real.stride():
            raise AssertionError(
                f"the strides are {real.stride()}, and {fake.stride()} on the meta device"
            )


__getattr__ = _absent.explain(__name__)

__all__ = [
    "CustomOpDef",
    "Library",
    "OpCheckError",
    "custom_op",
    "define",
    "fallthrough_kernel",
    "get_ctx",
    "impl",
    "impl_abstract",
    "infer_schema",
    "opcheck",
    "register_autocast",
    "register_autograd",
    "register_fake",
    "register_kernel",
    "register_vmap",
    "triton_op",
    "wrap_triton",
]
