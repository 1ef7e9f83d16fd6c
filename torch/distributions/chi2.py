"""class Chi2."""

from __future__ import annotations

from typing import Any, ClassVar

from torch import Tensor
from torch.distributions import constraints
from torch.distributions.gamma import Gamma


class Chi2(Gamma):
    """The distribution of the sum of `df` squared standard normal numbers: Gamma(df / 2, 1 / 2).

    Example::

        >>> torch.distributions.Chi2(torch.tensor(3.0)).variance
        tensor(6.)
    """

    arg_constraints: ClassVar[dict[str, Any]] = {"df": constraints.positive}

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        return super().expand(batch_shape, self._get_checked_instance(Chi2, _instance))

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self.concentration * 2


__all__ = ["Chi2"]
