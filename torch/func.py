"""Functions of functions: gradients, products with Jacobians, Jacobians, and maps over a batch.

Each takes a function that computes with tensors and nothing else, and gives another, so that they
nest. Arguments and results may be nested in tuples, lists and dicts. Derivatives go backward: `jvp`
goes backward twice, and `jacfwd` has the values of `jacrev`. `vmap` calls the function once for
each entry of the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import _C, _absent
from torch._tensor import Tensor
from torch.autograd import _repeated
from torch.autograd.functional import _gradient
from torch.nn.modules.module import Module
from torch.nn.utils.stateless import _reparametrize_module
from torch.utils._pytree import (
    TreeSpec,
    _broadcast_to_and_flatten,
    tree_flatten,
    tree_map,
    tree_unflatten,
)

_ArgNums = int | tuple[int, ...]


# Calls whose inputs are followed.


def _follow(tree: Any, watched: bool) -> tuple[Any, list[Tensor]]:
    """The same tree with tensors of its own, which need gradients, and these tensors.

    `watched` is whether gradients were enabled where the derivative was asked for. In `no_grad`
    tensors are constants for whoever differentiates its result, as the tensors of `func` are.
    """

    def own(x: Any) -> Any:
        if not isinstance(x, Tensor):
            raise TypeError(f"expected tensors to differentiate by, got {type(x).__name__}")
        # A view keeps what an outer derivative follows.
        return x.view_as(x) if watched and x.requires_grad else x.detach().requires_grad_()

    leaves, spec = tree_flatten(tree)
    owned = [own(leaf) for leaf in leaves]
    return tree_unflatten(owned, spec), owned


def _followed_outside(outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> bool:
    """Whether `outputs` depend on tensors beside `inputs` that need gradients."""
    if not all(x.is_leaf for x in inputs):
        return True
    mine = {id(x) for x in inputs}
    waiting = [output.grad_fn for output in outputs if output.grad_fn is not None]
    seen = set(waiting)
    while waiting:
        node: Any = waiting.pop()
        if hasattr(node, "variable") and id(node.variable) not in mine:
            return True
        for other, _ in node.next_functions:
            if other is not None and other not in seen:
                seen.add(other)
                waiting.append(other)
    return False


def _released(tree: Any) -> Any:
    """Detaches tensors: no code outside differentiates them."""
    return tree_map(lambda x: x.detach() if isinstance(x, Tensor) else x, tree)


def _tensors(tree: Any, function: str) -> tuple[list[Tensor], TreeSpec]:
    leaves, spec = tree_flatten(tree)
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise RuntimeError(
                f"{function}: expected the function to return only tensors, got {type(leaf).__name__}"
            )
    return leaves, spec


def _split_aux(result: Any, has_aux: bool, function: str) -> tuple[Any, Any]:
    if not has_aux:
        return result, None
    if not (isinstance(result, tuple) and len(result) == 2):
        raise RuntimeError(
            f"{function}: output of the function should be a tuple: (output, aux) if has_aux is True"
        )
    return result


def _gradients(
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    vectors: Sequence[Tensor],
    create_graph: bool,
) -> list[Tensor]:
    """The sum over outputs of vector times Jacobian, zeros where nothing flows."""
    return list(_gradient(outputs, inputs, vectors, create_graph, strict=False))


def _chosen(args: tuple[Any, ...], argnums: _ArgNums) -> tuple[int, ...]:
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    for number in numbers:
        if not -len(args) <= number < len(args):
            raise RuntimeError(
                f"Got argnum={number}, but only {len(args)} positional inputs; argnum must be in [{-len(args)}, {len(args)})"
            )
    if not numbers:
        raise RuntimeError("argnums must be non-empty")
    chosen = tuple(number % len(args) for number in numbers)
    if len(set(chosen)) != len(chosen):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    return chosen


def _with_own(
    args: tuple[Any, ...], argnums: _ArgNums, watched: bool
) -> tuple[tuple[Any, ...], Any, list[Tensor]]:
    """The arguments with followed ones at `argnums`: all, those alone, and their tensors."""
    chosen = _chosen(args, argnums)
    trees, owned = _follow(tuple(args[number] for number in chosen), watched)
    new = list(args)
    for number, tree in zip(chosen, trees, strict=True):
        new[number] = tree
    return tuple(new), (trees[0] if isinstance(argnums, int) else trees), owned


# Derivatives.


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """`func(*primals)`, and a function of v that gives v^T J, J the Jacobian.

    Args:
      func: from tensors to tensors.
      *primals: where it is differentiated.
      has_aux: whether `func` returns (output, aux). `aux` is returned unchanged.

    Returns:
      (output, vjp_fn), or (output, vjp_fn, aux). `vjp_fn` takes a tensor for each output, of its
      shape, and returns a tuple with one entry for each primal.

    Example::

        >>> output, vjp_fn = torch.func.vjp(torch.sin, torch.zeros(2))
        >>> vjp_fn(torch.ones(2))
        (tensor([1., 1.]),)
    """
    watched = torch.is_grad_enabled()
    with torch.enable_grad():
        trees, inputs = _follow(primals, watched)
        output, aux = _split_aux(func(*trees), has_aux, "vjp")
    outputs, out_spec = _tensors(output, "vjp(f, *primals)")
    outside = watched and _followed_outside(outputs, inputs)
    _, in_spec = tree_flatten(trees)

    def vjp_fn(
        *cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None
    ) -> Any:
        given = cotangents[0] if len(cotangents) == 1 else cotangents
        vectors, spec = tree_flatten(given)
        if spec != out_spec:
            raise RuntimeError(
                f"Expected pytree structure of cotangents to be the same as pytree structure of outputs to the function. cotangents: {spec}, primal output: {out_spec}"
            )
        deeper = torch.is_grad_enabled() and (outside or any(v.requires_grad for v in vectors))
        with torch.enable_grad():
            grads = _gradients(outputs, inputs, vectors, deeper)
        return tree_unflatten(grads if deeper else [g.detach() for g in grads], in_spec)

    if not outside:
        output, aux = _released(output), _released(aux)
    return (output, vjp_fn, aux) if has_aux else (output, vjp_fn)


def grad_and_value(
    func: Callable[..., Any], argnums: _ArgNums = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that gives (gradient, value) of `func`, whose value is one number.

    Args:
      func: from tensors to a tensor of one element.
      argnums: the argument, or a tuple of them, to differentiate by.
      has_aux: whether `func` returns (output, aux); the new function then returns (gradient,
        (value, aux)).

    Example::

        >>> torch.func.grad_and_value(lambda x: x**2)(torch.tensor(3.0))
        (tensor(6.), tensor(9.))
    """

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        watched = torch.is_grad_enabled()
        with torch.enable_grad():
            new, trees, inputs = _with_own(args, argnums, watched)
            value, aux = _split_aux(func(*new, **kwargs), has_aux, "grad_and_value")
            if not isinstance(value, Tensor):
                raise RuntimeError(
                    f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(value)}"
                )
            if value.dim() != 0:
                raise RuntimeError(
                    f"grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with {value.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            outside = watched and _followed_outside([value], inputs)
            grads = _gradients([value], inputs, [torch.ones_like(value)], outside)
        result = tree_unflatten(grads, tree_flatten(trees)[1])
        if not outside:
            result, value, aux = _released(result), value.detach(), _released(aux)
        return result, ((value, aux) if has_aux else value)

    return wrapper


def grad(
    func: Callable[..., Any], argnums: _ArgNums = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that gives the gradient of `func`, whose value is one number.

    Args:
      func: from tensors to a tensor of one element.
      argnums: the argument, or a tuple of them, to differentiate by.
      has_aux: whether `func` returns (output, aux); the new function then returns (gradient, aux).

    Example::

        >>> cubed = lambda x: x**3
        >>> torch.func.grad(torch.func.grad(cubed))(torch.tensor(2.0))
        tensor(12.)
    """
    both = grad_and_value(func, argnums, has_aux)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        result, value = both(*args, **kwargs)
        return (result, value[1]) if has_aux else result

    return wrapper


def jvp(
    func: Callable[..., Any],
    primals: Any,
    tangents: Any,
    *,
    strict: bool = False,
    has_aux: bool = False,
) -> Any:
    """`func(*primals)` and J t, J the Jacobian and t the tangents.

    Backward twice: u^T J is linear in u, and its derivative by u along t is J t.

    Args:
      func: from tensors to tensors.
      primals: a tuple of arguments.
      tangents: a tuple of the same structure.
      strict: refuses a function that does not depend on its arguments.
      has_aux: whether `func` returns (output, aux).

    Returns:
      (output, J t), or (output, J t, aux).

    Example::

        >>> torch.func.jvp(lambda x: x**2, (torch.tensor(3.0),), (torch.tensor(1.0),))
        (tensor(9.), tensor(6.))
    """
    if not isinstance(primals, tuple) or not isinstance(tangents, tuple):
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals and tangents to be tuples. E.g. it should be valid to call f(*primals)."
        )
    watched = torch.is_grad_enabled()
    with torch.enable_grad():
        trees, inputs = _follow(primals, watched)
        vectors, spec = tree_flatten(tangents)
        if spec != tree_flatten(primals)[1]:
            raise RuntimeError(
                "jvp(f, primals, tangents): Expected primals and tangents to have the same python structure."
            )
        for x, vector in zip(inputs, vectors, strict=True):
            if not isinstance(vector, Tensor) or vector.shape != x.shape:
                raise RuntimeError(
                    "jvp(f, primals, tangents): Expected each tangent to be a tensor of the shape of its primal"
                )
        output, aux = _split_aux(func(*trees), has_aux, "jvp")
        outputs, out_spec = _tensors(output, "jvp(f, primals, tangents)")
        if strict and not all(o.requires_grad for o in outputs):
            raise RuntimeError(
                "jvp(f, primals, tangents): The output of f is independent of the inputs. This is not allowed with strict=True."
            )
        outside = watched and _followed_outside(outputs, inputs)
        deeper = watched and (outside or any(vector.requires_grad for vector in vectors))
        dummies = [torch.zeros_like(o).requires_grad_() for o in outputs]
        grads = _gradients(outputs, inputs, dummies, create_graph=True)
        products = _gradients(grads, dummies, vectors, create_graph=deeper)
    if not outside:
        output, aux = _released(output), _released(aux)
    if not deeper:
        products = [product.detach() for product in products]
    result = (output, tree_unflatten(products, out_spec))
    return (*result, aux) if has_aux else result


def linearize(func: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """The value of a function, and its derivative as a linear function.

    Args:
        func: from tensors to tensors.
        *primals: the point.

    Returns:
        `func(*primals)`, and a function of tangents t, of the primals' shapes, that gives J t. It
        computes `func` again.

    Example::

        >>> y, derivative = torch.func.linearize(lambda x: x**2, torch.tensor(3.0))
        >>> y, derivative(torch.tensor(1.0))
        (tensor(9.), tensor(6.))
    """
    output = func(*primals)

    def jvp_fn(*tangents: Any) -> Any:
        return jvp(func, primals, tangents)[1]

    return output, jvp_fn


def jacrev(
    func: Callable[..., Any],
    argnums: _ArgNums = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable[..., Any]:
    """A function that gives the Jacobian of `func`, by rows.

    Args:
      func: from tensors to tensors.
      argnums: the argument, or a tuple of them, to differentiate by.
      has_aux: whether `func` returns (output, aux); the new function then returns (Jacobian, aux).
      chunk_size: rows that PyTorch computes at once; here each is computed alone.

    Returns:
      For an output of shape (A...,) and an argument of shape (B...,) a tensor (A..., B...),
      nested as the outputs are, and inside as the arguments are.

    Example::

        >>> torch.func.jacrev(lambda x: x**2)(torch.tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 4.]])
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    def rows(y: Tensor, inputs: list[Tensor], outside: bool) -> list[Tensor]:
        found = []
        for index in range(y.numel()):
            vector = torch.zeros_like(y, memory_format=torch.contiguous_format)
            vector.view(-1)[index] = 1
            found.append(_gradients([y], inputs, [vector], outside))
        if not found:
            return [x.new_zeros(y.shape + x.shape) for x in inputs]
        return [
            torch.stack(column).reshape(y.shape + x.shape)
            for column, x in zip(zip(*found, strict=True), inputs, strict=True)
        ]

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        watched = torch.is_grad_enabled()
        with torch.enable_grad():
            new, trees, inputs = _with_own(args, argnums, watched)
            output, aux = _split_aux(func(*new, **kwargs), has_aux, "jacrev")
            outputs, out_spec = _tensors(output, "jacrev(f)(*args)")
            outside = watched and _followed_outside(outputs, inputs)
            in_spec = tree_flatten(trees)[1]
            result = tree_unflatten(
                [tree_unflatten(rows(y, inputs, outside), in_spec) for y in outputs], out_spec
            )
        if not outside:
            result, aux = _released(result), _released(aux)
        return (result, aux) if has_aux else result

    return wrapper


