"""Nested tuples, lists and dicts as their leaves and a structure.

    >>> from torch.utils import _pytree as pytree
    >>> leaves, spec = pytree.tree_flatten({"a": [1, 2], "b": (3,)})
    >>> leaves
    [1, 2, 3]
    >>> pytree.tree_unflatten([x * 10 for x in leaves], spec)
    {'a': [10, 20], 'b': (30,)}

None is a leaf. Other classes become nodes by `register_pytree_node`.
"""

from __future__ import annotations

import functools
import json
from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from torch import _absent
from torch._docstrings import documented_by

T = TypeVar("T")

Context = Any
PyTree = Any
KeyEntry = Any
KeyPath = tuple[KeyEntry, ...]
FlattenFunc = Callable[[PyTree], tuple[list[Any], Context]]
UnflattenFunc = Callable[[Iterable[Any], Context], PyTree]
FlattenWithKeysFunc = Callable[[PyTree], tuple[list[tuple[KeyEntry, Any]], Any]]


# What functions of trees have in common.
_TREE = """
Args:
    type_or_types_or_pred: a type, a tuple of types, or a function that says of a leaf whether it is
        meant.
    type_or_types: a type, or a tuple of types.
    func: takes a leaf.
    pred: takes a leaf and says yes or no.
    tree: nested nodes: tuples, lists, dicts and registered classes. Anything else is a leaf.
    is_leaf: says of a node whether it counts as a leaf. It is asked of each node before its
        children; of none if it is None.
    kp: a path, as `tree_flatten_with_path` gives it.
"""


class NodeDef(NamedTuple):
    """How a class is taken apart and made again.

    Attributes:
        type: the class.
        flatten_fn: gives the children of an object and what else it is made of.
        unflatten_fn: makes an object of both.
        flatten_with_keys_fn: the same as `flatten_fn` with a key for each child; None if there is
            none.
    """

    type: type[Any]
    flatten_fn: FlattenFunc
    unflatten_fn: UnflattenFunc
    flatten_with_keys_fn: FlattenWithKeysFunc | None


class _SerializeNodeDef(NamedTuple):
    serialized_type_name: str
    to_dumpable_context: Callable[[Context], Any] | None
    from_dumpable_context: Callable[[Any], Context] | None


#: The classes that are nodes.
SUPPORTED_NODES: dict[type[Any], NodeDef] = {}
_SERIALIZED: dict[type[Any], _SerializeNodeDef] = {}
_BY_SERIALIZED_NAME: dict[str, type[Any]] = {}


@dataclass(frozen=True)
class SequenceKey:
    """The position of a child in a sequence.

    Attributes:
        idx: the position.
    """

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"

    def get(self, sequence: Any) -> Any:
        """The child of a sequence at this position.

        Args:
            sequence: a list, a tuple or a deque.

        Raises:
            IndexError: it is shorter.
        """
        return sequence[self.idx]


@dataclass(frozen=True)
class MappingKey:
    """The key of a child in a mapping.

    Attributes:
        key: the key.
    """

    key: Hashable

    def __str__(self) -> str:
        return f"[{self.key!r}]"

    def get(self, mapping: Any) -> Any:
        """The child of a mapping by this key.

        Args:
            mapping: a dict.

        Raises:
            KeyError: it has no such key.
        """
        return mapping[self.key]


@dataclass(frozen=True)
class GetAttrKey:
    """The attribute that a child is.

    Attributes:
        name: of the attribute.
    """

    name: str

    def __str__(self) -> str:
        return f".{self.name}"

    def get(self, obj: Any) -> Any:
        """The child of an object by this name.

        Args:
            obj: an object, such as a namedtuple.

        Raises:
            AttributeError: it has no such attribute.
        """
        return getattr(obj, self.name)


