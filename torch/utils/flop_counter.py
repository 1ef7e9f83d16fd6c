"""Counts the floating-point operations of matrix products, convolutions and attention.

A multiplication and an addition count as two. Operations of other kinds count as none: in models
the products are nearly all of the work.
"""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch
from torch._tensor import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils.module_tracker import ModuleTracker

_aten = torch.ops.aten
Shape = Sequence[int]
Formula = Callable[..., int]

# Formulas by operator. Tensors among the arguments are replaced by their shapes, unless a formula
# was registered with get_raw=True.
flop_registry: dict[Any, Formula] = {}


def _shapes(value: Any) -> Any:
    from torch.utils import _pytree

    return _pytree.tree_map(lambda v: v.shape if isinstance(v, Tensor) else v, value)


def register_flop_formula(targets: Any, get_raw: bool = False) -> Callable[[Formula], Formula]:
    """Registers how many operations an operator does.

    Args:
        targets: one or more operators such as `torch.ops.mylib.scale`.
        get_raw: whether the formula gets tensors rather than their shapes.

    Returns:
        A decorator for a function of the operator's arguments and of `out_shape`, or `out_val` with
        `get_raw`, which returns a number.

    Example::

        >>> from torch.utils.flop_counter import flop_registry, register_flop_formula
        >>> @register_flop_formula(torch.ops.aten.mv)
        ... def mv_flop(a, b, out_shape=None, **kwargs):
        ...     return 2 * a[0] * a[1]
        >>> flop_registry.pop(torch.ops.aten.mv)(torch.ones(2, 3), torch.ones(3))
        12
    """

    def register(formula: Formula) -> Formula:
        counted = formula if get_raw else _of_shapes(formula)
        for target in targets if isinstance(targets, (list, tuple)) else [targets]:
            if not isinstance(target, torch._ops.OpOverloadPacket):
                raise ValueError(
                    f"register_flop_formula(targets): expected each target to be OpOverloadPacket (i.e. torch.ops.mylib.foo), got {target} which is of type {type(target)}"
                )
            if target in flop_registry:
                raise RuntimeError(f"duplicate registrations for {target}")
            flop_registry[target] = counted
        return formula

    return register


def _of_shapes(formula: Formula) -> Formula:
    def counted(*args: Any, out_val: Any = None, **kwargs: Any) -> int:
        shapes, options = _shapes(args), _shapes(kwargs)
        return formula(*shapes, out_shape=_shapes(out_val), **options)

    counted.__wrapped__ = formula  # type: ignore[attr-defined]
    return counted


@register_flop_formula(_aten.mm)
def mm_flop(
    a_shape: Shape, b_shape: Shape, *args: Any, out_shape: Any = None, **kwargs: Any
) -> int:
    """The operations of the product of an M by K and a K by N matrix: 2 M N K.

    Args:
        a_shape, b_shape: (M, K) and (K, N).
        *args, out_shape, **kwargs: not looked at.

    Raises:
        AssertionError: the inner sizes differ.

    Example::

        >>> from torch.utils.flop_counter import flop_registry
        >>> flop_registry[torch.ops.aten.mm](torch.ones(2, 3), torch.ones(3, 4))
        48
    """
    m, k = a_shape
    if k != b_shape[0]:
        raise AssertionError(f"mm: inner dimensions must match, got {k} and {b_shape[0]}")
    return 2 * m * b_shape[1] * k


@register_flop_formula(_aten.addmm)
def addmm_flop(
    self_shape: Shape, a_shape: Shape, b_shape: Shape, out_shape: Any = None, **kwargs: Any
) -> int:
    """The operations of a product with a sum: those of the product, 2 M N K.

    Args:
        self_shape: of what is added; it counts as nothing.
        a_shape, b_shape: (M, K) and (K, N).
        out_shape, **kwargs: not looked at.
    """
    return mm_flop(a_shape, b_shape)