def jacfwd(
    func: Callable[..., Any],
    argnums: _ArgNums = 0,
    has_aux: bool = False,
    *,
    randomness: str = "error",
) -> Callable[..., Any]:
    """A function that gives the Jacobian of `func`: that of `jacrev`.

    PyTorch computes it by columns, in forward mode; here it is computed by rows.

    Args:
        func: from tensors to tensors.
        argnums: the argument, or a tuple of them, to differentiate by.
        has_aux: whether `func` returns (output, aux); the new function then returns (Jacobian,
            aux).
        randomness: not looked at.

    Example::

        >>> torch.func.jacfwd(lambda x: x**2)(torch.tensor([1.0, 2.0]))
        tensor([[2., 0.],
                [0., 4.]])
    """
    return jacrev(func, argnums, has_aux=has_aux)


def hessian(func: Callable[..., Any], argnums: _ArgNums = 0) -> Callable[..., Any]:
    """A function that gives the second derivatives of `func`.

    Args:
        func: from tensors to tensors.
        argnums: the argument, or a tuple of them, to differentiate by.

    Returns:
        For an output of shape (A...,) and an argument of shape (B...,) a tensor (A..., B..., B...).

    Example::

        >>> torch.func.hessian(lambda x: (x**3).sum())(torch.tensor([1.0, 2.0]))
        tensor([[ 6.,  0.],
                [ 0., 12.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)


# Maps over a batch.


def _batch_size(leaves: list[Any], dims: list[int | None], in_dims: Any, name: str) -> int:
    where = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"
    sizes = []
    for leaf, dim in zip(leaves, dims, strict=True):
        if dim is None:
            continue
        if not isinstance(leaf, Tensor):
            raise ValueError(
                f"{where}: Got in_dim={dim} for an input but the input is of type {type(leaf)}. We cannot vmap over non-Tensor arguments, please use None as the respective in_dim"
            )
        if not -leaf.dim() <= dim < leaf.dim():
            raise ValueError(
                f"{where}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {leaf.dim()} so expected in_dim to satisfy -{leaf.dim()} <= in_dim < {leaf.dim()}."
            )
        sizes.append(leaf.shape[dim])
    if not sizes:
        raise ValueError(
            f"{where}: got no Tensor to map over; at least one in_dim has to be a number"
        )
    if len(set(sizes)) > 1:
        raise ValueError(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} for the mapped dimension"
        )
    return sizes[0]


def _outputs_of(result: Any, name: str) -> tuple[list[Tensor], TreeSpec]:
    leaves, spec = tree_flatten(result)
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise ValueError(
                f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(leaf)}. Did you mean to set out_dims= to None for output?"
            )
    return leaves, spec


def _check_random(before: Tensor) -> None:
    if not torch.equal(before, torch.get_rng_state()):
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' randomness flags on vmap or perform the randomness operation out of vmap"
        )


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """A function that calls `func` for each entry of a batch and stacks what it returns.

    `func` is called once for each entry, so it may branch on values; there is no gain in speed over
    a loop. What it writes in place to a tensor that is not mapped over is written once for all.

    Args:
      func: from tensors to tensors, without side effects.
      in_dims: the dimension of each argument that is the batch; None where the argument is the same
        for all. A number stands for all arguments, and a number in a tuple for all that is nested
        in that argument.
      out_dims: where the batch goes in each output.
      randomness: "error" refuses random numbers, "same" gives each entry the same, "different" does
        not.
      chunk_size: entries that PyTorch computes at once; without effect here.

    Raises:
      ValueError: batches of different sizes, no batch, or outputs that are no tensors.
      RuntimeError: entries write different values to a tensor that is not mapped over.

    Example::

        >>> dot = torch.func.vmap(torch.dot)
        >>> dot(torch.ones(2, 3), torch.ones(2, 3))
        tensor([3., 3.])
    """
    if randomness not in ("error", "same", "different"):
        raise RuntimeError(
            f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}"
        )
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    name = getattr(func, "__name__", type(func).__name__)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = tree_flatten(args)
        if not args:
            raise ValueError(f"vmap({name})(<inputs>): got no inputs")
        dims = _broadcast_to_and_flatten(in_dims, spec)
        if dims is None:
            raise ValueError(
                f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the structure of inputs"
            )
        size = _batch_size(leaves, dims, in_dims, name)
        state = torch.get_rng_state()
        results: list[list[Tensor]] = []
        batched = [
            place
            for place, (leaf, dim) in enumerate(zip(leaves, dims, strict=True))
            # The entries of an expanded batch share their memory: none may write to it alone.
            if dim is not None and (leaf.stride(dim) or size == 1)
        ]
        # An empty batch is called once, with zeros, for the shapes of its results.
        with _C._OutsideWrites(size) as writes:
            for index in range(max(size, 1)):
                if randomness == "same" and index:
                    torch.set_rng_state(state)
                entry = [
                    leaf
                    if dim is None
                    else leaf.select(dim, index)
                    if size
                    else leaf.new_zeros(leaf.shape[:dim] + leaf.shape[dim % leaf.dim() + 1 :])
                    for leaf, dim in zip(leaves, dims, strict=True)
                ]
                writes.begin([entry[place] for place in batched])
                with _repeated(index < size - 1):
                    result = func(*tree_unflatten(entry, spec), **kwargs)
                outputs, out_spec = _outputs_of(result, name)
                writes.end()
                if randomness == "error":
                    _check_random(state)
                results.append(outputs)
        places = _broadcast_to_and_flatten(out_dims, out_spec)
        if places is None:
            raise ValueError(
                f"vmap({name}, ..., out_dims={out_dims}): out_dims is not compatible with the structure of the outputs"
            )
        stacked = [
            column[0]
            if place is None
            else torch.stack(column, place)
            if size
            else torch.stack(column, place).narrow(place, 0, 0)
            for column, place in zip(zip(*results, strict=True), places, strict=True)
        ]
        return tree_unflatten(stacked, out_spec)

    return wrapper


def stack_module_state(
    models: Sequence[torch.nn.Module] | torch.nn.ModuleList,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters and buffers of models of one class, stacked along a new first dimension.

    With `vmap` over the first arguments of `functional_call` an ensemble is computed.

    Example::

        >>> models = [torch.nn.Linear(2, 3) for _ in range(5)]
        >>> parameters, buffers = torch.func.stack_module_state(models)
        >>> parameters["weight"].shape
        torch.Size([5, 3, 2])
    """
    modules = list(models)
    if not modules:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({module.training for module in modules}) > 1:
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval mode."
        )
    if len({type(module) for module in modules}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")

    def stacked(all_of: list[dict[str, Tensor]]) -> dict[str, Any]:
        result = {}
        for name, first in all_of[0].items():
            tensors = [one[name] for one in all_of]
            if not all(tensor.requires_grad == first.requires_grad for tensor in tensors):
                raise RuntimeError(f"Expected {name} of all models to have the same requires_grad")
            result[name] = torch.stack([tensor.detach() for tensor in tensors])
            if first.requires_grad:
                result[name].requires_grad_()
        return result

    return (
        stacked([dict(module.named_parameters()) for module in modules]),
        stacked([dict(module.named_buffers()) for module in modules]),
    )


def replace_all_batch_norm_modules_(root: torch.nn.Module) -> torch.nn.Module:
    """Makes every BatchNorm of a module use the statistics of its batch alone, in place: running
    statistics cannot change under `torch.func.vmap`.

    Args:
        root: the module.

    Returns:
        The module.

    Example::

        >>> layer = torch.func.replace_all_batch_norm_modules_(torch.nn.BatchNorm1d(2))
        >>> layer.running_mean is None
        True
    """
    for module in root.modules():
        if isinstance(module, torch.nn.modules.batchnorm._BatchNorm):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root


__getattr__ = _absent.names_of(
    __name__,
    _absent.FX,
    functions="functionalize debug_unwrap",
)


def _united(dicts: Any) -> dict[str, Tensor]:
    """One dict of several."""
    if not isinstance(dicts, (tuple, list)) or not all(isinstance(d, Mapping) for d in dicts):
        raise ValueError(
            f"Expected parameters_and_buffers to be a dict, or a list/tuple of dicts, but got {type(dicts)}"
        )
    result: dict[str, Tensor] = {}
    for one in dicts:
        repeated = sorted(result.keys() & one.keys())
        if repeated:
            raise ValueError(
                f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous"
            )
        result |= one
    return result


def functional_call(
    module: Module,
    parameter_and_buffer_dicts: Mapping[str, Tensor] | Sequence[Mapping[str, Tensor]],
    args: Any = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """`module(*args, **kwargs)` with the given tensors in the place of its parameters and buffers.

    Args:
      parameter_and_buffer_dicts: tensors by their dotted names; or several such dicts without a
        name in common, for example of parameters and of buffers.
      args: of the call; what is no tuple is the only one.
      tie_weights: a tensor that the module has under several names is replaced under all of them.
      strict: all names have to be given, and no others.

    Example::

        >>> layer = torch.nn.Linear(1, 1, bias=False)
        >>> torch.func.functional_call(layer, {"weight": torch.tensor([[3.0]])}, torch.ones(1, 1))
        tensor([[3.]])
    """
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    if not isinstance(parameter_and_buffer_dicts, Mapping):
        parameter_and_buffer_dicts = _united(parameter_and_buffer_dicts)
    with _reparametrize_module(
        module, parameter_and_buffer_dicts, tie_weights=tie_weights, strict=strict
    ):
        return module(*args, **(kwargs or {}))


# PyTorch's own name for it, which older programs use.
_functional_call = functional_call

__all__ = ["functional_call"]


__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "replace_all_batch_norm_modules_",
    "stack_module_state",
    "vjp",
    "vmap",
]