def register_pytree_node(
    cls: type[Any],
    flatten_fn: FlattenFunc,
    unflatten_fn: UnflattenFunc,
    *,
    serialized_type_name: str | None = None,
    to_dumpable_context: Callable[[Context], Any] | None = None,
    from_dumpable_context: Callable[[Any], Context] | None = None,
    flatten_with_keys_fn: FlattenWithKeysFunc | None = None,
) -> None:
    """Makes a class a node.

    Args:
        cls: the class itself; its subclasses stay leaves.
        flatten_fn: gives the children and what else an object is made of.
        unflatten_fn: makes an object of both.
        serialized_type_name, to_dumpable_context, from_dumpable_context: for `treespec_dumps`.
        flatten_with_keys_fn: the same as `flatten_fn` with keys of the children, for paths.

    Raises:
        ValueError: the class is a node already.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> class Pair:
        ...     def __init__(self, a, b):
        ...         self.a, self.b = a, b
        >>> pytree.register_pytree_node(
        ...     Pair, lambda p: ([p.a, p.b], None), lambda children, context: Pair(*children))
        >>> pytree.tree_leaves([Pair(1, 2), 3])
        [1, 2, 3]
    """
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _register(
        cls, flatten_fn, unflatten_fn, serialized_type_name, to_dumpable_context,
        from_dumpable_context, flatten_with_keys_fn,
    )  # fmt: skip


def _register(
    cls: type[Any],
    flatten_fn: FlattenFunc,
    unflatten_fn: UnflattenFunc,
    name: str | None = None,
    to_context: Callable[[Context], Any] | None = None,
    from_context: Callable[[Any], Context] | None = None,
    with_keys: FlattenWithKeysFunc | None = None,
) -> None:
    if (to_context is None) != (from_context is None):
        raise ValueError(
            f"Both to_dumpable_context and from_dumpable_context for {cls} must be None or registered."
        )
    SUPPORTED_NODES[cls] = NodeDef(cls, flatten_fn, unflatten_fn, with_keys)
    if name is not None:
        _SERIALIZED[cls] = _SerializeNodeDef(name, to_context, from_context)
        _BY_SERIALIZED_NAME[name] = cls


def _register_pytree_node(
    cls: type[Any], flatten_fn: FlattenFunc, unflatten_fn: UnflattenFunc, **kwargs: Any
) -> None:
    """The older name, which replaces a registration in silence."""
    SUPPORTED_NODES.pop(cls, None)
    register_pytree_node(cls, flatten_fn, unflatten_fn, **kwargs)


def _deregister_pytree_node(cls: type[Any]) -> None:
    """Makes a class a leaf again."""
    del SUPPORTED_NODES[cls]
    node = _SERIALIZED.pop(cls, None)
    if node is not None:
        del _BY_SERIALIZED_NAME[node.serialized_type_name]


def is_namedtuple(obj: Any) -> bool:
    """Whether an object, or a class, is that of a namedtuple.

    Args:
        obj: an object or a class.

    Example::

        >>> from collections import namedtuple
        >>> from torch.utils import _pytree as pytree
        >>> Point = namedtuple("Point", "x y")
        >>> pytree.is_namedtuple(Point(1, 2)), pytree.is_namedtuple((1, 2))
        (True, False)
    """
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_namedtuple_class(cls: type) -> bool:
    """Whether a class is that of a namedtuple: a tuple with `_fields` and `_make`.

    Args:
        cls: a class.
    """
    fields = getattr(cls, "_fields", None)
    return (
        isinstance(cls, type)
        and issubclass(cls, tuple)
        and isinstance(fields, tuple)
        and all(isinstance(name, str) for name in fields)
        and callable(getattr(cls, "_make", None))
    )


def is_structseq_class(cls: type) -> bool:
    """Whether a class is that of a named result of torch.

    Args:
        cls: a class.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.is_structseq_class(torch.return_types.max), pytree.is_structseq_class(tuple)
        (True, False)
    """
    return (
        isinstance(cls, type)
        and cls.__base__ is tuple
        and all(hasattr(cls, name) for name in ("n_fields", "n_sequence_fields"))
    )


def is_structseq_instance(obj: object) -> bool:
    """Whether an object is a named result of torch.

    Args:
        obj: any object.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.is_structseq_instance(torch.ones(2, 3).max(1))
        True
    """
    return is_structseq_class(type(obj))


def _sequence_keys(values: Iterable[Any]) -> list[tuple[KeyEntry, Any]]:
    return [(SequenceKey(i), value) for i, value in enumerate(values)]


def _mapping_keys(mapping: Mapping[Any, Any]) -> list[tuple[KeyEntry, Any]]:
    return [(MappingKey(k), v) for k, v in mapping.items()]


