"""class Distribution, the base of all distributions."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import torch
from torch import Tensor
from torch.distributions import constraints
from torch.distributions.utils import lazy_property


class Distribution:
    """A probability distribution, or a batch of them.

    A sample has the shape `sample_shape + batch_shape + event_shape`: `batch_shape` is that of
    independent distributions, which differ in their parameters; `event_shape` that of one draw.
    `log_prob` gives one number for each draw.

    Args:
        batch_shape: a shape.
        event_shape: a shape.
        validate_args: whether parameters and values outside of their sets raise ValueError; None
            for True, unless Python runs with -O.

    Example::

        >>> normal = torch.distributions.Normal(torch.zeros(3), 1.0)
        >>> normal.batch_shape, normal.event_shape, normal.sample((2,)).shape
        (torch.Size([3]), torch.Size([]), torch.Size([2, 3]))
    """

    #: Whether `rsample` exists: samples through which gradients reach the parameters.
    has_rsample = False
    #: Whether `enumerate_support` exists.
    has_enumerate_support = False
    _validate_args: bool = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Sets whether distributions check their arguments unless they are told, for the whole
        process.

        Args:
            value: True or False.

        Raises:
            ValueError: anything else.
        """
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self,
        batch_shape: Any = (),
        event_shape: Any = (),
        validate_args: bool | None = None,
    ) -> None:
        self._batch_shape = torch.Size(batch_shape)
        self._event_shape = torch.Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._validate_parameters()
        super().__init__()

    def _validate_parameters(self) -> None:
        try:
            arg_constraints = self.arg_constraints
        except NotImplementedError:
            warnings.warn(
                f"{self.__class__} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize the distribution with `validate_args=False` to turn off validation.",
                stacklevel=4,
            )
            return
        for name, constraint in arg_constraints.items():
            if constraints.is_dependent(constraint):
                continue
            if name not in self.__dict__ and isinstance(getattr(type(self), name), lazy_property):
                continue  # Given as another parameter, from which this one is computed.
            value = getattr(self, name)
            if not constraint.check(value).all():
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution {self!r} to satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
                )

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with its parameters expanded to another batch shape.

        Args:
            batch_shape: a shape that the present one is broadcast to.
            _instance: an object to fill, for the `expand` of a subclass.

        Returns:
            A distribution whose parameters are views of these.

        Example::

            >>> torch.distributions.Exponential(torch.ones(1)).expand((3,)).rate
            tensor([1., 1., 1.])
        """
        raise NotImplementedError

    @property
    def batch_shape(self) -> torch.Size:
        """The shape of the batch of distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> torch.Size:
        """The shape of one draw."""
        return self._event_shape

    if TYPE_CHECKING:
        arg_constraints: ClassVar[Any]
        support: Any
    else:

        @property
        def arg_constraints(self) -> Any:
            """The sets in which the parameters lie, by their names."""
            raise NotImplementedError

        @property
        def support(self) -> Any:
            """The set of possible values."""
            raise NotImplementedError

    @property
    def mean(self) -> Tensor:
        """The mean."""
        raise NotImplementedError

    @property
    def mode(self) -> Tensor:
        """The most probable value."""
        raise NotImplementedError(f"{self.__class__} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The variance."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Draws, through which no gradients flow.

        Args:
            sample_shape: a shape of independent draws.

        Returns:
            `sample_shape + batch_shape + event_shape`.

        Example::

            >>> torch.distributions.Normal(torch.zeros(3), 1.0).sample((2,)).shape
            torch.Size([2, 3])
        """
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Draws through which gradients reach the parameters; `has_rsample` says whether there are
        such.

        Args:
            sample_shape: a shape of independent draws.

        Returns:
            `sample_shape + batch_shape + event_shape`.

        Raises:
            NotImplementedError: the distribution has none.

        Example::

            >>> mean = torch.zeros(1, requires_grad=True)
            >>> torch.distributions.Normal(mean, 1.0).rsample().backward()
            >>> mean.grad
            tensor([1.])
        """
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        """Deprecated: `sample((n,))`, which this calls after a warning.

        Args:
            n: how many draws.
        """
        warnings.warn(
            "sample_n will be deprecated. Use .sample((n,)) instead", UserWarning, stacklevel=2
        )
        return self.sample(torch.Size((n,)))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density, or of the probability of a discrete value.

        Args:
            value: a draw; it is broadcast with `batch_shape + event_shape`.

        Returns:
            One number for each draw: the shape of `value` without its event.

        Raises:
            ValueError: a value is outside of the support, or of another shape.

        Example::

            >>> torch.distributions.Uniform(0.0, 2.0).log_prob(torch.tensor(1.0))
            tensor(-0.6931)
        """
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of values up to `value`.

        Args:
            value: broadcast with `batch_shape`.

        Raises:
            NotImplementedError: the distribution has none.

        Example::

            >>> torch.distributions.Uniform(0.0, 2.0).cdf(torch.tensor(0.5))
            tensor(0.2500)
        """
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """The inverse of `cdf`: the value up to which there is a given probability.

        Args:
            value: a probability, broadcast with `batch_shape`.

        Raises:
            NotImplementedError: the distribution has none.

        Example::

            >>> torch.distributions.Uniform(0.0, 2.0).icdf(torch.tensor(0.25))
            tensor(0.5000)
        """
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All possible values; `has_enumerate_support` says whether they can be named.

        Args:
            expand: whether the other dimensions are those of the batch; else they have size 1.

        Returns:
            The values along a first dimension, before `batch_shape + event_shape`.

        Raises:
            NotImplementedError: there are infinitely many, or too many.

        Example::

            >>> torch.distributions.Bernoulli(torch.zeros(2)).enumerate_support()
            tensor([[0., 0.],
                    [1., 1.]])
        """
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The expectation of `-log_prob`, in nats."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """exp(entropy)."""
        return torch.exp(self.entropy())

    def _extended_shape(self, sample_shape: Any = ()) -> torch.Size:
        if not isinstance(sample_shape, torch.Size):
            sample_shape = torch.Size(sample_shape)
        return torch.Size(sample_shape + self._batch_shape + self._event_shape)

    def _validate_sample(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        event_start = len(value.size()) - len(self._event_shape)
        if value.size()[event_start:] != self._event_shape:
            raise ValueError(
                "The right-most size of value must match event_shape: "
                f"{value.size()} vs {self._event_shape}."
            )
        expected = self._batch_shape + self._event_shape
        for i, j in zip(reversed(value.size()), reversed(expected), strict=False):
            if i != 1 and j != 1 and i != j:
                raise ValueError(
                    "Value is not broadcastable with batch_shape+event_shape: "
                    f"{value.size()} vs {torch.Size(expected)}."
                )
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(
                f"{self.__class__} does not define `support` to enable sample validation. Please initialize the distribution with `validate_args=False` to turn off validation.",
                stacklevel=3,
            )
            return
        assert support is not None
        if not support.check(value).all():
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) to be within the support ({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    def _get_checked_instance(self, cls: type[Distribution], _instance: Any = None) -> Any:
        if _instance is None and type(self).__init__ != cls.__init__:
            raise NotImplementedError(
                f"Subclass {self.__class__.__name__} of {cls.__name__} that defines a custom __init__ method must also define a custom .expand() method."
            )
        return self.__new__(type(self)) if _instance is None else _instance

    # What `expand` of most distributions does: all parameters are of the batch shape.
    _expanded_parameters: ClassVar[tuple[str, ...]] = ()

    def _expand_parameters(self, cls: type[Distribution], batch_shape: Any, _instance: Any) -> Any:
        new = self._get_checked_instance(cls, _instance)
        batch_shape = torch.Size(batch_shape)
        for name in self._expanded_parameters:
            if name in self.__dict__:
                value = getattr(self, name)
                setattr(new, name, value.expand(batch_shape) if torch.is_tensor(value) else value)
        # `cls` is a proper subclass, so what comes after it is a Distribution, not `object`.
        super(cls, new).__init__(batch_shape, validate_args=False)  # type: ignore[call-arg]
        new._validate_args = self._validate_args
        return new

    def __repr__(self) -> str:
        names = [k for k in self.arg_constraints if k in self.__dict__]
        values = (
            self.__dict__[p] if self.__dict__[p].numel() == 1 else self.__dict__[p].size()
            for p in names
        )
        text = ", ".join(f"{p}: {v}" for p, v in zip(names, values, strict=True))
        return f"{self.__class__.__name__}({text})"


__all__ = ["Distribution"]