@register_flop_formula(_aten.bmm)
def bmm_flop(a_shape: Shape, b_shape: Shape, out_shape: Any = None, **kwargs: Any) -> int:
    """The operations of B products of matrices: 2 B M N K.

    Args:
        a_shape, b_shape: (B, M, K) and (B, K, N).
        out_shape, **kwargs: not looked at.
    """
    return a_shape[0] * mm_flop(a_shape[1:], b_shape[1:])


@register_flop_formula(_aten.baddbmm)
def baddbmm_flop(
    self_shape: Shape, a_shape: Shape, b_shape: Shape, out_shape: Any = None, **kwargs: Any
) -> int:
    """The operations of B products with a sum: those of the products, 2 B M N K.

    Args:
        self_shape: of what is added; it counts as nothing.
        a_shape, b_shape: (B, M, K) and (B, K, N).
        out_shape, **kwargs: not looked at.
    """
    return bmm_flop(a_shape, b_shape)


def conv_flop_count(
    x_shape: Shape, w_shape: Shape, out_shape: Shape, transposed: bool = False
) -> int:
    """2 operations for each element of a filter, at each place where the filter is applied.

    Args:
        x_shape: of the input, (N, C, ...).
        w_shape: of the filters, (output channels, input channels of a group, ...).
        out_shape: of the result.
        transposed: whether filters are applied at the places of the input.

    Example::

        >>> from torch.utils.flop_counter import conv_flop_count
        >>> conv_flop_count((1, 3, 8, 8), (4, 3, 3, 3), (1, 4, 6, 6))
        7776
    """
    places = math.prod((x_shape if transposed else out_shape)[2:])
    return 2 * x_shape[0] * places * math.prod(w_shape)


@register_flop_formula(_aten.convolution)
def conv_flop(
    x_shape: Shape,
    w_shape: Shape,
    _bias: Any,
    _stride: Any,
    _padding: Any,
    _dilation: Any,
    transposed: bool,
    *args: Any,
    out_shape: Any = None,
    **kwargs: Any,
) -> int:
    """The operations of a convolution: `conv_flop_count`; the bias counts as nothing.

    Args:
        x_shape: of the input, (N, C, ...).
        w_shape: of the filters, (output channels, input channels of a group, ...).
        _bias, _stride, _padding, _dilation: not looked at: the result's shape has what they do.
        transposed: whether the convolution is a transposed one.
        *args, **kwargs: not looked at.
        out_shape: of the result.
    """
    return conv_flop_count(x_shape, w_shape, out_shape, transposed=transposed)


def _swapped(shape: Shape) -> list[int]:
    return [shape[1], shape[0], *shape[2:]]


@register_flop_formula(_aten.convolution_backward)
def conv_backward_flop(
    grad_out_shape: Shape,
    x_shape: Shape,
    w_shape: Shape,
    _bias: Any,
    _stride: Any,
    _padding: Any,
    _dilation: Any,
    transposed: bool,
    _output_padding: Any,
    _groups: Any,
    output_mask: Sequence[bool],
    out_shape: Sequence[Any],
    **kwargs: Any,
) -> int:
    """The operations of a convolution's gradients.

    The gradient of the input is a convolution of the other kind; that of the filters one of the
    input with the gradient as filters, where batch and channels change places.

    Args:
        grad_out_shape: of the gradient of the result.
        x_shape: of the input, (N, C, ...).
        w_shape: of the filters, (output channels, input channels of a group, ...).
        _bias, _stride, _padding, _dilation, _output_padding, _groups: not looked at.
        transposed: whether the convolution was a transposed one.
        output_mask: which gradients are wanted: of the input, the filters and the bias.
        out_shape, **kwargs: not looked at.
    """
    count = 0
    if output_mask[0]:
        count += conv_flop_count(grad_out_shape, w_shape, x_shape, not transposed)
    if output_mask[1]:
        x, grad, weight = _swapped(x_shape), _swapped(grad_out_shape), _swapped(w_shape)
        x, grad = (grad, x) if transposed else (x, grad)
        count += conv_flop_count(x, grad, weight)
    return count


# What a call of torch does in terms of operators: an operator, the arguments of its formula, and
# the shape of its result.
Step = tuple[Any, tuple[Any, ...], Any]