_register(
    tuple,
    lambda t: (list(t), None),
    lambda values, _: tuple(values),
    "builtins.tuple",
    with_keys=lambda t: (_sequence_keys(t), None),
)
_register(
    list,
    lambda t: (list(t), None),
    lambda values, _: list(values),
    "builtins.list",
    with_keys=lambda t: (_sequence_keys(t), None),
)


_register(
    dict,
    lambda d: (list(d.values()), list(d.keys())),
    lambda values, keys: dict(zip(keys, values, strict=True)),
    "builtins.dict",
    with_keys=lambda d: (_mapping_keys(d), list(d.keys())),
)
_register(
    namedtuple,  # type: ignore[arg-type]
    lambda t: (list(t), type(t)),
    lambda values, cls: cls(*values),
    "collections.namedtuple",
    to_context=lambda cls: f"{cls.__module__}.{cls.__qualname__}",
    from_context=lambda name: _class_of(name),
    with_keys=lambda t: (
        [(GetAttrKey(k), v) for k, v in zip(t._fields, t, strict=True)],
        type(t),
    ),
)
_register(
    OrderedDict,
    lambda d: (list(d.values()), list(d.keys())),
    lambda values, keys: OrderedDict(zip(keys, values, strict=True)),
    "collections.OrderedDict",
    with_keys=lambda d: (_mapping_keys(d), list(d.keys())),
)
_register(
    defaultdict,
    lambda d: (list(d.values()), [d.default_factory, list(d.keys())]),
    lambda values, context: defaultdict(context[0], zip(context[1], values, strict=True)),
    "collections.defaultdict",
    to_context=lambda context: {
        "default_factory_module": context[0].__module__,
        "default_factory_name": context[0].__qualname__,
        "dict_context": context[1],
    },
    from_context=lambda dumped: [
        _class_of(f"{dumped['default_factory_module']}.{dumped['default_factory_name']}"),
        dumped["dict_context"],
    ],
    with_keys=lambda d: (_mapping_keys(d), [d.default_factory, list(d.keys())]),
)
_register(
    deque,
    lambda d: (list(d), d.maxlen),
    lambda values, maxlen: deque(values, maxlen=maxlen),
    "collections.deque",
    with_keys=lambda d: (_sequence_keys(d), d.maxlen),
)
# Packages register classes of their own that derive from these with what flattens these:
# `_dict_flatten`, `_dict_unflatten`, `_dict_flatten_with_keys`.
for _class in (tuple, list, dict, namedtuple, OrderedDict, defaultdict, deque):
    _node, _stem = SUPPORTED_NODES[_class], f"_{_class.__name__.lower()}"  # type: ignore[index]
    globals()[f"{_stem}_flatten"] = _node.flatten_fn
    globals()[f"{_stem}_unflatten"] = _node.unflatten_fn
    globals()[f"{_stem}_flatten_with_keys"] = _node.flatten_with_keys_fn


class structseq:
    """Stands for the classes of named results of torch, which are nodes like namedtuples."""


_register(
    structseq,
    lambda t: (list(t), type(t)),
    lambda values, cls: cls(values),
    with_keys=lambda t: (_sequence_keys(t), type(t)),
)


def _class_of(name: str) -> Any:
    import importlib

    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


#: The classes that are nodes from the beginning.
BUILTIN_TYPES: frozenset[type] = frozenset(SUPPORTED_NODES)
#: Dicts of one structure may be of different classes among these.
STANDARD_DICT_TYPES: frozenset[type] = frozenset({dict, OrderedDict, defaultdict})


def _get_node_type(tree: Any) -> Any:
    cls = type(tree)
    if cls in SUPPORTED_NODES:
        return cls
    if is_namedtuple_class(cls):
        return namedtuple
    return structseq if is_structseq_class(cls) else cls


@documented_by(_TREE)
def tree_is_leaf(tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None) -> bool:
    """Whether a tree is a leaf.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_is_leaf(1), pytree.tree_is_leaf([1])
        (True, False)
    """
    if is_leaf is not None and is_leaf(tree):
        return True
    return _get_node_type(tree) not in SUPPORTED_NODES


_is_leaf = tree_is_leaf


