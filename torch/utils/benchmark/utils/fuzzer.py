"""Random sizes and tensors to measure with. It needs NumPy, whose generator draws them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

# How often parameters are drawn again until they meet the conditions.
_TRIES = 1000
Params = dict[str, Any]


class ParameterAlias:
    """The value of a parameter that has the value of another one.

    Args:
        alias_to: the name of the other one.
    """

    def __init__(self, alias_to: str) -> None:
        self.alias_to = alias_to

    def __repr__(self) -> str:
        return f"ParameterAlias[alias_to: {self.alias_to}]"


class FuzzedParameter:
    """A number that is drawn, such as a size.

    Args:
        name: by which tensors and conditions know it.
        minval: the smallest value.
        maxval: the largest value.
        distribution: "uniform"; "loguniform", whose values are integers; or a dict from each value
            to its probability, where a value may be a `ParameterAlias`.
        strict: keep its value while other parameters are drawn again, so that the conditions do not
            change its distribution.

    Raises:
        ValueError: another distribution, or probabilities whose sum is not 1.
    """

    def __init__(
        self,
        name: str,
        minval: int | float | None = None,
        maxval: int | float | None = None,
        distribution: str | dict[Any, float] | None = None,
        strict: bool = False,
    ) -> None:
        if isinstance(distribution, dict):
            if minval is not None or maxval is not None:
                raise ValueError("A dict of probabilities needs neither minval nor maxval.")
            if min(distribution.values(), default=0) < 0:
                raise ValueError("Probabilities cannot be negative")
            if abs(sum(distribution.values()) - 1) > 1e-5:
                raise ValueError(
                    f"The sum of probabilities is {sum(distribution.values())}, not 1."
                )
        elif distribution not in ("uniform", "loguniform"):
            raise ValueError(f"Unknown distribution: {distribution}")
        elif minval is None or maxval is None:
            raise ValueError(f'distribution="{distribution}" needs minval and maxval.')
        self._name = name
        self._minval, self._maxval = minval, maxval
        self._distribution = distribution
        self.strict = strict

    @property
    def name(self) -> str:
        """By which tensors and conditions know it."""
        return self._name

    def sample(self, state: Any) -> Any:
        """A value.

        Args:
            state: a `numpy.random.RandomState`.
        """
        if isinstance(self._distribution, dict):
            values, probabilities = zip(*self._distribution.items(), strict=True)
            return values[state.choice(len(values), p=probabilities)]
        low, high = self._minval, self._maxval
        assert low is not None and high is not None
        if self._distribution == "loguniform":
            value = int(2 ** state.uniform(low=math.log2(low), high=math.log2(high)))
            return min(max(value, low), high)
        if isinstance(low, int) and isinstance(high, int):
            return int(state.randint(low=low, high=high + 1))
        return state.uniform(low=low, high=high)


class FuzzedTensor:
    """A tensor whose size and strides are drawn.

    Args:
        name: of the tensor.
        size: numbers, or names of parameters.
        steps: numbers, or names of parameters: the tensor is each `step`-th element of a larger
            one.
        probability_contiguous: otherwise its dimensions are permuted in memory.
        min_elements: the fewest elements.
        max_elements: the most elements.
        max_allocation_bytes: the most bytes of the larger tensor.
        dim_parameter: the parameter with the number of dimensions; `size` and `steps` end there, or
            go on with ones.
        roll_parameter: accepted for PyTorch's sake, which does not read it either.
        dtype: of its elements.
        cuda: whether it is on the GPU.
        tensor_constructor: makes the larger tensor from `size`, `dtype` and all parameters by name.
    """

    def __init__(
        self,
        name: str,
        size: tuple[str | int, ...],
        steps: tuple[str | int, ...] | None = None,
        probability_contiguous: float = 0.5,
        min_elements: int | None = None,
        max_elements: int | None = None,
        max_allocation_bytes: int | None = None,
        dim_parameter: str | None = None,
        roll_parameter: str | None = None,
        dtype: torch.dtype = torch.float32,
        cuda: bool = False,
        tensor_constructor: Callable[..., torch.Tensor] | None = None,
    ) -> None:
        self._name = name
        self._size, self._steps = size, steps or ()
        self._probability_contiguous = probability_contiguous
        self._elements = (min_elements or 0, math.inf if max_elements is None else max_elements)
        self._max_bytes = math.inf if max_allocation_bytes is None else max_allocation_bytes
        self._dim_parameter = dim_parameter
        self._dtype, self._cuda = dtype, cuda
        self._constructor = tensor_constructor or self.default_tensor_constructor

    @property
    def name(self) -> str:
        """Of the tensor."""
        return self._name

    @staticmethod
    def default_tensor_constructor(size: Any, dtype: torch.dtype, **kwargs: Any) -> torch.Tensor:
        """Uniform numbers below 1, or integers from 1 to 126.

        Args:
            size: the shape.
            dtype: that of the elements.
            kwargs: what the fuzzer knows besides; not looked at.
        """
        if dtype.is_floating_point or dtype.is_complex:
            return torch.rand(size, dtype=dtype, device="cpu")
        return torch.randint(1, 127, size, dtype=dtype, device="cpu")

    def _shape(self, params: Params) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The size, and the steps."""
        dim = params[self._dim_parameter] if self._dim_parameter else len(self._size)

        def numbers(values: Sequence[str | int]) -> tuple[int, ...]:
            known = tuple(params.get(v, v) if isinstance(v, str) else v for v in values)[:dim]
            return known + (1,) * (dim - len(known))

        return numbers(self._size), numbers(self._steps)

    def _make_tensor(self, params: Params, state: Any) -> tuple[torch.Tensor, dict[str, Any]]:
        """The tensor, and what is to be told of it."""
        import numpy as np

        size, steps = self._shape(params)
        whole = tuple(n * step for n, step in zip(size, steps, strict=True))
        raw = self._constructor(size=whole, dtype=self._dtype, **params)
        if self._cuda:
            raw = raw.cuda()
        order = same = np.arange(len(size))
        if state.rand() > self._probability_contiguous:
            while len(size) > 1 and np.all(order == same):
                order = state.permutation(len(size))
            permuted = raw.permute([int(i) for i in order]).contiguous()
            raw = permuted.permute([int(i) for i in np.argsort(order)])
        tensor = raw[tuple(slice(None, None, step) for step in steps)]
        return tensor, {
            "numel": tensor.numel(),
            "order": order,
            "steps": steps,
            "is_contiguous": tensor.is_contiguous(),
            "dtype": str(self._dtype),
        }

    def satisfies_constraints(self, params: Params) -> bool:
        """Whether the elements and bytes are as many as they may be.

        Args:
            params: values by name.
        """
        size, steps = self._shape(params)
        whole = math.prod(size) * math.prod(steps) * self._dtype.itemsize
        return (
            self._elements[0] <= math.prod(size) <= self._elements[1] and whole <= self._max_bytes
        )