class _Calls:
    """The products inside of functions of torch, forward and backward, by the function's name."""

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any], result: Tensor) -> None:
        self.args = args
        self.kwargs = kwargs
        self.result = result
        self.forward: list[Step] = []
        self.backward: list[Step] = []

    def argument(self, index: int, name: str, default: Any = None) -> Any:
        return self.args[index] if index < len(self.args) else self.kwargs.get(name, default)

    def product(self, a: Tensor, b: Tensor, batch: int, m: int, k: int, n: int) -> None:
        """`batch` products of an M by K and a K by N matrix out of the elements of a and b."""
        pack = _aten.mm if batch == 1 else _aten.bmm

        def step(m: int, k: int, n: int) -> Step:
            lead = () if batch == 1 else (batch,)
            return pack, ((*lead, m, k), (*lead, k, n)), (*lead, m, n)

        self.forward.append(step(m, k, n))
        if a.requires_grad:
            self.backward.append(step(m, n, k))
        if b.requires_grad:
            self.backward.append(step(k, m, n))

    def matmul(self, a: Tensor, b: Tensor) -> None:
        """a @ b; products with vectors are no products of matrices and count as nothing."""
        if min(a.dim(), b.dim()) < 2:
            return
        k, n = b.shape[-2:]
        if b.dim() == 2:
            self.product(a, b, 1, a.numel() // max(k, 1), k, n)
        elif a.dim() == 2:
            self.product(a, b, 1, a.shape[0], k, b.numel() // max(k, 1))
        else:
            batch = math.prod(torch.broadcast_shapes(a.shape[:-2], b.shape[:-2]))
            self.product(a, b, batch, a.shape[-2], k, n)

    def linear(self) -> None:
        x, weight = self.argument(0, "input"), self.argument(1, "weight")
        if weight.dim() == 2:
            k = weight.shape[1]
            self.product(x, weight, 1, x.numel() // max(k, 1), k, weight.shape[0])
            if self.argument(2, "bias") is not None:
                _, shapes, out = self.forward[0]
                self.forward[0] = (_aten.addmm, (weight.shape[:1], *shapes), out)

    def batched(self, first: int, names: tuple[str, str], pack: Any = None) -> None:
        a, b = (self.argument(first + i, name) for i, name in enumerate(names))
        self.matmul(a, b)
        if pack is not None and self.forward:
            _, shapes, out = self.forward[-1]
            self.forward[-1] = (pack, (out, *shapes), out)

    def contraction(self, a: Tensor, b: Tensor) -> None:
        """A sum over K pairs for each element: 2 operations for each pair and element."""
        pairs = a.numel() * b.numel() / max(self.result.numel(), 1)
        k = math.isqrt(round(pairs))
        m = a.numel() // max(k, 1)
        self.product(a, b, 1, m, k, b.numel() // max(k, 1))

    def chain(self, matrices: Sequence[Tensor]) -> None:
        """A chain of matrices in the cheapest order, by the formula of dynamic programming."""
        shapes = [m.shape if m.dim() == 2 else (1, *m.shape) for m in matrices]
        if len(shapes) > 1 and matrices[-1].dim() == 1:
            shapes[-1] = torch.Size((matrices[-1].shape[0], 1))
        sizes = [shape[0] for shape in shapes] + [shapes[-1][1]]
        count = len(matrices)
        best: dict[tuple[int, int], tuple[int, int]] = {(i, i): (0, i) for i in range(count)}
        for length in range(1, count):
            for i in range(count - length):
                j = i + length
                best[i, j] = min(
                    (
                        best[i, s][0]
                        + best[s + 1, j][0]
                        + 2 * sizes[i] * sizes[s + 1] * sizes[j + 1],
                        s,
                    )
                    for s in range(i, j)
                )

        def visit(i: int, j: int) -> bool:
            """Counts the products of a part of the chain; whether it needs a gradient."""
            if i == j:
                return matrices[i].requires_grad
            split = best[i, j][1]
            left, right = visit(i, split), visit(split + 1, j)
            m, k, n = sizes[i], sizes[split + 1], sizes[j + 1]
            self.forward.append((_aten.mm, ((m, k), (k, n)), (m, n)))
            if left:
                self.backward.append((_aten.mm, ((m, n), (n, k)), (m, k)))
            if right:
                self.backward.append((_aten.mm, ((k, m), (m, n)), (k, n)))
            return left or right

        visit(0, count - 1)

    def einsum(self) -> None:
        equation = self.args[0].replace(" ", "")
        operands = self.args[1:]
        if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
            operands = tuple(operands[0])
        if len(operands) == 1:
            return
        if len(operands) > 2 or "." in equation:
            raise NotImplementedError(
                f"FlopCounterMode: this release cannot count einsum('{equation}') of {len(operands)} operands; write it as einsum of two operands without '...'"
            )
        inputs, _, output = equation.partition("->")
        a, b = operands
        terms = inputs.split(",")
        sizes = dict(zip(terms[0] + terms[1], (*a.shape, *b.shape), strict=True))
        if "->" not in equation:
            output = "".join(x for x in sizes if (terms[0] + terms[1]).count(x) == 1)
        both = set(terms[0]) & set(terms[1])

        def size(labels: Iterable[str]) -> int:
            return math.prod(sizes[x] for x in labels)

        k = size(x for x in both if x not in output)
        batch = size(x for x in both if x in output)
        # A label that one operand alone has, and the result has not, is summed before.
        m = size(x for x in set(terms[0]) - both if x in output)
        n = size(x for x in set(terms[1]) - both if x in output)
        lead = (batch,)
        self.forward.append((_aten.bmm, ((*lead, m, k), (*lead, k, n)), (*lead, m, n)))
        if a.requires_grad:
            self.backward.append((_aten.bmm, ((*lead, m, n), (*lead, n, k)), (*lead, m, k)))
        if b.requires_grad:
            self.backward.append((_aten.bmm, ((*lead, k, m), (*lead, m, n)), (*lead, k, n)))

    def convolution(self, transposed: bool) -> None:
        x, weight = self.argument(0, "input"), self.argument(1, "weight")
        out = tuple(self.result.shape)
        shape = tuple(x.shape)
        if x.dim() == weight.dim() - 1:
            shape, out = (1, *shape), (1, *out)
        settings = (None, None, None, None, transposed, None, None)
        self.forward.append((_aten.convolution, (shape, weight.shape, *settings), out))
        mask = (x.requires_grad, weight.requires_grad, False)
        if any(mask):
            shapes = (shape, weight.shape, None)
            args = (out, shape, weight.shape, *settings, mask)
            self.backward.append((_aten.convolution_backward, args, shapes))

    def attention(self) -> None:
        """Scores, and values by scores; in the backward pass the scores again and four gradients,
        as fused kernels do it."""
        q, k, v = (self.argument(i, n) for i, n in enumerate(("query", "key", "value")))
        batch = math.prod(q.shape[:-2])
        length, size, keys, value_size = q.shape[-2], q.shape[-1], k.shape[-2], v.shape[-1]

        def products(inner: int, outer: int) -> Iterable[Step]:
            """So many of a size that ends in the size of queries, or in that of values."""
            for count, last in ((inner, size), (outer, value_size)):
                shapes = (batch, length, keys), (batch, keys, last)
                yield from [(_aten.bmm, shapes, (batch, length, last))] * count

        self.forward += products(1, 1)
        if any(t.requires_grad for t in (q, k, v)):
            self.backward += products(3, 2)


_RULES: dict[str, Callable[[_Calls], None]] = {
    "mm": lambda c: c.batched(0, ("input", "mat2")),
    "bmm": lambda c: c.batched(0, ("input", "mat2")),
    "matmul": lambda c: c.batched(0, ("input", "other")),
    "addmm": lambda c: c.batched(1, ("mat1", "mat2"), _aten.addmm),
    "baddbmm": lambda c: c.batched(1, ("batch1", "batch2"), _aten.baddbmm),
    "addbmm": lambda c: c.batched(1, ("batch1", "batch2")),
    "linear": _Calls.linear,
    "einsum": _Calls.einsum,
    "tensordot": lambda c: c.contraction(c.argument(0, "a"), c.argument(1, "b")),
    "inner": lambda c: c.contraction(c.argument(0, "input"), c.argument(1, "other")),
    "linalg_multi_dot": lambda c: c.chain(c.argument(0, "tensors")),
    "chain_matmul": lambda c: c.chain(c.args),
    "scaled_dot_product_attention": _Calls.attention,
    **{f"conv{d}d": (lambda c: c.convolution(False)) for d in (1, 2, 3)},
    **{f"conv_transpose{d}d": (lambda c: c.convolution(True)) for d in (1, 2, 3)},
}
for _alias in ("mm_", "addmm_", "baddbmm_", "addbmm_"):
    _RULES[_alias] = _RULES.get(_alias[:-1], _RULES["mm"])


class FlopCounterMode(TorchFunctionMode):
    """A `with` block that counts the operations of products, convolutions and attention, in the
    forward and in the backward pass, by module.

    The functions of torch that a program calls are counted, and what they do in a backward pass
    inside of the block. Products with vectors, `bilinear` and `cdist` count as nothing. Second
    derivatives are not counted: `create_graph=True` warns.

    Args:
        mods: not needed any more; modules are found by themselves.
        depth: how many levels of modules the table shows.
        display: whether the table is printed when the block ends.
        custom_mapping: formulas by operator, which take precedence over the registered ones.

    Raises:
        NotImplementedError: `custom_mapping` has an operator of aten for which this release has no
            formula, so that its calls would not be seen.

    Example::

        >>> from torch.utils.flop_counter import FlopCounterMode
        >>> model = torch.nn.Linear(3, 4)
        >>> with FlopCounterMode(display=False) as counter:
        ...     model(torch.ones(2, 3)).sum().backward()
        >>> counter.get_total_flops()
        96
    """

    def __init__(
        self,
        mods: Any = None,
        depth: int = 2,
        display: bool = True,
        custom_mapping: dict[Any, Any] | None = None,
    ) -> None:
        super().__init__()
        if mods is not None:
            warnings.warn(
                "mods argument is not needed anymore, you can stop passing it", stacklevel=2
            )
        self.depth = depth
        self.display = display
        self.flop_registry: dict[Any, Formula] = {**flop_registry}
        for target, formula in (custom_mapping or {}).items():
            if target not in flop_registry and str(target).startswith("aten"):
                raise NotImplementedError(
                    f"FlopCounterMode: this release sees no calls of {target}; it counts {', '.join(str(known) for known in flop_registry)}, and operators of other libraries than aten"
                )
            raw = getattr(formula, "_get_raw", False)
            self.flop_registry[target] = formula if raw else _of_shapes(formula)
        self.flop_counts: dict[str, dict[Any, int]] = {}
        self.mod_tracker = ModuleTracker()
        self._active = False

    def get_total_flops(self) -> int:
        """The operations of all that ran in the block.

        Example::

            >>> from torch.utils.flop_counter import FlopCounterMode
            >>> with FlopCounterMode(display=False) as counter:
            ...     _ = torch.ones(2, 3) @ torch.ones(3, 4)
            >>> counter.get_total_flops()
            48
        """
        return sum(self.flop_counts.get("Global", {}).values())

    def get_flop_counts(self) -> dict[str, dict[Any, int]]:
        """The operations by module, and in each module by operator.

        Returns:
            A dict from names of modules to dicts from operators to numbers. The module "Global" is
                all.

        Example::

            >>> from torch.utils.flop_counter import FlopCounterMode
            >>> with FlopCounterMode(display=False) as counter:
            ...     _ = torch.nn.Linear(3, 4)(torch.ones(2, 3))
            >>> sorted(counter.get_flop_counts())
            ['Global', 'Linear']
        """
        return {name: dict(counts) for name, counts in self.flop_counts.items()}

    def get_table(self, depth: int | None = None) -> str:
        """A line for each module, and for each operator of it.

        Args:
            depth: how many levels of modules it has; that of the constructor by default.
        """
        total = self.get_total_flops()
        unit, suffix = _unit(total)

        def line(label: str, count: int) -> list[str]:
            share = f"{count / total:.2%}" if total else "0%"
            return [label, f"{count / unit:.3f}{suffix}", share]

        def lines(name: str) -> list[list[str]]:
            counts = self.flop_counts[name]
            found = [line(name, sum(counts.values()))]
            return found + [line(f"- {op}", n) for op, n in counts.items()]

        rows: list[list[str]] = []
        subsumed = False
        for name in sorted(self.flop_counts):
            level = name.count(".") + 1
            if name == "Global" or level > (self.depth if depth is None else depth):
                continue
            subsumed |= sum(self.flop_counts[name].values()) >= total
            rows += lines(name)
        if "Global" in self.flop_counts and not subsumed:
            rows = lines("Global") + rows
        rows = rows or [["Global", "0", "0%"]]
        heads = ["Module", "FLOP", "% Total"]
        widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(3)]
        widths = [max(width, len(head) + 2) for width, head in zip(widths, heads, strict=True)]
        rules = ["-" * width for width in widths]
        text = [
            "  ".join([row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].rjust(widths[2])])
            for row in [heads, rules, *rows]
        ]
        return "\n".join(row.rstrip() for row in text)

    def __enter__(self) -> FlopCounterMode:
        self.flop_counts = {"Global": {}}
        self.mod_tracker.__enter__()
        self._active = True
        super().__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        super().__exit__(*exc)
        self._active = False
        self.mod_tracker.__exit__(*exc)
        if self.display:
            print(self.get_table(self.depth))

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: tuple[type, ...],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        if isinstance(func, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
            return self._operator(func, args, kwargs)
        inner = getattr(func, "__wrapped__", None)
        if inner is not None:
            # A function in Python: what it calls is counted.
            with self._again():
                return inner(*args, **kwargs)
        result = func(*args, **kwargs)
        name = getattr(func, "__name__", "")
        if name in _RULES and isinstance(result, Tensor):
            self._count_call(name, args, kwargs, result)
        return result

    def _again(self) -> Any:
        mode = self

        class Again:
            def __enter__(self) -> None:
                torch._C._push_on_torch_function_stack(mode)

            def __exit__(self, *exc: object) -> None:
                torch._C._pop_torch_function_stack()

        return Again()

    def _operator(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call by way of torch.ops."""
        result = func(*args, **kwargs)
        packet = getattr(func, "overloadpacket", func)
        name = str(packet).rpartition(".")[2]
        if str(packet).startswith("aten") and name in _RULES:
            self._count_call(name, args, kwargs, result)
        elif packet in self.flop_registry:
            self._add(packet, args, kwargs, result, set(self.mod_tracker.parents))
        return result

    def _count_call(
        self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], result: Tensor
    ) -> None:
        with torch._C.DisableTorchFunction():
            calls = _Calls(args, kwargs, result)
            _RULES[name](calls)
        parents = set(self.mod_tracker.parents)
        for packet, shapes, out in calls.forward:
            self._add(packet, shapes, {}, out, parents)
        if calls.backward and result.grad_fn is not None:
            steps = calls.backward

            def count(grads: Any) -> None:
                if not self._active:
                    return
                if torch.is_grad_enabled():
                    warnings.warn(
                        "FlopCounterMode counts no products of second derivatives", stacklevel=2
                    )
                for packet, shapes, out in steps:
                    self._add(packet, shapes, {}, out, parents)

            result.grad_fn.register_prehook(count)

    def _add(self, packet: Any, args: Any, kwargs: Any, out: Any, parents: set[str]) -> None:
        number = self.flop_registry[packet](*args, **kwargs, out_val=out)
        for name in parents:
            counts = self.flop_counts.setdefault(name, defaultdict(int))
            counts[packet] = counts.get(packet, 0) + number


def _unit(number: int) -> tuple[int, str]:
    """The largest unit that `number` has at least one of."""
    units = ["", "K", "M", "B", "T", "P", "E", "Z", "Y"]
    index = max(0, min(len(units) - 1, (len(str(number)) - 2) // 3))
    return 1000**index, units[index]


__all__ = ["FlopCounterMode", "register_flop_formula"]