@dataclass(frozen=True)
class TreeSpec:
    """A structure: the class of a node, what it is made of besides its children, and theirs.

    Attributes:
        type: the class of the node; None for a leaf.
        context: what else the node is made of, such as the keys of a dict.
        children_specs: the structures of the children.
        num_nodes, num_leaves, num_children: how many there are, below and with this one.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> spec = pytree.tree_structure({"a": [1, 2]})
        >>> spec.num_leaves, spec.unflatten([3, 4])
        (2, {'a': [3, 4]})
    """

    type: Any
    context: Context
    children_specs: list[TreeSpec]
    num_nodes: int = field(init=False, default=1)
    num_leaves: int = field(init=False, default=1)
    num_children: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        leaf = self.type is None
        nodes = 1 + sum(c.num_nodes for c in self.children_specs)
        leaves = 1 if leaf else sum(c.num_leaves for c in self.children_specs)
        object.__setattr__(self, "num_nodes", nodes)
        object.__setattr__(self, "num_leaves", leaves)
        object.__setattr__(self, "num_children", len(self.children_specs))

    def is_leaf(self) -> bool:
        """Whether it is the structure of a leaf."""
        return self.type is None

    def children(self) -> list[TreeSpec]:
        """The structures of the children."""
        return list(self.children_specs)

    def child(self, index: int) -> TreeSpec:
        """The structure of one child.

        Args:
            index: its position.

        Raises:
            IndexError: there is no such child.
        """
        return self.children_specs[index]

    def __repr__(self, indent: int = 0) -> str:
        if self.is_leaf():
            return "*"
        head = f"TreeSpec({self.type.__name__}, {self.context}, ["
        inner = [child.__repr__(indent + 2) for child in self.children_specs]
        if len(inner) >= 2:
            separator = ",\n" + " " * (indent + 2)
            return head + inner[0] + separator + separator.join(inner[1:]) + "])"
        return head + "".join(inner) + "])"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TreeSpec):
            return NotImplemented
        return (
            self.type is other.type
            and self.context == other.context
            and self.children_specs == other.children_specs
        )

    def __hash__(self) -> int:
        return hash((self.type, self.num_leaves, self.num_nodes))

    def unflatten(self, leaves: Iterable[Any]) -> PyTree:
        """The tree of this structure with other leaves.

        Args:
            leaves: as many as the structure has, from left to right.

        Raises:
            ValueError: there are more or fewer.
        """
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree that holds {self.num_leaves} items ({self})."
            )
        if self.is_leaf():
            return leaves[0]
        children = []
        start = 0
        for spec in self.children_specs:
            children.append(spec.unflatten(leaves[start : start + spec.num_leaves]))
            start += spec.num_leaves
        return SUPPORTED_NODES[self.type].unflatten_fn(children, self.context)

    def flatten_up_to(self, tree: PyTree) -> list[PyTree]:
        """The subtrees of a tree where this structure has leaves.

        Args:
            tree: a tree that begins with this structure. Dicts of different classes count as one
                kind, in whatever order their keys are.

        Raises:
            ValueError: it differs in a class, in the number of children, or in keys.

        Example::

            >>> from torch.utils import _pytree as pytree
            >>> pytree.tree_structure([0, 0]).flatten_up_to([1, (2, 3)])
            [1, (2, 3)]
        """
        subtrees: list[PyTree] = []
        self._flatten_up_to(tree, subtrees)
        return subtrees

    def _flatten_up_to(self, tree: PyTree, subtrees: list[PyTree]) -> None:
        if self.is_leaf():
            subtrees.append(tree)
            return
        node_type = _get_node_type(tree)
        both_dicts = self.type in STANDARD_DICT_TYPES and node_type in STANDARD_DICT_TYPES
        if node_type is not self.type and not both_dicts:
            raise ValueError(f"Type mismatch; expected {self.type!r}, but got {node_type!r}.")
        if both_dicts:
            keys = self.context if self.type is not defaultdict else self.context[1]
            if set(keys) != set(tree):
                missing = sorted(map(repr, set(keys) - set(tree)))
                extra = sorted(map(repr, set(tree) - set(keys)))
                message = f"; missing key(s): {missing}" if missing else ""
                message += f"; extra key(s): {extra}" if extra else ""
                raise ValueError(f"Node keys mismatch{message}.")
            children = [tree[key] for key in keys]
        else:
            children, context = SUPPORTED_NODES[node_type].flatten_fn(tree)
            if len(children) != self.num_children:
                raise ValueError(
                    f"Node arity mismatch; expected {self.num_children}, but got {len(children)}."
                )
            if context != self.context and self.type is not deque:
                raise ValueError(f"Node context mismatch for custom node type {self.type!r}.")
        for spec, subtree in zip(self.children_specs, children, strict=True):
            spec._flatten_up_to(subtree, subtrees)