class Fuzzer:
    """Draws parameters, and tensors whose sizes they are.

    Args:
        parameters: objects of `FuzzedParameter`, and lists of them.
        tensors: objects of `FuzzedTensor`, and lists of them.
        constraints: functions of a dict of the parameters' values; where one is False, others are
            drawn.
        seed: of what is drawn, and of torch's generator.

    Raises:
        ValueError: a tensor and a parameter have one name.

    Example::

        >>> from torch.utils.benchmark import FuzzedParameter, FuzzedTensor, Fuzzer
        >>> fuzzer = Fuzzer(
        ...     [FuzzedParameter("n", 2, 8, "uniform")], [FuzzedTensor("x", ("n", 3))], seed=0
        ... )
        >>> for tensors, properties, params in fuzzer.take(1):
        ...     print(tensors["x"].shape == (params["n"], 3), properties["x"]["dtype"])
        True torch.float32
    """

    def __init__(
        self,
        parameters: list[FuzzedParameter | list[FuzzedParameter]],
        tensors: list[FuzzedTensor | list[FuzzedTensor]],
        constraints: list[Callable[[Params], Any]] | None = None,
        seed: int | None = None,
    ) -> None:
        import numpy as np

        if seed is None:
            seed = int(np.random.RandomState().randint(0, 2**32 - 1, dtype=np.int64))
        self._seed = seed
        self._parameters = [
            q for p in parameters for q in ([p] if isinstance(p, FuzzedParameter) else p)
        ]
        self._tensors = [u for t in tensors for u in ([t] if isinstance(t, FuzzedTensor) else t)]
        self._constraints = constraints or []
        self._rejected = self._drawn = 0
        if both := {p.name for p in self._parameters} & {t.name for t in self._tensors}:
            raise ValueError(f"Duplicate names in parameters and tensors: {both}")

    def take(self, n: int) -> Iterator[tuple[dict[str, torch.Tensor], dict[str, Any], Params]]:
        """Draws `n` times, the same again each time that it is called.

        Returns:
            Tensors, their properties and the parameters, dicts by name.

        Raises:
            ValueError: the conditions refuse 1000 draws one after another.
        """
        import numpy as np

        state = np.random.RandomState(self._seed)
        torch.manual_seed(int(state.randint(low=0, high=2**63, dtype=np.int64)))
        for _ in range(n):
            params = self._draw(state)
            made = {t.name: t._make_tensor(params, state) for t in self._tensors}
            tensors = {name: tensor for name, (tensor, _) in made.items()}
            yield tensors, {name: properties for name, (_, properties) in made.items()}, params

    @property
    def rejection_rate(self) -> float:
        """The part of all draws that the conditions refused."""
        return self._rejected / self._drawn if self._drawn else 0.0

    def _draw(self, state: Any) -> Params:
        kept: Params = {}
        for _ in range(_TRIES):
            drawn: Params = {}
            for p in self._parameters:
                drawn[p.name] = kept[p.name] if p.name in kept else p.sample(state)
                if p.strict:
                    kept[p.name] = drawn[p.name]
            params = {name: _resolved(value, drawn) for name, value in drawn.items()}
            self._drawn += 1
            conditions = [*self._constraints, *(t.satisfies_constraints for t in self._tensors)]
            if all(condition(params) for condition in conditions):
                return params
            self._rejected += 1
        raise ValueError("Failed to generate a set of valid parameters.")


def _resolved(value: Any, params: Params) -> Any:
    """The number that an alias leads to."""
    seen: list[str] = []
    while isinstance(value, ParameterAlias):
        if value.alias_to in seen:
            raise ValueError(f"ParameterAlias cycle detected\n{params}")
        seen.append(value.alias_to)
        value = params[value.alias_to]
    return value


__all__ = ["FuzzedParameter", "FuzzedTensor", "Fuzzer", "ParameterAlias"]