class LeafSpec(TreeSpec):
    """The structure of a leaf."""

    def __init__(self) -> None:
        super().__init__(None, None, [])

    def __repr__(self, indent: int = 0) -> str:
        return "*"


_LEAF_SPEC = LeafSpec()


def treespec_leaf() -> TreeSpec:
    """The structure of a leaf."""
    return _LEAF_SPEC


def treespec_tuple(iterable: Iterable[TreeSpec] = (), /) -> TreeSpec:
    """The structure of a tuple.

    Args:
        iterable: the structures of its elements.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.treespec_tuple([pytree.treespec_leaf()] * 2).unflatten([1, 2])
        (1, 2)
    """
    return TreeSpec(tuple, None, list(iterable))


def treespec_dict(mapping: Any = (), /, **kwargs: TreeSpec) -> TreeSpec:
    """The structure of a dict.

    Args:
        mapping: from keys to structures, or pairs of both.
        **kwargs: more of them.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.treespec_dict(a=pytree.treespec_leaf()).unflatten([1])
        {'a': 1}
    """
    specs = dict(mapping, **kwargs)
    return TreeSpec(dict, list(specs), list(specs.values()))


@documented_by(_TREE)
def tree_flatten(
    tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None
) -> tuple[list[Any], TreeSpec]:
    """The leaves of a tree from left to right, and its structure.

    Returns:
        A list, and a `TreeSpec` whose `unflatten` makes the tree again.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> leaves, spec = pytree.tree_flatten((1, [2, None]))
        >>> leaves, spec.unflatten("abc")
        ([1, 2, None], ('a', ['b', 'c']))
    """
    leaves: list[Any] = []

    def flatten(node: PyTree) -> TreeSpec:
        if tree_is_leaf(node, is_leaf):
            leaves.append(node)
            return _LEAF_SPEC
        node_type = _get_node_type(node)
        children, context = SUPPORTED_NODES[node_type].flatten_fn(node)
        return TreeSpec(node_type, context, [flatten(child) for child in children])

    spec = flatten(tree)
    return leaves, spec


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> PyTree:
    """The tree of a structure with these leaves; the inverse of `tree_flatten`.

    Args:
        leaves: as many as the structure has, from left to right.
        treespec: the structure.

    Raises:
        TypeError: `treespec` is none.
        ValueError: there are more or fewer leaves.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_unflatten([1, 2], pytree.tree_structure({"a": 0, "b": 0}))
        {'a': 1, 'b': 2}
    """
    if not isinstance(treespec, TreeSpec):
        raise TypeError(
            f"tree_unflatten(leaves, treespec): Expected `treespec` to be instance of PyTreeSpec but got item of type {type(treespec)}."
        )
    return treespec.unflatten(leaves)


@documented_by(_TREE)
def tree_iter(tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None) -> Iterable[Any]:
    """The leaves of a tree from left to right, one by one.

    Returns:
        An iterator, which takes the tree apart while it goes.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> next(pytree.tree_iter([[1], 2]))
        1
    """
    if tree_is_leaf(tree, is_leaf):
        yield tree
        return
    children, _ = SUPPORTED_NODES[_get_node_type(tree)].flatten_fn(tree)
    for child in children:
        yield from tree_iter(child, is_leaf)


@documented_by(_TREE)
def tree_leaves(tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None) -> list[Any]:
    """The leaves of a tree from left to right.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_leaves({"a": [1, (2,)], "b": 3})
        [1, 2, 3]
    """
    return list(tree_iter(tree, is_leaf))


@documented_by(_TREE)
def tree_structure(tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None) -> TreeSpec:
    """The structure of a tree, without its leaves.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_structure([1, 2]) == pytree.tree_structure(["a", "b"])
        True
    """
    return tree_flatten(tree, is_leaf)[1]


def tree_map(
    func: Callable[..., Any],
    tree: PyTree,
    *rests: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> PyTree:
    """A tree of `func` of each leaf, and of what stands at its place in `rests`.

    Args:
        func: takes a leaf, and a subtree of each of `rests`.
        tree: whose structure the result has.
        *rests: trees that begin with the same structure.
        is_leaf: says of a node of `tree` whether it counts as a leaf.

    Raises:
        ValueError: a tree of `rests` differs.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_map(lambda x, y: x + y, [1, (2,)], [10, (20,)])
        [11, (22,)]
    """
    leaves, spec = tree_flatten(tree, is_leaf)
    flat = [leaves, *(spec.flatten_up_to(r) for r in rests)]
    return spec.unflatten(map(func, *flat))


def tree_map_(
    func: Callable[..., Any],
    tree: PyTree,
    *rests: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> PyTree:
    """Calls `func` with each leaf, from left to right, for what it does.

    Args:
        func: takes a leaf, and a subtree of each of `rests`; its result is dropped.
        tree: any tree.
        *rests: trees that begin with the same structure.
        is_leaf: says of a node of `tree` whether it counts as a leaf.

    Returns:
        `tree` itself.

    Raises:
        ValueError: a tree of `rests` differs.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> weights = {"w": torch.ones(2)}
        >>> pytree.tree_map_(torch.Tensor.zero_, weights)
        {'w': tensor([0., 0.])}
    """
    leaves, spec = tree_flatten(tree, is_leaf)
    for arguments in zip(leaves, *(spec.flatten_up_to(r) for r in rests), strict=True):
        func(*arguments)
    return tree


def _accepts(type_or_types_or_pred: Any) -> Callable[[Any], bool]:
    if (
        isinstance(type_or_types_or_pred, type)
        or type(type_or_types_or_pred).__name__ == "UnionType"
    ):
        return lambda x: isinstance(x, type_or_types_or_pred)
    if isinstance(type_or_types_or_pred, tuple):
        return lambda x: isinstance(x, type_or_types_or_pred)
    if callable(type_or_types_or_pred):
        return type_or_types_or_pred
    raise TypeError("Argument must be a type, a tuple of types, or a callable.")


@documented_by(_TREE)
def map_only(type_or_types_or_pred: Any, /) -> Callable[[Any], Any]:
    """A decorator for functions of a leaf: they are called for some leaves, others stay as they
    are.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> @pytree.map_only(int)
        ... def negative(x):
        ...     return -x
        >>> negative(1), negative("a")
        (-1, 'a')
    """
    accepts = _accepts(type_or_types_or_pred)

    def wrapper(func: Callable[[T], Any]) -> Callable[[Any], Any]:
        @functools.wraps(func)
        def wrapped(x: T) -> Any:
            return func(x) if accepts(x) else x

        return wrapped

    return wrapper


@documented_by(_TREE)
def tree_map_only(
    type_or_types_or_pred: Any,
    /,
    func: Callable[[Any], Any],
    tree: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> PyTree:
    """`tree_map` for some leaves; the others stay as they are.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_map_only(int, lambda x: -x, [1, "a"])
        [-1, 'a']
    """
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


@documented_by(_TREE)
def tree_map_only_(
    type_or_types_or_pred: Any,
    /,
    func: Callable[[Any], Any],
    tree: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> PyTree:
    """`tree_map_` for some leaves: calls `func` with them for what it does.

    Returns:
        `tree` itself.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_map_only_(torch.Tensor, torch.Tensor.zero_, [torch.ones(1), "a"])
        [tensor([0.]), 'a']
    """
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


@documented_by(_TREE)
def tree_all(
    pred: Callable[[Any], bool],
    tree: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> bool:
    """Whether `pred` is true of all leaves; it is not asked further after one of which it is not.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_all(lambda x: x > 0, [1, (2,)])
        True
    """
    return all(map(pred, tree_iter(tree, is_leaf)))


@documented_by(_TREE)
def tree_any(
    pred: Callable[[Any], bool],
    tree: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> bool:
    """Whether `pred` is true of a leaf; it is not asked further after that.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_any(lambda x: x > 1, [1, (2,)])
        True
    """
    return any(map(pred, tree_iter(tree, is_leaf)))


@documented_by(_TREE)
def tree_all_only(
    type_or_types: Any,
    /,
    pred: Callable[[Any], bool],
    tree: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> bool:
    """Whether `pred` is true of all leaves of some types.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_all_only(int, lambda x: x > 0, [1, "a"])
        True
    """
    return all(pred(x) for x in tree_iter(tree, is_leaf) if isinstance(x, type_or_types))


@documented_by(_TREE)
def tree_any_only(
    type_or_types: Any,
    /,
    pred: Callable[[Any], bool],
    tree: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> bool:
    """Whether `pred` is true of a leaf of some types.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_any_only(int, lambda x: x > 1, [1, "a"])
        False
    """
    return any(pred(x) for x in tree_iter(tree, is_leaf) if isinstance(x, type_or_types))


def arg_tree_leaves(*args: PyTree, **kwargs: PyTree) -> list[Any]:
    """The leaves of the arguments of a call, in their order.

    Args:
        *args, **kwargs: trees.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.arg_tree_leaves([1, 2], key=(3,))
        [1, 2, 3]
    """
    return tree_leaves((list(args), kwargs))


def _broadcast_to_and_flatten(
    tree: PyTree, treespec: TreeSpec, is_leaf: Callable[[PyTree], bool] | None = None
) -> list[Any] | None:
    """The leaves of `tree`, each as often as the structure has leaves below it; None where `tree`
    is no beginning of the structure."""
    if tree_is_leaf(tree, is_leaf):
        return [tree] * treespec.num_leaves
    node_type = _get_node_type(tree)
    if treespec.is_leaf() or node_type is not treespec.type:
        return None
    children, context = SUPPORTED_NODES[node_type].flatten_fn(tree)
    if len(children) != treespec.num_children or context != treespec.context:
        return None
    result: list[Any] = []
    for child, spec in zip(children, treespec.children_specs, strict=True):
        flat = _broadcast_to_and_flatten(child, spec, is_leaf)
        if flat is None:
            return None
        result += flat
    return result


# Paths.


@documented_by(_TREE)
def tree_flatten_with_path(
    tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None
) -> tuple[list[tuple[KeyPath, Any]], TreeSpec]:
    """The leaves with the keys that lead to them, and the structure.

    Returns:
        A list of (path, leaf), and a `TreeSpec`. A path is a tuple of `SequenceKey`, `MappingKey`,
        `GetAttrKey` and what the program registered.

    Raises:
        ValueError: a class was registered without `flatten_with_keys_fn`.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> [(pytree.keystr(k), x) for k, x in pytree.tree_flatten_with_path({"a": [1, 2]})[0]]
        [("['a'][0]", 1), ("['a'][1]", 2)]
    """
    found: list[tuple[KeyPath, Any]] = []

    def visit(path: KeyPath, node: PyTree) -> None:
        if tree_is_leaf(node, is_leaf):
            found.append((path, node))
            return
        definition = SUPPORTED_NODES[_get_node_type(node)]
        if definition.flatten_with_keys_fn is None:
            raise ValueError(
                f"Did not find a flatten_with_keys_fn for type: {_get_node_type(node)}. Please pass a flatten_with_keys_fn argument to register_pytree_node."
            )
        for key, child in definition.flatten_with_keys_fn(node)[0]:
            visit((*path, key), child)

    visit((), tree)
    return found, tree_structure(tree, is_leaf)


@documented_by(_TREE)
def tree_leaves_with_path(
    tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None
) -> list[tuple[KeyPath, Any]]:
    """The leaves with the keys that lead to them.

    Returns:
        A list of (path, leaf), as `tree_flatten_with_path` gives it.

    Raises:
        ValueError: a class was registered without `flatten_with_keys_fn`.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_leaves_with_path([5])
        [((SequenceKey(idx=0),), 5)]
    """
    return tree_flatten_with_path(tree, is_leaf)[0]


def tree_map_with_path(
    func: Callable[..., Any],
    tree: PyTree,
    *rests: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> PyTree:
    """`tree_map` of a function that also takes the path of the leaf.

    Args:
        func: takes the path, the leaf, and a subtree of each of `rests`.
        tree: whose structure the result has.
        *rests: trees that begin with the same structure.
        is_leaf: says of a node of `tree` whether it counts as a leaf.

    Raises:
        ValueError: a tree of `rests` differs, or a class was registered without
            `flatten_with_keys_fn`.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.tree_map_with_path(lambda path, x: f"{pytree.keystr(path)} = {x}", {"a": [1]})
        {'a': ["['a'][0] = 1"]}
    """
    with_paths, spec = tree_flatten_with_path(tree, is_leaf)
    paths = [path for path, _ in with_paths]
    leaves = [leaf for _, leaf in with_paths]
    return spec.unflatten(map(func, paths, leaves, *(spec.flatten_up_to(r) for r in rests)))


@documented_by(_TREE)
def keystr(kp: KeyPath) -> str:
    """A path as Python would write it behind the name of a tree.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.keystr((pytree.MappingKey("a"), pytree.SequenceKey(0)))
        "['a'][0]"
    """
    return "".join(str(key) for key in kp)


def key_get(obj: Any, kp: KeyPath) -> Any:
    """The leaf, or the subtree, to which a path leads.

    Args:
        obj: the tree.
        kp: a path, as `tree_flatten_with_path` gives it.

    Raises:
        IndexError, KeyError, AttributeError: there is no such child.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.key_get({"a": [7]}, (pytree.MappingKey("a"), pytree.SequenceKey(0)))
        7
    """
    for key in kp:
        obj = key.get(obj)
    return obj


# Structures as text.


def treespec_dumps(treespec: TreeSpec, protocol: int | None = None) -> str:
    """A structure as JSON, which `treespec_loads` reads.

    Args:
        treespec: the structure.
        protocol: the version of the format: 1, or None for it.

    Raises:
        TypeError: `treespec` is none.
        ValueError: another protocol.
        NotImplementedError: a class was registered without `serialized_type_name`.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.treespec_dumps(pytree.tree_structure([1]))[:20]
        '[1, {"type": "builti'
    """
    if not isinstance(treespec, TreeSpec):
        raise TypeError(
            f"treespec_dumps(treespec, protocol): Expected `treespec` to be instance of TreeSpec but got item of type {type(treespec)}."
        )
    if protocol not in (None, 1):
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [1]")

    def dump(spec: TreeSpec) -> dict[str, Any]:
        if spec.is_leaf():
            return {"type": None, "context": None, "children_spec": []}
        node = _SERIALIZED.get(spec.type)
        if node is None:
            raise NotImplementedError(
                f"No registered serialization name for {spec.type} found. Please use `register_pytree_node(..., serialized_type_name=...)`."
            )
        if node.to_dumpable_context is not None:
            context = json.dumps(node.to_dumpable_context(spec.context))
        else:
            context = json.dumps(spec.context)
        return {
            "type": node.serialized_type_name,
            "context": context,
            "children_spec": [dump(child) for child in spec.children_specs],
        }

    return json.dumps((1, dump(treespec)))


def treespec_loads(serialized: str) -> TreeSpec:
    """The inverse of `treespec_dumps`.

    Args:
        serialized: the text.

    Raises:
        ValueError: it is of another protocol.
        NotImplementedError: a class of it is not registered.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> spec = pytree.tree_structure({"a": (1, 2)})
        >>> pytree.treespec_loads(pytree.treespec_dumps(spec)) == spec
        True
    """
    protocol, schema = json.loads(serialized)
    if protocol != 1:
        raise ValueError(f"Unknown protocol {protocol}. Available protocols: [1]")

    def load(data: dict[str, Any]) -> TreeSpec:
        if data["type"] is None:
            return _LEAF_SPEC
        cls = _BY_SERIALIZED_NAME.get(data["type"])
        if cls is None:
            raise NotImplementedError(
                f"Deserializing `{data['type']}` in pytree is not registered."
            )
        context = json.loads(data["context"])
        from_context = _SERIALIZED[cls].from_dumpable_context
        if from_context is not None:
            context = from_context(context)
        return TreeSpec(cls, context, [load(child) for child in data["children_spec"]])

    return load(schema)


def treespec_pprint(treespec: TreeSpec) -> str:
    """A structure as the tree of stars that it stands for.

    Args:
        treespec: the structure.

    Example::

        >>> from torch.utils import _pytree as pytree
        >>> pytree.treespec_pprint(pytree.tree_structure({"a": [1, 2]}))
        "{'a': [*, *]}"
    """

    class Star:
        def __repr__(self) -> str:
            return "*"

    return repr(tree_unflatten([Star()] * treespec.num_leaves, treespec))


__getattr__ = _absent.explain(__name__)
